"""What shows an answer about a sum: the least cut that satisfies the question, or an observation that avoids it."""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Floats, Int64s, copy_into
from latwin.lattice.kernels.avoiding import raise_to, walk
from latwin.lattice.kernels.low_paths import A_WAY, stay_below
from latwin.lattice.kernels.sums import EQUAL, MET, NOT_EQUAL, count_events, is_possible, weigh_question
from latwin.lattice.kernels.weights import total
from latwin.lattice.kernels.window import GREATEST, LEAST


@njit(cache=True)
def find_least_cut(clocks: Int64s, ends: Int64s, terms: Floats, holds: Flags, row: Int64s, cut: Int64s) -> None:
    """Set `cut` to the lexicographically least cut that satisfies a question for which `possibly_sum` is MET.

    Process by process, the least state with which the rest can still satisfy it: the cuts that have the states chosen
    so far are those between two cuts.
    """
    everyone = np.arange(ends.shape[1])
    weighed = weigh_question(clocks, ends, terms, holds, row, everyone)
    known, shift, _ = weighed.needs
    mask = clocks.shape[1] - 1
    low, high = ends[LEAST].copy(), ends[GREATEST].copy()
    lower, upper, found = low.copy(), high.copy(), low.copy()
    knows_one = weighed.comparison != EQUAL and is_possible(weighed, low, high, found) == MET
    for i in everyone:
        for state in range(low[i], high[i] + 1):
            for j in everyone:
                lower[j] = max(low[j], known[i, state & mask, j] + shift[j])
                upper[j] = high[j]
                while known[j, upper[j] & mask, i] + shift[i] > state:
                    upper[j] -= 1
            if knows_one and found[i] == state:
                break
            if is_possible(weighed, lower, upper, cut) == MET:
                copy_into(found, cut)
                break
        copy_into(low, lower)
        copy_into(high, upper)
    copy_into(cut, low)


@njit(cache=True)
def avoid_sum(
    clocks: Int64s, ends: Int64s, terms: Floats, holds: Flags, row: Int64s, members: Int64s, path: Int64s
) -> int:
    """Fill `path` with an observation that avoids a question for which `definitely_sum` is 0; the number of its cuts.

    `path` is int64[T, n] with room for one cut more than there are steps from the least to the greatest cut; cuts are
    given by state numbers. The falls come in the order that was found, each after what it needs, and the rest last.
    """
    steps = np.empty((count_events(ends, members), 2), np.int64)
    falls = find_low_falls(clocks, ends, terms, holds, row, members, steps)
    copy_into(path[0], ends[LEAST])
    goal = ends[LEAST].copy()
    count = 1
    for k in range(falls):
        raise_to(clocks, ends, steps[k, 0], steps[k, 1], goal)
        count = walk(clocks, ends, goal, path, count)
    return walk(clocks, ends, ends[GREATEST], path, count)


@njit(cache=True, inline="always")
def find_low_falls(
    clocks: Int64s, ends: Int64s, terms: Floats, holds: Flags, row: Int64s, members: Int64s, steps: Int64s
) -> int:
    """Note the falls on a way that avoids a question, in order, as `stay_below` does; their number."""
    weighed = weigh_question(clocks, ends, terms, holds, row, members)
    needs, up, down, bound = weighed.needs, weighed.up, weighed.down, weighed.bound
    nobody = np.zeros(ends.shape[1], np.uint8)
    if weighed.comparison == NOT_EQUAL:
        return 0  # nothing changes the sum
    if total(up, members, ends[LEAST]) < bound and total(up, members, ends[GREATEST]) < bound:
        outcome, count = stay_below(needs, up, ends[LEAST], ends[GREATEST], bound - 1, nobody, steps)
        if outcome == A_WAY:
            return count
    _, count = stay_below(needs, down, ends[LEAST], ends[GREATEST], -bound - 1, nobody, steps)
    return count
