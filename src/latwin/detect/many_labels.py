"""Which cuts satisfy each of several conditions, labelled in one pass over the lattice."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from latwin.detect.detector import Context
from latwin.detect.on_lattice import CutByCutLabels, is_in_words
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels import labels as kernel
from latwin.lattice.kernels.arrays import Words
from latwin.properties.plan import plan_labels
from latwin.properties.tree import Expr


class ManyLabels:
    """Labels for several conditions: their programs run in one pass, and the interpreter takes the rest.

    A value that cannot be added exactly sends the slides that see it to the interpreter, as in `ProgramLabels`.
    """

    def __init__(self, context: Context, conditions: Iterable[Expr]) -> None:
        self._context = context
        plans = {condition: plan_labels(condition) for condition in dict.fromkeys(conditions)}
        in_words = [condition for condition, plan in plans.items() if is_in_words(context, plan)]
        others = [condition for condition in plans if condition not in in_words]
        self._programs = len(in_words)
        self._program = context.atoms.add_program([step for each in in_words for step in plans[each].program])
        #: the row of each condition among the words: those with programs first
        self.row = {condition: row for row, condition in enumerate([*in_words, *others])}
        self._exact = [CutByCutLabels(context, plans[condition]) for condition in self.row]

    def in_words(self) -> tuple[int, int, int] | None:
        """The rows of the programs (the first, and the one after the last), and how many conditions they are.

        None if the interpreter has to evaluate one of the conditions.
        """
        return (*self._program, self._programs) if self._programs == len(self.row) else None

    def foreseeable(self) -> tuple[int, int, int] | None:
        """The same as `kernels.outlook` takes them; None also if the interpreter has to evaluate them now."""
        return None if self._context.atoms.sees_inexact() else self.in_words()

    def label(self, lattice: BitLattice) -> Words:
        """The words of each condition, uint64[conditions, leaves]; bits that are no cuts may be set."""
        atoms = self._context.atoms
        programs = 0 if atoms.sees_inexact() else self._programs
        words = np.empty((len(self.row), lattice.leaf_count), np.uint64)
        if programs:
            kernel.label_many(lattice.arrays, atoms.arrays, *self._program, words[:programs])
        for row in range(programs, len(words)):
            words[row] = self._exact[row].label(lattice)
        return words
