"""A shard that makes clocks and detects, without Spark: what local monitors say, with restarts, timers and damage."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

pytest.importorskip("pyspark")

from pyspark.sql import Row
from pyspark.sql.streaming.tws_tester import TwsTester

from latwin import Spec
from latwin.clocks import JsonSteps, TraceSpans, Waits
from latwin.clocks.live import storable
from latwin.clocks.records import Record
from latwin.errors import SnapshotError
from latwin.sim import random_computation
from latwin.spark.clock_operator import ClockedShardProcessor, ClockedWork
from latwin.spark.clocked import ClockedShardWorker, Clocking, Worked
from latwin.spark.operators import Detection, Work
from latwin.spark.rules import Rules
from latwin.spark.shard import ShardWorker
from latwin.spark.sources.steps import StepMapper
from otlp import TRACE, request, span

SPEC = Spec.from_dict(
    {
        "processes": ["p0", "p1", "p2"],
        "window": "unlimited",
        "delivery": "causal",
        "properties": {"both": "possibly(p0.x and p1.x)", "sure": "definitely(p0.x and p1.x)"},
    }
)
STEPS = Clocking(JsonSteps(), Waits(10, 100, first_order=1))


def worker(clocking: Clocking, *, spec: Spec = SPEC, quarantine: bool = False) -> ClockedShardWorker:
    inner = ShardWorker(spec, every=False, observations=False, quarantine_damaged=quarantine)
    return ClockedShardWorker(inner, clocking, spec.processes)


def payload(records: list[Record], at: float | None = None) -> str:
    kept = map(storable, records)
    return ",".join(json.dumps([record.group, at, record.row]) for record in kept)


class Shard:
    """A shard whose state is all that is kept between two batches."""

    def __init__(self, clocking: Clocking, **options: Any) -> None:
        self.clocking, self.options = clocking, options
        self.state: tuple[bytes | None, bytes | None] = (None, None)
        self.verdicts: list[dict[str, Any]] = []
        self.rejects: list[dict[str, Any]] = []

    def take(self, records: list[Record], time_ms: int, at: float | None = None) -> Worked:
        return self._keep(
            worker(self.clocking, **self.options).work(*self.state, [payload(records, at)], time_ms, shard=3)
        )

    def look(self, time_ms: int) -> Worked:
        return self._keep(worker(self.clocking, **self.options).look(*self.state, time_ms, shard=3))

    def _keep(self, worked: Worked) -> Worked:
        self.state = worked.groups, worked.clocks
        self.verdicts += worked.results.verdicts
        self.rejects += worked.results.rejects
        return worked


def step_records(groups: int, states: int) -> list[Record]:
    records = []
    for group in range(groups):
        last: dict[int, tuple[int, ...]] = {}
        for process, clock, on in random_computation(3, states, 0.4, group):
            before = last.get(process, (0, 0, 0))
            heard = [f"{j}.{n}" for j, n in enumerate(clock) if j != process and n > before[j]]
            last[process] = clock
            row = {"process": f"p{process}", "order": clock[process], "sent": f"{process}.{clock[process]}"}
            records.append(Record(f"g{group}", {**row, "received": heard, "state": {"x": bool(on)}}))
    return records


def final(verdicts: list[dict[str, Any]]) -> dict[tuple[str, str], bool]:
    """What holds in the end; a property that was never told of does not."""
    last = {(row["group"], row["property"]): row["value"] for row in verdicts}
    return {name: value for name, value in last.items() if value}


@pytest.mark.slow
def test_batches_order_and_restarts_do_not_matter() -> None:
    """All windows keep everything, so the last verdicts do not depend on the order; nothing waits at the end."""
    records = step_records(3, 12)
    whole = Shard(STEPS)
    whole.take(records, 1000)
    rng = random.Random(7)
    parts = Shard(STEPS)
    shuffled = rng.sample(records, len(records))
    for first in range(0, len(shuffled), 5):
        parts.take(shuffled[first : first + 5], 1000 + first)
    assert parts.rejects == whole.rejects == []
    assert final(parts.verdicts) == final(whole.verdicts)
    assert whole.verdicts


def test_timers_deliver_what_waits_and_forget_what_is_finished() -> None:
    spec = Spec.from_dict({"processes": ["a"], "window": 4, "properties": {"x": "possibly(a.open >= 1)"}})
    source = TraceSpans()
    shard = Shard(Clocking(source, Waits(10, 60)), spec=spec)
    records = list(source.records(json.dumps(request("a", span(1, 0, 9))).encode()))
    other = list(source.records(json.dumps(request("b", span(2, 0, 9))).encode()))
    first = shard.take([*records, *other], time_ms=50_000, at=1000.0)
    assert (first.timer_ms, shard.verdicts) == (60_000, [])
    again = shard.take(other, time_ms=54_000, at=1004.0)
    assert again.timer_ms is None  # one is set already
    early = shard.look(60_000)
    assert (early.timer_ms, shard.verdicts) == (64_000, [])
    done = shard.look(64_000)
    assert [row["value"] for row in shard.verdicts] == [True]
    assert [(row["kind"], row.get("process")) for row in shard.rejects] == [("rejected", None), ("skipped", "b")]
    assert "came before, with the same content" in shard.rejects[0]["reason"]
    late = shard.take(records, time_ms=70_000, at=1020.0)
    assert [row["kind"] for row in late.results.rejects] == ["late"]
    assert TRACE.encode() in shard.state[0]  # type: ignore[operator]
    assert done.timer_ms is not None
    shard.look(54_000 + 71_000)
    assert TRACE.encode() not in shard.state[0]  # type: ignore[operator]
    assert TRACE.encode() not in shard.state[1]  # type: ignore[operator]


@pytest.mark.soak
@pytest.mark.parametrize("source", [TraceSpans(), TraceSpans("all", "instance")])
def test_what_is_finished_is_forgotten(source: TraceSpans) -> None:
    """Four thousand traces, one after the other: the state of a shard stays as small as after four hundred."""
    spec = Spec.from_dict(
        {"processes": ["a", "b"], "window": 4, "properties": {"x": "possibly(a.open + b.open > 9)"}}
    )
    shard = Shard(Clocking(source, Waits(1, 5)), spec=spec)
    sizes = []
    for second in range(200):
        start = second * 1000
        requests = [
            document
            for n in range(20)
            for document in (
                request(
                    "a", span(2 * n + 1, start + 40 * n, start + 40 * n + 9, kind="client", trace=trace(second, n))
                ),
                request(
                    "b",
                    span(2 * n + 2, start + 40 * n + 2, start + 40 * n + 7, parent=2 * n + 1, trace=trace(second, n)),
                ),
            )
        ]
        records = [record for each in requests for record in source.records(json.dumps(each).encode())]
        shard.take(records, time_ms=1000 * second, at=float(second))
        sizes.append(sum(len(part or b"") for part in shard.state))
    print(f"bytes after 20, 100 and 200 s, 20 traces each: {sizes[19]:,}, {sizes[99]:,}, {sizes[199]:,}")
    assert max(sizes[100:]) < 1.2 * max(sizes[10:100])
    assert {row["kind"] for row in shard.rejects} <= {"skipped"}


def trace(second: int, number: int) -> str:
    return f"{second * 100 + number + 1:032x}"


def test_a_query_that_catches_up_takes_nothing_for_lost() -> None:
    """Records of long ago come in batches; only their own times count, however long the batches take."""
    shard = Shard(STEPS)
    shard.take([Record("g", {"process": "p1", "order": 1, "received": "m"})], time_ms=10**9, at=5.0)
    shard.take([Record("g", {"process": "p0", "order": 1, "sent": "m"})], time_ms=2 * 10**9, at=6.0)
    assert shard.rejects == []
    shard.take([Record("g", {"process": "p0", "order": 2, "received": "n"})], time_ms=2 * 10**9, at=7.0)
    shard.look(2 * 10**9 + 10_001)
    assert [(row["kind"], row["process"]) for row in shard.rejects] == [("skipped", "p0")]


def test_damaged_clocks_are_told_or_set_aside() -> None:
    shard = Shard(STEPS)
    shard.take(step_records(1, 4), 1000)
    groups, clocks = shard.state
    assert clocks is not None
    damaged = clocks[:-1] + bytes([clocks[-1] ^ 1])
    with pytest.raises(SnapshotError, match="shard 3: the state of its clocks is damaged: its checksum is wrong"):
        worker(STEPS).work(groups, damaged, [], 2000, shard=3)
    set_aside = worker(STEPS, quarantine=True).work(groups, damaged, [], 2000, shard=3)
    assert "The clocks of all groups of the shard begin again" in set_aside.results.rejects[0]["reason"]


def test_lines_and_records_become_entries() -> None:
    mapper = StepMapper(TraceSpans())
    line = json.dumps(request("a", span(1, 0, 9)))[:-1].encode() + b',"arrival":1700000000000001}'
    (found,) = mapper.records(line, None)
    assert found.group == TRACE
    for value, size, reason in (
        (None, None, "the record has no value"),
        (b"{", 10**9, "the event has 1,000,000,000 bytes"),
        (b"\n\xff", None, "not an OTLP request in protobuf"),
        (b"nonsense", None, "not valid JSON"),
    ):
        (bad,) = mapper.records(value, size)
        assert bad.group is None
        assert reason in bad.row["reason"]


def test_what_must_not_change_has_a_name() -> None:
    assert STEPS.name == "steps"
    assert Clocking(JsonSteps({"process": "device"})).name == "steps (process=device)"
    assert Clocking(TraceSpans("all", "instance")).name == "otlp by all, processes by instance, responses rpc"


def test_the_operator_keeps_its_state_and_sets_timers() -> None:
    """With Spark's own simulation of the operator: records, then nothing until the timer."""
    spec = Spec.from_dict({"processes": ["a"], "window": 4, "properties": {"x": "possibly(a.open >= 1)"}})
    source = TraceSpans()
    work = ClockedWork(Work(Rules.of(spec), Detection()), Clocking(source, Waits(10, 60)))
    tester = TwsTester(ClockedShardProcessor(work), timeMode="ProcessingTime")
    tester.setProcessingTime(1000)
    records = list(source.records(json.dumps(request("a", span(1, 0, 9))).encode()))
    assert tester.test((3,), [Row(shard=3, payload=payload(records))]) == []
    assert tester.setProcessingTime(10_999) == []
    (verdicts, metrics) = tester.setProcessingTime(11_000)
    assert (verdicts["kind"], json.loads(verdicts["payload"])["value"]) == ("verdict", [True])
    assert (metrics["kind"], json.loads(metrics["payload"])["delivered"]) == ("metric", [2])
    assert tester.setProcessingTime(80_000) == []
    stored = tester.peekValueState("shard", (3,))
    assert stored is not None
    assert all(TRACE.encode() not in part for part in stored)
