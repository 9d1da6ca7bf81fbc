"""`PaperLatWin`, the paper's algorithms, against brute force and against the paper's worked example."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from computations import (
    Computation,
    Predicate,
    WindowSizes,
    arrival_orders,
    computations,
    initial_values,
    predicates,
    windows,
)
from effort import examples
from latwin.errors import InvalidClock, InvalidInput
from latwin.reference import PaperLatWin
from oracle import BruteForce

Cuts = list[tuple[int, ...]]


@dataclass(frozen=True)
class Run:
    """A computation to be pushed, into which windows, and the question to ask after every push."""

    computation: Computation
    window: WindowSizes
    initial: list[bool]
    predicate: Predicate


@st.composite
def runs(draw: st.DrawFn, min_processes: int = 1) -> Run:
    computation = draw(computations(min_processes=min_processes))
    n = computation.processes
    return Run(computation, draw(windows(n)), draw(initial_values(n)), draw(predicates(n)))


def assert_same(lattice: PaperLatWin, truth: BruteForce, p: Predicate) -> None:
    assert list(lattice) == list(truth)
    assert len(lattice) == len(truth)
    assert lattice.edges() == truth.edges()
    assert (lattice.least, lattice.greatest) == (truth.least, truth.greatest)
    assert (lattice.possibly(p), lattice.definitely(p)) == (truth.possibly(p), truth.definitely(p))


@settings(deadline=None, max_examples=examples(500))
@given(run=runs(), empty_start=st.booleans())
def test_equals_brute_force_after_every_push(run: Run, empty_start: bool) -> None:
    n = run.computation.processes
    lattice = PaperLatWin(n, run.window, initial=run.initial, empty_start=empty_start)
    truth = BruteForce(n, run.window, initial=run.initial, empty_start=empty_start)
    assert_same(lattice, truth, run.predicate)
    for state in run.computation.states:
        lattice.push(state.process, state.clock, state.value)
        truth.push(state.process, state.clock, state.value)
        assert_same(lattice, truth, run.predicate)


@settings(deadline=None)
@given(computation=computations(), data=st.data())
def test_generated_computations_are_valid(computation: Computation, data: st.DataObject) -> None:
    """Who tests with them may trust them: knowledge is passed on whole, and processes report in order."""
    by_index = {(state.process, state.index): state for state in computation.states}
    for k in range(computation.processes):
        assert [state.index for state in computation.of(k)] == list(range(1, len(computation.of(k)) + 1))
    for state in computation.states:
        for known in enumerate(state.clock):
            if known[1] > 0:
                assert all(a <= b for a, b in zip(by_index[known].clock, state.clock, strict=True))
        if state.index > 1:
            before = by_index[state.process, state.index - 1]
            assert all(a <= b for a, b in zip(before.clock, state.clock, strict=True))

    arrivals = data.draw(arrival_orders(computation))
    assert sorted(map(repr, arrivals)) == sorted(map(repr, computation.states))
    assert set(data.draw(arrival_orders(computation, duplicates=True))) == set(computation.states)


# The paper's worked example (Figures 1 to 3): two processes, windows of 3. Its text fixes the clocks:
#   s(2)_2 -> s(1)_1, and C(1,3) is a cut      s(1)_1 knows state 3 of process 2
#   s(2)_3 -> s(1)_4 (G(4,3) is not a CGS), and C(4,4) is a cut       s(1)_4 knows state 4
#   s(1)_4 -> s(2)_5, and C(5,5) is a cut      s(2)_5 knows state 5 of process 1
CLOCKS = {
    "s1_0": (0, 0),
    "s1_1": (1, 3),
    "s1_2": (2, 3),
    "s1_3": (3, 3),
    "s1_4": (4, 4),
    "s1_5": (5, 4),
    "s2_0": (0, 0),
    "s2_1": (0, 1),
    "s2_2": (0, 2),
    "s2_3": (0, 3),
    "s2_4": (0, 4),
    "s2_5": (5, 5),
}


def arrive(lattice: PaperLatWin, name: str) -> None:
    lattice.push(0 if name.startswith("s1") else 1, CLOCKS[name])


# In the order of Figure 3's caption: what arrives, and all cuts after it, from C_min to C_max.
STAGES: list[tuple[str, Cuts]] = [
    ("s1_1", [(0, 0)]),
    ("s1_2", [(0, 0)]),
    ("s2_1", [(0, 0), (0, 1)]),
    ("s2_2", [(0, 0), (0, 1), (0, 2)]),
    ("s1_3", []),  # Figure 3(b): the empty window
    ("s2_3", [(1, 3), (2, 3), (3, 3)]),  # Figure 3(c): it grows from G(1,3)
    ("s1_4", [(2, 3), (3, 3)]),  # Figure 3(d): G(4,3) is not a CGS, and C(1,3) is pruned
    ("s2_4", [(2, 3), (2, 4), (3, 3), (3, 4), (4, 4)]),  # Figure 2(a)
    ("s1_5", [(3, 3), (3, 4), (4, 4), (5, 4)]),  # Figure 2(c): C(5,4) is new, C(2,3) and C(2,4) are gone
    ("s2_5", [(3, 3), (3, 4), (4, 4), (5, 4), (5, 5)]),
]


def assert_stage(lattice: PaperLatWin, cuts: Cuts) -> None:
    assert list(lattice) == cuts
    assert (lattice.least, lattice.greatest) == ((cuts[0], cuts[-1]) if cuts else (None, None))
    steps = [(a, b) for a in cuts for b in cuts if b in [(a[0] + 1, a[1]), (a[0], a[1] + 1)]]
    assert lattice.edges() == steps


def test_the_worked_example() -> None:
    lattice = PaperLatWin(2, 3)
    for name, cuts in STAGES:
        arrive(lattice, name)
        assert_stage(lattice, cuts)


def test_the_worked_example_with_initial_states_that_arrive_late() -> None:
    """The caption's order to the letter: s(2)_0 arrives after s(1)_2."""
    lattice = PaperLatWin(2, 3, empty_start=True)
    for name in ("s1_0", "s1_1", "s1_2"):
        arrive(lattice, name)
        assert_stage(lattice, [])
    arrive(lattice, "s2_0")
    assert_stage(lattice, [(0, 0)])
    for name, cuts in STAGES[2:]:
        arrive(lattice, name)
        assert_stage(lattice, cuts)


