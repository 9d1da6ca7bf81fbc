"""Passes over a packed lattice: which cuts have a step, or a way, into a set of cuts, or out of it.

The sets are words per leaf, as everywhere. To look forward, leaves are visited from the last to the first, so that
every cut is seen after all its successors; what a leaf found is handed to the leaves one step before it (`links`),
and within a word steps back are shifts. To look back, they are visited from the first to the last, and each asks the
leaves before it. So every fixpoint takes one pass.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Int32s, Int64s, Words
from latwin.lattice.kernels.layout import AXES, CHUNKED, HIGH, LOW, OFFSET, Lattice
from latwin.lattice.kernels.reachability import spread
from latwin.lattice.kernels.sequences import step_on
from latwin.lattice.kernels.steps import count_leaves, steps_inside
from latwin.lattice.kernels.words import ONE, WORD, ZERO

_TOP = np.uint64(WORD - 1)


@njit(cache=True, inline="always")
def step_back(word: np.uint64, shifts: Words, entered: Words) -> np.uint64:
    """The bits from which one step within the word leads into `word`."""
    before = ZERO
    for k in range(len(shifts)):
        before |= (word & entered[k]) >> shifts[k]
    return before


@njit(cache=True, inline="always")
def spread_back(seeds: np.uint64, allowed: np.uint64, shifts: Words, entered: Words) -> np.uint64:
    """The seeds, and all bits of `allowed` from which single steps through it lead to them."""
    found = seeds
    if len(shifts) == 1:  # 1, 2, 4, ... steps at once
        step = ONE
        while step < np.uint64(WORD):
            found |= allowed & (found >> step)
            allowed &= allowed >> step
            step <<= ONE
        return found
    previous = ZERO
    while found != previous:  # every round but the last adds a bit
        previous = found
        for k in range(len(shifts)):
            found |= ((found & entered[k]) >> shifts[k]) & allowed
    return found


@njit(cache=True)
def hand_back(word: np.uint64, leaf: int, is_first: bool, shape: Int64s, links: Int32s, pending: Words) -> None:
    """Tell the leaves one step before this one, on every axis, of the bits in `word`."""
    for axis in range(shape[AXES] - 1):
        pending[links[leaf, axis]] |= word
    if not is_first:
        pending[leaf - 1] |= (word & ONE) << _TOP if shape[CHUNKED] else word


@njit(cache=True, inline="always")
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


@njit(cache=True, inline="always")
def until(lattice: Lattice, hold: Words, goal: Words, result: Words) -> None:
    """E[hold U goal]: set `result` to the cuts from which some way leads through `hold` to `goal`."""
    lattice = Lattice(*lattice)
    shape, span, levels, leaves, links = lattice.shape, lattice.span, lattice.levels, lattice.leaves, lattice.links
    count = count_leaves(lattice)
    shifts, entered = steps_inside(lattice)
    pending = np.zeros(count + 1, np.uint64)
    last_axis = shape[AXES] - 1
    for node in range(levels[last_axis + 1] - 1, levels[last_axis] - 1, -1):
        for position in range(span[node, HIGH], span[node, LOW] - 1, -1):
            leaf = span[node, OFFSET] + position
            going = hold[leaf] & leaves[leaf]
            found = (goal[leaf] & leaves[leaf]) | (going & pending[leaf])
            if found:
                found = spread_back(found, going, shifts, entered)
                hand_back(found, leaf, position == span[node, LOW], shape, links, pending)
            result[leaf] = found


@njit(cache=True, inline="always")
def some_previous(lattice: Lattice, origin: Words, result: Words) -> None:
    """EY: set `result` to the cuts to which a step leads from `origin`.

    The last word of `origin` uint64[leaves + 1] is zero, for links that lead nowhere.
    """
    lattice = Lattice(*lattice)
    shape, span, levels, leaves, links = lattice.shape, lattice.span, lattice.levels, lattice.leaves, lattice.links
    shifts, entered = steps_inside(lattice)
    carry = _TOP if shape[CHUNKED] else ZERO
    last_axis = shape[AXES] - 1
    leaf = 0
    for node in range(levels[last_axis], levels[last_axis + 1]):
        for position in range(span[node, HIGH] - span[node, LOW] + 1):
            before = origin[leaf - 1] >> carry if position else ZERO
            for axis in range(last_axis):
                before |= origin[links[leaf, axis]]
            result[leaf] = leaves[leaf] & (before | step_on(origin[leaf], shifts, entered))
            leaf += 1


@njit(cache=True, inline="always")
def since(lattice: Lattice, hold: Words, goal: Words, result: Words) -> None:
    """E[hold S goal]: set `result` uint64[leaves + 1] to the cuts to which some way leads from `goal` through `hold`.

    The last word of the result is zero, for links that lead nowhere.
    """
    lattice = Lattice(*lattice)
    shape, span, levels, leaves, links = lattice.shape, lattice.span, lattice.levels, lattice.leaves, lattice.links
    shifts, entered = steps_inside(lattice)
    carry = _TOP if shape[CHUNKED] else ZERO
    last_axis = shape[AXES] - 1
    result[count_leaves(lattice)] = ZERO
    leaf = 0
    for node in range(levels[last_axis], levels[last_axis + 1]):
        for position in range(span[node, HIGH] - span[node, LOW] + 1):
            going = hold[leaf] & leaves[leaf]
            before = result[leaf - 1] >> carry if position else ZERO
            for axis in range(last_axis):
                before |= result[links[leaf, axis]]
            found = (goal[leaf] & leaves[leaf]) | (going & before)
            if found:
                found = spread(found, going, shifts, entered)
            result[leaf] = found
            leaf += 1
