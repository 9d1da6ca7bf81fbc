"""Many slides in one call: push a state, answer every modality, go on until something is worth telling.

Crossing from Python into compiled code costs as much as a small lattice; where states come in order, whole
runs of them are handed over at once. Beside the groups of the other kernels there are:

- `Asked`: the modalities, how properties combine them, and the properties' present values
- `Incoming`: the states to deliver
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Floats, Int64s
from latwin.lattice.kernels.asking import FAILS, FINAL, HOLDS, definitely_program, possibly_program
from latwin.lattice.kernels.conjunctive import FINAL as MET_FINAL
from latwin.lattice.kernels.conjunctive import MET, choose_runs, possibly_all
from latwin.lattice.kernels.final import runs_are_final
from latwin.lattice.kernels.labels import Atoms
from latwin.lattice.kernels.pairs import some_state
from latwin.lattice.kernels.sums import (
    END_ROW,
    FIRST_ROW,
    UNDECIDED,
    UNKNOWN_FINAL,
    SumQuestions,
    definitely_sum,
    possibly_sum,
)
from latwin.lattice.kernels.sums import FINAL as SUM_IS_FINAL
from latwin.lattice.kernels.time_windows import Timed, push_in_time
from latwin.lattice.kernels.told import CHANGED, EMPTY, Told, has_room, judge, note
from latwin.lattice.kernels.window import NEWEST, OLDEST, SIZE, push

# Kinds of modalities: answered on the windows alone, and by the lattice or instead of it.
POSSIBLY_ALL, DEFINITELY_ALL, SOME_STATE = 0, 1, 2
POSSIBLY_PROGRAM, DEFINITELY_PROGRAM, POSSIBLY_SUM, DEFINITELY_SUM = 3, 4, 5, 6
UNANSWERED = 2  #: no value: the lattice was too large

# How a property combines modalities: operations in postfix order.
ASK, NEGATE, BOTH, EITHER, NEVER = 0, 1, 2, 3, 4
# What is known of a part of a property, in one number.
VALUE, STAYS_TRUE, STAYS_FALSE = 1, 2, 4

# Why `advance` stopped.
FINISHED = 0  #: all states were delivered, and nothing changed
TELL = 1  #: with this state a property changed, became final, or could not be answered here; the state is delivered
REFUSED = 2  #: this state was not delivered: its clock is wrong, its time too far ahead, or the ring is full
REASONS = 4

CANNOT = -1  #: no answer here: Python finds out what is final


class Asked(NamedTuple):
    """What is asked after every slide. M modalities, Q properties."""

    #: int64[M, 3], per modality: its kind (the constants above), then its conjunction and 0, or the first row of its
    #: program and the row after the last, or its question about a sum and 0
    modalities: Int64s
    #: uint8[M, n]: the processes that its condition reads; only of a program, or of a `definitely`
    reads: Flags
    #: int64[R, 3]: rows (operation, modality, whether it matters that it is final), property after property; the last
    #: two only of ASK
    logic: Int64s
    #: int64[Q + 1]: where the rows of each property begin
    begins: Int64s
    #: uint8[Q]: the properties' present values, 0 or 1; UNANSWERED if there is none
    values: Flags
    #: uint8[Q]: whether the present value is true, and was told to be final
    told_final: Flags
    #: a lattice of more cuts is too large to be answered on
    max_cuts: int
    #: the questions about sums
    questions: SumQuestions


class Incoming(NamedTuple):
    """The states to deliver, in order, one row for each."""

    #: int64[T]; int64[T, n]
    processes: Int64s
    clocks: Int64s
    #: uint8[T, C]; uint8[T, A]; float64[T, S]: their flags and numbers, for the conjunctions, local conditions and
    #: sums that the state's process has a part in
    holds: Flags
    locals: Flags
    sums: Floats
    #: their times, if some window is one of time
    timed: Timed


@njit(cache=True)
def in_order(processes: Int64s, incoming: Int64s, through: Int64s, causal: bool) -> int:
    """How many of the states can be delivered as they come; `through`, the last delivered indices, follows."""
    for row in range(len(processes)):
        process = processes[row]
        if incoming[row, process] != through[process] + 1:
            return row
        if causal:
            for j in range(len(through)):
                if j != process and incoming[row, j] > through[j]:
                    return row
        through[process] += 1
    return len(processes)


@njit(cache=True, inline="always")
def note_state(place: int, row: int, atoms: Atoms, incoming: Incoming) -> None:
    """Put a delivered state's flags and numbers into the rings."""
    process = incoming.processes[row]
    for c in range(atoms.holds.shape[0]):
        atoms.holds[c, process, place] = incoming.holds[row, c]
    for a in range(atoms.local_flags.shape[0]):
        if atoms.local_process[a] == process:
            atoms.local_flags[a, place] = incoming.locals[row, a]
    for s in range(atoms.sum_terms.shape[0]):
        atoms.sum_terms[s, process, place] = incoming.sums[row, s]


