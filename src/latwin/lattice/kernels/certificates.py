"""Answers that need no pass over the lattice: a look at single cuts, at bounds, or a short walk.

They take a part of the window by position (see `part`), and a cut of it as positions int64[m].
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Int32s, Int64s, copy_into
from latwin.lattice.kernels.labels import (
    AND,
    EQUAL,
    GREATER,
    GREATER_EQUAL,
    LESS,
    LESS_EQUAL,
    LOCAL,
    NOT,
    NOT_EQUAL,
    OR,
    PAIR,
    SUM,
    TRUE,
    compare,
)
from latwin.lattice.kernels.part import Condition

CAN_HOLD, CAN_FAIL = 1, 2  #: what `judge_bounds` answers, or both

# How a walk ended.
AVOIDED = 0  #: it reached the greatest cut
EXHAUSTED = 1  #: it visited every cut that can be reached, and met no open end
OPEN = 2  #: it met an open end; if the greatest cut was looked for, it visited every cut that can be reached
UNDECIDED = 3  #: it visited as many cuts as it may

_LEAST_BUDGET = 256
_KEYS = (1 << 31) - 1


@njit(cache=True)
def holds_at(condition: Condition, cut: Int64s, stack: Flags) -> bool:
    """Whether the condition holds at a cut; `stack` is room for as many flags as it has steps.

    Of programs that stand one after the other, the answers are then at the bottom of the stack.
    """
    steps = condition.steps
    top = 0
    for row in range(len(steps)):
        operation = steps[row, 0]
        atom = steps[row, 1]
        value = True
        if operation == LOCAL:
            value = condition.local_flags[atom, cut[condition.local_process[atom]]] != 0
        elif operation == PAIR:
            first = cut[condition.pair_process[atom, 0]]
            value = condition.pair_flags[atom, first, cut[condition.pair_process[atom, 1]]] != 0
        elif operation == SUM:
            total = 0.0
            for k in range(len(cut)):
                total += condition.terms[atom, k, cut[k]]
            value = compare(total, condition.sum_compare[atom], condition.sum_bound[atom])
        elif operation == NOT:
            top -= 1
            value = stack[top] == 0
        elif operation != TRUE:
            top -= 2
            if operation == AND:
                value = stack[top] != 0 and stack[top + 1] != 0
            else:
                value = stack[top] != 0 or stack[top + 1] != 0
        stack[top] = 1 if value else 0
        top += 1
    return stack[0] != 0


@njit(cache=True, inline="always")
def judge_sum(condition: Condition, dims: Int64s, atom: int) -> int:
    """Whether a comparison of a sum can hold and can fail, if each process takes any of its positions.

    Rounding is monotone, so no sum of doubles is below that of the least terms, nor above that of the greatest.
    """
    least = greatest = 0.0
    has_null = False
    for k in range(len(dims)):
        lowest, highest = np.inf, -np.inf
        for p in range(dims[k]):
            term = condition.terms[atom, k, p]
            if np.isnan(term):
                has_null = True
            else:
                lowest, highest = min(lowest, term), max(highest, term)
        if lowest > highest:  # null everywhere
            return CAN_FAIL
        least += lowest
        greatest += highest
    if not (np.isfinite(least) and np.isfinite(greatest)):
        return CAN_HOLD | CAN_FAIL
    bound = condition.sum_bound[atom]
    operation = condition.sum_compare[atom]
    can_hold = can_fail = True
    if operation == GREATER:
        can_hold, can_fail = greatest > bound, least <= bound
    elif operation == GREATER_EQUAL:
        can_hold, can_fail = greatest >= bound, least < bound
    elif operation == LESS:
        can_hold, can_fail = least < bound, greatest >= bound
    elif operation == LESS_EQUAL:
        can_hold, can_fail = least <= bound, greatest > bound
    else:
        is_inside = least <= bound <= greatest
        is_constant = least == bound == greatest
        if operation == EQUAL:
            can_hold, can_fail = is_inside, not is_constant
        elif operation == NOT_EQUAL:
            can_hold, can_fail = not is_constant, is_inside
    return (CAN_HOLD if can_hold else 0) | (CAN_FAIL if can_fail or has_null else 0)


@njit(cache=True)
def judge_bounds(condition: Condition, dims: Int64s) -> int:
    """CAN_HOLD, CAN_FAIL or both: whether the condition can be true, and false, at any choice of positions.

    What is not in the answer is impossible; what is need not be possible, as every atom is judged by itself.
    """
    stack = np.empty(len(condition.steps) + 1, np.int64)
    judge_each(condition, dims, stack, np.empty_like(stack))
    return stack[0]


@njit(cache=True)
def judge_each(condition: Condition, dims: Int64s, stack: Int64s, judged: Int64s) -> None:
    """The same for each step of a program: `judged` int64[R] is set to what the part that ends with it can be.

    Of programs that stand one after the other, the answers are then at the bottom of `stack`.
    """
    steps = condition.steps
    top = 0
    for row in range(len(steps)):
        operation = steps[row, 0]
        atom = steps[row, 1]
        found = 0
        if operation == LOCAL:
            for p in range(dims[condition.local_process[atom]]):
                found |= CAN_HOLD if condition.local_flags[atom, p] else CAN_FAIL
        elif operation == PAIR:
            for p in range(dims[condition.pair_process[atom, 0]]):
                for q in range(dims[condition.pair_process[atom, 1]]):
                    found |= CAN_HOLD if condition.pair_flags[atom, p, q] else CAN_FAIL
        elif operation == SUM:
            found = judge_sum(condition, dims, atom)
        elif operation == NOT:
            top -= 1
            found = (stack[top] & CAN_HOLD) << 1 | stack[top] >> 1
        elif operation == TRUE:
            found = CAN_HOLD
        else:
            top -= 2
            both, either = stack[top] & stack[top + 1], stack[top] | stack[top + 1]
            if operation != AND:
                both, either = either, both
            found = both & CAN_HOLD | either & CAN_FAIL
        judged[row] = found
        stack[top] = found
        top += 1


@njit(cache=True, inline="always")
def simplify(condition: Condition, dims: Int64s) -> Int64s:
    """The steps of a condition, without the parts that bounds show to be the same at every choice of positions."""
    steps = condition.steps
    begins = np.empty(
        len(steps) + 1, np.int64
    )  # of the operands so far: where they begin among the rows that are left
    is_constant = np.zeros(len(steps) + 1, np.uint8)  # those have no rows
    judged = np.empty(len(steps) + 1, np.int64)
    judge_each(condition, dims, begins, judged)
    left = np.empty((len(steps) + 2, 2), np.int64)
    top = size = 0
    for row in range(len(steps)):
        operation = steps[row, 0]
        operands = 1 if operation == NOT else 2 if operation in (AND, OR) else 0
        top -= operands
        begins[top] = begins[top] if operands else size
        if judged[row] != CAN_HOLD | CAN_FAIL:
            size = begins[top]
            is_constant[top] = 1
        else:
            # Next to a constant that does not decide, the other operand is all.
            if operands < 2 or not (is_constant[top] or is_constant[top + 1]):
                copy_into(left[size], steps[row])
                size += 1
            is_constant[top] = 0
        top += 1
    if is_constant[0]:
        left[0, 0], left[1, 0] = TRUE, NOT
        size = 1 if judged[len(steps) - 1] == CAN_HOLD else 2
    return left[:size]


@njit(cache=True, inline="always")
def budget_of(dims: Int64s, max_cuts: int) -> int:
    """How many cuts a walk may visit: some hundred, and enough to get to the greatest cut and back."""
    return min(max_cuts, _LEAST_BUDGET + 2 * (dims.sum() - len(dims)))


@njit(cache=True)
def walk(
    low: Int32s,
    dims: Int64s,
    condition: Condition,
    is_open: Flags,
    corners: Int64s,
    to_greatest: bool,
    budget: int,
) -> tuple[int, int, Int64s, Int64s]:
    """Walk from the least cut, at which the condition must be false, depth first through cuts at which it is false.

    The walk looks for the greatest cut, or, if not `to_greatest`, for an open end: a cut with a process of `is_open`
    at its last position, or at or above one of `corners` (see `final.find_open`). It visits at most `budget` cuts.
    Returns how it ended; the number of the last visited cut; the visited cuts int64[budget, m]; and for each the
    number of the cut before it, -1 for the least. So the cut before, again and again, is a path from the least cut.
    """
    processes = len(dims)
    size = 64
    while size < 2 * budget:
        size *= 2
    table = np.full(size, -1, np.int64)
    seen = np.zeros((budget, processes), np.int64)
    keys = np.zeros(budget, np.int64)
    weights = np.empty(processes, np.int64)  # a cut's key is the sum of its positions, each times a weight
    weight = 1
    for k in range(processes):
        weight = (weight * 1103515245 + 12345) & _KEYS
        weights[k] = weight
    before = np.full(budget, -1, np.int64)
    tried = np.zeros(budget, np.int64)
    stack = np.empty(len(condition.steps) + 1, np.uint8)
    cut = np.zeros(processes, np.int64)
    table[0] = 0
    count = 1
    at = 0
    is_met = is_at_end(cut, dims, is_open, corners)
    if is_met and not to_greatest:
        return OPEN, at, seen, before
    if to_greatest and dims.sum() == processes:
        return AVOIDED, at, seen, before
    while at >= 0:
        if tried[at] == processes:  # no way on from here: back
            at = before[at]
            if at >= 0:
                copy_into(cut, seen[at])
            continue
        k = tried[at]
        tried[at] += 1
        p = cut[k] + 1
        if p == dims[k]:
            continue
        is_cut = True
        for j in range(processes):
            if low[k, p, j] > cut[j]:
                is_cut = False
                break
        if not is_cut:
            continue
        cut[k] = p
        key = keys[at] + weights[k]
        slot = (key ^ (key >> 13)) & (size - 1)
        is_new = True
        while table[slot] >= 0:
            other = table[slot]
            if keys[other] == key and (seen[other] == cut).all():
                is_new = False
                break
            slot = (slot + 1) & (size - 1)
        if not is_new or holds_at(condition, cut, stack):
            cut[k] = p - 1
            continue
        if count == budget:
            return UNDECIDED, at, seen, before
        table[slot] = count
        keys[count] = key
        copy_into(seen[count], cut)
        before[count] = at
        at = count
        count += 1
        if is_at_end(cut, dims, is_open, corners):
            is_met = True
            if not to_greatest:
                return OPEN, at, seen, before
        if to_greatest:
            is_greatest = True
            for j in range(processes):
                if cut[j] + 1 < dims[j]:
                    is_greatest = False
                    break
            if is_greatest:
                return AVOIDED, at, seen, before
    return OPEN if is_met else EXHAUSTED, count - 1, seen, before


@njit(cache=True)
def is_at_end(cut: Int64s, dims: Int64s, is_open: Flags, corners: Int64s) -> bool:
    """Whether a process of `is_open` is at its last position, or the cut at or above one of `corners` int64[R, m]."""
    for k in range(len(dims)):
        if is_open[k] and cut[k] + 1 == dims[k]:
            return True
    for r in range(len(corners)):
        is_above = True
        for k in range(len(dims)):
            if cut[k] < corners[r, k]:
                is_above = False
                break
        if is_above:
            return True
    return False
