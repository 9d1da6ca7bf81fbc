"""Many slides in one call: push a state, answer every modality, go on until something is worth telling.

Crossing from Python into compiled code costs as much as a small lattice; where states come in order, whole
runs of them are handed over at once. Beside the groups of the other kernels there are:

- `Marks`: room for the passes over the leaves
- `Asked`: the modalities and their present values
- `Incoming`: the states to deliver
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Floats, Int64s, Words
from latwin.lattice.kernels.conjunctive import choose_runs, possibly_all
from latwin.lattice.kernels.cuts import find_first
from latwin.lattice.kernels.final import reached_is_final, runs_are_final
from latwin.lattice.kernels.labels import Atoms, label_leaves
from latwin.lattice.kernels.layout import CUTS, Lattice, Scaffold
from latwin.lattice.kernels.links import build
from latwin.lattice.kernels.reachability import reach_avoiding
from latwin.lattice.kernels.sums import (
    END_ROW,
    FINAL,
    FIRST_ROW,
    UNDECIDED,
    UNKNOWN_FINAL,
    SumQuestions,
    definitely_sum,
    possibly_sum,
)
from latwin.lattice.kernels.window import NEWEST, OLDEST, SIZE, push

POSSIBLY_ALL, DEFINITELY_ALL, POSSIBLY_PROGRAM, DEFINITELY_PROGRAM, POSSIBLY_SUM, DEFINITELY_SUM = 0, 1, 2, 3, 4, 5
UNANSWERED = 2  #: no value: the lattice was too large

# Why `advance` stopped.
FINISHED = 0  #: all states were delivered, and nothing changed
TELL = 1  #: with this state a modality changed, became final, or could not be answered here; the state is delivered
REFUSED = 2  #: this state was not delivered: its clock is wrong, or the ring is full
REASONS = 4


class Marks(NamedTuple):
    """Room for the passes over the leaves."""

    #: uint64[leaves]
    labels: Words
    #: uint64[leaves + 1]
    reached: Words


class Asked(NamedTuple):
    """What is asked after every slide."""

    #: int64[M, 3], per modality: its kind (the constants above), then its conjunction and 0, or the first row of its
    #: program and the row after the last, or its question about a sum and 0
    modalities: Int64s
    #: uint8[M]: their present values, 0 or 1; UNANSWERED if there is none
    values: Flags
    #: uint8[M]: whether the present value is true, and was told to be final
    told_final: Flags
    #: uint8[M, n]: the processes that the condition of a `definitely` reads
    reads: Flags
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
def avoids_program(lattice: Lattice, atoms: Atoms, first_row: int, end_row: int, marks: Marks) -> bool:
    """Whether some observation meets no cut that satisfies a program (see `label_leaves`, `reach_avoiding`)."""
    labels, reached = marks
    label_leaves(lattice, atoms, first_row, end_row, labels)
    return reach_avoiding(lattice, labels, reached)


@njit(cache=True)
def advance(
    clocks: Int64s,
    lattice: Lattice,
    scaffold: Scaffold,
    marks: Marks,
    atoms: Atoms,
    asked: Asked,
    incoming: Incoming,
    begin: int,
) -> tuple[int, int]:
    """Deliver states from row `begin` on; where it stopped, times REASONS, plus why.

    The second number counts the slides without a cut, without the state at which it stopped.
    """
    named, rings, asked, incoming = Lattice(*lattice), Atoms(*atoms), Asked(*asked), Incoming(*incoming)
    ends, shape, leaves, holds = named.ends, named.shape, named.leaves, rings.holds
    labels, reached = marks
    modalities, values, max_cuts = asked.modalities, asked.values, asked.max_cuts
    told_final, reads, questions = asked.told_final, asked.reads, SumQuestions(*asked.questions)
    rows, sum_terms = questions.rows, rings.sum_terms
    processes, incoming_clocks = incoming.processes, incoming.clocks
    cut = np.empty(ends.shape[1], np.int64)
    last = np.empty(ends.shape[1], np.int64)
    begins = np.empty(ends.shape[1], np.int64)
    empty = 0
    for row in range(begin, len(processes)):
        process = processes[row]
        held = ends[NEWEST, process] - ends[OLDEST, process] + 1
        if ends[SIZE, process] == 0 and held == clocks.shape[1]:
            return row * REASONS + REFUSED, empty
        outcome = push(clocks, ends, process, incoming_clocks[row])
        if outcome < 0:
            return row * REASONS + REFUSED, empty
        place = (outcome >> 1) & (clocks.shape[1] - 1)
        note_state(place, row, rings, incoming)
        is_empty = outcome & 1
        leaf_count = 0
        tell = False
        for m in range(len(modalities)):
            kind = modalities[m, 0]
            value = False
            if is_empty:
                value = False
            elif kind == POSSIBLY_ALL:
                value = possibly_all(clocks, ends, holds[modalities[m, 1]], cut)
            elif kind == DEFINITELY_ALL:
                value = choose_runs(clocks, ends, holds[modalities[m, 1]], last, begins)
                tell |= value and not told_final[m] and runs_are_final(clocks, ends, reads[m], last, begins)
            else:
                first_row, end_row = modalities[m, 1], modalities[m, 2]
                answer = UNDECIDED
                if kind == POSSIBLY_SUM:
                    answer = possibly_sum(clocks, ends, sum_terms, holds, questions, first_row)
                elif kind == DEFINITELY_SUM:
                    answer = definitely_sum(
                        clocks, ends, sum_terms, holds, questions, first_row, reads[m], not told_final[m]
                    )
                    tell |= not told_final[m] and answer > 0 and answer & (FINAL | UNKNOWN_FINAL) != 0
                if answer == UNDECIDED and leaf_count == 0:
                    leaf_count = build(clocks, lattice, scaffold)
                    if leaf_count <= 0 or shape[CUTS] > max_cuts:
                        return row * REASONS + TELL, empty
                if answer == UNDECIDED and kind >= POSSIBLY_SUM:
                    first_row, end_row = rows[modalities[m, 1], FIRST_ROW], rows[modalities[m, 1], END_ROW]
                if answer != UNDECIDED:
                    value = answer != 0
                elif kind in (POSSIBLY_PROGRAM, POSSIBLY_SUM):
                    label_leaves(lattice, atoms, first_row, end_row, labels)
                    value = find_first(leaves, labels, leaf_count) >= 0
                else:
                    value = not avoids_program(lattice, atoms, first_row, end_row, marks)
                    tell |= value and not told_final[m] and reached_is_final(clocks, lattice, reached, reads[m])
            tell |= values[m] != int(value)
        if tell:
            return row * REASONS + TELL, empty
        empty += is_empty
    return len(processes) * REASONS + FINISHED, empty
