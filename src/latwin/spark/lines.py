"""From JSON lines to packed events: a line that is no event becomes a reject, and stops nothing.

A line is decoded once here, by the decoder that the shards' workers use, so that what goes on is sure to be
readable there. Lines stay bytes until then, because a file may hold anything. The line itself travels on; fields
are added to its end where that is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it

from latwin.errors import InvalidInput
from latwin.events.decoding import decode_json, without_mark
from latwin.spark.columns import FIELDS
from latwin.spark.operators import ShardProcessor, Work, replay_shards
from latwin.spark.packing import SCHEMA, event_batch, pack
from latwin.spark.pipeline import DEFAULT_MAX_ROW_BYTES, DEFAULT_SHARDS, Outputs
from latwin.spark.schemas import PACKED
from latwin.spark.shard import Order
from latwin.spec import Spec

#: so much of a line is shown where it is rejected
SHOWN_BYTES = 1000
#: names that mean something to the workers; in a line they mean nothing
RESERVED = frozenset({"order", "oversize", "state_json", "unreadable"})
#: a line may also have the text that `[variables]` looks into
_LINE_FIELDS = (*FIELDS, "event")
_TYPES = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}


def line_outputs(
    lines: DataFrame,
    spec: Spec,
    *,
    columns: Mapping[str, str] | None = None,
    shards: int = DEFAULT_SHARDS,
    every: bool = False,
    observations: bool = False,
    max_row_bytes: int = DEFAULT_MAX_ROW_BYTES,
) -> Outputs:
    """The same as `latwin.spark.outputs` for a DataFrame of text, one JSON object a line.

    A line without `group` belongs to the group "". Within a group and batch, lines are taken in the order of their
    `arrival` if they have it, else of their `time` (numbers before texts, texts by their characters), else in
    a causal order; lines that have what orders first come first.
    """
    packed = packed_lines(lines, shards, max_row_bytes, columns)
    return shard_outputs(packed, spec, "arrival", shards, every=every, observations=observations)


def shard_outputs(
    packed: DataFrame, spec: Spec, order: Order, shards: int, *, every: bool, observations: bool
) -> Outputs:
    """What comes of packed (shard, payload) events, as a stream or as a batch."""
    if isinstance(shards, bool) or not isinstance(shards, int) or shards < 1:
        raise InvalidInput(f"shards must be an integer from 1 up; got {shards!r}")
    work = Work(spec.to_dict(), shards, order, every, observations)
    if packed.isStreaming:
        results = packed.groupBy("shard").transformWithState(ShardProcessor(work), PACKED, "Append", "None")
    else:
        results = packed.repartition("shard").sortWithinPartitions("shard").mapInArrow(replay_shards(work), PACKED)
    return Outputs(results, order=order)


def checked_names(columns: Mapping[str, str] | None) -> dict[str, str]:
    """The texts' names to ours, where they differ; raises InvalidInput for a field that there is not."""
    for name in columns or {}:
        if name not in _LINE_FIELDS:
            raise InvalidInput(f"columns: unknown field {name!r}; fields are {', '.join(_LINE_FIELDS)}")
    return {given: ours for ours, given in (columns or {}).items() if given != ours}


def packed_lines(
    lines: DataFrame, shards: int, max_row_bytes: int, columns: Mapping[str, str] | None = None
) -> DataFrame:
    """(shard, payload) for a DataFrame with the one column `value`; longer lines are cut off before Python."""
    value, size = F.col("value").cast("binary"), F.octet_length("value")
    is_long = size > max_row_bytes
    rows = lines.select(
        F.when(is_long, F.substring(value, 1, SHOWN_BYTES)).otherwise(value).alias("value"),
        F.when(is_long, size).alias("size"),
        F.when(is_long, F.get_json_object("value", "$.group")).alias("group"),
    )
    return rows.mapInArrow(LineReader(shards, checked_names(columns)), SCHEMA)


@dataclass(frozen=True)
class LineReader:
    """For `mapInArrow`: lines to packed events. `names` maps the lines' names to ours where they differ."""

    shards: int
    names: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Packed (shard, payload) rows."""
        return pack(self._events(batches))

    def _events(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows: list[tuple[str | None, bytes]] = []
            for value, size, group in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                if size is not None:
                    rows.append((group or "", _cut_off(value, size, group or "")))
                elif line := without_mark(value).strip():
                    rows.append(self.read(line))
            if rows:
                yield event_batch(rows, self.shards)

    def read(self, line: bytes) -> tuple[str | None, bytes]:
        """A line's group (None if it has none that can be used), and the JSON text that goes to the worker."""
        event = decode_object(line)
        if isinstance(event, str):
            return None, unreadable(line, event)
        is_plain = not self.names and RESERVED.isdisjoint(event)
        if self.names:
            event = {self.names.get(name, name): value for name, value in event.items()}
        group = event.get("group", "")
        if type(group) is int:
            group, is_plain = str(group), False
        elif group is not None and type(group) is not str:
            return None, unreadable(line, f"the group must be a string or an integer; it is {name_type(group)}")
        added = {"order": _order(event)}
        if "group" not in event:
            added["group"] = group
        if is_plain and event:
            return group, line[:-1] + b"," + msgspec.json.encode(added)[1:]
        kept = {name: value for name, value in event.items() if name not in RESERVED}
        return group, msgspec.json.encode({**kept, "group": group, **added})


def _order(event: Mapping[str, Any]) -> list[Any] | None:
    """What orders lines of any kind among each other: [rank, number, text]; None comes last."""
    for rank, name in enumerate(("arrival", "time")):
        value = event.get(name)
        if type(value) is int or type(value) is float:
            return [2 * rank, value, ""]
        if type(value) is str:
            return [2 * rank + 1, 0, value]
    clock = event.get("clock")
    entries = clock.values() if isinstance(clock, dict) else clock
    try:
        return [4, sum(entries), ""]  # type: ignore[arg-type]
    except TypeError:
        return None


def decode_object(line: bytes) -> dict[str, Any] | str:
    """The JSON object in a line, or why there is none; what is decoded here, the workers can decode too."""
    event, reason = decode_json(line)
    if reason is not None:
        return reason
    return event if type(event) is dict else f"the line must be a JSON object; it is {name_type(event)}"


def unreadable(line: bytes, reason: str, **more: Any) -> bytes:
    """What goes to the worker for a line that is no event, with more that is to be told of it."""
    text = line[:SHOWN_BYTES].decode(errors="replace") + "..." * (len(line) > SHOWN_BYTES)
    return msgspec.json.encode({"group": None, "unreadable": reason, "line": text, **more})


def _cut_off(begin: bytes, size: int, group: str) -> bytes:
    return msgspec.json.encode({"group": group, "oversize": size, "line": begin.decode(errors="replace")})


def name_type(value: Any) -> str:
    """What JSON calls such a value."""
    return _TYPES.get(type(value), "a number")
