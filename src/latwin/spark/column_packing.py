"""Rows of typed columns to payloads: each input partition gathers the rows of a shard, group by group.

Arrow and numpy do it for a whole chunk of rows at once. No row becomes a Python object, but for those whose clocks
are none: they travel as envelopes, as every row does whose columns are not typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from latwin.events import Envelope, Place
from latwin.events.table import ListClocks, MapClocks
from latwin.spark.column_payloads import Numbers, Payload, States, encode, encode_states
from latwin.spark.packing import chunks, join_by_shard, row_of
from latwin.spark.sweep import Sweep

#: A chunk's texts are in each of its payloads if they are so few; else each has its own.
_FEW = 16
_NON_NUMBERS = {float("inf"): "Infinity", float("-inf"): "-Infinity"}

Integers = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]
Mapper = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def pack_columns(rank: int | None, *, are_given: bool, sweep: Sweep | None = None) -> Mapper:
    """For `DataFrame.mapInArrow`: rows of `sources.columns` to (shard, payload) rows.

    `rank` is that of the numbers that order events. `are_given`: states that are texts are a user's own.
    """

    def pack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        hearing = None if sweep is None else sweep.begin()
        for table in chunks(batches):
            if hearing is not None:
                hearing.hear(table)
            yield from _pack(table.combine_chunks(), rank, are_given=are_given)
        if hearing is not None:
            yield _as_binary(hearing.rows())

    return pack


def _pack(table: pa.Table, rank: int | None, *, are_given: bool) -> Iterator[pa.RecordBatch]:
    columns = {name: _one(table.column(name)) for name in table.column_names}
    is_regular = columns["event"].is_null()
    clocks, is_readable = _clocks(columns["clock"])
    regular = is_regular.to_numpy(zero_copy_only=False)
    odd = np.flatnonzero(~regular)
    if len(odd):
        yield _as_binary(join_by_shard(table.select(["shard", "event"]).take(pa.array(odd))))
    unreadable = np.flatnonzero(regular & ~is_readable)
    if len(unreadable):
        yield _as_binary(join_by_shard(_as_envelopes(table.take(pa.array(unreadable)), rank, are_given=are_given)))
    rows = np.flatnonzero(regular & is_readable)
    if len(rows):
        yield _pack_rows(columns, clocks, rows, rank, are_given=are_given)


def _pack_rows(
    columns: dict[str, Any], clocks: ListClocks | MapClocks, rows: Integers, rank: int | None, *, are_given: bool
) -> pa.RecordBatch:
    is_all = len(rows) == len(columns["shard"])
    if not is_all:
        columns = {name: column.take(pa.array(rows)) for name, column in columns.items() if name != "clock"}
    groups, coded = _coded(columns["group"])
    shards = np.empty(len(groups), np.int32)
    shards[coded] = columns["shard"].to_numpy(zero_copy_only=False)
    by_shard = np.argsort(shards, kind="stable")
    ranks = np.empty(len(groups), np.min_scalar_type(len(groups)))  # small ones are sorted by their digits
    ranks[by_shard] = np.arange(len(groups))
    keys = ranks[coded]
    order = np.argsort(keys, kind="stable")  # stable: a group's events keep their order
    counts = np.bincount(keys, minlength=len(groups)).astype(np.int32)
    names = [groups[k] for k in by_shard.tolist()]
    processes, process = _coded(columns["process"])
    process = process[order]
    clocks = clocks.ordered(rows[order])
    states, state = _states(columns["state"], are_given=are_given)
    state = state[order]
    number = columns["number"].to_numpy(zero_copy_only=False)[order] if rank is not None else None
    times = columns.get("time")
    times = None if times is None else times.take(pa.array(order))
    firsts = np.flatnonzero(np.diff(shards[by_shard], prepend=-1)).tolist()
    ends = [*firsts[1:], len(groups)]
    offsets = np.concatenate([[0], np.cumsum(counts)]).tolist()
    payloads = []
    for first, end in zip(firsts, ends, strict=True):
        begin, stop = offsets[first], offsets[end]
        own_processes, own_process = _own(processes, process[begin:stop])
        own_states, own_state = _own_states(states, state[begin:stop])
        payload = Payload(
            names[first:end],
            Numbers.of(counts[first:end]),
            own_processes,
            Numbers.of(own_process),
            *_own_clocks(clocks, begin, stop),
            encode_states(own_states),
            Numbers.of(own_state),
            rank,
            None if number is None else Numbers.of(number[begin:stop]),
            *_times(times, begin, stop),
        )
        payloads.append(encode(payload))
    return pa.RecordBatch.from_arrays(
        [pa.array(shards[by_shard][firsts], pa.int32()), pa.array(payloads, pa.binary())], names=["shard", "payload"]
    )


def _one(column: pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def _as_binary(batch: pa.RecordBatch) -> pa.RecordBatch:
    return batch.set_column(1, "payload", batch.column(1).cast(pa.binary()))


def _coded(column: pa.Array) -> tuple[list[Any], Integers]:
    """The different values of a column, and which of them each row has; there are no nulls."""
    coded = column.dictionary_encode()
    return coded.dictionary.to_pylist(), coded.indices.to_numpy(zero_copy_only=False)


def _own(values: list[Any], codes: Integers) -> tuple[list[Any], Integers]:
    """The values that a part of a column has, and its codes of them."""
    if len(values) <= _FEW:
        return values, codes.astype(np.uint8)
    used, own = np.unique(codes, return_inverse=True)
    return [values[k] for k in used.tolist()], own.astype(np.min_scalar_type(len(used)))


def _narrow(entries: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """The same numbers, in half the room if they have it."""
    fits = entries.size and int(entries.min()) >= -(2**31) and int(entries.max()) < 2**31
    return entries.astype(np.int32) if fits else entries


def _times(times: pa.Array | None, begin: int, end: int) -> tuple[list[str | None] | None, Numbers | None]:
    if times is None:
        return None, None
    part = times[begin:end]
    if pa.types.is_integer(times.type):
        return None, Numbers.of(part.to_numpy(zero_copy_only=False))
    return part.to_pylist(), None


def _own_clocks(
    clocks: ListClocks | MapClocks, begin: int, end: int
) -> tuple[Numbers, int, Numbers | None, list[str] | None, Numbers | None]:
    """The clocks of some rows, as a payload has them."""
    if isinstance(clocks, ListClocks):
        return Numbers.of(_narrow(clocks.entries[begin:end])), clocks.entries.shape[1], None, None, None
    offsets = clocks.offsets[begin : end + 1]
    names, named = _own(list(clocks.names), clocks.codes[offsets[0] : offsets[-1]])
    entries = _narrow(clocks.entries[offsets[0] : offsets[-1]])
    return Numbers.of(entries), 0, Numbers.of(np.diff(offsets).astype(np.int32)), names, Numbers.of(named)


def _clocks(column: pa.Array) -> tuple[ListClocks | MapClocks, Flags]:
    """The clocks, and which of them are there, with all of their entries; of lists, only those of one length."""
    is_map = pa.types.is_map(column.type)
    offsets = column.offsets.to_numpy().astype(np.int64)
    values = (column.items if is_map else column.values)[offsets[0] : offsets[-1]]
    readable: Flags = column.is_valid().to_numpy(zero_copy_only=False).copy()
    sizes, offsets = np.diff(offsets), offsets - offsets[0]
    if values.null_count:
        rows = np.repeat(np.arange(len(sizes)), sizes)
        readable[rows[values.is_null().to_numpy(zero_copy_only=False)]] = False
        values = values.fill_null(0)
    entries = values.to_numpy(zero_copy_only=False).astype(np.int64, copy=False)
    if is_map:
        begin = int(column.offsets[0].as_py())
        names, codes = _coded(column.keys[begin : begin + len(entries)])
        return MapClocks(names, offsets, codes, entries), readable
    width = int(sizes.max(initial=0))
    if (sizes == width).all():
        return ListClocks(entries.reshape(len(sizes), width)), readable & (width > 0)
    readable &= (sizes == width) & (width > 0)
    padded = np.zeros((len(sizes), width), np.int64)
    rows = np.flatnonzero(readable)
    padded[rows] = entries[offsets[rows][:, None] + np.arange(width)]
    return ListClocks(padded), readable


def _states(column: pa.Array, *, are_given: bool) -> tuple[States, Integers]:
    """The different states of a chunk, and which of them each row has."""
    if not pa.types.is_struct(column.type):
        coded = column.dictionary_encode(null_encoding="encode")
        texts = coded.dictionary.to_pylist()
        return States(texts, are_given), coded.indices.to_numpy(zero_copy_only=False)
    names = [field.name for field in column.type]
    codes = column.is_null().to_numpy(zero_copy_only=False).astype(np.int64)
    leaves = column.flatten()
    for leaf in leaves:
        bits = leaf.view(pa.int64()) if pa.types.is_floating(leaf.type) else leaf  # 0.0 and -0.0 are two
        coded = bits.dictionary_encode(null_encoding="encode")
        codes = codes * (len(coded.dictionary) + 1) + coded.indices.to_numpy(zero_copy_only=False)
        if codes.size and int(codes.max()) > 2**40:
            codes = np.unique(codes, return_inverse=True)[1]
    if int(codes.max(initial=0)) < 2**16:  # mostly: they need not be sorted
        firsts = np.full(int(codes.max(initial=0)) + 1, -1, np.int64)
        firsts[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
        used = np.flatnonzero(firsts >= 0)
        numbers = np.zeros(len(firsts), np.int64)
        numbers[used] = np.arange(len(used))
        first, codes = firsts[used], numbers[codes]
    else:
        _, first, codes = np.unique(codes, return_index=True, return_inverse=True)
    rows = pa.array(first)
    nulls = np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False)[first]).tolist()
    values = [[_json_value(value) for value in leaf.take(rows).to_pylist()] for leaf in leaves]
    return States(None, False, names, values, nulls), codes


def _json_value(value: Any) -> Any:
    """A value as Spark's JSON has it: numbers that are none are texts there."""
    if isinstance(value, float) and (value != value or value in _NON_NUMBERS):
        return _NON_NUMBERS.get(value, "NaN")
    return value


