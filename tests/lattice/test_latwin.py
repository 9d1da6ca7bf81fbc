"""`LatWin` against brute force after every slide, against the paper's algorithms, and against wrong input."""

from __future__ import annotations

import gc
import weakref
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import latwin
from computations import Computation, computations, predicates, windows
from effort import examples
from latwin import InvalidClock, InvalidInput, LatticeTooLarge, LatWin
from latwin.reference import PaperLatWin
from oracle import BruteForce


@st.composite
def windowed(draw: st.DrawFn, /, **options: Any) -> tuple[Computation, Any]:
    computation = draw(computations(**options))
    return computation, draw(windows(computation.processes))


def assert_same(fast: LatWin, slow: BruteForce | PaperLatWin, predicate: Any) -> None:
    assert len(fast) == len(slow)
    assert bool(fast) == (len(slow) > 0)
    assert list(fast) == list(slow)
    assert fast.least == slow.least
    assert fast.greatest == slow.greatest
    assert sorted(fast.edges()) == slow.edges()
    assert all(cut in fast for cut in slow)
    assert fast.possibly(predicate) == slow.possibly(predicate)
    assert fast.definitely(predicate) == slow.definitely(predicate)
    assert fast.possibly_all(bool) == slow.possibly(all)
    assert fast.definitely_all(bool) == slow.definitely(all)


@settings(max_examples=examples(300))
@given(windowed(), st.data())
def test_equals_brute_force_after_every_slide(case: tuple[Computation, Any], data: st.DataObject) -> None:
    computation, window = case
    predicate = data.draw(predicates(computation.processes))
    initial = [False] * computation.processes
    fast = LatWin(computation.processes, window, initial=initial)
    slow = BruteForce(computation.processes, window, initial=initial)
    assert_same(fast, slow, predicate)
    for state in computation.states:
        fast.push(state.process, state.clock, state.value)
        slow.push(state.process, state.clock, state.value)
        assert_same(fast, slow, predicate)


@settings(max_examples=examples(60))
@given(windowed(max_processes=6, max_states=30), st.data())
def test_equals_the_paper_on_longer_computations(case: tuple[Computation, Any], data: st.DataObject) -> None:
    computation, window = case
    window = 3 if window is None else window
    predicate = data.draw(predicates(computation.processes))
    initial = [False] * computation.processes
    fast = LatWin(computation.processes, window, initial=initial)
    slow = PaperLatWin(computation.processes, window, initial=initial)
    for state in computation.states:
        fast.push(state.process, state.clock, state.value)
        slow.push(state.process, state.clock, state.value)
    assert_same(fast, slow, predicate)


@settings(max_examples=examples(25))
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 7),
    st.sampled_from([70, 130, 200]),
    st.floats(0.3, 0.95),
)
def test_many_words_chunks_and_levels(seed: int, processes: int, events: int, rate: float) -> None:
    """Windows that never forget: more than 64 states on a process, trees of many levels."""
    from latwin.sim import random_computation

    states = random_computation(processes, events if processes > 1 else 150, rate, seed)
    fast = LatWin(processes, initial=[0] * processes, max_cuts=20_000)
    full = True
    for process, clock, value in states:
        fast.push(process, clock, value)
        try:
            size = len(fast)
        except LatticeTooLarge:
            full = False
            break
    if not full:
        return
    cuts = list(fast)
    assert len(cuts) == size
    assert cuts == sorted(cuts)
    assert all(cut in fast for cut in cuts)
    # Definitely by hand on the listed cuts.
    values: list[list[int]] = [[0] for _ in range(processes)]
    for process, _, value in states:
        values[process].append(value)

    def holds(cut: tuple[int, ...]) -> bool:
        return sum(values[k][index] for k, index in enumerate(cut)) % 3 == 1

    following: dict[Any, list[Any]] = {}
    for cut, after in fast.edges():
        following.setdefault(cut, []).append(after)
    avoidable: set[Any] = set()
    for cut in reversed(cuts):
        if not holds(cut) and (cut == fast.greatest or any(a in avoidable for a in following[cut])):
            avoidable.add(cut)
    assert fast.definitely(lambda at: sum(at) % 3 == 1) == (cuts[0] not in avoidable)
    assert fast.possibly(lambda at: sum(at) % 3 == 1) == any(map(holds, cuts))
    assert fast.possibly_all(bool) == any(all(values[k][i] for k, i in enumerate(cut)) for cut in cuts)


