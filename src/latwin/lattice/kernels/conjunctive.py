"""Conjunctions of local predicates, answered on the windows alone (no lattice).

Beside `clocks` and `ends` (see `window`) they take `holds` uint8[n, capacity]: the flag of a state's
local predicate at the state's place in the ring. The lattice must not be empty.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Int64s, copy_into
from latwin.lattice.kernels.final import BEGINS, LAST, runs_are_final
from latwin.lattice.kernels.window import GREATEST, LEAST, raise_to_cut

# What `judge_all` answers: 0, or MET and some of the others.
MET = 1  #: every observation meets a cut with every flag set
FINAL = 2  #: and will, whatever comes (see `final`)
AT_LEAST = 4  #: the least cut is such a cut
AT_GREATEST = 8  #: the greatest cut is one

# `choose_runs` fills LAST and BEGINS, and this row, which is scratch. Numba counts every row that is taken out as an
# array of its own, which takes as long as to fill it.
UNSURE = 2


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


@njit(cache=True, inline="always")
def holds_at_least(ends: Int64s, holds: Flags) -> bool:
    """Whether the least cut has every flag set; then every observation begins with it, whatever comes. O(n)."""
    mask = holds.shape[1] - 1
    is_met = True
    for k in range(ends.shape[1]):
        is_met &= holds[k, ends[LEAST, k] & mask] != 0
    return is_met


@njit(cache=True, inline="always")
def begin_of_run(ends: Int64s, holds: Flags, process: int, start: int, mask: int) -> int:
    """The first true state of `process` at or after `start`; one beyond the greatest cut if there is none."""
    state = start
    while state <= ends[GREATEST, process] and not holds[process, state & mask]:
        state += 1
    return state


@njit(cache=True, inline="always")
def end_of_run(ends: Int64s, holds: Flags, process: int, state: int, mask: int) -> int:
    """The last state of the maximal run of true states, up to the greatest cut, that a true one is in."""
    while state < ends[GREATEST, process] and holds[process, (state + 1) & mask]:
        state += 1
    return state


@njit(cache=True)
def definitely_all(clocks: Int64s, ends: Int64s, holds: Flags) -> bool:
    """Whether every observation meets a cut with every flag set; see `choose_runs`."""
    processes = ends.shape[1]
    return choose_runs(clocks, ends, holds, np.empty((3, processes), np.int64))


@njit(cache=True)
def judge_all(clocks: Int64s, ends: Int64s, holds: Flags, reads: Flags) -> int:
    """`definitely_all`, whether it is final, and why it holds; `reads` uint8[n] flags who has a part in it."""
    processes = ends.shape[1]
    room = np.empty((3, processes), np.int64)
    if not choose_runs(clocks, ends, holds, room):
        return 0
    at_least = AT_LEAST
    at_greatest = AT_GREATEST
    for k in range(processes):
        if room[BEGINS, k]:
            at_least = 0
        if not holds[k, ends[GREATEST, k] & (clocks.shape[1] - 1)]:
            at_greatest = 0
    final = FINAL if runs_are_final(clocks, ends, reads, room) else 0
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

    If it holds, the earliest choice is in two rows of `room` int64[3, n]: in LAST each run's last state, in BEGINS
    the index of the state that begins it; 0 if it begins at the least cut.
    """
    processes = ends.shape[1]
    mask = clocks.shape[1] - 1
    for k in range(processes):
        first = begin_of_run(ends, holds, k, ends[LEAST, k], mask)
        if first > ends[GREATEST, k]:
            return False
        room[LAST, k] = end_of_run(ends, holds, k, first, mask)
        room[BEGINS, k] = 0 if first == ends[LEAST, k] else clocks[k, first & mask, k]
        room[UNSURE, k] = 1
    again = True
    while again:  # every round but the last drops a run, and the window has few
        again = False
        for j in range(processes):
            if not room[UNSURE, j]:
                continue
            room[UNSURE, j] = 0
            if room[LAST, j] == ends[GREATEST, j]:
                continue
            ending = (room[LAST, j] + 1) & mask
            too_early = False
            for i in range(processes):
                # its own begin never fails: the clock's own entry is beyond it
                if clocks[j, ending, i] < room[BEGINS, i]:
                    too_early = True
                    break
            if not too_early:
                continue
            first = begin_of_run(ends, holds, j, room[LAST, j] + 2, mask)
            if first > ends[GREATEST, j]:
                return False
            room[LAST, j] = end_of_run(ends, holds, j, first, mask)
            room[BEGINS, j] = clocks[j, first & mask, j]
            again = True
            room[UNSURE, j] = 1
            for r in range(processes):
                last = room[LAST, r]
                if last < ends[GREATEST, r] and clocks[r, (last + 1) & mask, j] < room[BEGINS, j]:
                    room[UNSURE, r] = 1
    return True
