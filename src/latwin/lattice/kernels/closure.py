"""How high a sum can be between two cuts.

The event (j, s) leads process j to its state s, and changes the sum by worth(s) - worth(s - 1). A cut is a set of
events, each with all that it needs: the cut with the greatest sum is a closure of maximum weight. As a flow: every
*rise* (an event that adds) has to pay for the *falls* that it needs, as far as no other rise pays for them; what the
rises keep after a maximum flow is the greatest gain.

    greatest sum = sum at the lower cut + all rises - maximum flow

Falls are reached through clocks, so no graph is stored: what a rise needs is a prefix of each process's events, what
a search has met so far is a prefix, too, and a search that finds no payer any more ends with the least of the best
cuts as these prefixes. If all events change the sum by at most 1, the flow is a matching.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Int64s, settled
from latwin.lattice.kernels.weights import Needs, total


@njit(cache=True)
def pay(fall: int, rise: int, amount: int, heads: Int64s, payments: Int64s, count: int) -> tuple[Int64s, int]:
    """Note that a rise pays for a fall; the list of payments, which may have grown, and their number."""
    at = heads[fall]
    while at >= 0:
        if payments[at, 0] == rise:
            payments[at, 1] += amount
            return payments, count
        at = payments[at, 2]
    if count == len(payments):
        larger = np.empty((2 * count, 3), np.int64)
        larger[:count] = payments
        payments = larger
    payments[count, 0], payments[count, 1], payments[count, 2] = rise, amount, heads[fall]
    heads[fall] = count
    return payments, count + 1


@njit(cache=True)
def climb(needs: Needs, worth: Int64s, low: Int64s, high: Int64s, goal: int, cut: Int64s) -> int:
    """How high the sum can be between the cuts `low` and `high`, as far as it takes to compare it with `goal`.

    That is a bound below `goal`, or the sum at some cut, at least `goal`. `cut` int64[n] is then that cut.
    Only the members' coordinates are read and set.
    """
    members = needs.members
    processes = len(low)
    mask = worth.shape[1] - 1
    offset = np.empty(processes, np.int64)  # the event (j, s) has the number offset[j] + s
    events = 0
    for j in members:
        offset[j] = events - low[j] - 1
        events += high[j] - low[j]
        cut[j] = low[j]
    bound = total(worth, members, low)
    if events == 0:
        return bound
    owner = np.empty(events, np.int64)
    rest = np.empty(events, np.int64)  # of a rise, what it keeps; of a fall, what nobody pays for, negated
    heads = np.full(events, -1, np.int64)  # of a fall: its first payment
    payments = np.empty((events, 3), np.int64)  # the rise, the amount, the fall's next payment
    count = 0
    stack = np.empty(events, np.int64)
    rises = 0
    for j in members:
        # First within the process: a rise pays for the latest falls before it.
        top = 0
        for s in range(low[j] + 1, high[j] + 1):
            event = offset[j] + s
            change = worth[j, s & mask] - worth[j, (s - 1) & mask]
            owner[event] = j
            if change < 0:
                stack[top] = event
                top += 1
            while change > 0 and top > 0:
                fall = stack[top - 1]
                amount = min(change, -rest[fall])
                payments, count = pay(fall, event, amount, heads, payments, settled(count))
                rest[fall] += amount
                change -= amount
                if rest[fall] == 0:
                    top -= 1
            rest[event] = change
            if change > 0:
                rises += 1
                bound += change
    if rises == 0 or bound < goal:
        return bound
    return _raise_flow(needs, worth, low, goal, cut, bound, (offset, owner, rest, heads, payments, settled(count)))


@njit(cache=True)
def _raise_flow(
    needs: Needs,
    worth: Int64s,
    low: Int64s,
    goal: int,
    cut: Int64s,
    bound: int,
    flow: tuple[Int64s, Int64s, Int64s, Int64s, Int64s, int],
) -> int:
    """Go on with `climb` from a first flow: search for payers, in rounds, until there are none."""
    known, shift, members = needs
    offset, owner, rest, heads, payments, count = flow
    events = len(owner)
    mask = worth.shape[1] - 1
    met_in = np.zeros(events, np.int64)  # of a rise: the last round that met it
    met_by = np.empty(events, np.int64)  # of a rise: the fall that led to it; of a fall: the rise
    through = np.empty(events, np.int64)  # of a rise: the payment that led to it
    queue = np.empty(events, np.int64)
    is_better = True
    round_number = 0
    while is_better:
        is_better = False
        round_number += 1
        for j in members:
            cut[j] = low[j]
        for root in range(events):
            if rest[root] <= 0 or met_in[root] == round_number:
                continue
            met_in[root], met_by[root] = round_number, -1
            queue[0] = root
            begin, end = 0, 1
            while begin < end and rest[root] > 0:
                rise = queue[begin]
                begin += 1
                i = owner[rise]
                state = rise - offset[i]
                clock = known[i, state & mask]
                for j in members:
                    upto = state if j == i else clock[j] + shift[j]
                    while cut[j] < upto:
                        cut[j] += 1
                        event = offset[j] + cut[j]
                        if rest[event] < 0:
                            # This fall has not been paid for in full: the root pays, by way of the rises in between.
                            amount = min(rest[root], -rest[event])
                            payer = rise
                            while payer != root:
                                amount = min(amount, payments[through[payer], 1])
                                payer = met_by[met_by[payer]]
                            if amount > 0:
                                is_better = True
                                rest[root] -= amount
                                rest[event] += amount
                                bound -= amount
                                if bound < goal:
                                    return bound
                                payments, count = pay(event, rise, amount, heads, payments, count)
                                payer = rise
                                while payer != root:
                                    payments[through[payer], 1] -= amount
                                    fall = met_by[payer]
                                    payer = met_by[fall]
                                    payments, count = pay(fall, payer, amount, heads, payments, count)
                        at = heads[event]
                        if at >= 0:
                            met_by[event] = rise
                        while at >= 0:
                            other = payments[at, 0]
                            if payments[at, 1] > 0 and met_in[other] != round_number:
                                met_in[other], met_by[other], through[other] = round_number, event, at
                                queue[end] = other
                                end += 1
                            at = payments[at, 2]
        if is_better:
            here = total(worth, members, cut)
            if here >= goal:
                return here
    return bound
