"""Forms over the members of roles, written out: `count(replica.leader)` is about `r1.leader`, `r2.leader`, and so on.

    each("count", body, "replica", (0, 1, 2))               one operand for each member
    exists("exists", {"a": ("replica", (0, 1, 2)), ...}, body)   one operand for each choice of members

A choice that makes the condition of `exists` false whatever the states are, such as twice the same member where the
condition says `a != b`, is left out. So is a choice that says the same as another, in a condition that treats two
members alike: three replicas have three pairs, and not six.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations_with_replacement, pairwise, product
from typing import cast

from latwin.properties.tree import (
    FALSE,
    TRUE,
    And,
    Arithmetic,
    Bound,
    Compare,
    Each,
    EachKind,
    Exists,
    ExistsKind,
    Expr,
    Guarded,
    Literal,
    Member,
    Negate,
    Node,
    Not,
    Or,
    SameMember,
    Variable,
)

#: which processes have a role, by its name
Roles = Mapping[str, tuple[int, ...]]


#: where a state of a seat tells which roles its process has
THERE = ""


def each(kind: EachKind, body: Expr, role: str, processes: Iterable[int], *, is_open: bool = False) -> Each:
    """A form over the members of a role, whose variables `body` calls by the role's name."""
    if not is_open:
        return Each(kind, body, tuple([_written_out(body, {role: process}) for process in processes]))
    operands: list[Expr] = []
    for process in processes:
        operand, there = _written_out(_roles_told(body, {role: role}), {role: process}), _there(process, role)
        if kind in ("sum", "min", "max"):
            operands.append(Guarded(there, operand))
        else:
            operands.append(_guarded(operand, [there], for_all=kind == "all"))
    return Each(kind, body, tuple(operands))


def exists(
    kind: ExistsKind, members: Mapping[str, str], body: Expr, roles: Roles, *, is_open: bool = False
) -> Exists:
    """A form over the choices of members; `members` says which role each name stands for."""
    neutral = FALSE if kind == "exists" else TRUE
    written: dict[Expr, None] = {}
    for choice in _choices(members, body, roles):
        operand = _written_out(_roles_told(body, members) if is_open else body, choice)
        if is_open and operand != neutral:
            there = dict.fromkeys(_there(choice[name], role) for name, role in members.items())
            operand = _guarded(operand, list(there), for_all=kind == "forall")
        if operand != neutral:
            written[operand] = None
    return Exists(kind, tuple(members.items()), body, tuple(written))


def _roles_told(expr: Expr, members: Mapping[str, str]) -> Expr:
    """The expression with the variables of members under their role's name, as states of `Seats` have them."""
    match expr:
        case Bound(member, path) if member in members:
            return Bound(member, (members[member], *path))
        case _:
            return _rebuilt(expr, [_roles_told(child, members) for child in _parts(expr)])


def _there(process: int, role: str) -> Variable:
    return Variable(process, (THERE, role))


def _guarded(operand: Expr, there: list[Variable], *, for_all: bool) -> Expr:
    """The condition where the members are there; where one is not, what does not change the whole."""
    if for_all:
        return _joined(Or, [*[Not(each) for each in there], operand])
    return _joined(And, [*there, operand])


def choices_of(members: Mapping[str, str], roles: Roles) -> int:
    """How many choices of members there are."""
    count = 1
    for role in members.values():
        count *= len(roles[role])
    return count


def size_of(node: Node, most: int) -> int:
    """How many nodes a tree has when forms over roles are written out; not more than `most` are counted."""
    size, pending = 0, [node]
    while pending and size <= most:
        latest = pending.pop()
        size += 1
        if not isinstance(latest, Literal | Variable):
            pending += latest._children()
    return size


def _choices(members: Mapping[str, str], body: Expr, roles: Roles) -> Iterator[dict[str, int]]:
    names = list(members)
    chosen: Iterable[tuple[int, ...]]
    if len(names) > 1 and len(set(members.values())) == 1 and _is_symmetric(names, body):
        chosen = combinations_with_replacement(roles[members[names[0]]], len(names))
    else:
        chosen = product(*(roles[members[name]] for name in names))
    for choice in chosen:
        yield dict(zip(names, choice, strict=True))


