"""Where results go: Parquet folders in which every row is seen exactly once.

    <output>/_latwin.json            whose results these are
    <output>/verdicts/batch=0/...    one folder for each batch that had verdicts
    <output>/rejects/batch=7/...
    <output>/metrics/batch=0/...

A batch is written to a hidden folder, which readers ignore, and then renamed to its place in one step. A batch
whose folder is there is complete: if Spark replays it after a crash, nothing is written again. This needs a file
system with an atomic rename of folders (local disks, HDFS; not plain object stores).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, get_args
from uuid import uuid4

import msgspec
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.types import LongType, StructType

from latwin.errors import InvalidInput
from latwin.spark.checkpoint import Files
from latwin.spark.pipeline import Outputs
from latwin.spark.schemas import METRICS, REJECTS, SCHEMAS, VERDICTS

Table = Literal["verdicts", "rejects", "metrics"]
_KINDS: dict[str, Table] = {"verdict": "verdicts", "reject": "rejects", "metric": "metrics"}
_SCHEMAS: dict[str, StructType] = {"verdicts": VERDICTS, "rejects": REJECTS, "metrics": METRICS}
_MARK = "_latwin.json"
#: so many rows make one file, however many partitions they come from
_ROWS_PER_FILE = 100_000


@dataclass(frozen=True)
class BatchSummary:
    """What one batch held."""

    batch_id: int
    verdicts: int = 0
    rejects: int = 0
    #: events that reached a group; a line that is no event is only among the rejects
    events: int = 0
    #: groups that had events
    groups: int = 0
    #: states that wait for earlier ones, in these groups
    waiting: int = 0
    #: how often a property under `never` came true
    violations: Mapping[str, int] = field(default_factory=dict)
    #: at how many slides one of them was too large to be answered
    unanswered: Mapping[str, int] = field(default_factory=dict)


def summarize(packed: DataFrame, batch_id: int, never: tuple[str, ...] = ()) -> BatchSummary:
    """What is in a batch of packed results, found in one job."""
    columns = [
        F.sum("count").alias("rows"),
        F.sum(_total("events")).alias("events"),
        F.sum(_total("waiting")).alias("waiting"),
        *(F.sum(_came_true(name)).alias(f"never {position}") for position, name in enumerate(never)),
        *(F.sum(_unanswered(name)).alias(f"unanswered {position}") for position, name in enumerate(never)),
    ]
    found = {row["kind"]: row for row in packed.groupBy("kind").agg(*columns).collect()}
    counts = {kind: int(found[kind]["rows"]) if kind in found else 0 for kind in SCHEMAS}
    metric, verdict = found.get("metric"), found.get("verdict")
    hits = {name: int(verdict[f"never {k}"] or 0) if verdict else 0 for k, name in enumerate(never)}
    unknown = {name: int(metric[f"unanswered {k}"] or 0) if metric else 0 for k, name in enumerate(never)}
    return BatchSummary(
        batch_id,
        verdicts=counts["verdict"],
        rejects=counts["reject"],
        events=int(metric["events"] or 0) if metric else 0,
        groups=counts["metric"],
        waiting=int(metric["waiting"] or 0) if metric else 0,
        violations={name: count for name, count in hits.items() if count},
        unanswered={name: count for name, count in unknown.items() if count},
    )


def _total(name: str) -> Column:
    """The sum of a metric over the rows that are packed together."""
    return _sum_of("array<struct<events:bigint,waiting:bigint>>", lambda row: row[name])


def _unanswered(name: str) -> Column:
    """At how many slides a property was too large; rows say so only if there are any."""
    return _sum_of("array<struct<unanswered:map<string,bigint>>>", lambda row: row["unanswered"][name])


def _sum_of(schema: str, number: Callable[[Column], Column]) -> Column:
    zero = F.lit(0).cast("bigint")
    rows = F.from_json("payload", schema)
    total = F.aggregate(rows, zero, lambda before, row: before + F.coalesce(number(row), zero))
    return F.when(F.col("kind") == "metric", total)


def _came_true(name: str) -> Column:
    rows = F.from_json("payload", "array<struct<property:string,value:boolean,changed:boolean>>")
    hits = F.filter(rows, lambda row: (row["property"] == name) & row["value"] & row["changed"])
    return F.when(F.col("kind") == "verdict", F.size(hits))


@contextmanager
def kept(batch: DataFrame) -> Iterator[DataFrame]:
    """The batch, computed once however often it is read meanwhile."""
    if batch.is_cached:
        yield batch
        return
    batch.persist()
    try:
        yield batch
    finally:
        batch.unpersist()


class FolderSink:
    """For `foreachBatch` on `Outputs.packed`: writes each batch into the folders above.

    `owner` marks whose results the folder holds: a checkpoint's id. A folder marked with another is refused,
    because batches are numbered anew with each checkpoint. `last` is the summary of the latest batch.

        outputs = latwin.spark.outputs(events, spec)
        sink = FolderSink("results", outputs)
        outputs.packed.writeStream.foreachBatch(sink).option("checkpointLocation", "checkpoint").start()
    """

    def __init__(
        self, output: str, outputs: Outputs, *, owner: str | None = None, never: tuple[str, ...] = ()
    ) -> None:
        self._output = output.rstrip("/") or "/"
        self._outputs = outputs
        self._never = never
        self._files = Files(outputs.packed.sparkSession)
        self.last: BatchSummary | None = None
        self._claim(owner)
        for table in get_args(Table):
            folder = f"{self._output}/{table}"
            self._files.make_folder(folder)
            for name in self._files.names(folder):
                if name.startswith(".batch="):
                    self._files.delete(f"{folder}/{name}")

    def __call__(self, batch: DataFrame, batch_id: int) -> BatchSummary:
        """Write a batch; what it held."""
        with kept(batch):
            summary = summarize(batch, batch_id, self._never)
            rows = self._outputs.of(batch)
            self._write("verdicts", rows.verdicts, summary.verdicts, batch_id)
            self._write("rejects", rows.rejects, summary.rejects, batch_id)
            self._write("metrics", rows.metrics, summary.groups, batch_id)
        self.last = summary
        return summary

    def _write(self, table: Table, rows: DataFrame, count: int, batch_id: int) -> None:
        """Let the rows of one table appear at once, unless they are there."""
        folder = f"{self._output}/{table}"
        place = f"{folder}/batch={batch_id}"
        if not count or self._files.exists(place):
            return
        hidden = f"{folder}/.batch={batch_id}.{uuid4().hex[:8]}"
        if count <= _ROWS_PER_FILE:
            rows = rows.coalesce(1)
        rows.write.parquet(hidden)
        self._files.rename(hidden, place)

    def _claim(self, owner: str | None) -> None:
        """Mark the output as the owner's, or raise if it is another's."""
        path = f"{self._output}/{_MARK}"
        if owner is None:
            return
        if self._files.exists(path):
            there = msgspec.json.decode(self._files.read(path)).get("checkpoint")
            if there != owner:
                raise InvalidInput(
                    f"the output {self._output} holds results of another checkpoint; "
                    "use that checkpoint, or another output"
                )
            return
        if any(self._files.names(f"{self._output}/{table}") for table in get_args(Table)):
            raise InvalidInput(f"the output {self._output} holds results already; use another output")
        self._files.make_folder(self._output)
        self._files.write(path, msgspec.json.encode({"checkpoint": owner}))


def read_output(session: SparkSession, output: str, table: Table) -> DataFrame:
    """The rows of an output folder's table, each once, with their `batch`; none if no batch had any.

    `session.read.parquet` alone does the same once there are rows. `time` is of the events' type, or a string. For
    topics there is `latwin.spark.kafka.read_topic`.
    """
    if table not in get_args(Table):
        raise InvalidInput(f"table must be one of {', '.join(get_args(Table))}; got {table!r}")
    folder = f"{output.rstrip('/')}/{table}"
    files = Files(session)
    if any(name.startswith("batch=") for name in files.names(folder)):
        return session.read.parquet(folder).withColumn("batch", F.col("batch").cast("bigint"))
    if not files.exists(folder):
        raise InvalidInput(f"{output} is no output of latwin: it has no folder {table!r}")
    schema = StructType([*_SCHEMAS[table].fields]).add("batch", LongType())
    return session.createDataFrame([], schema)
