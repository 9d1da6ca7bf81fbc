"""Where results go: Parquet files in which every row is seen exactly once.

    <output>/_latwin.json                          whose results these are
    <output>/_latwin/...                           which files count; see `latwin.outputs.manifest`
    <output>/verdicts/batch-000000000000.parquet   one file for each batch that had verdicts
    <output>/rejects/batch-000000000007.parquet
    <output>/metrics/batch-000000000000.parquet

The files of a batch are put in their places; then one small file, the batch's commit, says that they count. If the
pipeline is killed before, they do not count, and the batch is written again when Spark replays it, under the same
names. A batch that was committed is not written again. No rename is needed, so this holds on object stores, too.

A small batch is written by the driver: one file a table. A large one is written by Spark, and its files are then
moved to their places.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import time
from uuid import uuid4

import msgspec
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.types import LongType, StructType

from latwin.errors import InvalidInput
from latwin.outputs.compaction import parquet_bytes
from latwin.outputs.manifest import (
    HOME,
    STAGING,
    DataFile,
    Manifest,
    Table,
    clear_unfinished,
    file_name,
)
from latwin.outputs.manifest import (
    TABLES as TABLE_NAMES,
)
from latwin.outputs.store import Store
from latwin.spark.files import Files, store_of
from latwin.spark.pipeline import Outputs
from latwin.spark.schemas import TABLES, with_added_columns
from latwin.spark.sinks.batch import Batch
from latwin.spark.sinks.sink import Sink
from latwin.spark.sinks.summary import BatchSummary, Never
from latwin.spark.tables import is_named

_MARK = "_latwin.json"
#: of a large batch so many rows make one file, however many partitions they come from
_ROWS_PER_FILE = 500_000
_LISTING_TASKS = "spark.sql.sources.parallelPartitionDiscovery.parallelism"


class FolderSink(Sink):
    """For `foreachBatch` on `Outputs.packed`: writes each batch into the folders above.

    `owner` marks whose results the folder holds: a checkpoint's id. A folder marked with another is refused,
    because batches are numbered anew with each checkpoint. `last` is the summary of the latest batch.

        outputs = latwin.spark.outputs(events, spec)
        sink = FolderSink("results", outputs)
        outputs.packed.writeStream.foreachBatch(sink).option("checkpointLocation", "checkpoint").start()
    """

    def __init__(self, output: str, outputs: Outputs, *, owner: str | None = None, never: Never = ()) -> None:
        super().__init__(outputs, never)
        self._output = output.rstrip("/") or "/"
        self._files = Files(outputs.packed.sparkSession)
        self._store = store_of(self._files, self._output)
        self._claim(owner)
        self._manifest = Manifest(self._store)
        clear_unfinished(self._store, self._manifest)
        for table in TABLE_NAMES:
            self._files.make_folder(f"{self._output}/{table}")

    def write(self, batch: Batch, summary: BatchSummary) -> None:
        """Write the files of a batch, then let them count."""
        counts = dict(zip(TABLE_NAMES, (summary.verdicts, summary.rejects, summary.groups), strict=True))
        if batch.number <= self._manifest.last or not any(counts.values()):
            return
        files: list[DataFile] = []
        for table, count in counts.items():
            if count:
                files += self._put(batch, table) if batch.rows is not None else self._move(batch, table, count)
        self._manifest.commit(batch.number, files)

    def _put(self, batch: Batch, table: Table) -> Iterator[DataFile]:
        """Write the rows that are here."""
        rows = batch.table(table)
        assert rows is not None
        content = parquet_bytes(rows)
        file = _file(table, batch.number, None, rows.num_rows, len(content))
        self._store.put(file.path, content)
        yield file

    def _move(self, batch: Batch, table: Table, count: int) -> Iterator[DataFile]:
        """Let Spark write the rows, and move its files."""
        rows: DataFrame = getattr(batch.outputs, table)
        staged = f"{STAGING}/{batch.number}-{table}-{uuid4().hex[:8]}"
        marked = rows.withColumn("batch", F.lit(batch.number).cast("bigint"))
        marked.coalesce(-(-count // _ROWS_PER_FILE)).write.parquet(f"{self._output}/{staged}")
        parts = [name for name in self._store.names(staged) if name.endswith(".parquet") and name[0] not in "._"]
        for part, name in enumerate(parts):
            place = f"{self._output}/{staged}/{name}"
            file = _file(table, batch.number, part, self._files.parquet_rows(place), self._files.size(place))
            self._store.move(f"{staged}/{name}", file.path)
            yield file
        self._store.delete(staged)

    def _claim(self, owner: str | None) -> None:
        """Mark the output as the owner's, or raise if it is another's, or of a form that is not written any more."""
        if any(_is_old(self._store, table) for table in TABLE_NAMES):
            raise InvalidInput(
                f"the output {self._output} was written by an older latwin, in folders batch=...; it can be read, "
                "but not continued: use a new checkpoint and output"
            )
        if owner is None:
            return
        path = f"{self._output}/{_MARK}"
        if self._files.exists(path):
            if owner_of(self._files, self._output) != owner:
                raise InvalidInput(
                    f"the output {self._output} holds results of another checkpoint; "
                    "use that checkpoint, or another output"
                )
            return
        if any(self._store.names(table) for table in TABLE_NAMES):
            raise InvalidInput(f"the output {self._output} holds results already; use another output")
        self._store.put(_MARK, msgspec.json.encode({"checkpoint": owner}))


def owner_of(files: Files, output: str) -> str | None:
    """The owner with whom an output is marked; None if it is not, or is no folder."""
    if is_named(output):
        return None
    path = f"{output.rstrip('/')}/{_MARK}"
    if not files.exists(path):
        return None
    try:
        owner = msgspec.json.decode(files.read(path), type=dict[str, str]).get("checkpoint")
    except msgspec.DecodeError:
        raise InvalidInput(f"{path}: is damaged; use another checkpoint and output") from None
    return owner


def read_output(session: SparkSession, output: str, table: Table) -> DataFrame:
    """The rows of an output folder's table, each once, with their `batch`; none if no batch had any.

    It reads the files that count now. `session.read.parquet` alone does the same once there are rows, unless a
    pipeline is writing or was killed within a batch, or a compaction runs; and then an output of an older latwin
    lacks the columns that were added since. `time` is of the events' type, or a string. For topics there is
    `latwin.spark.kafka.read_topic`.
    """
    if table not in TABLE_NAMES:
        raise InvalidInput(f"table must be one of {', '.join(TABLE_NAMES)}; got {table!r}")
    folder = f"{output.rstrip('/')}/{table}"
    files = Files(session)
    store = store_of(files, output)
    if _is_old(store, table):
        rows = session.read.parquet(folder).withColumn("batch", F.col("batch").cast("bigint"))
        return with_added_columns(rows, table)
    paths = [f"{output.rstrip('/')}/{file.path}" for file in Manifest(store).of(table)]
    if paths:
        with _few_listing_tasks(session):
            rows = session.read.option("mergeSchema", "false").parquet(*paths)
        return with_added_columns(rows, table)
    if not files.exists(folder):
        raise InvalidInput(f"{output} is no output of latwin: it has no folder {table!r}")
    schema = StructType([*TABLES[table].fields]).add("batch", LongType())
    return session.createDataFrame([], schema)


@contextmanager
def _few_listing_tasks(session: SparkSession) -> Iterator[None]:
    """Meanwhile, Spark looks at paths in a few tasks for each core; by itself it starts one for every path."""
    before = int(session.conf.get(_LISTING_TASKS) or 10_000)
    session.conf.set(_LISTING_TASKS, str(min(before, 4 * session.sparkContext.defaultParallelism)))
    try:
        yield
    finally:
        session.conf.set(_LISTING_TASKS, str(before))


def count_output(session: SparkSession, output: str) -> dict[Table, int]:
    """How many rows the tables of an output folder have, by its records alone: quick after any number of batches."""
    files = Files(session)
    if not files.exists(f"{output.rstrip('/')}/{HOME}"):
        raise InvalidInput(f"{output} is no output of latwin, or no batch has had results: it has no folder {HOME!r}")
    return Manifest(store_of(files, output)).rows()


def _file(table: Table, batch: int, part: int | None, rows: int, size: int) -> DataFile:
    return DataFile(table, file_name(batch, part), batch, batch, rows, size, round(time(), 3))


def _is_old(store: Store, table: str) -> bool:
    """Whether a table has the folders of batches that older versions wrote."""
    return any(name.startswith("batch=") for name in store.names(table))
