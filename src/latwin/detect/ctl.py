"""Formulas of CTL: sets of cuts, operator by operator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from latwin.detect.detector import Context, InRuns
from latwin.detect.many_labels import ManyLabels
from latwin.detect.on_lattice import OnLattice
from latwin.detect.set_programs import program_of, programs_of
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels import answers, outlook, sets
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
        self._programs = programs_of(question, self._labels_of_conditions.row)
        self._in_postfix = np.array(list(_in_postfix(question.formula, self._labels_of_conditions.row)), np.int64)

    def label(self, lattice: BitLattice) -> Words:
        """The cuts at which the formula holds."""
        program = program_of(self._formula, self._labels_of_conditions.row, sets.AS_IT_IS)
        return lattice.run_sets(self._labels_of_conditions.label(lattice), program)

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
        programs = self._programs
        words = lattice.run_sets(self._labels_of_conditions.label(lattice), programs.as_it_is)
        return lattice.is_in(words, programs.where)

    def is_final(self) -> bool | None:
        """Whether no state to come can change the last answer; None for what is asked of the greatest cut.

        `docs/design/lattice.md` has the proof.
        """
        programs = self._programs
        if self._context.window.is_empty:
            return False
        if self._value is None or not programs.can_tell:
            return None
        program = programs.below if self._value else programs.above
        if not len(program):
            return False
        lattice = self._part.current_lattice()
        if lattice is None:
            return None
        words = lattice.run_sets(self._labels_of_conditions.label(lattice), program, lattice.open_cuts())
        return lattice.is_in(words, programs.where) is self._value

    def in_runs(self) -> tuple[InRuns, ...] | None:
        """As `kernels.slides` asks it, if programs label all conditions."""
        rows = self._labels_of_conditions.in_words()
        if rows is None:
            return None
        programs = self._programs
        in_turn = programs.as_it_is, programs.below, programs.above, self._in_postfix
        numbers = np.concatenate(in_turn).ravel().tolist()
        data = *rows, programs.where, int(self._looks_back), *map(len, in_turn), *numbers
        return (InRuns(answers.ask_formula, tuple(self._part.members.tolist()), data),)


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
