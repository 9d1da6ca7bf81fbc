"""The meaning of conditions once more, the obvious way: one recursive function, no shortcuts.

The law stands in the docstring of `latwin.properties.evaluate`; this is its slow, independent reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from latwin.properties import (
    And,
    Arithmetic,
    Compare,
    Expr,
    Literal,
    Member,
    Negate,
    Not,
    Or,
    Variable,
)


def kind(value: Any) -> str:
    """null, number, string, list or map; NaN is null."""
    if value is None or (isinstance(value, float) and str(value) == "nan"):
        return "null"
    if isinstance(value, bool | int | float):
        return "number"
    return {"str": "string", "list": "list", "dict": "map"}[type(value).__name__]


def truth(value: Any) -> bool:
    match kind(value):
        case "null":
            return False
        case "number":
            return bool(value != 0)
        case _:
            return len(value) > 0


def value_of(expr: Expr, states: Sequence[Any]) -> Any:
    """The value of an expression in the given states, one per process."""
    match expr:
        case Literal(value):
            return value
        case Variable(process, path):
            value = states[process]
            for name in path:
                value = value[name] if isinstance(value, dict) and name in value else None
            return None if kind(value) == "null" else value
        case Negate(operand):
            return arithmetic("-", 0, value_of(operand, states))
        case Arithmetic(op, left, right):
            return arithmetic(op, value_of(left, states), value_of(right, states))
        case Compare(op, left, right):
            return comparison(op, left, right, states)
        case Member(operand, options, negated):
            found = [option for option in options if comparison("==", operand, option, states)]
            return not found and kind(value_of(operand, states)) != "null" if negated else bool(found)
        case Not(operand):
            return not truth(value_of(operand, states))
        case And(operands):
            return False not in [truth(value_of(operand, states)) for operand in operands]
        case Or(operands):
            return True in [truth(value_of(operand, states)) for operand in operands]


def comparison(op: str, left: Expr, right: Expr, states: Sequence[Any]) -> bool:
    """A comparison, as a sum over processes if it is one and both sides can be numbers, else as it is written."""
    sides = [value_of(left, states), value_of(right, states)]
    is_sum = any(isinstance(side, Arithmetic | Negate) and len(side.processes) > 1 for side in (left, right))
    summands = [*summands_of(left, 1), *summands_of(right, -1)]
    is_sum = is_sum and all(len(part.processes) < 2 for _, part in summands)
    constants = [(sign, value_of(part, states)) for sign, part in summands if not part.processes]
    is_sum = is_sum and all(kind(value) == "number" for _, value in constants)
    for side, value in zip((left, right), sides, strict=True):
        if isinstance(side, Variable) and (kind(value) in ("string", "list", "map") or str(value) in ("inf", "-inf")):
            is_sum = False
    if not is_sum:
        return compare(op, *sides)
    total: Any = 0
    for process in range(len(states)):
        own = [(sign, value_of(part, states)) for sign, part in summands if part.processes == {process}]
        if own:
            (sign, term), *more = own
            term = term if sign > 0 else arithmetic("-", 0, term)
            for sign, value in more:
                term = arithmetic("+" if sign > 0 else "-", term, value)
            total = arithmetic("+", total, term)
    bound: Any = 0
    for sign, value in constants:
        bound = arithmetic("-" if sign > 0 else "+", bound, value)
    return compare(op, total, bound)


def summands_of(expr: Expr, sign: int) -> list[tuple[int, Expr]]:
    """What an expression adds up, with signs: parts that read one process or none, or that are no sums."""
    match expr:
        case Negate(operand) if len(expr.processes) > 1:
            return summands_of(operand, -sign)
        case Arithmetic("+" | "-" as op, left, right) if len(expr.processes) > 1:
            return [*summands_of(left, sign), *summands_of(right, sign if op == "+" else -sign)]
        case _:
            return [(sign, expr)]


def compare(op: str, left: Any, right: Any) -> bool:
    if "null" in (kind(left), kind(right)):
        return False
    if kind(left) != kind(right):
        return op == "!="
    if op == "==":
        return bool(left == right)
    if op == "!=":
        return bool(left != right)
    if kind(left) not in ("number", "string"):
        return False
    less, equal = left < right, left == right
    return bool({"<": less, "<=": less or equal, ">": not less and not equal, ">=": not less}[op])


def arithmetic(op: str, left: Any, right: Any) -> Any:
    if (kind(left), kind(right)) != ("number", "number"):
        return None
    if op in ("/", "%") and right == 0:
        return None
    left, right = (int(value) if isinstance(value, bool) else value for value in (left, right))
    exact = isinstance(left, int) and isinstance(right, int)
    try:
        match op:
            case "+":
                result = left + right
            case "-":
                result = left - right
            case "*":
                result = left * right
            case "/":
                result = float(Fraction(left, right)) if exact else left / right
            case "%":
                result = left - right * (left // right) if exact else left % right
    except OverflowError:
        return None
    if isinstance(result, float) and str(result) in ("nan", "inf", "-inf"):
        return None
    return result
