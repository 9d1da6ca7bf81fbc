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


def write(path: Path, documents: list[dict[str, Any]], *, second: int) -> None:
    """Lines as the collector writes them, with the time of their arrival."""
    arrival = f',"arrival":{1_700_000_000_000_000 + second * 1_000_000}}}\n'
    path.write_text("".join(json.dumps(each)[:-1] + arrival for each in documents))


def verdicts(session: SparkSession, output: Path) -> set[tuple[str, str, bool]]:
    rows = read_output(session, str(output), "verdicts").collect()
    return {(row["group"], row["property"], row["value"]) for row in rows}


@pytest.mark.soak
def test_spans_in_a_folder_are_checked_as_they_come(spark: SparkSession, tmp_path: Path) -> None:
    """Two starts of the pipeline over one folder; the traces are finished when nothing of them came for a while."""
    source, output = tmp_path / "spans", tmp_path / "out"
    source.mkdir()
    documents = [*shop(TRACES[0], fixed=False), *shop(TRACES[1], fixed=True)]
    random.Random(3).shuffle(documents)
    write(source / "a.jsonl", documents[:4], second=0)
    options: dict[str, Any] = {
        "input": str(source),
        "output": str(output),
        "checkpoint": str(tmp_path / "state"),
    }
    begun: list[BatchSummary] = []
    patient, short = (Clocking(TraceSpans(), Waits(seconds, 7200.0)) for seconds in (3600.0, 2.0))
    first = run(spark, SPEC, on_batch=begun.append, until=lambda: bool(begun), clocking=patient, **options)
    assert (first.events, first.rejects) == (0, 0)
    write(source / "b.jsonl", documents[4:], second=1)
    done = run(spark, SPEC, once=True, clocking=short, **options)
    assert (done.events, done.rejects) == (12, 2)  # the second thread of the shop, in two groups, is not in the spec
    assert verdicts(spark, output) == {(TRACES[0], "both", True)}
