"""How fast clocks are made: on one core in a batch and in a stream, and on Spark beside events that have clocks."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from figures import Figure
from latwin.clocks import JsonSteps, LiveClocks, Step, TraceSpans, Waits, derive
from latwin.clocks.live import Arrival
from latwin.clocks.records import Record
from latwin.clocks.spans import Span
from latwin.sim import random_computation
from latwin.spark import Clocking, create_session, source_outputs
from latwin.spark.sources.lines import LineSource
from latwin.spark.sources.steps import StepSourceFrame
from workloads import all_on, spec

PROCESSES = 10
STEPS = 100_000


def computation(processes: int, states: int, seed: int) -> list[tuple[int, tuple[int, ...], list[str]]]:
    """(process, clock, ids of the messages that it received) of states, in an order that respects causes."""
    last: dict[int, tuple[int, ...]] = {}
    found = []
    for process, clock, _ in random_computation(processes, states, 0.5, seed):
        before = last.get(process, (0,) * processes)
        heard = [f"{j}.{n}" for j, n in enumerate(clock) if j != process and n > before[j]]
        last[process] = clock
        found.append((process, clock, heard))
    return found


def test_one_core(benchmark: Any, figure: Figure) -> None:
    states = computation(PROCESSES, STEPS, 1)
    steps = [Step(f"p{k}", clock[k], (f"{k}.{clock[k]}",), tuple(heard), {"on": True}) for k, clock, heard in states]
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        derived = derive(steps)
        seconds.append(time.perf_counter() - begin)
    assert len(derived.events) == len(steps)
    figure("clocks of steps, 10 processes, in a batch", len(steps) / min(seconds), "steps/s", -100_000)
    arrivals = [
        Arrival(
            Record("g", {"process": s.process, "order": s.order, "sent": s.sent[0], "received": list(s.received)}), n
        )
        for n, s in enumerate(steps)
    ]

    def streamed() -> int:
        live = LiveClocks(JsonSteps(), Waits(1000, 10_000, first_order=1))
        count = 0
        for first in range(0, len(arrivals), 10_000):
            some = arrivals[first : first + 10_000]
            count += sum(len(group.events) for group in live.take(some, some[-1].at))
        return count

    assert benchmark.pedantic(streamed, rounds=3) == len(steps)
    took = benchmark.stats.stats.min
    figure("clocks of steps, 10 processes, in a stream", len(steps) / took, "steps/s", -100_000)


def test_spans_of_one_system(benchmark: Any, figure: Figure) -> None:
    """Calls of one service to another, 500 a second, of which those of the last 5 seconds wait."""
    source = TraceSpans("all", "instance")
    begin_ns, calls = 10**18, 4000
    arrivals = []
    for number in range(calls):
        trace, start = f"{number + 1:032x}", begin_ns + number * 2_000_000
        client = Span(trace, f"{1:016x}", "call", start, start + 9_000_000, "a", "1", kind="client")
        server = Span(
            trace, f"{2:016x}", "work", start + 10**6, start + 8_000_000, "b", "1", client.id, kind="server"
        )
        at = (start - begin_ns) / 1e9
        arrivals += [Arrival(Record("", span), at) for span in (server, client)]

    def streamed() -> int:
        live = LiveClocks(source, Waits(5, 20))
        count = 0
        for first in range(0, len(arrivals), 1000):
            some = arrivals[first : first + 1000]
            count += sum(len(group.events) for group in live.take(some, some[-1].at))
        return count + sum(len(group.events) for group in live.finish())

    assert benchmark.pedantic(streamed, rounds=3) == 4 * calls
    took = benchmark.stats.stats.min
    figure("clocks of the spans of one system, in a stream", 4 * calls / took, "steps/s", -15_000)


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    session = create_session("local[2]")
    yield session
    session.stop()


def write_lines(folder: Path, groups: int, each: int, files: int, *, has_clocks: bool) -> None:
    """Files of JSON lines: the same computations with clocks, or with the ids of messages."""
    bases = [computation(3, each * files, seed) for seed in range(8)]
    folder.mkdir()
    for file in range(files):
        with (folder / f"part-{file:05d}.jsonl").open("w") as out:
            for place in range(file * each, (file + 1) * each):
                for group in range(groups):
                    k, clock, heard = bases[group % 8][place]
                    row: dict[str, Any] = {"group": f"g{group}", "process": f"p{k}"}
                    if has_clocks:
                        row |= {"clock": {f"p{j}": n for j, n in enumerate(clock) if n}, "arrival": place}
                    else:
                        row |= {"order": clock[k], "sent": f"{k}.{clock[k]}", "received": heard}
                    out.write(json.dumps({**row, "state": {"on": (place * 7 + group) % 3 > 0}}) + "\n")


def stream(session: SparkSession, folder: Path, checkpoint: Path, build: Any, files: int) -> list[float]:
    """Seconds of every micro-batch, one file each; a query with timers is stopped after the last."""
    lines = session.readStream.option("maxFilesPerTrigger", 1).text(str(folder), lineSep="\n")
    times = [time.perf_counter()]

    def sink(batch: DataFrame, _: int) -> None:
        batch.groupBy("kind").sum("count").collect()
        times.append(time.perf_counter())

    writer = build(lines).writeStream.option("checkpointLocation", str(checkpoint)).foreachBatch(sink)
    query = writer.trigger(processingTime="0 seconds").start()
    while len(times) <= files:
        if not query.isActive:
            query.awaitTermination()  # tells what it failed of
        time.sleep(0.05)
    query.stop()
    return [after - before for before, after in pairwise(times)][:files]


def test_streaming_on_spark(benchmark: Any, figure: Figure, session: SparkSession, tmp_path: Path) -> None:
    groups, each, files = 1000, 200, 5
    checked = spec(3, 4, all_on(3))
    clocking = Clocking(JsonSteps(), Waits(60, 3600, first_order=1))

    def with_clocks(lines: DataFrame) -> DataFrame:
        return source_outputs(LineSource(lines), checked).packed

    def without(lines: DataFrame) -> DataFrame:
        return source_outputs(StepSourceFrame(lines, clocking), checked).packed

    for name, has_clocks in (("events", True), ("steps", False)):
        write_lines(tmp_path / name, groups, each, files, has_clocks=has_clocks)
    plain = stream(session, tmp_path / "events", tmp_path / "c1", with_clocks, files)
    derived = benchmark.pedantic(
        lambda: stream(session, tmp_path / "steps", tmp_path / "c2", without, files), rounds=1
    )
    rate = groups * each / statistics.median(derived[2:])
    figure("Spark, 1,000 groups, clocks made in the stream", rate, "steps/s", -20_000)
    ratio = statistics.median(derived[2:]) / statistics.median(plain[2:])
    figure("Spark, 1,000 groups: clocks in the stream, against events that have clocks", ratio, "times", 2)
