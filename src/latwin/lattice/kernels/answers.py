"""The kinds of questions that runs of slides ask through an address: one function for each, with the same parameters.

They are given the windows (`clocks`, `ends`), the rings (`atoms`) and the questions about sums. Of the question
itself they are given the processes that it reads (`members`, ascending), and integers that only its kind understands
(`data`). The lattice of the members is laid out only when a question has asked for it, by answering NEEDS_LATTICE:
without it, `lattice` has no cuts. The window's lattice must not be empty.

An answer is HOLDS or FAILS, with FINAL or without. FINAL says that no state to come can overturn the answer, and may
be missing if nobody `wants_final`. Or the answer is negative: LEAVES_TO_OTHER if the question has another function
that answers on windows like this one, or CANNOT if Python has to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from latwin.lattice.kernels import sets
from latwin.lattice.kernels.arrays import Int64s, Words
from latwin.lattice.kernels.asking import FAILS, FINAL, HOLDS, definitely_program, possibly_program
from latwin.lattice.kernels.final import find_open, reached_is_final
from latwin.lattice.kernels.labels import Atoms, compare, label_many
from latwin.lattice.kernels.layout import CUTS, Lattice
from latwin.lattice.kernels.pairs import some_pair
from latwin.lattice.kernels.probability import count_observations
from latwin.lattice.kernels.sequences import run_automaton
from latwin.lattice.kernels.steps import count_leaves
from latwin.lattice.kernels.sums import FINAL as SUM_IS_FINAL
from latwin.lattice.kernels.sums import (
    UNDECIDED,
    UNKNOWN_FINAL,
    SumQuestions,
    definitely_sum,
    possibly_sum,
)
from latwin.lattice.kernels.words import WORD, ZERO

CANNOT = -1
NEEDS_LATTICE = -2
LEAVES_TO_OTHER = -3
#: the greatest fraction that is not 1
ALMOST_ONE = 1.0 - 2.0**-53


@njit(cache=True)
def ask_pairs(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    sums: SumQuestions,
    lattice: Lattice,
    members: Int64s,
    data: Int64s,
    wants_final: bool,
) -> int:
    """`possibly` of an `or` of conditions on two processes. `data`: the numbers of the pairs."""
    rings = Atoms(*atoms)
    return HOLDS | FINAL if some_pair(clocks, ends, data, rings.pair_process, rings.pair_flags) else FAILS


@njit(cache=True)
def ask_possibly(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    sums: SumQuestions,
    lattice: Lattice,
    members: Int64s,
    data: Int64s,
    wants_final: bool,
) -> int:
    """`possibly` of a program. `data`: its first row, the row after its last, and the most cuts."""
    room = np.empty(len(members), np.int64)
    return max(CANNOT, possibly_program(clocks, ends, atoms, members, data[0], data[1], data[2], room))


@njit(cache=True)
def ask_definitely(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    sums: SumQuestions,
    lattice: Lattice,
    members: Int64s,
    data: Int64s,
    wants_final: bool,
) -> int:
    """`definitely` of a program. `data` as for `possibly` of one."""
    return max(CANNOT, definitely_program(clocks, ends, atoms, members, data[0], data[1], wants_final, data[2]))


@njit(cache=True)
def ask_possibly_sum(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    sums: SumQuestions,
    lattice: Lattice,
    members: Int64s,
    data: Int64s,
    wants_final: bool,
) -> int:
    """`possibly` of a sum. `data` as for a program, which is the other kind; then the number of the question."""
    rings = Atoms(*atoms)
    found = possibly_sum(clocks, ends, rings.sum_terms, rings.holds, sums, data[3])
    if found == UNDECIDED:
        return LEAVES_TO_OTHER
    return HOLDS | FINAL if found else FAILS


@njit(cache=True)
def ask_definitely_sum(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    sums: SumQuestions,
    lattice: Lattice,
    members: Int64s,
    data: Int64s,
    wants_final: bool,
) -> int:
    """`definitely` of a sum. `data` as for `possibly` of a sum."""
    rings = Atoms(*atoms)
    reads = np.zeros(ends.shape[1], np.uint8)
    reads[members] = 1
    found = definitely_sum(clocks, ends, rings.sum_terms, rings.holds, sums, data[3], reads, wants_final)
    if found == UNDECIDED:
        return LEAVES_TO_OTHER
    if found & UNKNOWN_FINAL:
        return CANNOT
    return FAILS if found == 0 else HOLDS | FINAL if found & SUM_IS_FINAL else HOLDS


@njit(cache=True)
def label(lattice: Lattice, atoms: Atoms, data: Int64s) -> Words:
    """The words uint64[C, leaves] of C conditions. `data`: their first row, the row after their last, and C."""
    words = np.empty((data[2], count_leaves(Lattice(*lattice))), np.uint64)
    label_many(lattice, atoms, data[0], data[1], words)
    return words


# What stands in the `data` of an automaton, after the three of `label`.
IS_POSSIBLY = 3  #: whether an accepted observation is searched for, or one that is not accepted
WANTED = 4  #: the states that are searched for, as bits
CLOSES = 5  #: whether a search without success can be so for good
STATES, EDGES, GROUPS = 6, 7, 8
ORDER = 9  #: here begin the rows of the labels, one for each atom, and then the arrays of the `Machine`


@njit(cache=True)
def ask_automaton(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    sums: SumQuestions,
    lattice: Lattice,
    members: Int64s,
    data: Int64s,
    wants_final: bool,
) -> int:
    """Whether an automaton accepts some, or every, observation. `data`: see the constants above."""
    part = Lattice(*lattice)
    if not part.shape[CUTS]:
        return NEEDS_LATTICE
    labels = label(lattice, atoms, data)
    states, edges, groups = data[STATES], data[EDGES], data[GROUPS]
    at = ORDER + data[2]
    letters = labels[data[ORDER:at]]
    decides = np.empty(states, np.uint8)
    after = at + 3 * edges + states + 1 + groups
    for s in range(states):
        decides[s] = data[after + s]
    machine: Any = (
        data[at : at + 3 * edges].reshape(edges, 3),
        data[at + 3 * edges : at + 3 * edges + states + 1],
        data[at + 3 * edges + states + 1 : after],
        decides,
        data[after + states : after + states + 1],
    )
    count = count_leaves(part)
    post = np.empty((count + 1, states), np.uint64)
    found = run_automaton(lattice, letters, machine, post)
    value = HOLDS if (found & np.uint64(data[WANTED]) != ZERO) == (data[IS_POSSIBLY] != 0) else FAILS
    if found & np.uint64(data[WANTED]):
        for s in range(states):
            if decides[s] and found >> np.uint64(s) & np.uint64(1):
                return value | FINAL
        return value
    is_final = wants_final and data[CLOSES] and stays_fruitless(clocks, ends, members, lattice, post)
    return value | FINAL if is_final else value


@njit(cache=True)
def stays_fruitless(clocks: Int64s, ends: Int64s, members: Int64s, lattice: Lattice, post: Words) -> bool:
    """Whether a search, after `run_automaton` filled `post` without success, remains so whatever comes."""
    reached = np.zeros(len(post), np.uint64)
    for leaf in range(len(post) - 1):
        for s in range(post.shape[1]):
            reached[leaf] |= post[leaf, s]
    is_open, corners = find_open(clocks, ends, members)
    return reached_is_final(lattice, reached, is_open, corners)


# What stands in the `data` of a formula of CTL, after the three of `label`.
WHERE = 3  #: where the answer is looked up; see `sets`
LENGTH = 4  #: of the program as it is, then of those from below and from above; 0 if they could tell nothing
PROGRAMS = 7  #: here they begin, row after row


@njit(cache=True)
def ask_formula(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    sums: SumQuestions,
    lattice: Lattice,
    members: Int64s,
    data: Int64s,
    wants_final: bool,
) -> int:
    """Whether a formula of CTL holds. `data`: see the constants above."""
    part = Lattice(*lattice)
    if not part.shape[CUTS]:
        return NEEDS_LATTICE
    labels = label(lattice, atoms, data)
    lengths, at = data[LENGTH:PROGRAMS], PROGRAMS
    stack = np.empty((lengths.max() + 1, count_leaves(part) + 1), np.uint64)
    is_open = np.empty(0, np.uint64)
    answer = FAILS
    for mode in range(3):
        rows = lengths[mode]
        if mode == sets.AS_IT_IS or (rows and wants_final and (mode == sets.BELOW) == (answer == HOLDS)):
            if mode != sets.AS_IT_IS:
                flags, corners = find_open(clocks, ends, members)
                is_open = sets.mark_open(lattice, flags, corners)
            sets.run_sets(lattice, labels, data[at : at + 2 * rows].reshape(rows, 2), is_open, stack)
            is_there = sets.is_in(lattice, stack[0], data[WHERE])
            if mode == sets.AS_IT_IS:
                answer = HOLDS if is_there else FAILS
            elif is_there == (answer == HOLDS):
                return answer | FINAL
        at += 2 * rows
    return answer


# What stands in the `data` of a probability, after the three of `label`.
COMPARISON = 3
BOUND = 4  #: a float, by its bits


@njit(cache=True)
def ask_probability(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    sums: SumQuestions,
    lattice: Lattice,
    members: Int64s,
    data: Int64s,
    wants_final: bool,
) -> int:
    """How the fraction of observations that meet a condition compares. `data`: see the constants above."""
    part = Lattice(*lattice)
    if not part.shape[CUTS]:
        return NEEDS_LATTICE
    labels = label(lattice, atoms, data)
    room = np.empty((2, count_leaves(part) + 1, WORD), np.float64)
    meeting, avoiding = count_observations(lattice, labels[0], room[0], room[1])
    if not np.isfinite(meeting + avoiding):
        return CANNOT
    fraction = 1.0 if avoiding == 0.0 else min(meeting / (meeting + avoiding), ALMOST_ONE)
    bound = data[BOUND : BOUND + 1].view(np.float64)[0]
    return HOLDS if compare(fraction, data[COMPARISON], bound) else FAILS
