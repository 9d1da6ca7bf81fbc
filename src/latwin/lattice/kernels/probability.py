"""How many observations meet a labelled cut, and how many avoid all of them.

Both are sums of positive numbers in double precision, taken apart from each other so that neither is the difference
of two large ones. Each addition rounds by at most one part in 2^53, and below 2^53 not at all; so each count, however
small beside the other, is off by at most about n L parts in 2^53, for n processes and observations of L steps. Zero
is exact. Beyond 1.8e308 observations a count is infinite.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Floats, Words
from latwin.lattice.kernels.layout import AXES, CHUNKED, HIGH, LOW, Lattice
from latwin.lattice.kernels.steps import count_leaves, greatest_bit, steps_inside
from latwin.lattice.kernels.words import ONE, WORD, lowest_bit


@njit(cache=True)
def count_observations(lattice: Lattice, labels: Words, ways: Floats) -> tuple[float, float]:
    """The number of observations with a labelled cut, and of those without.

    `ways` float64[leaves, 128] is scratch: for each bit of a word the number of ways from the least cut that met a
    labelled one, and 64 further on the number of those that did not. What comes from other leaves is added for a
    whole word at once, and what comes from within the word bit by bit.
    """
    lattice = Lattice(*lattice)
    shape, span, levels, leaves, links = lattice.shape, lattice.span, lattice.levels, lattice.leaves, lattice.links
    count = count_leaves(lattice)
    last_axis = shape[AXES] - 1
    shifts, entered = steps_inside(lattice)
    incoming = np.zeros(2 * WORD)
    incoming[WORD] = 1.0  # the least cut
    leaf = 0
    for node in range(levels[last_axis], levels[last_axis + 1]):
        for nth in range(span[node, HIGH] - span[node, LOW] + 1):
            for axis in range(last_axis):
                if links[leaf, axis] < count:
                    add_to(incoming, ways[links[leaf, axis]])
            if nth > 0 and shape[CHUNKED]:
                incoming[0] += ways[leaf - 1, WORD - 1]
                incoming[WORD] += ways[leaf - 1, 2 * WORD - 1]
            elif nth > 0:
                add_to(incoming, ways[leaf - 1])
            here = ways[leaf]
            here[:] = 0.0
            word = leaves[leaf]
            while word:
                bit = lowest_bit(word)
                mask = ONE << np.uint64(bit)
                word &= word - ONE
                met, clear = incoming[bit], incoming[WORD + bit]
                for k in range(len(shifts)):
                    if entered[k] & mask:
                        before = bit - np.int64(shifts[k])
                        met += here[before]
                        clear += here[WORD + before]
                if labels[leaf] & mask:
                    here[bit] = met + clear
                else:
                    here[bit], here[WORD + bit] = met, clear
            incoming[:] = 0.0
            leaf += 1
    bit = greatest_bit(lattice.ends, shape, lattice.stride)
    return ways[count - 1, bit], ways[count - 1, WORD + bit]


@njit(cache=True)
def add_to(sums: Floats, others: Floats) -> None:
    """Add numbers to numbers, both float64[128]."""
    for at in range(2 * WORD):
        sums[at] += others[at]
