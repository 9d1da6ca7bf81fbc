"""Events that travel as columns: the same verdicts, rejects, metrics and states as if they had come as envelopes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pytest

from latwin import Monitor, Spec
from latwin.events import Envelope, Place
from latwin.events.columns import SharedStates
from latwin.events.table import EventTable, ListClocks
from latwin.spark.column_packing import pack_columns
from shards import Row, make_worker, outcome

NAMES = ["p0", "p1", "p2"]
PROPERTIES = {
    "flags": {"all": "definitely(p0.x and p1.x and p2.x)", "two": "possibly(p0.x and p2.x)"},
    "sums": {"many": "possibly(p0.n + p1.n + p2.n >= 5)", "text": "possibly(p1.s == 'b' and p0.x)"},
    "pairs": {"differ": "possibly(p0.n != p1.n)", "all": "definitely(p0.x or p1.x)"},
    "lattice": {"either": "possibly(p0.x or p1.x and p2.x)", "fraction": "definitely(p0.f > 0.5 or p1.f > 0.5)"},
}
STATES = pa.struct([("x", pa.bool_()), ("n", pa.int64()), ("f", pa.float64()), ("s", pa.string())])


def spec_of(rng: random.Random, kind: str) -> Spec:
    fields: dict[str, Any] = {
        "processes": NAMES,
        "window": rng.choice([1, 3, 4]),
        "properties": PROPERTIES[kind],
        "delivery": rng.choice(["fifo", "causal"]),
        "max_waiting": rng.choice([2, 8, 1000]),
        "waiting_policy": rng.choice(["fail", "skip"]),
    }
    return Spec.from_dict(fields)


def state_of(rng: random.Random, *, is_odd: bool) -> Any:
    if is_odd:
        return None
    return {
        "x": rng.choice([True, False, None]),
        "n": rng.choice([0, 1, 2, None, 2**53 + 1 if rng.random() < 0.1 else 3]),
        "f": rng.choice([0.0, -0.0, 1.5, None, float("nan"), float("-inf")]),
        "s": rng.choice(["a", "b", "é\n", None]),
    }


def stream(rng: random.Random, group: str, count: int) -> Iterator[Row]:
    """States of a computation, mostly in order; some come late, twice, never, or are no states."""
    clocks = [[0, 0, 0] for _ in NAMES]
    late: list[Row] = []
    for number in range(count):
        k = rng.randrange(3)
        if rng.random() < 0.3:
            clocks[k] = [max(a, b) for a, b in zip(clocks[k], clocks[rng.randrange(3)], strict=True)]
        clocks[k] = [entry + (j == k) for j, entry in enumerate(clocks[k])]
        row = {
            "group": group,
            "process": NAMES[k],
            "clock": list(clocks[k]),
            "state": state_of(rng, is_odd=rng.random() < 0.03),
            "number": 10 * number,
            "time": 1_700_000_000 + number,
        }
        fault = rng.random()
        if fault < 0.03:
            late.append(row)
        elif fault < 0.05:
            yield {**row, "process": "stranger"}
        elif fault < 0.07:
            yield {**row, "clock": [entry + rng.choice([-99, 2**62, 5]) for entry in row["clock"]]}
        elif fault < 0.09:
            yield {**row, "clock": row["clock"][:2]}
        elif fault < 0.10:
            yield {**row, "clock": [None, *row["clock"][1:]]}
        elif fault > 0.02:
            yield row
        if fault > 0.97:
            yield {**row, "number": row["number"] + rng.choice([0, 0, 4])}
        if fault > 0.98:
            yield {**row, "state": state_of(rng, is_odd=False)}
        if late and rng.random() < 0.3:
            yield {**late.pop(0), "number": row["number"] + 5}


class Form:
    """How rows are columns, and how the same rows are envelopes."""

    def __init__(self, rng: random.Random) -> None:
        self.has_maps = rng.random() < 0.4
        self.states = rng.choice(["struct", "struct", "given", "json"])
        self.rank = rng.choice([0, 0, 2, None])
        self.time = rng.choice([None, "number", "text"])

    def clock(self, row: Row) -> Any:
        return dict(zip([*NAMES, "x"], row["clock"], strict=False)) if self.has_maps else row["clock"]

    def text(self, row: Row) -> str | None:
        if self.states == "given" and row["number"] % 190 == 0:
            return "{" if row["number"] % 380 else "7"
        return None if row["state"] is None else as_spark(row["state"])

    def batch(self, rows: list[Row], shard: int = 3) -> pa.RecordBatch:
        clocks: list[Any] = [self.clock(row) for row in rows]
        kind: pa.DataType = pa.list_(pa.int64())
        if self.has_maps:
            clocks, kind = [list(clock.items()) for clock in clocks], pa.map_(pa.string(), pa.int64())
        is_struct = self.states == "struct"
        states = [row["state"] if is_struct else self.text(row) for row in rows]
        columns: dict[str, pa.Array] = {
            "shard": pa.array([shard] * len(rows), pa.int32()),
            "event": pa.nulls(len(rows), pa.string()),
            "group": pa.array([row["group"] for row in rows], pa.string()),
            "process": pa.array([row["process"] for row in rows], pa.string()),
            "clock": pa.array(clocks, kind),
            "state": pa.array(states, STATES if is_struct else pa.string()),
        }
        if self.rank is not None:
            columns["number"] = pa.array([row["number"] for row in rows], pa.int64())
        if self.time == "number":
            columns["time"] = pa.array([row["time"] for row in rows], pa.int64())
        elif self.time:
            columns["time"] = pa.array([f"{row['time']}.5" for row in rows], pa.string())
        return pa.RecordBatch.from_pydict(columns)

    def payloads(self, rows: list[Row]) -> list[bytes]:
        if not rows:
            return []
        pack = pack_columns(self.rank, are_given=self.states == "given")
        return [each for batch in pack(iter([self.batch(rows)])) for each in batch.column(1).to_pylist()]

    def envelope(self, row: Row) -> Envelope:
        event = {"process": row["process"], "clock": self.clock(row), "state": None}
        envelope = Envelope(group=row["group"], event=event)
        if self.rank is not None:
            envelope.order = Place(self.rank, row["number"])
        if self.states == "given":
            envelope.state_text = self.text(row)
        elif row["state"] is not None:
            event["state"] = msgspec.Raw(as_spark(row["state"]).encode())
        if self.time:
            event["time"] = str(row["time"]) if self.time == "number" else f"{row['time']}.5"
        return envelope

    def texts(self, rows: list[Row]) -> str:
        return ",".join(msgspec.json.encode(self.envelope(row)).decode() for row in rows)


def as_spark(state: Any) -> str:
    """A state as Spark's `to_json` writes it."""
    special = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
    return json.dumps({name: special.get(str(value), value) for name, value in state.items()}, ensure_ascii=False)


