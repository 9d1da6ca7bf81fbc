"""Which cuts of a word of a box satisfy a condition (see `labels` on its three kinds of atoms)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Floats, Int64s, Words
from latwin.lattice.kernels.certificates import simplify
from latwin.lattice.kernels.labels import AND, LOCAL, NOT, PAIR, REMEMBERED, SUM, TRUE, compare
from latwin.lattice.kernels.part import Condition
from latwin.lattice.kernels.words import FULL, ONE, WORD, ZERO


class Labelling(NamedTuple):
    """A condition, with all that can be known of it before the pass."""

    #: int64[R, 2]: what is left of its steps
    steps: Int64s
    #: uint64[A] and uint64[B, D]: the words of atoms on packed processes
    locals_inside: Words
    pairs_inside: Words
    #: float64[S, 64] and uint64[S, 64]: the words of sums, by what the axes add to them
    keys: Floats
    remembered: Words
    #: uint64[R + 1]: room
    stack: Words


@njit(cache=True, inline="always")
def pack_locals(condition: Condition, dims: Int64s, bits: Words, axes: int) -> Words:
    """uint64[A]: the word of each local condition on a packed process."""
    words = np.zeros(len(condition.local_process), np.uint64)
    for a in range(len(words)):
        k = condition.local_process[a]
        if k >= axes:
            for p in range(dims[k]):
                if condition.local_flags[a, p]:
                    words[a] |= bits[k, p]
    return words


@njit(cache=True, inline="always")
def pack_pairs(condition: Condition, dims: Int64s, bits: Words, axes: int) -> Words:
    """uint64[B, D]: the word of each pair, by the position of its first process; if that is packed, in column 0."""
    words = np.zeros((len(condition.pair_process), dims.max()), np.uint64)
    for b in range(len(words)):
        first, second = condition.pair_process[b, 0], condition.pair_process[b, 1]
        for p in range(dims[first]):
            word = ZERO
            if second >= axes:
                for q in range(dims[second]):
                    if condition.pair_flags[b, p, q]:
                        word |= bits[second, q]
            if first >= axes:
                words[b, 0] |= word & bits[first, p]
            else:
                words[b, p] = word
    return words


@njit(cache=True, inline="always")
def word_of_sum(start: float, terms: Floats, dims: Int64s, axes: int, operation: int, bound: float) -> np.uint64:
    """The bits of a word for which `start` plus the packed processes' terms compares true."""
    values = np.empty(WORD, np.float64)
    values[0] = start
    count = 1
    for k in range(axes, len(dims)):
        # In place from the back, so that no value is overwritten before it was used.
        for at in range(count - 1, -1, -1):
            value = values[at]
            for p in range(dims[k] - 1, -1, -1):
                values[at * dims[k] + p] = value + terms[k, p]
        count *= dims[k]
    word = ZERO
    for bit in range(count):
        if compare(values[bit], operation, bound):
            word |= ONE << np.uint64(bit)
    return word


@njit(cache=True, inline="always")
def prepare_labels(condition: Condition, dims: Int64s, bits: Words, axes: int) -> Labelling:
    """Look at a condition before the pass."""
    steps = simplify(condition, dims)
    sums = len(condition.terms)
    return Labelling(
        steps,
        pack_locals(condition, dims, bits, axes),
        pack_pairs(condition, dims, bits, axes),
        np.full((sums, REMEMBERED), np.nan),
        np.zeros((sums, REMEMBERED), np.uint64),
        np.empty(len(steps) + 1, np.uint64),
    )


@njit(cache=True, inline="always")
def label_word(
    condition: Condition, labelling: Labelling, dims: Int64s, axes: int, path: Int64s, sums: Floats
) -> np.uint64:
    """The bits of a word at which the condition holds; `sums` float64[S] is what the axes add to each sum."""
    steps, stack = labelling.steps, labelling.stack
    top = 0
    for row in range(len(steps)):
        operation = steps[row, 0]
        atom = steps[row, 1]
        label = ZERO
        if operation == SUM:
            start = sums[atom]
            slot = np.int64(start) & (REMEMBERED - 1) if -1e15 < start < 1e15 else 0
            if labelling.keys[atom, slot] != start:
                labelling.remembered[atom, slot] = word_of_sum(
                    start, condition.terms[atom], dims, axes, condition.sum_compare[atom], condition.sum_bound[atom]
                )
                labelling.keys[atom, slot] = start
            label = labelling.remembered[atom, slot]
        elif operation == LOCAL:
            process = condition.local_process[atom]
            if process >= axes:
                label = labelling.locals_inside[atom]
            elif condition.local_flags[atom, path[process]]:
                label = FULL
        elif operation == PAIR:
            first, second = condition.pair_process[atom, 0], condition.pair_process[atom, 1]
            if second >= axes:
                label = labelling.pairs_inside[atom, path[first] if first < axes else 0]
            elif condition.pair_flags[atom, path[first], path[second]]:
                label = FULL
        elif operation == NOT:
            top -= 1
            label = ~stack[top]
        elif operation == TRUE:
            label = FULL
        else:
            top -= 2
            one, other = stack[top], stack[top + 1]
            label = one & other if operation == AND else one | other
        stack[top] = label
        top += 1
    return stack[0]
