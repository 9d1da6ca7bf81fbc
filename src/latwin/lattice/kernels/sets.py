"""Sets of cuts, operation by operation: what a formula of CTL means, and what states to come leave of it.

A program in postfix order builds sets out of the cuts at which conditions hold, each as words per leaf. A formula is
run in one of three modes:

- as it is: the cuts at which it holds now;
- from below: cuts at which it holds however the windows go on;
- from above: all cuts at which it can ever hold.

For the last two, some cuts are *open*: an open process is at its newest state (see `final`), so steps may lead on
from them that are not known yet. All other cuts have the steps that they have now, and no cut ever loses one.
`docs/design/lattice.md`, "Final verdicts", has the proof.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels import ctl
from latwin.lattice.kernels.arrays import Flags, Int64s, Words, copy_into
from latwin.lattice.kernels.cuts import fill_path
from latwin.lattice.kernels.final import find_ended
from latwin.lattice.kernels.layout import AXES, CHUNKED, HIGH, LOW, OFFSET, PACKED, Lattice
from latwin.lattice.kernels.steps import count_leaves, greatest_bit
from latwin.lattice.kernels.window import GREATEST, LEAST
from latwin.lattice.kernels.words import FULL, ONE, WORD, ZERO, first_bits

# Operations, with their arguments.
CONDITION = 0  #: the cuts at which the condition with this number holds
ALL = 1
NOT, AND, OR = 2, 3, 4
NEXT, PREVIOUS = 5, 6  #: some step leads to the set, or comes from it; NEXT with OPEN: or may
UNTIL, SINCE = 7, 8  #: some way leads through one set to the other, or from there; UNTIL with OPEN: or may
ALL_UNTIL, ALL_SINCE = 9, 10  #: every way does, where ways end as the argument says

# Arguments: what is done about open cuts.
AS_IT_IS, BELOW, ABOVE = 0, 1, 2

# Where the answer is looked up.
AT_LEAST, AT_GREATEST, ANYWHERE = 0, 1, 2


@njit(cache=True, inline="always")
def mark_from(lattice: Lattice, lowest: Int64s, marks: Words) -> None:
    """Add to `marks` the cuts whose positions are all at or above `lowest` int64[n]."""
    ends, shape, span, levels = lattice.ends, lattice.shape, lattice.span, lattice.levels
    processes = ends.shape[1]
    last_axis = shape[AXES] - 1
    split = processes - shape[PACKED]
    inside = FULL
    for k in range(split, processes):
        inside &= lattice.at_least[k, lowest[k]]
    path = np.zeros(last_axis + 1, np.int64)
    for node in range(levels[last_axis], levels[last_axis + 1]):
        fill_path(lattice.origin, node, path)
        fits = True
        for axis in range(last_axis):
            fits &= path[axis] >= lowest[axis]
        if not fits:
            continue
        for position in range(span[node, LOW], span[node, HIGH] + 1):
            leaf = span[node, OFFSET] + position
            if shape[CHUNKED]:
                first = lowest[last_axis] - position * WORD
                if first < WORD:
                    marks[leaf] |= lattice.leaves[leaf] & ~first_bits(max(first, 0))
            elif split == 0 or position >= lowest[last_axis]:
                marks[leaf] |= lattice.leaves[leaf] & inside


@njit(cache=True)
def mark_open(lattice: Lattice, is_open_at: Flags, corners: Int64s) -> Words:
    """The open cuts, of the open ends that `final.find_open` gave: words per leaf, and a zero after them."""
    lattice = Lattice(*lattice)
    ends, shape, span, levels, leaves = lattice.ends, lattice.shape, lattice.span, lattice.levels, lattice.leaves
    processes = ends.shape[1]
    marks = np.zeros(count_leaves(lattice) + 1, np.uint64)
    for r in range(len(corners)):
        mark_from(lattice, corners[r], marks)
    inside = ZERO  # the bits of a word with an open process at its newest state
    for k in range(processes - shape[PACKED], processes):
        if is_open_at[k]:
            inside |= lattice.at_least[k, ends[GREATEST, k] - ends[LEAST, k]]
    last_axis = shape[AXES] - 1
    ended = np.empty(levels[last_axis + 1], np.uint8)
    find_ended(lattice, is_open_at, ended)
    newest = -1
    bits = FULL
    if shape[PACKED] < processes and is_open_at[last_axis]:
        newest = ends[GREATEST, last_axis] - ends[LEAST, last_axis]
        if shape[CHUNKED]:
            newest //= WORD
            bits = ONE << np.uint64(greatest_bit(ends, shape, lattice.stride))
    for node in range(levels[last_axis], levels[last_axis + 1]):
        for position in range(span[node, LOW], span[node, HIGH] + 1):
            leaf = span[node, OFFSET] + position
            found = FULL if ended[node] else inside
            if position == newest:
                found |= bits
            marks[leaf] |= leaves[leaf] & found
    return marks


@njit(cache=True)
def run_sets(lattice: Lattice, conditions: Words, program: Int64s, is_open: Words, stack: Words) -> None:
    """Run a program, int64[R, 2] rows (operation, argument); the set is then in `stack[0]`, one word for each leaf.

    `conditions` uint64[C, leaves] are the cuts where each condition holds; bits that are no cuts may be set.
    `is_open` uint64[leaves + 1] are the open cuts, which programs that run as they are do not look at. `stack`
    uint64[D, leaves + 1] has a row for each set that is kept at a time: at most one for each row of the program.
    """
    part = Lattice(*lattice)
    leaves = part.leaves
    count = count_leaves(part)
    last = ONE << np.uint64(greatest_bit(part.ends, part.shape, part.stride))
    goal = np.empty(count, np.uint64)
    top = 0
    for row in range(len(program)):
        operation, argument = program[row, 0], program[row, 1]
        if operation in (CONDITION, ALL):
            for leaf in range(count):
                stack[top, leaf] = leaves[leaf] if operation == ALL else conditions[argument, leaf] & leaves[leaf]
        elif operation == NOT:
            top -= 1
            for leaf in range(count):
                stack[top, leaf] = leaves[leaf] & ~stack[top, leaf]
        elif operation == NEXT:
            top -= 1
            copy_into(goal, stack[top, :count])
            ctl.some_next(lattice, goal, stack[top])
            if argument == ABOVE:
                for leaf in range(count):
                    stack[top, leaf] |= is_open[leaf]
        elif operation == PREVIOUS:
            top -= 1
            stack[top, count] = ZERO
            ctl.some_previous(lattice, stack[top].copy(), stack[top])
        else:
            top -= 2
            one, other = stack[top], stack[top + 1]
            for leaf in range(count):
                word, more = one[leaf], other[leaf]
                if operation == AND:
                    one[leaf] = word & more
                elif operation == OR:
                    one[leaf] = word | more
                elif operation in (UNTIL, SINCE):
                    goal[leaf] = more | (word & is_open[leaf]) if argument == ABOVE else more
                else:
                    # It fails where some way, before it meets the goal, comes to a cut without `hold`, or to its end.
                    missing = leaves[leaf] & ~more
                    end = ZERO
                    if operation == ALL_SINCE:
                        end = ONE if leaf == 0 else ZERO
                    elif argument == BELOW:
                        end = is_open[leaf]
                    elif argument == AS_IT_IS:
                        end = last if leaf == count - 1 else ZERO
                    goal[leaf] = missing & (~word | end)
                    one[leaf] = missing
            if operation in (UNTIL, ALL_UNTIL):
                ctl.until(lattice, one, goal, other)
            elif operation in (SINCE, ALL_SINCE):
                ctl.since(lattice, one, goal, other)
            if operation >= ALL_UNTIL:
                for leaf in range(count):
                    one[leaf] = leaves[leaf] & ~other[leaf]
            elif operation >= UNTIL:
                copy_into(one, other[:count])
        top += 1


@njit(cache=True, inline="always")
def is_in(lattice: Lattice, words: Words, where: int) -> bool:
    """Whether a set has the least cut, the greatest cut, or any cut at all."""
    part = Lattice(*lattice)
    count = count_leaves(part)
    if where == AT_LEAST:
        return words[0] & ONE != ZERO
    if where == AT_GREATEST:
        return words[count - 1] >> np.uint64(greatest_bit(part.ends, part.shape, part.stride)) & ONE != ZERO
    for leaf in range(count):  # noqa: SIM110 - any() over a generator does not compile
        if words[leaf]:
            return True
    return False
