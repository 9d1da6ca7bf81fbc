"""Clocks that no computation has: they are refused, and whatever is accepted means the same to every engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from computations import Computation, State, arrival_orders, computations, windows
from effort import examples
from latwin import InvalidClock, InvalidInput, LatWin, Monitor, Slide, Spec
from latwin.lattice.window import Window
from latwin.properties import Property
from monitoring import event, events, expected_value, names
from oracle import BruteForce, join, meet

Row = tuple[int, tuple[int, ...]]  #: a state's process and clock


def spec_of(processes: int, **fields: Any) -> Spec:
    """Every kind of question, each of which another engine answers."""
    ones = names(processes)
    total, product = (sign.join(f"{name}.x" for name in ones) for sign in (" + ", " * "))
    every = " and ".join(f"{name}.x > 0" for name in ones)
    properties = {
        "possibly conjunctive": f"possibly({every})",
        "definitely conjunctive": f"definitely({every})",
        "definitely disjunctive": f"definitely({every.replace('and', 'or')})",
        "possibly pair": "possibly(p0.x > p1.x)",
        "definitely pair": "definitely(p0.x > p1.x)",
        "possibly sum": f"possibly({total} > 1)",
        "definitely sum": f"definitely({total} > 1)",
        "definitely cut by cut": f"definitely({product} != 1)",
        "EX": "EX(p0.x > 0)",
        "AG": "AG(p0.x > 0 implies AF(p1.x > 0))",
        "until": "A[p0.x < 2 U p1.x > 0]",
        "possibly sequence": "possibly(seq(p0.x > 0, p1.x > 0))",
        "definitely sequence": "definitely(seq(^ any*, p0.x > p1.x, any*))",
        "probability": "probability(p0.x > p1.x) > 0.5",
    }
    return Spec.from_dict({"processes": ones, "window": 4, "properties": properties, **fields})


def reports(rows: Sequence[Row]) -> list[dict[str, Any]]:
    return [event(State(process, clock, {"x": sum(clock) % 3})) for process, clock in rows]


def brute_force(monitor: Monitor) -> BruteForce:
    """The windows' states, numbered anew as if lost states had never been, in the oracle."""
    window = monitor.window
    through = window.through()

    def number_of(process: int, index: int) -> int:
        """The number of the state that stands for an index; beyond the newest if that is still to come."""
        if index > through[process]:
            return window.newest(process) + 1
        earlier = [s for s in window.states_of(process) if window.index_of(process, s) <= index]
        return max(earlier, default=-1)

    slow = BruteForce(window.processes)
    for k in range(window.processes):
        states = []
        for number, value in zip(window.states_of(k), monitor.states(k), strict=True):
            clock = [number_of(j, entry) for j, entry in enumerate(window.clock_of(k, number))]
            clock[k] = number
            states.append(State(k, tuple(clock), value))
        slow.windows[k] = states
    slow.update()
    return slow


def observe_checked(spec: Spec, told: Sequence[dict[str, Any]]) -> Monitor:
    """Observe one event at a time; at each slide all engines must say what brute force says."""

    def look(slide: Slide) -> None:
        slow = brute_force(monitor)
        assert slide.least == (meet(*slow.cuts) if slow.cuts else None)
        assert slide.greatest == (join(*slow.cuts) if slow.cuts else None)
        if slow.cuts:  # the ends are cuts themselves, and observations lead from one to the other
            assert {slide.least, slide.greatest} <= set(slow.cuts)
            assert [tuple(cut) for cut in slide.cuts().tolist()] == slow.cuts
        assert slide.values == {name: expected_value(tree, slow) for name, tree in trees.items()}

    trees: dict[str, Property] = dict(spec.trees)
    monitor = Monitor(spec, observations=True, on_slide=look)
    for one in told:
        monitor.observe(one, every=True)
    return monitor


