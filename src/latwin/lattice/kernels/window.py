"""The n-dimensional sliding window as two integer arrays, and its least and greatest cut.

`clocks` int64[n, capacity, n]
    `clocks[k, s & (capacity - 1)]` is the vector clock of the s-th delivered state of process k, the
    initial state being the 0-th. The clock's own entry is the state's index. `capacity` is a power of
    two and at least the largest window.
`ends` int64[6, n]
    One row per kind of bound, one column per process; the rows are the constants below. NEWEST,
    OLDEST, LEAST and GREATEST count delivered states, THROUGH is a state index.

Without lost states, the s-th delivered state has index s. When states were declared lost, the state
before the gap stands for them too: it *covers* their indices, as if the process had stayed in it.
That keeps the windows' states a coarser but genuine computation, so every theorem goes on to hold
(dropping the lost states from the law instead could leave cuts that no single step connects).
With `covers(k, s)` the last index that state s of k stands for, the law of consistency reads

    a cut g is consistent  iff  clock(g_i)[j] <= covers(j, g_j)  for all i, j.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Int64s, copy_into

NEWEST = 0  #: the latest delivered state
OLDEST = 1  #: the oldest state in the window
THROUGH = 2  #: the highest index delivered or declared lost
SIZE = 3  #: how many states the window holds at most; 0 sets no bound
LEAST = 4  #: the least cut, valid while the lattice is not empty
GREATEST = 5  #: the greatest cut, likewise
ROWS = 6

# Rows of scratch for whoever looks for a cut.
COVERED, STALE = 0, 1

# What can be wrong with a clock; `check` adds the other process concerned << 8.
RIGHT = 0
WRONG_INDEX = 1
NEGATIVE = 2
BACKWARDS = 3
NOT_CLOSED = 4
CONTRADICTED = 5
CIRCULAR = 6


@njit(cache=True)
def covers(clocks: Int64s, ends: Int64s, process: int, state: int) -> int:
    """The last index that `state` of `process` stands for."""
    if state == ends[NEWEST, process]:
        return ends[THROUGH, process]
    return clocks[process, (state + 1) & (clocks.shape[1] - 1), process] - 1


@njit(cache=True)
def raise_to_cut(clocks: Int64s, ends: Int64s, holds: Any, cut: Int64s, room: Int64s) -> bool:
    """Raise `cut` in place to the least consistent cut at or above it whose states all hold.

    `holds` is None, or uint8[n, capacity] with one flag per state. Returns False when there is no such
    cut; `cut` is then meaningless. Every coordinate only rises, so the cost is O(n) per raise
    beside one O(n^2) look at the clocks. `room` int64[2, n] is scratch.
    """
    processes = cut.shape[0]
    mask = clocks.shape[1] - 1
    for k in range(processes):
        room[STALE, k] = 1
        if holds is not None:
            while cut[k] <= ends[NEWEST, k] and not holds[k, cut[k] & mask]:
                cut[k] += 1
            if cut[k] > ends[NEWEST, k]:
                return False
        room[COVERED, k] = covers(clocks, ends, k, cut[k])
    again = True
    while again:  # ends, whatever the clocks: every round but the last raises a coordinate, at most to NEWEST
        again = False
        for i in range(processes):
            if not room[STALE, i]:
                continue
            room[STALE, i] = 0
            for j in range(processes):
                known = clocks[i, cut[i] & mask, j]
                if known <= room[COVERED, j]:
                    continue
                if known > ends[THROUGH, j]:
                    return False
                state = cut[j]
                while room[COVERED, j] < known:  # ends at NEWEST, which covers THROUGH
                    state += 1
                    room[COVERED, j] = covers(clocks, ends, j, state)
                if holds is not None:
                    while state <= ends[NEWEST, j] and not holds[j, state & mask]:
                        state += 1
                    if state > ends[NEWEST, j]:
                        return False
                    room[COVERED, j] = covers(clocks, ends, j, state)
                cut[j] = state
                room[STALE, j] = 1
                again = True
    return True


@njit(cache=True, inline="always")
def find_least(clocks: Int64s, ends: Int64s, room: Int64s) -> bool:
    """Set the LEAST row from the windows' lower ends; False when the lattice is empty. `room` as above."""
    copy_into(ends[LEAST], ends[OLDEST])
    return raise_to_cut(clocks, ends, None, ends[LEAST], room)


