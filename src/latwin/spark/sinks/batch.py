"""A micro-batch on its way into a sink: its rows are here if they are few, else they stay with Spark.

Each job of Spark costs a tenth of a second or more, however little it does. So a batch is collected once, and
written and told of from there. Each partition hands over its rows only up to a limit, its verdicts as Arrow tables,
which all cores make while the driver waits; if one has more, the batch is left where it is, and as long as batches
are large nobody tries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from inspect import signature
from typing import Any

import msgspec
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import (
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegralType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from latwin.clocks.pausing import collector_paused
from latwin.spark.pipeline import Outputs
from latwin.spark.results import USUAL, PackedRows
from latwin.spark.schemas import PACKED_COLUMNS, RECORDED, SCHEMAS, as_record
from latwin.spark.sinks.summary import BatchSummary, Never, summarize, summary_of

#: PySpark 4.0 and 4.1 give times of Arrow in UTC by themselves, later ones have to be told
_IN_UTC: dict[str, Any] = {"timezone": "UTC"} if "timezone" in signature(to_arrow_schema).parameters else {}
#: a batch whose results have at most so many bytes, as JSON, is written by the driver
FEW_BYTES = 8 << 20
KINDS = {"verdicts": "verdict", "rejects": "reject", "metrics": "metric"}
_TOO_MANY = "too many"
Row = dict[str, Any]


@dataclass(frozen=True)
class FewRows:
    """The rows of a small batch."""

    #: with the columns and types that `schemas.unpack` gives
    verdicts: pa.Table
    rejects: PackedRows = field(default_factory=PackedRows)
    metrics: PackedRows = field(default_factory=PackedRows)


@dataclass(frozen=True)
class Batch:
    """The results of a micro-batch."""

    number: int
    #: its tables, as DataFrames that are computed once
    outputs: Outputs
    #: its rows, if they are few
    rows: FewRows | None

    def summary(self, never: Never) -> BatchSummary:
        """What it held."""
        if self.rows is not None:
            return summary_of(self.rows.verdicts, self.rows.rejects, self.rows.metrics, self.number, never)
        return summarize(self.outputs.packed, self.number, never)

    def table(self, table: str) -> pa.Table | None:
        """The rows of a table, with their `batch`, and the types that Spark's have; None if they are not here."""
        if self.rows is None:
            return None
        found = self.rows.verdicts
        if table != "verdicts":
            found = arrow_table(getattr(self.rows, table), KINDS[table], self.outputs.time)
        return found.append_column("batch", pa.repeat(pa.scalar(self.number, pa.int64()), len(found)))

    def verdicts_where(self, column: str) -> list[Row]:
        """The verdicts of which a column is true, as records, in the order of slides for each group."""
        if self.rows is None:
            found = self.outputs.verdicts.where(F.col(column)).collect()
            return [as_record(row) for row in found]
        table = self.rows.verdicts.filter(self.rows.verdicts.column(column))
        told: list[Row] = table.rename_columns([RECORDED.get(name, name) for name in table.column_names]).to_pylist()
        if isinstance(self.outputs.time, TimestampType):  # as Spark's rows have them
            for row in told:
                row["time"] = row["time"] and row["time"].astimezone().replace(tzinfo=None)
        return told


@dataclass
class Collector:
    """Opens batches, and remembers whether they are small."""

    outputs: Outputs
    few_bytes: int = field(default_factory=lambda: FEW_BYTES)
    _is_small: bool = field(default=True, init=False)

    @contextmanager
    def opened(self, packed: DataFrame, number: int) -> Iterator[Batch]:
        """A batch, computed once however often it is read meanwhile."""
        with kept(packed):
            # What verdicts take along has types of the user's, which Spark knows best.
            may_collect = self._is_small and self.outputs.kept is None
            rows = few_rows(packed, self.few_bytes, self.outputs.time) if may_collect else None
            yield Batch(number, self.outputs.of(packed), rows)
            if rows is None:
                total = packed.agg(F.sum(F.octet_length("payload"))).collect()[0][0] or 0
                self._is_small = total <= self.few_bytes


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


