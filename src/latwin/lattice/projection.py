"""The part of a window that some of its processes make up, as something a lattice can be built of."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from latwin.lattice.kernels import part as kernel
from latwin.lattice.kernels import window as window_kernel
from latwin.lattice.kernels.arrays import Int64s
from latwin.lattice.window import Window
from latwin.model import Cut


class Projection:
    """Some processes of a window, in ascending order, between the least and the greatest cut of all.

    Its cuts are the parts of the window's cuts, and its observations are those of the window with the steps of the
    other processes left out (`docs/design/lattice.md`, "Projection"). `follow` brings it up to date after the window
    moved; nothing else looks at the window.
    """

    def __init__(self, window: Window, members: Sequence[int]) -> None:
        self.window = window
        self.members: Int64s = np.array(members, np.int64)
        self.processes = len(members)
        self.capacity = 0
        self.ends = np.zeros((window_kernel.ROWS, self.processes), np.int64)
        self.clocks: Int64s = np.zeros((0, 0, 0), np.int64)

    @property
    def is_empty(self) -> bool:
        """Whether the window has no cut."""
        return self.window.is_empty

    @property
    def product(self) -> int:
        """The number of choices of a state of each of these processes."""
        return math.prod(len(self.window.states_of(int(k))) for k in self.members)

    def follow(self) -> None:
        """Take over the window's present states of these processes."""
        window = self.window
        if self.capacity != window.capacity:
            self.capacity = window.capacity
            self.clocks = np.zeros((self.processes, self.capacity, self.processes), np.int64)
        kernel.copy_part(window.clocks, window.ends, self.members, self.clocks, self.ends)

    def to_indices(self, states: np.ndarray) -> Cut:
        """A cut of the part given by state numbers, as state indices."""
        mask, item = self.capacity - 1, self.clocks.item
        return tuple([item(k, state & mask, k) for k, state in enumerate(states.tolist())])