def test_a_single_process_is_a_chain() -> None:
    lattice = LatWin(1)
    for index in range(1, 200):
        lattice.push(0, [index], index)
    assert len(lattice) == 200
    assert list(lattice)[130] == (130,)
    assert lattice.definitely(lambda values: values[0] == 150)
    assert not lattice.definitely(lambda values: values[0] == 500)


def test_chunked_words_hand_over_from_one_to_the_next() -> None:
    """Two independent processes of 150 states: a full grid, three chunks a row."""
    lattice = LatWin(2, initial=[0, 0])
    for index in range(1, 150):
        lattice.push(0, [index, 0], index)
        lattice.push(1, [0, index], index)
    assert len(lattice) == 150 * 150
    assert lattice.definitely(lambda v: v[0] + v[1] == 149)  # every path crosses the diagonal
    assert not lattice.definitely(lambda v: v[0] + v[1] == 149 and v[0] != 64)
    assert not lattice.definitely(lambda v: v[1] == 64 and v[0] < 149)
    assert lattice.definitely(lambda v: v[1] == 64)


# -- wrong input ---------------------------------------------------------------------------------


def pushed() -> LatWin:
    lattice = LatWin(3, 4)
    lattice.push(0, [1, 0, 0], "a")
    lattice.push(1, [1, 1, 0], "b")
    lattice.push(0, [2, 1, 0], "c")
    return lattice


@pytest.mark.parametrize(
    ("process", "clock", "message"),
    [
        (2, [0, 0], "process 2, state 1: a clock must have 3 entries, one per process; got 2: [0, 0]"),
        (2, [0, 0, 1, 0], "must have 3 entries"),
        (2, [0, 0, 2], "process 2: the next state must have index 1 (the own entry of its clock); got 2"),
        (0, [2, 1, 0], "process 0: the next state must have index 3"),
        (
            0,
            [3, 0, 0],
            "process 0, state 3: the entry for process 1 must not go backwards; expected at least 1",
        ),
        (
            2,
            [0, 1, 1],
            "knows state 1 of process 1, so it must know all that state knew: expected at least [1, 1, 0]",
        ),
        (2, [0, -1, 1], "clock entries must be 0 or more; got -1 for process 1"),
        (2, [0.0, 0, 1], "clock entries must be integers"),
        (2, ["0", 0, 1], "clock entries must be integers"),
        (2, [0, None, 1], "clock entries must be integers"),
        (2, [2**63, 0, 1], "below 2**62"),
        (2, "001", "a clock must be a list of 3 integers"),
        (2, None, "a clock must be a list of 3 integers"),
        (2, 7, "a clock must be a list of 3 integers"),
        (2, [[0], 0, 1], "clock entries must be integers"),
        (3, [0, 0, 1], "process must be an integer from 0 to 2; got 3"),
        (-1, [0, 0, 1], "process must be an integer from 0 to 2; got -1"),
        ("phone", [0, 0, 1], "process must be an integer"),
        (True, [1, 1, 1], "process must be an integer"),
    ],
)
def test_wrong_input_is_explained_and_changes_nothing(process: Any, clock: Any, message: str) -> None:
    lattice = pushed()
    before = list(lattice), lattice.edges(), lattice.least, lattice.greatest
    with pytest.raises(InvalidInput) as raised:
        lattice.push(process, clock, "x")
    assert message in str(raised.value)
    assert isinstance(raised.value, latwin.LatwinError)
    assert (list(lattice), lattice.edges(), lattice.least, lattice.greatest) == before
    lattice.push(2, [2, 1, 1], "fine")
    assert lattice.greatest == (2, 1, 1)


