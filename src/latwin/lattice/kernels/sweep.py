"""One pass over the lattice of a part that stores almost nothing: no tree, no links, no labels.

The packing is that of `layout`: words of up to 64 cuts, below axes. What makes it quick:

- The positions of all axes fit one word, too. A node on the way down is then two words: the positions on the axes
  that are compatible with the path, and the packed bits that are. A child is two ANDs.
- The cuts that were reached stand in a box with a place for each choice of positions on the axes, so the word one
  step earlier on an axis is at a fixed distance.
- A word is labelled only if it can be reached.

Larger parts are left to the tree (`layout`, `links`), which needs room only for the cuts that there are.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Floats, Int32s, Int64s, Words
from latwin.lattice.kernels.labels import AND, LOCAL, NOT, PAIR, REMEMBERED, SUM, TRUE, compare
from latwin.lattice.kernels.part import Condition
from latwin.lattice.kernels.reachability import spread
from latwin.lattice.kernels.words import FULL, ONE, WORD, ZERO, count_bits, first_bits, lowest_bit, repeat

HOLDS = 1  #: the answer is yes
FINAL = 2  #: and no open end was reached
FAILS = 0
TOO_LARGE = -1  #: there are more than `max_cuts` cuts
BEYOND = -2  #: the part has too many positions for this pass

#: places of the box, at most
MOST_PLACES = 1 << 18


@njit(cache=True)
def pack(dims: Int64s, stride: Int64s) -> int:
    """Set the `stride` of the packed processes; the number of axes, or BEYOND if the positions are too many."""
    product = 1
    split = len(dims)
    while split > 0 and product * dims[split - 1] <= WORD:
        split -= 1
        stride[split] = product
        product *= dims[split]
    places = 1
    positions = 0
    for axis in range(split):
        positions += dims[axis]
        places *= dims[axis]
        if positions > WORD or places > MOST_PLACES:
            return BEYOND
    return split if split < len(dims) else BEYOND


@njit(cache=True)
def find_bits(dims: Int64s, stride: Int64s, axes: int) -> Words:
    """uint64[m, D]: of a packed process, the bits of a word with position p."""
    bits = np.zeros((len(dims), dims.max()), np.uint64)
    for k in range(axes, len(dims)):
        for p in range(dims[k]):
            here = first_bits((p + 1) * stride[k]) & ~first_bits(p * stride[k])
            bits[k, p] = repeat(here, dims[k] * stride[k])
    return bits


@njit(cache=True)
def find_masks(dims: Int64s, low: Int32s, bits: Words, axes: int) -> tuple[Words, Words, np.uint64]:
    """What is compatible with position p on an axis, and the packed combinations that are consistent.

    Two arrays uint64[axes, D]: the positions on later axes, where those of axis a follow those of axis a - 1; and the
    packed bits.
    """
    processes = len(dims)
    allowed = np.zeros((max(axes, 1), dims.max()), np.uint64)
    block = np.full((max(axes, 1), dims.max()), FULL)
    base = FULL
    offset = 0
    for a in range(axes):
        offset += dims[a]
        for p in range(dims[a]):
            begin = offset
            for b in range(a + 1, processes):
                fits = ZERO
                for q in range(dims[b]):
                    if low[a, p, b] <= q and low[b, q, a] <= p:
                        fits |= ONE << np.uint64(begin + q) if b < axes else bits[b, q]
                if b < axes:
                    allowed[a, p] |= fits
                    begin += dims[b]
                else:
                    block[a, p] &= fits
    for j in range(axes, processes):
        valid = ZERO
        for p in range(dims[j]):
            fits = bits[j, p]
            for k in range(j + 1, processes):
                others = ZERO
                for q in range(dims[k]):
                    if low[j, p, k] <= q and low[k, q, j] <= p:
                        others |= bits[k, q]
                fits &= others
            valid |= fits
        base &= valid
    return allowed, block, base


@njit(cache=True)
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


@njit(cache=True)
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


@njit(cache=True)
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


@njit(cache=True)
def sweep(
    dims: Int64s,
    low: Int32s,
    condition: Condition,
    is_definitely: bool,
    is_open: Flags,
    corners: Int64s,
    max_cuts: int,
    found: Int64s,
) -> int:
    """HOLDS if some cut, or, with `is_definitely`, every observation, satisfies the condition; else FAILS.

    The lexicographically first cut that does is then in `found` int64[m], but not with `is_definitely`.

    FINAL is added to a `definitely` if no open end (`final.find_open`) is reached while the condition is false.
    TOO_LARGE and BEYOND say that there is no answer.
    """
    processes = len(dims)
    stride = np.zeros(processes, np.int64)
    axes = pack(dims, stride)
    if axes < 0:
        return BEYOND
    bits = find_bits(dims, stride, axes)
    allowed, block, base = find_masks(dims, low, bits, axes)
    base &= first_bits(stride[axes] * dims[axes])
    steps = condition.steps
    local_process, local_flags = condition.local_process, condition.local_flags
    pair_process, pair_flags, terms = condition.pair_process, condition.pair_flags, condition.terms
    sums = len(terms)
    locals_inside = pack_locals(condition, dims, bits, axes)
    pairs_inside = pack_pairs(condition, dims, bits, axes)
    keys = np.full((sums, REMEMBERED), np.nan)
    remembered = np.zeros((sums, REMEMBERED), np.uint64)
    stack = np.empty(len(steps) + 1, np.uint64)

    shifts = np.empty(processes, np.uint64)
    entered = np.empty(processes, np.uint64)
    inside = 0
    open_word = ZERO
    for k in range(axes, processes):
        if is_open[k]:
            open_word |= bits[k, dims[k] - 1]
        if dims[k] > 1:
            shifts[inside] = np.uint64(stride[k])
            entered[inside] = ~bits[k, 0]
            inside += 1
    shifts, entered = shifts[:inside], entered[:inside]

    radix = np.empty(axes + 1, np.int64)
    offset = np.empty(axes + 1, np.int64)
    radix[axes] = 1
    for axis in range(axes - 1, -1, -1):
        radix[axis] = radix[axis + 1] * dims[axis]
    places = radix[0]
    offset[0] = 0
    for axis in range(axes):
        radix[axis] //= dims[axis]
        offset[axis + 1] = offset[axis] + dims[axis]

    reached = np.zeros(places if is_definitely else 1, np.uint64)
    path = np.zeros(axes + 1, np.int64)
    todo = np.zeros(axes + 1, np.uint64)  # on every axis of the path: the positions still to come
    fitting = np.full(axes + 1, FULL)
    words = np.full(axes + 1, base)
    place = np.zeros(axes + 1, np.int64)
    earlier = np.zeros(axes + 1, np.int64)  # the distances of the words one step earlier,
    count = np.zeros(axes + 1, np.int64)  # and how many of them the path has
    ended = np.zeros(axes + 1, np.uint8)
    begun = np.zeros((sums, axes + 1))
    is_final = True
    cuts = 0
    if axes:
        todo[0] = first_bits(dims[0])
    axis = 0
    while axis >= 0:  # a walk through the tree: each node is entered once, and left once
        if axis < axes:
            if not todo[axis]:
                axis -= 1
                continue
            p = lowest_bit(todo[axis])
            todo[axis] &= todo[axis] - ONE
            path[axis] = p
            words[axis + 1] = words[axis] & block[axis, p]
            place[axis + 1] = place[axis] + p * radix[axis]
            count[axis + 1] = count[axis]
            if p:
                earlier[count[axis]] = radix[axis]
                count[axis + 1] += 1
            ended[axis + 1] = 1 if ended[axis] or (is_open[axis] and p == dims[axis] - 1) else 0
            for s in range(sums):
                begun[s, axis + 1] = begun[s, axis] + terms[s, axis, p]
            if axis + 1 < axes:
                fitting[axis + 1] = fitting[axis] & allowed[axis, p]
                todo[axis + 1] = fitting[axis + 1] >> np.uint64(offset[axis + 1]) & first_bits(dims[axis + 1])
            axis += 1
            continue
        axis -= 1
        word = words[axes]
        cuts += count_bits(word)
        if cuts > max_cuts:
            return TOO_LARGE
        seeds = FULL
        if is_definitely:
            seeds = ONE if place[axes] == 0 else ZERO
            for r in range(count[axes]):
                seeds |= reached[place[axes] - earlier[r]]
        if not seeds & word:
            continue
        top = 0
        for row in range(len(steps)):
            operation = steps[row, 0]
            atom = steps[row, 1]
            label = ZERO
            if operation == LOCAL:
                process = local_process[atom]
                if process >= axes:
                    label = locals_inside[atom]
                elif local_flags[atom, path[process]]:
                    label = FULL
            elif operation == PAIR:
                first, second = pair_process[atom, 0], pair_process[atom, 1]
                if second >= axes:
                    label = pairs_inside[atom, path[first] if first < axes else 0]
                elif pair_flags[atom, path[first], path[second]]:
                    label = FULL
            elif operation == SUM:
                start = begun[atom, axes]
                slot = np.int64(start) & (REMEMBERED - 1) if -1e15 < start < 1e15 else 0
                if keys[atom, slot] != start:
                    remembered[atom, slot] = word_of_sum(
                        start, terms[atom], dims, axes, condition.sum_compare[atom], condition.sum_bound[atom]
                    )
                    keys[atom, slot] = start
                label = remembered[atom, slot]
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
        if not is_definitely:
            word &= stack[0]
            if word:
                found[:axes] = path[:axes]
                for k in range(axes, processes):
                    found[k] = lowest_bit(word) // stride[k] % dims[k]
                return HOLDS
            continue
        word &= ~stack[0]
        seeds &= word
        if seeds:
            seeds = spread(seeds, word, shifts, entered)
            reached[place[axes]] = seeds
            if ended[axes] or seeds & open_word:
                is_final = False
    if not is_definitely:
        return FAILS
    greatest = 0
    for k in range(axes, processes):
        greatest += stride[k] * (dims[k] - 1)
    if reached[places - 1] >> np.uint64(greatest) & ONE:
        return FAILS
    for r in range(len(corners)):
        is_final = is_final and not has_reached(reached, dims, bits, axes, corners[r])
    return HOLDS | FINAL if is_final else HOLDS


@njit(cache=True)
def has_reached(reached: Words, dims: Int64s, bits: Words, axes: int, corner: Int64s) -> bool:
    """Whether a cut in the box `reached` is at or above `corner` int64[m]."""
    inside = FULL
    for k in range(axes, len(dims)):
        above = ZERO
        for p in range(corner[k], dims[k]):
            above |= bits[k, p]
        inside &= above
    for place in range(len(reached)):
        if not reached[place] & inside:
            continue
        rest = place
        is_above = True
        for axis in range(axes - 1, -1, -1):
            is_above &= rest % dims[axis] >= corner[axis]
            rest //= dims[axis]
        if is_above:
            return True
    return False
