"""How fast the pipeline on Spark is, beside its floor: the same plan with an operator that only counts.

The floor has the same source, shuffle, state (one blob for each shard) and sink, and no detection. With a sink means
that verdicts, rejects and metrics are written to folders of Parquet files, as `latwin run` does; without, that the
packed results are counted. Two cores, events from Parquet with typed columns, medians of micro-batches after the
first two of each query. Batches hold 500,000 events of 1,000 groups, 1,000,000 of 100,000, or 10,000 of one: in a
steady state under load a batch is as large as what came while the one before was worked on.

Java compiles what it runs often, and gets faster for a minute or two: the tenth batch of a pipeline takes two thirds
of its third. A pipeline runs for days, so both are run some times before anything is measured, and then in turns.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark import cloudpickle
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from figures import Figure
from latwin import Monitor, Spec
from latwin.spark import create_session, outputs
from latwin.spark.pipeline import Outputs
from latwin.spark.schemas import PACKED
from latwin.spark.sinks.folder import FolderSink
from latwin.spark.sources.columns import ColumnSource
from workloads import all_on, at_least, office, spec

#: how often ours and the floor run before they are measured, and while they are
WARM_UPS, ROUNDS = 2, 3

# Workers cannot import this file.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    session = create_session("local[2]")
    yield session
    session.stop()


def write_events(
    folder: Path,
    groups: int,
    each: int,
    files: int,
    processes: int = 3,
    first: int = 0,
    name: str = "",
    prefix: str = "office",
) -> int:
    """`groups` offices of `each` events a file, interleaved, in `files` files; the number of events.

    They begin at each office's event number `first`; `name` is the file's, if there is one.
    """
    last = first + each * files
    bases = [office(processes, 40 + last / 8 / processes, seed)[first:last] for seed in range(8)]
    for file in range(files):
        rows = [bases[k % 8][file * each : (file + 1) * each] for k in range(groups)]
        events = [event for several in rows for event in several]
        table = pa.table(
            {
                "group": [f"{prefix}-{k}" for k, several in enumerate(rows) for _ in several],
                "process": [event["process"] for event in events],
                "clock": pa.array([event["clock"] for event in events], pa.list_(pa.int64())),
                "state": pa.StructArray.from_arrays([pa.array([e["state"]["on"] for e in events])], ["on"]),
                "arrival": [int(event["arrival"] * 1e6) for event in events],
            }
        )
        order = np.argsort(np.tile(np.arange(each), groups), kind="stable")
        pq.write_table(table.take(pa.array(order)), folder / (name or f"part-{file:05d}.parquet"))
    return groups * each * files


class Counting(StatefulProcessor):
    """The floor: the same state and plan, no work."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._state = handle.getValueState("shard", "groups binary")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
        del timerValues
        stored = self._state.get()
        size = sum(len(row.payload) for row in rows)
        self._state.update((bytes(stored[0]) if stored else b"\0" * 500,))
        yield Row(kind="metric", count=1, payload=f'{{"group":["{key[0]}"],"events":[{size}]}}')

    def close(self) -> None:
        """Nothing to release."""


def floor(events: DataFrame) -> DataFrame:
    packed = ColumnSource.of(events).packed()
    return packed.groupBy("shard").transformWithState(Counting(), PACKED, "Append", "None")


def stream(
    session: SparkSession, folder: Path, checkpoint: Path, build: Any, output: Path | None = None
) -> list[float]:
    """Seconds of every micro-batch, one file each; with an output its results are written there."""
    schema = session.read.parquet(str(folder)).schema
    events = session.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(str(folder))
    packed = build(events)
    write = None if output is None else FolderSink(str(output), Outputs(packed))
    times = [time.perf_counter()]

    def sink(batch: DataFrame, number: int) -> None:
        if write is None:
            batch.groupBy("kind").sum("count").collect()
        else:
            write(batch, number)
        times.append(time.perf_counter())

    query = (
        packed.writeStream.option("checkpointLocation", str(checkpoint))
        .trigger(availableNow=True)
        .foreachBatch(sink)
        .start()
    )
    query.awaitTermination()
    return list(np.diff(times))


