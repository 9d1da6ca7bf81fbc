"""`min(...)` and `max(...)` of a role's members compared with a constant, as conditions on single members.

    min(r.x) > 3     every r.x > 3
    min(r.x) < 3     every r.x can be compared with 3, and some r.x < 3
    min(r.x) == 3    every r.x >= 3, and some r.x == 3
    min(r.x) != 3    every r.x can be compared with 3, and not the line above; or every r.x is a text

This is exact, also for values that are null or of mixed kinds, for which `min` and `max` are null. Where processes
join and leave, only those count that are there, and `min` and `max` are null if there are none.
"""

from __future__ import annotations

from collections.abc import Callable

from latwin.properties.constants import fold
from latwin.properties.tree import MIRRORED, And, Compare, ComparisonOp, Each, Expr, Guarded, Literal, Not, Or

_AT_MOST: dict[str, ComparisonOp] = {"min": ">=", "max": "<="}


def conditions_of_members(expr: Compare) -> Expr | None:
    """An equivalent condition without `min` and `max`; None if it does not compare one of them with a constant."""
    for op, side, other in ((expr.op, expr.left, expr.right), (MIRRORED[expr.op], expr.right, expr.left)):
        if isinstance(side, Each) and side.kind in ("min", "max") and not other.processes:
            is_compared = _compared(side, op, other)
            there = [value.there for value in side.operands if isinstance(value, Guarded)]
            return _both(_any(list(there)), is_compared) if there else is_compared
    return None


def _compared(side: Each, op: ComparisonOp, constant: Expr) -> Expr:
    values = side.operands
    beyond = _AT_MOST[side.kind]
    if op in (beyond, beyond[0]):
        return _every(values, op, constant)
    is_extreme = _both(_every(values, beyond, constant), _some(values, "==", constant))
    if op == "==":
        return is_extreme
    comparable = _comparable(values, constant)
    if op != "!=":
        return _both(comparable, _some(values, op, constant))
    if fold(constant) is None:
        return Literal(False)
    of_other_kind = Literal(0) if isinstance(fold(constant), str) else Literal("")
    return Or((_both(comparable, Not(is_extreme)), _comparable(values, of_other_kind)))


def _comparable(values: tuple[Expr, ...], constant: Expr) -> Expr:
    """Whether all values are of the constant's kind."""
    return _all(
        [_if_there(value, lambda v: Or((Compare("<", v, constant), Compare(">=", v, constant)))) for value in values]
    )


def _every(values: tuple[Expr, ...], op: ComparisonOp, constant: Expr) -> Expr:
    return _all([_if_there(value, lambda v: Compare(op, v, constant)) for value in values])


def _some(values: tuple[Expr, ...], op: ComparisonOp, constant: Expr) -> Expr:
    return _any(
        [
            And((value.there, Compare(op, value.value, constant)))
            if isinstance(value, Guarded)
            else Compare(op, value, constant)
            for value in values
        ]
    )


def _if_there(value: Expr, condition: Callable[[Expr], Expr]) -> Expr:
    """A condition on a member's value, which holds if the member is not there."""
    if isinstance(value, Guarded):
        return Or((Not(value.there), condition(value.value)))
    return condition(value)


def _any(conditions: list[Expr]) -> Expr:
    return conditions[0] if len(conditions) == 1 else Or(tuple(conditions))


def _all(conditions: list[Expr]) -> Expr:
    return conditions[0] if len(conditions) == 1 else And(tuple(conditions))


def _both(left: Expr, right: Expr) -> Expr:
    return And((left, right))
