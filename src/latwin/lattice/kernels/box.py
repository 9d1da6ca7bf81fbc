"""A part of the window as a box of words: how its cuts are packed, and what is compatible with what.

The packing is that of `layout`: words of up to 64 cuts, below axes. But no tree is built: the box has a place for
each choice of positions on the axes, consistent or not, so that the word one step earlier on an axis is at a fixed
distance. And the positions of all axes fit one word, too, so that what is compatible with a position is two words.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Int32s, Int64s, Words
from latwin.lattice.kernels.words import FULL, ONE, WORD, ZERO, first_bits, repeat

BEYOND = -2  #: the part has too many positions for a box

#: places of a box, at most
MOST_PLACES = 1 << 18


class Box(NamedTuple):
    """How the cuts of a part are packed, and its single steps. m processes, the first of which are axes."""

    axes: int
    #: int64[m]: the distance of neighbours, in bits of a packed process, in places of an axis
    stride: Int64s
    #: uint64[m, D]: of a packed process, the bits with each position
    bits: Words
    #: uint64[axes, D]: what is compatible with a position: on later axes, and among the packed bits
    allowed: Words
    block: Words
    #: the packed combinations that are consistent
    base: np.uint64
    #: steps within a word: their shifts, and the bits to which they can lead
    shifts: Words
    entered: Words


@njit(cache=True, inline="always")
def pack(dims: Int64s, stride: Int64s) -> int:
    """Set the `stride` of the packed processes; the number of axes, or BEYOND if the positions are too many."""
    product = 1
    split = len(dims)
    while split > 0 and product * dims[split - 1] <= WORD:
        split -= 1
        stride[split] = product
        product *= dims[split]
    places = 1
    positions = 0
    for axis in range(split):
        positions += dims[axis]
        places *= dims[axis]
        if positions > WORD or places > MOST_PLACES:
            return BEYOND
    return split if split < len(dims) else BEYOND


@njit(cache=True, inline="always")
def find_bits(dims: Int64s, stride: Int64s, axes: int) -> Words:
    """uint64[m, D]: of a packed process, the bits of a word with position p."""
    bits = np.zeros((len(dims), dims.max()), np.uint64)
    for k in range(axes, len(dims)):
        for p in range(dims[k]):
            here = first_bits((p + 1) * stride[k]) & ~first_bits(p * stride[k])
            bits[k, p] = repeat(here, dims[k] * stride[k])
    return bits


@njit(cache=True, inline="always")
def find_masks(dims: Int64s, low: Int32s, bits: Words, axes: int) -> tuple[Words, Words, np.uint64]:
    """What is compatible with position p on an axis, and the packed combinations that are consistent.

    Two arrays uint64[axes, D]: the positions on later axes, where those of axis a follow those of axis a - 1; and the
    packed bits.
    """
    processes = len(dims)
    allowed = np.zeros((max(axes, 1), dims.max()), np.uint64)
    block = np.full((max(axes, 1), dims.max()), FULL)
    base = FULL
    offset = 0
    for a in range(axes):
        offset += dims[a]
        for p in range(dims[a]):
            begin = offset
            for b in range(a + 1, processes):
                fits = ZERO
                for q in range(dims[b]):
                    if low[a, p, b] <= q and low[b, q, a] <= p:
                        fits |= ONE << np.uint64(begin + q) if b < axes else bits[b, q]
                if b < axes:
                    allowed[a, p] |= fits
                    begin += dims[b]
                else:
                    block[a, p] &= fits
    for j in range(axes, processes):
        valid = ZERO
        for p in range(dims[j]):
            fits = bits[j, p]
            for k in range(j + 1, processes):
                others = ZERO
                for q in range(dims[k]):
                    if low[j, p, k] <= q and low[k, q, j] <= p:
                        others |= bits[k, q]
                fits &= others
            valid |= fits
        base &= valid
    return allowed, block, base


@njit(cache=True, inline="always")
def lay_out(dims: Int64s, low: Int32s, stride: Int64s, axes: int) -> Box:
    """Prepare the pass, after `pack` has chosen axes and strides of packed processes."""
    processes = len(dims)
    bits = find_bits(dims, stride, axes)
    allowed, block, base = find_masks(dims, low, bits, axes)
    base &= first_bits(stride[axes] * dims[axes])
    shifts = np.empty(processes, np.uint64)
    entered = np.empty(processes, np.uint64)
    inside = 0
    for k in range(axes, processes):
        if dims[k] > 1:
            shifts[inside] = np.uint64(stride[k])
            entered[inside] = ~bits[k, 0]
            inside += 1
    places = 1
    for axis in range(axes - 1, -1, -1):
        stride[axis] = places
        places *= dims[axis]
    return Box(axes, stride, bits, allowed, block, base, shifts[:inside], entered[:inside])
