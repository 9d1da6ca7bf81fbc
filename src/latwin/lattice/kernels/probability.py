"""How many observations there are, and how many of them avoid the labelled cuts.

Counts are sums of positive numbers in double precision: each addition rounds by at most one part in 2^53, so a count
that took k additions on its longest way is off by at most about k parts in 2^53. Zero is exact, and two counts
over the same cuts are equal to the last bit. Beyond 1.8e308 observations a count is infinite.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Floats, Words
from latwin.lattice.kernels.layout import AXES, CHUNKED, HIGH, LOW, Lattice
from latwin.lattice.kernels.steps import count_leaves, greatest_bit, steps_inside
from latwin.lattice.kernels.words import ONE, WORD, lowest_bit


@njit(cache=True)
def count_observations(lattice: Lattice, labels: Words, totals: Floats, avoiding: Floats) -> tuple[float, float]:
    """The number of observations, and of those without a labelled cut.

    `totals`, `avoiding` float64[leaves + 1, 64] are scratch: the numbers of ways from the least cut to each.
    """
    lattice = Lattice(*lattice)
    shape, span, levels, leaves, links = lattice.shape, lattice.span, lattice.levels, lattice.leaves, lattice.links
    count = count_leaves(lattice)
    last_axis = shape[AXES] - 1
    shifts, entered = steps_inside(lattice)
    totals[: count + 1] = 0.0
    avoiding[: count + 1] = 0.0
    leaf = 0
    for node in range(levels[last_axis], levels[last_axis + 1]):
        for nth in range(span[node, HIGH] - span[node, LOW] + 1):
            word = leaves[leaf]
            while word:
                bit = lowest_bit(word)
                mask = ONE << np.uint64(bit)
                word &= word - ONE
                total = 0.0
                clear = 0.0
                if leaf == 0 and bit == 0:
                    total = 1.0
                    clear = 1.0
                for axis in range(last_axis):
                    other = links[leaf, axis]
                    total += totals[other, bit]
                    clear += avoiding[other, bit]
                if nth > 0 and not shape[CHUNKED]:
                    total += totals[leaf - 1, bit]
                    clear += avoiding[leaf - 1, bit]
                elif nth > 0 and bit == 0:
                    total += totals[leaf - 1, WORD - 1]
                    clear += avoiding[leaf - 1, WORD - 1]
                for k in range(len(shifts)):
                    if entered[k] & mask:
                        total += totals[leaf, bit - np.int64(shifts[k])]
                        clear += avoiding[leaf, bit - np.int64(shifts[k])]
                totals[leaf, bit] = total
                avoiding[leaf, bit] = 0.0 if labels[leaf] & mask else clear
            leaf += 1
    bit = greatest_bit(lattice.ends, shape, lattice.stride)
    return totals[count - 1, bit], avoiding[count - 1, bit]
