"""Which cuts of a packed lattice satisfy a predicate, a word at a time.

A predicate comes as a program in postfix order over three kinds of atoms, each of which is a whole word
of cuts at once:

- LOCAL: a condition on one process's state. On an axis it is all ones or all zeros for a whole
  leaf; on a packed process it is the same word for every leaf.
- PAIR: a condition on the states of two processes.
- SUM: a sum of one number per process, compared with a bound. The axes' part is one number a
  leaf; for the packed part the word is remembered by that number, as few different ones occur.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Floats, Int64s, Words, copy_into, settled
from latwin.lattice.kernels.cuts import fill_path
from latwin.lattice.kernels.layout import (
    AXES,
    CHUNKED,
    HIGH,
    LOW,
    OFFSET,
    PACKED,
    PARENT,
    POSITION,
    Lattice,
)
from latwin.lattice.kernels.window import GREATEST, LEAST
from latwin.lattice.kernels.words import FULL, ONE, WORD, ZERO

LOCAL, PAIR, SUM, NOT, AND, OR, TRUE = 0, 1, 2, 3, 4, 5, 6
EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL = 0, 1, 2, 3, 4, 5
REMEMBERED = 64  #: words remembered per sum


class Atoms(NamedTuple):
    """All conjunctions and programs of a window: rings of what their atoms are worth for each state in it."""

    #: uint8[C, n, capacity]: the flags of every conjunction
    holds: Flags
    #: int64[P, 2], rows (operation, argument): an atom's number for LOCAL, PAIR, SUM; unused for NOT, AND, OR, TRUE
    program: Int64s
    #: int64[A]; uint8[A, capacity]: the process of a local condition, and its value for every state
    local_process: Int64s
    local_flags: Flags
    #: int64[B, 2]; uint8[B, capacity, capacity]: two processes, in ascending order, and the value by both states
    pair_process: Int64s
    pair_flags: Flags
    #: float64[C, n, capacity]: each state's number (NaN: null; 0 for processes that do not take part). They are
    #: added in the order of processes, and a null makes every comparison false.
    sum_terms: Floats
    #: int64[C]; float64[C]: the comparison and its right-hand side
    sum_compare: Int64s
    sum_bound: Floats


@njit(cache=True)
def compare(value: float, operation: int, bound: float) -> bool:
    """One comparison; false for NaN (null) and for sums that left the range of numbers."""
    if not np.isfinite(value):
        return False
    if operation == EQUAL:
        return value == bound
    if operation == NOT_EQUAL:
        return value != bound
    if operation == LESS:
        return value < bound
    if operation == LESS_EQUAL:
        return value <= bound
    if operation == GREATER:
        return value > bound
    return value >= bound


@njit(cache=True)
def word_of_flags(flags: Flags, process: int, chunk: int, ends: Int64s, shape: Int64s, at_least: Words) -> np.uint64:
    """The bits of a word whose state of the packed (or chunked) `process` is flagged."""
    mask = flags.shape[0] - 1
    least = ends[LEAST, process]
    count = ends[GREATEST, process] - least + 1
    word = ZERO
    if shape[CHUNKED]:
        for bit in range(min(WORD, count - chunk * WORD)):
            if flags[(least + chunk * WORD + bit) & mask]:
                word |= ONE << np.uint64(bit)
    else:
        for p in range(count):
            if flags[(least + p) & mask]:
                word |= at_least[process, p] & ~at_least[process, p + 1]
    return word


@njit(cache=True, inline="always")
def word_of_pair(flags: Flags, first: int, second: int, ends: Int64s, shape: Int64s, at_least: Words) -> np.uint64:
    """The bits of a word whose states of the two packed processes are flagged together."""
    word = ZERO
    for p in range(ends[GREATEST, first] - ends[LEAST, first] + 1):
        row = flags[(ends[LEAST, first] + p) & (flags.shape[0] - 1)]
        here = at_least[first, p] & ~at_least[first, p + 1]
        word |= here & word_of_flags(row, second, settled(0), ends, shape, at_least)
    return word


@njit(cache=True)
def word_of_sum(
    start: float,
    terms: Floats,
    operation: int,
    bound: float,
    chunk: int,
    ends: Int64s,
    shape: Int64s,
    values: Floats,
) -> np.uint64:
    """The bits of a word for which `start` plus the packed processes' numbers compares true.

    `values` float64[64] is scratch; it ends up with the sum of every bit.
    """
    processes = ends.shape[1]
    mask = terms.shape[1] - 1
    values[0] = start
    count = 1
    for k in range(processes - max(1, shape[PACKED]), processes):
        least = ends[LEAST, k] + chunk * WORD
        dim = min(WORD, ends[GREATEST, k] - least + 1)
        # In place from the back, so that no value is overwritten before it was used.
        for at in range(count - 1, -1, -1):
            value = values[at]
            for p in range(dim - 1, -1, -1):
                values[at * dim + p] = value + terms[k, (least + p) & mask]
        count *= dim
    word = ZERO
    for bit in range(count):
        if compare(values[bit], operation, bound):
            word |= ONE << np.uint64(bit)
    return word


@njit(cache=True, inline="always")
def sum_paths(terms: Floats, lattice: Lattice) -> Floats:
    """Every sum's part on the axes but the last, for each node whose children are leaves."""
    ends, origin, levels = lattice.ends, lattice.origin, lattice.levels
    last_axis = lattice.shape[AXES] - 1
    mask = terms.shape[2] - 1
    sums = np.zeros((terms.shape[0], levels[last_axis + 1]), np.float64)
    for c in range(terms.shape[0]):
        for axis in range(last_axis):
            for node in range(levels[axis + 1], levels[axis + 2]):
                term = terms[c, axis, (ends[LEAST, axis] + origin[node, POSITION]) & mask]
                sums[c, node] = sums[c, origin[node, PARENT]] + term
    return sums[:, levels[last_axis] :]