@njit(cache=True)
def find_wanted(asked: Asked) -> Flags:
    """uint8[M]: the modalities of which it must be found out whether they are final."""
    wanted = np.zeros(len(asked.modalities), np.uint8)
    for q in range(len(asked.values)):
        if not asked.told_final[q]:
            for row in range(asked.begins[q], asked.begins[q + 1]):
                if asked.logic[row, 0] == ASK and asked.logic[row, 2]:
                    wanted[asked.logic[row, 1]] = 1
    return wanted


@njit(cache=True)
def combine(logic: Int64s, answers: Int64s, stack: Int64s) -> int:
    """The value of a property out of the `answers` of all modalities, and whether it stays.

    A false modality may always become true; a true one stays true if it is final.
    """
    top = 0
    for row in range(len(logic)):
        operation = logic[row, 0]
        found = 0
        if operation == ASK:
            answer = answers[logic[row, 1]]
            found = (VALUE if answer & HOLDS else 0) | (STAYS_TRUE if answer & FINAL else 0)
        elif operation == NEVER:
            found = 0
        elif operation == NEGATE:
            top -= 1
            part = stack[top]
            found = (VALUE & ~part) | (part & STAYS_TRUE) << 1 | (part & STAYS_FALSE) >> 1
        else:
            top -= 2
            both, either = stack[top] & stack[top + 1], stack[top] | stack[top + 1]
            if operation != BOTH:
                both, either = either, both
            found = both & (VALUE | STAYS_TRUE) | either & STAYS_FALSE
        stack[top] = found
        top += 1
    return stack[0]


@njit(cache=True)
def tell_all(clocks: Int64s, ends: Int64s, holds: Flags, asked: Asked, told: Told, row: int, is_empty: bool) -> None:
    """Write down what changed with a slide or became final, and take it for the present values."""
    cut = np.empty(ends.shape[1], np.int64)
    for q in range(len(asked.values)):
        m = asked.logic[asked.begins[q], 1]
        flags = EMPTY
        if not is_empty:
            is_definitely = asked.modalities[m, 0] == DEFINITELY_ALL
            flags = judge(clocks, ends, holds[asked.modalities[m, 1]], asked.reads[m], is_definitely, told, cut)
        value = flags & MET
        becomes_final = flags & MET_FINAL != 0
        if value != asked.values[q]:
            flags |= CHANGED
        elif asked.told_final[q] or not becomes_final:
            continue
        asked.values[q], asked.told_final[q] = value, becomes_final
        note(clocks, ends, told, row, q, flags)


@njit(cache=True)
def deliver(clocks: Int64s, ends: Int64s, atoms: Atoms, incoming: Incoming, row: int) -> int:
    """Slide the window onto a state: 0, or 1 if there is no cut then; -1 if the state is refused."""
    process = incoming.processes[row]
    held = ends[NEWEST, process] - ends[OLDEST, process] + 1
    if ends[SIZE, process] == 0 and held == clocks.shape[1]:
        return -1
    timed = Timed(*incoming.timed)
    if len(timed.times):
        outcome = push_in_time(clocks, ends, process, incoming.clocks[row], timed, row)
    else:
        outcome = push(clocks, ends, process, incoming.clocks[row])
    if outcome < 0:
        return -1
    note_state((outcome >> 1) & (clocks.shape[1] - 1), row, atoms, incoming)
    return outcome & 1


@njit(cache=True)
def ask_windows(clocks: Int64s, ends: Int64s, holds: Flags, asked: Asked, m: int, is_wanted: bool) -> int:
    """The answer of a modality that needs the windows alone, and, if that is wanted, whether it is final."""
    kind, own, reads = asked.modalities[m, 0], holds[asked.modalities[m, 1]], asked.reads[m]
    if kind == SOME_STATE:
        return HOLDS | FINAL if some_state(ends, own, reads) else FAILS
    last = np.empty(ends.shape[1], np.int64)
    if kind == POSSIBLY_ALL:
        return HOLDS | FINAL if possibly_all(clocks, ends, own, last) else FAILS
    firsts = np.empty(ends.shape[1], np.int64)
    if not choose_runs(clocks, ends, own, last, firsts):
        return FAILS
    return HOLDS | FINAL if is_wanted and runs_are_final(clocks, ends, reads, last, firsts) else HOLDS


