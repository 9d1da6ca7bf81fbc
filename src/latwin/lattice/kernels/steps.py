"""Single steps within a word, and the ends of a packed lattice: what every pass over the leaves begins with."""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Int64s, Words
from latwin.lattice.kernels.layout import AXES, CHUNKED, HIGH, OFFSET, PACKED, Lattice
from latwin.lattice.kernels.window import GREATEST, LEAST
from latwin.lattice.kernels.words import ONE, WORD


@njit(cache=True, inline="always")
def steps_inside(lattice: Lattice) -> tuple[Words, Words]:
    """For each process within a word along which steps are possible: the shift of a step, the bits it can lead to."""
    ends, shape = lattice.ends, lattice.shape
    processes = ends.shape[1]
    shifts = np.empty(processes, np.uint64)
    entered = np.empty(processes, np.uint64)
    count = 0
    if shape[CHUNKED]:
        shifts[0] = ONE
        entered[0] = ~ONE
        count = 1
    for k in range(processes - shape[PACKED], processes):
        if ends[GREATEST, k] > ends[LEAST, k]:
            shifts[count] = np.uint64(lattice.stride[k])
            entered[count] = lattice.at_least[k, 1]
            count += 1
    return shifts[:count], entered[:count]


@njit(cache=True, inline="always")
def count_leaves(lattice: Lattice) -> int:
    """The number of leaves: one past the last node's last."""
    node = lattice.levels[lattice.shape[AXES]] - 1
    return lattice.span[node, OFFSET] + lattice.span[node, HIGH] + 1


@njit(cache=True)
def greatest_bit(ends: Int64s, shape: Int64s, stride: Int64s) -> int:
    """The bit of the greatest cut in the last leaf."""
    processes = ends.shape[1]
    if shape[CHUNKED]:
        return (ends[GREATEST, processes - 1] - ends[LEAST, processes - 1]) % WORD
    bit = 0
    for k in range(processes - shape[PACKED], processes):
        bit += stride[k] * (ends[GREATEST, k] - ends[LEAST, k])
    return bit
