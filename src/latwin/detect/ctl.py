"""Formulas of CTL: sets of cuts, operator by operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from latwin.detect.detector import Context
from latwin.detect.on_lattice import OnLattice
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels.arrays import Words
from latwin.properties.ctl import (
    Formula,
    FormulaAnd,
    FormulaNot,
    FormulaOr,
    Next,
    Temporal,
    Until,
    conditions_in,
    counts_steps,
)


class TemporalDetector(OnLattice):
    """A formula of CTL at the least cut: sets of cuts, operator by operator."""

    def __init__(self, question: Temporal, context: Context) -> None:
        super().__init__(context, list(conditions_in(question.formula)), counts_steps=counts_steps(question.formula))
        self._formula = question.formula

    def label(self, lattice: BitLattice) -> Words:
        """The cuts at which the formula holds."""
        return self._holds(lattice, self._formula)

    def _answer(self, lattice: BitLattice) -> bool:
        return bool(self.label(lattice)[0] & np.uint64(1))

    def _holds(self, lattice: BitLattice, formula: Formula) -> Words:
        """The cuts at which a formula holds."""
        match formula:
            case FormulaNot(operand):
                return lattice.others(self._holds(lattice, operand))
            case FormulaAnd(operands):
                return _fold(np.bitwise_and, [self._holds(lattice, operand) for operand in operands])
            case FormulaOr(operands):
                return _fold(np.bitwise_or, [self._holds(lattice, operand) for operand in operands])
            case Next("E", operand):
                return lattice.some_next(self._holds(lattice, operand))
            case Next(_, operand):  # every step leads there: none leads elsewhere
                return lattice.others(lattice.some_next(lattice.others(self._holds(lattice, operand))))
            case Until(paths, hold, goal):
                return lattice.until(self._holds(lattice, hold), self._holds(lattice, goal), on_all=paths == "A")
            case _:
                return self._words(lattice, formula)


def _fold(operation: Any, words: Sequence[Words]) -> Words:
    result: Words = operation.reduce(words)
    return result
