"""The packed lattice of a part of the window, in room of its own: for kernels that ask many slides in one call.

`lattice.bits.BitLattice` keeps its room from slide to slide, and grows it. Within one call nobody can be asked for
room, so it is taken anew, as much as the box of the axes can fill. Beyond a bound on that box there is no lattice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Int64s
from latwin.lattice.kernels.layout import AXES, CHUNKED, Lattice, choose_packing
from latwin.lattice.kernels.links import build
from latwin.lattice.kernels.part import copy_part
from latwin.lattice.kernels.window import GREATEST, LEAST, ROWS
from latwin.lattice.kernels.words import WORD

#: the most leaves for which room is taken
MOST_LEAVES = 1 << 16


@njit(cache=True, inline="always")
def find_room(ends: Int64s, shape: Int64s) -> tuple[int, int]:
    """How many nodes and leaves the lattice can have at most: no nodes if there may be too many leaves."""
    axes = shape[AXES]
    nodes = 1
    leaves = 1
    for axis in range(axes):
        dim = ends[GREATEST, axis] - ends[LEAST, axis] + 1
        if shape[CHUNKED] and axis == axes - 1:
            dim = (dim - 1) // WORD + 1
        leaves *= dim
        if leaves > MOST_LEAVES:
            return 0, 0
        if axis < axes - 1:
            nodes += leaves
    return nodes, leaves


@njit(cache=True)
def lay_out(clocks: Int64s, ends: Int64s, members: Int64s) -> Lattice:
    """The present lattice of the processes `members`, in ascending order, as a plain tuple; it must not be empty.

    The number of cuts in its `shape` is 0 if it is too large to be laid out here.
    """
    count, capacity = len(members), clocks.shape[1]
    part_clocks, part_ends = clocks, ends
    if count < ends.shape[1]:
        part_clocks = np.empty((count, capacity, count), np.int64)
        part_ends = np.empty((ROWS, count), np.int64)
        copy_part(clocks, ends, members, part_clocks, part_ends)
    shape = np.zeros(4, np.int64)
    stride = np.zeros(count, np.int64)
    choose_packing(part_ends, shape, stride)
    nodes, leaves = find_room(part_ends, shape)
    lattice: Any = (
        part_ends,
        shape,
        stride,
        np.empty((count, WORD + 1), np.uint64),
        np.empty((nodes, 2), np.int32),
        np.empty((nodes, 3), np.int32),
        np.empty(count + 1, np.int64),
        np.empty(leaves, np.uint64),
        np.empty((leaves, count), np.int32),
        members,
    )
    if nodes:
        most = (part_ends[GREATEST] - part_ends[LEAST]).max() + 1
        scaffold: Any = (
            np.empty((count, most, count), np.int32),
            np.empty((count, most, count), np.int32),
            np.empty((count, most), np.uint64),
            np.empty(nodes, np.uint64),
            np.empty((nodes, 2, count), np.int32),
        )
        build(part_clocks, lattice, scaffold)
    return lattice