def _own_states(states: States, codes: Integers) -> tuple[States, Integers]:
    """The states that a part of a column has, and its codes of them."""
    count = len(states.texts) if states.texts is not None else len(states.values[0]) if states.values else 1
    if count <= _FEW:
        return states, codes.astype(np.uint8)
    used, own = np.unique(codes, return_inverse=True)
    kept = used.tolist()
    place = {k: at for at, k in enumerate(kept)}
    part = States(
        None if states.texts is None else [states.texts[k] for k in kept],
        states.are_given,
        states.names,
        [[leaf[k] for k in kept] for leaf in states.values],
        [place[k] for k in states.nulls if k in place],
    )
    return part, own.astype(np.min_scalar_type(len(used)))


def _as_envelopes(table: pa.Table, rank: int | None, *, are_given: bool) -> pa.Table:
    """(shard, event) of rows whose clocks cannot be columns."""
    rows = []
    for row in table.to_pylist():
        clock, state = row["clock"], row["state"]
        if pa.types.is_map(table.schema.field("clock").type):
            clock = dict(clock)
        event = {"process": row["process"], "clock": clock, "state": state}
        envelope = Envelope(group=row["group"], event=event)
        if isinstance(state, dict):
            event["state"] = {name: _json_value(value) for name, value in state.items()}
        elif are_given:
            event["state"], envelope.state_text = None, state
        elif state is not None:
            event["state"] = msgspec.Raw(state.encode())
        if "time" in row:
            event["time"] = row["time"] if row["time"] is None else str(row["time"])
        if rank is not None:
            envelope.order = Place(rank, row["number"])
        rows.append(row_of(envelope))
    texts = pa.array([text for _, text in rows], pa.binary()).cast(pa.string())
    return pa.table({"shard": table.column("shard"), "event": texts})
