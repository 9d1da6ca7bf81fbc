"""Many slides in one call: push a state, answer every question, go on until something is worth telling.

Crossing from Python into compiled code costs as much as a small lattice; where states come in order, whole
runs of them are handed over at once. Beside the groups of the other kernels there are:

- `Asked`: the questions, how properties combine them, and the properties' present values
- `Incoming`: the states to deliver

Questions that need the windows alone are answered here. All others are asked through an address (see `calling`) by
`through`, each kind by a function of `answers`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.answers import CANNOT, WHEN_TRUE
from latwin.lattice.kernels.arrays import Flags, Floats, Int64s
from latwin.lattice.kernels.asking import FAILS, FINAL, HOLDS
from latwin.lattice.kernels.calling import call_for_all
from latwin.lattice.kernels.conjunctive import choose_runs, holds_at_least, possibly_all_in
from latwin.lattice.kernels.final import runs_are_final
from latwin.lattice.kernels.labels import Atoms
from latwin.lattice.kernels.pairs import some_state
from latwin.lattice.kernels.sums import SumQuestions
from latwin.lattice.kernels.through import BEGIN, KIND, PART, THROUGH_ADDRESS
from latwin.lattice.kernels.time_windows import Timed, is_too_far, let_pass
from latwin.lattice.kernels.told import CHANGED, EMPTY, Told, has_room, judge, note
from latwin.lattice.kernels.window import NEWEST, OLDEST, SIZE, append, follow_bounds

# Kinds of questions that the windows alone answer; all others are asked through an address.
POSSIBLY_ALL, DEFINITELY_ALL, SOME_STATE = range(THROUGH_ADDRESS)
UNANSWERED = 2  #: no value: the lattice was too large

# How a property combines questions: operations in postfix order.
ASK, NEGATE, BOTH, EITHER, NEVER = 0, 1, 2, 3, 4
# What is known of a part of a property, in one number.
VALUE, STAYS_TRUE, STAYS_FALSE = 1, 2, 4

# Who tells about a property.
WHOLE_RUN = 0  #: the kernels, if there is room
STOPS = 1  #: Python, which is stopped for
EVERY_SLIDE = 2  #: Python, which answers it, too: at every slide

# Why `advance` stopped.
FINISHED = 0  #: all states were delivered, and nothing is left to tell
TELL = 1  #: with this state, which is delivered, Python has to look at the properties in `needed`
REFUSED = 2  #: this state was not delivered: its clock is wrong, its time too far ahead, or the ring is full
REASONS = 4


class Asked(NamedTuple):
    """What is asked after every slide. M questions, P parts of the window, Q properties."""

    #: int64[M, 8], per question: see `through`; the addresses only of kinds above
    questions: Int64s
    #: uint8[P, n]: the processes of each part
    parts: Flags
    #: int64[D]: numbers that only the kinds understand; of those above, first the number of a conjunction
    data: Int64s
    #: int64[R, 3]: rows (operation, question, WHEN_TRUE or WHEN_FALSE: the answer that may make the property true for
    #: good if it is final), property after property; the last two only of ASK
    logic: Int64s
    #: int64[Q, 3]: where the rows of each property begin and end, and who tells about it
    properties: Int64s
    #: uint8[Q]: the properties' present values, 0 or 1; UNANSWERED if there is none
    values: Flags
    #: uint8[Q]: whether the present value is true, and was told to be final
    told_final: Flags
    #: uint8[Q]: the properties that Python has to look at, when it is stopped for them
    needed: Flags
    #: the questions about sums
    sums: SumQuestions
    #: a lattice of more cuts is too large to be answered on
    max_cuts: int
    #: where `through.ask_others` is; 0 if the windows alone answer all questions
    others: int


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
    #: int64[T + 1]; uint8[F]: where the flags of each state's pairs begin. For each pair that its process is in, in
    #: order, one for each state in the window of the other process, the oldest first.
    pair_begins: Int64s
    pairs: Flags
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


@njit(cache=True)
def note_more(place: int, ends: Int64s, row: int, atoms: Atoms, incoming: Incoming) -> None:
    """Put a delivered state's flags and numbers into the rings, those for conjunctions aside."""
    process = incoming.processes[row]
    for a in range(atoms.local_flags.shape[0]):
        if atoms.local_process[a] == process:
            atoms.local_flags[a, place] = incoming.locals[row, a]
    for s in range(atoms.sum_terms.shape[0]):
        atoms.sum_terms[s, process, place] = incoming.sums[row, s]
    at = incoming.pair_begins[row]
    for b in range(atoms.pair_flags.shape[0]):
        first, second = atoms.pair_process[b, 0], atoms.pair_process[b, 1]
        if process in (first, second):
            other = second if process == first else first
            for state in range(ends[OLDEST, other], ends[NEWEST, other] + 1):
                there = state & (atoms.pair_flags.shape[1] - 1)
                if process == first:
                    atoms.pair_flags[b, place, there] = incoming.pairs[at]
                else:
                    atoms.pair_flags[b, there, place] = incoming.pairs[at]
                at += 1


