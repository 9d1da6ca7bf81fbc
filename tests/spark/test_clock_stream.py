"""Clocks made in the stream, on Spark: the verdicts of the batch, in any batches, with restarts and timers."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark")

from pyspark.sql import SparkSession

from latwin import Spec
from latwin.clocks import TraceSpans
from latwin.clocks.waits import Waits
from latwin.spark import Clocking, read_output
from latwin.spark.sinks import BatchSummary
from otlp import request, span
from pipelines import run

SPEC = Spec.from_dict(
    {
        "processes": ["shop", "payment", "stock"],
        "window": 16,
        "properties": {"both": "possibly(payment.span == 'charge' and stock.span == 'reserve')"},
    }
)
TRACES = ["1" * 32, "2" * 32]


def shop(trace: str, *, fixed: bool) -> list[dict[str, Any]]:
    """An order: the shop asks for payment and stock, at once, or, when that is fixed, one after the other."""
    later = 20 if fixed else 0
    return [
        request("shop", span(1, 0, 90, "order", kind="server", trace=trace)),
        request("shop", span(2, 1 + later, 40 + later, "ask", kind="client", parent=1, trace=trace, thread__id=1)),
        request("payment", span(3, 500, 510, "charge", kind="server", parent=2, trace=trace)),
        request("shop", span(4, 1, 19, "ask", kind="client", parent=1, trace=trace, thread__id=1)),
        request("stock", span(5, 0, 8, "reserve", kind="server", parent=4, trace=trace)),
    ]


def verdicts(session: SparkSession, output: Path) -> set[tuple[str, str, bool]]:
    rows = read_output(session, str(output), "verdicts").collect()
    return {(row["group"], row["property"], row["value"]) for row in rows}


def test_spans_in_a_folder_are_checked_as_they_come(spark: SparkSession, tmp_path: Path) -> None:
    """Two starts of the pipeline over one folder; the traces are finished when nothing of them came for a while."""
    source, output = tmp_path / "spans", tmp_path / "out"
    source.mkdir()
    documents = [*shop(TRACES[0], fixed=False), *shop(TRACES[1], fixed=True)]
    random.Random(3).shuffle(documents)
    (source / "a.jsonl").write_text("".join(json.dumps(each) + "\n" for each in documents[:4]))
    clocking = Clocking(TraceSpans(), Waits(2.0, 60.0))
    options: dict[str, Any] = {
        "input": str(source),
        "output": str(output),
        "checkpoint": str(tmp_path / "state"),
        "clocking": clocking,
        "shards": 2,
    }
    begun: list[BatchSummary] = []
    first = run(spark, SPEC, on_batch=begun.append, until=lambda: bool(begun), **options)
    assert (first.events, first.rejects) == (0, 0)
    (source / "b.jsonl").write_text("".join(json.dumps(each) + "\n" for each in documents[4:]))
    done = run(spark, SPEC, once=True, **options)
    assert (done.events, done.rejects) == (20, 0)
    assert verdicts(spark, output) == {(TRACES[0], "both", True)}
