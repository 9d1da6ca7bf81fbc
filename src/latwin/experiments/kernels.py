"""The compiled half of `slides`: deliver states one after the other, and write down what holds after each.

`sim.truth` has the same two meanings of N_physical in plain Python, which judges the ones here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Floats, Int64s
from latwin.lattice.kernels.conjunctive import AT_LEAST, FINAL, MET, judge_all, possibly_all
from latwin.lattice.kernels.counting import count_cuts
from latwin.lattice.kernels.layout import Lattice, Scaffold
from latwin.lattice.kernels.window import NEWEST, OLDEST, push

__all__ = ["AT_LEAST", "FINAL", "MET"]

#: columns of what is found: the number of cuts, what `judge_all` answers, and three times yes or no
CUTS, JUDGED, POSSIBLE, PHYSICAL, REAL = 0, 1, 2, 3, 4
COLUMNS = 5
_ANY_NUMBER = 1 << 40


class History(NamedTuple):
    """What physically happened to each process; m is the most states of any of them."""

    #: float64[n, m + 1]: when a state began, which is when the one before ended; then the end of the lifetime
    begins: Floats
    #: uint8[n, m]: whether the process was true in it
    on: Flags


@njit(cache=True)
def count_slides(
    clocks: Int64s,
    lattice: Lattice,
    scaffold: Scaffold,
    history: History,
    processes: Int64s,
    incoming: Int64s,
    is_lat: bool,
    found: Int64s,
) -> int:
    """Fill a row of `found` int64[T, COLUMNS] for each of T states; return how many were delivered.

    `processes` int64[T] and `incoming` int64[T, n] are the states and their clocks, in the order of delivery. No
    state may be lost, so that a state's number is its index. With `is_lat` only JUDGED is found: LAT is large at
    every slide, and it has no window that could be compared with the truth.
    """
    begins, on = history
    ends = Lattice(*lattice).ends
    n = ends.shape[1]
    mask = clocks.shape[1] - 1
    holds = np.zeros((n, clocks.shape[1]), np.uint8)
    reads = np.ones(n, np.uint8)
    cut = np.empty(n, np.int64)
    for k in range(n):
        holds[k, 0] = on[k, 0]
    for row in range(len(processes)):
        process = processes[row]
        outcome = push(clocks, ends, process, incoming[row])
        if outcome < 0:
            return row
        state = outcome >> 1
        holds[process, state & mask] = on[process, state]
        if outcome & 1 == 0:
            found[row, JUDGED] = judge_all(clocks, ends, holds, reads)
            if not is_lat:
                found[row, CUTS] = count_cuts(clocks, lattice, scaffold, _ANY_NUMBER)
                found[row, POSSIBLE] = possibly_all(clocks, ends, holds, cut)
        if not is_lat:
            found[row, PHYSICAL] = overlap_by_begins(begins, on, ends[OLDEST], ends[NEWEST])
            found[row, REAL] = overlap_in_window(begins, on, ends[OLDEST], ends[NEWEST])
    return len(processes)


@njit(cache=True)
def overlap_in_window(begins: Floats, on: Flags, low: Int64s, high: Int64s) -> bool:
    """Whether all processes were true at one moment, by the real ends of the states `low` to `high`, int64[n]."""
    n = len(low)
    at = low.copy()
    moment = begins[0, low[0]]
    for k in range(1, n):
        moment = max(moment, begins[k, low[k]])
    settled = False
    while not settled:  # each round but the last moves on in some window
        settled = True
        for k in range(n):
            while at[k] <= high[k] and not (on[k, at[k]] and begins[k, at[k] + 1] > moment):
                at[k] += 1
            if at[k] > high[k]:
                return False
            if begins[k, at[k]] > moment:
                moment = begins[k, at[k]]
                settled = False
    return True


@njit(cache=True)
def overlap_by_begins(begins: Floats, on: Flags, low: Int64s, high: Int64s) -> bool:
    """Whether true runs of all windows overlap, as far as the begins of the states `low` to `high` tell."""
    n = len(low)
    next_state = low.copy()
    run_begins = np.empty(n)
    run_ends = np.empty(n)
    for k in range(n):
        if not find_run(begins, on, k, high[k], next_state, run_begins, run_ends):
            return False
    while True:  # each round but the last drops a run
        latest = run_begins.max()
        is_over = True
        for k in range(n):
            if run_ends[k] < latest:
                is_over = False
                if not find_run(begins, on, k, high[k], next_state, run_begins, run_ends):
                    return False
        if is_over:
            return True


@njit(cache=True)
def find_run(
    begins: Floats, on: Flags, process: int, last: int, next_state: Int64s, run_begins: Floats, run_ends: Floats
) -> bool:
    """Set begin and known end of the first true run of `process` from `next_state` up to `last`; False if none."""
    state = next_state[process]
    while state <= last and not on[process, state]:
        state += 1
    if state > last:
        return False
    run_begins[process] = begins[process, state]
    while state < last and on[process, state + 1]:
        state += 1
    # Up to the begin of the false state that follows; if none follows in the window, of the run's own last state.
    run_ends[process] = begins[process, min(state + 1, last)]
    next_state[process] = state + 1
    return True
