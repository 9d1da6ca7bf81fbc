"""Conditions on two processes, and on one, answered on the windows alone (no lattice).

Two states between the least and the greatest cut that are consistent with each other are part of a cut: what else
they know of lies in their past. So `possibly` of a condition on two processes needs no more than their pairs of
states, and on one process no more than its states.

Beside `clocks` and `ends` (see `window`) they take the flags of conditions. The lattice must not be empty.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Int64s, copy_into
from latwin.lattice.kernels.window import GREATEST, LEAST, covers, raise_to_cut


@njit(cache=True, inline="always")
def some_state(ends: Int64s, holds: Flags, reads: Flags) -> bool:
    """Whether a process in `reads` (uint8[n]) has a state whose flag in `holds` (uint8[n, capacity]) is set."""
    mask = holds.shape[1] - 1
    for process in range(ends.shape[1]):
        if reads[process]:
            for state in range(ends[LEAST, process], ends[GREATEST, process] + 1):
                if holds[process, state & mask]:
                    return True
    return False


@njit(cache=True)
def least_with_state(clocks: Int64s, ends: Int64s, holds: Flags, reads: Flags, cut: Int64s) -> bool:
    """`some_state`; `cut` (int64[n]) then is the lexicographically least cut with such a state."""
    mask = holds.shape[1] - 1
    found = False
    for process in range(ends.shape[1]):
        if reads[process]:
            for state in range(ends[LEAST, process], ends[GREATEST, process] + 1):
                if holds[process, state & mask]:
                    found = keep_least(clocks, ends, process, state, process, state, cut, found)
                    break  # later states only make later cuts
    return found


@njit(cache=True)
def are_consistent(clocks: Int64s, ends: Int64s, i: int, s: int, j: int, t: int) -> bool:
    """Whether state `s` of process `i` and state `t` of process `j` know of nothing that comes after the other."""
    mask = clocks.shape[1] - 1
    if clocks[i, s & mask, j] > covers(clocks, ends, j, t):
        return False
    return bool(clocks[j, t & mask, i] <= covers(clocks, ends, i, s))


@njit(cache=True, inline="always")
def some_pair(clocks: Int64s, ends: Int64s, numbers: Int64s, processes: Int64s, flags: Flags) -> bool:
    """Whether two consistent states have a flag set for one of the pairs of processes with these numbers.

    `processes` int64[pairs, 2] names the two processes of each pair, and `flags` uint8[pairs, capacity, capacity]
    has a flag for each two states of them.
    """
    mask = clocks.shape[1] - 1
    for number in numbers:
        i, j = processes[number, 0], processes[number, 1]
        for s in range(ends[LEAST, i], ends[GREATEST, i] + 1):
            for t in range(ends[LEAST, j], ends[GREATEST, j] + 1):
                if flags[number, s & mask, t & mask] and are_consistent(clocks, ends, i, s, j, t):
                    return True
    return False


@njit(cache=True)
def least_with_pair(
    clocks: Int64s, ends: Int64s, numbers: Int64s, processes: Int64s, flags: Flags, cut: Int64s
) -> bool:
    """`some_pair`; `cut` (int64[n]) then is the lexicographically least cut with two such states."""
    mask = clocks.shape[1] - 1
    found = False
    for number in numbers:
        i, j = processes[number, 0], processes[number, 1]
        for s in range(ends[LEAST, i], ends[GREATEST, i] + 1):
            for t in range(ends[LEAST, j], ends[GREATEST, j] + 1):
                if flags[number, s & mask, t & mask] and are_consistent(clocks, ends, i, s, j, t):
                    found = keep_least(clocks, ends, i, s, j, t, cut, found)
                    break  # later states of j only make later cuts
    return found


@njit(cache=True)
def keep_least(clocks: Int64s, ends: Int64s, i: int, s: int, j: int, t: int, cut: Int64s, is_set: bool) -> bool:
    """Set `cut` to the least cut with two consistent states, unless it `is_set` to a lesser; whether it is set."""
    other = ends[LEAST].copy()
    other[i] = s
    other[j] = t
    if not raise_to_cut(
        clocks, ends, None, other, np.empty((2, len(cut)), np.int64)
    ):  # only if the clocks contradict each other
        return is_set
    if is_set:
        for k in range(other.shape[0]):
            if other[k] != cut[k]:
                if other[k] > cut[k]:
                    return True
                break
    copy_into(cut, other)
    return True
