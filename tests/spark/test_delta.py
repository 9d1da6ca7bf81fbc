"""Delta tables at both ends of a pipeline, for real; and what can be known of tables without them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark")

import delta_tables
from kafka_broker import delta_jars
from latwin.errors import InvalidInput
from latwin.monitor import Monitor
from latwin.spark.packages import JarsMissing
from latwin.spark.tables import TableAddress, is_named, is_table, parse_table


def found_by(what: str, folder: Path) -> dict[str, Any]:
    """What a process with Delta finds."""
    try:
        jars = delta_jars()
    except JarsMissing as error:
        pytest.skip(f"no Delta for this pyspark: {error}")
    command = [sys.executable, delta_tables.__file__, str(folder), str(jars), what]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-5000:]
    found: dict[str, Any] = json.loads((folder / "found.json").read_text())
    return found


@pytest.mark.versions  # as long as these, and in a process of its own like them
def test_a_batch_that_is_repeated_is_in_each_table_once(tmp_path: Path) -> None:
    found = found_by("batch", tmp_path)
    verdicts = [(row["batch"], row["property"], row["value"], row["slide"]) for row in found["verdicts"]]
    assert sorted(verdicts) == [(batch, "p", True, slide) for batch in (7, 8) for slide in (1, 2, 3)]
    rejects = [(row["batch"], row["kind"], row["reason"], row["event"]) for row in found["rejects"]]
    assert sorted(rejects) == [(batch, "rejected", "r", "{}") for batch in (7, 8)]
    assert sorted((row["batch"], row["group"], row["events"]) for row in found["metrics"]) == [
        (7, "g", 3),
        (8, "g", 3),
    ]


@pytest.mark.soak
@pytest.mark.spark
def test_delta_at_both_ends(tmp_path: Path) -> None:
    found = found_by("ends", tmp_path)
    assert "killed after batch" in found["killed"]
    expected = []
    for group in "efg":
        rows = [row for row in delta_tables.events(0, 14) if row[0] == group]
        monitor = Monitor(delta_tables.SPEC)
        told = monitor.observe_many(
            [{"process": row[1], "clock": row[2], "state": row[3], "arrival": row[4]} for row in rows]
        )
        expected += [(group, verdict.property, verdict.slide, verdict.value) for verdict in told]
    verdicts = [(row["group"], row["property"], row["slide"], row["value"]) for row in found["verdicts"]]
    assert sorted(verdicts) == sorted(expected)
    assert found["rejects"] == []
    assert sorted((row["group"], row["batch"], row["events"]) for row in found["metrics"]) == [
        (group, batch, 7) for group in "efg" for batch in (0, 1)
    ]
    assert "a table of parquet" in found["refused"]
    assert found["named"][0] == len(expected)


def test_addresses_of_tables() -> None:
    assert parse_table("delta:/data/out") == TableAddress("delta", "/data/out")
    assert parse_table("delta:s3a://bucket/out/").of("rejects") == "s3a://bucket/out/rejects"
    assert parse_table("table:main.results").of("verdicts") == "main.results"
    assert parse_table("table:main.results").of("metrics") == "main.results_metrics"
    assert is_table("table:x")
    assert is_named("kafka://h:1/t")
    assert not is_named("tables/x")
    for wrong in ("delta:", "table:", "table:a b", "table:a.b.c.d", "table:x;drop"):
        with pytest.raises(InvalidInput, match="a table is named as"):
            parse_table(wrong)
