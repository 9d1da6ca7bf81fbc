"""Sums over processes: comparisons of which a side adds or subtracts across processes.

They mean the same wherever they stand and whichever engine evaluates them: the terms of each process are gathered and
added in the order of the spec's processes, and the constants stand on the other side of the comparison. A fixed
order matters because numbers are doubles, whose sum depends on it in the last digit.

`sum(replica.balance)` adds the members' values, and `count(replica.leader)` adds 1 for each member that satisfies the
condition: both are sums of one term per member.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from latwin.properties.closures import as_number
from latwin.properties.constants import fold
from latwin.properties.tree import (
    MIRRORED,
    And,
    Arithmetic,
    Compare,
    ComparisonOp,
    Each,
    Exists,
    Expr,
    Member,
    Negate,
    Not,
    Or,
    Variable,
)

_EXACT = 2**53


@dataclass(frozen=True)
class SumAtom:
    """A sum of one term per process, compared with a number."""

    terms: tuple[tuple[int, Expr], ...]
    op: ComparisonOp
    #: None if the constants have no finite sum
    bound: int | float | None
    #: The side that is a variable and nothing else, if there is one. Its value may be of another kind than a number,
    #: or infinite, and then cannot be moved to the other side. (For `==` that makes no difference: it is false.)
    alone: Variable | None = None

    @property
    def largest_exact(self) -> int:
        """Integers up to this size, either sign, cannot make the sum inexact."""
        return _EXACT // (2 * len(self.terms))

    @property
    def is_exact(self) -> bool:
        """Whether the bound is a double."""
        return self.bound is not None and abs(self.bound) <= _EXACT

    @property
    def is_count(self) -> bool:
        """Whether every term is worth 0 or 1, in every state, and never null."""
        return all(_is_condition(term) for _, term in self.terms)


def sum_of(expr: Compare) -> SumAtom | None:
    """The comparison as a sum over processes, if it is one.

    A plain `a.x == b.y` is none: its sides may be strings.
    """
    sides = expr.left, expr.right
    if not any(_adds(side) and len(side.processes) > 1 for side in sides):
        return None
    terms: dict[int, Expr] = {}
    constants: list[int | float] = []
    if not _collect(expr.left, False, terms, constants) or not _collect(expr.right, True, terms, constants):
        return None
    alone = next((side for side in sides if isinstance(side, Variable) and expr.op != "=="), None)
    op, bound = expr.op, _bound(constants)
    positive = {process: term.operand for process, term in terms.items() if isinstance(term, Negate)}
    if len(positive) == len(terms):  # `3 < count(...)`, in which all terms came to the other side
        terms, op, bound = positive, MIRRORED[op], None if bound is None else -bound
    return SumAtom(tuple(sorted(terms.items())), op, bound, alone)


def _adds(side: Expr) -> bool:
    return isinstance(side, (Arithmetic, Negate)) or (isinstance(side, Each) and side.kind in ("count", "sum"))


def _is_condition(expr: Expr) -> bool:
    """Whether the value is a boolean in every state."""
    if isinstance(expr, Each):
        return expr.kind in ("all", "any")
    return isinstance(expr, (Compare, Member, Not, And, Or, Exists))


def _bound(constants: list[int | float]) -> int | float | None:
    try:
        bound = -sum(constants)
    except OverflowError:  # an integer beyond all doubles, added to a double
        return None
    return bound if isinstance(bound, int) or math.isfinite(bound) else None


def _collect(expr: Expr, minus: bool, terms: dict[int, Expr], constants: list[int | float]) -> bool:
    """Add the summands of `expr` to `terms` by process, or to `constants`; False if it is no sum."""
    if not expr.processes:
        value = as_number(fold(expr))
        if value is None:
            return False
        constants.append(-value if minus else value)
        return True
    if isinstance(expr, Each) and expr.kind == "sum":
        return all(_collect(operand, minus, terms, constants) for operand in expr.operands)
    if isinstance(expr, Each) and expr.kind == "count":
        flags = [operand if _is_condition(operand) else Not(Not(operand)) for operand in expr.operands]
        return all(_collect(flag, minus, terms, constants) for flag in flags)
    if len(expr.processes) == 1:
        process = next(iter(expr.processes))
        if process not in terms:
            terms[process] = Negate(expr) if minus else expr
        else:
            terms[process] = Arithmetic("-" if minus else "+", terms[process], expr)
        return True
    if isinstance(expr, Negate):
        return _collect(expr.operand, not minus, terms, constants)
    if isinstance(expr, Arithmetic) and expr.op in ("+", "-"):
        return _collect(expr.left, minus, terms, constants) and _collect(
            expr.right, minus != (expr.op == "-"), terms, constants
        )
    return False
