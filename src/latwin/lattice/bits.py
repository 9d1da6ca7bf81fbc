"""The bit lattice: the cuts of a window packed into words, built once a slide and asked many times."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from latwin.errors import LatticeTooLarge
from latwin.lattice.kernels import (
    counting,
    cuts,
    final,
    layout,
    links,
    probability,
    reachability,
    sequences,
    sets,
)
from latwin.lattice.kernels import window as window_kernel
from latwin.lattice.kernels.arrays import Flags, Int64s, Words, plain
from latwin.lattice.kernels.reachability import Marks
from latwin.lattice.kernels.tracing import trace_back
from latwin.lattice.kernels.words import WORD
from latwin.lattice.projection import Projection
from latwin.lattice.window import Window
from latwin.model import Cut

#: Lattices up to this many cuts may be enumerated unless the caller says otherwise.
DEFAULT_MAX_CUTS = 50_000_000
_MAX_BYTES = 2 << 30
_COUNT_FIRST_ABOVE = 1 << 20
_NO_WORDS: Words = np.zeros(0, np.uint64)


class BitLattice:
    """The lattice of a window, or of a part of one, laid out as words of up to 64 cuts (see `kernels.layout`).

    `build` reads the window as it is now and must be called again after it moved; the other methods
    answer about the last build. Buffers are kept and grow as needed, so a steady window allocates
    nothing. More than `max_cuts` cuts raise LatticeTooLarge.
    """

    def __init__(self, window: Window | Projection, max_cuts: int = DEFAULT_MAX_CUTS) -> None:
        self.window = window
        self.max_cuts = max_cuts
        n = window.processes
        #: the numbers that its processes have in the window
        self.members = window.members if isinstance(window, Projection) else np.arange(n)
        self.shape = np.zeros(4, np.int64)
        self.stride = np.zeros(n, np.int64)
        self.at_least = np.zeros((n, WORD + 1), np.uint64)
        self.levels = np.zeros(n + 1, np.int64)
        self.leaf_count = 0
        self.cuts = 0
        self._post = np.empty((0, 0), np.uint64)
        self._ways = np.empty((0, 2 * WORD))
        self._allocate_tables()
        self._allocate_nodes(64)
        self._allocate_leaves(64)
        self._gather()

    def fit(self) -> None:
        """Follow the window's capacity."""
        if self.block.shape[1] != self.window.capacity:
            self._allocate_tables()
            self._gather()

    def count(self) -> int:
        """The number of cuts, found without building the tree."""
        window = self.window
        if window.is_empty:
            return 0
        self.fit()
        total = counting.count_cuts(window.clocks, self.arrays, self.scaffold, self.max_cuts)
        if total < 0:
            raise LatticeTooLarge(window.product, self.max_cuts)
        return int(total)

    def build(self) -> None:
        """Pack the window's present lattice, which must not be empty, and set `cuts`, their number."""
        window = self.window
        if isinstance(window, Projection):
            window.follow()
        self.fit()
        if self._may_be_vast and self._box_size() > _COUNT_FIRST_ABOVE:
            self.count()
        while True:  # room doubles until it suffices or is refused
            built = links.build(window.clocks, self.arrays, self.scaffold)
            if built > 0:
                self.leaf_count = built
                self.cuts = self.shape.item(layout.CUTS)
                if self.cuts > self.max_cuts:
                    raise LatticeTooLarge(self.window.product, self.max_cuts)
                return
            if built == 0:
                self._allocate_nodes(2 * len(self.words))
            else:
                self._allocate_leaves(-built)
            self._gather()

    def cut_numbers(self) -> Int64s:
        """All cuts of the last build in lexicographic order, as state numbers, int64[cuts, n]."""
        return self._list(self.leaves, self.cuts)

    def labels_from_flags(self, flags: Flags) -> Words:
        """Labels out of one flag per cut in lexicographic order."""
        labels = np.empty(self.leaf_count, np.uint64)
        cuts.pack_flags(self.leaves, self.leaf_count, flags, labels)
        return labels

    def avoids(self, labels: Words) -> bool:
        """Whether some observation meets no labelled cut: the negation of *definitely*."""
        return bool(reachability.reach_avoiding(self.arrays, labels, self.reached))

    def is_final(self) -> bool:
        """After `avoids` said no: whether it does so however the window goes on; see `kernels.final`.

        The labels must depend on all processes of this lattice.
        """
        return bool(final.reached_is_final(self.arrays, self.reached, *self._open_ends()))

    def _open_ends(self) -> tuple[Flags, Int64s]:
        window = self.window.window if isinstance(self.window, Projection) else self.window
        is_open, corners = final.find_open(window.clocks, window.ends, self.members)
        return is_open, corners

    def has_labelled(self, labels: Words) -> bool:
        """Whether some cut is labelled."""
        return bool(cuts.find_first(self.leaves, labels, self.leaf_count) >= 0)

    def first_labelled(self, labels: Words) -> Cut | None:
        """The lexicographically first labelled cut as state indices, or None."""
        found = int(cuts.find_first(self.leaves, labels, self.leaf_count))
        if found < 0:
            return None
        return self.window.to_indices(self._cut_at(found // WORD, found % WORD))

    def avoiding_path(self) -> Int64s:
        """An observation that the last `avoids`, which must have said yes, found: its cuts as state numbers.

        Traced back from the greatest cut through marked cuts, preferring the first process that can
        step back, so that it is the same on every machine.
        """
        least, greatest = self.window.ends[window_kernel.LEAST], self.window.ends[window_kernel.GREATEST]
        path = np.empty((int((greatest - least).sum()) + 1, self.window.processes), np.int64)
        path[-1] = greatest
        is_back = trace_back(self._list(self.reached, self._count(self.reached)), path)
        assert is_back, "a marked cut is reached through another one, so they lead back to the least cut"
        return path

    def avoiding_observation(self) -> list[Cut]:
        """The same as state indices."""
        return [self.window.to_indices(cut) for cut in self.avoiding_path()]

    # -- sets of cuts: words per leaf, as `labels` -----------------------------------------------

    def run_sets(self, conditions: Words, program: Int64s, is_open: Words = _NO_WORDS) -> Words:
        """The set that a program makes of the cuts at which conditions hold; see `kernels.sets`."""
        stack = np.empty((len(program) + 1, self.leaf_count + 1), np.uint64)
        sets.run_sets(self.arrays, conditions, program, is_open, stack)
        words: Words = stack[0, : self.leaf_count]
        return words

    def is_in(self, words: Words, where: int) -> bool:
        """Whether a set has the least cut, the greatest cut, or any cut, as `kernels.sets` numbers them."""
        return bool(sets.is_in(self.arrays, words, where))

    def open_cuts(self) -> Words:
        """The cuts from which states to come may lead on, if a question depends on all processes of this lattice."""
        return sets.mark_open(self.arrays, *self._open_ends())

    def run_automaton(self, atoms: Words, machine: sequences.Machine) -> int:
        """The states in which an automaton can be at the greatest cut, as bits; see `kernels.sequences`."""
        self._post = np.empty((self.leaf_count + 1, len(machine[sequences.DECIDES])), np.uint64)
        return int(sequences.run_automaton(self.arrays, atoms, machine, self._post))

    def stays_fruitless(self) -> bool:
        """After `run_automaton` led to no wanted state: whether it does so however the window goes on."""
        reached = np.bitwise_or.reduce(self._post, axis=1)
        return bool(final.reached_is_final(self.arrays, reached, *self._open_ends()))

    def trace_automaton(
        self, atoms: Words, delta: Sequence[Sequence[int]], numbers: Sequence[int], state: int
    ) -> tuple[list[Cut], list[int]]:
        """An observation after which the automaton, which must just have run, is in a state: cuts and letters.

        `numbers` are the machine's states as `delta` counts them. Traced back from the greatest cut, preferring the
        first process that can step back, then the lowest state.
        """
        ends = self.window.ends
        least = tuple(ends[window_kernel.LEAST].tolist())
        reached = {
            number: self._set_of(self._post[: self.leaf_count, at].copy()) for at, number in enumerate(numbers)
        }
        holding = [self._set_of(words & self.leaves[: self.leaf_count]) for words in atoms]
        cut = tuple(ends[window_kernel.GREATEST].tolist())
        trace, letters = [cut], [_letter(cut, holding)]
        while cut != least:  # each turn steps back, or raises StopIteration
            letter = letters[-1]
            cut, state = next(
                (earlier, before)
                for process in range(len(cut))
                for earlier in [(*cut[:process], cut[process] - 1, *cut[process + 1 :])]
                for before in sorted(reached)
                if earlier in reached[before] and delta[before][letter] == state
            )
            trace.append(cut)
            letters.append(_letter(cut, holding))
        return [self.window.to_indices(np.array(cut)) for cut in reversed(trace)], letters[::-1]

    def count_observations(self, labels: Words) -> tuple[float, float]:
        """How many observations meet a labelled cut, and how many do not; see `kernels.probability`."""
        if len(self._ways) < self.leaf_count:
            self._ways = np.empty((self.leaf_count + self.leaf_count // 4, 2 * WORD))
        meeting, avoiding = probability.count_observations(self.arrays, labels, self._ways)
        return float(meeting), float(avoiding)

    def _cut_at(self, leaf: int, bit: int) -> Int64s:
        """The state numbers of one cut of the last build."""
        one = np.zeros(self.leaf_count, np.uint64)
        one[leaf] = np.uint64(1) << np.uint64(bit)
        states: Int64s = self._list(one, 1)[0]
        return states

    def _count(self, words: Words) -> int:
        return int(counting.count_words(words, self.leaf_count))

    def _list(self, words: Words, count: int) -> Int64s:
        """The cuts whose bits are set in `words`, in lexicographic order, as state numbers."""
        numbers = np.empty((count, self.window.processes), np.int64)
        cuts.list_cuts(self.arrays, words, numbers)
        return numbers

    def _set_of(self, words: Words) -> set[tuple[int, ...]]:
        """The same as a set of tuples."""
        return set(map(tuple, self._list(words, self._count(words)).tolist()))

    def _box_size(self) -> int:
        ends = self.window.ends
        return math.prod((ends[window_kernel.GREATEST] - ends[window_kernel.LEAST] + 1).tolist())

    def _gather(self) -> None:
        """Group the arrays as kernels take them, after some of them were allocated anew."""
        self.arrays = plain(
            layout.Lattice(
                ends=self.window.ends,
                shape=self.shape,
                stride=self.stride,
                at_least=self.at_least,
                origin=self.origin,
                span=self.span,
                levels=self.levels,
                leaves=self.leaves,
                links=self.links,
                members=self.members,
            )
        )
        self.scaffold = plain(
            layout.Scaffold(low=self.low, high=self.high, block=self.block, words=self.words, bounds=self.bounds)
        )
        self.marks = plain(Marks(labels=self.labels, reached=self.reached))

    def _allocate_tables(self) -> None:
        n, capacity = self.window.processes, self.window.capacity
        self.low = np.zeros((n, capacity, n), np.int32)
        self.high = np.zeros((n, capacity, n), np.int32)
        self.block = np.zeros((n, capacity), np.uint64)
        self._may_be_vast = capacity**n > _COUNT_FIRST_ABOVE

    def _allocate_nodes(self, count: int) -> None:
        n = self.window.processes
        if count * (28 + 8 * n) > _MAX_BYTES:
            raise LatticeTooLarge(self.window.product, self.max_cuts)
        self.words = np.empty(count, np.uint64)
        self.origin = np.empty((count, 2), np.int32)
        self.span = np.empty((count, 3), np.int32)
        self.bounds = np.empty((count, 2, n), np.int32)

    def _allocate_leaves(self, count: int) -> None:
        n = self.window.processes
        if count > max(64, min(self.max_cuts, _MAX_BYTES // (24 + 4 * n))):  # no leaf without a cut
            raise LatticeTooLarge(self.window.product, self.max_cuts)
        count += count // 4
        self.leaves = np.empty(count, np.uint64)
        self.links = np.empty((count, n), np.int32)
        self.labels = np.empty(count, np.uint64)  # room for whoever labels
        self.reached = np.empty(count + 1, np.uint64)


def _letter(cut: tuple[int, ...], holding: list[set[tuple[int, ...]]]) -> int:
    """The atoms that hold at a cut, as bits."""
    return sum((cut in cuts) << number for number, cuts in enumerate(holding))
