"""The tree of a property: what the parser builds, what engines read, and `show`, its way back to text.

    Property   Modal(kind, predicate)   Question   PropertyNot   PropertyAnd   PropertyOr
    Expr       And  Or  Not             of conditions
               Compare  Member          of values
               Arithmetic  Negate       of numbers
               Each  Exists             over the members of roles; members.py writes them out
               Variable  Literal

Nodes are immutable, hashable and equal when their structure is. `And` and `Or` (and their property
counterparts) have two operands or more and absorb nested ones of their own kind, so `a and (b and c)`
equals `a and b and c`. Every node knows, from its construction on, the indexes of the processes it
reads: `node.processes`.
"""

from __future__ import annotations

import math
import re
import typing
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from latwin.errors import InvalidInput

Scalar: TypeAlias = bool | int | float | str | None
ComparisonOp: TypeAlias = typing.Literal["==", "!=", "<", "<=", ">", ">="]
ArithmeticOp: TypeAlias = typing.Literal["+", "-", "*", "/", "%"]
ModalKind: TypeAlias = typing.Literal["possibly", "definitely"]
EachKind: TypeAlias = typing.Literal["count", "sum", "min", "max", "all", "any"]
ExistsKind: TypeAlias = typing.Literal["exists", "forall"]

MODALS: dict[str, ModalKind] = {"possibly": "possibly", "definitely": "definitely"}

EACH_KINDS: dict[str, EachKind] = {
    "count": "count",
    "sum": "sum",
    "min": "min",
    "max": "max",
    "all": "all",
    "any": "any",
}
EXISTS_KINDS: dict[str, ExistsKind] = {"exists": "exists", "forall": "forall"}
#: the role of all processes
EVERYONE = "*"

#: the comparison that says the same with its sides exchanged
MIRRORED: dict[ComparisonOp, ComparisonOp] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

# Words of the language; as names they need backticks.
KEYWORDS = frozenset({"and", "or", "not", "in", "true", "True", "false", "False", "null"})
# Python refuses, depending on its settings, to convert integers of more than 640 digits from or to text.
MAX_DIGITS = 600

