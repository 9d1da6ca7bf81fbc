"""Windows of time in a shard: heartbeats in the input, and ticks of a wall clock. No Spark but in the last test."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyspark")

from latwin import Monitor, Spec
from latwin.errors import InvalidInput
from latwin.spark.operators import Detection
from latwin.spark.sinks.folder import read_output
from pipelines import run
from shards import Event, Row, by_group, make_worker, payload, verdict_rows
from timed import random_steps
from traffic import rows_of, write_file

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPEC = Spec.from_dict(
    {
        "processes": ["p0", "p1"],
        "window": {"p0": "8s", "p1": {"time": "20s", "states": 3}},
        "max_jump": "unlimited",
        "waiting_policy": "skip",
        "max_waiting": 5,
        "properties": {"both": "possibly(p0.n == 1 and p1.n == 1)", "sure": "definitely(p0.n == p1.n)"},
    }
)


def random_batches(rng: random.Random) -> list[list[Event]]:
    """Events and heartbeats of some groups, in their order of arrival, cut anywhere."""
    placed = []
    for number in range(rng.randint(1, 3)):
        steps = random_steps(rng, 2, 20)
        events = [{"time": step} if isinstance(step, float) else step for step in steps]
        placed += [(place + rng.random() * 3, {"group": f"g{number}", **event}) for place, event in enumerate(events)]
    events = [event for _, event in sorted(placed, key=lambda pair: pair[0])]
    for order, event in enumerate(events):
        event["order"] = order
    places = sorted(rng.randint(0, len(events)) for _ in range(3))
    return [events[a:b] for a, b in zip([0, *places], [*places, len(events)], strict=True)]


def observed(monitor: Monitor, event: Event, *, every: bool) -> list[Row]:
    """What a monitor says of an event; a heartbeat is time that goes on."""
    if "process" in event:
        return verdict_rows(event["group"], monitor.observe(event, every=every))
    return verdict_rows(event["group"], monitor.advance(event["time"], every=every))


@given(st.integers(0, 2**32), st.booleans())
def test_heartbeats_in_a_shard_let_time_go_on_in_their_group(seed: int, every: bool) -> None:
    batches = random_batches(random.Random(seed))
    stored: bytes | None = None
    rows: list[Row] = []
    monitors: dict[str, Monitor] = {}
    expected: dict[str, list[Row]] = {}
    for batch in batches:
        stored, results = make_worker(SPEC, every=every).work(stored, [payload(*batch)])
        rows += results.verdicts
        for event in batch:
            monitor = monitors.setdefault(event["group"], Monitor(SPEC))
            expected.setdefault(event["group"], []).extend(observed(monitor, event, every=every))
    assert by_group(rows) == {group: told for group, told in expected.items() if told}


@given(st.integers(0, 2**32), st.booleans())
def test_ticks_let_time_go_on_in_all_groups_and_before_events(seed: int, every: bool) -> None:
    rng = random.Random(seed)
    stored: bytes | None = None
    rows: list[Row] = []
    monitors: dict[str, Monitor] = {}
    expected: dict[str, list[Row]] = {}
    now_s = 0.0
    for batch in random_batches(rng):
        now_s += rng.uniform(0, 15)
        stored, results = make_worker(SPEC, every=every).work(stored, [payload(*batch)], now_s=now_s)
        rows += results.verdicts
        for group in dict.fromkeys(event["group"] for event in batch):
            monitor = monitors.setdefault(group, Monitor(SPEC))
            told = verdict_rows(group, monitor.advance(now_s, every=every))
            for event in batch:
                told += observed(monitor, event, every=every) if event["group"] == group else []
            expected.setdefault(group, []).extend(told)
        if rng.random() < 0.5:
            now_s += rng.uniform(0, 15)
            stored, results, may_slide = make_worker(SPEC, every=every).tick(stored, now_s)
            rows += results.verdicts
            for group, monitor in monitors.items():
                expected[group] += verdict_rows(group, monitor.advance(now_s, every=every))
            held = [len(monitor.states(k)) for monitor in monitors.values() for k in range(2)]
            assert may_slide is any(count > 1 for count in held)
    assert by_group(rows) == {group: told for group, told in expected.items() if told}


def beat(at: Any, **fields: Any) -> Event:
    return {"group": "g", "time": at, "order": 9, **fields}


def test_a_heartbeat_that_tells_no_time_is_rejected() -> None:
    spec = Spec.from_dict({**SPEC.to_dict(), "max_jump": "1h"})
    state = {"group": "g", "process": "p0", "clock": [1, 0], "state": {"n": 1}, "time": 100, "order": 0}
    far, wrong = beat(100 + 3601), beat("soon")
    results = make_worker(spec).work(None, [payload(state, far, wrong, beat(None), beat(1, process="p0"))])[1]
    assert sorted(row["reason"].partition(";")[0] for row in results.rejects) == [
        "heartbeat: its time is 1.00028h ahead of the latest time of the group, which is more than max_jump=1h",
        "heartbeat: with `synchrony`, a window of time or `leave_after` an event needs its `time`, in seconds or as "
        "a date and time of ISO 8601",
        "the event lacks 'clock'",
        "the event lacks 'process', 'clock'",
    ]
    assert [(row["events"], row["delivered"], row["ticks"]) for row in results.metrics] == [(5, 1, 0)]


def test_a_tick_takes_new_rules_first_and_says_nothing_without_a_change() -> None:
    states = [
        {"group": group, "process": "p0", "clock": [index, 0], "state": {"n": 1}, "time": index, "order": index}
        for group in "ab"
        for index in (1, 2)
    ]
    stored, _ = make_worker(SPEC).work(None, [payload(*states)])
    stored, results, may_slide = make_worker(SPEC).tick(stored, 3.0)
    assert (results.packed(), may_slide) == ([], True)
    other = Spec.from_dict({**SPEC.to_dict(), "properties": {"one": "possibly(p0.n == 1)"}})
    stored, results, may_slide = make_worker(other, rules=2).tick(stored, 500.0)
    assert not may_slide
    assert [(row["group"], row["kind"], row["slide"], row["rules"], row["time"]) for row in results.verdicts] == [
        ("a", "rules", 3, 2, None),
        ("b", "rules", 3, 2, None),
    ]
    assert [(row["group"], row["events"], row["slides"]) for row in results.metrics] == [("a", 0, 2), ("b", 0, 2)]


def test_ticks_are_at_the_same_moments_for_all() -> None:
    detection = Detection(tick_s=2.5)
    assert [detection.tick_before(now) for now in (0, 2499, 2500, 9999)] == [0, 0, 2500, 7500]
    assert Detection().tick_before(5) is None
    with pytest.raises(InvalidInput, match=r"a tick must take from 0.5 s to a day; got 0.1 s"):
        Detection(tick_s=0.1)


@pytest.mark.soak
def test_a_wall_clock_lets_windows_slide_on_spark(spark: SparkSession, tmp_path: Path) -> None:
    """A group that reports nothing more loses its old states, and a property that they made true ends."""
    fields = {"window": "3s", "properties": {"gone": "not possibly(p0.n == 1)"}, "never": ["gone"]}
    spec = Spec.from_dict({**SPEC.to_dict(), **fields})
    now_s = time.time()
    events = [
        {"group": "g", "process": "p0", "clock": [k + 1, 0], "state": {"n": 1 - k}, "time": now_s + k, "arrival": k}
        for k in range(2)
    ]
    (tmp_path / "in").mkdir()
    write_file(tmp_path / "in", 0, events)
    options: dict[str, Any] = {
        "input": str(tmp_path / "in"),
        "output": str(tmp_path / "out"),
        "checkpoint": str(tmp_path / "checkpoint"),
        "format": "jsonl",
        "every": True,
    }
    gone: list[int] = []

    def on_batch(batch: Any) -> None:
        gone.extend([batch.batch_id] * bool(batch.violations))

    done = run(spark, spec, tick_s=1.0, on_batch=on_batch, until=lambda: bool(gone), **options)
    rows = sorted(rows_of(read_output(spark, str(tmp_path / "out"), "verdicts")), key=lambda row: row["slide"])
    # The events are a second apart, so only the clock can have made them leave: after them, or already before the
    # last one where Spark started slowly.
    assert [row["value"] for row in rows if row["changed"]] == [True]
    assert rows[0]["kind"] == "state"
    assert done.verdicts == len(rows)
    with pytest.raises(InvalidInput, match="another choice of ticks: True -> False"):
        run(spark, spec, once=True, **options)
    with pytest.raises(InvalidInput, match=r"a run that ends \(--once\) cannot have ticks"):
        run(spark, spec, once=True, tick_s=1.0, **options)