def few_rows(packed: DataFrame, few_bytes: int, time: DataType | None = None) -> FewRows | None:
    """The rows of packed results, found in one job; None if they have more bytes than this.

    `time` is the type of the events' times.
    """
    partitions = int(packed.sparkSession.conf.get("spark.sql.shuffle.partitions", "200") or 200)
    found = packed.mapInArrow(_HandOver(max(1, few_bytes // partitions), time), _HANDED_OVER).collect()
    if any(kind == _TOO_MANY for kind, _, _ in found):
        return None
    tables = [pa.ipc.open_stream(bytes(rows)).read_all() for kind, _, rows in found if kind == "verdict"]
    few = FewRows(pa.concat_tables([arrow_table(PackedRows(), "verdict", time), *tables]))
    with collector_paused():
        for kind, count, rows in found:
            if kind != "verdict":
                (few.rejects if kind == "reject" else few.metrics).add(count, bytes(rows))
    return few


@dataclass(frozen=True)
class _HandOver:
    """For `mapInArrow`: the rows of a partition, or one that says that there are too many.

    Workers find it by its name: a function within another would be sent with all that it uses, and decoders cannot.
    """

    most_bytes: int
    time: DataType | None

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows of `_HANDED_OVER`."""
        size = 0
        verdicts = PackedRows()
        for batch in batches:
            size += batch.nbytes
            if size > self.most_bytes:
                yield _handed_over([(_TOO_MANY, 0, b"")])
                for _ in batches:  # Spark expects that all is read
                    pass
                return
            others = []
            with collector_paused():
                for kind, count, payload in zip(*(batch[name].to_pylist() for name in PACKED_COLUMNS), strict=True):
                    if kind == "verdict":
                        verdicts.add(count, payload)
                    else:
                        others.append((kind, count, payload.encode()))
            yield _handed_over(others)
        if verdicts:
            table = arrow_table(verdicts, "verdict", self.time)
            yield _handed_over([("verdict", len(verdicts), _stream_of(table))])


#: what a partition hands over: verdicts as a stream of Arrow, the others as JSON
_HANDED_OVER = "kind string, count bigint, rows binary"


def _handed_over(rows: Sequence[tuple[str, int, bytes]]) -> pa.RecordBatch:
    kinds, counts, contents = ([row[k] for row in rows] for k in range(3))
    columns = [pa.array(kinds, pa.string()), pa.array(counts, pa.int64()), pa.array(contents, pa.binary())]
    return pa.RecordBatch.from_arrays(columns, names=["kind", "count", "rows"])


def _stream_of(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return bytes(sink.getvalue())


def arrow_table(rows: PackedRows, kind: str, time: DataType | None) -> pa.Table:
    """Rows of one kind as a table, with the columns and types that `schemas.unpack` gives."""
    fields = [*SCHEMAS[kind].fields]
    if kind == "verdict" and time is not None:
        fields[-1] = StructField("time", time)
    types = to_arrow_schema(StructType(fields), **_IN_UTC)
    read_time = _time_reader(time if kind == "verdict" else None)
    columns: list[Any] = []
    for name, arrow in zip(types.names, types.types, strict=True):
        values = rows.column(RECORDED.get(name, name))
        if kind == "verdict" and name in USUAL:
            values = [USUAL[name] if value is None else value for value in values]
        elif name == "time":
            values = [None if value is None else read_time(as_text(value)) for value in values]
        elif pa.types.is_map(arrow):
            values = [None if value is None else list(value.items()) for value in values]
        columns.append(pa.array(values, arrow))
    return pa.Table.from_arrays(columns, schema=types)


def as_text(value: Any) -> str:
    """A JSON value in a column of texts."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _time_reader(kind: DataType | None) -> Callable[[str], Any]:
    """What makes a time of the text that the packed rows have; see `schemas`."""
    readers: list[tuple[type[DataType], Callable[[str], Any]]] = [
        (
            TimestampType,
            lambda text: datetime.fromtimestamp(int(text) // 10**6, UTC).replace(microsecond=int(text) % 10**6),
        ),
        (TimestampNTZType, datetime.fromisoformat),
        (DateType, date.fromisoformat),
        (IntegralType, int),
        (DecimalType, Decimal),
        (FloatType, float),
        (DoubleType, float),
    ]
    return next((read for types, read in readers if isinstance(kind, types)), str)