@njit(cache=True)
def find_wanted(asked: Asked) -> Flags:
    """uint8[M]: for which answers to each question it must be found out whether they are final."""
    wanted = np.zeros(len(asked.questions), np.uint8)
    for q in range(len(asked.values)):
        if not asked.told_final[q]:
            for row in range(asked.properties[q, 0], asked.properties[q, 1]):
                if asked.logic[row, 0] == ASK:
                    wanted[asked.logic[row, 1]] |= asked.logic[row, 2]
    return wanted


@njit(cache=True, inline="always")
def combine(logic: Int64s, first: int, end: int, answers: Int64s, stack: Int64s) -> int:
    """The value of a property out of the answers of all questions, and whether it stays; CANNOT if one has none.

    Its rows in `logic` are `first` .. `end` - 1.
    """
    top = 0
    for row in range(first, end):
        operation = logic[row, 0]
        found = 0
        if operation == ASK:
            answer = answers[logic[row, 1]]
            if answer < 0:
                return CANNOT
            found = VALUE if answer & HOLDS else 0
            if answer & FINAL:
                found |= STAYS_TRUE if answer & HOLDS else STAYS_FALSE
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


@njit(cache=True, inline="always")
def tell(
    clocks: Int64s, ends: Int64s, holds: Flags, asked: Asked, told: Told, row: int, q: int, is_empty: bool
) -> None:
    """Write down that a property changed with a slide, or became final, and take it for the present value."""
    first = asked.properties[q, 0]
    question = asked.questions[asked.logic[first, 1]]
    flags = EMPTY
    if not is_empty:
        is_definitely = question[KIND] == DEFINITELY_ALL
        own, reads = holds[asked.data[question[BEGIN]]], asked.parts[question[PART]]
        flags = judge(clocks, ends, own, reads, is_definitely, told)
    value = flags & HOLDS
    if value != asked.values[q]:
        flags |= CHANGED
    asked.values[q], asked.told_final[q] = value, flags & FINAL != 0
    note(clocks, ends, told, row, q, flags)


@njit(cache=True, inline="always")
def take(clocks: Int64s, ends: Int64s, process: int, arriving: Int64s, timed: Timed, is_timed: bool, row: int) -> int:
    """Let the state of a row enter its window, and those leave that must: its number; -1 if it is refused."""
    held = ends[NEWEST, process] - ends[OLDEST, process] + 1
    if ends[SIZE, process] == 0 and held == clocks.shape[1]:
        return -1
    if is_timed and is_too_far(timed, row):
        return -1
    newest = append(clocks, ends, process, arriving, row)
    if newest < 0:
        return -1
    if is_timed:
        let_pass(ends, process, newest & (clocks.shape[1] - 1), timed, row)
    return newest


@njit(cache=True, inline="always")
def ask_windows(
    clocks: Int64s,
    ends: Int64s,
    holds: Flags,
    questions: Int64s,
    m: int,
    data: Int64s,
    parts: Flags,
    is_wanted: bool,
    room: Int64s,
) -> int:
    """The answer of question number `m`, which needs the windows alone, and, if that is wanted, whether it is final.

    `room` int64[3, n] is scratch.
    """
    kind, own = questions[m, KIND], holds[data[questions[m, BEGIN]]]
    if kind == SOME_STATE:
        return HOLDS | FINAL if some_state(ends, own, parts[questions[m, PART]]) else FAILS
    if kind == POSSIBLY_ALL:
        return HOLDS | FINAL if possibly_all_in(clocks, ends, own, room[0], room[1:3]) else FAILS
    if holds_at_least(ends, own):
        return HOLDS | FINAL
    if not choose_runs(clocks, ends, own, room):
        return FAILS
    if is_wanted and runs_are_final(clocks, ends, parts[questions[m, PART]], room):
        return HOLDS | FINAL
    return HOLDS


