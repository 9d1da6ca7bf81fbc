"""Groups of a shard that end: by the times of the others, by the wall clock, by ticks and by the sweep; no Spark."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from latwin import Monitor, Spec
from latwin.delivery.silence import told_time
from latwin.spark.container import Container
from latwin.spark.results import Results
from shards import SPEC, Event, Row, make_event, make_worker, payload

DAY = 86_400.0
FORGETTING = Spec.from_dict({**SPEC.to_dict(), "forget_after": "7d"})


def state_of(stored: bytes) -> Container:
    return msgspec.msgpack.decode(stored, type=Container)


def told(results: Results, kind: str) -> dict[str, Row]:
    rows = {row["group"]: row for row in results.rejects if row["kind"] == kind}
    assert len(rows) == sum(row["kind"] == kind for row in results.rejects)  # each once
    return rows


def sweep(told_s: float | None) -> str:
    return json.dumps({"sweep": told_s}, separators=(",", ":"))


def event(group: str, index: int, time: Any) -> Event:
    return make_event(group, 0, index, time=time)


def test_a_group_ends_by_the_times_of_the_others() -> None:
    worker = make_worker(FORGETTING)
    both = [make_event("quiet", k, 1, time=0, order=k) for k in range(2)]
    stored, _ = worker.work(None, [payload(*both, event("g", 1, 0), event("h", 1, 0))])
    stored, results = worker.work(stored, [payload(event("g", 2, 8 * DAY))])
    assert told(results, "ended").keys() == {"g"}  # its own event tells; one clock alone ends no other group
    assert state_of(stored).groups.keys() == {"quiet", "g", "h"}
    stored, results = worker.work(stored, [payload(event("h", 2, 8 * DAY))])
    assert told(results, "ended").keys() == {"quiet", "h"}
    assert told(results, "returned").keys() == {"h"}
    row = told(results, "ended")["quiet"]
    assert row["reason"].endswith("forgotten after 2 states; at last both, sure held")
    assert msgspec.json.decode(row["event"])["counters"]["delivered"] == 2
    assert state_of(stored).groups.keys() == {"g", "h"}
    assert list(state_of(stored).ended) == ["quiet"]

    stored, results = worker.work(stored, [payload(event("quiet", 2, 9 * DAY))])
    assert told(results, "returned")["quiet"]["reason"].startswith("came back after 9d of silence")
    assert not state_of(stored).ended
    assert results.metrics[0]["delivered"] == 1


def test_a_past_is_forgotten_too() -> None:
    worker = make_worker(FORGETTING)
    stored, _ = worker.work(None, [payload(*(event(name, 1, 0) for name in "abc"))])
    stored, _ = worker.work(stored, [payload(*(event(name, 2, 10 * DAY) for name in "ab"))])
    assert state_of(stored).ended.keys() == {"c"}
    stored, _ = worker.work(stored, [payload(*(event(name, 3, 71 * DAY) for name in "ab"))])
    assert not state_of(stored).ended


def test_without_times_the_wall_clock_tells() -> None:
    worker = make_worker(FORGETTING)
    stored, _ = worker.work(None, [payload(make_event("g", 0, 1), make_event("h", 0, 1))], wall_s=1e9)
    stored, results = worker.work(stored, [payload(make_event("h", 0, 2))], wall_s=1e9 + 6 * DAY)
    assert not results.rejects
    stored, results = worker.work(stored, [payload(make_event("h", 0, 3))], wall_s=1e9 + 8 * DAY)
    assert told(results, "ended").keys() == {"g"}
    stored, results = worker.work(stored, [payload(make_event("g", 0, 2))], wall_s=1e9 + 9 * DAY)
    assert told(results, "returned")["g"]["reason"] == (
        "came back: its windows begin anew, its clocks go on after [1, 0]"
    )
    _, results = worker.work(stored, [payload(make_event("h", 0, 4))], wall_s=1e9 + 16 * DAY)
    assert told(results, "ended").keys() == {"h"}
    assert told(results, "returned").keys() == {"h"}


def test_groups_of_before_count_from_now_on() -> None:
    stored, _ = make_worker().work(None, [payload(make_event("old", 0, 1))])
    worker = make_worker(FORGETTING)
    stored, results = worker.work(stored, [payload(make_event("g", 0, 1))], wall_s=1e9)
    stored, results = worker.work(stored, [payload(make_event("g", 0, 2))], wall_s=1e9 + 6 * DAY)
    assert not results.rejects
    stored, results = worker.work(stored, [payload(make_event("g", 0, 3))], wall_s=1e9 + 8 * DAY)
    assert told(results, "ended").keys() == {"old"}
    stored, _ = make_worker().work(stored, [payload(make_event("g", 0, 4))], wall_s=1e9 + 8 * DAY)
    assert not state_of(stored).wall_s  # nothing is kept where groups never end


def test_ticks_end_groups_and_then_there_are_no_more_ticks() -> None:
    worker = make_worker(FORGETTING)
    stored, _ = worker.work(None, [payload(event("g", 1, 1e9), make_event("h", 0, 1))], now_s=1e9, wall_s=1e9)
    stored, results, goes_on = worker.tick(stored, 1e9 + 6 * DAY)
    assert (results.packed(), goes_on) == ([], True)
    stored, results, goes_on = worker.tick(stored, 1e9 + 8 * DAY)
    assert told(results, "ended").keys() == {"g", "h"}
    assert goes_on is False
    assert worker.tick(stored, 1e9 + 9 * DAY)[1].packed() == []


def test_a_shard_without_events_is_told_the_time() -> None:
    worker = make_worker(FORGETTING)
    stored, _ = worker.work(None, [payload(event("g", 1, 0), event("h", 1, 2 * DAY), make_event("untimed", 0, 1))])
    assert worker.work(stored, [sweep(None), sweep(7 * DAY)]) == (stored, Results())
    stored, results = worker.work(stored, [sweep(None), sweep(8 * DAY), sweep(7 * DAY).encode()])
    assert told(results, "ended").keys() == {"g"}
    assert state_of(stored).groups.keys() == {"h", "untimed"}
    stored, results = worker.work(stored, [sweep(71 * DAY)], wall_s=1e9)
    assert told(results, "ended").keys() == {"h"}
    assert state_of(stored).ended.keys() == {"h"}  # the past of the first is forgotten, too
    stored, results = worker.work(stored, [sweep(None)], wall_s=1e9 + 8 * DAY)
    assert told(results, "ended").keys() == {"untimed"}
    assert not state_of(stored).groups


def test_a_group_with_events_in_the_batch_is_not_ended_by_its_sweep() -> None:
    worker = make_worker(FORGETTING)
    stored, _ = worker.work(None, [payload(event("g", 1, 0))])
    _, results = worker.work(stored, [sweep(8 * DAY), payload(event("g", 2, 6 * DAY))])
    assert results.rejects == []


@pytest.mark.parametrize("is_swept", [False, True])
def test_borders_of_batches_do_not_matter(is_swept: bool) -> None:
    """Groups whose times go on together: every batch border gives the verdicts and notices of local monitors."""
    for seed in range(10):
        print(f"seed={seed}")
        rng = random.Random(seed)
        spec = Spec.from_dict({**SPEC.to_dict(), "forget_after": "10s"})
        events, indices, now = [], {name: [0, 0] for name in "abcd"}, 0.0
        for place in range(120):
            now += rng.choice([0.0, 0.5, 4.0])
            group, process = rng.choice("abcd" if rng.random() < 0.9 else "d"), rng.randrange(2)
            indices[group][process] += 1
            made = make_event(group, process, indices[group][process], rng.random() < 0.5, order=place, time=now)
            events.append(made)
        expected: dict[str, Any] = {name: ([], []) for name in "abcd"}
        for name, (verdicts, notices) in expected.items():
            out = Monitor(spec).observe_many(
                [
                    {k: v for k, v in made.items() if k not in ("group", "order")}
                    for made in events
                    if made["group"] == name
                ]
            )
            verdicts += [(v.property, v.value, v.slide, v.index) for v in out]
            notices += [(n.kind, n.reason) for n in out.notices]
        worker, at = make_worker(spec), 0
        stored: bytes | None = None
        found: dict[str, Any] = {name: ([], []) for name in "abcd"}
        while at < len(events):
            size = rng.randint(1, 30)
            now_s = told_time({each["group"]: each["time"] for each in events[: at + size]}.values())
            swept = [sweep(now_s)] if is_swept and rng.random() < 0.5 else []
            stored, results = worker.work(stored, [payload(*events[at : at + size]), *swept])
            at += size
            for row in results.verdicts:
                found[row["group"]][0].append((row["property"], row["value"], row["slide"], row["index"]))
            for row in results.rejects:
                found[row["group"]][1].append((row["kind"], row["reason"]))
        for name in "abcd":  # a group that is silent at the end has ended here, and its own events do not tell
            assert found[name][0] == expected[name][0]
            assert found[name][1][: len(expected[name][1])] == expected[name][1]
            assert [kind for kind, _ in found[name][1][len(expected[name][1]) :]] in ([], ["ended"])
