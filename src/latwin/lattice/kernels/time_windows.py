"""Windows of time: which states are too old, and runs of states that bring their times.

A process with a window of D seconds keeps its states from the last one begun at or before tau - D, and always its
newest one. So OLDEST may rise by several states, and with every slide of any process; everything else about windows
is what it was, as any interval of states per process makes a sublattice.

`begins` float64[n, capacity]
    When each state began, in a ring like the clocks'. It never falls within a process; initial states began at -inf.
`lengths` float64[n]
    The windows' lengths in seconds; inf for a process without a window of time.
`group` float64[4]
    The group's time, by the constants below; see `latwin.delivery.group_time`, which is the same in Python.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Floats, Int64s
from latwin.lattice.kernels.window import NEWEST, OLDEST

NOW, LATENESS, MAX_JUMP, DOUBTED = 0, 1, 2, 3


class Timed(NamedTuple):
    """What windows of time add to the states of a run."""

    #: float64[T]: the states' times; of length 0 if no window is one of time
    times: Floats
    begins: Floats
    lengths: Floats
    #: float64[n]: per process the latest time of its delivered states
    latest: Floats
    group: Floats


def untimed() -> Timed:
    """The same without any window of time."""
    nothing = np.empty(0)
    return Timed(nothing, np.empty((0, 0)), nothing, nothing, nothing)


@njit(cache=True, inline="always")
def forget_before(ends: Int64s, begins: Floats, lengths: Floats, tau: float) -> bool:
    """Let the states leave that are too old at `tau`; whether there were any. LEAST and GREATEST stay as they are."""
    mask = begins.shape[1] - 1
    is_changed = False
    for k in range(lengths.shape[0]):
        cutoff = tau - lengths[k]
        while ends[OLDEST, k] < ends[NEWEST, k] and begins[k, (ends[OLDEST, k] + 1) & mask] <= cutoff:
            ends[OLDEST, k] += 1
            is_changed = True
    return is_changed


@njit(cache=True, inline="always")
def is_too_far(timed: Timed, row: int) -> bool:
    """Whether a state's time is too far ahead."""
    group = timed.group
    return group[NOW] != -np.inf and timed.times[row] > group[NOW] + group[MAX_JUMP]


@njit(cache=True, inline="always")
def let_pass(ends: Int64s, process: int, place: int, timed: Timed, row: int) -> None:
    """Let time go on to that of a new state, at `place` in the rings. LEAST and GREATEST stay as they are."""
    group, time_s = timed.group, timed.times[row]
    timed.latest[process] = max(timed.latest[process], time_s)
    timed.begins[process, place] = timed.latest[process]
    group[NOW] = max(group[NOW], time_s)
    group[DOUBTED] = -np.inf
    forget_before(ends, timed.begins, timed.lengths, group[NOW] - group[LATENESS])
