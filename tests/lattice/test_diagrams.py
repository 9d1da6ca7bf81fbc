"""Decision diagrams answer as the bit lattice and as brute force do, and go on where the lattice is too large."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from operator import sub
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond import monitor_beyond
from computations import computations, windows
from effort import examples
from expressions import states
from finality import random_events
from latwin import Monitor, Spec, Verdict
from latwin.errors import LatticeTooLarge
from latwin.lattice import diagrams
from latwin.lattice.bits import BitLattice
from latwin.lattice.diagrams import CutDiagrams, Program
from latwin.lattice.kernels.labels import GREATER_EQUAL, NOT, SUM, TRUE, Atoms
from latwin.lattice.kernels.window import is_consistent
from latwin.lattice.window import Window
from latwin.properties import Modal, compile_condition
from monitoring import event, expected_value, names
from oracle import BruteForce

ATOMS = [
    "p0.x == p1.x",
    "p1.on != p2.on",
    "p0.x < p2.y",
    "p0.x + p1.x + p2.x >= 2",
    "p0.x - p2.y < p1.on",
    "0.1 * p0.x + 0.2 * p1.x + 0.3 * p2.x == 0.6",
    "p0.on",
    "p1.x > 0",
    "p2.ap == 'room'",
]


def spec_of(processes: int, window: Any, properties: dict[str, str], **fields: Any) -> Spec:
    sizes = dict(zip(names(processes), window, strict=True)) if isinstance(window, list) else window
    return Spec.from_dict({"processes": names(processes), "window": sizes, "properties": properties, **fields})


def both_of(condition: str) -> dict[str, str]:
    return {"p": f"possibly({condition})", "d": f"definitely({condition})"}


def comparable(verdict: Verdict) -> Verdict:
    """A verdict without the cuts of an observation: which one is found depends on the processes looked at."""
    is_observation = isinstance(verdict.witness, tuple) and isinstance(verdict.witness[0], tuple)
    return msgspec.structs.replace(verdict, witness=()) if is_observation else verdict


@settings(max_examples=examples(150))
@given(st.data())
def test_verdicts_equal_the_lattice_and_brute_force(data: st.DataObject) -> None:
    """Local conditions, pairs and sums, values of every kind, uneven windows; all fields of the verdicts."""
    computation = data.draw(computations(min_processes=3, max_processes=3, max_states=10, values=states()))
    window = data.draw(windows(3))
    picked = data.draw(st.lists(st.sampled_from(ATOMS), min_size=1, max_size=4))
    text = picked[0]
    for atom in picked[1:]:
        text = f"({text}) {data.draw(st.sampled_from(['and', 'or', 'and not', 'or not']))} ({atom})"
    spec = spec_of(3, window, both_of(text))
    forced, usual = monitor_beyond(spec, observations=True), Monitor(spec, observations=True)
    slow = BruteForce(3, window)
    for state in computation.states:
        slow.push(state.process, state.clock, state.value)
        by_lattice = usual.observe(event(state), every=True)
        for verdict, expected in zip(forced.observe(event(state), every=True), by_lattice, strict=True):
            assert expected.value is expected_value(spec.trees[expected.property], slow)
            if verdict.value is None:
                assert usual._checker.context.atoms.sees_inexact()
            else:  # before, it may have had no value
                assert msgspec.structs.replace(comparable(verdict), changed=expected.changed) == comparable(expected)


MIXED = {
    **{f"{kind} sum": f"{kind}(p0.n + p1.n + p2.n >= 2)" for kind in ("possibly", "definitely")},
    **{f"{kind} one": f"{kind}(p0.n == 1 and p1.n == 0 or p2.n == 1)" for kind in ("possibly", "definitely")},
    **{f"{kind} few": f"{kind}(not (p0.n + p2.n == 1) and p1.n == 1)" for kind in ("possibly", "definitely")},
}


@pytest.mark.parametrize("fields", [{}, {"delivery": "causal"}, {"synchrony": "6s"}], ids=["fifo", "causal", "skew"])
@pytest.mark.parametrize("seed", range(examples(32)))
def test_verdicts_equal_the_lattice_with_lost_states_and_bounded_skew(seed: int, fields: dict[str, Any]) -> None:
    rng = random.Random(f"diagrams {seed}")
    processes = rng.choice([3, 4])
    window = rng.choice([2, 3, [rng.randrange(1, 6) for _ in range(processes)]])
    spec = spec_of(processes, window, MIXED, max_waiting=3, waiting_policy="skip", **fields)
    stream = random_events(rng, processes, 60, lost=rng.choice([0, 0.1]))
    expected = Monitor(spec, observations=True).observe_many(stream, every=True)
    told = monitor_beyond(spec, observations=True).observe_many(stream, every=True)
    assert list(map(comparable, told)) == list(map(comparable, expected))


def test_twenty_processes_are_answered_as_conjunctions_are() -> None:
    """With 10^10 cuts nothing can be listed. But a conjunction needs no lattice; as a sum it is another question."""
    conditions = {"all": "p0.n == 1 and p19.n == 1", "sum": "p0.n + p19.n >= 2"}
    kinds = ("possibly", "definitely")
    properties = {f"{kind} {name}": f"{kind}({text})" for kind in kinds for name, text in conditions.items()}
    spec = spec_of(20, 4, properties, max_waiting=9, waiting_policy="skip")
    outcomes = set()
    for seed in range(2):
        stream = random_events(random.Random(seed), 20, 150, lost=0.02)
        told = monitor_beyond(spec).observe_many(stream, every=True)
        by_name = {(verdict.slide, verdict.property): verdict for verdict in told}
        for slide, kind in {(verdict.slide, verdict.property.split()[0]) for verdict in told}:
            by_sum, by_clocks = by_name[slide, f"{kind} sum"], by_name[slide, f"{kind} all"]
            seen = by_sum.value, by_sum.final, by_sum.because
            assert seen == (by_clocks.value, by_clocks.final, by_clocks.because)
            outcomes.add((kind, by_sum.value))
    assert len(outcomes) == 4


@pytest.mark.slow
def test_witnesses_among_ten_billion_cuts() -> None:
    total = " + ".join(f"p{k}.n" for k in range(0, 20, 2))
    spec = spec_of(20, 4, both_of(f"{total} == 5 and p1.n != p19.n"))
    outcomes = Counter[tuple[str, bool | None]]()

    def check(verdict: Verdict, monitor: Monitor) -> None:
        """A cut of the window that satisfies the condition; or a way from least to greatest through cuts without."""
        modal, window = spec.trees[verdict.property], monitor.window
        assert isinstance(modal, Modal)
        holds = compile_condition(modal.predicate)
        outcomes[verdict.property, verdict.value] += 1
        cuts: Any = verdict.witness or ()
        for cut in [cuts] if modal.kind == "possibly" and cuts else cuts:
            numbers = [window.find(process, index) for process, index in enumerate(cut)]
            assert is_consistent(window.clocks, window.ends, np.array(numbers))
            states_of_cut = [monitor.state(process, number or 0) for process, number in enumerate(numbers)]
            assert holds(states_of_cut) is (modal.kind == "possibly")
        if modal.kind == "definitely" and cuts:
            assert (cuts[0], cuts[-1]) == (window.least, window.greatest)
            assert all(sum(map(sub, after, before)) == 1 for before, after in pairwise(cuts))
        assert (verdict.witness is None) is ((modal.kind == "possibly") is not verdict.value)

    stream = random_events(random.Random(2), 20, 160, lost=0)
    monitor = monitor_beyond(spec, observations=True, on_verdict=check)
    for at, one in enumerate(stream):
        monitor.observe(one, every=at % 8 == 0)
    assert set(outcomes) == {("p", True), ("p", False), ("d", True), ("d", False)}
    assert monitor.counters.too_large == 0


def counted(window: Window) -> int | None:
    """All cuts, by a condition that is always true."""
    return CutDiagrams(window, 10**6).find(always(window)).cuts


def always(window: Window) -> Program:
    return program_of(window, [(TRUE, 0)], 0)


def program_of(window: Window, steps: Sequence[tuple[int, int]], bound: float) -> Program:
    """A program over one sum, of the numbers of the states."""
    n, capacity = window.processes, window.capacity
    terms = np.zeros((1, n, capacity))
    for k in range(n):
        for number in window.states_of(k):
            terms[0, k, window.place(number)] = 2.0 ** (7 * k % 50) * number
    atoms = Atoms(
        holds=np.zeros((0, n, capacity), np.uint8),
        program=np.array(steps, np.int64).reshape(-1, 2),
        local_process=np.zeros(0, np.int64),
        local_flags=np.zeros((0, capacity), np.uint8),
        pair_process=np.zeros((0, 2), np.int64),
        pair_flags=np.zeros((0, capacity, capacity), np.uint8),
        sum_terms=terms,
        sum_compare=np.array([GREATER_EQUAL]),
        sum_bound=np.array([bound]),
    )
    return Program(atoms, 0, len(steps))


def filled(processes: int, window: int, stream: Sequence[dict[str, Any]] = ()) -> Window:
    """The window after a stream; without one, full of independent states."""
    slid = Window(processes, window)
    for one in stream:
        slid.push(int(one["process"][1:]), one["clock"])
    for k in range(0 if stream else processes):
        for index in range(1, window):
            slid.push(k, [index if j == k else 0 for j in range(processes)])
    return slid


@pytest.mark.parametrize("seed", range(3))
def test_cuts_are_counted_as_the_lattice_counts_them(seed: int) -> None:
    stream = sorted(random_events(random.Random(seed), 9, 120, lost=0), key=lambda one: one["time"])
    window = filled(9, 4, stream)
    assert counted(window) == BitLattice(window).count()


def test_more_cuts_than_a_number_of_64_bits_are_not_counted() -> None:
    assert counted(filled(31, 4)) == 4**31
    assert counted(filled(32, 4)) is None
    assert counted(filled(40, 4)) is None


def test_beyond_the_budget_it_is_too_large_whatever_was_asked_before() -> None:
    """Independent states with numbers of which no two sums are equal: there is nothing to share."""
    window = filled(16, 4)
    hard = program_of(window, [(SUM, 0)], 1.0)
    asked = CutDiagrams(window, diagrams.MOST_STEPS)
    for _ in range(2):
        with pytest.raises(LatticeTooLarge):
            asked.find(hard)
        assert asked.find(always(window)).cuts == 4**16
    assert len(asked._edges) <= diagrams.MOST_EDGES


def test_the_steps_are_bounded() -> None:
    window = filled(9, 3)
    condition = program_of(window, [(SUM, 0), (NOT, 0)], 50.0)
    reads = np.ones(9, np.uint8)
    with pytest.raises(LatticeTooLarge):
        CutDiagrams(window, 10).avoid(condition, reads)
    assert not CutDiagrams(window, 1000).avoid(condition, reads).is_avoided


@pytest.mark.slow
def test_many_processes_are_too_many() -> None:
    window = filled(diagrams.MOST_PROCESSES + 1, 2)
    with pytest.raises(LatticeTooLarge, match="smaller windows"):
        CutDiagrams(window, 10**6).find(always(window))
