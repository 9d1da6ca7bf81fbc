"""One pass over the lattice of a part that stores almost nothing: no tree, no links, no labels.

It walks through the words of a `box`. What makes it quick:

- A node on the way down is two words: the positions on the axes that are compatible with the path, and the packed
  bits that are. A child is two ANDs.
- The cuts that were reached stand in the box, so the word one step earlier on an axis is at a fixed distance.
- A word is labelled only if it can be reached.

Larger parts are left to the tree (`layout`, `links`), which needs room only for the cuts that there are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Floats, Int32s, Int64s, Words
from latwin.lattice.kernels.box import BEYOND, Box, lay_out, pack
from latwin.lattice.kernels.box_labels import Labelling, label_word, prepare_labels
from latwin.lattice.kernels.part import Condition
from latwin.lattice.kernels.reachability import spread
from latwin.lattice.kernels.words import FULL, ONE, ZERO, count_bits, first_bits, lowest_bit

__all__ = ["BEYOND", "FAILS", "FINAL", "HOLDS", "TOO_LARGE", "sweep"]

HOLDS = 1  #: the answer is yes
FINAL = 2  #: and no open end was reached
FAILS = 0
TOO_LARGE = -1  #: there are more than `max_cuts` cuts


class Descent(NamedTuple):
    """A walk through the tree of the axes, down to the last one: what is known at each of its levels."""

    #: int64[axes + 1]: the position on each axis
    path: Int64s
    #: uint64[axes + 1]: the positions on the next axis still to come; those on all later axes, and the packed bits,
    #: that are compatible with the path
    todo: Words
    fitting: Words
    words: Words
    #: int64[axes + 1, 3]: the place of the path in the box; how many words are one step earlier; whether it has an
    #: open process at its last position
    about: Int64s
    #: int64[axes + 1]: the distances of the words one step earlier
    earlier: Int64s
    #: float64[axes + 1, S]: what the path adds to each sum
    sums: Floats


PLACE, EARLIER, ENDED = 0, 1, 2  #: columns of `about`


@njit(cache=True, inline="always")
def begin_descent(dims: Int64s, box: Box, sums: int) -> Descent:
    """At the root."""
    levels = box.axes + 1
    descent = Descent(
        np.zeros(levels, np.int64),
        np.zeros(levels, np.uint64),
        np.full(levels, FULL),
        np.full(levels, box.base),
        np.zeros((levels, 3), np.int64),
        np.zeros(levels, np.int64),
        np.zeros((levels, sums)),
    )
    descent.todo[0] = first_bits(dims[0]) if box.axes else ONE
    return descent


@njit(cache=True, inline="always")
def descend(dims: Int64s, box: Box, terms: Floats, is_open: Flags, descent: Descent, axis: int, offset: int) -> None:
    """Take the next position on an axis that is not the last; `offset` is where the next axis's positions begin."""
    about, sums = descent.about, descent.sums
    p = lowest_bit(descent.todo[axis])
    descent.todo[axis] &= descent.todo[axis] - ONE
    descent.path[axis] = p
    descent.words[axis + 1] = descent.words[axis] & box.block[axis, p]
    about[axis + 1, PLACE] = about[axis, PLACE] + p * box.stride[axis]
    about[axis + 1, EARLIER] = about[axis, EARLIER]
    if p:
        descent.earlier[about[axis, EARLIER]] = box.stride[axis]
        about[axis + 1, EARLIER] += 1
    about[axis + 1, ENDED] = 1 if is_open[axis] and p == dims[axis] - 1 else about[axis, ENDED]
    for s in range(sums.shape[1]):
        sums[axis + 1, s] = sums[axis, s] + terms[s, axis, p]
    descent.fitting[axis + 1] = descent.fitting[axis] & box.allowed[axis, p]
    descent.todo[axis + 1] = descent.fitting[axis + 1] >> np.uint64(offset) & first_bits(dims[axis + 1])


