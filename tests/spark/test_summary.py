"""What a batch held is the same whether its rows are here or with Spark."""

from __future__ import annotations

import pytest

pytest.importorskip("pyspark")

from pyspark.sql import SparkSession

from latwin import Spec
from latwin.spark.schemas import PACKED
from latwin.spark.sinks.batch import few_rows
from latwin.spark.sinks.summary import summarize, summary_of
from shards import make_event, make_worker, work

#: the lattice of the second property is too large to be looked at, and its value then is null
SPEC = Spec.from_dict(
    {
        "processes": ["p0", "p1"],
        "window": 3,
        "max_cuts": 1,
        "never": ["both", "next"],
        "properties": {"both": "possibly(p0.x and p1.x)", "next": "EX(p0.x + p1.x == 9)"},
    }
)


def test_rows_of_every_kind(spark: SparkSession) -> None:
    events = [make_event(group, process, 1, order=process) for group in "gh" for process in (0, 1)]
    bad = [make_event("g", 0, 1, x=False, order=7), make_event("h", 0, 3, order=8), make_event("i", 1, 0)]
    results = work(make_worker(SPEC), *events, *bad)
    assert any(row["value"] is None for row in results.verdicts)
    packed = spark.createDataFrame(results.packed(), PACKED)
    rows = few_rows(packed, 1 << 20)
    assert rows is not None
    found = summary_of(rows.verdicts, rows.rejects, rows.metrics, 3, SPEC.never)
    assert found == summarize(packed, 3, SPEC.never)
    assert (found.violations, found.unanswered) == ({"both": 2}, {"next": 4})
    assert (found.rejects, found.events, found.groups, found.waiting) == (2, 7, 3, 1)