def test_a_state_that_contradicts_one_that_knows_it_is_refused() -> None:
    lattice = LatWin(3, 4)
    lattice.push(1, [1, 1, 0])  # knows state 1 of process 0, and nothing of process 2
    with pytest.raises(InvalidClock, match="a state of process 1 in the window knows this state"):
        lattice.push(0, [1, 0, 1])
    lattice.push(0, [1, 0, 0])


def test_other_ways_to_write_a_clock() -> None:
    lattice = LatWin(2, 4)
    lattice.push(0, (1, 0))
    lattice.push(0, np.array([2, 0], np.int32))
    lattice.push(1, np.array([1, 1], np.uint64))
    lattice.push(1, [np.int64(2), 2])  # type: ignore[list-item]
    assert lattice.greatest == (2, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"processes": 0}, "processes must be an integer from 1 up; got 0"),
        ({"processes": "3"}, "processes must be an integer from 1 up; got '3'"),
        ({"processes": 2, "window": 0}, "window of process 0 must be an integer from 1 up"),
        ({"processes": 2, "window": [1, -1]}, "window of process 1 must be"),
        ({"processes": 2, "window": [1]}, "one size or one per process (2); got 1 sizes"),
        ({"processes": 2, "window": 2.5}, "window must be one size, one per process, or None; got 2.5"),
        ({"processes": 2, "window": True}, "window of process 0 must be"),
        ({"processes": 2, "window": 2**24 + 1}, "window of process 0 must be an integer from 1 up to 16,777,216"),
        ({"processes": 10, "window": 2**24}, "need 1,677,721,600 clock entries; there must be at most 268,435,456"),
        ({"processes": 10_000, "window": None}, "need 800,000,000 clock entries"),
        ({"processes": 10**12}, "processes must be at most 16,384; got 1000000000000"),
        ({"processes": 2, "initial": [1]}, "initial must have one value per process (2); got 1 values"),
        ({"processes": 2, "max_cuts": 0}, "max_cuts must be an integer from 1 up; got 0"),
    ],
)
def test_wrong_construction_is_explained(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        LatWin(**arguments)
    assert message in str(raised.value)


# -- too large, lost, forgotten ------------------------------------------------------------------


def test_too_large_says_how_large_and_what_to_do() -> None:
    lattice = LatWin(8, 10, max_cuts=1000, initial=[False] * 8)
    for k in range(8):
        for index in range(1, 10):
            lattice.push(k, [index if j == k else 0 for j in range(8)], True)
    for ask in (len, list, lambda lw: lw.definitely(all), lambda lw: lw.possibly(all), lambda lw: lw.edges()):
        with pytest.raises(LatticeTooLarge, match=r"max_cuts=1,000 .* 100,000,000 global states.*smaller windows"):
            ask(lattice)
    # These need no lattice.
    assert lattice.least == (0,) * 8
    assert lattice.greatest == (9,) * 8
    assert lattice.possibly_all(bool)
    assert lattice.definitely_all(bool)
    assert (9,) * 8 in lattice
    lattice.push(0, [10, 9, 9, 9, 9, 9, 9, 9])
    assert len(LatWin(2, 4, max_cuts=1)) == 1


@settings(max_examples=examples(200))
@given(windowed(max_states=16), st.data())
def test_lost_states_prolong_the_state_before_them(case: tuple[Computation, Any], data: st.DataObject) -> None:
    """With states lost, the lattice is that of the computation in which the process had stayed where it was.

    Judged by the law in its general form: clock(g_i)[j] <= the last index that g_j stands for.
    """
    computation, window = case
    n = computation.processes
    lattice = LatWin(n, window, initial=[False] * n)
    slow = BruteForce(n, window, initial=[False] * n)
    through = [0] * n
    for state in computation.states:
        if data.draw(st.integers(0, 3)) == 0:
            continue  # lost
        if state.index > through[state.process] + 1:
            lattice.skip(state.process, state.index - 1)
        lattice.push(state.process, state.clock, state.value)
        slow.push(state.process, state.clock, state.value)
        through[state.process] = state.index
        windows_now = slow.windows
        covers = [
            {a.index: b.index - 1 for a, b in pairwise(w)} | {w[-1].index: through[k]}
            for k, w in enumerate(windows_now)
        ]
        expected = [
            tuple(s.index for s in cut)
            for cut in product(*windows_now)
            if all(s.clock[t.process] <= covers[t.process][t.index] for s in cut for t in cut if s is not t)
        ]
        assert list(lattice) == expected
        assert lattice.least == (expected[0] if expected else None)
        assert lattice.greatest == (expected[-1] if expected else None)
        if expected:  # single steps lead from the least cut to every cut
            reached = {expected[0]}
            for before, after in lattice.edges():
                if before in reached:
                    reached.add(after)
            assert reached == set(expected)


def test_skip_wants_an_index_beyond() -> None:
    lattice = LatWin(2, 4)
    lattice.push(0, [1, 0])
    for through in (0, 1, True, "3", 2**62):
        with pytest.raises(InvalidInput, match="can be declared lost from index 2 on"):
            lattice.skip(0, through)  # type: ignore[arg-type]
    lattice.skip(0, 4)
    with pytest.raises(InvalidClock, match="next state must have index 5"):
        lattice.push(0, [2, 0])
    lattice.push(0, [5, 0])
    assert list(lattice) == [(0, 0), (1, 0), (5, 0)]
    assert lattice.edges() == [((0, 0), (1, 0)), ((1, 0), (5, 0))]


@pytest.mark.parametrize("window", [1, 3, 4, 5])
def test_nothing_is_kept_after_it_left_the_window(window: int) -> None:
    class Value:
        pass

    lattice = LatWin(2, window)
    values = []
    for index in range(1, 20):
        value = Value()
        values.append(weakref.ref(value))
        lattice.push(0, [index, 0], value)
        del value
    lattice.possibly(lambda _: False)
    gc.collect()
    assert sum(ref() is not None for ref in values) == window


def test_repr_and_truth_never_enumerate() -> None:
    lattice = LatWin(3, [2, None, 1], max_cuts=1)
    for index in range(1, 50):
        lattice.push(1, [0, index, 0])
    assert lattice
    assert repr(lattice) == "LatWin(processes=3, window=(2, None, 1), least=(0, 0, 0), greatest=(0, 49, 0))"
    assert lattice.processes == 3


def test_membership_of_what_is_no_cut() -> None:
    lattice = pushed()
    assert (2, 1, 0) in lattice
    assert (0, 1, 0) not in lattice  # state 1 of process 1 knows state 1 of process 0
    assert (9, 1, 0) not in lattice
    assert (2, 1) not in lattice
    assert "abc" not in lattice
    assert 5 not in lattice
    assert (2, 1, "0") not in lattice


def test_empty_lattice_answers_false_to_everything() -> None:
    lattice = LatWin(2, 1)
    lattice.push(1, [1, 1], True)  # knows a state that was not delivered
    assert not lattice
    assert len(lattice) == 0
    assert list(lattice) == []
    assert lattice.edges() == []
    assert lattice.least is None
    assert lattice.greatest is None
    assert (0, 1) not in lattice
    for answer in (
        lattice.possibly(lambda _: True),
        lattice.definitely(lambda _: True),
        lattice.possibly_all(lambda _: True),
        lattice.definitely_all(lambda _: True),
    ):
        assert answer is False
    lattice.push(0, [1, 0], True)
    assert list(lattice) == [(1, 1)]
