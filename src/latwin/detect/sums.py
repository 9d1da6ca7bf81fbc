"""Detectors of one sum over processes, with conditions on single processes: no lattice is built.

What the kernels leave undecided goes to the lattice: sums of fractions, `==` of a sum that changes by more than 1 at
a step, `==` and `!=` next to nulls, and searches beyond their budget (see `kernels.sums`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from latwin.detect.detector import Context, Details, InRuns, flags_of, members_of
from latwin.detect.on_lattice import DefinitelyOnLattice, PossiblyOnLattice, ProgramLabels
from latwin.lattice.kernels import answers, sum_witness, sums
from latwin.lattice.kernels.arrays import Flags, Floats, Int64s
from latwin.lattice.kernels.window import GREATEST, LEAST
from latwin.model import Cut
from latwin.properties import compile_condition
from latwin.properties.plan import Plan


class _Sum:
    """A question about a sum in the table of atoms."""

    def __init__(self, context: Context, plan: Plan, labels: ProgramLabels) -> None:
        assert plan.one_sum is not None, "a plan for sums has one"
        self._context = context
        self._window = context.window
        self._atoms = context.atoms
        self._rows = labels.rows()
        self._number = context.atoms.add_question(plan.one_sum, self._rows)
        #: the processes that it reads
        self.reads = flags_of(plan.one_sum.processes, context.window.processes)
        #: whether the last answer came from the lattice
        self._from_lattice = False

    def _arguments(self) -> tuple[Int64s, Int64s, Floats, Flags]:
        """What all kernels take first."""
        window, atoms = self._window, self._atoms
        return window.clocks, window.ends, atoms.sum_terms, atoms.holds

    def _in_runs(self, kind: Callable[..., int], *, is_definitely: bool) -> tuple[InRuns, ...]:
        data = *self._rows, self._context.max_cuts, int(is_definitely), self._number
        return (InRuns(kind, members_of(self.reads), data, answers.ask_condition),)

    def _row(self) -> Int64s:
        row: Int64s = self._atoms.questions.rows[self._number]
        return row


class PossiblySum(_Sum):
    """`possibly` of one sum; see `kernels.closure`."""

    def __init__(self, context: Context, plan: Plan) -> None:
        labels = ProgramLabels(context, plan)
        super().__init__(context, plan, labels)
        self._on_lattice = PossiblyOnLattice(context, labels, plan.predicate)
        self._value: bool | None = False

    def evaluate(self) -> bool | None:
        """Whether some cut satisfies it."""
        self._from_lattice = False
        self._value = False
        if self._window.is_empty:
            return False
        outcome = sums.UNDECIDED
        if not self._atoms.sees_inexact():
            outcome = sums.possibly_sum(*self._arguments(), self._atoms.plain_questions, self._number)
        if outcome == sums.UNDECIDED:
            self._from_lattice = True
            return self._on_lattice.evaluate()
        self._value = bool(outcome)
        return self._value

    def is_final(self) -> bool | None:
        """Of a true answer, always: the cut that satisfies it stays a cut."""
        return self._on_lattice.is_final() if self._from_lattice else self._value

    def details(self, *, observations: bool) -> Details:
        """The lexicographically least satisfying cut, if any."""
        if self._from_lattice:
            return self._on_lattice.details(observations=observations)
        if not self._value:
            return Details()
        cut = np.empty(self._window.processes, np.int64)
        sum_witness.find_least_cut(*self._arguments(), self._row(), cut)
        return Details(witness=self._window.to_indices(cut))

    def in_runs(self) -> tuple[InRuns, ...]:
        """As `kernels.slides` asks it."""
        return self._in_runs(answers.ask_possibly_sum, is_definitely=False)


class DefinitelySum(_Sum):
    """`definitely` of one sum; see `kernels.low_paths`."""

    def __init__(self, context: Context, plan: Plan) -> None:
        labels = ProgramLabels(context, plan)
        super().__init__(context, plan, labels)
        self._on_lattice = DefinitelyOnLattice(context, labels, plan.predicate)
        self._predicate = compile_condition(plan.predicate)
        self._value = False

    def _judge(self, *, asks_final: bool) -> int:
        questions = self._atoms.plain_questions
        return int(sums.definitely_sum(*self._arguments(), questions, self._number, self.reads, asks_final))

    def evaluate(self) -> bool | None:
        """Whether every observation meets a cut that satisfies it."""
        self._from_lattice = False
        self._value = False
        if self._window.is_empty:
            return False
        outcome = sums.UNDECIDED if self._atoms.sees_inexact() else self._judge(asks_final=False)
        if outcome == sums.UNDECIDED:
            self._from_lattice = True
            return self._on_lattice.evaluate()
        self._value = outcome != 0
        return self._value

    def is_final(self) -> bool | None:
        """Of a true answer: whether every observation meets the condition before it comes to an open end."""
        if self._from_lattice:
            return self._on_lattice.is_final()
        if not self._value:
            return False
        outcome = self._judge(asks_final=True)
        if not outcome & sums.UNKNOWN_FINAL:
            return outcome & sums.FINAL != 0
        return self._on_lattice.is_final() if self._on_lattice.evaluate() else None

    def details(self, *, observations: bool) -> Details:
        """Of a true answer, why; of a false one, if asked for, an observation that avoids the condition."""
        if self._from_lattice:
            return self._on_lattice.details(observations=observations)
        if self._window.is_empty:
            return Details()
        if self._value:
            return Details(because=self._context.why_definitely(self._predicate))
        return Details(witness=self._avoiding_observation()) if observations else Details()

    def _avoiding_observation(self) -> tuple[Cut, ...]:
        window = self._window
        count = int((window.ends[GREATEST] - window.ends[LEAST]).sum()) + 1
        path = np.empty((count, window.processes), np.int64)
        row = self._row()
        members = self._atoms.questions.members[self._number, : int(row[sums.MEMBERS])]
        found = int(sum_witness.avoid_sum(*self._arguments(), row, members, path))
        assert found == count, "the way must lead to the greatest cut"
        mask = window.capacity - 1
        columns = [window.clocks[k, path[:, k] & mask, k].tolist() for k in range(window.processes)]
        return tuple(zip(*columns, strict=True))

    def in_runs(self) -> tuple[InRuns, ...]:
        """As `kernels.slides` asks it."""
        return self._in_runs(answers.ask_definitely_sum, is_definitely=True)
