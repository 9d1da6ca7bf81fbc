"""From Kafka's records to packed events: a record that is no event becomes a reject, and stops nothing.

A record's value is the event as JSON. Its group is the event's `group`, or else the record's key. Records of a
group are taken in the order of their offsets, so all of a group must be in one partition; a group's records
from another partition than its first (the lowest, if its first batch has several) are rejected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it

from latwin.errors import InvalidEvent, InvalidInput
from latwin.process.stamps import HEADER, Stamp
from latwin.spark.kafka.address import SourceAddress
from latwin.spark.lines import (
    RESERVED,
    SHOWN_BYTES,
    checked_names,
    decode_object,
    name_type,
    shard_outputs,
    unreadable,
)
from latwin.spark.packing import SCHEMA, event_batch, pack
from latwin.spark.pipeline import DEFAULT_MAX_ROW_BYTES, DEFAULT_SHARDS, Outputs
from latwin.spec import Spec

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


def record_outputs(
    records: DataFrame,
    spec: Spec,
    *,
    columns: Mapping[str, str] | None = None,
    shards: int = DEFAULT_SHARDS,
    every: bool = False,
    observations: bool = False,
    max_row_bytes: int = DEFAULT_MAX_ROW_BYTES,
) -> Outputs:
    """The same as `latwin.spark.outputs` for the DataFrame that Spark's Kafka source gives, of one topic.

    `columns` maps our names to those in the values' JSON where they differ. A value without `clock` takes it from
    the stamp in the header `latwin-clock` (read with `includeHeaders`), if there is one.
    """
    missing = [name for name in _COLUMNS if name not in records.columns]
    if missing:
        raise InvalidInput(
            f"the records lack Kafka's columns {', '.join(missing)}; there are {', '.join(records.columns)}"
        )
    size = F.octet_length("value")
    is_long = size > max_row_bytes
    text = F.col("value").cast("string")
    clock = F.lit(None).cast("binary")
    if "headers" in records.columns:
        found = F.filter("headers", lambda header: header["key"] == HEADER)
        clock = F.try_element_at(found, F.lit(-1))["value"]
    rows = records.select(
        F.when(is_long, F.substring("value", 1, SHOWN_BYTES)).otherwise(F.col("value")).alias("value"),
        F.when(is_long, size).alias("size"),
        F.when(is_long, F.get_json_object(text, "$.group")).alias("group"),
        "key",
        clock.alias("clock"),
        "partition",
        "offset",
    )
    reader = RecordReader(shards, checked_names(columns))
    return shard_outputs(
        rows.mapInArrow(reader, SCHEMA), spec, "offset", shards, every=every, observations=observations
    )


@dataclass(frozen=True)
class RecordReader:
    """For `mapInArrow`: records to packed events. `names` maps the values' names to ours where they differ."""

    shards: int
    names: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Packed (shard, payload) rows."""
        return pack(self._events(batches))

    def _events(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows = [
                self.read(value, key, clock, place) if size is None else _cut_off(value, size, group, key, place)
                for value, size, group, key, clock, *place in zip(
                    *(column.to_pylist() for column in batch.columns), strict=True
                )
            ]
            if rows:
                yield event_batch(rows, self.shards)

    def read(
        self, value: bytes | None, key: bytes | None, clock: bytes | None, place: list[int]
    ) -> tuple[str | None, bytes]:
        """A record's group (None if it has none that can be used), and the JSON text that goes to the worker.

        `place` is [partition, offset].
        """
        if value is None:
            return None, _unreadable(b"", "the record has no value", place)
        event = decode_object(value)
        if isinstance(event, str):
            return None, _unreadable(value, event, place)
        event = {self.names.get(name, name): item for name, item in event.items() if name not in RESERVED}
        group, reason = _group_of(event.get("group"), key)
        if reason is None and clock is not None and event.get("clock") is None:
            try:
                event["clock"] = Stamp.from_text(clock).clock
            except InvalidEvent as error:
                reason = f"the header {HEADER}: {error}"
        if reason is not None:
            return None, _unreadable(value, reason, place)
        return group, msgspec.json.encode({**event, "group": group, "order": place})


def _group_of(group: Any, key: bytes | None) -> tuple[str, str | None]:
    """The group by the event's own word and the record's key, and why it cannot be used, if so."""
    if type(group) is int:
        group = str(group)
    if group is not None and type(group) is not str:
        return "", f"the group must be a string or an integer; it is {name_type(group)}"
    if key is None:
        return group or "", None
    try:
        named = key.decode()
    except UnicodeDecodeError:
        return "", "the record's key is not UTF-8; it must be the group"
    if group is not None and group != named:
        return "", f"the event's group is {group!r}, but the record's key is {named!r}; the key must be the group"
    return named, None


def _unreadable(value: bytes, reason: str, place: list[int]) -> bytes:
    return unreadable(value, reason, order=place)


def _cut_off(begin: bytes, size: int, group: str | None, key: bytes | None, place: list[int]) -> tuple[str, bytes]:
    named = group if group is not None else (key or b"").decode(errors="replace")
    fields = {"group": named, "oversize": size, "line": begin.decode(errors="replace"), "order": place}
    return named, msgspec.json.encode(fields)
