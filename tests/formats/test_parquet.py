"""Parquet files of strangers: rows come some at a time, and what cannot be read is told with the file's name."""

from __future__ import annotations

import random
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from bad_files import HARMLESS
from commands import run, write
from effort import examples
from latwin import InvalidInput
from latwin.formats.arrow import read_rows

EVENTS: dict[str, Any] = {
    "process": pa.array(["a"] * 3000),
    "clock": pa.array([[("a", k)] for k in range(1, 3001)], pa.map_(pa.string(), pa.int64())),
    "state": pa.array(['{"x": true}'] * 3000),
}
#: columns that Arrow has and JSON lacks, each with values that Python may refuse
COLUMNS: dict[str, Any] = {
    "repeated names": pa.array([[("a", 1), ("a", 2)]], pa.map_(pa.string(), pa.int64())),
    "names that are no texts": pa.array([[(1, 1)]], pa.map_(pa.int64(), pa.int64())),
    "nanoseconds": pa.array([2**63 - 1], pa.timestamp("ns")),
    "the end of time": pa.array([2**62], pa.timestamp("us")),
    "a date": pa.array([datetime(2026, 1, 1)], pa.date32()),
    "a long ago date": pa.array([-(2**31)], pa.int32()).cast(pa.date32()),
    "a duration": pa.array([2**62], pa.duration("us")),
    "no text": pa.array([b"\xff"]).cast(pa.binary()).view(pa.string()),
    "bytes": pa.array([b"\xff\x00"]),
    "not a number": pa.array([float("nan")]),
    "nothing": pa.nulls(1),
    "structs": pa.array([{"a": [{"b": None}]}]),
}


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("field", ["process", "clock", "state", "time", "group", "other"])
def test_any_column_is_read_or_refused(tmp_path: Path, kind: str, field: str) -> None:
    path = tmp_path / "events.parquet"
    row = {name: column.slice(0, 1) for name, column in EVENTS.items()}
    parquet.write_table(pa.table({**row, field: COLUMNS[kind]}), path)
    spec = write(tmp_path / "spec.toml", HARMLESS)
    for arguments in (
        ["check", spec, str(path), "--format", "parquet"],
        ["check", spec, str(path), "--format", "parquet", "--lenient"],
        ["inspect", str(path), "--format", "parquet"],
        ["convert", str(path), "--format", "parquet", "--lenient", "--out", str(tmp_path / "out.jsonl")],
    ):
        result = run(*arguments)
        assert result.exit_code in ((0, 1, 2) if arguments[0] == "inspect" else (0, 2)), result.stderr
        assert result.exit_code == 0 or str(path) in result.stderr


def test_damage_anywhere(tmp_path: Path) -> None:
    """Rows before it may be read; then InvalidInput says why."""
    whole = tmp_path / "whole.parquet"
    parquet.write_table(pa.table(EVENTS), whole, row_group_size=500)
    content = whole.read_bytes()
    assert sum(1 for _ in read_rows(BytesIO(content))) == 3000
    rng = random.Random(20261117)
    for _ in range(examples(200)):
        changed = bytearray(content)
        for _ in range(rng.choice([1, 1, 8])):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        damaged = BytesIO(changed[: rng.choice([len(changed), len(changed), rng.randrange(len(changed))])])
        try:
            assert sum(1 for _ in read_rows(damaged)) <= 3000
        except InvalidInput as error:
            assert str(error).startswith("it cannot be read as Parquet: ")  # noqa: PT017 - it may be read, too


def test_a_small_file_of_very_many_rows(tmp_path: Path) -> None:
    """It is not unpacked at once."""
    path = tmp_path / "bomb.parquet"
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 200_000, pa.int32()), pa.array(["x" * 10_000]))
    parquet.write_table(pa.table({"process": text}), path)
    assert path.stat().st_size < 1 << 20  # of two billion bytes
    before = pa.total_allocated_bytes()
    with path.open("rb") as file:
        assert next(read_rows(file)) == {"process": "x" * 10_000}
        assert pa.total_allocated_bytes() - before < 100 << 20
