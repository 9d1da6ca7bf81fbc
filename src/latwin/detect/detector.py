"""What detectors share: the table of atoms, the lattice of the present window, and what they promise.

A detector answers one modality (`possibly(...)`, `definitely(...)`, ...) on a window. The
detector of a new kind of property stands in a file of its own and is named in `detect.properties`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np

from latwin.detect.atoms import AtomTable
from latwin.errors import LatticeTooLarge
from latwin.lattice.bits import BitLattice
from latwin.lattice.diagrams import CutDiagrams
from latwin.lattice.kernels.arrays import Flags
from latwin.lattice.window import Window
from latwin.model import Because, Cut


class Details(NamedTuple):
    """What a verdict adds to a yes or no."""

    cuts: int | None = None
    witness: Cut | tuple[Cut, ...] | None = None
    stretch: tuple[int, int] | None = None
    because: Because | None = None


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

    def modality(self) -> tuple[int, int, int] | None:
        """The row that lets `kernels.slides` evaluate it, or None if that cannot."""


class Context:
    """What the detectors of one window work on.

    The bit lattice is built at most once a slide, however many detectors ask for it.
    """

    def __init__(self, window: Window, atoms: AtomTable, max_cuts: int, *, keeps_pairs: bool = True) -> None:
        self.window = window
        self.atoms = atoms
        #: whether a byte for each pair of states may be kept; if not, conditions on pairs are evaluated cut by cut
        self.keeps_pairs = keeps_pairs
        self.lattice = BitLattice(window, max_cuts)
        #: for lattices that are too large; as many steps as cuts could be enumerated
        self.diagrams = CutDiagrams(window, max_cuts)
        #: the detector that marked the lattice's reached cuts; valid while the lattice is
        self.marked_by: Detector | None = None
        self._is_current = False
        self._is_too_large = False

    def fitted_lattice(self) -> BitLattice:
        """The lattice's buffers, fit for the window's capacity, for a kernel that builds it itself."""
        self._is_current = False
        self.lattice.fit()
        return self.lattice

    def slide(self) -> None:
        """Forget the lattice: the window moved."""
        self._is_current = False

    def current_lattice(self) -> BitLattice | None:
        """The present lattice of a window that is not empty, or None when it is too large."""
        if not self._is_current:
            self._is_current = True
            self._is_too_large = False
            self.marked_by = None
            try:
                self.lattice.build()
            except LatticeTooLarge:
                self._is_too_large = True
        return None if self._is_too_large else self.lattice


def flags_of(processes: Iterable[int], count: int) -> Flags:
    """One flag for each of `count` processes, set for some."""
    flags = np.zeros(count, np.uint8)
    flags[list(processes)] = 1
    return flags


def why_definitely(*, at_least: bool, at_greatest: bool) -> Because:
    """Why a `definitely` is true, by whether the condition holds at the least and at the greatest cut."""
    return "least" if at_least else "greatest" if at_greatest else "inside"
