"""What a pipeline wrote, on the explorer's page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from latwin import Monitor
from latwin.demo.day import Demo
from latwin.explorer.outputs import OutputFeed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_what_a_pipeline_wrote_can_be_served(spark: SparkSession, tmp_path: Path) -> None:
    from pipelines import run

    demo = Demo(seed=5, hours=4)
    rows = [{**event, "group": "office", "arrival": k} for k, event in enumerate(demo.events)]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "events.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    output, checkpoint = str(tmp_path / "out"), str(tmp_path / "state")
    run(spark, demo.spec, input=str(tmp_path / "in"), output=output, checkpoint=checkpoint, once=True)
    feed = OutputFeed(demo.spec, tmp_path / "out")
    feed.look()
    monitor = Monitor(demo.spec)
    expected = [verdict for row in rows for verdict in monitor.observe(row, every=True)]
    chunk = feed.read("office", None).chunk
    assert chunk is not None
    for k, name in enumerate(demo.spec.properties):
        letters = ["01"[bool(verdict.value)] for verdict in expected if verdict.property == name]
        assert chunk["values"][k] == "".join(letters)
    assert chunk["totals"]["delivered"] == len(rows)
