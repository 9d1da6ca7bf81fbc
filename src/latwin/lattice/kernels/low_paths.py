"""Whether an observation keeps a sum below a bound, searched for without the lattice (`definitely` of a sum).

In general that is as hard as sequencing jobs so that costs never add up to too much. Three facts make it easy in
practice. *Rises* and *falls* are the events that add to the sum and take from it; X, Y, D are cuts.

- Lazy: a rise may wait until a fall needs it. So a step is: take the next fall of a process, after the rises that it
  needs. Only a fall that needs no other fall can be next, and the sum before it is the highest on the way.
- Jump: if D has the least sum of all cuts between X and D, and X leads to D, then going there loses nothing: for
  every Y above X, sum(Y | D) = sum(Y) + sum(D) - sum(Y & D) <= sum(Y), so D leads to whatever X leads to, joined with
  D. A step that ends no higher than it began is such a jump, and is taken without looking at others.
- Lowest first: where no step is a jump, all orders of steps are tried, from the cut with the lowest sum first. The
  first cut W that is no higher than X is then a jump, too. (In another order it may not be: a lower cut between X and
  W may have been missed, and W has gone too far.)

Why that is so. Let D be the greatest of the cuts with the least sum between X and W, and let D be lower than W. Go
the way to W with the falls in D alone: for every Y on it, sum(Y & D) = sum(Y) + sum(D) - sum(Y | D) < sum(Y), unless
Y is in D. So from where the way to W leaves D on, the other one is lower; jumps on it only make it lower still. It is
tried first, and has found a cut no higher than X before the way to W gets there.

No cut is tried twice, and there is a budget of cuts.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Int64s, settled
from latwin.lattice.kernels.weights import Needs, total

# What `stay_below` answers.
NO_WAY = 0
A_WAY = 1
SPENT = 2  #: the budget of cuts is spent

BUDGET = 1000  #: cuts from which all steps are tried, for one question


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


GO_ON = 3  #: from a better cut


@njit(cache=True)
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
    mask = worth.shape[1] - 1
    processes = len(cut)
    spent, count = counts
    ends_low = total(worth, members, high) <= limit
    nodes = np.empty((16, processes), np.int64)
    # Of each: its sum, the node before it, the process that took a fall, and whether it was looked at.
    about = np.empty((16, 4), np.int64)
    nodes[0] = cut
    root_sum = total(worth, members, cut)
    about[0, 0], about[0, 1], about[0, 2], about[0, 3] = root_sum, -1, -1, 0
    size = 1
    falls, after = np.empty(processes, np.int64), np.empty(processes, np.int64)
    while True:
        best = -1
        for k in range(size):
            if not about[k, 3] and (best < 0 or about[k, 0] < about[best, 0]):
                best = k
        if best < 0:
            return NO_WAY, spent, count
        if spent == BUDGET:
            return SPENT, spent, count
        spent += 1
        about[best, 3] = 1
        here = about[best, 0]
        find_falls(members, worth, nodes[best], high, falls)
        first = size
        for i in members:
            fall = falls[i]
            if fall > high[i] and not is_open[i]:
                continue
            added = climb_before(needs, worth, nodes[best], falls, high, i, limit - here)
            if added < 0:
                continue
            if size == len(nodes):
                nodes, about = larger(nodes), larger(about)
            nodes[size] = nodes[best]
            about[size, 1], about[size, 2], about[size, 3] = best, i, 0
            if fall > high[i]:
                return A_WAY, spent, note_way(nodes, about, settled(best), steps, settled(count))
            take(needs, nodes[size], i, fall)
            there = here + added + worth[i, fall & mask] - worth[i, (fall - 1) & mask]
            about[size, 0] = there
            if ends_low and find_falls(members, worth, nodes[size], high, after) == 0:
                return A_WAY, spent, note_way(nodes, about, settled(size), steps, settled(count))
            if there <= root_sum:
                cut[:] = nodes[size]
                return GO_ON, spent, note_way(nodes, about, settled(size), steps, settled(count))
            if there <= here:  # a jump, so the other steps from here need not be tried
                nodes[first], about[first] = nodes[size], about[size]
                size = first + (0 if is_known(members, nodes, about, settled(first)) else 1)
                break
            if not is_known(members, nodes, about, settled(size)):
                size += 1


@njit(cache=True)
def larger(array: Int64s) -> Int64s:
    """A copy with room for twice as many rows."""
    grown = np.empty((2 * len(array), array.shape[1]), np.int64)
    grown[: len(array)] = array
    return grown


@njit(cache=True)
def is_known(members: Int64s, nodes: Int64s, about: Int64s, node: int) -> bool:
    """Whether an earlier node is the same cut."""
    for k in range(node):
        if about[k, 0] == about[node, 0]:
            is_same = True
            for j in members:
                if nodes[k, j] != nodes[node, j]:
                    is_same = False
                    break
            if is_same:
                return True
    return False


@njit(cache=True)
def note_way(nodes: Int64s, about: Int64s, node: int, steps: Int64s, count: int) -> int:
    """Append the falls on the way to `node` to `steps`; the new count."""
    first = count
    while about[node, 1] >= 0:
        steps[count, 0] = about[node, 2]
        steps[count, 1] = nodes[node, about[node, 2]]
        count += 1
        node = about[node, 1]
    steps[first:count] = steps[first:count][::-1].copy()
    return count
