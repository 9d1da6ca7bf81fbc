"""Packing events before the shuffle: one row per shard and chunk of input, not one per event.

Spark pays per row for a shuffle and for handing rows to Python. So each input partition joins the JSON texts
of a shard's events, in their order, into one text, with Arrow's own functions and no Python object per row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

SCHEMA = "shard int, payload string"
_CHUNK_ROWS = 200_000
_CHUNK_BYTES = 256 << 20  # a payload is one text, and Arrow's texts end at 2 GiB


def event_batch(rows: Sequence[tuple[str | None, bytes]], shards: int) -> pa.RecordBatch:
    """(shard, event) for events with their groups; those without one, which become rejects, go to the first shard."""
    places = [0 if group is None else crc32(group.encode()) % shards for group, _ in rows]
    texts = pa.array([event for _, event in rows], pa.binary()).cast(pa.string())
    return pa.RecordBatch.from_arrays([pa.array(places, pa.int32()), texts], names=["shard", "event"])


def pack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """For `DataFrame.mapInArrow`: (shard, event) rows to (shard, payload) rows, events joined by commas."""
    pending: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        pending.append(batch)
        rows += batch.num_rows
        size += batch.nbytes
        if rows >= _CHUNK_ROWS or size >= _CHUNK_BYTES:
            yield _pack(pending)
            pending, rows, size = [], 0, 0
    if rows:
        yield _pack(pending)


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


def _pack(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    table = pa.Table.from_batches(batches)
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
