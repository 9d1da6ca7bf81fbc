"""From the bits of a packed lattice to cuts, and from flags of cuts to bits."""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Int32s, Int64s, Words
from latwin.lattice.kernels.layout import AXES, CHUNKED, HIGH, LOW, OFFSET, PACKED, PARENT, POSITION, Lattice
from latwin.lattice.kernels.window import GREATEST, LEAST
from latwin.lattice.kernels.words import ONE, WORD, ZERO, first_bits, lowest_bit


@njit(cache=True)
def find_first(leaves: Words, labels: Words, count: int) -> int:
    """The first cut, in lexicographic order, that has a label: leaf * 64 + bit, or -1."""
    for leaf in range(count):
        both = leaves[leaf] & labels[leaf]
        if both:
            return leaf * WORD + lowest_bit(both)
    return -1


@njit(cache=True)
def fill_path(origin: Int32s, node: int, path: Int64s) -> None:
    """Set path[axis] to the position of `node`, whose children are leaves, on every axis but the last."""
    for axis in range(len(path) - 2, -1, -1):
        path[axis] = origin[node, POSITION]
        node = origin[node, PARENT]


@njit(cache=True)
def list_cuts(lattice: Lattice, words: Words, cuts: Int64s) -> None:
    """Write all cuts in `words`, one for each leaf, as state numbers into `cuts` int64[number of cuts, n].

    They come in lexicographic order.
    """
    lattice = Lattice(*lattice)
    ends, shape, stride = lattice.ends, lattice.shape, lattice.stride
    span, levels = lattice.span, lattice.levels
    processes = ends.shape[1]
    last_axis = shape[AXES] - 1
    split = processes - shape[PACKED]
    row = 0
    path = np.zeros(last_axis + 1, np.int64)
    for node in range(levels[last_axis], levels[last_axis + 1]):
        fill_path(lattice.origin, node, path)
        for position in range(span[node, LOW], span[node, HIGH] + 1):
            path[last_axis] = position
            word = words[span[node, OFFSET] + position]
            while word:
                bit = lowest_bit(word)
                word &= word - ONE
                for axis in range(split):
                    cuts[row, axis] = ends[LEAST, axis] + path[axis]
                if shape[CHUNKED]:
                    cuts[row, last_axis] = ends[LEAST, last_axis] + position * WORD + bit
                for k in range(split, processes):
                    cuts[row, k] = ends[LEAST, k] + (bit // stride[k]) % (ends[GREATEST, k] - ends[LEAST, k] + 1)
                row += 1


@njit(cache=True)
def pack_flags(leaves: Words, count: int, flags: Flags, labels: Words) -> None:
    """Set `labels` from one flag (uint8) per cut in lexicographic order."""
    row = 0
    for leaf in range(count):
        word = leaves[leaf]
        label = ZERO
        while word:
            lowest = word & (~word + ONE)
            if flags[row]:
                label |= lowest
            word &= word - ONE
            row += 1
        labels[leaf] = label


@njit(cache=True)
def has_cut_within(lattice: Lattice, words: Words, lowest: Int64s, highest: Int64s) -> bool:
    """Whether some cut in `words`, one for each leaf, has all its positions in `lowest` .. `highest`, int64[n]."""
    lattice = Lattice(*lattice)
    ends, shape, at_least = lattice.ends, lattice.shape, lattice.at_least
    span, levels = lattice.span, lattice.levels
    processes = ends.shape[1]
    last_axis = shape[AXES] - 1
    split = processes - shape[PACKED]
    inside = ~ZERO  # the bits whose positions fit
    for k in range(split, processes):
        inside &= at_least[k, lowest[k]] & ~at_least[k, highest[k] + 1]
    path = np.zeros(last_axis + 1, np.int64)
    for node in range(levels[last_axis], levels[last_axis + 1]):
        fill_path(lattice.origin, node, path)
        fits = True
        for axis in range(last_axis):
            if not lowest[axis] <= path[axis] <= highest[axis]:
                fits = False
                break
        if not fits:
            continue
        for position in range(span[node, LOW], span[node, HIGH] + 1):
            word = words[span[node, OFFSET] + position] & inside
            if not word:
                continue
            if shape[CHUNKED]:
                first, last = lowest[last_axis] - position * WORD, highest[last_axis] - position * WORD
                if first < WORD and last >= 0:
                    word &= first_bits(last + 1) & ~first_bits(max(first, 0))
                    if word:
                        return True
            elif split == 0 or lowest[last_axis] <= position <= highest[last_axis]:
                return True
    return False
