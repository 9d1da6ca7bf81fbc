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
def count_observations(lattice: Lattice, labels: Words, meeting: Floats, avoiding: Floats) -> tuple[float, float]:
    """The number of observations with a labelled cut, and of those without.

    `meeting`, `avoiding` float64[leaves + 1, 64] are scratch: the numbers of such ways from the least cut to each.
    """
    lattice = Lattice(*lattice)
    shape, span, levels, leaves, links = lattice.shape, lattice.span, lattice.levels, lattice.leaves, lattice.links
    count = count_leaves(lattice)
    last_axis = shape[AXES] - 1
    shifts, entered = steps_inside(lattice)
    meeting[: count + 1] = 0.0
    avoiding[: count + 1] = 0.0
    leaf = 0
    for node in range(levels[last_axis], levels[last_axis + 1]):
        for nth in range(span[node, HIGH] - span[node, LOW] + 1):
            word = leaves[leaf]
            while word:
                bit = lowest_bit(word)
                mask = ONE << np.uint64(bit)
                word &= word - ONE
                met = 0.0
                clear = 1.0 if leaf == 0 and bit == 0 else 0.0
                for axis in range(last_axis):
                    other = links[leaf, axis]
                    met += meeting[other, bit]
                    clear += avoiding[other, bit]
                if nth > 0 and not shape[CHUNKED]:
                    met += meeting[leaf - 1, bit]
                    clear += avoiding[leaf - 1, bit]
                elif nth > 0 and bit == 0:
                    met += meeting[leaf - 1, WORD - 1]
                    clear += avoiding[leaf - 1, WORD - 1]
                for k in range(len(shifts)):
                    if entered[k] & mask:
                        met += meeting[leaf, bit - np.int64(shifts[k])]
                        clear += avoiding[leaf, bit - np.int64(shifts[k])]
                is_labelled = labels[leaf] & mask
                meeting[leaf, bit] = met + clear if is_labelled else met
                avoiding[leaf, bit] = 0.0 if is_labelled else clear
            leaf += 1
    bit = greatest_bit(lattice.ends, shape, lattice.stride)
    return meeting[count - 1, bit], avoiding[count - 1, bit]