_TOO_LARGE = 10**MAX_DIGITS
_NONE: frozenset[int] = frozenset()
_BARE_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Node:
    """What all nodes share. `processes` is no part of construction, equality or repr."""

    processes: frozenset[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Collect the processes of the children, which know theirs already."""
        processes = _NONE.union(*(child.processes for child in self._children()))
        object.__setattr__(self, "processes", processes)

    def _children(self) -> tuple[Node, ...]:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A constant. Equal literals have the same type: `1`, `1.0` and `true` are three literals."""

    value: Scalar

    def __post_init__(self) -> None:
        """Refuse what the language cannot write down."""
        value = self.value
        if value is not None and type(value) not in (bool, int, float, str):
            raise InvalidInput(f"a literal must be a bool, int, float, str or None; got {value!r}")
        if isinstance(value, float) and not math.isfinite(value):
            raise InvalidInput(f"a literal must be finite; got {value!r}")
        if isinstance(value, str) and any("\ud800" <= char <= "\udfff" for char in value):
            raise InvalidInput(f"a literal must be valid Unicode; got half of a surrogate pair in {value!a}")
        if isinstance(value, int) and abs(value) >= _TOO_LARGE:
            raise InvalidInput(f"an integer literal must have at most {MAX_DIGITS} digits; got a larger one")
        object.__setattr__(self, "processes", _NONE)

    def __eq__(self, other: object) -> bool:
        """Same type, same value."""
        if not isinstance(other, Literal):
            return NotImplemented
        return type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        """Hash of the value."""
        return hash((Literal, self.value))


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """A variable of the process with index `process`; a longer path leads into nested maps."""

    process: int
    path: tuple[str, ...]

    def __post_init__(self) -> None:
        """Require a name."""
        if not self.path:
            raise InvalidInput("a variable's path must have at least one name; got ()")
        object.__setattr__(self, "processes", frozenset((self.process,)))


@dataclass(frozen=True, slots=True)
class Negate(Node):
    """Unary minus."""

    operand: Expr

    def _children(self) -> tuple[Node, ...]:
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """A binary operation on numbers."""

    op: ArithmeticOp
    left: Expr
    right: Expr

    def _children(self) -> tuple[Node, ...]:
        return (self.left, self.right)


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """A comparison of two values."""

    op: ComparisonOp
    left: Expr
    right: Expr

    def _children(self) -> tuple[Node, ...]:
        return (self.left, self.right)


@dataclass(frozen=True, slots=True)
class Member(Node):
    """`operand in (options)`, or `operand not in (options)` when `negated`."""

    operand: Expr
    options: tuple[Expr, ...]
    negated: bool = False

    def _children(self) -> tuple[Node, ...]:
        if not self.options:
            raise InvalidInput("a membership test must have at least one option; got ()")
        return (self.operand, *self.options)


@dataclass(frozen=True, slots=True)
class Not(Node):
    """Two-valued negation of a condition."""

    operand: Expr

    def _children(self) -> tuple[Node, ...]:
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class And(Node):
    """All of two or more conditions; nested conjunctions are absorbed."""

    operands: tuple[Expr, ...]

    def _children(self) -> tuple[Node, ...]:
        return _absorb(self)


@dataclass(frozen=True, slots=True)
class Or(Node):
    """Any of two or more conditions; nested disjunctions are absorbed."""

    operands: tuple[Expr, ...]

    def _children(self) -> tuple[Node, ...]:
        return _absorb(self)


@dataclass(frozen=True, slots=True)
class Bound(Node):
    """A variable of the member that the `Each` or `Exists` around it calls `member`; only in their `body`."""

    member: str
    path: tuple[str, ...]

    def _children(self) -> tuple[Node, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class SameMember(Node):
    """Whether two members of an `Exists` are one process, or are two if `negated`; only in its `body`."""

    left: str
    right: str
    negated: bool

    def _children(self) -> tuple[Node, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Each(Node):
    """`count`, `sum`, `min`, `max`, `all` or `any` of an expression of one member's variables, over a role's members.

    `body` is the expression as it is written, `operands` the same once for every member, in the order of processes.
    """

    kind: EachKind
    body: Expr
    operands: tuple[Expr, ...]

    def _children(self) -> tuple[Node, ...]:
        return self.operands


@dataclass(frozen=True, slots=True)
class Guarded(Node):
    """A member's value in a group that processes join and leave, where the member may not be there.

    A sum takes 0 for it then, `min` and `max` leave it out.
    """

    there: Variable
    value: Expr

    def _children(self) -> tuple[Node, ...]:
        return (self.there, self.value)


@dataclass(frozen=True, slots=True)
class Exists(Node):
    """Whether some (`exists`), or every (`forall`), choice of members satisfies a condition.

    `members` are pairs of a name and the role that it stands for. `body` is the condition as it is written,
    `operands` the same for the choices of members; choices that cannot change the answer are left out.
    """

    kind: ExistsKind
    members: tuple[tuple[str, str], ...]
    body: Expr
    operands: tuple[Expr, ...]

    def _children(self) -> tuple[Node, ...]:
        return self.operands


@dataclass(frozen=True, slots=True)
class Modal(Node):
    """A question about the lattice: does some, or does every, observation meet the predicate?"""

    kind: ModalKind
    predicate: Expr

    def _children(self) -> tuple[Node, ...]:
        return (self.predicate,)


@dataclass(frozen=True, slots=True)
class Question(Node):
    """Anything else that is asked of the lattice; the kinds are in `ctl`, `linear`, `sequences`, `probability`."""

    def text(self, names: Sequence[str]) -> str:
        """Its canonical text."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """What messages call it."""
        raise NotImplementedError

    def explain(self, processes: Sequence[str]) -> tuple[str, str]:
        """The engine that answers it, and a sentence on why."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class PropertyNot(Node):
    """Negation of a property."""

    operand: Property

    def _children(self) -> tuple[Node, ...]:
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class PropertyAnd(Node):
    """All of two or more properties; nested conjunctions are absorbed."""

    operands: tuple[Property, ...]

    def _children(self) -> tuple[Node, ...]:
        return _absorb(self)


@dataclass(frozen=True, slots=True)
class PropertyOr(Node):
    """Any of two or more properties; nested disjunctions are absorbed."""

    operands: tuple[Property, ...]

    def _children(self) -> tuple[Node, ...]:
        return _absorb(self)


Expr: TypeAlias = (
    Literal
    | Variable
    | Negate
    | Arithmetic
    | Compare
    | Member
    | Not
    | And
    | Or
    | Each
    | Guarded
    | Exists
    | Bound
    | SameMember
)
Property: TypeAlias = Modal | Question | PropertyNot | PropertyAnd | PropertyOr

TRUE = Literal(True)
FALSE = Literal(False)


def _absorb(node: And | Or | PropertyAnd | PropertyOr) -> tuple[Node, ...]:
    """Replace the operands of a node under construction by the flat list of them, and return it."""
    kind = type(node)
    flat: list[Node] = []
    for operand in node.operands:
        flat.extend(operand.operands if isinstance(operand, kind) else (operand,))
    if len(flat) < 2:
        raise InvalidInput(f"{kind.__name__} must have at least two operands; got {len(flat)}")
    object.__setattr__(node, "operands", tuple(flat))
    return tuple(flat)


# How tightly each form binds; an operand that binds less than its place requires gets parentheses.
_OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _NEGATE, _ATOM = range(8)


def show(node: Expr | Property, processes: Sequence[str]) -> str:
    """The canonical text of a property or predicate; parsing it, if not too long, gives back an equal tree.

    >>> on, wide = Variable(0, ("on",)), Compare("<", Literal(2), Variable(1, ("is wide",)))
    >>> show(Not(Or((on, wide))), ["tv", "door"])
    'not (tv.on or 2 < door.`is wide`)'
    """
    return _show(node, processes)[0]


def _show(node: Expr | Property, names: Sequence[str]) -> tuple[str, int]:
    """The text of a node and how tightly it binds."""

    def inside(child: Expr | Property, least: int) -> str:
        text, binding = _show(child, names)
        return text if binding >= least else f"({text})"

    match node:
        case Or(operands) | PropertyOr(operands):
            return " or ".join(inside(operand, _AND) for operand in operands), _OR
        case And(operands) | PropertyAnd(operands):
            return " and ".join(inside(operand, _NOT) for operand in operands), _AND
        case Not(operand) | PropertyNot(operand):
            return f"not {inside(operand, _NOT)}", _NOT
        case Compare(op, left, right):
            return f"{inside(left, _SUM)} {op} {inside(right, _SUM)}", _COMPARE
        case Member(operand, options, negated):
            listed = ", ".join(inside(option, _SUM) for option in options)
            return f"{inside(operand, _SUM)} {'not in' if negated else 'in'} ({listed})", _COMPARE
        case Arithmetic(op, left, right):
            level = _SUM if op in ("+", "-") else _PRODUCT
            return f"{inside(left, level)} {op} {inside(right, level + 1)}", level
        case Negate(operand):
            text = inside(operand, _NEGATE)
            # `-5` is the literal minus five; parentheses tell its negation `-(5)` from it.
            return (f"-({text})" if text[0].isdigit() else f"-{text}"), _NEGATE
        case Variable(process, path):
            return ".".join(show_name(name) for name in (names[process], *path)), _ATOM
        case Each(kind, body):
            return f"{kind}({_show(body, names)[0]})", _ATOM
        case Guarded(_, value):
            return _show(value, names)
        case Exists(kind, members, body):
            return f"{kind}({_show_members(members)}: {_show(body, names)[0]})", _ATOM
        case Bound(member, path):
            return ".".join([_show_member(member), *map(show_name, path)]), _ATOM
        case SameMember(one, other, negated):
            return f"{show_name(one)} {'!=' if negated else '=='} {show_name(other)}", _COMPARE
        case Literal(value):
            text = _show_literal(value)
            return text, _NEGATE if text[0] == "-" else _ATOM
        case Modal(kind, predicate):
            return f"{kind}({_show(predicate, names)[0]})", _ATOM
        case Question():
            return node.text(names), _COMPARE
        case _:
            assert_never(node)


def measure(node: Node) -> tuple[int, int]:
    """How many nodes a tree has as it is written, shared ones as often as they occur, and how many levels."""
    if isinstance(node, Literal | Variable):
        return 1, 1
    sizes = [measure(child) for child in ((node.body,) if isinstance(node, Each | Exists) else node._children())]
    return 1 + sum(size for size, _ in sizes), 1 + max((height for _, height in sizes), default=0)


def _show_members(members: Sequence[tuple[str, str]]) -> str:
    """The members' names with their roles, a role once for the names that stand side by side: `a, b in replica`."""
    ends = [
        place for place, (_, role) in enumerate(members) if [role] != [r for _, r in members[place + 1 : place + 2]]
    ]
    return ", ".join(
        show_name(name) + (f" in {_show_member(role)}" if place in ends else "")
        for place, (name, role) in enumerate(members)
    )


def _show_member(name: str) -> str:
    return name if name == EVERYONE else show_name(name)


def show_name(name: str) -> str:
    """A name as a property writes it: bare if it can be, else in backticks."""
    bare = _BARE_NAME.fullmatch(name) and name not in KEYWORDS
    return name if bare else _quote(name, "`")


def _show_literal(value: Scalar) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return _quote(value, "'")
        case _:
            return repr(value)


def _quote(text: str, mark: str) -> str:
    return mark + "".join(_escape(char, mark) for char in text) + mark


def _escape(char: str, mark: str) -> str:
    if char in (mark, "\\"):
        return "\\" + char
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}"
