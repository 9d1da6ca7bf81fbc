"""Whether an observation keeps a sum below a bound, searched for without the lattice (`definitely` of a sum).

In general that is as hard as sequencing jobs so that costs never add up to too much. Three facts make it easy in
practice. *Rises* and *falls* are the events that add to the sum and take from it; X, Y, D are cuts.

- Lazy: a rise may wait until a fall needs it. So a step is: take the next fall of a process, after the rises that it
  needs. Only a fall that needs no other fall can be next, and the sum before it is the highest on the way.
- Jump: if D has the least sum of all cuts between X and D, and X leads to D, then going there loses nothing: for
  every Y above X, sum(Y | D) = sum(Y) + sum(D) - sum(Y & D) <= sum(Y), so D leads to whatever X leads to, joined with
  D. A step that ends no higher than it began is such a jump, and is taken without looking at others.
- Shrink: where no step is a jump, all orders of steps are tried, depth first: those first that need the step before
  them, as what goes down again mostly needs what went up, and of these the ones that add least. If one
  leads to a cut W no higher than a cut X that it came through, let D be the least of the lowest cuts between X and
  W. Then X leads to D, too, and D is a jump from X: no other step from X need be tried. (W itself need not be one: a
  lower cut between X and W may have been missed, and W has gone too far.)

Why X leads to D: go the way to W with the falls in D alone. For every Y on it, Y | D lies between X and W, so
sum(Y & D) = sum(Y) + sum(D) - sum(Y | D) <= sum(Y): the other way is nowhere higher.

No cut is tried twice, and there is a budget of cuts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Int64s, copy_into, settled
from latwin.lattice.kernels.closure import find_highest
from latwin.lattice.kernels.weights import Needs, total

# What `stay_below` answers.
NO_WAY = 0
A_WAY = 1
SPENT = 2  #: the budget of cuts is spent

BUDGET = 1000  #: cuts that the search comes to, for one question


@njit(cache=True)
def find_falls(members: Int64s, worth: Int64s, cut: Int64s, high: Int64s, falls: Int64s) -> int:
    """Set `falls` int64[n]: each process's next state that is worth less than the one before; how many have one.

    If there is none, it is the state after the one in `high`.
    """
    mask = worth.shape[1] - 1
    count = 0
    for j in members:
        falls[j] = next_fall(worth[j], cut[j], high[j], mask)
        count += falls[j] <= high[j]
    return count


@njit(cache=True, inline="always")
def next_fall(worth: Int64s, state: int, high: int, mask: int) -> int:
    """The next state after `state` that is worth less than the one before."""
    state += 1
    while state <= high and worth[state & mask] >= worth[(state - 1) & mask]:
        state += 1
    return state


@njit(cache=True)
def climb_before(
    needs: Needs, worth: Int64s, cut: Int64s, falls: Int64s, high: Int64s, process: int, room: int
) -> int:
    """How much the rises add that the next fall of `process` needs; -1 if more than `room`, or if it needs a fall."""
    known, shift, members = needs
    mask = worth.shape[1] - 1
    fall = falls[process]
    added = worth[process, (fall - 1) & mask] - worth[process, cut[process] & mask]
    if added > room:
        return -1
    # What comes after the newest state needs at least what that one needs.
    clock = known[process, min(fall, high[process]) & mask]
    for j in members:
        state = clock[j] + shift[j]
        if state > cut[j] and j != process:
            if state >= falls[j]:
                return -1
            added += worth[j, state & mask] - worth[j, cut[j] & mask]
            if added > room:
                return -1
    return added


@njit(cache=True)
def take(needs: Needs, cut: Int64s, process: int, fall: int) -> None:
    """Raise `cut` to include a fall and what it needs."""
    known, shift, members = needs
    clock = known[process, fall & (known.shape[1] - 1)]
    for j in members:
        cut[j] = max(cut[j], clock[j] + shift[j])
    cut[process] = fall


@njit(cache=True)
def stay_below(
    needs: Needs, worth: Int64s, low: Int64s, high: Int64s, limit: int, is_open: Flags, steps: Int64s
) -> tuple[int, int]:
    """Whether single steps lead from the cut `low` to `high` while the sum stays at or below `limit`.

    The sum at `low` must be. With `is_open` uint8[n], the question is whether they lead to `high`, or to any cut in
    which a process that is flagged has its state of `high`.
    The falls are noted in `steps` int64[F, 2], as rows (process, state), in the order in which the way takes them;
    the second number counts them.
    """
    members = needs.members
    mask = worth.shape[1] - 1
    ends_low = total(worth, members, high) <= limit
    cut = low.copy()
    falls = np.empty(len(low), np.int64)
    left = find_falls(members, worth, cut, high, falls)
    here = total(worth, members, cut)
    count = 0
    spent = 0
    while True:
        # Jump as long as a step ends no higher than it began.
        is_stuck = True
        moved = True
        while moved:
            moved = False
            for i in members:
                while falls[i] <= high[i] or is_open[i]:
                    fall = falls[i]
                    added = climb_before(needs, worth, cut, falls, high, i, limit - here)
                    if added < 0:
                        break
                    if fall > high[i]:
                        return A_WAY, count
                    change = added + worth[i, fall & mask] - worth[i, (fall - 1) & mask]
                    if change > 0:
                        is_stuck = False
                        break
                    take(needs, cut, i, fall)
                    steps[count, 0], steps[count, 1] = i, fall
                    count += 1
                    here += change
                    falls[i] = next_fall(worth[i], fall, high[i], mask)
                    left -= falls[i] > high[i]
                    moved = True
                    is_stuck = True
        if left == 0 and ends_low:
            return A_WAY, count
        if is_stuck:
            return NO_WAY, count
        outcome, spent, count = explore(
            needs, worth, cut, high, limit, is_open, steps, (settled(spent), settled(count))
        )
        if outcome != GO_ON:
            return outcome, count
        left = find_falls(members, worth, cut, high, falls)
        here = total(worth, members, cut)


class Tried(NamedTuple):
    """The cuts that a search has come to: C of them, with room for more."""

    #: int64[C, n]
    cuts: Int64s
    #: int64[C, 7]: see the constants
    about: Int64s
    #: int64[2 * BUDGET and more]: the cut with a key, by open addressing; -1 for none
    table: Int64s


# Columns of `about`.
SUM = 0
BEFORE = 1  #: the cut from which the search came, and to which it goes back; -1 at its beginning
STEPS = 2  #: the number of steps on the way; GIVEN_UP if not all steps from here were tried that had to be
RANK, PROCESS = 3, 4  #: the last step that was tried from here; -1 if there is none
LAST_PROCESS, LAST_STATE = 5, 6  #: the last step on the way; -1 if there is none

GIVEN_UP = -1
_TABLE = 1 << (2 * BUDGET).bit_length()
_KEYS = (1 << 31) - 1


@njit(cache=True, inline="always")
def begin_search(members: Int64s, cut: Int64s, here: int, count: int) -> Tried:
    """At a cut with the sum `here`, to which `count` steps lead."""
    tried = Tried(np.empty((16, len(cut)), np.int64), np.empty((16, 7), np.int64), np.full(_TABLE, -1, np.int64))
    copy_into(tried.cuts[0], cut)
    tried.about[0, SUM], tried.about[0, BEFORE], tried.about[0, STEPS] = here, -1, count
    tried.about[0, RANK] = 0
    tried.about[0, PROCESS] = tried.about[0, LAST_PROCESS] = tried.about[0, LAST_STATE] = -1
    find_place(tried, members, settled(0))
    return tried


@njit(cache=True)
def find_place(tried: Tried, members: Int64s, number: int) -> bool:
    """Whether the cut with this number must be looked at: it gets a place in the table, unless it was done before."""
    cuts, table = tried.cuts, tried.table
    key = 0
    for j in members:
        key = (key * 1103515245 + cuts[number, j] + 12345) & _KEYS
    slot = (key ^ key >> 13) & (len(table) - 1)
    while table[slot] >= 0:
        is_same = True
        for j in members:
            if cuts[table[slot], j] != cuts[number, j]:
                is_same = False
                break
        if is_same:
            if tried.about[table[slot], STEPS] != GIVEN_UP:
                return False
            break
        slot = (slot + 1) & (len(table) - 1)
    table[slot] = number
    return True


GO_ON = 3  #: from a better cut
TO_OPEN = -(1 << 62)
UNRELATED = 1 << 61


@njit(cache=True, inline="always")
def choose_step(
    needs: Needs, worth: Int64s, tried: Tried, at: int, high: Int64s, room: int, is_open: Flags, falls: Int64s
) -> tuple[int, int]:
    """The next step to try from a cut: the process, and its rank; -1 if there is none.

    The rank is how it changes the sum, and UNRELATED more for a step that does not need the last one. A jump has no
    rank above 0, and is the only step that need be tried. A step to an open end has the rank TO_OPEN.
    """
    members = needs.members
    mask = worth.shape[1] - 1
    cut = tried.cuts[at]
    tried_rank, tried_process = tried.about[at, RANK], tried.about[at, PROCESS]
    last_process, last_state = tried.about[at, LAST_PROCESS], tried.about[at, LAST_STATE]
    best, least = -1, 0
    if tried_process >= 0 and tried_rank <= 0:
        return best, least
    find_falls(members, worth, cut, high, falls)
    for i in members:
        if falls[i] > high[i] and not is_open[i]:
            continue
        added = climb_before(needs, worth, cut, falls, high, i, room)
        if added < 0:
            continue
        if falls[i] > high[i]:
            return i, TO_OPEN
        change = added + worth[i, falls[i] & mask] - worth[i, (falls[i] - 1) & mask]
        if change <= 0:
            return i, change
        rank = change
        if last_process >= 0 and i != last_process:
            known = needs.known[i, falls[i] & mask, last_process] + needs.shift[last_process]
            rank += 0 if known >= last_state else UNRELATED
        is_tried = rank < tried_rank or (rank == tried_rank and i <= tried_process)
        if not is_tried and (best < 0 or rank < least):
            best, least = i, rank
    return best, least


@njit(cache=True, inline="always")
def shrink(
    needs: Needs, worth: Int64s, tried: Tried, number: int, there: int, steps: Int64s, count: int
) -> tuple[int, int]:
    """Let the cut with this number, whose sum is `there`, be a jump from as far back as possible; its sum and steps.

    As long as the search came through a cut that is no lower, it shrinks to the least of the lowest cuts between the
    two, and its way keeps the steps to that one alone. The cut from which it comes is then the one before.
    """
    members, cuts, about = needs.members, tried.cuts, tried.about
    before = about[number, BEFORE]
    lowest = np.empty(cuts.shape[1], np.int64)
    while before >= 0 and about[before, SUM] >= there:
        first = before
        while about[first, BEFORE] >= 0 and about[about[first, BEFORE], SUM] >= there:
            about[first, STEPS] = GIVEN_UP
            first = about[first, BEFORE]
        if about[first, STEPS] + 1 < count:  # a single step is one already
            found = -find_highest(needs, -worth, cuts[first], cuts[number], lowest)
            if found < there:
                there = found
                kept = about[first, STEPS]
                for step in range(about[first, STEPS], count):
                    if steps[step, 1] <= lowest[steps[step, 0]]:
                        steps[kept, 0], steps[kept, 1] = steps[step, 0], steps[step, 1]
                        kept += 1
                count = kept
                for j in members:
                    cuts[number, j] = lowest[j]
        before = about[first, BEFORE]
    about[number, BEFORE] = before
    return there, count


@njit(cache=True, inline="always")
def explore(
    needs: Needs,
    worth: Int64s,
    cut: Int64s,
    high: Int64s,
    limit: int,
    is_open: Flags,
    steps: Int64s,
    counts: tuple[int, int],
) -> tuple[int, int, int]:
    """Try all orders of steps from `cut`, up to a cut that is no higher: `cut` then jumps there, to GO_ON.

    `counts` are the cuts spent and the falls noted; the same after it is the second and third number.
    """
    members = needs.members
    spent, count = counts
    ends_low = total(worth, members, high) <= limit
    falls = np.empty(len(cut), np.int64)
    tried = begin_search(members, cut, total(worth, members, cut), count)
    size = 1
    at = 0
    while at >= 0:
        here, count = tried.about[at, SUM], tried.about[at, STEPS]
        process, rank = choose_step(needs, worth, tried, at, high, limit - here, is_open, falls)
        if process < 0:  # no way on from here: back
            at = tried.about[at, BEFORE]
            continue
        if rank == TO_OPEN:
            return A_WAY, spent, count
        if spent == BUDGET:
            return SPENT, spent, count
        spent += 1
        if size == len(tried.cuts):
            tried = Tried(larger(tried.cuts), larger(tried.about), tried.table)
        cuts, about = tried.cuts, tried.about
        about[at, RANK], about[at, PROCESS] = rank, process
        copy_into(cuts[size], cuts[at])
        take(needs, cuts[size], process, falls[process])
        steps[count, 0], steps[count, 1] = process, falls[process]
        about[size, BEFORE] = at
        if ends_low and find_falls(members, worth, cuts[size], high, falls) == 0:
            return A_WAY, spent, count + 1
        change = rank - UNRELATED if rank > UNRELATED else rank
        there, count = shrink(needs, worth, tried, size, here + change, steps, count + 1)
        if about[size, BEFORE] < 0:
            copy_into(cut, cuts[size])
            return GO_ON, spent, count
        about[size, SUM], about[size, STEPS], about[size, RANK], about[size, PROCESS] = there, count, 0, -1
        about[size, LAST_PROCESS], about[size, LAST_STATE] = steps[count - 1, 0], steps[count - 1, 1]
        if find_place(tried, members, settled(size)):
            at = size
            size += 1
        else:
            at = about[size, BEFORE]
    return NO_WAY, spent, count


@njit(cache=True, inline="always")
def larger(array: Int64s) -> Int64s:
    """A copy with room for twice as many rows."""
    grown = np.empty((2 * len(array), array.shape[1]), np.int64)
    for row in range(len(array)):
        copy_into(grown[row], array[row])
    return grown