CIRCLES: dict[str, list[Row]] = {
    "two": [(0, (1, 1, 0)), (1, (1, 1, 0))],
    "three": [(0, (1, 1, 1)), (1, (1, 1, 1))],
    "three, in clocks that are not closed": [(0, (1, 1, 0)), (1, (0, 1, 1))],
    "three, the last one": [(0, (1, 1, 1)), (1, (0, 1, 1)), (2, (1, 0, 1))],
    "through a state still to come": [(0, (1, 5, 0)), (1, (1, 1, 0))],
    "through a state still to come, the other way": [(1, (1, 1, 0)), (0, (1, 5, 0))],
    "with a later state": [(0, (1, 0, 0)), (0, (2, 1, 0)), (0, (3, 1, 0)), (1, (3, 1, 0))],
    "knowing too little of a state that has more to come": [(1, (0, 1, 3)), (0, (1, 4, 0))],
}


@pytest.mark.parametrize("rows", CIRCLES.values(), ids=list(CIRCLES))
def test_the_state_that_closes_a_circle_is_refused(rows: list[Row]) -> None:
    """By every way in: one at a time, in a run of compiled code, and on a bare lattice."""
    told = reports(rows)
    spec = Spec.from_dict({"processes": names(3), "window": 4, "properties": {"p": "possibly(p0.x + p1.x > 1)"}})
    assert observe_checked(spec_of(3), told).counters.rejected == 1
    one_by_one, together = Monitor(spec), Monitor(spec)
    notices = [notice for one in told for notice in one_by_one.observe(one).notices]
    assert together.observe_many(told).notices == notices
    assert [(notice.kind, notice.event) for notice in notices] == [("rejected", told[-1])]
    lattice = LatWin(3, 4)
    for process, clock in rows[:-1]:
        lattice.push(process, clock)
    cuts = list(lattice)
    with pytest.raises(InvalidClock):
        lattice.push(*rows[-1])
    assert list(lattice) == cuts


def test_the_reason_names_both_states() -> None:
    monitor = Monitor(spec_of(2))
    monitor.observe(reports([(0, (1, 1))])[0])
    (notice,) = monitor.observe(reports([(1, (1, 1))])[0]).notices
    expected = "process 'p1', state 1: it knows state 1 of process 'p0', which knows this one already; got"
    assert notice.reason.startswith(expected)
    assert not monitor.observe(reports([(1, (0, 1))])[0]).notices  # and the right one is welcome


def test_lost_states_hide_no_circle() -> None:
    """State 3 of p0 knows state 2 of p1, which was lost; so the state after it cannot be one that p0's knows."""
    spec = spec_of(2, max_waiting=0, waiting_policy="skip")
    rows = [(1, (0, 1)), (0, (3, 4)), (1, (3, 3))]
    monitor = observe_checked(spec, reports(rows))
    assert (monitor.counters.rejected, monitor.counters.delivered) == (1, 2)


def test_causal_delivery_never_delivers_a_circle() -> None:
    rows = [(0, (1, 1)), (1, (1, 1)), (0, (2, 1)), (1, (1, 2))]
    spec = spec_of(2, delivery="causal", max_waiting=1, waiting_policy="skip")
    monitor = observe_checked(spec, reports(rows))
    assert monitor.counters.rejected >= 1


@st.composite
def arbitrary_rows(draw: st.DrawFn, processes: int) -> list[Row]:
    """Clocks of any numbers; a state's own index mostly follows the last one of its process."""
    following = [1] * processes
    rows = []
    for process in draw(st.lists(st.integers(0, processes - 1), max_size=12)):
        clock = draw(st.lists(st.integers(0, 4), min_size=processes, max_size=processes))
        clock[process] = draw(st.just(following[process]) | st.integers(1, following[process] + 2))
        following[process] = max(following[process], clock[process] + 1)
        rows.append((process, tuple(clock)))
    return rows


@settings(max_examples=examples(400))
@given(st.data())
def test_whatever_is_accepted_means_the_same_to_every_engine(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 3))
    told = reports(data.draw(arbitrary_rows(n)))
    fields = {
        "window": data.draw(st.integers(1, 4)),
        "delivery": data.draw(st.sampled_from(["fifo", "causal"])),
        "max_waiting": data.draw(st.integers(0, 3)),
        "waiting_policy": "skip",
    }
    observe_checked(spec_of(n, **fields), told)


