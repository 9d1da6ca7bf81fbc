"""What every detector promises: it is told of each delivered state, then asked.

A detector answers one modality (`possibly(...)`, `definitely(...)`, ...) on a window. To add a new kind of
property, write its detector here beside the others and name it in `detect.properties`.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from latwin.errors import LatticeTooLarge
from latwin.lattice.bits import BitLattice
from latwin.lattice.window import Cut, Window


class Details(NamedTuple):
    """What a verdict adds to a yes or no."""

    cuts: int | None = None
    witness: Cut | tuple[Cut, ...] | None = None


class Detector(Protocol):
    """One modality on one window."""

    def resize(self) -> None:
        """Make room for the window's new capacity; all states in it are told again afterwards."""

    def push(self, process: int, place: int, state: Any) -> None:
        """Take note of a state that entered the window, to be kept at `place` of the ring."""

    def evaluate(self) -> bool | None:
        """The answer on the window as it is now; None when the lattice is too large."""

    def details(self, *, observations: bool) -> Details:
        """More about the last answer; an avoiding observation only if `observations`."""


class SharedLattice:
    """The bit lattice of a window, built at most once a slide however many detectors need it."""

    def __init__(self, window: Window, max_cuts: int) -> None:
        self.lattice = BitLattice(window, max_cuts)
        self._is_current = False
        self._is_too_large = False
        self.cuts: int | None = None

    def slide(self) -> None:
        """Forget what was built: the window moved."""
        self._is_current = False

    def current(self) -> BitLattice | None:
        """The present lattice, or None when it is too large."""
        if not self._is_current:
            self._is_current = True
            self._is_too_large = False
            self.cuts = None
            try:
                self.lattice.build()
                self.cuts = self.lattice.built_cuts()
            except LatticeTooLarge:
                self._is_too_large = True
        return None if self._is_too_large else self.lattice
