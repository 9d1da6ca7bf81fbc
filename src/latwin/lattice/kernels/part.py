"""The part of a window that a condition reads, by position: what answers need that look only there.

A condition that reads m of the n processes is answered on these m alone (`docs/design/lattice.md`, "Projection"). A
*position* counts a process's states from the least cut's on, as in `layout`; least and greatest cut are those of all
processes. The kernels that answer (`certificates`, `sweep`) see no clocks and no rings, only two things:

- which positions of two processes are compatible: `find_low`
- what the condition's atoms are worth at each position: `Condition`, filled by `gather`

Where the lattice of a part is built after all, the tree is given the part's own clocks (`copy_part`). The last two
functions lead back from a part to all processes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Floats, Int32s, Int64s, Words, copy_into
from latwin.lattice.kernels.avoiding import raise_to, walk
from latwin.lattice.kernels.cuts import has_cut_within
from latwin.lattice.kernels.labels import LOCAL, PAIR, SUM, Atoms
from latwin.lattice.kernels.layout import Lattice
from latwin.lattice.kernels.window import GREATEST, LEAST, NEWEST, covers


class Condition(NamedTuple):
    """A program of `labels`, with the values of its own atoms by position. m processes, D positions at most."""

    #: int64[P, 2]: rows (operation, argument); arguments number the atoms below
    steps: Int64s
    #: int64[A]; uint8[A, D]: which of the m processes a local condition reads, and its flags
    local_process: Int64s
    local_flags: Flags
    #: int64[B, 2]; uint8[B, D, D]
    pair_process: Int64s
    pair_flags: Flags
    #: float64[S, m, D]; int64[S]; float64[S]
    terms: Floats
    sum_compare: Int64s
    sum_bound: Floats


@njit(cache=True)
def count_positions(ends: Int64s, members: Int64s) -> Int64s:
    """The number of positions of each of the processes `members` int64[m], between least and greatest cut."""
    dims = np.empty(len(members), np.int64)
    for a in range(len(members)):
        dims[a] = ends[GREATEST, members[a]] - ends[LEAST, members[a]] + 1
    return dims


@njit(cache=True)
def find_low(clocks: Int64s, ends: Int64s, members: Int64s, dims: Int64s) -> Int32s:
    """int32[m, D, m]: the lowest position of b with which position p of a is compatible.

    It only rises with p. Position p of a and q of b are compatible iff low[a, p, b] <= q and low[b, q, a] <= p.
    O(m^2 w).
    """
    mask = clocks.shape[1] - 1
    low = np.zeros((len(members), dims.max(), len(members)), np.int32)
    for a in range(len(members)):
        j = members[a]
        for b in range(len(members)):
            if a == b:
                continue
            k = members[b]
            lowest = 0
            covered = covers(clocks, ends, k, ends[LEAST, k])
            for p in range(dims[a]):
                known = clocks[j, (ends[LEAST, j] + p) & mask, k]
                while covered < known:  # ends at the greatest cut at the latest
                    lowest += 1
                    covered = covers(clocks, ends, k, ends[LEAST, k] + lowest)
                low[a, p, b] = lowest
    return low


@njit(cache=True)
def gather(ends: Int64s, atoms: Atoms, members: Int64s, dims: Int64s, first_row: int, end_row: int) -> Condition:
    """The program in rows `first_row` .. `end_row` - 1, which reads only `members`, and its atoms by position."""
    most = dims.max()
    steps = atoms.program[first_row:end_row].copy()
    where = np.zeros(ends.shape[1], np.int64)
    for a in range(len(members)):
        where[members[a]] = a
    counts = np.zeros(3, np.int64)
    for row in range(len(steps)):
        if steps[row, 0] <= SUM:
            counts[steps[row, 0]] += 1
    local_process = np.empty(counts[LOCAL], np.int64)
    local_flags = np.zeros((counts[LOCAL], most), np.uint8)
    pair_process = np.empty((counts[PAIR], 2), np.int64)
    side = most if counts[PAIR] else 0
    pair_flags = np.zeros((counts[PAIR], side, side), np.uint8)
    terms = np.zeros((counts[SUM], len(members), most), np.float64)
    sum_compare = np.empty(counts[SUM], np.int64)
    sum_bound = np.empty(counts[SUM], np.float64)
    counts[:] = 0
    for row in range(len(steps)):
        operation, atom = steps[row, 0], steps[row, 1]
        if operation > SUM:
            continue
        number = counts[operation]
        counts[operation] += 1
        steps[row, 1] = number
        if operation == LOCAL:
            mask = atoms.local_flags.shape[1] - 1
            process = atoms.local_process[atom]
            local_process[number] = where[process]
            for p in range(dims[where[process]]):
                local_flags[number, p] = atoms.local_flags[atom, (ends[LEAST, process] + p) & mask]
        elif operation == PAIR:
            mask = atoms.pair_flags.shape[1] - 1
            first, second = atoms.pair_process[atom, 0], atoms.pair_process[atom, 1]
            pair_process[number, 0], pair_process[number, 1] = where[first], where[second]
            for p in range(dims[where[first]]):
                flags = atoms.pair_flags[atom, (ends[LEAST, first] + p) & mask]
                for q in range(dims[where[second]]):
                    pair_flags[number, p, q] = flags[(ends[LEAST, second] + q) & mask]
        else:
            mask = atoms.sum_terms.shape[2] - 1
            for a in range(len(members)):
                ring = atoms.sum_terms[atom, members[a]]
                for p in range(dims[a]):
                    terms[number, a, p] = ring[(ends[LEAST, members[a]] + p) & mask]
            sum_compare[number] = atoms.sum_compare[atom]
            sum_bound[number] = atoms.sum_bound[atom]
    return Condition(steps, local_process, local_flags, pair_process, pair_flags, terms, sum_compare, sum_bound)


@njit(cache=True)
def copy_part(clocks: Int64s, ends: Int64s, members: Int64s, part_clocks: Int64s, part_ends: Int64s) -> None:
    """Set `part_ends` int64[6, m] and `part_clocks` int64[m, capacity, m] to the part of `members`.

    Clocks are copied from the least cut on up to the state after the greatest, which says what that one covers.
    """
    mask = clocks.shape[1] - 1
    for a in range(len(members)):
        k = members[a]
        copy_into(part_ends[:, a], ends[:, k])
        for state in range(ends[LEAST, k], min(ends[GREATEST, k] + 1, ends[NEWEST, k]) + 1):
            for b in range(len(members)):
                part_clocks[a, state & mask, b] = clocks[k, state & mask, members[b]]


@njit(cache=True)
def lift_first(clocks: Int64s, ends: Int64s, lattice: Lattice, words: Words, cut: Int64s) -> None:
    """Set `cut` int64[n] to the lexicographically first cut of all processes whose part is in `words`.

    There must be one. Process by process, the lowest state is chosen that some cut in `words` allows. What a choice
    forbids to the part are states that know too much of the chosen one, so the cuts that remain are those below a
    bound.
    """
    part = Lattice(*lattice)
    members, mask = part.members, clocks.shape[1] - 1
    lowest = np.zeros(len(members), np.int64)
    highest = part.ends[GREATEST] - part.ends[LEAST]
    for process in range(ends.shape[1]):
        for state in range(ends[LEAST, process], ends[GREATEST, process] + 1):
            bound = highest.copy()
            covered = covers(clocks, ends, process, state)
            for a in range(len(members)):
                if members[a] == process:
                    bound[a] = state - ends[LEAST, process]
                else:  # ends at the least cut, which fits every state from its own on
                    while clocks[members[a], (ends[LEAST, members[a]] + bound[a]) & mask, process] > covered:
                        bound[a] -= 1
            if has_cut_within(lattice, words, lowest, bound):
                cut[process] = state
                highest = bound
                break


@njit(cache=True)
def lift_path(clocks: Int64s, ends: Int64s, members: Int64s, steps: Int64s, path: Int64s) -> int:
    """Fill `path` int64[T, n] with an observation whose part follows `steps` int64[S, m]; the number of its cuts.

    Both are state numbers. `steps` leads from the least to the greatest cut of the part, one state at a time. Before
    each of its states the others' states that this one needs are taken, and at the end all that remain.
    """
    copy_into(path[0], ends[LEAST])
    goal = ends[LEAST].copy()
    count = 1
    for row in range(1, len(steps)):
        for a in range(len(members)):
            if steps[row, a] > steps[row - 1, a]:
                raise_to(clocks, ends, members[a], steps[row, a], goal)
        count = walk(clocks, ends, goal, path, count)
    return walk(clocks, ends, ends[GREATEST], path, count)
