"""The kinds of questions that runs of slides ask through an address: one function for each, with the same parameters.

They are given the windows (`clocks`, `ends`), the rings (`atoms`) and the questions about sums. Of the question
itself they are given the processes that it reads (`members`, ascending), and integers that only its kind understands
(`data`). The lattice of the members is laid out only when a question has asked for it, by answering NEEDS_LATTICE:
without it, `lattice` has no cuts. The window's lattice must not be empty.

An answer is HOLDS or FAILS, with FINAL or without. FINAL says that no state to come can overturn the answer, and may
be missing unless `wants_final` has the bit for this answer. Or the answer is negative: LEAVES_TO_OTHER if the
question has another function that answers on windows like this one, or CANNOT if Python has to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from latwin.lattice.kernels import sets
from latwin.lattice.kernels.arrays import Int64s, Words
from latwin.lattice.kernels.asking import FAILS, FINAL, HOLDS, ask_program
from latwin.lattice.kernels.final import find_open, reached_is_final
from latwin.lattice.kernels.labels import Atoms, compare, label_many
from latwin.lattice.kernels.layout import CUTS, Lattice
from latwin.lattice.kernels.outlook import UNKNOWN, YES, foresee_automaton, foresee_formula, foresee_meeting
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
from latwin.lattice.kernels.words import ONE, WORD, ZERO

WHEN_TRUE, WHEN_FALSE = 1, 2  #: bits of `wants_final`

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
    wants_final: int,
) -> int:
    """`possibly` of an `or` of conditions on two processes. `data`: the numbers of the pairs."""
    rings = Atoms(*atoms)
    return HOLDS | FINAL if some_pair(clocks, ends, data, rings.pair_process, rings.pair_flags) else FAILS


# What stands in the `data` of a program.
FIRST_ROW, END_ROW, MOST_CUTS, IS_DEFINITELY = 0, 1, 2, 3
NUMBER = 4  #: of a question about a sum, which the program is the other kind of


@njit(cache=True)
def ask_condition(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    sums: SumQuestions,
    lattice: Lattice,
    members: Int64s,
    data: Int64s,
    wants_final: int,
) -> int:
    """`possibly` or `definitely` of a program. `data`: see the constants above."""
    room = np.empty(len(members), np.int64)
    rows, most, is_definitely = (data[FIRST_ROW], data[END_ROW]), data[MOST_CUTS], data[IS_DEFINITELY] != 0
    wants = wants_final & WHEN_TRUE != 0
    found = ask_program(clocks, ends, atoms, members, rows[0], rows[1], is_definitely, wants, most, room)
    return max(CANNOT, found)


@njit(cache=True)
def ask_possibly_sum(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    sums: SumQuestions,
    lattice: Lattice,
    members: Int64s,
    data: Int64s,
    wants_final: int,
) -> int:
    """`possibly` of a sum. `data`: see the constants above."""
    rings = Atoms(*atoms)
    found = possibly_sum(clocks, ends, rings.sum_terms, rings.holds, sums, data[NUMBER])
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
    wants_final: int,
) -> int:
    """`definitely` of a sum. `data`: see the constants above."""
    rings = Atoms(*atoms)
    reads = np.zeros(ends.shape[1], np.uint8)
    for member in members:
        reads[member] = 1
    wants = wants_final & WHEN_TRUE != 0
    found = definitely_sum(clocks, ends, rings.sum_terms, rings.holds, sums, data[NUMBER], reads, wants)
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


@njit(cache=True)
def is_wanted(wants_final: int, value: int) -> bool:
    """Whether it must be found out if this answer is final."""
    return wants_final & (WHEN_TRUE if value == HOLDS else WHEN_FALSE) != 0


@njit(cache=True)
def ask_constant(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    sums: SumQuestions,
    lattice: Lattice,
    members: Int64s,
    data: Int64s,
    wants_final: int,
) -> int:
    """A question whose answer does not depend on the states. `data`: the answer."""
    return HOLDS | FINAL if data[0] else FAILS | FINAL


# What stands in the `data` of an automaton, after the three of `label`.
IS_POSSIBLY = 3  #: whether an accepted observation is searched for, or one that is not accepted
WANTED = 4  #: the states that are searched for, as bits
SUCCESS, FAILURE = 5, 6  #: whether a search with success is so for good, and one without
NEVER, ALWAYS, PERHAPS = 0, 1, 2
STATES, EDGES, GROUPS = 7, 8, 9
TABLE, START = 10, 11  #: how many states the automaton has with those that the search leaves out, and its first one
MACHINE = 12  #: here begin the arrays of the `Machine`; then the flags of wanted states, and the table, for `outlook`


@njit(cache=True)
def ask_automaton(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    sums: SumQuestions,
    lattice: Lattice,
    members: Int64s,
    data: Int64s,
    wants_final: int,
) -> int:
    """Whether an automaton accepts some, or every, observation. `data`: see the constants above."""
    part = Lattice(*lattice)
    states, edges, groups, table = data[STATES], data[EDGES], data[GROUPS], data[TABLE]
    begins = MACHINE + 3 * edges
    deciding = begins + states + 1 + groups
    flags = deciding + states + 1
    if not part.shape[CUTS]:
        wanted = np.empty(table, np.uint8)
        for s in range(table):
            wanted[s] = data[flags + s]
        rows, delta = (data[0], data[1], data[2]), data[flags + table :].reshape(table, 1 << data[2])
        outcome = foresee_automaton(ends, atoms, members, rows, delta, data[START], wanted)
        if outcome == UNKNOWN:
            return NEEDS_LATTICE
        value = HOLDS if (outcome == YES) == (data[IS_POSSIBLY] != 0) else FAILS
        how = data[SUCCESS] if outcome == YES else data[FAILURE]
        if how == ALWAYS:
            return value | FINAL
        return NEEDS_LATTICE if how == PERHAPS and is_wanted(wants_final, value) else value
    decides = np.empty(states, np.uint8)
    for s in range(states):
        decides[s] = data[deciding + s]
    machine: Any = (
        data[MACHINE:begins].reshape(edges, 3),
        data[begins : begins + states + 1],
        data[begins + states + 1 : deciding],
        decides,
        data[deciding + states : flags],
    )
    post = np.empty((count_leaves(part) + 1, states), np.uint64)
    found = run_automaton(lattice, label(lattice, atoms, data), machine, post)
    is_found = found & np.uint64(data[WANTED]) != ZERO
    value = HOLDS if is_found == (data[IS_POSSIBLY] != 0) else FAILS
    if is_found:
        for s in range(states):
            if decides[s] and found >> np.uint64(s) & ONE:
                return value | FINAL
        return value
    can_be_final = data[FAILURE] != NEVER and is_wanted(wants_final, value)
    return value | FINAL if can_be_final and stays_fruitless(clocks, ends, members, lattice, post) else value


@njit(cache=True, inline="always")
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
LOOKS_BACK = 4  #: whether the formula is asked of the greatest cut
LENGTH = (
    5  #: of the program as it is, of those from below and from above (0 if they could tell nothing); of `outlook`'s
)
PROGRAMS = 9  #: here they begin, row after row


@njit(cache=True)
def ask_formula(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    sums: SumQuestions,
    lattice: Lattice,
    members: Int64s,
    data: Int64s,
    wants_final: int,
) -> int:
    """Whether a formula of CTL holds. `data`: see the constants above."""
    part = Lattice(*lattice)
    lengths = data[LENGTH:PROGRAMS]
    if not part.shape[CUTS]:
        at = PROGRAMS + 2 * lengths[:3].sum()
        rows, formula = (data[0], data[1], data[2]), data[at:].reshape(lengths[3], 2)
        outcome = foresee_formula(ends, atoms, members, rows, formula, data[LOOKS_BACK] != 0)
        if outcome == UNKNOWN:
            return NEEDS_LATTICE
        value = HOLDS if outcome == YES else FAILS
        can_be_final = lengths[sets.BELOW if value == HOLDS else sets.ABOVE] > 0
        return NEEDS_LATTICE if can_be_final and is_wanted(wants_final, value) else value
    labels = label(lattice, atoms, data)
    stack = np.empty((lengths.max() + 1, count_leaves(part) + 1), np.uint64)
    is_open = np.empty(0, np.uint64)
    answer, at = FAILS, PROGRAMS
    for mode in range(3):
        rows_of_mode = lengths[mode]
        is_due = rows_of_mode > 0 and (mode == sets.BELOW) == (answer == HOLDS) and is_wanted(wants_final, answer)
        if mode == sets.AS_IT_IS or is_due:
            if mode != sets.AS_IT_IS:
                flags, corners = find_open(clocks, ends, members)
                is_open = sets.mark_open(lattice, flags, corners)
            program = data[at : at + 2 * rows_of_mode].reshape(rows_of_mode, 2)
            sets.run_sets(lattice, labels, program, is_open, stack)
            is_there = sets.is_in(lattice, stack[0], data[WHERE])
            if mode == sets.AS_IT_IS:
                answer = HOLDS if is_there else FAILS
            elif is_there == (answer == HOLDS):
                return answer | FINAL
        at += 2 * rows_of_mode
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
    wants_final: int,
) -> int:
    """How the fraction of observations that meet a condition compares. `data`: see the constants above."""
    part = Lattice(*lattice)
    fraction = 0.0
    if not part.shape[CUTS]:
        outcome = foresee_meeting(ends, atoms, members, (data[0], data[1], data[2]))
        if outcome == UNKNOWN:
            return NEEDS_LATTICE
        fraction = 1.0 if outcome == YES else 0.0
    else:
        room = np.empty((count_leaves(part), 2 * WORD), np.float64)
        meeting, avoiding = count_observations(lattice, label(lattice, atoms, data)[0], room)
        if not np.isfinite(meeting + avoiding):
            return CANNOT
        fraction = 1.0 if avoiding == 0.0 else min(meeting / (meeting + avoiding), ALMOST_ONE)
    bound = data[BOUND : BOUND + 1].view(np.float64)[0]
    return HOLDS if compare(fraction, data[COMPARISON], bound) else FAILS
