"""The value of an expression that reads no process."""

from __future__ import annotations

import operator
from typing import Any, assert_never

from latwin.properties.closures import ARITHMETIC, added, always, calculate, compare, equal, extreme, truth
from latwin.properties.tree import (
    And,
    Arithmetic,
    Bound,
    Compare,
    Each,
    Exists,
    Expr,
    Guarded,
    Literal,
    Member,
    Negate,
    Not,
    Or,
    SameMember,
    Variable,
)


def fold(expr: Expr) -> Any:
    """The value, by the law that stands in evaluate.py."""
    match expr:
        case Literal(value):
            return value
        case Negate(operand):
            return calculate(operator.sub, 0, fold(operand))
        case Arithmetic(op, left, right):
            return calculate(ARITHMETIC[op], fold(left), fold(right))
        case Compare(op, left, right):
            return compare(op, always(fold(left)), always(fold(right)))(None)
        case Member(operand, options, negated):
            value = fold(operand)
            return value is not None and any(equal(value, fold(option)) for option in options) != negated
        case Not(operand):
            return not truth(fold(operand))
        case And(operands) | Each("all", _, operands) | Exists("forall", _, _, operands):
            return all(truth(fold(operand)) for operand in operands)
        case Or(operands) | Each("any", _, operands) | Exists("exists", _, _, operands):
            return any(truth(fold(operand)) for operand in operands)
        case Each("count", _, operands):
            return sum(truth(fold(operand)) for operand in operands)
        case Each("sum", _, operands):
            return added([always(fold(operand)) for operand in operands])(None)
        case Each(kind, _, operands):
            return extreme([always(fold(operand)) for operand in operands], largest=kind == "max")(None)
        case Exists():
            raise AssertionError("a kind without a case")
        case Guarded() | Variable() | Bound() | SameMember():
            raise AssertionError("a variable reads a process")
        case _:
            assert_never(expr)