@pytest.mark.parametrize("window", [5, [1, 5], None])
def test_the_correction_of_theorem_4_2(window: WindowSizes) -> None:
    """The first state of a process, alone in its window, needs b3; the published condition asks for b1."""
    corrected = PaperLatWin(2, window, empty_start=True)
    published = PaperLatWin(2, window, empty_start=True, as_published=True)
    truth = BruteForce(2, window, empty_start=True)
    for lattice in (corrected, published, truth):
        for b in range(1, 6):
            lattice.push(1, (0, b))
        lattice.push(0, (1, 3))
    assert list(truth) == [(1, 3), (1, 4), (1, 5)]
    assert list(corrected) == list(truth)
    assert list(published) == []


@settings(deadline=None, max_examples=examples(200))
@given(run=runs(min_processes=2))
def test_the_correction_is_not_needed_after_initial_states(run: Run) -> None:
    """The published condition is exact once the state before the new one was in the window."""
    published = PaperLatWin(run.computation.processes, run.window, as_published=True)
    truth = BruteForce(run.computation.processes, run.window)
    for state in run.computation.states:
        published.push(state.process, state.clock)
        truth.push(state.process, state.clock)
        assert list(published) == list(truth)


def test_a_single_process_needs_the_correction() -> None:
    """There is no other window, so the published lattice never begins."""
    assert list(PaperLatWin(1, 2)) == [(0,)]
    assert list(PaperLatWin(1, 2, as_published=True)) == []


def test_growth_deeper_than_the_recursion_limit() -> None:
    chain = sys.getrecursionlimit() + 100
    lattice = PaperLatWin(2, None)
    for b in range(1, chain):
        lattice.push(1, (0, b))
    lattice.push(0, (1, 0))  # one slide adds a chain of new cuts
    assert len(lattice) == 2 * chain
    assert lattice.greatest == (1, chain - 1)


@settings(deadline=None, max_examples=examples(50))
@given(run=runs())
@example(run=Run(Computation(1, ()), 1, [True], lambda values: True))
def test_membership(run: Run) -> None:
    lattice = PaperLatWin(run.computation.processes, run.window)
    for state in run.computation.states:
        lattice.push(state.process, state.clock)
    assert all(cut in lattice for cut in lattice)
    assert [*run.initial, 0] not in lattice
    assert (-1,) * run.computation.processes not in lattice
    assert 0 not in lattice


def test_values_leave_with_their_state() -> None:
    lattice = PaperLatWin(1, 2, initial=["first"])
    assert lattice.possibly(lambda values: values == ("first",))
    lattice.push(0, (1,), "second")
    assert lattice.definitely(lambda values: values == ("first",))
    lattice.push(0, (2,), "third")
    assert not lattice.possibly(lambda values: values == ("first",))
    assert lattice.definitely(lambda values: values == ("second",))


def test_mistakes_are_reported() -> None:
    with pytest.raises(InvalidInput, match="processes must be at least 1; got 0"):
        PaperLatWin(0, 3)
    with pytest.raises(InvalidInput, match="window of process 1 must be at least 1; got 0"):
        PaperLatWin(2, [3, 0])
    with pytest.raises(InvalidInput, match=r"one size per process \(2\); got 3"):
        PaperLatWin(2, [3, 3, 3])
    with pytest.raises(InvalidInput, match=r"one value per process \(2\); got 1"):
        PaperLatWin(2, 3, initial=[True])
    lattice = PaperLatWin(2, 3)
    with pytest.raises(InvalidInput, match=r"process must be in 0\.\.1; got 2"):
        lattice.push(2, (0, 0))
    with pytest.raises(InvalidClock, match=r"2 entries; got \[1\]"):
        lattice.push(0, (1,))
    with pytest.raises(InvalidClock, match="process 0 must have index 1; got 2"):
        lattice.push(0, (2, 0))
