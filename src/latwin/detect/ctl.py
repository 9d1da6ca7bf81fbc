"""Formulas of CTL: sets of cuts, operator by operator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce

import numpy as np

from latwin.detect.detector import Context
from latwin.detect.many_labels import ManyLabels
from latwin.detect.on_lattice import OnLattice
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels import outlook
from latwin.lattice.kernels.arrays import Words
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
    conditions_in,
    counts_steps,
)
from latwin.properties.tree import TRUE, Expr


class TemporalDetector(OnLattice):
    """A formula of CTL at the least cut, or, if its outermost operator looks back, at the greatest."""

    def __init__(self, question: Temporal, context: Context) -> None:
        super().__init__(context)
        if not counts_steps(question.formula):
            self._part = context.part(question.processes)
        self._formula = question.formula
        self._looks_back = question.looks_back
        self._labels_of_conditions = ManyLabels(
            context, [condition for condition in conditions_in(question.formula) if condition != TRUE]
        )
        self._in_postfix = np.array(list(_in_postfix(question.formula, self._labels_of_conditions.row)), np.int64)

    def label(self, lattice: BitLattice) -> Words:
        """The cuts at which the formula holds."""
        return self._holds(_Sets(lattice, self._labels_of_conditions), self._formula)

    def _foresee(self) -> bool | None:
        rows = self._labels_of_conditions.foreseeable()
        if rows is None:
            return None
        window, atoms = self._context.window, self._context.atoms
        found = outlook.foresee_formula(
            window.ends, atoms.arrays, self._part.members, rows, self._in_postfix, self._looks_back
        )
        return None if found == outlook.UNKNOWN else found == outlook.YES

    def _answer(self, lattice: BitLattice) -> bool:
        sets = _Sets(lattice, self._labels_of_conditions)
        match self._formula:
            case Until("E", hold, goal) | Since("E", hold, goal) if hold == TRUE:
                # Every cut lies on a way from the least to the greatest.
                return bool(self._holds(sets, goal).any())
            case Until("A", hold, goal) | Since("A", hold, goal) if hold == TRUE:
                return not lattice.avoids(self._holds(sets, goal))
        words = self._holds(sets, self._formula)
        return bool((words & lattice.greatest_cut()).any()) if self._looks_back else bool(words[0] & np.uint64(1))

    def _holds(self, sets: _Sets, formula: Formula) -> Words:
        """The cuts at which a formula holds."""
        lattice = sets.lattice
        match formula:
            case FormulaNot(operand):
                return lattice.others(self._holds(sets, operand))
            case FormulaAnd(operands):
                return reduce(np.bitwise_and, [self._holds(sets, operand) for operand in operands])
            case FormulaOr(operands):
                return reduce(np.bitwise_or, [self._holds(sets, operand) for operand in operands])
            case Next(paths, operand) | Previous(paths, operand):
                some = lattice.some_next if isinstance(formula, Next) else lattice.some_previous
                inner = self._holds(sets, operand)
                # Every step leads there: none leads elsewhere.
                return some(inner) if paths == "E" else lattice.others(some(lattice.others(inner)))
            case Until(paths, hold, goal) | Since(paths, hold, goal):
                reach = lattice.until if isinstance(formula, Until) else lattice.since
                going, met = self._holds(sets, hold), self._holds(sets, goal)
                if paths == "E":
                    return reach(going, met)
                # It fails where some way, before it meets the goal, comes to a cut without `hold`, or to its end.
                end = lattice.greatest_cut() if isinstance(formula, Until) else lattice.least_cut()
                missing = lattice.others(met)
                return lattice.others(reach(missing, missing & (~going | end)))
            case _:
                return sets.of(formula)


def _in_postfix(formula: Formula, number: Mapping[Expr, int]) -> Iterator[tuple[int, int]]:
    """A formula as `kernels.outlook` takes it; `number` has its conditions."""
    match formula:
        case FormulaNot(operand):
            yield from _in_postfix(operand, number)
            yield outlook.NOT, 0
        case FormulaAnd(operands) | FormulaOr(operands):
            for at, operand in enumerate(operands):
                yield from _in_postfix(operand, number)
                if at:
                    yield outlook.AND if isinstance(formula, FormulaAnd) else outlook.OR, 0
        case Next(paths, operand) | Previous(paths, operand):
            yield from _in_postfix(operand, number)
            yield outlook.NEXT if isinstance(formula, Next) else outlook.PREVIOUS, int(paths == "A")
        case Until(_, hold, goal) | Since(_, hold, goal):
            yield from _in_postfix(hold, number)
            yield from _in_postfix(goal, number)
            yield outlook.UNTIL if isinstance(formula, Until) else outlook.SINCE, 0
        case _:
            yield (outlook.ALWAYS, 0) if formula == TRUE else (outlook.CONDITION, number[formula])


class _Sets:
    """The cuts at which conditions hold, labelled once for a whole formula."""

    def __init__(self, lattice: BitLattice, labels: ManyLabels) -> None:
        self.lattice = lattice
        self._row = labels.row
        self._cuts = lattice.leaves[: lattice.leaf_count]
        self._words = labels.label(lattice) & self._cuts

    def of(self, condition: Expr) -> Words:
        """The cuts at which a condition holds."""
        return self._cuts if condition == TRUE else self._words[self._row[condition]]
