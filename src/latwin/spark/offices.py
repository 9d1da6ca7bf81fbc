"""Simulated offices as a Spark job: some of them in each task, written where they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from latwin.sim.offices import Offices

EVENTS = (
    "group string, process string, clock map<string, bigint>, state struct<on: boolean>, time double, arrival bigint"
)
_ARROW = pa.schema(
    [
        ("group", pa.string()),
        ("process", pa.string()),
        ("clock", pa.map_(pa.string(), pa.int64())),
        ("state", pa.struct([("on", pa.bool_())])),
        ("time", pa.float64()),
        ("arrival", pa.int64()),
    ]
)
_EVENTS_PER_TASK = 100_000
_POLL_S = 0.3


def simulate_events(session: SparkSession, offices: Offices) -> DataFrame:
    """The events of all offices, made by Spark's workers."""
    return _numbers(session, offices).mapInArrow(lambda batches: _tables(offices, batches), EVENTS)


def write_offices(
    session: SparkSession,
    offices: Offices,
    folder: str,
    format: str = "jsonl",
    on_progress: Callable[[int, int], object] | None = None,
) -> int:
    """Write all events as JSON lines or Parquet; how many. `on_progress` is told of (tasks done, tasks)."""
    counted = session.sparkContext.accumulator(0)

    def tables(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for table in _tables(offices, batches):
            counted.add(table.num_rows)
            yield table

    events = _numbers(session, offices).mapInArrow(tables, EVENTS)
    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(events.write.format("json" if format == "jsonl" else "parquet").save, folder)
        while not wait([job], timeout=_POLL_S).done:
            if on_progress is not None:
                on_progress(*_progress(session))
        job.result()
    return counted.value


def write_parquet(offices: Offices, numbers: Iterable[int], path: Path) -> int:
    """The same into one file, without Spark."""
    count = 0
    with pq.ParquetWriter(path, _ARROW) as writer:
        for number in numbers:
            table = pa.Table.from_pylist(_rows(offices, number), _ARROW)
            writer.write_table(table)
            count += table.num_rows
    return count


def _numbers(session: SparkSession, offices: Offices) -> DataFrame:
    tasks = max(session.sparkContext.defaultParallelism, offices.expected_events // _EVENTS_PER_TASK)
    return session.range(0, offices.groups, 1, min(tasks, offices.groups))


def _in(batches: Iterator[pa.RecordBatch]) -> Iterator[int]:
    for batch in batches:
        yield from batch.column(0).to_pylist()


def _tables(offices: Offices, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for number in _in(batches):
        yield pa.RecordBatch.from_pylist(_rows(offices, number), _ARROW)


def _rows(offices: Offices, number: int) -> list[dict[str, object]]:
    return [{**event, "clock": list(event["clock"].items())} for event in offices.events(number)]


def _progress(session: SparkSession) -> tuple[int, int]:
    tracker = session.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    return sum(s.numCompletedTasks for s in stages if s), sum(s.numTasks for s in stages if s)
