"""What is to be told of slides within a run, written down so that the run need not stop for it.

Only of conjunctions, whose verdicts need no lattice: their values, why they hold, whether that is final, and a cut.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Int64s
from latwin.lattice.kernels.conjunctive import FINAL, MET, judge_all, possibly_all
from latwin.lattice.kernels.window import GREATEST, LEAST

#: flags beside those of `conjunctive`: the value differs from the one before; the windows hold no cut
CHANGED, EMPTY = 64, 128


class Told(NamedTuple):
    """Room for what is told; none if the run shall stop instead."""

    #: int64[R, 3]: the row of the run, the property, and flags
    rows: Int64s
    #: int64[R, 3, n], as indices of states: the least cut, the greatest cut, and a witness of a true `possibly`
    cuts: Int64s
    #: int64[1]: how many there are
    count: Int64s


@njit(cache=True, inline="always")
def has_room(told: Told, properties: int) -> bool:
    """Whether a slide with which so many properties change can be written down."""
    return told.count[0] + properties <= len(told.rows)


@njit(cache=True, inline="always")
def note(clocks: Int64s, ends: Int64s, told: Told, row: int, number: int, flags: int) -> None:
    """Write down the value of a property after a slide, and the ends of the lattice."""
    at = told.count[0]
    told.count[0] = at + 1
    told.rows[at, 0], told.rows[at, 1], told.rows[at, 2] = row, number, flags
    to_indices(clocks, ends[LEAST], told.cuts[at, 0])
    to_indices(clocks, ends[GREATEST], told.cuts[at, 1])


@njit(cache=True, inline="always")
def judge(clocks: Int64s, ends: Int64s, holds: Flags, reads: Flags, is_definitely: bool, told: Told) -> int:
    """All that a verdict says of a conjunction, as flags; the lattice must not be empty.

    A witness goes where `note` writes next.
    """
    if is_definitely:
        return judge_all(clocks, ends, holds, reads)
    cut = np.empty(ends.shape[1], np.int64)
    if not possibly_all(clocks, ends, holds, cut):
        return 0
    to_indices(clocks, cut, told.cuts[told.count[0], 2])
    return MET | FINAL


@njit(cache=True, inline="always")
def to_indices(clocks: Int64s, cut: Int64s, indices: Int64s) -> None:
    """A cut given by state numbers, as indices of states."""
    mask = clocks.shape[1] - 1
    for k in range(len(cut)):
        indices[k] = clocks[k, cut[k] & mask, k]