@njit(cache=True)
def sweep(
    dims: Int64s,
    low: Int32s,
    condition: Condition,
    is_definitely: bool,
    is_open: Flags,
    corners: Int64s,
    max_cuts: int,
    found: Int64s,
) -> int:
    """HOLDS if some cut, or, with `is_definitely`, every observation, satisfies the condition; else FAILS.

    The lexicographically first cut that does is then in `found` int64[m], but not with `is_definitely`.

    FINAL is added to a `definitely` if no open end (`final.find_open`) is reached while the condition is false.
    TOO_LARGE and BEYOND say that there is no answer.
    """
    stride = np.zeros(len(dims), np.int64)
    axes = pack(dims, stride)
    if axes < 0:
        return BEYOND
    box = lay_out(dims, low, stride, axes)
    labelling = prepare_labels(condition, dims, box.bits, axes)
    reached = np.zeros(stride[0] * dims[0] if axes and is_definitely else 1, np.uint64)
    outcome, word, place = pass_over(dims, box, condition, labelling, is_definitely, is_open, max_cuts, reached)
    if outcome == TOO_LARGE:
        return TOO_LARGE
    if not is_definitely:
        if not word:
            return FAILS
        for k in range(len(dims)):
            found[k] = (place if k < axes else lowest_bit(word)) // stride[k] % dims[k]
        return HOLDS
    greatest = 0
    for k in range(axes, len(dims)):
        greatest += stride[k] * (dims[k] - 1)
    if reached[-1] >> np.uint64(greatest) & ONE:
        return FAILS
    for r in range(len(corners)):
        if outcome & FINAL and has_reached(reached, dims, box.bits, axes, corners[r]):
            outcome = HOLDS
    return outcome


@njit(cache=True, inline="always")
def pass_over(
    dims: Int64s,
    box: Box,
    condition: Condition,
    labelling: Labelling,
    is_definitely: bool,
    is_open: Flags,
    max_cuts: int,
    reached: Words,
) -> tuple[int, np.uint64, int]:
    """The pass: mark in the box `reached` the cuts to which the least one leads while the condition is false.

    HOLDS, with FINAL if none of them has an open process at its last position; TOO_LARGE beyond `max_cuts` cuts. If
    not `is_definitely`, it ends with the first word that has cuts which satisfy the condition: these cuts, and the
    place of the word, are the other results.
    """
    axes, last, terms = box.axes, max(box.axes - 1, 0), condition.terms
    open_word = ZERO
    for k in range(axes, len(dims)):
        if is_open[k]:
            open_word |= box.bits[k, dims[k] - 1]
    descent = begin_descent(dims, box, len(terms))
    todo, about, earlier = descent.todo, descent.about, descent.earlier
    sums = np.empty(len(terms))
    outcome = HOLDS | FINAL
    cuts = 0
    axis = offset = 0
    while axis >= 0:  # each node of the tree is entered once, and left once
        if axis < last:
            if todo[axis]:
                offset += dims[axis]
                descend(dims, box, terms, is_open, descent, axis, offset)
                axis += 1
            else:
                axis -= 1
                offset -= dims[axis]
            continue
        positions, here = todo[axis], about[axis, PLACE]
        while positions:
            p = lowest_bit(positions)
            positions &= positions - ONE
            word = descent.words[axis] & box.block[axis, p]
            cuts += count_bits(word)
            if cuts > max_cuts:
                return TOO_LARGE, ZERO, 0
            place = here + p
            seeds = FULL
            if is_definitely:
                seeds = reached[place - 1] if p else ONE if place == 0 else ZERO
                for r in range(about[axis, EARLIER]):
                    seeds |= reached[place - earlier[r]]
            if not seeds & word:
                continue
            descent.path[axis] = p
            for s in range(len(terms)):
                sums[s] = descent.sums[axis, s] + terms[s, axis, p] if axes else 0.0
            label = label_word(condition, labelling, dims, axes, descent.path, sums)
            if not is_definitely:
                if word & label:
                    return HOLDS, word & label, place
                continue
            word &= ~label
            seeds &= word
            if seeds:
                seeds = spread(seeds, word, box.shifts, box.entered)
                reached[place] = seeds
                is_ended = about[axis, ENDED] or (axes and is_open[axis] and p == dims[axis] - 1)
                if is_ended or seeds & open_word:
                    outcome = HOLDS
        axis -= 1
        offset -= dims[axis]
    return outcome, ZERO, 0


@njit(cache=True, inline="always")
def has_reached(reached: Words, dims: Int64s, bits: Words, axes: int, corner: Int64s) -> bool:
    """Whether a cut in the box `reached` is at or above `corner` int64[m]."""
    inside = FULL
    for k in range(axes, len(dims)):
        above = ZERO
        for p in range(corner[k], dims[k]):
            above |= bits[k, p]
        inside &= above
    for place in range(len(reached)):
        if not reached[place] & inside:
            continue
        rest = place
        is_above = True
        for axis in range(axes - 1, -1, -1):
            is_above &= rest % dims[axis] >= corner[axis]
            rest //= dims[axis]
        if is_above:
            return True
    return False
