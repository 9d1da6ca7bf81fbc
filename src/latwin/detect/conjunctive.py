"""Detectors of conjunctions of per-process conditions: the clocks suffice, no lattice is built."""

from __future__ import annotations

import numpy as np

from latwin.detect.detector import Context, Details, InRuns, flags_of, members_of, why_definitely
from latwin.lattice.kernels import avoiding, conjunctive, slides
from latwin.lattice.kernels import window as window_kernel
from latwin.lattice.kernels.arrays import Flags
from latwin.lattice.window import Window
from latwin.model import Cut
from latwin.properties.shape import Conjunction


class DefinitelyConjunction:
    """`definitely` of one conjunction; see `kernels.conjunctive.definitely_all`."""

    def __init__(self, context: Context, conditions: Conjunction) -> None:
        self._window = context.window
        self._atoms = context.atoms
        self._number = context.atoms.add_conjunction(conditions)
        #: the processes that have a part in it
        self.reads = flags_of(conditions, context.window.processes)
        self._outcome = 0

    def evaluate(self) -> bool:
        """The answer from the clocks alone."""
        window = self._window
        self._outcome = 0
        if not window.is_empty:
            holds = self._atoms.holds[self._number]
            self._outcome = conjunctive.judge_all(window.clocks, window.ends, holds, self.reads)
        return self._outcome != 0

    def is_final(self) -> bool:
        """Of a true answer: whether the chosen runs stay chosen, whatever comes."""
        return self._outcome & conjunctive.FINAL != 0

    def details(self, *, observations: bool) -> Details:
        """Of a true answer, why; of a false one, if asked for, an observation that avoids the conjunction."""
        if self._outcome:
            at_least, at_greatest = self._outcome & conjunctive.AT_LEAST, self._outcome & conjunctive.AT_GREATEST
            return Details(because=why_definitely(at_least=at_least != 0, at_greatest=at_greatest != 0))
        if self._window.is_empty or not observations:
            return Details()
        return Details(witness=avoiding_observation(self._window, self._atoms.holds[self._number]))

    def in_runs(self) -> tuple[InRuns, ...]:
        """As `kernels.slides` asks it."""
        return (InRuns(slides.DEFINITELY_ALL, members_of(self.reads), (self._number,)),)


class PossiblyDisjunction:
    """`possibly` of an `or` of conjunctions: each is asked on its own."""

    def __init__(self, context: Context, disjuncts: tuple[Conjunction, ...]) -> None:
        self._window = context.window
        self._atoms = context.atoms
        self._numbers = [context.atoms.add_conjunction(conditions) for conditions in disjuncts]
        self._cut = np.empty(context.window.processes, np.int64)
        self._value = False

    def _find(self, number: int) -> bool:
        """Whether a conjunction holds somewhere; `_cut` is then the least such cut."""
        window = self._window
        return bool(conjunctive.possibly_all(window.clocks, window.ends, self._atoms.holds[number], self._cut))

    def evaluate(self) -> bool:
        """Whether some conjunction holds in some cut."""
        self._value = not self._window.is_empty and any(map(self._find, self._numbers))
        return self._value

    def is_final(self) -> bool:
        """Of a true answer, always: the cut that satisfies it stays a cut."""
        return self._value

    def details(self, *, observations: bool) -> Details:
        """The lexicographically least satisfying cut, if any."""
        del observations
        if self._window.is_empty:
            return Details()
        cuts: list[Cut] = [self._window.to_indices(self._cut) for number in self._numbers if self._find(number)]
        return Details(witness=min(cuts, default=None))

    def in_runs(self) -> tuple[InRuns, ...]:
        """As `kernels.slides` asks it: one question for each conjunction."""
        return tuple([InRuns(slides.POSSIBLY_ALL, (), (number,)) for number in self._numbers])


def avoiding_observation(window: Window, holds: Flags) -> tuple[Cut, ...]:
    """An observation without a cut in which all flags are set; there must be one."""
    ends = window.ends
    steps = int((ends[window_kernel.GREATEST] - ends[window_kernel.LEAST]).sum())
    path = np.empty((steps + 1, window.processes), np.int64)
    count = int(avoiding.avoid_all(window.clocks, ends, holds, path))
    assert count == len(path), "the conjunction must be avoidable, and the way lead to the greatest cut"
    mask = window.capacity - 1
    columns = [window.clocks[k, path[:, k] & mask, k].tolist() for k in range(window.processes)]
    return tuple(zip(*columns, strict=True))
