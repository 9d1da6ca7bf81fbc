"""Detectors of conjunctions of per-process conditions: the clocks suffice, no lattice is built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from latwin.detect.base import Details
from latwin.lattice.kernels import conjunctive
from latwin.lattice.kernels import window as window_kernel
from latwin.lattice.window import Cut, Window
from latwin.properties import compile_local_condition
from latwin.properties.shape import Conjunction


class _Conjunction:
    """One conjunction's conditions and the flags of the window's states."""

    def __init__(self, window: Window, conditions: Conjunction) -> None:
        self.window = window
        self.conditions: list[Callable[[Any], bool] | None] = [None] * window.processes
        for process, condition in conditions.items():
            self.conditions[process] = compile_local_condition(condition, process)
        self.resize()

    def resize(self) -> None:
        # A process without a condition always holds.
        self.holds = np.ones((self.window.processes, self.window.capacity), np.uint8)

    def push(self, process: int, place: int, state: Any) -> None:
        condition = self.conditions[process]
        if condition is not None:
            self.holds[process, place] = condition(state)


class DefinitelyConjunction:
    """`definitely` of one conjunction; see `kernels.conjunctive.definitely_all`."""

    def __init__(self, window: Window, conditions: Conjunction) -> None:
        self._window = window
        self._conjunction = _Conjunction(window, conditions)
        self.resize = self._conjunction.resize
        self.push = self._conjunction.push
        self._value = False

    def evaluate(self) -> bool:
        """The answer from the clocks alone."""
        window = self._window
        self._value = not window.is_empty and bool(
            conjunctive.definitely_all(window.clocks, window.ends, self._conjunction.holds)
        )
        return self._value

    def details(self, *, observations: bool) -> Details:
        """An avoiding observation if asked for: walk on, each time on the first process that can."""
        if self._value or self._window.is_empty or not observations:
            return Details()
        return Details(witness=_avoiding_observation(self._window, self._conjunction.holds))


class PossiblyDisjunction:
    """`possibly` of an `or` of conjunctions: each is asked on its own."""

    def __init__(self, window: Window, disjuncts: tuple[Conjunction, ...]) -> None:
        self._window = window
        self._disjuncts = [_Conjunction(window, conditions) for conditions in disjuncts]
        self._cut = np.empty(window.processes, np.int64)

    def resize(self) -> None:
        """Make room for the window's new capacity."""
        for disjunct in self._disjuncts:
            disjunct.resize()

    def push(self, process: int, place: int, state: Any) -> None:
        """Evaluate the conditions on a state that entered the window."""
        for disjunct in self._disjuncts:
            disjunct.push(process, place, state)

    def evaluate(self) -> bool:
        """Whether some conjunction holds in some cut."""
        window = self._window
        return not window.is_empty and any(
            conjunctive.possibly_all(window.clocks, window.ends, disjunct.holds, self._cut)
            for disjunct in self._disjuncts
        )

    def details(self, *, observations: bool) -> Details:
        """The lexicographically least satisfying cut, if any."""
        del observations
        window = self._window
        if window.is_empty:
            return Details()
        cuts: list[Cut] = [
            window.to_indices(self._cut)
            for disjunct in self._disjuncts
            if conjunctive.possibly_all(window.clocks, window.ends, disjunct.holds, self._cut)
        ]
        return Details(witness=min(cuts, default=None))


def _avoiding_observation(window: Window, holds: np.ndarray) -> tuple[Cut, ...]:
    """An observation without a cut in which all flags are set; there must be one.

    From the least cut on, each step goes to the first process whose step leads to a cut from which the
    conjunction is still avoidable; the kernel answers that, with that cut as the least one.
    """
    ends, clocks = window.ends, window.clocks
    least, greatest = window_kernel.LEAST, window_kernel.GREATEST
    saved = ends[least].copy()
    path = [window.to_indices(saved)]
    try:
        while (ends[least] != ends[greatest]).any():
            for process in range(window.processes):
                if ends[least, process] < ends[greatest, process]:
                    ends[least, process] += 1
                    here = ends[least]
                    if window_kernel.is_consistent(clocks, ends, here) and not conjunctive.definitely_all(
                        clocks, ends, holds
                    ):
                        break
                    ends[least, process] -= 1
            path.append(window.to_indices(ends[least]))
    finally:
        ends[least] = saved
    return tuple(path)
