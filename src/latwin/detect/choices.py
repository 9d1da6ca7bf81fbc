"""Detectors of `or`s of small conditions: on one state, on two, or on more with a detector of their own.

`possibly` of an `or` is an `or` of `possibly`s. So fifty replicas of which two may clash are 1,225 small questions,
and not one about the lattice of all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from latwin.detect.conjunctive import avoiding_observation
from latwin.detect.detector import Context, Details, Detector, InRuns, flags_of, members_of, why_definitely
from latwin.lattice.kernels import answers, slides
from latwin.lattice.kernels import pairs as kernel
from latwin.lattice.kernels.window import GREATEST, LEAST
from latwin.properties.shape import Conjunction, PairAtom
from latwin.properties.tree import Expr, Or


def either_of(conditions: Iterable[Expr]) -> Conjunction:
    """For each process, the `or` of its conditions."""
    found: Conjunction = {}
    for condition in conditions:
        (process,) = condition.processes
        found[process] = Or((found[process], condition)) if process in found else condition
    return found


class PossiblyState:
    """`possibly` of an `or` of per-process conditions: some state between the least and the greatest cut is true."""

    def __init__(self, context: Context, conditions: Conjunction) -> None:
        self._window = context.window
        self._atoms = context.atoms
        self._number = context.atoms.add_conjunction(conditions)
        #: the processes that have a condition
        self.reads = flags_of(conditions, context.window.processes)
        self._value = False

    def evaluate(self) -> bool:
        """Whether some state satisfies its process's condition."""
        window, holds = self._window, self._atoms.holds[self._number]
        self._value = not window.is_empty and bool(kernel.some_state(window.ends, holds, self.reads))
        return self._value

    def is_final(self) -> bool:
        """Of a true answer, always: the cut that satisfies it stays a cut."""
        return self._value

    def details(self, *, observations: bool) -> Details:
        """The lexicographically least satisfying cut, if any."""
        del observations
        window, cut = self._window, np.empty(self._window.processes, np.int64)
        if window.is_empty:
            return Details()
        holds = self._atoms.holds[self._number]
        found = kernel.least_with_state(window.clocks, window.ends, holds, self.reads, cut)
        return Details(witness=window.to_indices(cut) if found else None)

    def in_runs(self) -> tuple[InRuns, ...]:
        """As `kernels.slides` asks it."""
        return (InRuns(slides.SOME_STATE, members_of(self.reads), (self._number,)),)


class DefinitelyState(PossiblyState):
    """`definitely` of an `or` of per-process conditions: `possibly`, as every observation visits every state.

    So a true answer is always final: the observations of windows that gain states visit these states, too.
    """

    def details(self, *, observations: bool) -> Details:
        """Of a true answer, why; of a false one, if asked for, an observation; any one avoids it."""
        if self._window.is_empty:
            return Details()
        if self._value:
            return Details(
                because=why_definitely(at_least=self._holds_at(LEAST), at_greatest=self._holds_at(GREATEST))
            )
        if not observations:
            return Details()
        nothing = np.zeros_like(self._atoms.holds[self._number])
        return Details(witness=avoiding_observation(self._window, nothing))

    def _holds_at(self, row: int) -> bool:
        """Whether it holds at the least or the greatest cut."""
        every = np.flatnonzero(self.reads)
        places = self._window.ends[row, every] & (self._window.capacity - 1)
        return bool(self._atoms.holds[self._number][every, places].any())


class PossiblyPair:
    """`possibly` of an `or` of conditions on two processes each: two consistent states satisfy one of them."""

    def __init__(self, context: Context, pairs: Sequence[PairAtom]) -> None:
        self._window = context.window
        self._atoms = context.atoms
        self._numbers = np.array([context.atoms.add_pair(pair) for pair in pairs], np.int64)
        self._value = False

    def evaluate(self) -> bool:
        """Whether some pair of consistent states satisfies a condition."""
        window, atoms = self._window, self._atoms
        self._value = not window.is_empty and bool(
            kernel.some_pair(window.clocks, window.ends, self._numbers, atoms.pair_process, atoms.pair_flags)
        )
        return self._value

    def is_final(self) -> bool:
        """Of a true answer, always: the cut that satisfies it stays a cut."""
        return self._value

    def details(self, *, observations: bool) -> Details:
        """The lexicographically least satisfying cut, if any."""
        del observations
        window, atoms, cut = self._window, self._atoms, np.empty(self._window.processes, np.int64)
        if window.is_empty:
            return Details()
        found = kernel.least_with_pair(
            window.clocks, window.ends, self._numbers, atoms.pair_process, atoms.pair_flags, cut
        )
        return Details(witness=window.to_indices(cut) if found else None)

    def in_runs(self) -> tuple[InRuns, ...]:
        """As `kernels.slides` asks it."""
        return (InRuns(answers.ask_pairs, (), tuple(self._numbers.tolist())),)


class PossiblyAny:
    """`possibly` of an `or` of parts, each with a detector of its own."""

    def __init__(self, detectors: Sequence[Detector]) -> None:
        self._detectors = tuple(detectors)
        self._value: bool | None = False

    def evaluate(self) -> bool | None:
        """Whether some part is true; None if none is, and one is too large."""
        self._value = False
        for detector in self._detectors:
            value = detector.evaluate()
            if value:
                self._value = True
                break
            if value is None:
                self._value = None
        return self._value

    def is_final(self) -> bool | None:
        """Of a true answer, always: the cut that satisfies it stays a cut."""
        return self._value

    def details(self, *, observations: bool) -> Details:
        """The lexicographically least satisfying cut of those that the parts find."""
        if not self._value:
            return Details()
        found = [
            detector.details(observations=observations).witness for detector in self._detectors if detector.evaluate()
        ]
        return Details(witness=min((cut for cut in found if cut is not None), default=None))

    def in_runs(self) -> tuple[InRuns, ...] | None:
        """As `kernels.slides` asks them, if it can ask all of them."""
        parts = [detector.in_runs() for detector in self._detectors]
        return None if None in parts else tuple([each for part in parts for each in part or ()])
