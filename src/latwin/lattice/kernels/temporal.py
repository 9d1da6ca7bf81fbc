"""Backward passes over a packed lattice: which cuts have a step, or a way, into a set of cuts.

The sets are words per leaf, as everywhere. Leaves are visited from the last to the first, so that every cut is
seen after all its successors; what a leaf found is handed to the leaves one step before it (`links`), and within a
word steps back are shifts. So every fixpoint takes one pass.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.layout import AXES, CHUNKED, HIGH, LOW, OFFSET, ONE, WORD, ZERO, Int32s, Words
from latwin.lattice.kernels.passes import count_leaves, fill_steps, greatest_bit
from latwin.lattice.kernels.window import Int64s

_TOP = np.uint64(WORD - 1)


@njit(cache=True)
def step_back(word: np.uint64, steps: Words, entered: Words, inside: int) -> np.uint64:
    """The bits from which one step within the word leads into `word`."""
    before = ZERO
    for k in range(inside):
        before |= (word & entered[k]) >> steps[k]
    return before


@njit(cache=True)
def hand_back(word: np.uint64, leaf: int, is_first: bool, shape: Int64s, links: Int32s, pending: Words) -> None:
    """Tell the leaves one step before this one, on every axis, of the bits in `word`."""
    for axis in range(shape[AXES] - 1):
        pending[links[leaf, axis]] |= word
    if not is_first:
        pending[leaf - 1] |= (word & ONE) << _TOP if shape[CHUNKED] else word


@njit(cache=True)
def some_next(
    ends: Int64s,
    shape: Int64s,
    stride: Int64s,
    at_least: Words,
    span: Int32s,
    levels: Int64s,
    leaves: Words,
    links: Int32s,
    goal: Words,
    result: Words,
) -> None:
    """EX: set `result` to the cuts with a step into `goal`."""
    count = count_leaves(span, levels, shape)
    steps = np.empty(ends.shape[1], np.uint64)
    entered = np.empty(ends.shape[1], np.uint64)
    inside = fill_steps(ends, shape, stride, at_least, steps, entered)
    pending = np.zeros(count + 1, np.uint64)
    last_axis = shape[AXES] - 1
    for node in range(levels[last_axis + 1] - 1, levels[last_axis] - 1, -1):
        for position in range(span[node, HIGH], span[node, LOW] - 1, -1):
            leaf = span[node, OFFSET] + position
            word = goal[leaf] & leaves[leaf]
            result[leaf] = leaves[leaf] & (pending[leaf] | step_back(word, steps, entered, inside))
            hand_back(word, leaf, position == span[node, LOW], shape, links, pending)


@njit(cache=True)
def until(
    ends: Int64s,
    shape: Int64s,
    stride: Int64s,
    at_least: Words,
    span: Int32s,
    levels: Int64s,
    leaves: Words,
    links: Int32s,
    hold: Words,
    goal: Words,
    on_all: bool,
    result: Words,
) -> None:
    """E[hold U goal], or A[hold U goal] if `on_all`: set `result` to the cuts where it holds.

    For A, leaves hand back the cuts where it does *not* hold: a cut with such a successor fails, unless it is in
    `goal` itself. The greatest cut has no successor, and a way that ends there without the goal has missed it.
    """
    count = count_leaves(span, levels, shape)
    steps = np.empty(ends.shape[1], np.uint64)
    entered = np.empty(ends.shape[1], np.uint64)
    inside = fill_steps(ends, shape, stride, at_least, steps, entered)
    pending = np.zeros(count + 1, np.uint64)
    last_axis = shape[AXES] - 1
    for node in range(levels[last_axis + 1] - 1, levels[last_axis] - 1, -1):
        for position in range(span[node, HIGH], span[node, LOW] - 1, -1):
            leaf = span[node, OFFSET] + position
            valid = leaves[leaf]
            met = goal[leaf] & valid
            going = hold[leaf] & valid
            if on_all and leaf == count - 1:
                going &= ~(ONE << np.uint64(greatest_bit(ends, shape, stride)))
            found = met
            while True:
                if on_all:
                    bad = pending[leaf] | step_back(valid & ~found, steps, entered, inside)
                    more = met | (going & ~bad)
                else:
                    more = met | (going & (pending[leaf] | step_back(found, steps, entered, inside)))
                if more == found:
                    break
                found = more
            result[leaf] = found
            word = valid & ~found if on_all else found
            hand_back(word, leaf, position == span[node, LOW], shape, links, pending)
