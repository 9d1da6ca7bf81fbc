"""What detectors share: the table of atoms, the lattices of the present window, and what they promise.

A detector answers one modality (`possibly(...)`, `definitely(...)`, ...) on a window. The
detector of a new kind of property stands in a file of its own and is named in `detect.properties`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

import numpy as np

from latwin.detect.atoms import AtomTable
from latwin.errors import LatticeTooLarge
from latwin.lattice.bits import BitLattice
from latwin.lattice.diagrams import CutDiagrams
from latwin.lattice.kernels.arrays import Flags
from latwin.lattice.kernels.window import GREATEST, LEAST
from latwin.lattice.projection import Projection
from latwin.lattice.window import Window
from latwin.model import Because, Cut
from latwin.properties.closures import Condition


class Details(NamedTuple):
    """What a verdict adds to a yes or no."""

    cuts: int | None = None
    witness: Cut | tuple[Cut, ...] | None = None
    stretch: tuple[int, int] | None = None
    because: Because | None = None


class InRuns(NamedTuple):
    """A question as `kernels.slides` asks it after every slide of a run."""

    #: one that the windows alone answer (`slides.POSSIBLY_ALL`, ...), or the function of `kernels.answers` that does
    kind: int | Callable[..., int]
    #: the processes that it reads
    members: tuple[int, ...]
    #: numbers that the kind understands
    data: tuple[int, ...]
    #: the function that is asked if that one leaves the question to another
    other: Callable[..., int] | None = None


class Detector(Protocol):
    """One modality on one window."""

    def evaluate(self) -> bool | None:
        """The answer on the window as it is now; None when the lattice is too large."""

    def details(self, *, observations: bool) -> Details:
        """More about the last answer; an avoiding observation only if `observations`."""

    def is_final(self) -> bool | None:
        """Whether no state to come can overturn the last answer on these windows; None if that cannot be told.

        Windows that states to come extend at their upper ends are meant, with the lower ends as they are.
        """

    def in_runs(self) -> tuple[InRuns, ...] | None:
        """Questions of which one must be true, as `kernels.slides` asks them; None if only Python can answer."""


class Part:
    """The processes of a window that a condition reads, and their lattice, built at most once a slide.

    For all processes it is the window's own lattice. What it answers about a condition that reads no others is the
    same as what that one does: see "Projection" in `docs/design/lattice.md`.
    """

    def __init__(self, window: Window, members: tuple[int, ...], max_cuts: int) -> None:
        self.window = window
        self.members = np.array(members, np.int64)
        self.is_whole = len(members) == window.processes
        self.lattice = BitLattice(window if self.is_whole else Projection(window, members), max_cuts)
        self._is_current = False
        self._is_too_large = False

    def slide(self) -> None:
        """Forget the lattice: the window moved."""
        self._is_current = False

    def current_lattice(self) -> BitLattice | None:
        """The present lattice of a window that is not empty, or None when it is too large."""
        if not self._is_current:
            self._is_current = True
            self._is_too_large = False
            try:
                self.lattice.build()
            except LatticeTooLarge:
                self._is_too_large = True
        return None if self._is_too_large else self.lattice


class Context:
    """What the detectors of one window work on: the window, its atoms, and the lattices of its parts."""

    def __init__(
        self,
        window: Window,
        atoms: AtomTable,
        max_cuts: int,
        *,
        keeps_pairs: bool = True,
        counts_always: bool = False,
    ) -> None:
        self.window = window
        self.atoms = atoms
        self.max_cuts = max_cuts
        #: whether a byte for each pair of states may be kept; if not, conditions on pairs are evaluated cut by cut
        self.keeps_pairs = keeps_pairs
        #: whether the cuts of all processes are counted up to `max_cuts`, however many there may be
        self.counts_always = counts_always
        self.whole = Part(window, tuple(range(window.processes)), max_cuts)
        self._parts = {tuple(range(window.processes)): self.whole}
        self._counter: BitLattice | None = None
        #: the states at the least and at the greatest cut, if a detector has asked for them since the last slide
        self._at_ends: dict[int, list[Any]] = {}
        #: for lattices that are too large; as many steps as cuts could be enumerated
        self.diagrams = CutDiagrams(window, max_cuts)

    def part(self, processes: Iterable[int]) -> Part:
        """The part of the window that these processes are; of none, that of the first one."""
        members = tuple(sorted(processes)) or (0,)
        if members not in self._parts:
            self._parts[members] = Part(self.window, members, self.max_cuts)
        return self._parts[members]

    def slide(self) -> None:
        """Forget the lattices and the ends: the window moved."""
        self._at_ends.clear()
        for part in self._parts.values():
            part.slide()

    def holds_at(self, condition: Condition, row: int) -> bool:
        """Whether a condition holds at the least or the greatest cut, which there must be: LEAST or GREATEST."""
        states = self._at_ends.get(row)
        if states is None:
            places = (self.window.ends[row] & (self.window.capacity - 1)).tolist()
            states = [ring[place] for ring, place in zip(self.atoms.states, places, strict=True)]
            self._at_ends[row] = states
        return condition(states)

    def why_definitely(self, condition: Condition) -> Because:
        """Why a true `definitely` of a condition is true."""
        at_least = self.holds_at(condition, LEAST)
        return why_definitely(at_least=at_least, at_greatest=at_least or self.holds_at(condition, GREATEST))

    def current_lattice(self) -> BitLattice | None:
        """The present lattice of all processes, of a window that is not empty, or None when it is too large."""
        return self.whole.current_lattice()

    def count_cuts(self, part: Part) -> int | None:
        """The number of cuts of a window that is not empty, for the verdict on a condition that reads a part of it.

        If the part is not the whole, nothing else needs the cuts of all processes. They are counted if the least and
        the greatest cut show that there are at most `max_cuts`; else only with `counts_always`.
        """
        if part.is_whole:
            lattice = part.current_lattice()
            return None if lattice is None else lattice.cuts
        ends = self.window.ends
        if math.prod((ends[GREATEST] - ends[LEAST] + 1).tolist()) > self.max_cuts and not self.counts_always:
            return None
        # Counting overwrites what a built lattice needs, so it has tables of its own.
        self._counter = self._counter or BitLattice(self.window, self.max_cuts)
        try:
            return self._counter.count()
        except LatticeTooLarge:
            return None


def flags_of(processes: Iterable[int], count: int) -> Flags:
    """One flag for each of `count` processes, set for some."""
    flags = np.zeros(count, np.uint8)
    flags[list(processes)] = 1
    return flags


def members_of(flags: Flags) -> tuple[int, ...]:
    """The processes whose flags are set, in ascending order."""
    return tuple(np.flatnonzero(flags).tolist())


def why_definitely(*, at_least: bool, at_greatest: bool) -> Because:
    """Why a `definitely` is true, by whether the condition holds at the least and at the greatest cut."""
    return "least" if at_least else "greatest" if at_greatest else "inside"
