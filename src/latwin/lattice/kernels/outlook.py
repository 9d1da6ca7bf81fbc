"""What can be said of a formula, or of an automaton, before any pass: by a look at two cuts, and by bounds.

An *outlook* on a condition is six bits, in three pairs: whether it may be true, and whether it may be false, at the
least cut, at the greatest cut, and at any cut at all. Of a condition on states the first two pairs are known exactly,
and the third by bounds (`certificates.judge_each`). From the outlooks on its parts follows that on a formula, bit by
bit: a bit that is not set is impossible, one that is set need not be possible. If only one of the two bits at the cut
that is asked is left, that is the answer.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Int64s
from latwin.lattice.kernels.certificates import holds_at, judge_each
from latwin.lattice.kernels.labels import Atoms
from latwin.lattice.kernels.part import count_positions, gather

# The bits of an outlook, and how far to shift them for each pair.
MAY_HOLD, MAY_FAIL = 1, 2
AT_LEAST, AT_GREATEST, ANYWHERE = 0, 2, 4
_HOLDS = MAY_HOLD << AT_LEAST | MAY_HOLD << AT_GREATEST | MAY_HOLD << ANYWHERE
_FAILS = _HOLDS << 1
_PAIR = MAY_HOLD | MAY_FAIL

# The operations of a formula, in postfix order.
CONDITION, ALWAYS, NOT, AND, OR = 0, 1, 2, 3, 4  #: the argument of CONDITION is its number
NEXT, PREVIOUS, UNTIL, SINCE = 5, 6, 7, 8  #: that of NEXT and PREVIOUS is 1 if all steps are meant, 0 if some step

# What is answered.
NO, YES, UNKNOWN = 0, 1, 2


@njit(cache=True)
def look_at(ends: Int64s, atoms: Atoms, members: Int64s, first_row: int, end_row: int, count: int) -> Int64s:
    """The outlooks int64[count] on programs that stand one after the other in rows `first_row` .. `end_row` - 1.

    They read only the processes `members`. The lattice must not be empty.
    """
    dims = count_positions(ends, members)
    condition = gather(ends, Atoms(*atoms), members, dims, first_row, end_row)
    outlooks = np.zeros(count, np.int64)
    flags = np.empty(len(condition.steps) + 1, np.uint8)
    for shift in (AT_LEAST, AT_GREATEST):
        holds_at(condition, dims - 1 if shift else np.zeros_like(dims), flags)
        for k in range(count):
            outlooks[k] |= (MAY_HOLD if flags[k] else MAY_FAIL) << shift
    bounds = np.empty(len(condition.steps) + 1, np.int64)
    judge_each(condition, dims, bounds, np.empty_like(bounds))
    is_single = dims.sum() == len(dims)
    for k in range(count):
        outlooks[k] |= (outlooks[k] & _PAIR if is_single else bounds[k]) << ANYWHERE
    return outlooks


@njit(cache=True)
def mirror(outlook: int) -> int:
    """The outlook with the least and the greatest cut exchanged."""
    return (outlook & _PAIR) << AT_GREATEST | outlook >> AT_GREATEST & _PAIR | outlook & _PAIR << ANYWHERE


@njit(cache=True)
def look_until(hold: int, goal: int) -> int:
    """The outlook on E[hold U goal], and on A[hold U goal]."""
    never_fails = not hold & MAY_FAIL << ANYWHERE
    ends_well = not goal & MAY_FAIL << AT_GREATEST
    if not goal & MAY_HOLD << ANYWHERE:
        return _FAILS
    if not goal & MAY_FAIL << ANYWHERE or (never_fails and ends_well):
        return _HOLDS
    # At the greatest cut every way is over.
    found = goal & _PAIR << AT_GREATEST | _PAIR << ANYWHERE
    if not goal & MAY_FAIL << AT_LEAST:
        return found | MAY_HOLD << AT_LEAST
    return found | (_PAIR if hold & MAY_HOLD << AT_LEAST else goal & _PAIR)


@njit(cache=True)
def look_next(goal: int, of_all: bool, is_single: bool) -> int:
    """The outlook on EX goal, or on AX goal if it is asked of all steps."""
    # No step leads on from the greatest cut: AX holds there, and EX does not. Of the cuts after the least one nothing
    # is known.
    last = MAY_HOLD if of_all else MAY_FAIL
    return (last if is_single else _PAIR) | last << AT_GREATEST | (goal >> ANYWHERE | last) << ANYWHERE


@njit(cache=True, inline="always")
def look_on(formula: Int64s, outlooks: Int64s, is_single: bool) -> int:
    """The outlook on a formula, int64[R, 2] rows (operation, argument), from those on its conditions."""
    stack = np.empty(len(formula) + 1, np.int64)
    top = 0
    for row in range(len(formula)):
        operation, argument = formula[row, 0], formula[row, 1]
        found = _HOLDS
        if operation == CONDITION:
            found = outlooks[argument]
        elif operation == NOT:
            top -= 1
            found = (stack[top] & _HOLDS) << 1 | (stack[top] & _FAILS) >> 1
        elif operation == NEXT:
            top -= 1
            found = look_next(stack[top], argument != 0, is_single)
        elif operation == PREVIOUS:
            top -= 1
            found = mirror(look_next(mirror(stack[top]), argument != 0, is_single))
        elif operation != ALWAYS:
            top -= 2
            one, other = stack[top], stack[top + 1]
            if operation == AND:
                found = one & other & _HOLDS | (one | other) & _FAILS
            elif operation == OR:
                found = one & other & _FAILS | (one | other) & _HOLDS
            elif operation == UNTIL:
                found = look_until(one, other)
            else:
                found = mirror(look_until(mirror(one), mirror(other)))
        stack[top] = found
        top += 1
    return stack[0]


@njit(cache=True)
def foresee_formula(
    ends: Int64s,
    atoms: Atoms,
    members: Int64s,
    rows: tuple[int, int, int],
    formula: Int64s,
    at_greatest: bool,
) -> int:
    """Whether a formula of CTL holds at the least or the greatest cut: YES, NO, or UNKNOWN.

    `rows` are the first row of its conditions' programs, the row after the last, and the number of conditions.
    """
    outlooks = look_at(ends, atoms, members, rows[0], rows[1], rows[2])
    found = look_on(formula, outlooks, count_positions(ends, members).sum() == len(members))
    return answer_of(found >> AT_GREATEST if at_greatest else found)


@njit(cache=True)
def answer_of(outlook: int) -> int:
    """What the lowest pair of an outlook says."""
    pair = outlook & _PAIR
    return YES if pair == MAY_HOLD else NO if pair == MAY_FAIL else UNKNOWN


@njit(cache=True)
def foresee_meeting(ends: Int64s, atoms: Atoms, members: Int64s, rows: tuple[int, int, int]) -> int:
    """YES if every observation meets a condition, NO if none does, else UNKNOWN."""
    outlook = look_at(ends, atoms, members, rows[0], rows[1], rows[2])[0]
    return answer_of(look_until(_HOLDS, outlook))


@njit(cache=True)
def foresee_automaton(
    ends: Int64s,
    atoms: Atoms,
    members: Int64s,
    rows: tuple[int, int, int],
    delta: Int64s,
    start: int,
    wanted: Flags,
) -> int:
    """Whether some observation leads an automaton to a wanted state: YES, NO, or UNKNOWN.

    `delta` int64[S, 2^A] is its table, `wanted` uint8[S] flags states. The first and the last letter of an
    observation are those of the least and the greatest cut, the others any that the bounds of the atoms allow.
    """
    outlooks = look_at(ends, atoms, members, rows[0], rows[1], rows[2])
    first = last = can_hold = can_fail = 0
    for a in range(len(outlooks)):
        first |= (outlooks[a] >> AT_LEAST & MAY_HOLD) << a
        last |= (outlooks[a] >> AT_GREATEST & MAY_HOLD) << a
        can_hold |= (outlooks[a] >> ANYWHERE & MAY_HOLD) << a
        can_fail |= (outlooks[a] >> ANYWHERE + 1 & MAY_HOLD) << a
    state = delta[start, first]
    if count_positions(ends, members).sum() == len(members):
        return YES if wanted[state] else NO
    reached = np.zeros(len(delta), np.uint8)
    reached[state] = 1
    queue = np.empty(len(delta), np.int64)
    queue[0] = state
    end = 1
    at = 0
    pair = 0
    while at < end:
        here = delta[queue[at]]
        at += 1
        pair |= MAY_HOLD if wanted[here[last]] else MAY_FAIL
        for letter in range(len(here)):
            if not letter & ~can_hold and not ~letter & (len(here) - 1) & ~can_fail and not reached[here[letter]]:
                reached[here[letter]] = 1
                queue[end] = here[letter]
                end += 1
    return answer_of(pair)
