"""Runs of many groups in one call: take a group's windows over from what was stored, and let `slides` deliver.

Where a call of compiled code brings few states of each of many groups, most of the time would go to Python between
the groups. Here nothing is decided: a group about which anything is unusual is left out, and whoever called looks at
it alone.

- `Stored`: what was kept of G groups, whose T states follow each other: group after group, process after process,
  oldest first
- `Held`: the windows that become of it
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Floats, Int64s, copy_into
from latwin.lattice.kernels.labels import Atoms
from latwin.lattice.kernels.saved import LARGEST_ENTRY, judge
from latwin.lattice.kernels.slides import FINISHED, REASONS, TELL, Asked, Incoming, advance, in_order
from latwin.lattice.kernels.sums import SumQuestions
from latwin.lattice.kernels.told import Told
from latwin.lattice.kernels.window import NEWEST, OLDEST, RIGHT, SIZE, THROUGH

#: how the states of `Stored.ends` are counted: the newest one's number, how many there are, and THROUGH
LAST, COUNT, REACHED = 0, 1, 2


class Stored(NamedTuple):
    """What was kept of the groups."""

    #: int64[G, n, 3]: the constants above, of each process
    ends: Int64s
    #: int64[G + 1]: where the states of each group begin
    begins: Int64s
    #: int64[T, n]: their clocks
    clocks: Int64s
    #: uint8[T, C]; uint8[T, A]; float64[T, S]: as `slides.Incoming` has them
    holds: Flags
    locals: Flags
    sums: Floats
    #: uint8[G, Q]: as `slides.Asked` has them
    values: Flags
    told_final: Flags


class Held(NamedTuple):
    """The windows of the groups; see `window`."""

    #: int64[G, n, capacity, n]; int64[G, 6, n], in which the sizes stand from the beginning
    clocks: Int64s
    ends: Int64s
    #: int64[G, n, capacity]: which state is where: below T a stored one, from there on one of those that came
    sources: Int64s
    #: uint8[G, Q]
    values: Flags
    told_final: Flags
    #: int64[G]: the slides without a cut
    empty: Int64s
    #: uint8[G]: whether all states of the group were delivered, and all was told
    is_done: Flags


@njit(cache=True)
def load(stored: Stored, held: Held, g: int, causal: bool) -> bool:
    """Put the stored states of a group into its windows; False unless these can be a monitor's, and are full."""
    clocks, ends, sources = held.clocks[g], held.ends[g], held.sources[g]
    mask = clocks.shape[1] - 1
    row = stored.begins[g]
    for k in range(ends.shape[1]):
        newest, count, through = stored.ends[g, k, LAST], stored.ends[g, k, COUNT], stored.ends[g, k, REACHED]
        if newest < 0 or newest > through or through >= LARGEST_ENTRY or count != min(newest + 1, ends[SIZE, k]):
            return False
        ends[NEWEST, k], ends[OLDEST, k], ends[THROUGH, k] = newest, newest - count + 1, through
        for state in range(newest - count + 1, newest + 1):
            copy_into(clocks[k, state & mask], stored.clocks[row])
            sources[k, state & mask] = row
            row += 1
    copy_into(held.values[g], stored.values[g])
    copy_into(held.told_final[g], stored.told_final[g])
    return judge(clocks, ends, causal) == RIGHT


@njit(cache=True)
def note_stored(ends: Int64s, sources: Int64s, atoms: Atoms, stored: Stored) -> None:
    """Put the flags and numbers of a group's stored states into the rings."""
    for k in range(ends.shape[1]):
        for state in range(ends[OLDEST, k], ends[NEWEST, k] + 1):
            place = state & (sources.shape[1] - 1)
            row = sources[k, place]
            for c in range(atoms.holds.shape[0]):
                atoms.holds[c, k, place] = stored.holds[row, c]
            for a in range(atoms.local_flags.shape[0]):
                if atoms.local_process[a] == k:
                    atoms.local_flags[a, place] = stored.locals[row, a]
            for s in range(atoms.sum_terms.shape[0]):
                atoms.sum_terms[s, k, place] = stored.sums[row, s]


