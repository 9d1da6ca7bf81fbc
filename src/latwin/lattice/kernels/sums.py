"""Sums over processes, compared with a number: `possibly` and `definitely` without the lattice.

A question is a row of integers (see the constants), with its members in `SumQuestions.members`. Every comparison is
brought to "at least" (see `weights`):

- `possibly` of at least k: the greatest sum of all cuts is (see `closure`). Of not k: more than k, or less. Of k, if
  no step changes the sum by more than 1: at least k, and at most k, as the cuts are connected by single steps.
- `definitely` of at least k: no observation stays below k (see `low_paths`). Of k, if no step changes the sum by more
  than 1: at least k, and at most k, as every observation that is on both sides of k comes by. Of not k: the least
  cut's sum is not k, or some event changes it.

What these do not cover is UNDECIDED: the lattice has to answer. The lattice must not be empty.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Floats, Int64s, settled
from latwin.lattice.kernels.closure import climb
from latwin.lattice.kernels.final import is_open
from latwin.lattice.kernels.low_paths import A_WAY, SPENT, stay_below
from latwin.lattice.kernels.weights import EXACT, INEXACT, SPECIAL, STEEP, Needs, find_needs, total, weigh
from latwin.lattice.kernels.window import GREATEST, LEAST

# A question's columns.
SUM = 0  #: the number of its sum
CONDITIONS = 1  #: the number of the conjunction that must hold as well; -1 if there is none
COMPARISON = 2
BOUND = 3
NULL_HOLDS = 4  #: whether a null among the terms makes it true, as in `not (a.x + b.x > 1)`
MEMBERS = 5  #: how many processes it reads
FIRST_ROW = 6  #: the rows of its program, for the lattice
END_ROW = 7
COLUMNS = 8

AT_LEAST, AT_MOST, EQUAL, NOT_EQUAL = 0, 1, 2, 3

# Answers.
UNDECIDED = -1
MET = 1  #: true
FINAL = 2  #: and no state to come can change that
UNKNOWN_FINAL = 4  #: or perhaps, the lattice has to tell


class SumQuestions(NamedTuple):
    """The questions about sums of all properties."""

    #: int64[Q, COLUMNS]
    rows: Int64s
    #: int64[Q, n]: the processes that each reads, in ascending order, and anything after them
    members: Int64s
    #: int64[Q, n]: where a `possibly` was true last, by state numbers; -1 if nowhere
    witness: Int64s


class Weighed(NamedTuple):
    """A question on the present window; one of "at most" is turned into one of "at least"."""

    needs: Needs
    #: int64[n, capacity]: what the states are worth if the sum is to be high, and if it is to be low
    up: Int64s
    down: Int64s
    comparison: int
    #: for `up`; for `down`, it has the other sign
    bound: int
    #: what `weigh` told
    outcome: int


@njit(cache=True)
def weigh_question(
    clocks: Int64s, ends: Int64s, terms: Floats, holds: Flags, row: Int64s, members: Int64s
) -> Weighed:
    """What the states from the least to the greatest cut are worth for a question; `down` only if it looks both ways.

    `terms` and `holds` are those of all sums and conjunctions (see `labels.Atoms`).
    """
    comparison, bound, sign = row[COMPARISON], row[BOUND], 1
    if comparison == AT_MOST:
        comparison, bound, sign = AT_LEAST, -bound, -1
    own, conditions, null_holds = terms[row[SUM]], holds[row[CONDITIONS]], row[NULL_HOLDS] != 0
    up = np.empty(own.shape, np.int64)
    down = up
    outcome = weigh(ends, members, own, conditions, settled(sign), bound, null_holds, up)
    if comparison != AT_LEAST and outcome != INEXACT:
        down = np.empty(own.shape, np.int64)
        weigh(ends, members, own, conditions, settled(-1), -bound, null_holds, down)
    return Weighed(find_needs(clocks, ends, members), up, down, comparison, bound, outcome)


#: what `glance` tells, if it cannot tell the answer
LOOK_CLOSER = -2


@njit(cache=True)
def glance(
    ends: Int64s, terms: Floats, holds: Flags, row: Int64s, members: Int64s, is_definitely: bool, asks_final: bool
) -> int:
    """The answer as far as the two ends of the lattice and the least and greatest terms tell it, else LOOK_CLOSER.

    Most slides end here, and nothing is allocated. Terms that are null, no integers or too large, and conditions that
    are false somewhere, need a closer look.
    """
    own, conditions, bound = terms[row[SUM]], holds[row[CONDITIONS]], row[BOUND]
    mask = own.shape[1] - 1
    largest = float(EXACT // ends.shape[1])
    at_low = at_high = lowest = highest = 0.0
    for j in members:
        least = greatest = own[j, ends[LEAST, j] & mask]
        for s in range(ends[LEAST, j], ends[GREATEST, j] + 1):
            term = own[j, s & mask]
            if not (conditions[j, s & mask] and -largest <= term <= largest) or term != np.floor(term):
                return LOOK_CLOSER
            least, greatest = min(least, term), max(greatest, term)
        at_low += own[j, ends[LEAST, j] & mask]
        at_high += own[j, ends[GREATEST, j] & mask]
        lowest += least
        highest += greatest
    comparison = row[COMPARISON]
    if is_met(comparison, at_low, bound):
        return MET | FINAL
    can_be = is_met(comparison, lowest, bound) or is_met(comparison, highest, bound)
    if not can_be and not (comparison == EQUAL and lowest < bound < highest):
        return 0
    if not is_definitely and comparison == EQUAL:
        return LOOK_CLOSER  # where the sum changes by more than 1 at a step, only the lattice has the least such cut
    if is_met(comparison, at_high, bound) and not (is_definitely and asks_final):
        return MET if is_definitely else MET | FINAL
    return LOOK_CLOSER


@njit(cache=True, inline="always")
def is_met(comparison: int, value: float, bound: int) -> bool:
    """Whether a sum satisfies a comparison."""
    if comparison == AT_LEAST:
        return value >= bound
    if comparison == AT_MOST:
        return value <= bound
    return (value == bound) == (comparison == EQUAL)


@njit(cache=True, inline="always")
def reaches(needs: Needs, worth: Int64s, low: Int64s, high: Int64s, goal: int, cut: Int64s) -> bool:
    """Whether some cut between `low` and `high` is worth at least `goal`; `cut` is then one."""
    for j in needs.members:
        cut[j] = low[j]
    if total(worth, needs.members, cut) >= goal:
        return True
    for j in needs.members:
        cut[j] = high[j]
    if total(worth, needs.members, cut) >= goal:
        return True
    return climb(needs, worth, low, high, goal, cut) >= goal


@njit(cache=True)
def is_possible(weighed: Weighed, low: Int64s, high: Int64s, cut: Int64s) -> int:
    """Whether some cut between `low` and `high` satisfies the question: 0, MET or UNDECIDED.

    If MET, `cut` is one, except for EQUAL.
    """
    bound, is_equal = weighed.bound, weighed.comparison == EQUAL
    if is_equal and total(weighed.up, weighed.needs.members, low) == bound:
        return MET
    beyond = 1 if weighed.comparison == NOT_EQUAL else 0
    for downwards in range(1 if weighed.comparison == AT_LEAST else 2):
        worth = weighed.down if downwards else weighed.up
        goal = (-bound if downwards else bound) + beyond
        is_met = reaches(weighed.needs, worth, low, high, goal, cut)
        if is_met != is_equal:  # one direction decides: the first that is met, or for EQUAL the first that is not
            return MET if is_met else 0
    if is_equal:
        return UNDECIDED if weighed.outcome & (SPECIAL | STEEP) else MET
    return 0


@njit(cache=True)
def possibly_sum(
    clocks: Int64s, ends: Int64s, terms: Floats, holds: Flags, questions: SumQuestions, number: int
) -> int:
    """Whether some cut satisfies a question: 0, MET or UNDECIDED. Its witness is remembered for the next time."""
    rows, all_members, witnesses = questions
    row, witness = rows[number], witnesses[number]
    members = all_members[number, : row[MEMBERS]]
    found = glance(ends, terms, holds, row, members, False, False)
    if found != LOOK_CLOSER:
        return found & MET
    weighed = weigh_question(clocks, ends, terms, holds, row, members)
    if weighed.outcome == INEXACT:
        return UNDECIDED
    is_there = weighed.comparison == AT_LEAST
    for j in members:
        if not ends[LEAST, j] <= witness[j] <= ends[GREATEST, j]:
            is_there = False
            break
    if is_there and total(weighed.up, members, witness) >= weighed.bound:
        return MET
    return is_possible(weighed, ends[LEAST], ends[GREATEST], witness)


@njit(cache=True)
def definitely_sum(
    clocks: Int64s,
    ends: Int64s,
    terms: Floats,
    holds: Flags,
    questions: SumQuestions,
    number: int,
    reads: Flags,
    asks_final: bool,
) -> int:
    """Whether every observation meets a cut that satisfies a question: 0, UNDECIDED, or MET and perhaps FINAL.

    With `asks_final`, a MET comes with FINAL if it is, or with UNKNOWN_FINAL; `reads` uint8[n] flags the members.
    """
    rows, all_members, _ = questions
    row = rows[number]
    members = all_members[number, : row[MEMBERS]]
    found = glance(ends, terms, holds, row, members, True, asks_final)
    if found != LOOK_CLOSER:
        return found
    weighed = weigh_question(clocks, ends, terms, holds, row, members)
    if weighed.outcome == INEXACT:
        return UNDECIDED
    needs, up, bound, comparison = weighed.needs, weighed.up, weighed.bound, weighed.comparison
    at_low = total(up, needs.members, ends[LEAST])
    if comparison == NOT_EQUAL:
        if weighed.outcome & SPECIAL:
            return UNDECIDED
        if at_low != bound:
            return MET | FINAL
        count_changes(ends, needs.members, up)
        bound = 1
    if comparison == EQUAL and at_low == bound:
        return MET | FINAL
    answer = MET
    for downwards in range(2 if comparison == EQUAL else 1):
        worth = weighed.down if downwards else up
        # Whoever begins on one side of the bound, and does not meet it, stays there: only that side is asked.
        asks = asks_final and (comparison != EQUAL or (at_low > bound) == (downwards == 1))
        found = always_reaches(clocks, ends, needs, worth, -bound if downwards else bound, reads, asks)
        if found == 0:
            return 0
        if found == UNDECIDED or answer == UNDECIDED:
            answer = UNDECIDED
        elif asks:
            answer = found
    if comparison == EQUAL and weighed.outcome & (SPECIAL | STEEP):
        return UNDECIDED
    return answer


@njit(cache=True, inline="always")
def count_changes(ends: Int64s, members: Int64s, worth: Int64s) -> None:
    """Make every state worth the number of changes since the least cut."""
    mask = worth.shape[1] - 1
    for j in members:
        before = worth[j, ends[LEAST, j] & mask]
        changes = 0
        for s in range(ends[LEAST, j], ends[GREATEST, j] + 1):
            value = worth[j, s & mask]
            changes += value != before
            before = value
            worth[j, s & mask] = changes


@njit(cache=True, inline="always")
def always_reaches(
    clocks: Int64s, ends: Int64s, needs: Needs, worth: Int64s, goal: int, reads: Flags, asks_final: bool
) -> int:
    """Whether every observation comes to a cut worth at least `goal`; the answers are those of `definitely_sum`."""
    processes = ends.shape[1]
    low, high = ends[LEAST], ends[GREATEST]
    if total(worth, needs.members, low) >= goal:
        return MET | FINAL  # nothing is reached without it
    steps = np.empty((count_events(ends, needs.members), 2), np.int64)
    open_flags = np.zeros(processes, np.uint8)
    ends_high = total(worth, needs.members, high) >= goal
    for for_final in range(1 if ends_high else 0, 2 if asks_final else 1):
        if for_final:
            # Give every open process one more state, which needs nothing new and at which the condition is false.
            members = np.empty(processes, np.int64)
            count = 0
            for k in range(processes):
                open_flags[k] = is_open(clocks, ends, reads, k)
                if reads[k] or open_flags[k]:
                    members[count] = k
                    count += 1
                if not reads[k]:
                    worth[k] = 0
            if count > len(needs.members):
                needs = find_needs(clocks, ends, members[:count])
                steps = np.empty((count_events(ends, needs.members), 2), np.int64)
        outcome, _ = stay_below(needs, worth, low, high, goal - 1, open_flags, steps)
        if outcome == SPENT:
            return MET | UNKNOWN_FINAL if for_final else UNDECIDED
        if outcome == A_WAY:
            return MET if for_final else 0
    return MET | FINAL if asks_final else MET


@njit(cache=True)
def count_events(ends: Int64s, members: Int64s) -> int:
    """The number of steps from the least to the greatest cut."""
    count = 0
    for j in members:
        count += ends[GREATEST, j] - ends[LEAST, j]
    return count
