"""Bounded clock skew: times strengthen clocks, and nothing else changes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fuzzing import within
from latwin import Monitor, Spec, SpecError, Verdict
from latwin.errors import InvalidEvent
from latwin.events.times import read_duration, read_time
from latwin.sim import simulate_office


def spec_with(synchrony: str | None, processes: int = 3, window: int = 4, **fields: Any) -> Spec:
    names = [f"p{k}" for k in range(processes)]
    total = " + ".join(f"{name}.on" for name in names)
    # An `or` of sums needs the lattice, so verdicts count its cuts.
    all_on = f"{total} >= {processes} or {total} < 0"
    return Spec.from_dict(
        {
            "processes": names,
            "window": window,
            "synchrony": synchrony,
            "properties": {"p": f"possibly({all_on})", "d": f"definitely({all_on})"},
            **fields,
        }
    )


def office_events(seed: int, processes: int = 3, **options: Any) -> list[dict[str, Any]]:
    run = simulate_office(processes, hours=6, seed=seed, names=[f"p{k}" for k in range(processes)], **options)
    return run.as_dicts(clock="list")


def sizes(spec: Spec, events: Sequence[dict[str, Any]]) -> list[int]:
    out = Monitor(spec).observe_many(events, every=True)
    assert not out.notices
    return [verdict.cuts for verdict in out if verdict.property == "d" and verdict.cuts is not None]


@pytest.mark.parametrize("seed", range(4))
def test_perfect_clocks_leave_a_chain(seed: int) -> None:
    """In order of time and with no skew, every state knows all earlier ones: the lattice is one observation."""
    events = sorted(office_events(seed, delay_s=5.0), key=lambda event: event["time"])
    counted: list[int | None] = []
    monitor = Monitor(spec_with("0"), on_slide=lambda slide: counted.append(slide.count_cuts()))
    for event in events:
        told = monitor.observe(event, every=True)
        window = monitor.window
        steps = sum(b - a for a, b in zip(window.least or (), window.greatest or (), strict=True))
        assert counted[-1] == steps + 1
        assert told[0].value == told[1].value  # on a chain, possibly is definitely


@pytest.mark.slow
@pytest.mark.parametrize("delivery", ["fifo", "causal"])
def test_a_tighter_bound_never_has_more_cuts(delivery: str) -> None:
    for seed in range(3):
        events = office_events(seed, delay_s=120.0)
        bounds = ["0", "10s", "2min", "30min", "1d"]
        found = [sizes(spec_with(bound, delivery=delivery), events) for bound in bounds]
        free = sizes(spec_with(None, delivery=delivery), events)
        assert found[-1] == free
        means = [sum(some) for some in [*found, free]]
        assert means == sorted(means)
        assert means[0] < means[-1]


def test_what_physically_was_first_is_first() -> None:
    """Two that never talk: without times four cuts, with them only those that the times allow."""
    first = {"process": "p0", "clock": [1, 0], "state": {"on": True}, "time": 100.0}
    second = {"process": "p1", "clock": [0, 1], "state": {"on": True}, "time": 101.0}
    for bound, cuts in ((None, 4), ("2s", 4), ("1s", 4), ("999ms", 3), ("0", 3)):
        assert sizes(spec_with(bound, processes=2), [first, second])[-1] == cuts


@settings(max_examples=examples(40))
@given(st.integers(0, 10**6), st.sampled_from(["0", "30s", "5min"]), st.sampled_from(["fifo", "causal"]))
def test_late_repeated_and_restarted(seed: int, bound: str, delivery: str) -> None:
    """Whatever the order of arrival, true times never make a state impossible, nor a repeated one a conflict."""
    dice = random.Random(seed)
    events = office_events(seed % 50, delay_s=200.0)[:60]
    events = sorted(
        [*events, *dice.sample(events, 10)], key=lambda event: event["arrival"] + dice.expovariate(1 / 600)
    )
    spec = spec_with(bound, delivery=delivery)
    whole, monitor = Monitor(spec), Monitor(spec)
    expected = whole.observe_many(events, every=True)
    assert {notice.kind for notice in expected.notices} <= {"duplicate"}
    told: list[Verdict] = []
    for event in events:
        told += monitor.observe(event, every=True)
        monitor = Monitor.restore(spec, monitor.snapshot())
    assert told == list(expected)
    assert monitor.snapshot() == whole.snapshot()


def test_times_and_durations() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert read_time(noon.isoformat()) == read_time("2026-01-01T12:00:00") == noon.timestamp()
    assert read_time((noon + timedelta(seconds=1)).isoformat()) - read_time(noon.timestamp()) == 1.0
    assert read_time("12.5") == read_time(12.5) == 12.5
    for wrong in (None, "noon", float("nan"), True, [1], "nan", "1e999", 10**400):
        with pytest.raises(InvalidEvent, match="needs its `time`") as raised:
            read_time(wrong)
        assert f"got {wrong!r}"[:100] in str(raised.value)
    assert [read_duration(text) for text in ("500ms", "2s", "1.5 min", "0", "1h")] == [0.5, 2.0, 90.0, 0.0, 3600.0]
    assert [read_duration(text) for text in ("5", "ms", "-1s", "2 weeks", None, 3)] == [None] * 6
    with pytest.raises(SpecError, match="`synchrony` must be a duration with its unit"):
        spec_with("5")


@pytest.mark.parametrize(
    "text", ["1" + " " * 10**6 + "!", " " * 10**6 + "1!", "1" * 10**6 + "!", "1s" + " " * 10**6 + "!"]
)
def test_a_long_text_that_is_no_duration_is_read_once(text: str) -> None:
    """A search that divides the blanks in every way would take hours."""
    with within():
        assert read_duration(text) is None
    assert read_duration(f"{' ' * 1000}2{' ' * 1000}s{' ' * 1000}") == 2.0


@pytest.mark.parametrize("seconds", [20260101, 20260229, 1767225600, 0])
def test_a_number_as_text_is_the_number(seconds: int) -> None:
    """Also where ISO 8601 would see a date in it: columns of text carry seconds so."""
    assert read_time(str(seconds)) == read_time(f" {seconds}.0 ") == read_time(seconds) == seconds


def test_times_as_text_mean_what_the_numbers_mean() -> None:
    """Two states 70 s apart, or a day apart if the same digits were read as dates."""
    events = [
        {"process": "p0", "clock": [1, 0, 0], "state": {"on": True}, "time": 20260131},
        {"process": "p1", "clock": [0, 1, 0], "state": {"on": True}, "time": 20260201},
    ]
    for bound in ("60s", "100s"):
        expected = Monitor(spec_with(bound)).observe_many(events, every=True)
        told = Monitor(spec_with(bound)).observe_many([{**e, "time": str(e["time"])} for e in events], every=True)
        assert [verdict.cuts for verdict in told] == [verdict.cuts for verdict in expected]
        assert not told.notices


def test_an_event_without_a_time_is_rejected() -> None:
    monitor = Monitor(spec_with("1s"))
    (notice,) = monitor.observe({"process": "p0", "clock": [1, 0, 0], "state": {}}).notices
    assert (
        notice.kind,
        "`synchrony`, a window of time or `leave_after` an event needs its `time`" in notice.reason,
    ) == (
        "rejected",
        True,
    )