@njit(cache=True, inline="always")
def take_sums(lattice: Lattice, atoms: Atoms, program: Int64s) -> tuple[Floats, Int64s, Floats]:
    """The sums of a program alone, for the processes of the lattice; the program's arguments then number these."""
    members = lattice.members
    count = 0
    for row in range(len(program)):
        if program[row, 0] == SUM:
            count += 1
    terms = np.empty((count, len(members), atoms.sum_terms.shape[2]), np.float64)
    operations = np.empty(count, np.int64)
    bounds = np.empty(count, np.float64)
    count = 0
    for row in range(len(program)):
        if program[row, 0] == SUM:
            atom = program[row, 1]
            for k in range(len(members)):
                copy_into(terms[count, k], atoms.sum_terms[atom, members[k]])
            operations[count] = atoms.sum_compare[atom]
            bounds[count] = atoms.sum_bound[atom]
            program[row, 1] = count
            count += 1
    return terms, operations, bounds


@njit(cache=True, inline="always")
def label_leaves(lattice: Lattice, atoms: Atoms, first_row: int, end_row: int, labels: Words) -> None:
    """Set `labels` uint64[leaves]: the bits whose global state satisfies the program (consistent or not).

    The program is in rows `first_row` .. `end_row` - 1. It reads only processes of the lattice.
    """
    label_many(lattice, atoms, first_row, end_row, labels.reshape(1, len(labels)))


