"""What is computed over the words of a packed lattice: counting, listing, reachability.

The arrays are those of `layout`. Leaves and bits are in topological order, so one pass forward sees
every cut after all its predecessors, 64 cuts at a time. Steps along a packed process are shifts within
a word; steps along an axis lead from the leaf one position earlier, found through the tree.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.layout import (
    AXES,
    CHUNKED,
    HIGH,
    LOW,
    OFFSET,
    ONE,
    PACKED,
    PARENT,
    POSITION,
    WORD,
    ZERO,
    Int32s,
    Words,
    count_bits,
    prepare,
)
from latwin.lattice.kernels.window import GREATEST, LEAST, Int64s


@njit(cache=True)
def lowest_bit(word: np.uint64) -> np.int64:
    """The place of the lowest set bit."""
    return count_bits((word & (~word + ONE)) - ONE)


@njit(cache=True)
def count_words(leaves: Words, count: int) -> int:
    """The number of cuts in the first `count` leaves."""
    total = 0
    for leaf in range(count):
        total += count_bits(leaves[leaf])
    return total


@njit(cache=True)
def count_cuts(
    clocks: Int64s,
    ends: Int64s,
    low: Int32s,
    high: Int32s,
    shape: Int64s,
    stride: Int64s,
    at_least: Words,
    block: Words,
    limit: int,
) -> int:
    """The number of cuts, by walking the tree without storing it; -1 when it exceeds `limit`.

    The last two axes are the inner loops: bounds for the last one are two comparisons, and its words are
    counted as they are met.
    """
    processes = ends.shape[1]
    base = prepare(clocks, ends, low, high, shape, stride, at_least, block)
    if shape[PACKED] == processes:
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
    while axis >= 0:
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


@njit(cache=True)
def spread_line(seeds: np.uint64, through: np.uint64) -> np.uint64:
    """All bits reached from `seeds` by steps of one bit into bits of `through` (1, 2, 4, ... at once)."""
    reached = seeds
    step = ONE
    while step < np.uint64(WORD):
        reached |= through & (reached << step)
        through &= through << step
        step <<= ONE
    return reached


@njit(cache=True)
def spread(seeds: np.uint64, allowed: np.uint64, steps: Words, entered: Words, count: int) -> np.uint64:
    """All bits of `allowed` that single steps within it reach from `seeds`, along `count` packed processes.

    A step along one of them is a shift by `steps`, into a bit of `entered`. The seeds that come from
    earlier leaves mostly hold the answer already, so few rounds are needed.
    """
    if count == 1:
        return spread_line(seeds, allowed & entered[0])
    reached = seeds
    previous = ZERO
    while reached != previous:
        previous = reached
        for k in range(count):
            reached |= (reached << steps[k]) & entered[k] & allowed
    return reached


@njit(cache=True)
def fill_steps(ends: Int64s, shape: Int64s, stride: Int64s, at_least: Words, steps: Words, entered: Words) -> int:
    """Set the shift of a step, and the bits it can lead to, of each process within a word; their number."""
    if shape[CHUNKED]:
        steps[0] = ONE
        entered[0] = ~ONE
        return 1
    count = 0
    for k in range(ends.shape[1] - shape[PACKED], ends.shape[1]):
        if ends[GREATEST, k] > ends[LEAST, k]:
            steps[count] = np.uint64(stride[k])
            entered[count] = at_least[k, 1]
            count += 1
    return count


@njit(cache=True)
def reach_avoiding(
    ends: Int64s,
    shape: Int64s,
    stride: Int64s,
    at_least: Words,
    span: Int32s,
    levels: Int64s,
    leaves: Words,
    links: Int32s,
    labels: Words,
    reached: Words,
) -> bool:
    """Mark in `reached` uint64[leaves + 1] the cuts to which the least cut leads through cuts without label.

    Returns whether the greatest cut is among them: whether some observation avoids the labels.
    """
    last_axis = shape[AXES] - 1
    steps = np.empty(ends.shape[1], np.uint64)
    entered = np.empty(ends.shape[1], np.uint64)
    inside = fill_steps(ends, shape, stride, at_least, steps, entered)
    carry = np.uint64(63 if shape[CHUNKED] else 0)  # from chunk to chunk only the last state leads on
    reached[count_leaves(span, levels, shape)] = ZERO  # what a link to no leaf finds
    leaf = 0
    for node in range(levels[last_axis], levels[last_axis + 1]):
        along = ONE if leaf == 0 else ZERO  # the first leaf's first bit is the least cut
        for _ in range(span[node, HIGH] - span[node, LOW] + 1):
            seeds = along
            for axis in range(last_axis):
                seeds |= reached[links[leaf, axis]]
            allowed = leaves[leaf] & ~labels[leaf]
            seeds &= allowed
            if seeds:
                seeds = spread(seeds, allowed, steps, entered, inside)
            reached[leaf] = seeds
            along = seeds >> carry
            leaf += 1
    return (reached[leaf - 1] >> np.uint64(greatest_bit(ends, shape, stride))) & ONE == ONE


@njit(cache=True)
def count_leaves(span: Int32s, levels: Int64s, shape: Int64s) -> int:
    """The number of leaves: one past the last node's last."""
    node = levels[shape[AXES]] - 1
    return span[node, OFFSET] + span[node, HIGH] + 1


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


@njit(cache=True)
def find_first(leaves: Words, labels: Words, count: int) -> int:
    """The first cut, in lexicographic order, that has a label: leaf * 64 + bit, or -1."""
    for leaf in range(count):
        both = leaves[leaf] & labels[leaf]
        if both:
            return leaf * WORD + lowest_bit(both)
    return -1


@njit(cache=True)
def fill_path(origin: Int32s, node: int, shape: Int64s, path: Int64s) -> None:
    """Set path[axis] to the position of `node`, whose children are leaves, on every axis but the last."""
    for axis in range(shape[AXES] - 2, -1, -1):
        path[axis] = origin[node, POSITION]
        node = origin[node, PARENT]


@njit(cache=True)
def list_cuts(
    ends: Int64s,
    shape: Int64s,
    stride: Int64s,
    origin: Int32s,
    span: Int32s,
    levels: Int64s,
    leaves: Words,
    cuts: Int64s,
) -> None:
    """Write all cuts in `leaves`, in lexicographic order, as positions into `cuts` int64[number of cuts, n]."""
    processes = ends.shape[1]
    last_axis = shape[AXES] - 1
    split = processes - shape[PACKED]
    row = 0
    path = np.zeros(last_axis + 1, np.int64)
    for node in range(levels[last_axis], levels[last_axis + 1]):
        fill_path(origin, node, shape, path)
        for position in range(span[node, LOW], span[node, HIGH] + 1):
            path[last_axis] = position
            word = leaves[span[node, OFFSET] + position]
            while word:
                bit = lowest_bit(word)
                word &= word - ONE
                for axis in range(split):
                    cuts[row, axis] = path[axis]
                if shape[CHUNKED]:
                    cuts[row, last_axis] = position * WORD + bit
                for k in range(split, processes):
                    cuts[row, k] = (bit // stride[k]) % (ends[GREATEST, k] - ends[LEAST, k] + 1)
                row += 1


@njit(cache=True)
def pack_flags(leaves: Words, count: int, flags: object, labels: Words) -> None:
    """Set `labels` from one flag (uint8) per cut in lexicographic order."""
    row = 0
    for leaf in range(count):
        word = leaves[leaf]
        label = ZERO
        while word:
            lowest = word & (~word + ONE)
            if flags[row]:  # type: ignore[index]
                label |= lowest
            word &= word - ONE
            row += 1
        labels[leaf] = label
