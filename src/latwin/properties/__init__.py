"""The property language: questions about a system's global states, as text.

    definitely(phone.ap == 'meeting-room' and rfid.speaker and projector.on)
    possibly(rfid.people + phone.guests > 20) and not definitely(door.state in ('open', 'ajar'))

A **property** asks something of the lattice of consistent global states. Its parts are combined by `and`, `or`,
`not`, `implies` and parentheses:

    modality      possibly(condition)  definitely(condition)
    linear time   possibly(always(a.x implies eventually(b.y)))  definitely(...)   see `linear`
    CTL           EX AX EF AF EG AG(...)  E[... U ...]  A[... U ...]               see `ctl`
                  EY AY EP AP EH AH(...)  E[... S ...]  A[... S ...]
    sequence      possibly(seq(a.x, any*, b.y))  definitely(seq(...))             see `sequences`, `patterns`
    probability   probability(condition) >= 0.9                                   see `probability`

A **condition** reads one state per process:

    logic         and  or  not                 binding as in Python
    comparison    ==  !=  <  <=  >  >=         chains: 1 < a.x <= 5 is 1 < a.x and a.x <= 5
    membership    a.x in (1, 2)                a.x not in ('on', b.y + 1)
    arithmetic    +  -  *  /  %  unary -
    literals      3  2.5  1e-3  'text'  "text"  true  false  null
    variables     process.variable             process.map.key reaches into nested maps
    comments      # to the end of the line

A name that is no plain word, or is a keyword, stands in backticks: `` `meeting room`.`is-on` ``. Strings
and backticked names know the escapes of JSON. What conditions mean (a missing variable makes every
comparison false) is written down in `latwin.properties.evaluate`; which engine answers what, in
`latwin.properties.shape` and `latwin.properties.plan`.

    >>> processes = ["phone", "door"]
    >>> tree = parse_predicate("phone.guests > 2 and not door.open", processes)
    >>> show(tree, processes)
    'phone.guests > 2 and not door.open'
    >>> compile_condition(tree)([{"guests": 3}, {"open": False}])
    True
"""

from __future__ import annotations

from latwin.properties.evaluate import (
    compile_condition,
    compile_expr,
    compile_local,
    compile_local_column,
    compile_local_condition,
)
from latwin.properties.parser import parse_predicate, parse_property
from latwin.properties.tree import (
    And,
    Arithmetic,
    Compare,
    Expr,
    Literal,
    Member,
    Modal,
    Negate,
    Not,
    Or,
    Property,
    PropertyAnd,
    PropertyNot,
    PropertyOr,
    Question,
    Variable,
    show,
)

__all__ = [
    "And",
    "Arithmetic",
    "Compare",
    "Expr",
    "Literal",
    "Member",
    "Modal",
    "Negate",
    "Not",
    "Or",
    "Property",
    "PropertyAnd",
    "PropertyNot",
    "PropertyOr",
    "Question",
    "Variable",
    "compile_condition",
    "compile_expr",
    "compile_local",
    "compile_local_column",
    "compile_local_condition",
    "parse_predicate",
    "parse_property",
    "show",
]
