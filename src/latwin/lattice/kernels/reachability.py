"""Which cuts can be reached without meeting a labelled one: the pass behind *definitely*.

Leaves and bits are in topological order, so one pass forward sees every cut after all its predecessors, 64 cuts at
a time. Steps along a packed process are shifts within a word; steps along an axis come from the leaf one position
earlier, found through `links`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Words
from latwin.lattice.kernels.labels import Atoms, label_leaves
from latwin.lattice.kernels.layout import AXES, CHUNKED, HIGH, LOW, Lattice
from latwin.lattice.kernels.steps import count_leaves, greatest_bit, steps_inside
from latwin.lattice.kernels.words import ONE, WORD, ZERO


class Marks(NamedTuple):
    """Room for the passes over the leaves."""

    #: uint64[leaves]
    labels: Words
    #: uint64[leaves + 1]
    reached: Words


@njit(cache=True, inline="always")
def spread_line(seeds: np.uint64, through: np.uint64) -> np.uint64:
    """All bits reached from `seeds` by steps of one bit into bits of `through` (1, 2, 4, ... at once)."""
    reached = seeds
    step = ONE
    while step < np.uint64(WORD):
        reached |= through & (reached << step)
        through &= through << step
        step <<= ONE
    return reached


@njit(cache=True)
def spread(seeds: np.uint64, allowed: np.uint64, shifts: Words, entered: Words) -> np.uint64:
    """All bits of `allowed` that single steps within it reach from `seeds`.

    A step is a shift by one of `shifts`, into a bit of `entered`. The seeds that come from earlier leaves mostly
    hold the answer already, so few rounds are needed.
    """
    if len(shifts) == 1:
        return spread_line(seeds, allowed & entered[0])
    reached = seeds
    previous = ZERO
    while reached != previous:  # every round but the last adds a bit
        previous = reached
        for k in range(len(shifts)):
            reached |= (reached << shifts[k]) & entered[k] & allowed
    return reached


@njit(cache=True)
def reach_avoiding(lattice: Lattice, labels: Words, reached: Words) -> bool:
    """Mark in `reached` uint64[leaves + 1] the cuts to which the least cut leads through cuts without label.

    Returns whether the greatest cut is among them: whether some observation avoids the labels.
    """
    lattice = Lattice(*lattice)
    shape, span, levels, leaves, links = lattice.shape, lattice.span, lattice.levels, lattice.leaves, lattice.links
    last_axis = shape[AXES] - 1
    shifts, entered = steps_inside(lattice)
    carry = np.uint64(63 if shape[CHUNKED] else 0)  # from chunk to chunk only the last state leads on
    reached[count_leaves(lattice)] = ZERO  # what a link to no leaf finds
    leaf = 0
    for node in range(levels[last_axis], levels[last_axis + 1]):
        along = ONE if leaf == 0 else ZERO  # the first leaf's first bit is the least cut
        for _ in range(span[node, HIGH] - span[node, LOW] + 1):
            seeds = along
            for axis in range(last_axis):
                seeds |= reached[links[leaf, axis]]
            allowed = leaves[leaf] & ~labels[leaf]
            seeds &= allowed
            if seeds:
                seeds = spread(seeds, allowed, shifts, entered)
            reached[leaf] = seeds
            along = seeds >> carry
            leaf += 1
    return (reached[leaf - 1] >> np.uint64(greatest_bit(lattice.ends, shape, lattice.stride))) & ONE == ONE


@njit(cache=True)
def avoids_program(lattice: Lattice, atoms: Atoms, first_row: int, end_row: int, marks: Marks) -> bool:
    """Whether some observation meets no cut that satisfies a program (see `label_leaves`, `reach_avoiding`)."""
    labels, reached = marks
    label_leaves(lattice, atoms, first_row, end_row, labels)
    return reach_avoiding(lattice, labels, reached)
