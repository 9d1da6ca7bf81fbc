"""Conjunctions of local predicates, answered on the windows alone (no lattice).

Beside `clocks` and `ends` (see `window`) they take `holds` uint8[n, capacity]: the flag of a state's
local predicate at the state's place in the ring. The lattice must not be empty.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Int64s, copy_into
from latwin.lattice.kernels.final import runs_are_final
from latwin.lattice.kernels.window import GREATEST, LEAST, raise_to_cut

# What `judge_all` answers: 0, or MET and some of the others.
MET = 1  #: every observation meets a cut with every flag set
FINAL = 2  #: and will, whatever comes (see `final`)
AT_LEAST = 4  #: the least cut is such a cut
AT_GREATEST = 8  #: the greatest cut is one

# Rows of what `choose_runs` fills.
LAST = 0
BEGINS = 1


@njit(cache=True)
def possibly_all(clocks: Int64s, ends: Int64s, holds: Flags, cut: Int64s) -> bool:
    """Whether some cut has every flag set; `cut` (int64[n]) then holds the least such cut.

    Garg and Waldecker's weak conjunctive predicate: advance whichever state is false or too early.
    O(n^2 w).
    """
    return possibly_all_in(clocks, ends, holds, cut, np.empty((2, len(cut)), np.int64))


@njit(cache=True, inline="always")
def possibly_all_in(clocks: Int64s, ends: Int64s, holds: Flags, cut: Int64s, room: Int64s) -> bool:
    """The same with scratch `room` int64[2, n], for those who ask often: to make room takes as long as to answer."""
    copy_into(cut, ends[LEAST])
    return raise_to_cut(clocks, ends, holds, cut, room)


@njit(cache=True)
def next_run(ends: Int64s, holds: Flags, process: int, start: int, first: Int64s, last: Int64s, mask: int) -> bool:
    """Find the first maximal run of true states of `process` at or after `start`; False if there is none."""
    greatest = ends[GREATEST, process]
    state = start
    while state <= greatest and not holds[process, state & mask]:
        state += 1
    if state > greatest:
        return False
    first[process] = state
    while state < greatest and holds[process, (state + 1) & mask]:
        state += 1
    last[process] = state
    return True


@njit(cache=True)
def definitely_all(clocks: Int64s, ends: Int64s, holds: Flags) -> bool:
    """Whether every observation meets a cut with every flag set; see `choose_runs`."""
    processes = ends.shape[1]
    return choose_runs(clocks, ends, holds, np.empty((4, processes), np.int64))


@njit(cache=True)
def judge_all(clocks: Int64s, ends: Int64s, holds: Flags, reads: Flags) -> int:
    """`definitely_all`, whether it is final, and why it holds; `reads` uint8[n] flags who has a part in it."""
    processes = ends.shape[1]
    room = np.empty((4, processes), np.int64)
    last, begins = room[LAST], room[BEGINS]
    if not choose_runs(clocks, ends, holds, room):
        return 0
    at_least = AT_LEAST
    at_greatest = AT_GREATEST
    for k in range(processes):
        if begins[k]:
            at_least = 0
        if not holds[k, ends[GREATEST, k] & (clocks.shape[1] - 1)]:
            at_greatest = 0
    final = FINAL if runs_are_final(clocks, ends, reads, last, begins) else 0
    return MET | final | at_least | at_greatest


@njit(cache=True)
def choose_runs(clocks: Int64s, ends: Int64s, holds: Flags, room: Int64s) -> bool:
    """Whether every observation meets a cut with every flag set.

    Garg and Waldecker's strong conjunctive predicate, on a window. Take each process's maximal true
    runs between least and greatest cut. It holds iff one run per process can be chosen so that, for
    every ordered pair, the event that begins run i happened before the event that ends run j; a run
    that begins at the least cut or ends at the greatest one is always early or late enough. When a
    pair fails, run j ended too early for this and every later run of i: drop it. O(n) per drop
    beside one O(n^2) look.

    If it holds, the earliest choice is in two rows of `room` int64[4, n]: in LAST each run's last state, in BEGINS
    the index of the state that begins it; 0 if it begins at the least cut.
    """
    processes = ends.shape[1]
    mask = clocks.shape[1] - 1
    last, begins, first, stale = room[LAST], room[BEGINS], room[2], room[3]
    for k in range(processes):
        stale[k] = 1
        if not next_run(ends, holds, k, ends[LEAST, k], first, last, mask):
            return False
        begins[k] = 0 if first[k] == ends[LEAST, k] else clocks[k, first[k] & mask, k]
    again = True
    while again:  # every round but the last drops a run, and the window has few
        again = False
        for j in range(processes):
            if not stale[j]:
                continue
            stale[j] = 0
            if last[j] == ends[GREATEST, j]:
                continue
            ending = (last[j] + 1) & mask
            too_early = False
            for i in range(processes):
                # its own begin never fails: the clock's own entry is beyond it
                if clocks[j, ending, i] < begins[i]:
                    too_early = True
                    break
            if not too_early:
                continue
            if not next_run(ends, holds, j, last[j] + 2, first, last, mask):
                return False
            begins[j] = clocks[j, first[j] & mask, j]
            again = True
            stale[j] = 1
            for r in range(processes):
                if last[r] < ends[GREATEST, r] and clocks[r, (last[r] + 1) & mask, j] < begins[j]:
                    stale[r] = 1
    return True