def _is_symmetric(names: list[str], body: Expr) -> bool:
    """Whether the condition says the same of its members in every order."""
    plain = _ordered(body)
    swaps = ({one: other, other: one} for one, other in pairwise(names))
    return all(_ordered(_renamed(body, swap)) == plain for swap in swaps)


def _written_out(expr: Expr, choice: Mapping[str, int]) -> Expr:
    """The expression for some members: their variables, and which of them are the same."""
    match expr:
        case Bound(member, path) if member in choice:
            return Variable(choice[member], path)
        case SameMember(left, right, negated) if left in choice and right in choice:
            return TRUE if (choice[left] == choice[right]) != negated else FALSE
        case And() | Or():
            return _joined(type(expr), [_written_out(operand, choice) for operand in expr.operands])
        case Not():
            operand = _written_out(expr.operand, choice)
            return FALSE if operand == TRUE else TRUE if operand == FALSE else Not(operand)
        case _:
            return _rebuilt(expr, [_written_out(child, choice) for child in _parts(expr)])


def _joined(kind: type[And] | type[Or], operands: list[Expr]) -> Expr:
    """And / Or without the operands that are constants."""
    neutral, absorbing = (TRUE, FALSE) if kind is And else (FALSE, TRUE)
    if absorbing in operands:
        return absorbing
    left = [operand for operand in operands if operand != neutral]
    if len(left) > 1:
        return kind(tuple(left))
    # `and` of one value is whether it is true, and not the value itself.
    return _as_condition(left[0]) if left else neutral


def _as_condition(expr: Expr) -> Expr:
    return expr if isinstance(expr, (Compare, Member, Not, And, Or, Exists, SameMember)) else Not(Not(expr))


def _renamed(expr: Expr, names: Mapping[str, str]) -> Expr:
    """The expression with other names for its members."""
    match expr:
        case Bound(member, path):
            return Bound(names.get(member, member), path)
        case SameMember(left, right, negated):
            return SameMember(names.get(left, left), names.get(right, right), negated)
        case _:
            return _rebuilt(expr, [_renamed(child, names) for child in _parts(expr)])


def _ordered(expr: Expr) -> Expr:
    """The expression with a fixed order where the order says nothing: of `and`, `or`, `==` and `!=`."""
    if isinstance(expr, SameMember):
        return SameMember(min(expr.left, expr.right), max(expr.left, expr.right), expr.negated)
    parts = [_ordered(child) for child in _parts(expr)]
    if isinstance(expr, And | Or) or (isinstance(expr, Compare) and expr.op in ("==", "!=")):
        parts.sort(key=repr)
    return _rebuilt(expr, parts)


def _parts(expr: Expr) -> tuple[Expr, ...]:
    """What an expression is made of, as far as names of members can be in it; of an `Exists` the body first."""
    if isinstance(expr, Literal | Variable | Bound | SameMember | Each):  # an Each speaks of its own members alone
        return ()
    if isinstance(expr, Exists):
        return (expr.body, *expr.operands)
    return cast("tuple[Expr, ...]", expr._children())


def _rebuilt(expr: Expr, parts: list[Expr]) -> Expr:
    """The same form of other parts."""
    match expr:
        case Negate():
            return Negate(parts[0])
        case Arithmetic(op):
            return Arithmetic(op, parts[0], parts[1])
        case Compare(op):
            return Compare(op, parts[0], parts[1])
        case Member(negated=negated):
            return Member(parts[0], tuple(parts[1:]), negated)
        case Not():
            return Not(parts[0])
        case And():
            return And(tuple(parts))
        case Or():
            return Or(tuple(parts))
        case Exists(kind, members):
            return Exists(kind, members, parts[0], tuple(parts[1:]))
        case _:
            return expr
