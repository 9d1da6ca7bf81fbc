"""A watermark on the events goes on in the verdicts, so that windows of event time behind them can close."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

pytest.importorskip("pyspark")

from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it

from latwin import Spec
from latwin.spark import Detection, detect, replay
from latwin.spark.pipeline import source_outputs
from latwin.spark.sources.columns import ColumnSource
from latwin.spark.watermarks import Watermark, delay_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SPEC = Spec.from_dict({"processes": ["p"], "window": 2, "properties": {"x": "possibly(p.x)"}})
SCHEMA = "process string, clock array<bigint>, state map<string, boolean>, arrival bigint, at timestamp"
#: the minutes and seconds of the events of each file; the last but one is too late for Spark, not for latwin
FILES = [["00:10", "00:20"], ["01:10", "01:40"], ["03:00"], ["00:30", "03:10"]]


@pytest.fixture
def source(tmp_path: Path) -> str:
    number = 0
    for place, times in enumerate(FILES):
        rows = []
        for at in times:
            number += 1
            row = {"process": "p", "clock": [number], "state": {"x": number % 2 == 0}, "arrival": number}
            rows.append({**row, "at": f"2026-01-01T00:{at}Z"})
        path = tmp_path / f"{place}.json"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        os.utime(path, (place, place))  # Spark takes them in this order
    return str(tmp_path)


def marked(spark: SparkSession, source: str) -> DataFrame:
    events = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(source)
    return events.withWatermark("at", "30 seconds")


def counted(spark: SparkSession, verdicts: DataFrame, column: str) -> list[tuple[str, int]]:
    """How many verdicts a minute has, of the minutes that are over."""
    name = f"counted_{uuid4().hex}"
    minutes = verdicts.groupBy(F.window(column, "1 minute").alias("minute")).count()
    query = minutes.writeStream.format("memory").queryName(name).trigger(availableNow=True).start()
    query.awaitTermination()
    rows = spark.sql(f"SELECT date_format(minute.start, 'mm') AS minute, count FROM {name}").collect()
    return sorted((row["minute"], row["count"]) for row in rows)


@pytest.mark.soak
@pytest.mark.parametrize("column", ["at", "time"])
def test_a_window_of_event_time_behind_detect(spark: SparkSession, source: str, column: str) -> None:
    events = marked(spark, source)
    if column == "at":
        verdicts = detect(events, SPEC, keep=["at"], every=True)
    else:
        verdicts = detect(events, SPEC, columns={"time": "at"}, every=True)
    assert delay_of(verdicts.schema[column]) == 30_000
    assert counted(spark, verdicts, column) == [("00", 2), ("01", 2)]


def test_with_ticks_the_verdicts_have_a_watermark_of_their_own(spark: SparkSession, source: str) -> None:
    """Spark's operator hands none on where it has timers; such a query does not end by itself: its plan tells."""
    events = ColumnSource.of(marked(spark, source), keep=["at"])
    verdicts = source_outputs(events, SPEC, Detection(tick_s=1)).verdicts
    assert delay_of(verdicts.schema["at"]) == 30_000
    plan = verdicts._jdf.queryExecution().analyzed().toString()
    assert plan.count("EventTimeWatermark") == 2


def test_only_one_column_tells_event_time(spark: SparkSession, source: str) -> None:
    events = marked(spark, source)
    both = ColumnSource.of(events, {"time": "at"}, keep=["at"])
    assert both.watermark == Watermark("at", 30_000)
    assert delay_of(detect(events, SPEC, columns={"time": "at"}, keep=["at"]).schema["time"]) is None
    assert ColumnSource.of(events).watermark is None


def test_a_batch_has_no_watermark(spark: SparkSession, source: str) -> None:
    """Not even in the files that are written of it."""
    events = spark.read.schema(SCHEMA).json(source).withWatermark("at", "30 seconds")
    found: Any = replay(events, SPEC, keep=["at"])
    assert delay_of(found.schema["at"]) is None
