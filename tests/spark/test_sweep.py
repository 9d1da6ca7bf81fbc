"""Groups end in shards that get no events any more: a few shards a batch are told what time it is."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pytest

pytest.importorskip("pyspark")

from pyarrow.parquet import write_table
from pyspark.sql import Row

from latwin import Spec
from latwin.spark import read_output, sweep
from latwin.spark.column_packing import pack_columns
from latwin.spark.operators import ShardProcessor, Work
from latwin.spark.packing import SHARDS, pack, shard_of, sharded
from latwin.spark.rules import Rules
from latwin.spark.sweep import SHARDS_A_BATCH, Sweep, is_sweep, told_by
from pipelines import run
from shards import SPEC, make_event, payload

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DAY = 86_400.0
FORGETTING = Spec.from_dict({**SPEC.to_dict(), "forget_after": "7d"})


def in_turn_of(batch: int) -> str:
    """A group whose shard has its turn in this batch."""
    turn = range(batch * SHARDS_A_BATCH, (batch + 1) * SHARDS_A_BATCH)
    return next(name for number in range(SHARDS) if shard_of(name := f"group {number}") in turn)


def rows(*groups: tuple[str, Any]) -> pa.RecordBatch:
    """Envelopes of events with these times."""
    events = [{"process": "p0", "clock": {"p0": 1}, "state": {}, "time": time} for _, time in groups]
    named = zip((group for group, _ in groups), events, strict=True)
    return sharded([(group, msgspec.json.encode({"group": group, "event": event})) for group, event in named])


def swept(spec: Spec, *batches: pa.RecordBatch) -> dict[int, float | None]:
    """What the shards whose turn it is are told, beside the events."""
    found: dict[int, float | None] = {}
    for batch in pack(iter(batches), Sweep(Rules.of(spec), SHARDS)):
        for shard, packed in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if is_sweep(packed):
                found[shard] = told_by([packed])
    return found


def test_every_shard_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    for batch in range(SHARDS // SHARDS_A_BATCH):
        monkeypatch.setattr(sweep, "streaming_batch", lambda batch=batch: batch)
        seen += swept(FORGETTING, rows(("a", 1)))
    assert sorted(seen) == list(range(SHARDS))
    monkeypatch.setattr(sweep, "streaming_batch", lambda: SHARDS // SHARDS_A_BATCH)
    assert list(swept(FORGETTING, rows(("a", 1)))) == seen[:SHARDS_A_BATCH]


def test_two_groups_tell_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "streaming_batch", lambda: 0)

    def told(*batches: pa.RecordBatch) -> float | None:
        (time,) = set(swept(FORGETTING, *batches).values())
        return time

    assert told(rows(("a", 5), ("b", 9e9), ("a", 7), ("c", "1970-01-01T00:00:06Z"))) == 7
    assert told(rows(("a", 5), ("a", 9))) is None  # one clock alone ends no other group
    assert told(rows(("a", None), ("b", "soon"))) is None
    many = [(f"g{number % 50}", number) for number in range(10_000)]
    assert told(rows(*many)) == pytest.approx(10_000, abs=200)  # some are asked, evenly spread
    heartbeat = sharded([("b", b'{"group":"b","event":{"time":9}}'), ("c", b'{"problem":"no event","event":"x"}')])
    assert told(rows(("a", 5)), heartbeat) is None  # neither tells a time


def test_nothing_is_swept_without_need(monkeypatch: pytest.MonkeyPatch) -> None:
    assert swept(FORGETTING, rows(("a", 1))) == {}  # no stream: nothing is kept
    monkeypatch.setattr(sweep, "streaming_batch", lambda: 0)
    assert swept(SPEC, rows(("a", 1))) == {}


def test_typed_columns_tell_the_time_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "streaming_batch", lambda: 1)
    columns = {
        "shard": pa.array([7, 8, 8], pa.int32()),
        "event": pa.nulls(3, pa.string()),
        "group": ["a", "b", "b"],
        "process": ["p0"] * 3,
        "clock": pa.array([[1, 0], [1, 0], [2, 0]], pa.list_(pa.int64())),
        "state": ['{"x":true}'] * 3,
        "time": ["5.0", "6.0", "1970-01-01T00:00:09Z"],
    }
    mapper = pack_columns(None, are_given=True, sweep=Sweep(Rules.of(FORGETTING), SHARDS))
    events, turns = mapper(iter([pa.RecordBatch.from_pydict(columns)]))
    assert events.column(0).to_pylist() == [7, 8]
    assert turns.schema == events.schema
    assert turns.column(0).to_pylist() == list(range(8, 16))
    assert told_by(turns.column(1).to_pylist()) == 5


class Shard:
    """The state of one shard as Spark hands it to a processor, and how often it was written."""

    def __init__(self) -> None:
        self.value: tuple[bytes] | None = None
        self.writes = 0

    def getValueState(self, *_: Any) -> Shard:  # noqa: N802 - as Spark calls it
        return self

    def get(self) -> tuple[bytes] | None:
        return self.value

    def update(self, value: tuple[bytes]) -> None:
        self.value, self.writes = value, self.writes + 1

    def getCurrentProcessingTimeInMs(self) -> int:  # noqa: N802 - as Spark calls it
        return 0


def test_a_turn_writes_state_only_if_it_changes_something() -> None:
    shard = Shard()
    processor = ShardProcessor(Work(Rules.of(FORGETTING)))
    assert processor.time_mode == "None"
    processor.init(shard)  # type: ignore[arg-type]

    def work(*payloads: str) -> list[str]:
        given = iter([Row(payload=each) for each in payloads])
        return [row.kind for row in processor.handleInputRows((8,), given, shard)]

    assert (work('{"sweep":9e9}'), shard.value) == ([], None)  # nobody is there
    assert "metric" in work(payload(make_event("g", 0, 1, time=0)))
    assert (work('{"sweep":1.0}', '{"sweep":null}'), shard.writes) == ([], 1)
    assert (work(f'{{"sweep":{8 * DAY}}}'), shard.writes) == (["reject"], 2)
    assert (work(f'{{"sweep":{8 * DAY}}}'), shard.writes) == ([], 2)


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_a_silent_shard_of_a_stream(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    """Rows of Parquet travel as columns, lines as envelopes."""
    quiet, waiting = in_turn_of(2), in_turn_of(3)
    folder = tmp_path / "in"
    folder.mkdir()
    for batch in range(3):
        groups = ["g", "h", *([quiet, waiting] if batch == 0 else [])]
        events = [make_event(group, 0, batch + 1, time=5 * DAY * batch) for group in groups]
        rows = [{name: event[name] for name in ("group", "process", "clock", "state", "time")} for event in events]
        path = folder / f"{batch}.{kind}"
        if kind == "jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        else:
            write_table(pa.Table.from_pylist([{**row, "arrival": batch} for row in rows]), path)
        os.utime(path, (batch, batch))  # Spark takes them in this order
    places: dict[str, Any] = {name: str(tmp_path / name) for name in ("output", "checkpoint")}
    # On a busy machine Spark may give up its Python.
    run(spark, FORGETTING, input=str(folder), once=True, max_restarts=8, max_files=1, **places)
    ended = read_output(spark, places["output"], "rejects").where("kind = 'ended'").collect()
    assert [(row["batch"], row["group"]) for row in ended] == [(2, quiet)]