def test_a_thousand_groups(benchmark: Any, figure: Figure, session: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "events"
    folder.mkdir()
    count = write_events(folder, 1000, 500, 5)
    checked = spec(3, 4, all_on(3))

    def ours(events: DataFrame) -> DataFrame:
        return outputs(events, checked).packed

    def batches(build: Any, *, has_sink: bool) -> list[float]:
        output = tmp_path / f"results-{uuid4().hex}" if has_sink else None
        return stream(session, folder, tmp_path / uuid4().hex, build, output)[2:]

    def in_turns(*, has_sink: bool) -> tuple[float, float]:
        """The median batch of ours and of the floor: each runs as often after the other."""
        found: dict[Any, list[float]] = {ours: [], floor: []}
        for _ in range(ROUNDS):
            for build, seconds in found.items():
                seconds += batches(build, has_sink=has_sink)
        return statistics.median(found[ours]), statistics.median(found[floor])

    for _ in range(WARM_UPS):
        batches(ours, has_sink=True)
        batches(floor, has_sink=True)
    with_sink, beside = benchmark.pedantic(lambda: in_turns(has_sink=True), rounds=1)
    figure("Spark, 1,000 groups, streaming, with the folder sink", 500_000 / with_sink, "events/s", -150_000)
    name = "Spark, 1,000 groups, streaming, with the folder sink: times the floor"
    figure(name, with_sink / beside, "times", 1.3)
    alone, beside = in_turns(has_sink=False)
    figure("Spark, 1,000 groups, streaming, without a sink", 500_000 / alone, "events/s", -150_000)
    figure("Spark, 1,000 groups, streaming, without a sink: times the floor", alone / beside, "times", 1.3)
    events = session.read.parquet(str(folder))
    rates = []
    for _ in range(3):
        begin = time.perf_counter()
        outputs(events, checked).verdicts.count()
        rates.append(count / (time.perf_counter() - begin))
    figure("Spark, 1,000 groups, replay, typed columns", max(rates), "events/s", -250_000)
    as_json = events.selectExpr("group", "process", "clock", "to_json(state) state", "arrival")
    begin = time.perf_counter()
    outputs(as_json, checked).verdicts.count()
    figure("Spark, 1,000 groups, replay, JSON state", count / (time.perf_counter() - begin), "events/s", -60_000)


def test_a_hundred_thousand_groups(benchmark: Any, figure: Figure, session: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "events"
    folder.mkdir()
    write_events(folder, 100_000, 10, 3)
    checked = spec(3, 4, all_on(3))
    batches = benchmark.pedantic(
        lambda: stream(session, folder, tmp_path / "c", lambda e: outputs(e, checked).packed), rounds=1
    )
    figure("Spark, 100,000 groups in each batch of 1 M", 1e6 / statistics.median(batches[1:]), "events/s", -80_000)


def test_one_hot_group(benchmark: Any, figure: Figure, session: SparkSession, tmp_path: Path) -> None:
    """A group with as many events as all others together: does the batch take longer than its work and theirs?"""
    checked, files = spec(3, 4, all_on(3)), 4
    folders = {name: tmp_path / name for name in ("others", "hot", "both")}
    for folder in folders.values():
        folder.mkdir()
    write_events(folders["others"], 500, 200, files)
    write_events(folders["hot"], 1, 100_000, files, prefix="hot")
    for file in sorted(folders["others"].iterdir()):
        tables = [pq.read_table(folders[name] / file.name) for name in ("hot", "others")]
        pq.write_table(pa.concat_tables(tables), folders["both"] / file.name)

    def seconds(name: str) -> float:
        batches = stream(session, folders[name], tmp_path / f"c-{name}", lambda e: outputs(e, checked).packed)
        return statistics.median(batches[2:])

    both = benchmark.pedantic(lambda: seconds("both"), rounds=1)
    apart = seconds("others") + seconds("hot")
    figure("Spark, one group with half of all events, against its work and the others'", both / apart, "times", 1.1)


def test_idle_groups(benchmark: Any, figure: Figure, session: SparkSession, tmp_path: Path) -> None:
    """A batch that touches 1,000 of 100,000 groups, beside the same batch where no other group is known."""
    checked = spec(3, 4, all_on(3))
    times = {}
    for known in (1_000, 100_000):
        folder = tmp_path / f"events-{known}"
        folder.mkdir()
        write_events(folder, known, 3, 1)
        for file in range(1, 6):
            write_events(folder, 1_000, 3, 1, first=3 * file, name=f"part-{file:05d}.parquet")

        def run(folder: Path = folder, known: int = known) -> list[float]:
            return stream(session, folder, tmp_path / f"c{known}", lambda e: outputs(e, checked).packed)

        batches = benchmark.pedantic(run, rounds=1) if known == 100_000 else run()
        times[known] = statistics.median(batches[2:])
    figure("Spark, 1,000 of 100,000 groups touched, against no idle ones", times[100_000] / times[1_000], "times", 2)


def test_one_group_on_the_lattice(benchmark: Any, figure: Figure, session: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "events"
    folder.mkdir()
    write_events(folder, 1, 10_000, 4, processes=9)
    checked: Spec = spec(9, 4, at_least(7, 9))
    batches = benchmark.pedantic(
        lambda: stream(session, folder, tmp_path / "c", lambda e: outputs(e, checked).packed), rounds=1
    )
    events = office(9, 40 + 40_000 / 8 / 9, 0)[:40_000]
    monitor = Monitor(checked)
    monitor.observe_many(events[:30_000])
    begin = time.perf_counter()
    monitor.observe_many(json.loads(json.dumps(events[30_000:])))
    local = (time.perf_counter() - begin) / 10_000
    added = statistics.median(batches[2:]) / 10_000 - local
    figure("Spark, one group, n=9: added to the local monitor, an event", added * 1e6, "µs", 100)
