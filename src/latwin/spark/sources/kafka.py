"""The records of a Kafka topic as a source: a record that is no event becomes a reject, and stops nothing.

A record's value is the event as JSON. Its group is the event's `group`, or else the record's key. Records of a
group are taken in the order of their offsets, so all of a group must be in one partition; a group's records
from another partition than its first (the lowest, if its first batch has several) are rejected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.types import DataType

from latwin.errors import InvalidEvent, InvalidInput
from latwin.events import Envelope, EventReader, Origin
from latwin.events.decoding import MAX_EVENT_BYTES
from latwin.events.reading import not_an_event
from latwin.process.stamps import HEADER, Stamp
from latwin.spark.kafka.address import SourceAddress
from latwin.spark.packing import SCHEMA, Row, RowMapper, row_of
from latwin.spark.sources.lines import bounded
from latwin.spark.sweep import Sweep

_COLUMNS = ("key", "value", "partition", "offset")


def read_records(
    session: SparkSession, address: SourceAddress, config: Mapping[str, str], *, streaming: bool = True
) -> DataFrame:
    """The topic's records, with Spark's columns; `config` are the client's settings (see `client_config`)."""
    # What a producer's transaction took back was never said.
    settings = {"isolation.level": "read_committed", **config}
    options = {f"kafka.{name}": value for name, value in settings.items()}
    reader: Any = session.readStream if streaming else session.read
    reader = reader.format("kafka").options(**options).options(**address.options)
    frame: DataFrame = reader.option("subscribe", address.topic).option("includeHeaders", "true").load()
    return frame


@dataclass(frozen=True)
class RecordSource:
    """The DataFrame that Spark's Kafka source gives, of one topic.

    `columns` maps our names to those in the values' JSON where they differ. A value without `clock` takes it from
    the stamp in the header `latwin-clock` (read with `includeHeaders`), if there is one.
    """

    records: DataFrame
    columns: Mapping[str, str] = field(default_factory=dict)
    max_row_bytes: int = MAX_EVENT_BYTES
    time: DataType | None = None

    def __post_init__(self) -> None:
        """Check the columns."""
        missing = [name for name in _COLUMNS if name not in self.records.columns]
        if missing:
            raise InvalidInput(
                f"the records lack Kafka's columns {', '.join(missing)}; there are {', '.join(self.records.columns)}"
            )

    def packed(self, sweep: Sweep | None = None) -> DataFrame:
        """(shard, payload) of all records; what is too long is cut off before it comes to Python."""
        stamp = F.lit(None).cast("binary")
        if "headers" in self.records.columns:
            found = F.filter("headers", lambda header: header["key"] == HEADER)
            stamp = F.try_element_at(found, F.lit(-1))["value"]
        rows = self.records.select(
            *bounded("value", self.max_row_bytes), "key", stamp.alias("stamp"), "partition", "offset"
        )
        reader = EventReader(self.columns, self.max_row_bytes)
        return rows.mapInArrow(RecordMapper(reader, sweep=sweep), SCHEMA)


@dataclass(frozen=True)
class RecordMapper(RowMapper):
    """Bounded records to packed envelopes."""

    reader: EventReader

    def rows(self, batch: pa.RecordBatch) -> Iterator[Row]:
        """All records."""
        columns = (column.to_pylist() for column in batch.columns)
        for value, size, key, stamp, partition, offset in zip(*columns, strict=True):
            origin = Origin(partition, offset)
            if size is None:
                envelope = self.read(value, key, stamp, origin)
            else:
                envelope = self.reader.too_long(value, size, (key or b"").decode(errors="replace"))
                envelope.origin = origin
            yield row_of(envelope)

    def read(self, value: bytes | None, key: bytes | None, stamp: bytes | None, origin: Origin) -> Envelope:
        """A record's envelope; `stamp` is the header's value, if there is one."""
        envelope = self.reader.record(value, key, origin)
        if stamp is not None and envelope.problem is None and envelope.event.get("clock") is None:
            try:
                envelope.event["clock"] = Stamp.from_text(stamp).clock
            except InvalidEvent as error:
                return not_an_event(value or b"", f"the header {HEADER}: {error}", origin=origin)
        return envelope
