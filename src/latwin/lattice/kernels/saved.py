"""Whether a saved window can be one: what every push keeps true, looked at again before a kernel relies on it.

The arrays are those of `window`. Kernels count on these rules and check none of them: a window that breaks one can
keep them busy forever, or send them outside their arrays.
"""

from __future__ import annotations

from numba import njit

from latwin.lattice.kernels.arrays import Int64s, copy_into
from latwin.lattice.kernels.window import NEWEST, OLDEST, RIGHT, THROUGH, knows_less, locate

# What can be wrong; `judge` adds the process concerned << 8.
OUT_OF_RANGE = 1  #: an entry below 0 or too large, or an initial state that knows something
WRONG_INDEX = 2  #: the own entries do not grow, or are beyond what was delivered or declared lost
BACKWARDS = 3  #: a state knows less than the one before it
NOT_DELIVERED = 4  #: under causal delivery, a state knows one that was not delivered
NOT_CLOSED = 5  #: a state knows another, but not all that it knew
CIRCULAR = 6  #: two states know each other
LARGEST_ENTRY = 1 << 62


@njit(cache=True)
def place(told: Int64s, rows: Int64s, clocks: Int64s, ends: Int64s) -> None:
    """Put the clocks `rows` int64[T, n], process after process and oldest first, into their rings.

    `told` int64[n, 3] has NEWEST, OLDEST and THROUGH of each process; they become those of `ends`.
    """
    mask = clocks.shape[1] - 1
    row = 0
    for k in range(len(told)):
        newest, oldest = told[k, 0], told[k, 1]
        ends[NEWEST, k], ends[OLDEST, k], ends[THROUGH, k] = newest, oldest, told[k, 2]
        for state in range(oldest, newest + 1):
            copy_into(clocks[k, state & mask], rows[row])
            row += 1


@njit(cache=True)
def judge(clocks: Int64s, ends: Int64s, causal: bool) -> int:
    """RIGHT if the window can be one, else what is wrong with it (and the process << 8).

    The NEWEST, OLDEST and THROUGH rows must lie in 0 to 2**62, with at most `capacity` states of each process.
    O(n^2 w) unless states were lost; a lookup then adds up to w steps.
    """
    processes = ends.shape[1]
    mask = clocks.shape[1] - 1
    for k in range(processes):
        for state in range(ends[OLDEST, k], ends[NEWEST, k] + 1):
            clock = clocks[k, state & mask]
            for j in range(processes):
                if clock[j] < 0 or clock[j] >= LARGEST_ENTRY or (state == 0 and clock[j] != 0):
                    return OUT_OF_RANGE | k << 8
                if causal and clock[j] > ends[THROUGH, j]:
                    return NOT_DELIVERED | k << 8
            # Indices grow by one or, over lost states, by more: never less than the states' numbers do.
            if clock[k] < state or clock[k] > ends[THROUGH, k]:
                return WRONG_INDEX | k << 8
            if state > ends[OLDEST, k]:
                before = clocks[k, (state - 1) & mask]
                if clock[k] <= before[k]:
                    return WRONG_INDEX | k << 8
                if knows_less(clock, before):
                    return BACKWARDS | k << 8
    # Only now is it safe to look states up.
    for k in range(processes):
        for state in range(ends[OLDEST, k], ends[NEWEST, k] + 1):
            clock = clocks[k, state & mask]
            for j in range(processes):
                if j == k:
                    continue
                known = locate(clocks, ends, j, min(clock[j], ends[THROUGH, j]))
                if known < 0:
                    continue
                other = clocks[j, known & mask]
                # Of a lost state nobody says what it knew; the one that stands for it may know more.
                if other[j] == clock[j] and knows_less(clock, other):
                    return NOT_CLOSED | k << 8
                if clock[k] > 0 and other[k] >= clock[k]:
                    return CIRCULAR | k << 8
    return RIGHT
