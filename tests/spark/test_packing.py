"""How events are packed for the shards; no Spark here."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latwin.spark import packing
from shards import SPEC, by_group, envelope_of, local_rows, make_event, make_worker


def unpacked(batches: Iterator[pa.RecordBatch]) -> dict[int, list[Any]]:
    """The events of each shard, in order."""
    shards: dict[int, list[Any]] = {}
    for batch in batches:
        assert batch.schema.names == ["shard", "payload"]
        assert batch.schema.types == [pa.int32(), pa.string()]
        numbers = batch.column(0).to_pylist()
        assert len(set(numbers)) == len(numbers)  # one row per shard and chunk
        for shard, text in zip(numbers, batch.column(1).to_pylist(), strict=True):
            shards.setdefault(shard, []).extend(json.loads(f"[{text}]"))
    return shards


def record_batch(rows: Sequence[tuple[int, Any]]) -> pa.RecordBatch:
    shards = pa.array([shard for shard, _ in rows], pa.int32())
    texts = pa.array([json.dumps(event, ensure_ascii=False) for _, event in rows], pa.string())
    return pa.RecordBatch.from_arrays([shards, texts], names=["shard", "event"])


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 5), st.text(max_size=5) | st.integers()), max_size=8), max_size=6),
    st.integers(1, 12),
)
def test_packing_keeps_the_order_within_a_shard(batches: list[list[tuple[int, Any]]], chunk: int) -> None:
    expected: dict[int, list[Any]] = {}
    for shard, event in itertools.chain.from_iterable(batches):
        expected.setdefault(shard, []).append(event)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(packing, "_CHUNK_ROWS", chunk)
        packed = list(packing.pack(record_batch(rows) for rows in batches))
    assert unpacked(iter(packed)) == expected
    rows = sum(map(len, batches))
    assert (len(packed) == 0) == (rows == 0)
    assert all(batch.num_rows for batch in packed)


def test_packing_in_one_chunk_and_in_many(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(n % 3, {"n": n, "name": "büro ☕ 😀, [1]"}) for n in range(100)]
    batches = [record_batch(rows[a : a + 10]) for a in range(0, 100, 10)]
    expected = {shard: [event for s, event in rows if s == shard] for shard in range(3)}
    packed = list(packing.pack(iter(batches)))
    assert len(packed) == 1
    assert unpacked(iter(packed)) == expected
    monkeypatch.setattr(packing, "_CHUNK_ROWS", 10)
    packed = list(packing.pack(iter(batches)))
    assert len(packed) == 10
    assert unpacked(iter(packed)) == expected


def test_packing_nothing() -> None:
    assert list(packing.pack(iter([]))) == []
    assert list(packing.pack(iter([record_batch([])]))) == []


def test_packed_events_reach_the_worker() -> None:
    events = [make_event("büro", process, 1, order=process) for process in (0, 1)]
    (batch,) = packing.pack(iter([record_batch([(0, msgspec.to_builtins(envelope_of(event))) for event in events])]))
    results = make_worker().work(None, batch.column(1).to_pylist())[1]
    assert by_group(results.verdicts) == local_rows(SPEC, [events])


def test_a_group_is_always_in_the_same_shard() -> None:
    """Checkpoints rely on it: under another rule every group would begin blank. See `packing.SHARDS`."""
    places = {group: packing.shard_of(group) for group in ("office-1", "", "büro ☕", "\ud800")}
    assert places == {"office-1": 553, "": 0, "büro ☕": 243, "\ud800": 688}
    assert packing.shard_of(None) == 0
    assert (packing.SHARDS, packing.KEY) == (1024, "bigint")
