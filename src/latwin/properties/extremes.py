"""`min(...)` and `max(...)` of a role's members compared with a constant, as conditions on single members.

    min(r.x) > 3     every r.x > 3
    min(r.x) < 3     every r.x can be compared with 3, and some r.x < 3
    min(r.x) == 3    every r.x >= 3, and some r.x == 3
    min(r.x) != 3    every r.x can be compared with 3, and not the line above; or every r.x is a text

This is exact, also for values that are null or of mixed kinds, for which `min` and `max` are null.
"""

from __future__ import annotations

from latwin.properties.constants import fold
from latwin.properties.tree import MIRRORED, And, Compare, ComparisonOp, Each, Expr, Literal, Not, Or

_AT_MOST: dict[str, ComparisonOp] = {"min": ">=", "max": "<="}


def conditions_of_members(expr: Compare) -> Expr | None:
    """An equivalent condition without `min` and `max`; None if it does not compare one of them with a constant."""
    for op, side, other in ((expr.op, expr.left, expr.right), (MIRRORED[expr.op], expr.right, expr.left)):
        if isinstance(side, Each) and side.kind in ("min", "max") and not other.processes:
            return _compared(side, op, other)
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
    return _all([Or((Compare("<", value, constant), Compare(">=", value, constant))) for value in values])


def _every(values: tuple[Expr, ...], op: ComparisonOp, constant: Expr) -> Expr:
    return _all([Compare(op, value, constant) for value in values])


def _some(values: tuple[Expr, ...], op: ComparisonOp, constant: Expr) -> Expr:
    compared: list[Expr] = [Compare(op, value, constant) for value in values]
    return compared[0] if len(compared) == 1 else Or(tuple(compared))


def _all(conditions: list[Expr]) -> Expr:
    return conditions[0] if len(conditions) == 1 else And(tuple(conditions))


def _both(left: Expr, right: Expr) -> Expr:
    return And((left, right))
