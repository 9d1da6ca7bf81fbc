"""Questions about roles, answered by whatever engine, against brute force on the same question written out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from computations import computations, windows
from effort import examples
from expressions import states
from latwin import Monitor, Spec, Verdict
from latwin.properties import compile_condition, parse_predicate
from latwin.properties.plan import plan_modal
from monitoring import event, events, told_of
from oracle import BruteForce
from role_conditions import PROCESSES, ROLES, Written, choices, conditions

MANY = [f"r{number}" for number in range(200)]


def spec_of(properties: dict[str, str], window: Any, **fields: Any) -> Spec:
    sizes = window if window is None or isinstance(window, int) else dict(zip(PROCESSES, window, strict=True))
    document = {"processes": PROCESSES, "window": sizes, "roles": ROLES, "properties": properties, **fields}
    return Spec.from_dict(document)


def check(data: st.DataObject, written: Written, values: st.SearchStrategy[Any]) -> None:
    """Verdicts and witnesses after every slide, one state at a time and in runs."""
    computation = data.draw(computations(min_processes=3, max_processes=3, max_states=9, values=values))
    window = data.draw(windows(3))
    spec = spec_of({"p": f"possibly({written.text})", "d": f"definitely({written.text})"}, window)
    condition = compile_condition(parse_predicate(written.meaning, PROCESSES))
    slow, monitor = BruteForce(3, window), Monitor(spec)
    seen: list[Verdict] = []
    for state in computation.states:
        slow.push(state.process, state.clock, state.value)
        possibly, definitely = verdicts = monitor.observe(event(state), every=True)
        satisfying = [cut for cut in slow if condition(slow.values_of(cut))]
        assert possibly.value == bool(satisfying)
        assert possibly.witness == (satisfying[0] if satisfying else None)
        assert definitely.value == (len(slow) > 0 and slow.definitely(condition))
        seen += verdicts
    assert Monitor(spec).observe_many(events(computation.states)) == told_of(seen)


@settings(max_examples=examples(120))
@given(st.data(), conditions())
def test_every_form_is_answered_as_what_it_is_written_out_to(data: st.DataObject, written: Written) -> None:
    check(data, written, states())


@settings(max_examples=examples(120))
@given(st.data(), choices())
def test_choices_of_members_are_answered_pair_by_pair(data: st.DataObject, written: Written) -> None:
    """With flags and small numbers, so that pairs of states are found and missed alike."""
    names = st.sampled_from(("x", "y", "on"))
    check(data, written, st.dictionaries(names, st.booleans() | st.integers(-1, 2), max_size=3))


def plan_of(text: str, processes: list[str]) -> Any:
    spec = Spec.from_dict({"processes": processes, "window": 4, "properties": {"p": text}})
    return plan_modal(spec.trees["p"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "engine"),
    [
        ("possibly(all(*.ready))", "conjunctive"),
        ("definitely(all(*.ready))", "conjunctive"),
        ("possibly(any(*.failed))", "conjunctive"),
        ("definitely(any(*.failed))", "conjunctive"),
        ("definitely(not any(*.failed))", "conjunctive"),
        ("definitely(min(*.term) >= 3)", "conjunctive"),
        ("possibly(max(*.term) > 3)", "conjunctive"),
        ("possibly(max(*.term) == 3)", "conjunctive"),
        ("possibly(exists(a, b in *: a != b and a.leader and b.leader and a.term == b.term))", "pair by pair"),
        ("possibly(not forall(a, b in *: a.term <= b.term + 1))", "pair by pair"),
        ("possibly(r0.on and exists(a, b in *: a != b and a.x == b.x))", "part by part"),
    ],
)
def test_which_engine_answers_many_processes(text: str, engine: str) -> None:
    count = 200 if engine == "conjunctive" else 30
    assert plan_of(text, MANY[:count]).engine == engine


def two_hundred(properties: dict[str, str]) -> Monitor:
    monitor = Monitor(Spec.from_dict({"processes": MANY, "window": 4, "properties": properties}))
    for name in MANY:
        monitor.observe({"process": name, "clock": {name: 1}, "state": {"ready": True, "term": 1}})
    return monitor


@pytest.mark.slow
def test_two_hundred_processes_are_answered_without_a_lattice() -> None:
    properties = {
        "all": "definitely(all(*.ready))",
        "any": "possibly(any(*.failed))",
        "none": "definitely(not any(*.failed))",
        "term": "definitely(min(*.term) > 0)",
        "late": "possibly(max(*.term) > 1)",
    }
    monitor = two_hundred(properties)
    assert monitor.values() == {"all": True, "any": False, "none": True, "term": True, "late": False}
    monitor.observe({"process": "r7", "clock": {"r7": 2}, "state": {"ready": True, "term": 2, "failed": True}})
    assert monitor.values() == {"all": True, "any": True, "none": True, "term": True, "late": True}


def test_a_window_too_large_for_pairs_is_answered_on_the_lattice() -> None:
    text = "possibly(exists(a, b in *: a != b and a.on and b.on and a.x == b.x))"
    monitor = Monitor(Spec.from_dict({"processes": [*MANY[:8]], "window": "unlimited", "properties": {"p": text}}))
    monitor.observe({"process": "r0", "clock": {"r0": 1}, "state": {"on": True, "x": 1}})
    assert monitor.values() == {"p": False}
    monitor.observe({"process": "r5", "clock": {"r5": 1}, "state": {"on": True, "x": 1}})
    assert monitor.values() == {"p": True}


def test_conditions_on_one_process_are_joined() -> None:
    properties = {kind: f"{kind}(p0.x or p1.x or p0.on or p1.y)" for kind in ("possibly", "definitely")}
    monitor = Monitor(spec_of(properties, 4))
    monitor.observe({"process": "p0", "clock": {"p0": 1}, "state": {"x": True}})
    assert monitor.values() == {"possibly": True, "definitely": True}
