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

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Int64s, copy_into, settled
from latwin.lattice.kernels.weights import Needs, total

_FAR = 1 << 62


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
        for at in range(count):
            copy_into(larger[at], payments[at])
        payments = larger
    payments[count, 0], payments[count, 1], payments[count, 2] = rise, amount, heads[fall]
    heads[fall] = count
    return payments, count + 1


class Flow(NamedTuple):
    """Who pays for what. E events; the event (j, s) has the number offset[j] + s."""

    #: int64[n]
    offset: Int64s
    #: int64[E]: the process of an event
    owner: Int64s
    #: int64[E]: of a rise, what it keeps; of a fall, what nobody pays for, negated
    rest: Int64s
    #: int64[E]: of a fall: its first payment, -1 if there is none
    heads: Int64s
    #: int64[P, 3]: of a payment: the rise, the amount, the fall's next payment; and how many there are
    payments: Int64s
    count: int


@njit(cache=True, inline="always")
def climb(needs: Needs, worth: Int64s, low: Int64s, high: Int64s, goal: int, cut: Int64s) -> int:
    """How high the sum can be between the cuts `low` and `high`, as far as it takes to compare it with `goal`.

    That is a bound below `goal`, or the sum at some cut, at least `goal`. `cut` int64[n] is then that cut.
    Only the members' coordinates are read and set.
    """
    return climb_between(needs, worth, low, high, (goal, goal), cut)


@njit(cache=True, inline="always")
def find_highest(needs: Needs, worth: Int64s, low: Int64s, high: Int64s, cut: Int64s) -> int:
    """The greatest sum between the cuts `low` and `high`; `cut` is set to the least cut that has it."""
    return climb_between(needs, worth, low, high, (settled(-_FAR), settled(_FAR)), cut)


@njit(cache=True)
def climb_between(needs: Needs, worth: Int64s, low: Int64s, high: Int64s, stops: tuple[int, int], cut: Int64s) -> int:
    """The same, up to a bound below the first of `stops`, or a cut with a sum of at least the second."""
    members = needs.members
    for j in members:
        cut[j] = low[j]
    bound = total(worth, members, low)
    flow, rises = pay_at_home(needs, worth, low, high)
    bound += rises
    if rises == 0 or bound < stops[0]:
        return bound
    return raise_flow(needs, worth, low, stops, cut, bound, flow)


@njit(cache=True, inline="always")
def pay_at_home(needs: Needs, worth: Int64s, low: Int64s, high: Int64s) -> tuple[Flow, int]:
    """The flow within each process, where a rise pays for the latest falls before it; and what all rises keep."""
    members = needs.members
    mask = worth.shape[1] - 1
    offset = np.empty(len(low), np.int64)
    events = 0
    for j in members:
        offset[j] = events - low[j] - 1
        events += high[j] - low[j]
    owner = np.empty(events, np.int64)
    rest = np.empty(events, np.int64)
    heads = np.full(events, -1, np.int64)
    payments = np.empty((events, 3), np.int64)
    count = rises = 0
    stack = np.empty(events, np.int64)
    for j in members:
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
            rises += max(change, 0)
    return Flow(offset, owner, rest, heads, payments, settled(count)), rises


class Search(NamedTuple):
    """How the search for payers came to an event."""

    #: int64[E]: of a rise: the last round that met it
    met_in: Int64s
    #: int64[E]: of a rise: the fall that led to it; of a fall: the rise
    met_by: Int64s
    #: int64[E]: of a rise: the payment that led to it
    through: Int64s


@njit(cache=True, inline="always")
def room_on_the_way(search: Search, payments: Int64s, rise: int, root: int, amount: int) -> int:
    """How much of `amount` the root can pay by way of the rises that led from it to `rise`."""
    while rise != root:
        amount = min(amount, payments[search.through[rise], 1])
        rise = search.met_by[search.met_by[rise]]
    return amount


@njit(cache=True, inline="always")
def pay_on_the_way(
    search: Search, heads: Int64s, payments: Int64s, count: int, rise: int, root: int, amount: int
) -> tuple[Int64s, int]:
    """Let each rise that led from the root to `rise` pay for the fall of the one before it; see `pay`."""
    while rise != root:
        payments[search.through[rise], 1] -= amount
        fall = search.met_by[rise]
        rise = search.met_by[fall]
        payments, count = pay(fall, rise, amount, heads, payments, count)
    return payments, count


@njit(cache=True, inline="always")
def raise_flow(
    needs: Needs, worth: Int64s, low: Int64s, stops: tuple[int, int], cut: Int64s, bound: int, flow: Flow
) -> int:
    """Go on with `climb_between` from a first flow: search for payers, in rounds, until there are none."""
    known, shift, members = needs
    offset, owner, rest, heads, payments, count = flow
    events = len(owner)
    mask = worth.shape[1] - 1
    search = Search(np.zeros(events, np.int64), np.empty(events, np.int64), np.empty(events, np.int64))
    met_in, met_by = search.met_in, search.met_by
    queue = np.empty(events, np.int64)
    is_better = True
    round_number = 0
    while is_better:  # every round but the last raises the flow
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
                            amount = room_on_the_way(search, payments, rise, root, min(rest[root], -rest[event]))
                            if amount > 0:
                                is_better = True
                                rest[root] -= amount
                                rest[event] += amount
                                bound -= amount
                                if bound < stops[0]:
                                    return bound
                                payments, count = pay(event, rise, amount, heads, payments, count)
                                payments, count = pay_on_the_way(search, heads, payments, count, rise, root, amount)
                        at = heads[event]
                        if at >= 0:
                            met_by[event] = rise
                        while at >= 0:
                            other = payments[at, 0]
                            if payments[at, 1] > 0 and met_in[other] != round_number:
                                met_in[other], met_by[other], search.through[other] = round_number, event, at
                                queue[end] = other
                                end += 1
                            at = payments[at, 2]
        if is_better:
            here = total(worth, members, cut)
            if here >= stops[1]:
                return here
    return bound
