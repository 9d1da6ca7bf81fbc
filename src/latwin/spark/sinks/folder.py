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

from typing import get_args
from uuid import uuid4

import msgspec
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.types import LongType, StructType

from latwin.errors import InvalidInput
from latwin.spark.files import Files
from latwin.spark.kafka.address import is_kafka
from latwin.spark.pipeline import Outputs
from latwin.spark.schemas import TABLES, Table, with_added_columns
from latwin.spark.sinks import BatchSummary, Never, kept, summarize

_MARK = "_latwin.json"
#: file systems without an atomic rename of folders
_OBJECT_STORES = frozenset({"s3", "s3a", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "adl", "oss", "cosn", "obs"})
#: so many rows make one file, however many partitions they come from
_ROWS_PER_FILE = 100_000


class FolderSink:
    """For `foreachBatch` on `Outputs.packed`: writes each batch into the folders above.

    `owner` marks whose results the folder holds: a checkpoint's id. A folder marked with another is refused,
    because batches are numbered anew with each checkpoint. `last` is the summary of the latest batch.

        outputs = latwin.spark.outputs(events, spec)
        sink = FolderSink("results", outputs)
        outputs.packed.writeStream.foreachBatch(sink).option("checkpointLocation", "checkpoint").start()
    """

    def __init__(self, output: str, outputs: Outputs, *, owner: str | None = None, never: Never = ()) -> None:
        _refuse_object_stores(output)
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
            if owner_of(self._files, self._output) != owner:
                raise InvalidInput(
                    f"the output {self._output} holds results of another checkpoint; "
                    "use that checkpoint, or another output"
                )
            return
        if any(self._files.names(f"{self._output}/{table}") for table in get_args(Table)):
            raise InvalidInput(f"the output {self._output} holds results already; use another output")
        self._files.make_folder(self._output)
        self._files.write(path, msgspec.json.encode({"checkpoint": owner}))


def owner_of(files: Files, output: str) -> str | None:
    """The owner with whom an output is marked; None if it is not, or is no folder."""
    path = f"{output.rstrip('/')}/{_MARK}"
    if is_kafka(output) or not files.exists(path):
        return None
    try:
        owner = msgspec.json.decode(files.read(path), type=dict[str, str]).get("checkpoint")
    except msgspec.DecodeError:
        raise InvalidInput(f"{path}: is damaged; use another checkpoint and output") from None
    return owner


def _refuse_object_stores(output: str) -> None:
    """Their rename of a folder is a copy, file by file, and one that ended half-way would count as complete."""
    scheme = output.partition("://")[0].lower() if "://" in output else ""
    if scheme in _OBJECT_STORES:
        raise InvalidInput(
            f"the output {output} is in an object store, which cannot rename a folder in one step; results could be "
            "seen in part. Write to a local disk or HDFS, or to a Kafka topic"
        )


def read_output(session: SparkSession, output: str, table: Table) -> DataFrame:
    """The rows of an output folder's table, each once, with their `batch`; none if no batch had any.

    `session.read.parquet` alone does the same once there are rows, but then an output of an older latwin lacks the
    columns that were added since. `time` is of the events' type, or a string. For topics there is
    `latwin.spark.kafka.read_topic`.
    """
    if table not in get_args(Table):
        raise InvalidInput(f"table must be one of {', '.join(get_args(Table))}; got {table!r}")
    folder = f"{output.rstrip('/')}/{table}"
    files = Files(session)
    if any(name.startswith("batch=") for name in files.names(folder)):
        rows = session.read.parquet(folder).withColumn("batch", F.col("batch").cast("bigint"))
        return with_added_columns(rows, table)
    if not files.exists(folder):
        raise InvalidInput(f"{output} is no output of latwin: it has no folder {table!r}")
    schema = StructType([*TABLES[table].fields]).add("batch", LongType())
    return session.createDataFrame([], schema)
