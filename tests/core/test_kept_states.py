"""What a process keeps of its variables from event to event is bounded, however long the stream is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latwin import Monitor, Spec
from latwin.errors import InvalidEvent
from latwin.events.merging import MAX_NAMES, MAX_STATE_BYTES, merged
from latwin.events.variables import Variables
from latwin.formats import parse_log, to_events

SPEC = Spec.from_dict(
    {
        "processes": ["a"],
        "window": 2,
        "max_waiting": 3,
        "waiting_policy": "skip",
        "variables": {"text": ["(?<x>\\d+)"]},
        "properties": {"p": "possibly(a.x == 1)"},
    }
)


def event(index: int, state: dict[str, Any]) -> dict[str, Any]:
    return {"process": "a", "clock": [index], "state": state}


@given(st.dictionaries(st.text(max_size=3), st.integers()), st.dictionaries(st.text(max_size=3), st.floats()))
def test_within_the_bounds_it_is_an_update(before: dict[str, Any], changes: dict[str, Any]) -> None:
    expected = dict(before)
    expected.update(changes)
    assert repr(merged(before, changes)) == repr(expected)
    assert merged(None, None) == {}


@pytest.mark.parametrize("value", [1, "x", 2**80, 1.5, {"y": [None]}, "\u00e9", "\U0001f600"])
def test_the_bounds_are_exact(value: Any) -> None:
    names = {f"n{k}": value for k in range(MAX_NAMES)}
    assert len(merged(names, {"n0": 0})) == MAX_NAMES
    with pytest.raises(
        InvalidEvent, match=r"would keep 1,001 variables after this event, and at most 1,000 are kept"
    ):
        merged(names, {"new": 0})
    room = MAX_STATE_BYTES - len(
        json.dumps({"v": value, "x": ""}, ensure_ascii=False, separators=(",", ":")).encode()
    )
    assert merged({"v": value}, {"x": "." * room})
    with pytest.raises(InvalidEvent, match=r"would have 262,145 bytes as JSON after this event, and at most 262,144"):
        merged({"v": value}, {"x": "." * (room + 1)})


def test_new_names_in_event_after_event_are_rejected() -> None:
    """The monitor keeps what it had, says why, and goes on with events that add nothing."""
    monitor = Monitor(SPEC)
    for index in range(1, MAX_NAMES + 1):
        assert not monitor.observe(event(index, {f"n{index}": index})).notices
    before = monitor.snapshot()
    (notice,) = monitor.observe(event(MAX_NAMES + 1, {"one more": 1})).notices
    assert (notice.kind, notice.index) == ("rejected", MAX_NAMES + 1)
    assert "would keep 1,001 variables" in notice.reason
    assert notice.event["state"] == {"one more": 1}
    assert monitor.counters.rejected == 1
    monitor.counters.rejected = 0
    assert monitor.snapshot() == before
    assert not monitor.observe(event(MAX_NAMES + 1, {"n1": 7})).notices
    assert len(monitor.states(0)[-1]) == MAX_NAMES


def test_large_values_in_event_after_event_are_rejected() -> None:
    monitor = Monitor(SPEC)
    rejected = 0
    for index in range(1, 50):
        out = monitor.observe(event(monitor.slide + 1, {f"n{index}": "x" * 100_000}))
        rejected += sum(notice.kind == "rejected" for notice in out.notices)
    assert (monitor.slide, rejected) == (2, 47)
    assert len(monitor.snapshot()) < 3 * MAX_STATE_BYTES


def test_the_states_of_a_log_are_bounded_alike() -> None:
    """Without a table all fields of all lines are kept; a line with one too many changes nothing."""
    lines = [{"process": "a", "clock": {"a": k}, f"n{k}": 1} for k in range(1, MAX_NAMES + 5)]
    log = parse_log("".join(json.dumps(line) + "\n" for line in lines), "jsonl")
    envelopes = to_events(log.events, Variables())
    problems = [envelope.line for envelope in envelopes if envelope.problem is not None]
    assert problems == list(range(MAX_NAMES, MAX_NAMES + 5))  # `event` is a variable, too
    assert "would keep 1,001 variables" in (envelopes[-1].problem or "")


def test_a_whole_state_is_not_what_is_kept() -> None:
    """Without `[variables]` every event brings its whole state, which is bounded as the event is."""
    spec = Spec.from_dict({"processes": ["a"], "window": 2})
    monitor = Monitor(spec)
    assert not monitor.observe(event(1, {f"n{k}": k for k in range(5 * MAX_NAMES)})).notices
    assert monitor.slide == 1
