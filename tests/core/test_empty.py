"""Slides without a cut are counted, the same by brute force, in batches, by every engine and over restarts."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from computations import arrival_orders, computations, windows
from effort import examples
from expressions import properties, states
from latwin import Monitor, Spec
from monitoring import deliver_fifo, events, make_spec
from oracle import BruteForce

#: one property for each way in which slides are made: in compiled runs without and with a lattice, and one by one
ENGINES = {
    "conjunctive": "definitely(p0.x and p1.x)",
    "program": "possibly(p0.x + p1.x > 1)",
    "pair": "possibly(p0.x == p1.x)",
    "none": None,
}


@settings(max_examples=examples(150))
@given(st.data(), st.booleans())
def test_the_counter_is_what_brute_force_counts(data: st.DataObject, causal: bool) -> None:
    computation = data.draw(computations(max_states=14, values=states()))
    n = computation.processes
    window = data.draw(windows(n))
    arrivals = data.draw(arrival_orders(computation, duplicates=True))
    slow = BruteForce(n, window)
    empty = 0
    for state in deliver_fifo(arrivals, n, causal=causal):
        slow.push(state.process, state.clock, state.value)
        empty += len(slow) == 0
    trees = {"p": data.draw(properties(n, max_leaves=5))}
    spec = make_spec(computation, window, trees, delivery="causal" if causal else "fifo")
    monitor = Monitor(spec)
    monitor.observe_many(events(arrivals), every=data.draw(st.booleans()))
    assert monitor.counters.empty == empty
    assert not (causal and empty)


@settings(max_examples=examples(100))
@given(st.data())
def test_batches_engines_watchers_and_restarts_do_not_show(data: st.DataObject) -> None:
    """Whole counters are compared, with lost and repeated states among the events."""
    computation = data.draw(computations(min_processes=2, max_states=24, values=st.sampled_from([{"x": 1}, {}])))
    n = computation.processes
    window = data.draw(st.sampled_from([1, 2, 3]))
    rows = events(data.draw(arrival_orders(computation, duplicates=True)))
    if rows:
        del rows[data.draw(st.integers(0, len(rows) - 1))]
    found = []
    for text in ENGINES.values():
        spec = Spec.from_dict(
            {
                "processes": [f"p{k}" for k in range(n)],
                "window": window,
                "properties": {"p": text} if text is not None else {},
                "max_waiting": 2,
                "waiting_policy": "skip",
            }
        )
        whole = Monitor(spec)
        whole.observe_many(rows)
        single = Monitor(spec)
        for row in rows:
            single.observe(row)
        slides: list[Any] = []
        watched = Monitor(spec, on_slide=slides.append)
        watched.observe_many(rows)
        assert sum(slide.least is None for slide in slides) == watched.counters.empty
        cut = data.draw(st.integers(0, len(rows)))
        first = Monitor(spec)
        first.observe_many(rows[:cut])
        second = Monitor.restore(spec, first.snapshot())
        second.observe_many(rows[cut:])
        found += [whole.counters, single.counters, watched.counters, second.counters]
    assert found == found[:1] * len(found)


def test_states_that_know_too_much_leave_no_cut() -> None:
    """A window of one: the second state of b knows a state of a that did not come yet."""
    spec = Spec.from_dict({"processes": ["a", "b"], "window": 1, "properties": {"p": "possibly(not a.x)"}})
    monitor = Monitor(spec)
    monitor.observe_many(
        [{"process": "b", "clock": [0, 1], "state": {}}, {"process": "b", "clock": [1, 2], "state": {}}]
    )
    assert (monitor.counters.delivered, monitor.counters.empty) == (2, 1)
    monitor.observe({"process": "a", "clock": [1, 0], "state": {}})
    assert (monitor.counters.delivered, monitor.counters.empty) == (3, 1)