@njit(cache=True)
def ask_lattice(clocks: Int64s, ends: Int64s, atoms: Atoms, asked: Asked, m: int, is_wanted: bool) -> int:
    """The same for a sum or a program; negative if it cannot be answered here."""
    kind, first_row, end_row = asked.modalities[m, 0], asked.modalities[m, 1], asked.modalities[m, 2]
    rings, reads = Atoms(*atoms), asked.reads[m]
    is_possibly = kind in (POSSIBLY_PROGRAM, POSSIBLY_SUM)
    if kind in (POSSIBLY_SUM, DEFINITELY_SUM):
        number, questions = first_row, asked.questions
        rows = SumQuestions(*questions).rows
        first_row, end_row = rows[number, FIRST_ROW], rows[number, END_ROW]
        if is_possibly:
            found = possibly_sum(clocks, ends, rings.sum_terms, rings.holds, questions, number)
        else:
            found = definitely_sum(clocks, ends, rings.sum_terms, rings.holds, questions, number, reads, is_wanted)
        if found != UNDECIDED:
            if found & UNKNOWN_FINAL:
                return CANNOT
            is_final = is_possibly or found & SUM_IS_FINAL != 0
            return FAILS if found == 0 else HOLDS | FINAL if is_final else HOLDS
    members = np.flatnonzero(reads)
    if is_possibly:
        room = np.empty(len(members), np.int64)
        return possibly_program(clocks, ends, atoms, members, first_row, end_row, asked.max_cuts, room)
    return definitely_program(clocks, ends, atoms, members, first_row, end_row, is_wanted, asked.max_cuts)


@njit(cache=True)
def must_tell(asked: Asked, answers: Int64s, is_empty: int, stack: Int64s) -> bool:
    """Whether with these answers of all modalities a property changes, or a true one becomes final."""
    tell = False
    for q in range(len(asked.values)):
        found = 0 if is_empty else combine(asked.logic[asked.begins[q] : asked.begins[q + 1]], answers, stack)
        tell |= asked.values[q] != found & VALUE
        tell |= found & VALUE != 0 and found & STAYS_TRUE != 0 and not asked.told_final[q]
    return tell


@njit(cache=True)
def advance_on_windows(
    clocks: Int64s, ends: Int64s, atoms: Atoms, asked: Asked, incoming: Incoming, told: Told, begin: int
) -> tuple[int, int]:
    """Deliver states from row `begin` on; where it stopped, times REASONS, plus why.

    All modalities are answered on the windows alone. As long as `told` has room, it goes on where it would stop to
    tell; then all properties must be conjunctions, and `asked` follows what is told. The second number counts the
    slides without a cut, without the state at which it stopped.
    """
    rings, asked, incoming, told = Atoms(*atoms), Asked(*asked), Incoming(*incoming), Told(*told)
    answers = np.zeros(len(asked.modalities), np.int64)
    stack = np.empty(len(asked.logic) + 1, np.int64)
    wanted = find_wanted(asked)
    empty = 0
    for row in range(begin, len(incoming.processes)):
        is_empty = deliver(clocks, ends, rings, incoming, row)
        if is_empty < 0:
            return row * REASONS + REFUSED, empty
        for m in range(0 if is_empty else len(answers)):
            answers[m] = ask_windows(clocks, ends, rings.holds, asked, m, wanted[m] != 0)
        if must_tell(asked, answers, is_empty, stack):
            if not has_room(told, len(asked.values)):
                return row * REASONS + TELL, empty
            tell_all(clocks, ends, rings.holds, asked, told, row, is_empty != 0)
            wanted = find_wanted(asked)
        empty += is_empty
    return len(incoming.processes) * REASONS + FINISHED, empty


@njit(cache=True)
def advance(
    clocks: Int64s, ends: Int64s, atoms: Atoms, asked: Asked, incoming: Incoming, begin: int
) -> tuple[int, int]:
    """The same for modalities of all kinds; it stops to tell.

    Two kernels, because the one without the lattice is compiled in a fraction of the time.
    """
    rings, asked, incoming = Atoms(*atoms), Asked(*asked), Incoming(*incoming)
    answers = np.zeros(len(asked.modalities), np.int64)
    stack = np.empty(len(asked.logic) + 1, np.int64)
    wanted = find_wanted(asked)
    empty = 0
    for row in range(begin, len(incoming.processes)):
        is_empty = deliver(clocks, ends, rings, incoming, row)
        if is_empty < 0:
            return row * REASONS + REFUSED, empty
        for m in range(0 if is_empty else len(answers)):
            if asked.modalities[m, 0] < POSSIBLY_PROGRAM:
                answers[m] = ask_windows(clocks, ends, rings.holds, asked, m, wanted[m] != 0)
            else:
                answers[m] = ask_lattice(clocks, ends, atoms, asked, m, wanted[m] != 0)
            if answers[m] < 0:
                return row * REASONS + TELL, empty
        if must_tell(asked, answers, is_empty, stack):
            return row * REASONS + TELL, empty
        empty += is_empty
    return len(incoming.processes) * REASONS + FINISHED, empty
