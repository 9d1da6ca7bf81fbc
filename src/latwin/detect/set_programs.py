"""From a formula of CTL to the programs that `kernels.sets` runs: as it is, from below, and from above."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from latwin.lattice.kernels import sets
from latwin.lattice.kernels.arrays import Int64s
from latwin.properties.ctl import (
    Formula,
    FormulaAnd,
    FormulaNot,
    FormulaOr,
    Next,
    Previous,
    Since,
    Temporal,
    Until,
)
from latwin.properties.tree import TRUE, Expr


class SetPrograms(NamedTuple):
    """What is asked of the sets of cuts."""

    #: where the answer is looked up: AT_LEAST, AT_GREATEST or ANYWHERE
    where: int
    #: the cuts that are looked for
    as_it_is: Int64s
    #: those of them that stay for good, and all that can ever be; without rows if they could tell nothing
    below: Int64s
    above: Int64s
    #: whether these two tell all that can be told
    can_tell: bool


def programs_of(question: Temporal, number: Mapping[Expr, int]) -> SetPrograms:
    """The programs of a question; `number` has its conditions."""
    formula, where = question.formula, sets.AT_GREATEST if question.looks_back else sets.AT_LEAST
    match formula:
        # Every cut lies on a way from the least to the greatest, and every way back is one forward.
        case Until("E", hold, goal) | Since("E", hold, goal) if hold == TRUE:
            formula, where = goal, sets.ANYWHERE
        case Since("A", hold, goal) if hold == TRUE:
            formula, where = Until("A", TRUE, goal), sets.AT_LEAST
    # The greatest cut moves on.
    can_tell = where != sets.AT_GREATEST
    below = can_tell and _can_stay(formula, True)
    # From a cut at which nothing is found yet, states to come may lead to one at which something is.
    above = where == sets.AT_LEAST and _can_stay(formula, False)
    return SetPrograms(
        where,
        program_of(formula, number, sets.AS_IT_IS),
        program_of(formula, number, sets.BELOW) if below else _NOTHING,
        program_of(formula, number, sets.ABOVE) if above else _NOTHING,
        can_tell,
    )


def program_of(formula: Formula, number: Mapping[Expr, int], mode: int) -> Int64s:
    """The program of a formula in one of the modes of `kernels.sets`."""
    return np.array(list(_steps(formula, number, mode)), np.int64)


_NOTHING: Int64s = np.zeros((0, 2), np.int64)
_TURNED = {sets.AS_IT_IS: sets.AS_IT_IS, sets.BELOW: sets.ABOVE, sets.ABOVE: sets.BELOW}


def _steps(formula: Formula, number: Mapping[Expr, int], mode: int) -> Iterator[tuple[int, int]]:
    match formula:
        case FormulaNot(operand):
            yield from _steps(operand, number, _TURNED[mode])
            yield sets.NOT, 0
        case FormulaAnd(operands) | FormulaOr(operands):
            for at, operand in enumerate(operands):
                yield from _steps(operand, number, mode)
                if at:
                    yield sets.AND if isinstance(formula, FormulaAnd) else sets.OR, 0
        case Next(paths, operand) | Previous(paths, operand):
            if paths == "A":  # every step leads there: none leads elsewhere
                some = type(formula)("E", FormulaNot(operand))
                yield from _steps(FormulaNot(some), number, mode)
                return
            yield from _steps(operand, number, mode)
            yield sets.NEXT if isinstance(formula, Next) else sets.PREVIOUS, mode
        case Until(paths, hold, goal) | Since(paths, hold, goal):
            yield from _steps(hold, number, mode)
            yield from _steps(goal, number, mode)
            if isinstance(formula, Until):
                yield sets.UNTIL if paths == "E" else sets.ALL_UNTIL, mode
            else:
                yield sets.SINCE if paths == "E" else sets.ALL_SINCE, sets.AS_IT_IS
        case _:
            yield (sets.ALL, 0) if formula == TRUE else (sets.CONDITION, number[formula])


def _can_stay(formula: Formula, value: bool) -> bool:
    """Whether a formula can have this value at some cut for good; if not, nobody needs to look for such cuts."""
    match formula:
        case FormulaNot(operand):
            return _can_stay(operand, not value)
        case FormulaAnd(operands) | FormulaOr(operands):
            # An `and` is false for good with one operand, true for good only with all; an `or` the other way round.
            join = all if value is isinstance(formula, FormulaAnd) else any
            return join(_can_stay(operand, value) for operand in operands)
        case Next(_, operand) | Previous(_, operand):
            return _can_stay(operand, value)
        case Until(_, hold, goal):
            return _can_stay(goal, value) and (value or _can_stay(hold, value))
        case Since(_, _, goal):
            return _can_stay(goal, value)
        case _:
            return value or formula != TRUE
