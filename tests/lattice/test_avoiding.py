"""Observations that avoid a condition, without the lattice and on it, against brute force; with losses; long ones."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from computations import Computation, computations, initial_values, predicates, windows
from effort import examples
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels import avoiding, conjunctive
from latwin.lattice.kernels.window import GREATEST, LEAST, is_consistent
from latwin.lattice.window import Window
from oracle import BruteForce, Cut, step


def find(window: Window, holds: Any) -> list[tuple[int, ...]]:
    """The observation that the kernel finds, by state numbers; nothing if there is none."""
    steps = int((window.ends[GREATEST] - window.ends[LEAST]).sum())
    path = np.full((steps + 1, window.processes), -1, np.int64)
    count = avoiding.avoid_all(window.clocks, window.ends, holds, path)
    assert count in (0, steps + 1)
    return list(map(tuple, path[:count].tolist()))


def check(window: Window, holds: Any) -> None:
    """Whether there is one is what the other kernel says; and if there is, it is one."""
    path = find(window, holds)
    assert bool(path) == (not conjunctive.definitely_all(window.clocks, window.ends, holds))
    if not path:
        return
    assert path[0] == tuple(window.ends[LEAST].tolist())
    assert path[-1] == tuple(window.ends[GREATEST].tolist())
    for before, after in pairwise(path):
        assert sorted(new - old for old, new in zip(before, after, strict=True)) == [0] * (len(before) - 1) + [1]
    for cut in path:
        assert is_consistent(window.clocks, window.ends, np.array(cut))
        assert not all(holds[k, window.place(state)] for k, state in enumerate(cut))


@settings(max_examples=examples(500))
@given(st.data())
def test_after_every_slide_there_is_an_observation_unless_brute_force_says_definitely(data: st.DataObject) -> None:
    computation: Computation = data.draw(computations(max_states=14))
    n = computation.processes
    sizes, initial = data.draw(windows(n)), data.draw(initial_values(n))
    window, slow = Window(n, sizes), BruteForce(n, sizes, initial=initial)
    values = [[value] for value in initial]
    for state in computation.states:
        window.push(state.process, state.clock)
        slow.push(state.process, state.clock, state.value)
        values[state.process].append(state.value)
        if window.is_empty:
            continue
        holds = np.zeros((n, window.capacity), np.uint8)
        for k in range(n):
            for number in window.states_of(k):
                holds[k, window.place(number)] = values[k][number]
        check(window, holds)
        assert bool(find(window, holds)) == (not slow.definitely(all))


@settings(max_examples=examples(300))
@given(st.data())
def test_with_lost_states(data: st.DataObject) -> None:
    computation: Computation = data.draw(computations(min_processes=2, max_processes=3, max_states=14))
    lost = data.draw(st.sets(st.integers(0, 20), max_size=6))
    window = Window(computation.processes, None)
    flags: list[list[bool]] = [[False] for _ in range(computation.processes)]
    for number, state in enumerate(computation.states):
        if number in lost:
            window.skip(state.process, state.index)
        else:
            window.push(state.process, state.clock)
            flags[state.process].append(state.value)
    holds = np.zeros((window.processes, window.capacity), np.uint8)
    for k, own in enumerate(flags):
        holds[k, : len(own)] = own
    check(window, holds)


@settings(max_examples=examples(300))
@given(st.data())
def test_the_lattice_is_traced_back_by_the_first_process_that_can(data: st.DataObject) -> None:
    """From the greatest cut, through cuts that some observation reaches without a labelled one."""
    computation: Computation = data.draw(computations(max_states=12))
    predicate = data.draw(predicates(computation.processes))
    window = Window(computation.processes, None)
    slow = BruteForce(computation.processes, None)
    for state in computation.states:
        window.push(state.process, state.clock)
        slow.push(state.process, state.clock, state.value)
    lattice = BitLattice(window)
    lattice.build()
    labelled = {cut for cut in slow.cuts if predicate(slow.values_of(cut))}
    flags = np.array([cut in labelled for cut in slow.cuts], np.uint8)
    if not lattice.avoids(lattice.labels_from_flags(flags)):
        return
    reached: set[Cut] = set()
    for cut in slow.cuts:
        before = [step(cut, k, -1) for k in range(len(cut))]
        if cut not in labelled and (cut == slow.least or not reached.isdisjoint(before)):
            reached.add(cut)
    expected = [slow.cuts[-1]]
    while expected[-1] != slow.least:
        steps = (step(expected[-1], k, -1) for k in range(computation.processes))
        expected.append(next(cut for cut in steps if cut in reached))
    assert lattice.avoiding_observation() == expected[::-1]


def test_long_ones() -> None:
    """Three processes that alternate, hear of each other now and then, and are true at different times."""
    window = Window(3, None)
    clocks = [[0, 0, 0] for _ in range(3)]
    for turn in range(3000):
        k = turn % 3
        if turn % 7 == 0:
            clocks[k] = [max(mine, theirs) for mine, theirs in zip(clocks[k], clocks[(k + 1) % 3], strict=True)]
        clocks[k][k] += 1
        window.push(k, clocks[k])
    for period in (2, 3, 5, 50):
        holds = np.zeros((3, window.capacity), np.uint8)
        for k in range(3):
            holds[k] = np.arange(window.capacity) // (period + k) % 2
        check(window, holds)
