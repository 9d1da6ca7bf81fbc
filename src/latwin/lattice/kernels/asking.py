"""`possibly` and `definitely` of a program on the part of the window that it reads: certificates first, then a pass.

The window's lattice must not be empty. `members` int64[m] are the processes that the program reads, in ascending
order, at least one. The answers are those of `sweep`: HOLDS, with FINAL or without; FAILS; TOO_LARGE; BEYOND, where
the part is too large for the sweep, and only the lattice itself can tell.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Int64s, copy_into
from latwin.lattice.kernels.certificates import (
    AVOIDED,
    CAN_HOLD,
    EXHAUSTED,
    UNDECIDED,
    budget_of,
    holds_at,
    judge_bounds,
    walk,
)
from latwin.lattice.kernels.final import find_open
from latwin.lattice.kernels.labels import Atoms
from latwin.lattice.kernels.part import count_positions, find_low, gather
from latwin.lattice.kernels.sweep import BEYOND, FAILS, FINAL, HOLDS, TOO_LARGE, sweep

__all__ = [
    "BEYOND",
    "FAILS",
    "FINAL",
    "HOLDS",
    "TOO_LARGE",
    "ask_program",
    "find_avoiding",
]

#: parts with no more choices of positions than this are swept at once
_SMALL = 512


@njit(cache=True, inline="always")
def is_small(dims: Int64s) -> bool:
    """Whether a pass is as quick as a walk."""
    size = 1
    for k in range(len(dims)):
        size *= dims[k]
        if size > _SMALL:
            return False
    return True


@njit(cache=True)
def ask_program(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    members: Int64s,
    first_row: int,
    end_row: int,
    is_definitely: bool,
    wants_final: bool,
    max_cuts: int,
    found: Int64s,
) -> int:
    """Whether some cut, or, with `is_definitely`, every observation, satisfies the program in these rows.

    The cut is then in `found` int64[m], by position: the least cut if it does, else the greatest if it does, else the
    lexicographically first. With `is_definitely`, `found` is only room. Whether a `definitely` is FINAL is found out
    only with `wants_final`; an answer that is known without it may then be missing.
    """
    atoms = Atoms(*atoms)
    dims = count_positions(ends, members)
    condition = gather(ends, atoms, members, dims, first_row, end_row)
    stack = np.empty(len(condition.steps) + 1, np.uint8)
    for k in range(len(dims)):
        found[k] = 0
    if holds_at(condition, found, stack):
        return HOLDS | FINAL  # no cut is reached while it is false
    for k in range(len(dims)):
        found[k] = dims[k] - 1
    is_known = holds_at(condition, found, stack)
    if is_known and not (is_definitely and wants_final):
        return HOLDS if is_definitely else HOLDS | FINAL
    if not is_known and not judge_bounds(condition, dims) & CAN_HOLD:
        return FAILS
    is_open = np.zeros(len(dims), np.uint8)
    corners = np.zeros((0, len(dims)), np.int64)
    if is_definitely and wants_final:
        is_open, corners = find_open(clocks, ends, members)
    low = find_low(clocks, ends, members, dims)
    if is_definitely and not is_small(dims):
        ended = walk(low, dims, condition, is_open, corners, not is_known, budget_of(dims, max_cuts))[0]
        if ended == AVOIDED:
            return FAILS
        if ended != UNDECIDED:
            return HOLDS | FINAL if ended == EXHAUSTED else HOLDS
    outcome = sweep(dims, low, condition, is_definitely, is_open, corners, max_cuts, found)
    return HOLDS | FINAL if outcome == HOLDS and not is_definitely else outcome


@njit(cache=True)
def find_avoiding(
    clocks: Int64s, ends: Int64s, atoms: Atoms, members: Int64s, first_row: int, end_row: int, max_cuts: int
) -> Int64s:
    """The walk of a `definitely` to the greatest cut: positions int64[T, m], none if it ended before.

    The condition must be false at the least and at the greatest cut.
    """
    atoms = Atoms(*atoms)
    dims = count_positions(ends, members)
    condition = gather(ends, atoms, members, dims, first_row, end_row)
    is_open = np.zeros(len(dims), np.uint8)
    corners = np.zeros((0, len(dims)), np.int64)
    low = find_low(clocks, ends, members, dims)
    ended, at, seen, before = walk(low, dims, condition, is_open, corners, True, budget_of(dims, max_cuts))
    if ended != AVOIDED:
        return np.empty((0, len(dims)), np.int64)
    path = np.empty((dims.sum() - len(dims) + 1, len(dims)), np.int64)
    for row in range(len(path) - 1, -1, -1):
        copy_into(path[row], seen[at])
        at = before[at]
    return path
