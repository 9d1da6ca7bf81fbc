"""Random conditions over roles, as text, and the same written out by hand with operators that need no roles.

The second is the slow, obvious meaning of the first: `count(r.x)` is `(not not p0.x) + (not not p1.x) + 0`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

from hypothesis import strategies as st

PROCESSES = ("p0", "p1", "p2")
ROLES = {"pair": ("p0", "p1"), "late": ("p1", "p2"), "one": ("p2",)}

_OPERATORS = ("==", "!=", "<", "<=", ">", ">=")


class Written(NamedTuple):
    """A condition over roles, and what it means."""

    text: str
    meaning: str


def members_of(role: str) -> tuple[str, ...]:
    return PROCESSES if role == "*" else ROLES[role]


def _joined(word: str, parts: Iterator[str]) -> str:
    return "(" + f" {word} ".join(f"({part})" for part in parts) + ")"


def _bodies(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Expressions of members' variables; `@name` stands for a member."""
    variables = st.builds("@{}.{}".format, st.sampled_from(names), st.sampled_from(("x", "y", "on", "map.x")))
    constants = st.sampled_from(("0", "1", "2.5", "-1", "'on'", "''", "true", "null"))
    values = variables | st.builds("({} {} {})".format, variables, st.sampled_from("+-*/"), variables | constants)
    compared = st.builds("({} {} {})".format, values, st.sampled_from(_OPERATORS), values | constants)
    among = st.builds("({} {} ({}, {}))".format, values, st.sampled_from(("in", "not in")), constants, constants)
    negated = st.builds("(not {})".format, variables)
    leaves = values | compared | among | negated
    return leaves | st.builds("({} {} {})".format, leaves, st.sampled_from(("and", "or")), leaves)


def _said_of(body: str, members: dict[str, str]) -> str:
    for name, member in members.items():
        body = body.replace(f"@{name}.", f"{member}.")
    return body


@st.composite
def folds(draw: st.DrawFn, kinds: tuple[str, ...] = ("count", "sum")) -> Written:
    """A count or sum, as a value."""
    role = draw(st.sampled_from((*ROLES, "*")))
    body = draw(_bodies(("m",)))
    kind = draw(st.sampled_from(kinds))
    own = [_said_of(body, {"m": member}) for member in members_of(role)]
    terms = [f"(not not {each})" if kind == "count" else each for each in own]
    return Written(f"{kind}({_said_of(body, {'m': role})})", "(" + " + ".join([*terms, "0"]) + ")")


@st.composite
def comparisons(draw: st.DrawFn) -> Written:
    """Counts and sums, their sums and differences, compared with numbers, with each other and with variables."""
    operator = draw(st.sampled_from(_OPERATORS))
    left, right = draw(folds()), draw(folds())
    other = draw(st.sampled_from(("0", "1", "2", "3", "-1", "0.5", "p0.x", "p2.y")))
    match draw(st.integers(0, 4)):
        case 0:
            return Written(f"{left.text} {operator} {other}", f"{left.meaning} {operator} {other}")
        case 1:
            return Written(f"{other} {operator} {left.text}", f"{other} {operator} {left.meaning}")
        case 2:
            return Written(f"{left.text} {operator} {right.text}", f"{left.meaning} {operator} {right.meaning}")
        case 3:
            sign = draw(st.sampled_from("+-"))
            made = [f"{a} {sign} {b} {operator} {other}" for a, b in zip(left, right, strict=True)]
            return Written(*made)
        case _:
            return Written(f"{left.text} in ({other}, 2)", f"({left.meaning} == {other} or {left.meaning} == 2)")


@st.composite
def extremes(draw: st.DrawFn) -> Written:
    """`min` and `max` compared with a constant or a variable: the member's that is not above, or below, any other."""
    role = draw(st.sampled_from((*ROLES, "*")))
    body = draw(_bodies(("m",)))
    kind, order = draw(st.sampled_from((("min", "<="), ("max", ">="))))
    operator = draw(st.sampled_from(_OPERATORS))
    other = draw(st.sampled_from(("0", "1", "2", "'on'", "''", "null", "p0.x", "true")))
    own = [_said_of(body, {"m": member}) for member in members_of(role)]
    ends = (
        _joined("and", (f"{each} {order} {rest}" for rest in own)) + f" and {each} {operator} {other}" for each in own
    )
    return Written(f"{kind}({_said_of(body, {'m': role})}) {operator} {other}", _joined("or", ends))


@st.composite
def every_and_some(draw: st.DrawFn) -> Written:
    """`all` and `any`."""
    role = draw(st.sampled_from((*ROLES, "*")))
    body = draw(_bodies(("m",)))
    kind, word = draw(st.sampled_from((("all", "and"), ("any", "or"))))
    own = (_said_of(body, {"m": member}) for member in members_of(role))
    return Written(f"{kind}({_said_of(body, {'m': role})})", _joined(word, own))


@st.composite
def choices(draw: st.DrawFn) -> Written:
    """`exists` and `forall` over one or two members of one role, or of two."""
    roles = st.sampled_from((*ROLES, "*"))
    role, other = draw(roles), draw(roles)
    names, bound = {
        0: ({"p": role}, f"p in {role}"),
        1: ({"p": role, "q": role}, f"p, q in {role}"),
        2: ({"p": role, "q": other}, f"p in {role}, q in {other}"),
    }[draw(st.integers(0, 2))]
    body = draw(_bodies(tuple(names)))
    if len(names) == 2:
        body = draw(st.sampled_from(("{}", "p != q and {}", "p == q or {}", "not (q == p) and {}"))).format(body)
    kind, word = draw(st.sampled_from((("exists", "or"), ("forall", "and"))))
    body = draw(st.sampled_from(("{}", "{} and p0.on"))).format(body)

    def said(chosen: tuple[str, ...]) -> str:
        written = _said_of(body, dict(zip(names, chosen, strict=True)))
        if len(chosen) == 2:
            same = chosen[0] == chosen[1]
            for sign, is_true in (("p != q", not same), ("p == q", same), ("q == p", same)):
                written = written.replace(sign, str(is_true).lower())
        return written

    meaning = _joined(word, map(said, product(*(members_of(role) for role in names.values()))))
    return Written(f"{kind}({bound}: {body.replace('@', '')})", meaning)


def conditions() -> st.SearchStrategy[Written]:
    """All forms, alone and joined."""
    forms = st.one_of(comparisons(), extremes(), every_and_some(), choices())
    join: Callable[[Written, str, Written], Written] = lambda one, word, two: Written(  # noqa: E731
        f"{one.text} {word} {two.text}", f"({one.meaning}) {word} ({two.meaning})"
    )
    negated = st.builds(lambda one: Written(f"not ({one.text})", f"not ({one.meaning})"), forms)
    return forms | negated | st.builds(join, forms, st.sampled_from(("and", "or")), forms)
