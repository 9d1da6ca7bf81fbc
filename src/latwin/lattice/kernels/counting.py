"""How many cuts there are: by walking the prefix tree, or in words that are filled already."""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Int64s, Words
from latwin.lattice.kernels.layout import AXES, CHUNKED, PACKED, Lattice, Scaffold, prepare
from latwin.lattice.kernels.window import GREATEST, LEAST
from latwin.lattice.kernels.words import count_bits


@njit(cache=True)
def count_words(leaves: Words, count: int) -> int:
    """The number of cuts in the first `count` leaves."""
    total = 0
    for leaf in range(count):
        total += count_bits(leaves[leaf])
    return total


@njit(cache=True)
def count_cuts(clocks: Int64s, lattice: Lattice, scaffold: Scaffold, limit: int) -> int:
    """The number of cuts, by walking the tree without storing it; -1 when it exceeds `limit`.

    The last two axes are the inner loops: bounds for the last one are two comparisons, and its words are
    counted as they are met.
    """
    lattice, scaffold = Lattice(*lattice), Scaffold(*scaffold)
    ends, shape = lattice.ends, lattice.shape
    low, high, block = scaffold.low, scaffold.high, scaffold.block
    base = prepare(clocks, lattice, scaffold)
    if shape[PACKED] == ends.shape[1]:
        total = count_bits(base)
        return total if total <= limit else -1
    axes = shape[AXES]
    deepest = axes - 1
    first = np.empty((axes, axes), np.int64)
    last = np.empty((axes, axes), np.int64)
    word = np.empty(axes, np.uint64)
    position = np.empty(axes, np.int64)
    for axis in range(axes):
        first[0, axis] = 0
        last[0, axis] = ends[GREATEST, axis] - ends[LEAST, axis]
    word[0] = base
    position[0] = 0
    axis = 0
    total = 0
    while axis >= 0:  # a walk through the tree: each node is entered once, and left once
        if axis == deepest:
            if shape[CHUNKED]:
                total += last[axis, axis] - first[axis, axis] + 1
            else:
                for p in range(first[axis, axis], last[axis, axis] + 1):
                    total += count_bits(word[axis] & block[axis, p])
            axis -= 1
        elif axis == deepest - 1 and total <= limit:
            for p in range(position[axis], last[axis, axis] + 1):
                from_p = max(first[axis, deepest], low[axis, p, deepest])
                to_p = min(last[axis, deepest], high[axis, p, deepest])
                if shape[CHUNKED]:
                    total += to_p - from_p + 1
                else:
                    fits = word[axis] & block[axis, p]
                    for q in range(from_p, to_p + 1):
                        total += count_bits(fits & block[deepest, q])
            axis -= 1
        elif total > limit:
            return -1
        elif position[axis] > last[axis, axis]:
            axis -= 1
        else:
            p = position[axis]
            position[axis] += 1
            word[axis + 1] = word[axis] & block[axis, p]
            for later in range(axis + 1, axes):
                first[axis + 1, later] = max(first[axis, later], low[axis, p, later])
                last[axis + 1, later] = min(last[axis, later], high[axis, p, later])
            axis += 1
            position[axis] = first[axis, axis]
    return total if total <= limit else -1