@njit(cache=True, inline="always")
def find_news(
    logic: Int64s,
    properties: Int64s,
    values: Flags,
    told_final: Flags,
    needed: Flags,
    answers: Int64s,
    is_empty: int,
    stack: Int64s,
) -> int:
    """Flag in `needed` the properties that change with these answers, or of which a true value becomes final.

    Beside them those that only Python can answer. Returns how many there are, or -1 if Python must tell of one.
    """
    count = 0
    stops = False
    for q in range(len(values)):
        first, end, teller = properties[q, 0], properties[q, 1], properties[q, 2]
        is_news = teller == EVERY_SLIDE
        if not is_news:
            found = 0 if is_empty else combine(logic, first, end, answers, stack)
            if found < 0:
                is_news, teller = True, STOPS
            else:
                becomes_final = found & VALUE != 0 and found & STAYS_TRUE != 0 and not told_final[q]
                is_news = values[q] != found & VALUE or becomes_final
        needed[q] = is_news
        if is_news:
            count += 1
            stops |= teller != WHOLE_RUN
    return -1 if stops else count


@njit(cache=True)
def advance(
    clocks: Int64s, ends: Int64s, atoms: Atoms, asked: Asked, incoming: Incoming, told: Told, begin: int
) -> tuple[int, int]:
    """Deliver states from row `begin` on; where it stopped, times REASONS, plus why.

    As long as `told` has room, and the kernels can tell all there is to tell of a slide, it goes on; `asked` follows
    what is told. The second number counts the slides without a cut, without the state at which it stopped.
    """
    rings, asked, incoming, told = Atoms(*atoms), Asked(*asked), Incoming(*incoming), Told(*told)
    # What every slide needs has a name of its own: an array that is taken out of a group is counted as used and as
    # given back, and that takes as long as the work on a small window.
    processes, arriving, came, holds, timed = (
        incoming.processes,
        incoming.clocks,
        incoming.holds,
        rings.holds,
        Timed(*incoming.timed),
    )
    questions, data, parts, logic, properties = (
        asked.questions,
        asked.data,
        asked.parts,
        asked.logic,
        asked.properties,
    )
    values, told_final, needed = asked.values, asked.told_final, asked.needed
    is_timed, mask = len(timed.times) > 0, clocks.shape[1] - 1
    has_more = len(rings.local_flags) + len(rings.sum_terms) + len(rings.pair_flags) > 0
    answers = np.zeros(len(questions), np.int64)
    stack = np.empty(len(logic) + 1, np.int64)
    room = np.empty((3, ends.shape[1]), np.int64)
    wanted = find_wanted(asked)
    empty, is_empty = 0, 1  # before the first slide nothing is known of the cuts
    for row in range(begin, len(processes)):
        process = processes[row]
        newest = take(clocks, ends, process, arriving, timed, is_timed, row)
        if newest < 0:
            return row * REASONS + REFUSED, empty
        for c in range(len(holds)):
            holds[c, process, newest & mask] = came[row, c]
        if has_more:
            note_more(newest & mask, ends, row, rings, incoming)
        is_empty = 0 if follow_bounds(clocks, ends, is_empty, room) else 1
        if not is_empty:
            for m in range(len(questions)):
                if questions[m, KIND] < THROUGH_ADDRESS:
                    is_wanted = wanted[m] & WHEN_TRUE != 0
                    answers[m] = ask_windows(clocks, ends, holds, questions, m, data, parts, is_wanted, room)
            if asked.others:
                given = clocks, ends, atoms, questions, data, asked.sums, asked.max_cuts, wanted, answers
                call_for_all(asked.others, given)
        news = find_news(logic, properties, values, told_final, needed, answers, is_empty, stack)
        if news:
            if news < 0 or not has_room(told, news):
                return row * REASONS + TELL, empty
            for q in range(len(values)):
                if needed[q]:
                    tell(clocks, ends, holds, asked, told, row, q, is_empty != 0)
            wanted = find_wanted(asked)
        empty += is_empty
    return len(processes) * REASONS + FINISHED, empty
