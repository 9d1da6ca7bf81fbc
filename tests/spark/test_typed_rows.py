"""Rows of a DataFrame as typed columns: the same as if Spark had written every one of them as JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from latwin import Spec
from latwin.spark.packing import SCHEMA, pack
from latwin.spark.sources.columns import ColumnSource
from shards import make_worker, outcome

SPEC = Spec.from_dict(
    {
        "processes": ["p0", "p1"],
        "window": 3,
        "properties": {
            "both": "possibly(p0.x and p1.x)",
            "sum": "possibly(p0.n + p1.n > 2)",
            "s": "possibly(p0.s == 'b')",
        },
    }
)
NAN, INF = float("nan"), float("inf")
STATE = "struct<x:boolean,n:bigint,f:double,s:string>"
NESTED = "struct<x:boolean,n:float,s:string,inner:struct<d:date,l:array<int>>>"
MAPS = "map<string,double>"


def rows(clocks: str, states: str) -> list[dict[str, Any]]:
    """States of two groups, and rows that are none or odd."""

    def state(x: Any, n: Any, f: Any, s: Any) -> Any:
        if states == STATE:
            return {"x": x, "n": n, "f": f, "s": s}
        if states == NESTED:
            return {"x": x, "n": 0.1 if n else None, "s": s, "inner": {"d": None, "l": [1, None]}}
        if states == MAPS:
            return {"x": f, "n": None if n is None else float(n)}
        return None if s is None else f'{{"x": {str(bool(x)).lower()}, "s": "{s}"}}' if s != "b" else '{"x": 1'

    def clock(*entries: Any) -> Any:
        return list(entries) if clocks == "array<bigint>" else dict(zip(("p0", "p1"), entries, strict=True))

    values = [(True, 1, 1.5, "a"), (False, 2, NAN, "b"), (None, None, INF, "é\n"), (True, 2**60, -0.0, None)]
    found = []
    for number in range(40):
        k, index = number // 2 % 2, number // 4 + 1
        entries = (index, index - 1) if k == 0 else (index, index)
        found.append(
            {
                "group": f"g{number % 2}",
                "process": f"p{k}",
                "clock": clock(*entries),
                "state": state(*values[number % 4]),
                "time": 1_700_000_000 + number,
                "arrival": number,
            }
        )
    good = found[5]
    found += [{**good, name: None} for name in good]
    found += [{**good, "process": "stranger"}, {**good, "process": "p" * 300_000}, {**good, "clock": clock(1, -1)}]
    found += [{**good, "clock": clock(None, 7)}, {**good, "arrival": 3}, {**good, "group": "other"}]
    return found


@pytest.mark.parametrize(
    ("clocks", "states", "time", "order"),
    [
        ("array<bigint>", STATE, "bigint", "arrival bigint"),
        ("map<string,bigint>", NESTED, "double", ""),
        ("array<bigint>", "string", "string", "arrival timestamp"),
        ("map<string,bigint>", MAPS, "", ""),
    ],
)
def test_typed_rows_are_read_as_json_is(spark: SparkSession, clocks: str, states: str, time: str, order: str) -> None:
    fields = [f"clock {clocks}", f"state {states}", *([f"time {time}"] if time else []), *([order] if order else [])]
    names = ["group", "process", *(field.split()[0] for field in fields)]
    data = [tuple(_as(row[name], name, time, order) for name in names) for row in rows(clocks, states)]
    frame = spark.createDataFrame(data, ", ".join(["group string", "process string", *fields]))
    source = ColumnSource.of(frame)
    assert source.has_typed_order
    columns = observed(source.packed())
    assert columns == observed(source.envelopes().mapInArrow(pack, SCHEMA))
    # Of texts, every fourth is no JSON, and what follows waits for it.
    assert any(name.startswith("verdicts") for name in columns) or states == "string"
    assert any(name.startswith("rejects") for name in columns)


def _as(value: Any, name: str, time: str, order: str) -> Any:
    if value is None:
        return None
    if name == "arrival" and "timestamp" in order:
        return datetime.fromtimestamp(value, UTC)
    if name == "time" and time == "double":
        return float("inf") if value % 7 == 0 else value / 4
    return str(value) if name == "time" and time == "string" else value


def observed(packed: DataFrame) -> dict[str, list[Any]]:
    """What workers say of packed rows, shard by shard."""
    shards: dict[int, list[Any]] = {}
    for row in packed.collect():
        payload = row["payload"]
        shards.setdefault(row["shard"], []).append(bytes(payload) if not isinstance(payload, str) else payload)
    found: dict[str, list[Any]] = {}
    for payloads in shards.values():
        found |= outcome(make_worker(SPEC).work(None, payloads)[1])
    return found
