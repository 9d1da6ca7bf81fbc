"""Steps and spans as a source: lines of files, or records of Kafka, whose clocks are made in the stream.

Spans in Kafka are what the OpenTelemetry Collector's Kafka exporter writes, in protobuf or JSON. They may be in any
partition and in any order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.types import DataType

from latwin.clocks import JsonSteps, Step, StepSource, TraceSpans
from latwin.clocks.live import arrival_of, check_source, storable
from latwin.clocks.records import Record, unreadable
from latwin.errors import InvalidInput
from latwin.events.otlp import decode_request, is_json_request
from latwin.events.reading import too_long
from latwin.spark.clocked import Clocking, Entry
from latwin.spark.packing import SCHEMA, Row, RowMapper
from latwin.spark.sources.lines import bounded
from latwin.spark.sweep import Sweep

#: a line or record may be a request with thousands of spans
MAX_BYTES = 64 << 20
_ENCODER = msgspec.json.Encoder()


@dataclass(frozen=True)
class StepSourceFrame:
    """A DataFrame with the column `value`, one line or record each, and perhaps Kafka's `timestamp`."""

    frame: DataFrame
    clocking: Clocking
    time: DataType | None = None

    def __post_init__(self) -> None:
        """Check what makes the clocks."""
        check_source(self.clocking.source)

    def packed(self, sweep: Sweep | None = None) -> DataFrame:
        """(shard, payload) of all records; what is too long is cut off before it comes to Python."""
        del sweep  # these groups do not end
        has_time = "timestamp" in self.frame.columns
        at = F.unix_micros("timestamp") / 1e6 if has_time else F.lit(None).cast("double")
        rows = self.frame.select(*bounded("value", MAX_BYTES), at.alias("at"))
        return rows.mapInArrow(StepMapper(self.clocking.source), SCHEMA)


@dataclass(frozen=True)
class StepMapper(RowMapper):
    """Bounded lines or records to packed entries."""

    source: StepSource

    def rows(self, batch: pa.RecordBatch) -> Iterator[Row]:
        """The steps or spans of all lines."""
        for value, size, at in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            came = at if at is not None else arrival_of(value or b"")
            for record in self.records(value, size):
                yield record.group, self._entry(record, came)

    def _entry(self, record: Record, came: float | None) -> bytes:
        """A record on its way; one that holds a number which nothing can keep is one that cannot be read."""
        group, row = record
        if group is None:
            return _ENCODER.encode(Entry(None, came, None, row))
        if isinstance(self.source, JsonSteps):
            step = self.source.step(group, row)
            row = step if isinstance(step, Step) else row
        try:
            return _ENCODER.encode(Entry(group, came, row))
        except (OverflowError, ValueError, TypeError, RecursionError):
            return _ENCODER.encode(Entry(None, came, None, storable(record).row))

    def records(self, value: bytes | None, size: int | None) -> Iterator[Record]:
        """What one line or record holds."""
        if value is None:
            yield unreadable("the record has no value", b"")
        elif size is not None:
            yield unreadable(too_long(f"{size:,}", MAX_BYTES), value)
        elif isinstance(self.source, TraceSpans) and self.source.format == "otlp" and _is_protobuf(value):
            try:
                yield from self.source.document_records(decode_request(value, "traces", is_protobuf=True))
            except InvalidInput as error:
                yield unreadable(str(error), value)
        else:
            yield from self.source.records(value)


def _is_protobuf(value: bytes) -> bool:
    """Whether it begins as a request in protobuf does: with its first field, which no line of text begins with."""
    return value[:1] == b"\n" and not is_json_request(value)
