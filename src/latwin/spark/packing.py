"""Packing envelopes before the shuffle: one row per shard and chunk of input, not one per event.

Spark pays per row for a shuffle and for handing rows to Python. So each input partition joins the JSON texts
of a shard's envelopes, in their order, into one text, with Arrow's own functions and no Python object per row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from zlib import crc32

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from latwin.events import Envelope

if TYPE_CHECKING:
    from latwin.spark.sweep import Sweep

SCHEMA = "shard int, payload string"
#: Groups are spread over this many entries of the state store, in every query. It is no option: under another number
#: a group's state would lie where nobody looks for it. Whoever changes it changes KEY as well, so that Spark refuses
#: the checkpoints of before.
SHARDS = 1024
#: the type of the key of the state, which Spark compares with the checkpoint's
KEY = "bigint"
_CHUNK_ROWS = 1 << 19
_CHUNK_BYTES = 256 << 20  # a payload is one text, and Arrow's texts end at 2 GiB
#: a group (None if there is none that can be used), and an envelope as JSON
Row = tuple[str | None, bytes]
_ENCODER = msgspec.json.Encoder()


def shard_of(group: str | None) -> int:
    """The shard of a group; what has none, and becomes a reject, goes to the first.

    `sources.columns` has the same rule in Spark's own functions; a test compares them.
    """
    return 0 if group is None else crc32(group.encode(errors="replace")) % SHARDS


def row_of(envelope: Envelope, event: bytes | None = None) -> Row:
    """An envelope as a row; `event` is the event's own JSON text, if it is at hand, and takes the event's place."""
    if event is not None:
        envelope.event = msgspec.Raw(event)
    return envelope.group, _ENCODER.encode(envelope)


def sharded(rows: Sequence[Row]) -> pa.RecordBatch:
    """(shard, event) of rows."""
    places = [shard_of(group) for group, _ in rows]
    texts = pa.array([text for _, text in rows], pa.binary()).cast(pa.string())
    return pa.RecordBatch.from_arrays([pa.array(places, pa.int32()), texts], names=["shard", "event"])


@dataclass(frozen=True)
class RowMapper:
    """For `DataFrame.mapInArrow`: whatever a source reads to packed (shard, payload) rows."""

    sweep: Sweep | None = field(default=None, kw_only=True)

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Packed (shard, payload) rows."""
        return pack((sharded(rows) for batch in batches if (rows := list(self.rows(batch)))), self.sweep)

    def rows(self, batch: pa.RecordBatch) -> Iterator[Row]:
        """The rows that a batch holds."""
        raise NotImplementedError


def pack(batches: Iterator[pa.RecordBatch], sweep: Sweep | None = None) -> Iterator[pa.RecordBatch]:
    """For `DataFrame.mapInArrow`: (shard, event) rows to (shard, payload) rows, events joined by commas.

    Behind them come the rows of the sweep, if there is one.
    """
    hearing = None if sweep is None else sweep.begin()
    for table in chunks(batches):
        if hearing is not None:
            hearing.hear(table)
        yield join_by_shard(table)
    if hearing is not None:
        yield hearing.rows()


def chunks(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """The batches in larger pieces, of a bounded size."""
    pending: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        pending.append(batch)
        rows += batch.num_rows
        size += batch.nbytes
        if rows >= _CHUNK_ROWS or size >= _CHUNK_BYTES:
            yield pa.Table.from_batches(pending)
            pending, rows, size = [], 0, 0
    if rows:
        yield pa.Table.from_batches(pending)


def by_shard(batches: Iterator[pa.RecordBatch]) -> Iterator[list[str]]:
    """The payloads of each shard, from packed rows that are sorted by shard."""
    current: int | None = None
    payloads: list[str] = []
    for batch in batches:
        for shard, payload in zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True):
            if shard != current and payloads:
                yield payloads
                payloads = []
            current = shard
            payloads.append(payload)
    if payloads:
        yield payloads


def join_by_shard(table: pa.Table) -> pa.RecordBatch:
    """(shard, event) rows to (shard, payload) rows."""
    shards = table.column("shard").to_numpy()
    order = np.argsort(shards, kind="stable")  # stable: a shard's events keep their order
    shards = shards[order]
    begins = np.flatnonzero(np.diff(shards, prepend=-1))
    events = table.column("event").cast(pa.large_string()).take(pa.array(order)).combine_chunks()
    offsets = pa.array(np.append(begins, len(shards)), pa.int32())
    joined = pc.binary_join(pa.ListArray.from_arrays(offsets, events), pa.scalar(",", pa.large_string()))
    return pa.RecordBatch.from_arrays(
        [pa.array(shards[begins], pa.int32()), joined.cast(pa.string())], names=["shard", "payload"]
    )
