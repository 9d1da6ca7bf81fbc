"""Many slides in one call: push a state, answer every modality, go on until something is worth telling.

Crossing from Python into compiled code costs as much as a small lattice; where states come in order, whole
runs of them are handed over at once. All arrays are those of the other kernels; in addition:

`holds` uint8[C, n, capacity]; `modalities` int64[M, 3]
    The flags of every conjunction; per modality its kind (the constants below) and its conjunction, or
    the first row of its program and the row after its last.
`processes` int64[T]; `incoming` int64[T, n]
    The states to deliver, in order: process and clock.
`incoming_holds` uint8[T, C]; `incoming_locals` uint8[T, A]; `incoming_sums` float64[T, S]
    Each state's flags and numbers, for those conjunctions, local conditions and sums that its process has a
    part in.
`values` uint8[M]
    The modalities' present values.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from latwin.lattice.kernels.conjunctive import definitely_all, possibly_all
from latwin.lattice.kernels.labels import Floats, label_leaves
from latwin.lattice.kernels.layout import CUTS, Int32s, Words
from latwin.lattice.kernels.links import build
from latwin.lattice.kernels.passes import find_first, reach_avoiding
from latwin.lattice.kernels.window import NEWEST, OLDEST, SIZE, Int64s, push

Flags = npt.NDArray[np.uint8]

POSSIBLY_ALL, DEFINITELY_ALL, POSSIBLY_PROGRAM, DEFINITELY_PROGRAM = 0, 1, 2, 3

# Why `advance` stopped.
FINISHED = 0  #: all states were delivered, and nothing changed
TELL = 1  #: a modality changed with this state, or could not be answered here; the state is delivered
REFUSED = 2  #: this state was not delivered: its clock is wrong, or the ring is full
REASONS = 4


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
def note_state(
    place: int,
    process: int,
    row: int,
    holds: Flags,
    local_process: Int64s,
    local_flags: Flags,
    sum_terms: Floats,
    incoming_holds: Flags,
    incoming_locals: Flags,
    incoming_sums: Floats,
) -> None:
    """Put a delivered state's flags and numbers into the rings."""
    for c in range(holds.shape[0]):
        holds[c, process, place] = incoming_holds[row, c]
    for a in range(local_flags.shape[0]):
        if local_process[a] == process:
            local_flags[a, place] = incoming_locals[row, a]
    for s in range(sum_terms.shape[0]):
        sum_terms[s, process, place] = incoming_sums[row, s]


@njit(cache=True)
def advance(
    clocks: Int64s,
    ends: Int64s,
    low: Int32s,
    high: Int32s,
    shape: Int64s,
    stride: Int64s,
    at_least: Words,
    block: Words,
    words: Words,
    origin: Int32s,
    span: Int32s,
    bounds: Int32s,
    levels: Int64s,
    leaves: Words,
    links: Int32s,
    labels: Words,
    reached: Words,
    holds: Flags,
    program: Int64s,
    local_process: Int64s,
    local_flags: Flags,
    pair_process: Int64s,
    pair_flags: Flags,
    sum_terms: Floats,
    sum_compare: Int64s,
    sum_bound: Floats,
    modalities: Int64s,
    values: Flags,
    processes: Int64s,
    incoming: Int64s,
    incoming_holds: Flags,
    incoming_locals: Flags,
    incoming_sums: Floats,
    begin: int,
    max_cuts: int,
) -> int:
    """Deliver states from row `begin` on; where it stopped, times REASONS, plus why."""
    cut = np.empty(ends.shape[1], np.int64)
    for row in range(begin, len(processes)):
        process = processes[row]
        held = ends[NEWEST, process] - ends[OLDEST, process] + 1
        if ends[SIZE, process] == 0 and held == clocks.shape[1]:
            return row * REASONS + REFUSED
        outcome = push(clocks, ends, process, incoming[row])
        if outcome < 0:
            return row * REASONS + REFUSED
        place = (outcome >> 1) & (clocks.shape[1] - 1)
        note_state(
            place,
            process,
            row,
            holds,
            local_process,
            local_flags,
            sum_terms,
            incoming_holds,
            incoming_locals,
            incoming_sums,
        )
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
                value = definitely_all(clocks, ends, holds[modalities[m, 1]])
            else:
                if leaf_count == 0:
                    leaf_count = build(
                        clocks,
                        ends,
                        low,
                        high,
                        shape,
                        stride,
                        at_least,
                        block,
                        words,
                        origin,
                        span,
                        bounds,
                        levels,
                        leaves,
                        links,
                    )
                    if leaf_count <= 0 or shape[CUTS] > max_cuts:
                        return row * REASONS + TELL
                label_leaves(
                    ends,
                    shape,
                    at_least,
                    origin,
                    span,
                    levels,
                    program[modalities[m, 1] : modalities[m, 2]],
                    local_process,
                    local_flags,
                    pair_process,
                    pair_flags,
                    sum_terms,
                    sum_compare,
                    sum_bound,
                    labels,
                )
                if kind == POSSIBLY_PROGRAM:
                    value = find_first(leaves, labels, leaf_count) >= 0
                else:
                    value = not reach_avoiding(
                        ends, shape, stride, at_least, span, levels, leaves, links, labels, reached
                    )
            if value != (values[m] == 1):
                tell = True
        if tell:
            return row * REASONS + TELL
    return len(processes) * REASONS + FINISHED
