"""A sum over processes as integers: what every state is worth, and which states it needs.

The questions about sums (see `sums`) are all brought to one form, "the sum is at least so much", and are asked of
integers. A state that makes the condition false whatever the sum (its term is null, or it breaks a condition on its
process) is worth so little that no other states can make up for it; where a null makes the condition true, so much.

Only the *members* count: the processes that the condition reads. What lies between the least and the greatest cut is
a computation, and so is its part on some of the processes, as who knows a state knows all that it knew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Floats, Int64s
from latwin.lattice.kernels.window import GREATEST, LEAST, covers

# What `weigh` tells; a sum of these.
CLEAN = 0
SPECIAL = 1  #: the comparison does not depend on the sum at some state: null, or a condition that is false there
STEEP = 2  #: a step changes the sum by more than 1
INEXACT = 4  #: some number is no integer, or too large; nothing else is known

EXACT = 1 << 52
_NULL = -(1 << 62)
_FALSE = _NULL + 1


class Needs(NamedTuple):
    """Which states a state needs: state s of i needs state `known[i, s & mask, j] + shift[j]` of j.

    A number below the least cut's state means none.
    """

    #: int64[n, capacity, n]
    known: Int64s
    #: int64[n]
    shift: Int64s
    #: int64[m]: the processes that count, in ascending order
    members: Int64s


@njit(cache=True)
def find_needs(clocks: Int64s, ends: Int64s, members: Int64s) -> Needs:
    """The needs of all states from the least to the greatest cut: the clocks themselves if no state was lost."""
    mask = clocks.shape[1] - 1
    shift = np.zeros(ends.shape[1], np.int64)
    has_gaps = False
    for j in members:
        least, greatest = ends[LEAST, j], ends[GREATEST, j]
        first = clocks[j, least & mask, j]
        shift[j] = least - first
        has_gaps |= covers(clocks, ends, j, greatest) - first != greatest - least
    if not has_gaps:
        return Needs(clocks, shift, members)
    known = np.empty_like(clocks)
    for i in members:
        for j in members:
            state = ends[LEAST, j]
            for s in range(ends[LEAST, i], ends[GREATEST, i] + 1):
                while state < ends[GREATEST, j] and covers(clocks, ends, j, state) < clocks[i, s & mask, j]:
                    state += 1
                known[i, s & mask, j] = state
    shift[:] = 0
    return Needs(known, shift, members)


@njit(cache=True)
def weigh(
    ends: Int64s, members: Int64s, terms: Floats, holds: Flags, sign: int, goal: int, null_holds: bool, worth: Int64s
) -> int:
    """Set `worth` int64[n, capacity] so that the condition is "the sum of worths is at least `goal`".

    `terms` float64[n, capacity] are the terms (NaN: null), `holds` uint8[n, capacity] the conditions on single
    processes. The condition compares `sign` times the sum of terms; `goal` has this sign, too.
    """
    processes = ends.shape[1]
    mask = terms.shape[1] - 1
    largest = EXACT // processes
    outcome = CLEAN
    highest = lowest = 0
    for j in members:
        high = low = before = 0
        for s in range(ends[LEAST, j], ends[GREATEST, j] + 1):
            at = s & mask
            if not holds[j, at]:
                worth[j, at] = _FALSE
                outcome |= SPECIAL
                continue
            term = terms[j, at]
            if np.isnan(term):
                worth[j, at] = _NULL
                outcome |= SPECIAL
                continue
            if not (-largest <= term <= largest) or term != np.floor(term):
                return INEXACT
            value = sign * np.int64(term)
            worth[j, at] = value
            high, low = max(high, value), min(low, value)
            if s > ends[LEAST, j] and abs(value - before) > 1:
                outcome |= STEEP
            before = value
        highest += high
        lowest += low
    if outcome & SPECIAL:
        far = 2 + highest - lowest + abs(goal)
        farther = far * (processes + 2)  # false, even if others are null
        states = ends[GREATEST].sum() - ends[LEAST].sum() + processes
        if float(far) * (processes + 2) * states > 2.0**60:
            return INEXACT
        for j in members:
            for s in range(ends[LEAST, j], ends[GREATEST, j] + 1):
                at = s & mask
                if worth[j, at] == _NULL:
                    worth[j, at] = far if null_holds else -far
                elif worth[j, at] == _FALSE:
                    worth[j, at] = -farther
    return outcome


@njit(cache=True)
def total(worth: Int64s, members: Int64s, cut: Int64s) -> int:
    """The sum at a cut."""
    mask = worth.shape[1] - 1
    found = 0
    for j in members:
        found += worth[j, cut[j] & mask]
    return found
