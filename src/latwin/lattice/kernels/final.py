"""Whether a true *definitely* can still be overturned by a state that is to come.

States to come extend the windows at their upper ends; take the lower ends to stay. Then the least cut stays, and
whether a cut is consistent is settled unless a process is at its newest state: what that state stands for is not
known before the next one comes. Call a process *open* if the newest state can matter to the condition:

- the condition reads the process, or
- a delivered state knows states of it that are neither delivered nor lost (not with causal delivery),

and its newest state is in the greatest cut, so that some observation gets there. A true *definitely* is final if no
open process is at its newest state in any cut to which the least cut leads while the condition is false: every
observation, of these windows and of any that extend them, meets the condition before it comes to the open end.

Why that suffices. Take an observation of extended windows that avoids the condition, and cut each of its global
states down to the newest states of today. Up to the first one with a process that is read or known ahead at its
newest state, this changes no state that the condition reads, and leaves consistent cuts of today's lattice, each at
most a step from the one before. So that first one is reached today, and its process is open. If there is none, the
greatest cut of today is reached, and the answer was not true. `docs/design/lattice.md` has the proof.

The same in other words: *definitely* still holds if every open process is given one more state, which needs nothing
new and at which the condition is false. Conjunctions are asked in this way.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Int64s, Words
from latwin.lattice.kernels.cuts import has_cut_within
from latwin.lattice.kernels.layout import AXES, CHUNKED, HIGH, LOW, PACKED, PARENT, POSITION, Lattice
from latwin.lattice.kernels.steps import greatest_bit
from latwin.lattice.kernels.window import GREATEST, LEAST, NEWEST, THROUGH, covers
from latwin.lattice.kernels.words import ONE, WORD, ZERO

# Rows of the runs that were chosen; see `conjunctive.choose_runs`.
LAST, BEGINS = 0, 1


@njit(cache=True)
def is_open(clocks: Int64s, ends: Int64s, reads: Flags, process: int) -> bool:
    """Whether a later state of `process` can matter to a condition that reads the processes flagged in `reads`."""
    if ends[GREATEST, process] != ends[NEWEST, process]:
        return False
    if reads[process]:
        return True
    mask = clocks.shape[1] - 1
    for j in range(ends.shape[1]):  # noqa: SIM110 - any() over a generator does not compile
        if clocks[j, ends[NEWEST, j] & mask, process] > ends[THROUGH, process]:
            return True
    return False


@njit(cache=True)
def runs_are_final(clocks: Int64s, ends: Int64s, reads: Flags, runs: Int64s) -> bool:
    """Whether a true `definitely_all` is final, which chose these runs: their last states, and what begins them.

    A run that lasts to the newest state of an open process ends with the next one, which knows what the newest one
    knows: it must know the begin of every run. The choice is the earliest one, so no other can do better. O(n^2).
    """
    processes = ends.shape[1]
    mask = clocks.shape[1] - 1
    for j in range(processes):
        if runs[LAST, j] != ends[NEWEST, j]:
            continue
        for i in range(processes):
            if clocks[j, ends[NEWEST, j] & mask, i] < runs[BEGINS, i]:
                if is_open(clocks, ends, reads, j):
                    return False
                break
    return True


@njit(cache=True)
def find_open(clocks: Int64s, ends: Int64s, members: Int64s) -> tuple[Flags, Int64s]:
    """The open ends, of a condition that reads the processes `members` int64[m], as cuts of these processes see them.

    Flags uint8[m]: which of them are open. And corners int64[R, m], one for each open process that is not read: the
    lowest positions with which its newest state is compatible. A cut of the members extends to one with that process
    at its newest state iff it is at or above the corner.
    """
    processes = ends.shape[1]
    mask = clocks.shape[1] - 1
    reads = np.zeros(processes, np.uint8)
    is_open_at = np.zeros(len(members), np.uint8)
    for a in range(len(members)):
        reads[members[a]] = 1
        is_open_at[a] = 1 if ends[GREATEST, members[a]] == ends[NEWEST, members[a]] else 0
    count = 0
    is_ahead = np.zeros(processes, np.uint8)
    for k in range(processes):
        if not reads[k] and is_open(clocks, ends, reads, k):
            is_ahead[k] = 1
            count += 1
    corners = np.zeros((count, len(members)), np.int64)
    row = 0
    for k in range(processes):
        if not is_ahead[k]:
            continue
        newest = clocks[k, ends[NEWEST, k] & mask]
        for a in range(len(members)):
            j = members[a]
            while covers(clocks, ends, j, ends[LEAST, j] + corners[row, a]) < newest[j]:  # ends at the greatest cut
                corners[row, a] += 1
        row += 1
    return is_open_at, corners


@njit(cache=True)
def find_ended(lattice: Lattice, is_open_at: Flags, ended: Flags) -> None:
    """Set `ended` uint8[N]: whether the path to a node has an open process at its newest state."""
    ends, origin, levels = lattice.ends, lattice.origin, lattice.levels
    ended[0] = 0
    for axis in range(lattice.shape[AXES] - 1):
        last = ends[GREATEST, axis] - ends[LEAST, axis]
        for node in range(levels[axis + 1], levels[axis + 2]):
            here = is_open_at[axis] and origin[node, POSITION] == last
            ended[node] = 1 if here else ended[origin[node, PARENT]]


@njit(cache=True)
def reached_is_final(lattice: Lattice, reached: Words, is_open_at: Flags, corners: Int64s) -> bool:
    """Whether a true *definitely* is final, after `reach_avoiding` marked the cuts of `reached`.

    The open ends are those of `find_open`. One AND a leaf, and a few for each corner.
    """
    lattice = Lattice(*lattice)
    ends, shape, span, levels = lattice.ends, lattice.shape, lattice.span, lattice.levels
    processes = ends.shape[1]
    for r in range(len(corners)):
        if has_cut_within(lattice, reached, corners[r], ends[GREATEST] - ends[LEAST]):
            return False
    open_ends = ZERO  # the bits of a word with an open process at its newest state
    for k in range(processes - shape[PACKED], processes):
        if is_open_at[k]:
            open_ends |= lattice.at_least[k, ends[GREATEST, k] - ends[LEAST, k]]
    if not is_open_at.any():
        return True
    last_axis = shape[AXES] - 1
    ended = np.empty(levels[last_axis + 1], np.uint8)
    find_ended(lattice, is_open_at, ended)
    # On the last axis: its position, or its chunk and the bit within it, with the newest state.
    newest = -1
    bits = ~ZERO
    if shape[PACKED] < processes and is_open_at[last_axis]:
        newest = ends[GREATEST, last_axis] - ends[LEAST, last_axis]
        if shape[CHUNKED]:
            newest //= WORD
            bits = ONE << np.uint64(greatest_bit(ends, shape, lattice.stride))
    leaf = 0
    for node in range(levels[last_axis], levels[last_axis + 1]):
        for position in range(span[node, LOW], span[node, HIGH] + 1):
            word = reached[leaf]
            leaf += 1
            if word and (ended[node] or word & open_ends or (position == newest and word & bits)):
                return False
    return True
