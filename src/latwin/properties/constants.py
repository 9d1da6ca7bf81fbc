"""The value of an expression that reads no process."""

from __future__ import annotations

import operator
from typing import Any, assert_never

from latwin.properties.closures import ARITHMETIC, always, calculate, compare, equal, truth
from latwin.properties.tree import And, Arithmetic, Compare, Expr, Literal, Member, Negate, Not, Or, Variable


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
        case And(operands):
            return all(truth(fold(operand)) for operand in operands)
        case Or(operands):
            return any(truth(fold(operand)) for operand in operands)
        case Variable():
            raise AssertionError("a variable reads a process")
        case _:
            assert_never(expr)