@njit(cache=True, inline="always")
def find_greatest(clocks: Int64s, ends: Int64s, room: Int64s) -> None:
    """Set the GREATEST row from the windows' upper ends; the lattice must not be empty. `room` as above."""
    processes = ends.shape[1]
    mask = clocks.shape[1] - 1
    for k in range(processes):
        ends[GREATEST, k], room[COVERED, k], room[STALE, k] = ends[NEWEST, k], ends[THROUGH, k], 1
    again = True
    # Both loops end, whatever the clocks: coordinates only sink, and never below the least cut. While `covered` is at
    # least what that cut covers, its states ask for no more.
    while again:
        again = False
        for i in range(processes):
            if not room[STALE, i]:
                continue
            room[STALE, i] = 0
            state = ends[GREATEST, i]
            too_high = True
            while too_high:
                too_high = False
                for j in range(processes):
                    if clocks[i, state & mask, j] > room[COVERED, j]:
                        too_high = True
                        break
                if too_high:
                    room[COVERED, i] = clocks[i, state & mask, i] - 1
                    state -= 1
            if state == ends[GREATEST, i]:
                continue
            ends[GREATEST, i] = state
            for r in range(processes):
                if clocks[r, ends[GREATEST, r] & mask, i] > room[COVERED, i]:
                    room[STALE, r] = 1
                    again = True


@njit(cache=True)
def find_bounds(clocks: Int64s, ends: Int64s) -> bool:
    """Set LEAST and GREATEST; False when the lattice is empty."""
    return find_bounds_in(clocks, ends, np.empty((2, ends.shape[1]), np.int64))


@njit(cache=True, inline="always")
def find_bounds_in(clocks: Int64s, ends: Int64s, room: Int64s) -> bool:
    """The same with scratch `room` int64[2, n], for those who ask often: to make room takes as long as to look."""
    if not find_least(clocks, ends, room):
        return False
    find_greatest(clocks, ends, room)
    return True


@njit(cache=True, inline="always")
def follow_bounds(clocks: Int64s, ends: Int64s, was_empty: int, room: Int64s) -> bool:
    """The same after `append`, quicker if the lattice was not empty before: LEAST and GREATEST are those of then.

    The least cut never sinks. What raises it to where it is are states that stay as they are, and what they cover;
    and lower ends of windows, which only rise. If these are not beyond it, it stays.
    """
    if was_empty:
        return find_bounds_in(clocks, ends, room)
    must_rise = False
    for k in range(ends.shape[1]):
        if ends[LEAST, k] < ends[OLDEST, k]:
            ends[LEAST, k] = ends[OLDEST, k]
            must_rise = True
    if must_rise and not raise_to_cut(clocks, ends, None, ends[LEAST], room):
        return False
    find_greatest(clocks, ends, room)
    return True


@njit(cache=True)
def locate(clocks: Int64s, ends: Int64s, process: int, index: int) -> int:
    """The state of `process` that stands for `index`, or -1 when it is not in the window."""
    if index > ends[THROUGH, process]:
        return -1
    mask = clocks.shape[1] - 1
    newest = ends[NEWEST, process]
    oldest = ends[OLDEST, process]
    if index < clocks[process, oldest & mask, process]:
        return -1
    # Exact unless states were lost; then it is too low by the number of those in between.
    state = max(oldest, newest - (ends[THROUGH, process] - index))
    while state < newest and clocks[process, (state + 1) & mask, process] <= index:
        state += 1
    return state


@njit(cache=True)
def knows_less(clock: Int64s, other: Int64s) -> bool:
    """Whether `clock` misses something that `other` knew."""
    for m in range(clock.shape[0]):  # noqa: SIM110 - any() over a generator does not compile
        if clock[m] < other[m]:
            return True
    return False


@njit(cache=True, inline="always")
def misses(clocks: Int64s, process: int, place: int, arriving: Int64s, row: int) -> bool:
    """The same of the clock in a row of `arriving`, and of that at a place in the ring of a process."""
    is_less = False
    for m in range(arriving.shape[1]):
        is_less |= arriving[row, m] < clocks[process, place, m]
    return is_less


