"""JSON lines as a source: a line that is no event becomes a reject, and stops nothing.

A line is decoded once here, so that what travels on is sure to be readable. Lines stay bytes until then, because a
file may hold anything. The line itself travels on in its envelope.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.types import DataType

from latwin.events import EventReader
from latwin.events.decoding import MAX_EVENT_BYTES, SHOWN_BYTES, trimmed
from latwin.spark.packing import SCHEMA, Row, RowMapper, row_of
from latwin.spark.sweep import Sweep


@dataclass(frozen=True)
class LineSource:
    """A DataFrame with the one column `value`, text or binary, one JSON object a line.

    `columns` maps our names of fields to the lines' where they differ. Longer lines are rejected, not decoded.
    """

    lines: DataFrame
    columns: Mapping[str, str] = field(default_factory=dict)
    max_row_bytes: int = MAX_EVENT_BYTES
    time: DataType | None = None

    def packed(self, sweep: Sweep | None = None) -> DataFrame:
        """(shard, payload) of all lines; what is too long is cut off before it comes to Python."""
        reader = EventReader(self.columns, self.max_row_bytes)
        rows = self.lines.select(*bounded("value", self.max_row_bytes))
        return rows.mapInArrow(LineMapper(reader, sweep=sweep), SCHEMA)


def bounded(name: str, most: int) -> list[Column]:
    """A column's bytes, only their beginning if they are too many; and how many they are, if they are."""
    value, size = F.col(name).cast("binary"), F.octet_length(name)
    is_long = size > most
    return [
        F.when(is_long, F.substring(value, 1, SHOWN_BYTES)).otherwise(value).alias("value"),
        F.when(is_long, size).alias("size"),
    ]


@dataclass(frozen=True)
class LineMapper(RowMapper):
    """Bounded lines to packed envelopes."""

    reader: EventReader

    def rows(self, batch: pa.RecordBatch) -> Iterator[Row]:
        """The lines that are not blank."""
        values, sizes = (column.to_pylist() for column in batch.columns)
        return (row for value, size in zip(values, sizes, strict=True) if (row := self.read(value, size)))

    def read(self, value: bytes, size: int | None) -> Row | None:
        """A line's group and its envelope as JSON; None if it is blank."""
        if size is not None:
            return row_of(self.reader.too_long(value, size))
        text = trimmed(value)
        envelope = self.reader.line(text)
        if envelope is None:
            return None
        # An event that did not change travels as the text it came as.
        is_plain = envelope.problem is None and not self.reader.renames
        return row_of(envelope, text if is_plain else None)
