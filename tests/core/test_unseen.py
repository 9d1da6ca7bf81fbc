"""What was never seen: found as a naive reader of the delivered states finds it, and told in words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from computations import arrival_orders, computations
from effort import examples
from expressions import properties, states
from latwin import Monitor, Spec
from latwin.detect.seen import LONGEST, MOST_REMEMBERED
from latwin.detect.unseen import Unseen
from latwin.properties.closures import variable
from monitoring import events, make_spec


def naive(spec: Spec, delivered: list[list[Any]]) -> set[str]:
    """What no state shows, of the initial states and those that were delivered; `delivered` are lists by process."""
    missing = {name for name, some in zip(spec.processes, delivered, strict=True) if not some}
    for expectation in spec.expectations:
        known = [spec.initial[expectation.process], *delivered[expectation.process]]
        if expectation.path:
            values = [variable(expectation.path)(state) for state in known]
            is_met = any(value is not None and expectation.is_met(value) for value in values)
        else:
            is_met = any(state is not None and expectation.is_met(state) for state in known)
        if not is_met:
            missing.add(expectation.text)
    return missing


@settings(max_examples=examples(150))
@given(st.data())
def test_what_is_unseen_is_what_no_delivered_state_shows(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=12, values=states()))
    n = computation.processes
    trees = {f"q{k}": data.draw(properties(n, max_leaves=6)) for k in range(2)}
    initial = {"p0": data.draw(st.sampled_from([{}, {"x": 1}]))}
    spec = make_spec(computation, 2, trees, initial=initial)
    monitor = Monitor(spec)
    monitor.observe_many(events(data.draw(arrival_orders(computation, duplicates=True))))
    delivered = [[state.value for state in computation.of(k)] for k in range(n)]
    assert set(monitor.unseen()) == naive(spec, delivered)


@settings(max_examples=examples(100))
@given(st.data())
def test_batches_engines_and_restarts_do_not_show(data: st.DataObject) -> None:
    """Not in what is remembered, either."""
    computation = data.draw(computations(max_states=20, values=states()))
    n = computation.processes
    trees = {f"q{k}": data.draw(properties(n, max_leaves=6)) for k in range(2)}
    spec = make_spec(computation, 2, trees, states={"named": "p0.x == 'on' and p0.nothing"})
    rows = events(data.draw(arrival_orders(computation, duplicates=True)))
    whole = Monitor(spec)
    whole.observe_many(rows)
    watched = Monitor(spec, on_slide=lambda _: None)
    watched.observe_many(rows)
    restarted = Monitor(spec)
    for row in rows:
        restarted.observe(row)
        if data.draw(st.booleans()):
            restarted = Monitor.restore(spec, restarted.snapshot())
    assert "p0.nothing" in whole.unseen()
    assert list(whole.unseen().items()) == list(watched.unseen().items()) == list(restarted.unseen().items())
    bare = Monitor(Spec.from_dict({**spec.to_dict(), "properties": {"other": "possibly(p0.nothing)"}}))
    bare.resume(whole.snapshot(), allow_other_rules=True)
    assert "p0.nothing" in bare.unseen()


def test_with_other_properties_only_the_window_is_known() -> None:
    fields: dict[str, Any] = {"processes": ["a"], "window": 2, "properties": {"p": "possibly(a.x == 1)"}}
    monitor = Monitor(Spec.from_dict(fields))
    monitor.observe_many([{"process": "a", "clock": [k], "state": {"x": k}} for k in (1, 2, 3)])
    assert monitor.unseen() == {}
    other = Spec.from_dict({**fields, "properties": {"p": "possibly(a.x in (1, 2))"}})
    resumed = Monitor.restore(other, monitor.snapshot(), allow_other_rules=True)
    assert resumed.unseen() == {"a.x == 1": ["2", "3"]}


def test_what_is_remembered_is_bounded() -> None:
    spec = Spec.from_dict({"processes": ["a"], "window": 1, "properties": {"p": "possibly(a.x == 1 and a.zz)"}})
    monitor = Monitor(spec)
    for k in range(1, 200):
        state = {"x": "v" * 1000 + str(k) if k % 2 else k + 1, f"name {k}" + "n" * 1000: 1}
        monitor.observe({"process": "a", "clock": [k], "state": state})
    for remembered in monitor.unseen().values():
        assert len(remembered) == MOST_REMEMBERED
        assert max(map(len, remembered)) <= LONGEST
    assert len(monitor.snapshot()) < 6000


# -- in words ----------------------------------------------------------------------------------------------


def warnings(text: str, *seen: dict[str, Any], silent: bool = False) -> list[str]:
    """The warnings about states of a phone; a door reported, too, unless it was silent."""
    spec = Spec.from_dict({"processes": ["phone", "door"], "window": 2, "properties": {"p": text}})
    monitor = Monitor(spec)
    for k, state in enumerate(seen, start=1):
        monitor.observe({"process": "phone", "clock": [k, 0], "state": state})
    if not silent:
        monitor.observe({"process": "door", "clock": [0, 1], "state": {"open": True}})
    unseen = Unseen()
    unseen.add(monitor.unseen())
    return unseen.warnings(spec.expectations)


@pytest.mark.parametrize(
    ("text", "seen", "told"),
    [
        ("possibly(phone.app)", [{"ap": 1}], ["`phone.app` was in no state of phone; did you mean `phone.ap`?"]),
        (
            "possibly(phone.app)",
            [{"load": 1, "x y": 2}],
            ["`phone.app` was in no state of phone, which has load, `x y`"],
        ),
        ("possibly(phone.app)", [{}], ["`phone.app` was in no state of phone, which has no variables"]),
        ("possibly(phone.app)", [{"app": None}], ["`phone.app` was null in every state of phone"]),
        ("possibly(phone.app == 'a')", [{"b": 1}], ["`phone.app` was in no state of phone, which has b"]),
        (
            "possibly(phone.pkt.sice)",
            [{"pkt": {"size": 1}}],
            ["`phone.pkt.sice` was in no state of phone; did you mean `phone.pkt.size`?"],
        ),
        (
            "possibly(phone.ap == 'meetingroom')",
            [{"ap": "meeting-room"}, {"ap": "office"}],
            [
                "phone.ap never equalled 'meetingroom'; values seen: 'meeting-room', 'office'; "
                "did you mean 'meeting-room'?"
            ],
        ),
        ("possibly(phone.n == 10)", [{"n": 100}], ["phone.n never equalled 10; values seen: 100"]),
        (
            "possibly(phone.n == 10)",
            [{"n": "10"}],
            ["phone.n never equalled 10; values seen: '10'; did you mean '10'?"],
        ),
        (
            "possibly(phone.n == '10')",
            [{"n": 10}],
            ["phone.n never equalled '10'; values seen: 10; did you mean 10?"],
        ),
        ("possibly(phone.on == true)", [{"on": False}], ["phone.on never equalled true; values seen: false"]),
        (
            "possibly(phone.n > 30)",
            [{"n": "31"}, {"n": [1]}],
            ["`phone.n > 30` never compared two numbers or two texts; values seen: '31', a list"],
        ),
        (
            "possibly(phone.used / phone.size > 1)",
            [{"used": 1, "size": 0}],
            ["`phone.used / phone.size > 1` was null in every state of phone"],
        ),
        (
            "possibly(phone.n == 9)",
            [{"n": k} for k in range(8)],
            ["phone.n never equalled 9; values seen: 0, 1, 2, 3, 4, ..."],
        ),
        ("possibly(phone.ap == 'a')", [], ["phone reported nothing: no state of it was delivered"]),
        ("possibly(phone.ap == 'a')", [{"ap": "a"}], []),
    ],
)
def test_warnings(text: str, seen: list[dict[str, Any]], told: list[str]) -> None:
    assert warnings(text, *seen) == told


def test_where_nothing_came_there_is_one_warning() -> None:
    assert warnings("possibly(phone.ap == 'a' and door.x)", silent=True) == ["no state of any process was delivered"]


def test_what_one_group_has_seen_was_seen() -> None:
    unseen = Unseen()
    assert unseen.left == {}
    unseen.add({"a.x": ["y"], "a.x == 1": ["2"], "b": []})
    unseen.add({"a.x": ["z", "y"], "a.x == 1": ["3"]})
    unseen.add({"a.x == 1": ["2", "4"]})
    assert unseen.left == {"a.x == 1": ["2", "3", "4"]}
    unseen.add({})
    assert unseen.left == {}
