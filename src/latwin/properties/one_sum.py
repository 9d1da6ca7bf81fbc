"""Conditions made of one sum over processes, and of conditions on single processes: answered without the lattice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from latwin.properties.shape import Conjunction, LocalAtom, Step
from latwin.properties.sums import SumAtom
from latwin.properties.tree import And, ComparisonOp

#: The comparisons that are left when the sums are integers.
Comparison: TypeAlias = Literal[">=", "<=", "==", "!="]

_NEGATED: dict[ComparisonOp, ComparisonOp] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


@dataclass(frozen=True)
class OneSum:
    """A sum of integers, compared with an integer, and conditions on single processes that must hold as well.

    >>> from latwin.properties.parser import parse_predicate
    >>> from latwin.properties.shape import normal_form, program_of
    >>> one = one_sum(program_of(normal_form(parse_predicate("a.up and not (a.x + b.x > 1.5)", ["a", "b"]))))
    >>> one.comparison, one.bound, one.null_holds, list(one.conditions)
    ('<=', 1, True, [0])
    """

    atom: SumAtom
    comparison: Comparison
    bound: int
    #: whether it is true if a term is null, because it stands under a `not`
    null_holds: bool
    conditions: Conjunction

    @property
    def processes(self) -> list[int]:
        """The processes that it reads, in ascending order."""
        return sorted({process for process, _ in self.atom.terms} | self.conditions.keys())


@dataclass
class _Part:
    """An `and` of at most one sum, which may be negated, and of conditions on single processes."""

    atom: SumAtom | None
    is_negated: bool
    conditions: Conjunction


def one_sum(program: Sequence[Step]) -> OneSum | None:
    """What a program of atoms asks of a single sum; None if it asks anything else."""
    stack: list[_Part] = []
    for step in program:
        if isinstance(step, SumAtom):
            stack.append(_Part(step, False, {}))
        elif isinstance(step, LocalAtom):
            stack.append(_Part(None, False, {step.process: step.condition}))
        elif step == "not" and stack[-1].atom is not None and not stack[-1].conditions:
            stack[-1].is_negated = not stack[-1].is_negated
        elif step == "and":
            right, left = stack.pop(), stack.pop()
            if left.atom is not None and right.atom is not None:
                return None
            stack.append(_both(left, right))
        else:
            return None
    (whole,) = stack
    return None if whole.atom is None else _of_integers(whole.atom, whole.is_negated, whole.conditions)


def _both(left: _Part, right: _Part) -> _Part:
    conditions = dict(left.conditions)
    for process, condition in right.conditions.items():
        conditions[process] = And((conditions[process], condition)) if process in conditions else condition
    return _Part(left.atom or right.atom, left.is_negated or right.is_negated, dict(sorted(conditions.items())))


def _of_integers(atom: SumAtom, is_negated: bool, conditions: Conjunction) -> OneSum | None:
    """The comparison as integers see it; None if it compares for equality with a fraction."""
    assert atom.bound is not None, "a program has only sums with a bound"
    op = _NEGATED[atom.op] if is_negated else atom.op
    comparison: Comparison
    if op in (">", ">="):
        comparison, bound = ">=", math.ceil(atom.bound) if op == ">=" else math.floor(atom.bound) + 1
    elif op in ("<", "<="):
        comparison, bound = "<=", math.floor(atom.bound) if op == "<=" else math.ceil(atom.bound) - 1
    elif atom.bound == int(atom.bound):
        comparison, bound = "==" if op == "==" else "!=", int(atom.bound)
    else:
        return None
    return OneSum(atom, comparison, bound, is_negated, conditions)


def why_sum(one: OneSum, kind: str) -> str:
    """One sentence on how a `possibly` or `definitely` of it is answered, and what that costs."""
    what = f"one sum over {len(one.atom.terms)} processes"
    if one.conditions:
        what += f" and conditions on {len(one.conditions)}"
    how = (
        "a flow between the states that raise it and those that lower it"
        if kind == "possibly"
        else "a search for an observation that avoids it"
    )
    beyond = "sums of fractions"
    if one.comparison == "==":
        beyond += ", and sums that change by more than 1 at once,"
    return f"{what}: answered by {how}, without the lattice; {beyond} go to the lattice"