@njit(cache=True, inline="always")
def check(clocks: Int64s, ends: Int64s, process: int, arriving: Int64s, row: int) -> int:
    """RIGHT if the clock in a row of `arriving` can be the next state's, else what is wrong (other process << 8).

    Say that state t of process j is *known* to state s of process k if index(t) <= clock(s)[j]. The check
    keeps one law for all states in the windows, whatever the clocks that were refused:

        t is known to s   =>   clock(t) <= clock(s) in every entry, and clock(t)[k] < index(s).

    Then clocks grow strictly along "known", so no states know each other in a circle of any length, and what is
    known to t is known to s: the windows hold a computation. Clocks never go backwards within a process, so the law
    holds for all pairs with the new state s once it holds, for each other process j, for two of them:

    - the latest state of j that s knows (the earlier ones know less). If the state before s knew it already, the law
      for those two implies it for s. It may be earlier than clock(s)[j], as states are lost, or still to come.
    - the earliest state of j that knows s (the later ones know more). It cannot be known to s as well: the first
      look would have found that the latest state of j that s knows, which is no earlier, knows s.

    A real computation obeys the law, also if some of its states are lost, so none of its states is refused.
    """
    processes = ends.shape[1]
    mask = clocks.shape[1] - 1
    before = ends[NEWEST, process] & mask
    index = arriving[row, process]
    if index != ends[THROUGH, process] + 1:
        return WRONG_INDEX
    for j in range(processes):
        if arriving[row, j] < 0:
            return NEGATIVE | j << 8
        if arriving[row, j] < clocks[process, before, j]:
            return BACKWARDS | j << 8
    for j in range(processes):
        if j == process:
            continue
        if arriving[row, j] > clocks[process, before, j]:
            known = locate(clocks, ends, j, min(arriving[row, j], ends[THROUGH, j]))
            if known >= 0 and clocks[j, known & mask, process] >= index:
                return CIRCULAR | j << 8
            if known >= 0 and misses(clocks, j, known & mask, arriving, row):
                return NOT_CLOSED | j << 8
        if clocks[j, ends[NEWEST, j] & mask, process] >= index:
            state = ends[NEWEST, j]
            while state > ends[OLDEST, j] and clocks[j, (state - 1) & mask, process] >= index:
                state -= 1
            if knows_less(clocks[j, state & mask], arriving[row]):
                return CONTRADICTED | j << 8
    return RIGHT


@njit(cache=True)
def append(clocks: Int64s, ends: Int64s, process: int, arriving: Int64s, row: int) -> int:
    """Put a state with the clock in a row of `arriving` into its window, and let the oldest leave if it is too many.

    Returns the state's number. LEAST and GREATEST are left as they are. When something is wrong with the clock,
    nothing is changed and the negated outcome of `check` is returned. The ring must have room: capacity >= window
    size.
    """
    wrong = check(clocks, ends, process, arriving, row)
    if wrong != RIGHT:
        return -wrong
    newest = ends[NEWEST, process] + 1
    place = newest & (clocks.shape[1] - 1)
    for j in range(ends.shape[1]):
        clocks[process, place, j] = arriving[row, j]
    ends[NEWEST, process] = newest
    ends[THROUGH, process] = arriving[row, process]
    size = ends[SIZE, process]
    if size and newest - ends[OLDEST, process] >= size:
        ends[OLDEST, process] = newest - size + 1
    return newest


@njit(cache=True)
def push(clocks: Int64s, ends: Int64s, process: int, clock: Int64s) -> int:
    """Slide the window of `process` onto a new state.

    Returns the state's number, times two, plus one if the lattice is empty now. When something is wrong
    with `clock`, nothing is changed and the negated outcome of `check` is returned; see `append`.
    """
    newest = append(clocks, ends, process, clock.reshape((1, len(clock))), 0)
    if newest < 0:
        return newest
    return 2 * newest + (0 if find_bounds(clocks, ends) else 1)


@njit(cache=True)
def is_consistent(clocks: Int64s, ends: Int64s, cut: Int64s) -> bool:
    """Whether the global state `cut` (counts of delivered states, all in the window) is consistent."""
    mask = clocks.shape[1] - 1
    for j in range(cut.shape[0]):
        covered = covers(clocks, ends, j, cut[j])
        for i in range(cut.shape[0]):
            if clocks[i, cut[i] & mask, j] > covered:
                return False
    return True