@njit(cache=True, inline="always")
def release(
    processes: Int64s, indices: Int64s, through: Int64s, most: int, order: Int64s, causes: Int64s, places: Int64s
) -> bool:
    """Find the order in which a group's T states leave the reorder buffer: each process's by their indices.

    `order` int64[T] are their rows, and `causes` int64[T] the rows of those whose arrival let them go. False if one
    of them stays, came before, or would wait beside more than `most` others. `places` int64[T] is scratch.
    """
    count = len(processes)
    begins, passed = np.zeros(len(through) + 1, np.int64), np.zeros(len(through), np.int64)
    for row in range(count):
        begins[processes[row] + 1] += 1
        places[row] = count
    for k in range(len(through)):
        begins[k + 1] += begins[k]
    for row in range(count):  # states that all leave have the next indices, each once
        k = processes[row]
        place = begins[k] + indices[row] - through[k] - 1
        if place < begins[k] or place >= begins[k + 1] or places[place] != count:
            return False
        places[place] = row
    left = 0
    for row in range(count):
        k = processes[row]
        while begins[k] + passed[k] < begins[k + 1] and places[begins[k] + passed[k]] <= row:
            order[left], causes[left] = places[begins[k] + passed[k]], row
            passed[k] += 1
            left += 1
        if row + 1 - left > most:
            return False
    return True


@njit(cache=True)
def release_groups(
    stored: Stored, processes: Int64s, clocks: Int64s, parts: Int64s, most: int, order: Int64s, causes: Int64s
) -> bool:
    """Find in which order the states of each group leave the reorder buffer, and which rows let them go.

    The states are in the rows `parts` int64[G, 2]. `order` and `causes` int64[T] number the rows; those of a group
    whose states do not all leave are left as they are. Returns whether any order is another one.
    """
    kept = Stored(*stored)
    indices, places = np.empty(len(processes), np.int64), np.empty(len(processes), np.int64)
    for row in range(len(processes)):
        indices[row] = clocks[row, processes[row]]
    differs = False
    for g in range(len(parts)):
        begin, end = parts[g, 0], parts[g, 1]
        through, own = kept.ends[g, :, REACHED], processes[begin:end]
        if in_order(own, clocks[begin:end], through.copy(), False) == end - begin:
            continue
        found, caused = order[begin:end], causes[begin:end]
        all_leave = release(own, indices[begin:end], through, most, found, caused, places[begin:end])
        for at in range(end - begin):
            found[at] = begin + (found[at] if all_leave else at)
            caused[at] = begin + (caused[at] if all_leave else at)
        differs |= all_leave
    return differs


@njit(cache=True)
def follow(ends: Int64s, sources: Int64s, processes: Int64s, first: int) -> None:
    """Note where the delivered states are that are still in the windows; the last of them is known by `first`."""
    left = ends[NEWEST].copy()
    for row in range(len(processes) - 1, -1, -1):
        k = processes[row]
        if left[k] >= ends[OLDEST, k]:
            sources[k, left[k] & (sources.shape[1] - 1)] = first + row
        left[k] -= 1


@njit(cache=True)
def advance_groups(
    stored: Stored,
    held: Held,
    atoms: Atoms,
    asked: Asked,
    incoming: Incoming,
    told: Told,
    parts: Int64s,
    causal: bool,
    first: int,
) -> int:
    """Deliver to each group, from number `first` on, its states: those of `incoming` in the rows `parts` int64[G, 2].

    Returns the group before which it stopped because `told` is full, or G. Of a group that is not done nothing is
    told. There must be no pairs of states among the atoms, no windows of time, and none without a bound.
    """
    kept, windows, rings, notes = Stored(*stored), Held(*held), Atoms(*atoms), Told(*told)
    states, sums = Incoming(*incoming), SumQuestions(*Asked(*asked).sums)
    for g in range(first, len(parts)):
        begin, end = parts[g, 0], parts[g, 1]
        clocks, ends, sources = windows.clocks[g], windows.ends[g], windows.sources[g]
        if not load(kept, windows, g, causal):
            continue
        processes = states.processes[begin:end]
        if in_order(processes, states.clocks[begin:end], ends[THROUGH].copy(), causal) < len(processes):
            continue
        note_stored(ends, sources, rings, kept)
        sums.witness[:] = -1
        before = notes.count[0]
        # Plain tuples, so that `advance` is compiled once for these and for Python's.
        own = (*asked[:5], windows.values[g], windows.told_final[g], *asked[7:])
        until = (states.processes[:end], *incoming[1:])
        stopped, empty = advance(clocks, ends, atoms, own, until, told, begin)  # type: ignore[arg-type]
        if stopped == end * REASONS + FINISHED:
            follow(ends, sources, processes, len(kept.clocks) + begin)
            windows.empty[g], windows.is_done[g] = empty, 1
            continue
        is_full = stopped % REASONS == TELL and notes.count[0] + len(windows.values[g]) > len(notes.rows)
        notes.count[0] = before
        if is_full and before:
            return g
    return len(parts)
