"""Questions about the cuts of a window by decision diagrams, where there are too many to be enumerated.

See `kernels.diagrams` for what a diagram is. Every question begins anew: with the diagram of all cuts, then that of
the condition, then the answer. So whether a budget suffices depends on the window and the question alone, not on what
was asked before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np

from latwin.errors import LatticeTooLarge
from latwin.lattice.kernels import diagram_sets as sets
from latwin.lattice.kernels import diagrams as kernel
from latwin.lattice.kernels import labels
from latwin.lattice.kernels.arrays import Flags, Floats
from latwin.lattice.kernels.final import is_open
from latwin.lattice.kernels.labels import Atoms
from latwin.lattice.kernels.layout import find_compatible
from latwin.lattice.kernels.window import GREATEST, LEAST
from latwin.lattice.window import Window
from latwin.model import Cut

#: The budget of a question: so many steps (see `kernels.diagrams`), in about a second, ...
MOST_STEPS = 1 << 21
#: ... and so many edges, levels included. With the tables beside them they take 128 MB.
MOST_EDGES = 1 << 22
#: Recursion goes as deep as there are processes.
MOST_PROCESSES = 256
#: Room for so many edges is there at first. Tables are cleared for every question, so they are no larger than needed.
_FEWEST_EDGES = 1 << 13
_EDGES_PER_STEP = MOST_EDGES // MOST_STEPS

A = TypeVar("A")


class Program(NamedTuple):
    """A condition as rows of a program of atoms; see `kernels.labels`."""

    atoms: Atoms
    first_row: int
    end_row: int


class Found(NamedTuple):
    """The number of cuts (None from 2**63 - 1 on), and the lexicographically least that satisfies a condition."""

    cuts: int | None
    cut: Cut | None


class Avoided(NamedTuple):
    """Whether some observation avoids a condition, and what else is known then."""

    is_avoided: bool
    #: None from 2**63 - 1 on
    cuts: int | None
    holds_at_least: bool
    holds_at_greatest: bool
    #: if no observation avoids it: whether that is so however the window goes on; see `kernels.final`
    is_final: bool
    #: an observation that avoids it, if asked for: the same as `BitLattice.avoiding_observation` finds
    observation: tuple[Cut, ...] | None


class _NoRoom(Exception):
    """The tables are full, or the steps are spent."""


class CutDiagrams:
    """Answers questions about the present cuts of a window, which must have some.

    A question that takes more than `max_steps` steps, or exceeds the bounds above, raises LatticeTooLarge.
    """

    def __init__(self, window: Window, max_steps: int) -> None:
        self.window = window
        self.max_steps = min(max_steps, MOST_STEPS)
        self._used = np.zeros(3, np.int64)
        self._room = _FEWEST_EDGES
        self._edges = np.empty(0, np.int64)

    def find(self, condition: Program) -> Found:
        """The first cut that satisfies a condition."""

        def find() -> Found:
            cuts = self._cuts()
            both = self._combine(kernel.AND, cuts, self._satisfying(condition))
            return Found(self._count(cuts), None if both == kernel.EMPTY else self._first(both))

        return self._ask(find)

    def avoid(self, condition: Program, reads: Flags, *, observation: bool = False) -> Avoided:
        """Whether some observation avoids a condition, which reads the processes that are flagged."""

        def avoid() -> Avoided:
            cuts, ends = self._cuts(), self.window.ends
            allowed = self._combine(kernel.MINUS, cuts, self._satisfying(condition))
            greatest = ends[GREATEST] - ends[LEAST]
            at_least = not sets.contains(self._tables, allowed, np.zeros_like(greatest))
            at_greatest = not sets.contains(self._tables, allowed, greatest)
            seeds = kernel.EMPTY if at_least else _checked(sets.least_cut(self._tables))
            reached = _checked(kernel.reach(self._tables, seeds, allowed))
            is_avoided = bool(sets.contains(self._tables, reached, greatest))
            return Avoided(
                is_avoided,
                self._count(cuts),
                at_least,
                at_greatest,
                is_final=not is_avoided and not sets.has_open_end(self._tables, reached, self._open(reads)),
                observation=self._observation(reached) if observation and is_avoided else None,
            )

        return self._ask(avoid)

    # -- room ------------------------------------------------------------------------------------

    def _ask(self, question: Callable[[], A]) -> A:
        """Ask with as much room as the last question needed, then with more and more."""
        window = self.window
        if window.processes > MOST_PROCESSES:
            raise LatticeTooLarge(window.product, self.max_steps)
        while True:  # the room grows up to a bound
            self._make_tables()
            try:
                answer = question()
            except _NoRoom:
                if self._used[kernel.STEPS] >= self.max_steps or self._room >= MOST_EDGES:
                    raise LatticeTooLarge(window.product, self.max_steps) from None
                self._room = min(4 * self._room, MOST_EDGES)
            else:
                needed = max(int(self._used[kernel.EDGES]), int(self._used[kernel.STEPS]) * _EDGES_PER_STEP)
                self._room = min(max(_FEWEST_EDGES, 1 << (2 * needed).bit_length()), MOST_EDGES)
                return answer

    def _make_tables(self) -> None:
        """Tables for `_room` edges and as many steps as go with them; `_cuts` clears them."""
        if len(self._edges) < self._room:
            self._edges = np.empty(self._room, np.int64)
            self._unique = np.empty(self._room, np.int64)
            self._memo = np.empty((2 * self._room // _EDGES_PER_STEP, 2), np.int64)
        self._used[kernel.MOST_STEPS] = min(self.max_steps, self._room // _EDGES_PER_STEP)
        ends = self.window.ends
        most = int((ends[GREATEST] - ends[LEAST]).max()) + 1
        self._tables = kernel.Tables(
            edges=self._edges[: self._room],
            unique=self._unique[: self._room],
            memo=self._memo[: 2 * self._room // _EDGES_PER_STEP],
            used=self._used,
            levels=np.zeros((self.window.processes, kernel.FIRST + most), np.int64),
        )

    # -- sets ------------------------------------------------------------------------------------

    def _cuts(self) -> int:
        """All cuts: the first set of every question."""
        window, n = self.window, self.window.processes
        _checked(sets.begin(self._tables, window.ends))
        low = np.empty((n, window.capacity, n), np.int32)
        high = np.empty_like(low)
        find_compatible(window.clocks, window.ends, low, high)
        return _checked(sets.consistent_cuts(self._tables, low, high))

    def _combine(self, operation: int, one: int, other: int) -> int:
        return _checked(kernel.combine(self._tables, operation, one, other))

    def _satisfying(self, condition: Program) -> int:
        """The choices of positions, consistent or not, that satisfy a condition."""
        atoms, tables, ends = condition.atoms, self._tables, self.window.ends
        everything = int(tables.levels[0, kernel.FULL])
        stack: list[int] = []
        for operation, atom in atoms.program[condition.first_row : condition.end_row].tolist():
            if operation == labels.LOCAL:
                process = int(atoms.local_process[atom])
                node = sets.flagged(tables, ends, process, atoms.local_flags[atom], 0)
            elif operation == labels.PAIR:
                first, second = atoms.pair_process[atom].tolist()
                node = sets.flagged_pairs(tables, ends, first, second, atoms.pair_flags[atom])
            elif operation == labels.SUM:
                node = self._sums(atoms.sum_terms[atom], int(atoms.sum_compare[atom]), float(atoms.sum_bound[atom]))
            elif operation == labels.NOT:
                node = self._combine(kernel.MINUS, everything, stack.pop())
            elif operation == labels.TRUE:
                node = everything
            else:
                other = stack.pop()
                node = self._combine(kernel.AND if operation == labels.AND else kernel.OR, stack.pop(), other)
            stack.append(_checked(node))
        return stack[0]

    def _sums(self, terms: Floats, operation: int, bound: float) -> int:
        """The choices whose numbers, added in the order of processes, compare true.

        Two choices of the first processes with the same sum continue alike. So there is at most one node on a level
        for each sum that can occur there; if these are too many, there is no room.
        """
        ends, mask = self.window.ends, self.window.capacity - 1
        numbers = [ring[np.arange(ends[LEAST, k], ends[GREATEST, k] + 1) & mask] for k, ring in enumerate(terms)]
        sums = [np.zeros(1)]
        for own in numbers:
            if len(sums[-1]) * (len(own) + 1) > self._room:
                raise _NoRoom
            with np.errstate(all="ignore"):
                totals = np.add.outer(sums[-1], own)
            sums.append(np.unique(totals[np.isfinite(totals)]))
        nodes = sets.ends_of_sums(sums[-1], operation, bound)
        for k in range(len(numbers) - 1, -1, -1):
            nodes = sets.add_sums(self._tables, k, sums[k], numbers[k], sums[k + 1], nodes)
            if len(nodes) < len(sums[k]):
                raise _NoRoom
        return int(nodes[0])

    # -- what is read off them -------------------------------------------------------------------

    def _count(self, cuts: int) -> int | None:
        number = int(sets.count(self._tables, cuts))
        return None if number == sets.MOST_COUNTED else number

    def _first(self, node: int) -> Cut:
        """The lexicographically least cut of a set, as state indices."""
        cut = np.empty(self.window.processes, np.int64)
        sets.find_first(self._tables, node, cut)
        return self.window.to_indices(self.window.ends[LEAST] + cut)

    def _observation(self, reached: int) -> tuple[Cut, ...]:
        """The way back from the greatest cut through the reached ones."""
        least, greatest = self.window.ends[LEAST], self.window.ends[GREATEST]
        path = np.empty((int((greatest - least).sum()) + 1, self.window.processes), np.int64)
        path[-1] = greatest - least
        is_back = sets.trace_back(self._tables, reached, path)
        assert is_back, "a reached cut is reached through another one, so they lead back to the least cut"
        return tuple(self.window.to_indices(cut) for cut in least + path)

    def _open(self, reads: Flags) -> Flags:
        """One flag per process: whether a later state of it can matter; see `kernels.final`."""
        clocks, ends = self.window.clocks, self.window.ends
        return np.array([is_open(clocks, ends, reads, k) for k in range(self.window.processes)], np.uint8)


def _checked(node: int) -> int:
    """A node that a kernel returned; raises _NoRoom if there is none."""
    if node == kernel.NO_ROOM:
        raise _NoRoom
    return int(node)