@njit(cache=True)
def label_many(lattice: Lattice, atoms: Atoms, first_row: int, end_row: int, labels: Words) -> None:
    """The same for K programs that stand one after the other, in one pass: `labels` is uint64[K, leaves]."""
    lattice, atoms = Lattice(*lattice), Atoms(*atoms)
    ends, shape, at_least = lattice.ends, lattice.shape, lattice.at_least
    origin, span, levels = lattice.origin, lattice.span, lattice.levels
    local_flags, pair_flags = atoms.local_flags, atoms.pair_flags
    program = atoms.program[first_row:end_row].copy()
    processes = ends.shape[1]
    mask = local_flags.shape[1] - 1
    where = np.full(atoms.sum_terms.shape[1], -1, np.int64)  # the window's processes, as this lattice numbers them
    for k in range(processes):
        where[lattice.members[k]] = k
    local_process = where[atoms.local_process]
    pair_process = where[atoms.pair_process.ravel()].reshape(atoms.pair_process.shape)
    sum_terms, sum_compare, sum_bound = take_sums(lattice, atoms, program)
    last_axis = shape[AXES] - 1
    inside = processes - max(1, shape[PACKED])  # the first process within a word
    sums = sum_terms.shape[0]
    locals_inside = np.zeros(len(local_process), np.uint64)
    pairs_inside = np.zeros(len(pair_process), np.uint64)
    for a in range(len(local_process)):
        if local_process[a] >= inside and not shape[CHUNKED]:
            locals_inside[a] = word_of_flags(local_flags[a], local_process[a], settled(0), ends, shape, at_least)
    for b in range(len(pair_process)):
        if pair_process[b, 0] >= inside and pair_process[b, 1] >= inside:
            pairs_inside[b] = word_of_pair(
                pair_flags[b], pair_process[b, 0], pair_process[b, 1], ends, shape, at_least
            )
    keys = np.full((sums, REMEMBERED), np.nan)
    remembered = np.zeros((sums, REMEMBERED), np.uint64)
    values = np.empty(WORD, np.float64)
    begun = sum_paths(sum_terms, lattice)
    stack = np.empty(len(program) + 1, np.uint64)
    place = np.zeros(processes, np.int64)
    path = np.zeros(last_axis + 1, np.int64)
    needs_path = False
    for row in range(len(program)):
        needs_path |= program[row, 0] == LOCAL or program[row, 0] == PAIR
    for node in range(levels[last_axis], levels[last_axis + 1]):
        if needs_path:
            fill_path(origin, node, path)
            for axis in range(last_axis):
                place[axis] = (ends[LEAST, axis] + path[axis]) & mask
        for position in range(span[node, LOW], span[node, HIGH] + 1):
            chunk = position if shape[CHUNKED] else 0
            if last_axis < inside:
                place[last_axis] = (ends[LEAST, last_axis] + position) & mask
            top = 0
            for row in range(len(program)):
                operation = program[row, 0]
                argument = program[row, 1]
                word = ZERO
                if operation == LOCAL:
                    process = local_process[argument]
                    if process < inside:
                        word = FULL if local_flags[argument, place[process]] else ZERO
                    elif shape[CHUNKED]:
                        word = word_of_flags(local_flags[argument], process, chunk, ends, shape, at_least)
                    else:
                        word = locals_inside[argument]
                elif operation == PAIR:
                    first = pair_process[argument, 0]
                    second = pair_process[argument, 1]
                    if first >= inside:
                        word = pairs_inside[argument]
                    elif second >= inside:
                        flags = pair_flags[argument, place[first]]
                        word = word_of_flags(flags, second, chunk, ends, shape, at_least)
                    elif pair_flags[argument, place[first], place[second]]:
                        word = FULL
                elif operation == SUM:
                    start = begun[argument, node - levels[last_axis]]
                    if last_axis < inside:
                        start += sum_terms[argument, last_axis, place[last_axis]]
                    slot = np.int64(start) & (REMEMBERED - 1) if -1e15 < start < 1e15 else 0
                    if shape[CHUNKED] or keys[argument, slot] != start:
                        remembered[argument, slot] = word_of_sum(
                            start,
                            sum_terms[argument],
                            sum_compare[argument],
                            sum_bound[argument],
                            chunk,
                            ends,
                            shape,
                            values,
                        )
                        keys[argument, slot] = start
                    word = remembered[argument, slot]
                elif operation == NOT:
                    top -= 1
                    word = ~stack[top]
                elif operation == TRUE:
                    word = FULL
                else:
                    top -= 2
                    one, other = stack[top], stack[top + 1]
                    word = one & other if operation == AND else one | other
                stack[top] = word
                top += 1
            for k in range(len(labels)):
                labels[k, span[node, OFFSET] + position] = stack[k]