@pytest.mark.parametrize("kind", PROPERTIES)
@pytest.mark.parametrize("seed", range(12))
def test_columns_are_observed_as_envelopes_are(kind: str, seed: int) -> None:
    rng = random.Random(f"{kind} {seed}")
    spec, form, every = spec_of(rng, kind), Form(rng), rng.random() < 0.2
    groups = [list(stream(rng, f"g{number}", rng.randint(1, 90))) for number in range(4)]
    rows = [row for group in groups for row in group]
    rng.shuffle(rows)
    rows.sort(key=lambda row: row["number"] // 300)  # batches
    columns, envelopes = make_worker(spec, every=every), make_worker(spec, every=every)
    stored: list[bytes | None] = [None, None]
    for call in range(3):
        some = [row for row in rows if row["number"] // 300 == call]
        border = rng.randint(0, len(some))
        payloads: list[Any] = [*form.payloads(some[:border]), *form.payloads(some[border:])]
        if call == 1 and some:  # a group that came in both ways
            payloads = [*form.payloads(some[1:]), form.texts(some[:1])]
        stored[0], one = columns.work(stored[0], payloads)
        stored[1], other = envelopes.work(stored[1], [form.texts(some)])
        assert outcome(one) == outcome(other)
        assert snapshots(stored[0]) == snapshots(stored[1])


def snapshots(stored: bytes | None) -> dict[str, bytes]:
    assert stored is not None
    groups: dict[str, bytes] = msgspec.msgpack.decode(stored)[5]
    return groups


def test_a_monitor_takes_a_table_as_it_takes_maps() -> None:
    spec = Spec.from_dict({"processes": NAMES, "window": "2s", "properties": PROPERTIES["flags"]})
    events: list[Row] = [
        {"process": "p0", "clock": [1, 0, 0], "state": {"x": True}, "time": "1.5"},
        {"process": "p9", "clock": [1, 0, 0], "state": {"x": True}, "time": "1.5"},
        {"process": "p1", "clock": [0, 1, 0], "state": {"x": True}, "time": "2"},
        {"process": "p1", "clock": [0, 3, 0], "state": None, "time": "no time"},
        {"process": "p1", "clock": [0, 3, 0], "state": None, "time": "5"},
        {"process": "p1", "clock": [1, 2, 0], "state": {"x": True}, "time": "4"},
        {"process": "p2", "clock": [1, 2, -1], "state": 5, "time": "4"},
    ]
    table = EventTable(
        {name: k for k, name in enumerate(NAMES)},
        [str(event["process"]) for event in events],
        np.arange(len(events)),
        ListClocks(np.array([event["clock"] for event in events], np.int64)),
        SharedStates([event["state"] for event in events], len(NAMES)),
        np.arange(len(events)),
        [event["time"] for event in events],
    )
    part = table.part(0, len(events))
    assert list(part) == events
    assert (part[-1], list(part[2:4]), len(part[5:2])) == (events[-1], events[2:4], 0)
    one, other = Monitor(spec), Monitor(spec)
    columns, maps = one.observe_many(part), other.observe_many(events)
    assert (columns, columns.positions, columns.notices) == (maps, maps.positions, maps.notices)
    assert columns.notice_positions == maps.notice_positions
    assert one.snapshot() == other.snapshot()
    others = Monitor(Spec.from_dict({"processes": NAMES[::-1], "window": 2, "properties": PROPERTIES["flags"]}))
    assert {notice.kind for notice in others.observe_many(part).notices} >= {"rejected"}
