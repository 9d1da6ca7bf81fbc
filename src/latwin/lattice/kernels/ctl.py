"""Backward passes over a packed lattice: which cuts have a step, or a way, into a set of cuts.

The sets are words per leaf, as everywhere. Leaves are visited from the last to the first, so that every cut is
seen after all its successors; what a leaf found is handed to the leaves one step before it (`links`), and within a
word steps back are shifts. So every fixpoint takes one pass.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Int32s, Int64s, Words
from latwin.lattice.kernels.layout import AXES, CHUNKED, HIGH, LOW, OFFSET, Lattice
from latwin.lattice.kernels.steps import count_leaves, greatest_bit, steps_inside
from latwin.lattice.kernels.words import ONE, WORD, ZERO

_TOP = np.uint64(WORD - 1)


@njit(cache=True)
def step_back(word: np.uint64, shifts: Words, entered: Words) -> np.uint64:
    """The bits from which one step within the word leads into `word`."""
    before = ZERO
    for k in range(len(shifts)):
        before |= (word & entered[k]) >> shifts[k]
    return before


@njit(cache=True)
def hand_back(word: np.uint64, leaf: int, is_first: bool, shape: Int64s, links: Int32s, pending: Words) -> None:
    """Tell the leaves one step before this one, on every axis, of the bits in `word`."""
    for axis in range(shape[AXES] - 1):
        pending[links[leaf, axis]] |= word
    if not is_first:
        pending[leaf - 1] |= (word & ONE) << _TOP if shape[CHUNKED] else word


@njit(cache=True)
def some_next(lattice: Lattice, goal: Words, result: Words) -> None:
    """EX: set `result` to the cuts with a step into `goal`."""
    lattice = Lattice(*lattice)
    shape, span, levels, leaves, links = lattice.shape, lattice.span, lattice.levels, lattice.leaves, lattice.links
    count = count_leaves(lattice)
    shifts, entered = steps_inside(lattice)
    pending = np.zeros(count + 1, np.uint64)
    last_axis = shape[AXES] - 1
    for node in range(levels[last_axis + 1] - 1, levels[last_axis] - 1, -1):
        for position in range(span[node, HIGH], span[node, LOW] - 1, -1):
            leaf = span[node, OFFSET] + position
            word = goal[leaf] & leaves[leaf]
            result[leaf] = leaves[leaf] & (pending[leaf] | step_back(word, shifts, entered))
            hand_back(word, leaf, position == span[node, LOW], shape, links, pending)


@njit(cache=True)
def until(lattice: Lattice, hold: Words, goal: Words, on_all: bool, result: Words) -> None:
    """E[hold U goal], or A[hold U goal] if `on_all`: set `result` to the cuts where it holds.

    For A, leaves hand back the cuts where it does *not* hold: a cut with such a successor fails, unless it is in
    `goal` itself. The greatest cut has no successor, and a way that ends there without the goal has missed it.
    """
    lattice = Lattice(*lattice)
    shape, span, levels, leaves, links = lattice.shape, lattice.span, lattice.levels, lattice.leaves, lattice.links
    count = count_leaves(lattice)
    shifts, entered = steps_inside(lattice)
    pending = np.zeros(count + 1, np.uint64)
    last_axis = shape[AXES] - 1
    for node in range(levels[last_axis + 1] - 1, levels[last_axis] - 1, -1):
        for position in range(span[node, HIGH], span[node, LOW] - 1, -1):
            leaf = span[node, OFFSET] + position
            valid = leaves[leaf]
            met = goal[leaf] & valid
            going = hold[leaf] & valid
            if on_all and leaf == count - 1:
                going &= ~(ONE << np.uint64(greatest_bit(lattice.ends, shape, lattice.stride)))
            found = met
            while True:  # both right-hand sides grow with `found`, so each of at most 64 rounds adds a bit
                if on_all:
                    bad = pending[leaf] | step_back(valid & ~found, shifts, entered)
                    more = met | (going & ~bad)
                else:
                    more = met | (going & (pending[leaf] | step_back(found, shifts, entered)))
                if more == found:
                    break
                found = more
            result[leaf] = found
            word = valid & ~found if on_all else found
            hand_back(word, leaf, position == span[node, LOW], shape, links, pending)
