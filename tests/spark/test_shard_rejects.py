"""Rows that a shard's worker cannot use: each comes back with its reason, and the others are not disturbed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from latwin import Spec
from shards import SPEC, Row, make_event, make_worker, payload, work


def reject_of(*events: Any, spec: Spec = SPEC, kind: str = "rejected") -> Row:
    """The one reject of these rows, beside a good group that is not touched."""
    good = [make_event("good", 0, 1), make_event("good", 1, 1, order=1)]
    results = work(make_worker(spec), *events, *good)
    assert [(row["property"], row["value"]) for row in results.verdicts if row["group"] == "good"] == [
        (name, True) for name in spec.properties
    ]
    assert len(results.rejects) == 1
    assert results.rejects[0]["kind"] == kind
    return results.rejects[0]


def test_null_group() -> None:
    row = reject_of(make_event(None, 0, 1))
    assert row["group"] is None
    assert row["reason"] == "the group must be a string or an integer; it is null"
    assert json.loads(row["event"])["process"] == "p0"


@pytest.mark.parametrize("text", ['{"x": tru', "", "nothing", '{"x": NaN}', '{"x": "\\ud800"}', "1" * 5000])
def test_state_that_is_no_json(text: str) -> None:
    row = reject_of(make_event("bad", 0, 1, state=None, state_text=text))
    assert row["group"] == "bad"
    assert row["reason"].startswith("the state is not valid JSON: ")
    assert json.loads(row["event"])["state"] == text[:1000]


@pytest.mark.parametrize(("text", "found"), [("[1]", "list"), ("7", "int"), ('"x"', "str"), ("true", "bool")])
def test_state_that_is_json_but_no_map(text: str, found: str) -> None:
    row = reject_of(make_event("bad", 0, 1, state=None, state_text=text))
    assert row["reason"] == f"process 'p0': the state must be a map; got {found}"


def test_state_as_json_is_read() -> None:
    first = make_event("g", 0, 1, state=None, state_text='{"x": true}')
    second = make_event("g", 1, 1, state=None, state_text=' {"x":\n1, "y": 123456789012345678901234567890} ')
    third = make_event("g", 1, 2, state=None, state_text=None)
    results = work(make_worker(), first, second, {**third, "order": 9})
    assert results.rejects == []
    assert results.metrics[0]["delivered"] == 3


def test_rows_with_a_problem() -> None:
    row = reject_of({"group": "bad", "problem": "it has 1,048,576 bytes", "line": '{"group":"bad"'})
    assert (row["group"], row["reason"]) == ("bad", "it has 1,048,576 bytes")
    assert json.loads(row["event"]) == {"line": '{"group":"bad"'}


def test_events_that_the_monitor_rejects() -> None:
    for fields, reason in (
        ({"process": "p9"}, "unknown process 'p9'"),
        ({"process": None}, "unknown process None"),
        ({"clock": None}, "the clock must be a list of 2 integers or a map"),
        ({"clock": [-1, 0]}, "clock entries must be integers from 0"),
        ({"clock": [0, 1]}, "the clock's own entry is the state's index"),
        ({"clock": {"p1": 1}}, "the clock's own entry is the state's index"),
        ({"clock": {"p0": 1, "p9": 1}}, "the clock names the unknown process 'p9'"),
        ({"clock": [1, 0, 0]}, "the clock must have 2 entries; got 3"),
        ({"clock": [1, None]}, "clock entries must be integers"),
        ({"state": [1]}, "the state must be a map; got list"),
    ):
        row = reject_of(make_event("bad", 0, 1) | fields)
        assert row["group"] == "bad"
        assert reason in row["reason"]
        event = json.loads(row["event"])
        assert {name: event[name] for name in fields} == fields


def test_conflicting_duplicate() -> None:
    row = reject_of(make_event("bad", 0, 1, order=1), make_event("bad", 0, 1, False, order=2, time="noon"))
    assert (row["process"], row["index"]) == ("p0", 1)
    assert "came before with other content" in row["reason"]
    assert json.loads(row["event"]) == {"process": "p0", "clock": [1, 0], "state": {"x": False}, "time": "noon"}


def test_conflicting_duplicate_in_a_later_call() -> None:
    worker = make_worker()
    stored, _ = worker.work(None, [payload(make_event("g", 0, 1))])
    _, results = worker.work(stored, [payload(make_event("g", 0, 1, False))])
    assert [row["kind"] for row in results.rejects] == ["rejected"]


def test_deep_states_are_taken_or_rejected() -> None:
    # Somewhere near the interpreter's limit reading succeeds and writing does not.
    worker = make_worker()
    for depth in (*range(100, 900, 100), *range(900, 1100)):
        text = '{"x":' * depth + "1" + "}" * depth
        deep = make_event("deep", 0, 1, state=None, state_text=text)
        stored, results = worker.work(None, [payload(deep, make_event("good", 0, 1))])
        metric = next(row for row in results.metrics if row["group"] == "good")
        assert metric["delivered"] == 1
        delivered = sum(row["delivered"] for row in results.metrics if row["group"] == "deep")
        assert delivered + len(results.rejects) == 1
        other = make_event("deep", 0, 1, False)
        _, results = worker.work(stored, [payload(other, make_event("good", 1, 1))])
        assert ("good", True) in {(row["group"], row["value"]) for row in results.verdicts}


POISONED = {**SPEC.to_dict(), "max_waiting": 2}


def test_too_many_waiting_rejects_the_event_and_goes_on() -> None:
    spec = Spec.from_dict(POISONED)
    poison = [make_event("bad", 0, index, order=index) for index in (2, 3, 4)]
    row = reject_of(*poison, spec=spec)
    assert row["group"] == "bad"
    assert "state 4 of process 'p0' would have to wait, and max_waiting=2" in row["reason"]
    assert "first missing: state 1 of process 'p0'" in row["reason"]
    assert json.loads(row["event"])["clock"] == [4, 0]


def test_a_poisoned_group_goes_on_when_what_was_missing_comes() -> None:
    worker = make_worker(Spec.from_dict(POISONED), every=True)
    early = [make_event("g", 0, index, order=index) for index in (2, 3, 4, 5)]
    stored, results = worker.work(None, [payload(*early, make_event("g", 1, 1, order=9))])
    assert [json.loads(row["event"])["clock"][0] for row in results.rejects] == [4, 5]
    assert results.metrics[0]["rejected"] == 2
    assert results.metrics[0]["waiting"] == 2
    assert {(row["process"], row["slide"]) for row in results.verdicts} == {("p1", 1)}
    stored, results = worker.work(stored, [payload(make_event("g", 0, 1), make_event("g", 0, 4, order=1))])
    assert results.rejects == []
    assert [row["slide"] for row in results.verdicts if row["property"] == "both"] == [2, 3, 4, 5]
    assert results.metrics[0]["waiting"] == 0


def test_too_many_waiting_under_skip() -> None:
    spec = Spec.from_dict({**POISONED, "max_waiting": 1, "waiting_policy": "skip"})
    poison = [make_event("bad", 0, index, order=index) for index in (3, 4)]
    row = reject_of(*poison, spec=spec, kind="skipped")
    assert (row["process"], row["index"], row["through"]) == ("p0", 1, 2)
    assert row["event"] is None
    worker = make_worker(spec)
    stored, results = worker.work(None, [payload(*poison)])
    assert results.metrics[0]["skipped"] == 2
    assert results.metrics[0]["delivered"] == 2
    _, results = worker.work(stored, [payload(make_event("bad", 0, 2))])
    assert [(row["kind"], row["process"], row["index"]) for row in results.rejects] == [("late", "p0", 2)]


def test_a_process_that_is_no_text_is_rejected() -> None:
    """Also while events are brought into their order."""
    odd = {"group": "g", "process": ["p0"], "clock": [1, 0], "state": {}}
    _, results = make_worker().work(None, [payload(odd, odd)])
    assert len(results.rejects) == 2
    assert all(row["reason"].startswith("unknown process ['p0']") for row in results.rejects)
