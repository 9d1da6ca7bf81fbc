"""`LatWin`: the lattice of consistent global states in an n-dimensional sliding window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise
from operator import truth
from typing import Any

import numpy as np
import numpy.typing as npt

from latwin.errors import InvalidInput, LatticeTooLarge
from latwin.lattice.bits import DEFAULT_MAX_CUTS, BitLattice
from latwin.lattice.kernels import conjunctive
from latwin.lattice.kernels import window as window_kernel
from latwin.lattice.window import Window, WindowSize
from latwin.model import Cut

#: cuts and states up to this many are drawn in a notebook
_MOST_DRAWN = 100


class LatWin:
    """All cuts made of the last delivered states of every process: the paper's Lat-Win.

    `window` is one size for all processes, one per process, or None to never forget (the paper's LAT).
    Every process begins with an initial state (index 0, a clock of zeros) whose value is taken from
    `initial`, or None.

    Pushing costs O(n^2). `least`, `greatest`, `possibly_all` and `definitely_all` never enumerate cuts;
    everything else packs the cuts into words first and raises LatticeTooLarge beyond `max_cuts`.

    >>> lw = LatWin(processes=2, window=3)
    >>> lw.push(0, [1, 0], value="on")
    >>> lw.push(1, [1, 1], value="on")   # it knows state 1 of process 0
    >>> list(lw)
    [(0, 0), (1, 0), (1, 1)]
    >>> lw.definitely_all(lambda value: value == "on")
    True
    """

    def __init__(
        self,
        processes: int,
        window: WindowSize = None,
        *,
        initial: Sequence[Any] | None = None,
        max_cuts: int = DEFAULT_MAX_CUTS,
    ) -> None:
        if isinstance(max_cuts, bool) or not isinstance(max_cuts, int) or max_cuts < 1:
            raise InvalidInput(f"max_cuts must be an integer from 1 up; got {max_cuts!r}")
        self._window = Window(processes, window)
        if initial is not None and len(initial) != processes:
            raise InvalidInput(f"initial must have one value per process ({processes}); got {len(initial)} values")
        self._values: list[list[Any]] = [[None] * self._window.capacity for _ in range(processes)]
        for k, value in enumerate(initial or ()):
            self._values[k][0] = value
        self._vacant = processes * (self._window.capacity - 1)
        #: per process the oldest state whose value is kept
        self._oldest = [0] * processes
        self._lattice = BitLattice(self._window, max_cuts)
        self._is_built = False
        self._scratch = np.empty(processes, np.int64)

    @property
    def processes(self) -> int:
        """The number of processes."""
        return self._window.processes

    @property
    def window(self) -> tuple[int | None, ...]:
        """The window size of every process; None never forgets."""
        return tuple(self._window.sizes)

    def push(self, process: int, clock: Sequence[int] | npt.NDArray[Any], value: Any = None) -> None:
        """Deliver the next state of `process`; the oldest leaves its window if that is full.

        `clock` is its canonical vector clock, `value` any object, kept while the state is in the
        window. A clock that cannot be right raises InvalidClock and leaves the lattice unchanged.
        """
        state = self._window.push(process, clock)
        values = self._values[process]
        if len(values) != self._window.capacity:
            self._grow_values()
            values = self._values[process]
        mask = self._window.capacity - 1
        oldest = self._window.oldest(process)
        if oldest > self._oldest[process]:
            values[self._oldest[process] & mask] = None  # it left the window
            self._oldest[process] = oldest
        else:
            self._vacant -= 1
        values[state & mask] = value
        self._is_built = False

    def forget(self, process: int, index: int) -> None:
        """Let the states of `process` before the one of this index, which must be in its window, leave the window.

        So whoever knows when states began can keep them for a time instead of a number:

        >>> lw = LatWin(processes=1)
        >>> for index in (1, 2, 3):
        ...     lw.push(0, [index])
        >>> lw.forget(0, 2)
        >>> list(lw)
        [(2,), (3,)]
        """
        self._window.check_process(process)
        state = self._window.find(process, index)
        if state is None:
            raise InvalidInput(f"state {index} of process {process} is not in its window")
        for left in range(self._oldest[process], state):
            self._values[process][self._window.place(left)] = None
            self._vacant += 1
        self._oldest[process] = state
        self._window.forget(process, state)
        self._is_built = False

    def skip(self, process: int, through: int) -> None:
        """Declare the states of `process` up to index `through` that were not pushed lost.

        The state before the gap stands for them: its value is taken to last until the next state.
        """
        self._window.skip(process, through)
        self._is_built = False

    @property
    def least(self) -> Cut | None:
        """The least cut (the paper's C_min), or None when there is no cut. Never enumerates."""
        return self._window.least

    @property
    def greatest(self) -> Cut | None:
        """The greatest cut (the paper's C_max), or None when there is no cut. Never enumerates."""
        return self._window.greatest

    def __len__(self) -> int:
        """The number of cuts."""
        return self._lattice.cuts if self._is_built else self._lattice.count()

    def __bool__(self) -> bool:
        """Whether there is any cut, without counting them."""
        return not self._window.is_empty

    def __iter__(self) -> Iterator[Cut]:
        """The cuts in lexicographic order, which is also a topological order of the lattice."""
        return iter(self._cuts())

    def __contains__(self, cut: object) -> bool:
        """Whether `cut`, one state index per process, is a cut of the lattice."""
        window = self._window
        if not isinstance(cut, Sequence) or len(cut) != window.processes or window.is_empty:
            return False
        for k, index in enumerate(cut):
            state = window.find(k, index) if isinstance(index, int) else None
            if state is None:
                return False
            self._scratch[k] = state
        return bool(window_kernel.is_consistent(window.clocks, window.ends, self._scratch))

    def states(self, process: int) -> list[tuple[int, Cut, Any]]:
        """The states in the window of a process, oldest first: index, clock and value of each."""
        self._window.check_process(process)
        window, values = self._window, self._values[process]
        return [
            (window.index_of(process, state), window.clock_of(process, state), values[window.place(state)])
            for state in window.states_of(process)
        ]

    def edges(self) -> list[tuple[Cut, Cut]]:
        """The single steps: all pairs of cuts of which the second is one state further on one process."""
        cuts = self._cuts()
        present = set(cuts)
        following: list[dict[int, int]] = []
        for k in range(self.processes):
            indices = [self._window.index_of(k, state) for state in self._window.states_of(k)]
            following.append(dict(pairwise(indices)))
        steps = []
        for cut in cuts:
            for k in range(self.processes - 1, -1, -1):
                further = following[k].get(cut[k])
                if further is not None and (step := (*cut[:k], further, *cut[k + 1 :])) in present:
                    steps.append((cut, step))
        return steps

    def possibly(self, predicate: Callable[[tuple[Any, ...]], bool]) -> bool:
        """Whether some cut satisfies `predicate(values)`; stops at the first that does."""
        return any(predicate(values) for values in self._cut_values())

    def definitely(self, predicate: Callable[[tuple[Any, ...]], bool]) -> bool:
        """Whether every observation, from least to greatest cut, meets one that satisfies `predicate(values)`."""
        if self._window.is_empty:
            return False
        self._build()
        flags = np.fromiter(map(truth, map(predicate, self._cut_values())), np.uint8)
        return not self._lattice.avoids(self._lattice.labels_from_flags(flags))

    def possibly_all(self, predicate: Callable[[Any], bool]) -> bool:
        """Whether in some cut every process's value satisfies `predicate(value)`. No lattice; O(n^2 w)."""
        window = self._window
        if window.is_empty:
            return False
        holds = self._holds(predicate)
        return bool(conjunctive.possibly_all(window.clocks, window.ends, holds, self._scratch))

    def definitely_all(self, predicate: Callable[[Any], bool]) -> bool:
        """Whether every observation meets a cut in which every value satisfies `predicate(value)`. No lattice."""
        window = self._window
        if window.is_empty:
            return False
        return bool(conjunctive.definitely_all(window.clocks, window.ends, self._holds(predicate)))

    def __repr__(self) -> str:
        """Sizes and ends; never enumerates."""
        return (
            f"LatWin(processes={self.processes}, window={self.window}, least={self.least}, greatest={self.greatest})"
        )

    def _repr_svg_(self) -> str | None:
        """A drawing for notebooks: the windows' states and their lattice; None if that is too large to be read."""
        from latwin.drawing import svg
        from latwin.drawing.figure import LaneState

        try:
            BitLattice(self._window, _MOST_DRAWN).count()
        except LatticeTooLarge:
            return None
        lanes = [[LaneState(*state) for state in self.states(k)] for k in range(self.processes)]
        if sum(map(len, lanes)) > _MOST_DRAWN:
            return None
        names = [f"P{k}" for k in range(self.processes)]
        return svg.to_svg(svg.draw_space_time(names, lanes), svg.draw_lattice(self._cuts(), self.edges()))

    def _build(self) -> None:
        if not self._is_built:
            self._lattice.build()
            self._is_built = True

    def _cuts(self) -> list[Cut]:
        if self._window.is_empty:
            return []
        self._build()
        numbers = self._lattice.cut_numbers()
        clocks, mask = self._window.clocks, self._window.capacity - 1
        columns = [clocks[k, numbers[:, k] & mask, k].tolist() for k in range(self.processes)]
        return list(zip(*columns, strict=True))

    def _cut_values(self) -> Iterator[tuple[Any, ...]]:
        if self._window.is_empty:
            return iter(())
        self._build()
        numbers = self._lattice.cut_numbers() & (self._window.capacity - 1)
        columns = [map(self._values[k].__getitem__, numbers[:, k].tolist()) for k in range(self.processes)]
        return zip(*columns, strict=True)

    def _holds(self, predicate: Callable[[Any], bool]) -> np.ndarray:
        """The flags of the states, in ring order."""
        window = self._window
        if self._vacant == 0:
            # Every place is taken (windows are full, their size a power of two): no look at single states.
            flags = bytearray(map(truth, map(predicate, chain.from_iterable(self._values))))
            return np.frombuffer(flags, np.uint8).reshape(window.processes, window.capacity)
        holds = np.zeros((window.processes, window.capacity), np.uint8)
        mask = window.capacity - 1
        least = window.ends[window_kernel.LEAST].tolist()
        greatest = window.ends[window_kernel.GREATEST].tolist()
        for k, values in enumerate(self._values):
            row = holds[k]
            for state in range(least[k], greatest[k] + 1):
                if predicate(values[state & mask]):
                    row[state & mask] = 1
        return holds

    def _grow_values(self) -> None:
        """Follow the window's doubled capacity."""
        window = self._window
        for k, old in enumerate(self._values):
            fresh: list[Any] = [None] * window.capacity
            for state in window.states_of(k):
                fresh[window.place(state)] = old[state & (len(old) - 1)]
            self._values[k] = fresh
            self._vacant += window.capacity - len(old)