@settings(max_examples=examples(300))
@given(st.data())
def test_compiled_runs_refuse_the_same_states(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 3))
    told = reports(data.draw(arbitrary_rows(n)))
    total = " + ".join(f"{name}.x" for name in names(n))
    properties = {"sum": f"definitely({total} > 1)", "conjunctive": "possibly(p0.x > 0 and p1.x > 0)"}
    fields = {"processes": names(n), "window": 3, "max_waiting": 2, "waiting_policy": "skip"}
    spec = Spec.from_dict({**fields, "properties": properties})
    together, apart = Monitor(spec), Monitor(spec)
    outcome = together.observe_many(told)
    assert outcome.notices == [notice for one in told for notice in apart.observe(one).notices]
    assert together.snapshot() == apart.snapshot()


@settings(max_examples=examples(300))
@given(st.data(), st.sampled_from(["fifo", "causal"]))
def test_no_state_of_a_real_computation_is_refused(data: st.DataObject, delivery: str) -> None:
    """In any order of arrival, with states lost, and with times that are within the bound of each other."""
    computation = data.draw(computations(min_processes=2, max_processes=3, values=st.none()))
    n = computation.processes
    sizes = data.draw(windows(n))
    fields: dict[str, Any] = {
        "processes": names(n),
        "window": dict(zip(names(n), sizes, strict=True)) if isinstance(sizes, list) else sizes,
        "properties": {"p": "possibly(p0.x + p1.x > 1)"},
        "delivery": delivery,
        "max_waiting": data.draw(st.integers(0, 4)),
        "waiting_policy": "skip",
    }
    told = [one for one in data.draw(arrival_orders(computation)) if data.draw(st.integers(0, 5))]
    assert "rejected" not in {
        notice.kind for notice in Monitor(Spec.from_dict(fields)).observe_many(events(told)).notices
    }
    skews = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    timed = [{**event(one), "time": _begin(computation, one) + skews[one.process]} for one in told]
    out = Monitor(Spec.from_dict({**fields, "synchrony": "3s"})).observe_many(timed)
    assert "rejected" not in {notice.kind for notice in out.notices}


def _begin(computation: Computation, state: State) -> int:
    """When a state begins in one of the orders in which the computation may have happened."""
    return sorted(computation.states, key=lambda one: (sum(one.clock), one.process)).index(state)


def test_a_time_that_contradicts_the_clocks_is_refused() -> None:
    """A state that another one knows cannot begin after it, nor one that knows another before that."""
    spec = spec_of(2, synchrony="500ms")
    for first, second, relation in (
        ((0, (1, 1), 10.0), (1, (0, 1), 20.0), "knows it"),
        ((1, (0, 1), 20.0), (0, (1, 1), 10.0), "it knows"),
    ):
        told = [{**reports([(process, clock)])[0], "time": time} for process, clock, time in (first, second)]
        monitor = observe_checked(spec, told[:1])
        (notice,) = monitor.observe(told[1]).notices
        assert notice.kind == "rejected"
        assert f"which {relation}, at {first[2]}; the times cannot be within 500ms of each other" in notice.reason
        assert not monitor.observe({**told[1], "time": first[2]}).notices


@settings(max_examples=examples(200))
@given(st.data())
def test_arbitrary_times_never_make_a_circle(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 3))
    told = reports(data.draw(arbitrary_rows(n)))
    timed = [{**one, "time": data.draw(st.integers(0, 20))} for one in told]
    observe_checked(spec_of(n, synchrony="4s", window=3, max_waiting=2, waiting_policy="skip"), timed)


def test_a_saved_window_with_a_circle_is_no_window() -> None:
    rows = [[[0, 0], [1, 1]], [[0, 0], [1, 1]]]
    with pytest.raises(InvalidInput, match="a state knows one that knows it"):
        Window(2, 4).load([(1, 1, clocks) for clocks in rows])


def test_a_saved_window_is_loaded_again() -> None:
    computation = Computation(2, (State(0, (1, 0)), State(1, (1, 1)), State(0, (2, 0)), State(0, (3, 1))))
    window, other = Window(2, 3), Window(2, 3)
    for state in computation.states:
        window.push(state.process, replace(state).clock)
    saved = [
        (window.newest(k), window.through()[k], [window.clock_of(k, s) for s in window.states_of(k)])
        for k in range(2)
    ]
    other.load(saved)
    assert (other.least, other.greatest) == (window.least, window.greatest)
