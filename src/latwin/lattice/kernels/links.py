"""Which leaf lies one step earlier on each axis, and the whole build of a packed lattice.

Passes over the lattice are loops over leaves that look at these neighbours, so finding them must be cheap. Two ways
give the same `links`:

- by table: where the box of the axes is small, or well filled, the leaf at every place of the box is
  noted in a table as leaves are met; a neighbour is one look-up. The box is padded by one position on
  every axis, so that a step out of it finds "none" without a test.
- by tree: where the box is vast and thinly filled (long windows, much causality), neighbours are found
  from the parents' neighbours: the same child of the node one step earlier.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Int64s
from latwin.lattice.kernels.layout import (
    AXES,
    CHUNKED,
    HIGH,
    LOW,
    OFFSET,
    PARENT,
    POSITION,
    Lattice,
    Scaffold,
    fill_leaves,
    grow_tree,
    prepare,
)
from latwin.lattice.kernels.window import GREATEST, LEAST
from latwin.lattice.kernels.words import WORD

TABLE_ALWAYS = 1 << 16  #: boxes up to this size get a table however thinly they are filled
TABLE_PER_LEAF = 8  #: others if they are filled at least this well


@njit(cache=True, inline="always")
def box_radices(ends: Int64s, shape: Int64s, radix: Int64s, limit: int) -> int:
    """Set the distance of neighbours on each axis in the padded box; its size, or -1 beyond `limit`."""
    size = 1
    for axis in range(shape[AXES] - 1, -1, -1):
        dim = ends[GREATEST, axis] - ends[LEAST, axis] + 1
        if shape[CHUNKED] and axis == shape[AXES] - 1:
            dim = (dim - 1) // WORD + 1
        radix[axis] = size
        size *= dim + 1
        if size > limit:
            return -1
    return size


@njit(cache=True, inline="always")
def link_by_table(lattice: Lattice, radix: Int64s, size: int, none: int) -> None:
    """Fill `links` through a table of the padded box (`size` places, `radix` apart)."""
    shape, origin, span = lattice.shape, lattice.origin, lattice.span
    levels, links = lattice.levels, lattice.links
    last_axis = shape[AXES] - 1
    table = np.full(size, none, np.int32)
    place = np.empty(levels[last_axis + 1], np.int64)
    place[0] = 0
    for axis in range(last_axis):
        for node in range(levels[axis + 1], levels[axis + 2]):
            place[node] = place[origin[node, PARENT]] + (origin[node, POSITION] + 1) * radix[axis]
    for node in range(levels[last_axis], levels[last_axis + 1]):
        offset = span[node, OFFSET]
        for position in range(span[node, LOW], span[node, HIGH] + 1):
            here = place[node] + (position + 1) * radix[last_axis]
            for axis in range(last_axis):
                links[offset + position, axis] = table[here - radix[axis]]
            table[here] = offset + position


@njit(cache=True, inline="always")
def link_by_tree(lattice: Lattice, none: int) -> None:
    """Fill `links` from the nodes' neighbours, level by level."""
    shape, origin, span = lattice.shape, lattice.origin, lattice.span
    levels, links = lattice.levels, lattice.links
    last_axis = shape[AXES] - 1
    before = np.full((levels[last_axis + 1], max(1, last_axis)), -1, np.int32)
    for axis in range(last_axis):
        for node in range(levels[axis + 1], levels[axis + 2]):
            parent = origin[node, PARENT]
            position = origin[node, POSITION]
            if position > span[parent, LOW]:
                before[node, axis] = node - 1
            for earlier in range(axis):
                other = before[parent, earlier]
                if other >= 0 and span[other, LOW] <= position <= span[other, HIGH]:
                    before[node, earlier] = span[other, OFFSET] + position
    for node in range(levels[last_axis], levels[last_axis + 1]):
        offset = span[node, OFFSET]
        for axis in range(last_axis):
            other = before[node, axis]
            for position in range(span[node, LOW], span[node, HIGH] + 1):
                link = none
                if other >= 0 and span[other, LOW] <= position <= span[other, HIGH]:
                    link = span[other, OFFSET] + position
                links[offset + position, axis] = link


@njit(cache=True)
def build(clocks: Int64s, lattice: Lattice, scaffold: Scaffold) -> int:
    """Lay out and fill tree, leaves and links; the number of leaves.

    Returns 0 if there is too little room for nodes, and minus the number of leaves if there is too little for those.
    """
    lattice, scaffold = Lattice(*lattice), Scaffold(*scaffold)
    scaffold.words[0] = prepare(clocks, lattice, scaffold)
    count = grow_tree(lattice, scaffold)
    if count < 0:
        return 0
    if count > lattice.leaves.shape[0]:
        return -count
    fill_leaves(lattice, scaffold)
    axes = lattice.shape[AXES]
    if axes > 1:
        radix = np.empty(axes, np.int64)
        size = box_radices(lattice.ends, lattice.shape, radix, max(TABLE_ALWAYS, TABLE_PER_LEAF * count))
        if size > 0:
            link_by_table(lattice, radix, size, count)
        else:
            link_by_tree(lattice, count)
    return count
