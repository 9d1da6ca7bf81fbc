"""What a running pipeline tells Prometheus, and the dashboard that shows it; without Spark."""

from __future__ import annotations

import json
import re
import socket
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("pyspark")

from latwin.errors import InvalidInput
from latwin.prometheus import CONTENT_TYPE, serving_metrics
from latwin.spark.loop import Restart
from latwin.spark.metrics import MOST_PROPERTIES, PipelineMetrics, progress_numbers
from latwin.spark.sinks import BatchSummary
from prometheus import read_metrics

DOCS = Path(__file__).parents[2] / "docs"
KAFKA = {
    "description": "KafkaV2[Subscribe[events]]",
    "endOffset": {"events": {"0": 10, "1": 4}},
    "latestOffset": {"events": {"0": 12, "1": 9}},
}
PROGRESS: dict[str, Any] = {
    "batchId": 3,
    "timestamp": "2026-03-01T12:00:00.000Z",
    "numInputRows": 60,
    "inputRowsPerSecond": 30.5,
    "processedRowsPerSecond": 40.25,
    "durationMs": {"triggerExecution": 1500, "addBatch": 1200},
    "sources": [KAFKA],
    "stateOperators": [
        {"numRowsTotal": 8, "memoryUsedBytes": 4096, "customMetrics": {"rocksdbSstFileSize": 700}},
    ],
}


def a_batch(number: int, **fields: Any) -> BatchSummary:
    return BatchSummary(number, **fields)


def told() -> PipelineMetrics:
    metrics = PipelineMetrics('a "pipe"', never=("bad", "worse"))
    metrics.batch(
        a_batch(2, events=10, verdicts=4, slides=9, empty=1, rejects=3, rejects_by_kind={"rejected": 2, "late": 1})
    )
    metrics.batch(a_batch(3, events=5, verdicts=1, slides=5, waiting=7, violations={"bad": 2}, unanswered={"bad": 1}))
    metrics.progress(PROGRESS)
    metrics.restart(Restart(1, 3, "lost"))
    return metrics


def by_label(family: Any, label: str) -> dict[str, float]:
    return {dict(labels)[label]: value for labels, value in family.samples.items()}


def one(family: Any) -> float:
    (value,) = family.samples.values()
    return float(value)


def test_counters_and_gauges_of_batches() -> None:
    found = read_metrics(told().text())
    assert {dict(labels)["pipeline"] for family in found.values() for labels in family.samples} == {'a "pipe"'}
    totals = {
        name: one(found[f"latwin_pipeline_{name}_total"]) for name in ("batches", "events", "verdicts", "slides")
    }
    assert totals == {"batches": 2, "events": 15, "verdicts": 5, "slides": 14}
    assert one(found["latwin_pipeline_slides_empty_total"]) == 1
    assert one(found["latwin_pipeline_restarts_total"]) == 1
    assert by_label(found["latwin_pipeline_violations_total"], "property") == {"bad": 2, "worse": 0}
    assert by_label(found["latwin_pipeline_unanswered_total"], "property") == {"bad": 1, "worse": 0}
    kinds = {"rejected": 2, "late": 1, "skipped": 0, "left": 0, "ended": 0, "returned": 0}
    assert by_label(found["latwin_pipeline_rejects_total"], "kind") == kinds
    assert one(found["latwin_pipeline_waiting"]) == 7
    assert one(found["latwin_pipeline_last_batch"]) == 3
    assert one(found["latwin_pipeline_batch_seconds_total"]) == 1.5
    assert one(found["latwin_pipeline_last_batch_seconds"]) == 1.5
    assert one(found["latwin_pipeline_lag_records"]) == 2 + 5
    assert one(found["latwin_pipeline_state_memory_bytes"]) == 4096
    assert one(found["latwin_pipeline_state_disk_bytes"]) == 700


def test_before_the_first_batch_there_are_the_counters_only() -> None:
    found = read_metrics(PipelineMetrics("p").text())
    assert one(found["latwin_pipeline_events_total"]) == 0
    assert "latwin_pipeline_last_batch" not in found
    assert "latwin_pipeline_lag_records" not in found


def test_names_that_come_and_go_do_not_grow_the_series() -> None:
    metrics = PipelineMetrics("p")
    for number in range(3 * MOST_PROPERTIES):
        metrics.batch(a_batch(number, violations={f"property {number}": 1}))
    found = by_label(read_metrics(metrics.text())["latwin_pipeline_violations_total"], "property")
    assert len(found) == MOST_PROPERTIES + 1
    assert found["(others)"] == 2 * MOST_PROPERTIES


@pytest.mark.parametrize(
    ("source", "lag"),
    [
        ({"endOffset": '{"t":{"0":3}}', "latestOffset": '{"t":{"0":8}}'}, 5),
        ({"endOffset": {"t": {}}, "latestOffset": {"t": {"0": 8}}}, 8),
        ({"endOffset": {"logOffset": 3}, "latestOffset": None}, None),
        ({"endOffset": {"logOffset": 3}, "latestOffset": {"logOffset": 3}}, None),
        ({"endOffset": "none", "latestOffset": "none"}, None),
        ({}, None),
    ],
)
def test_the_lag_is_told_where_the_source_tells_it(source: dict[str, Any], lag: int | None) -> None:
    assert progress_numbers({"sources": [source]}).get("lag_records") == lag


def test_the_server_answers_a_scraper_and_nobody_else() -> None:
    with serving_metrics(told().text, host="127.0.0.1", port=0) as address:
        url = urlsplit(address)
        connection = HTTPConnection("127.0.0.1", url.port or 0, timeout=10)
        connection.request("GET", url.path)
        answer = connection.getresponse()
        assert (answer.status, answer.getheader("Content-Type")) == (200, CONTENT_TYPE)
        assert "latwin_pipeline_events_total" in read_metrics(answer.read().decode())
        connection.close()
        connection.request("GET", "/")
        assert connection.getresponse().status == 404
        connection.close()


def test_a_port_that_is_taken_is_told_of_in_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with (
            pytest.raises(InvalidInput, match=rf"cannot be served on 127\.0\.0\.1, port {port}: .*; 0 takes a free"),
            serving_metrics(str, host="127.0.0.1", port=port),
        ):
            pass


def test_the_dashboard_uses_only_metrics_that_exist() -> None:
    dashboard = json.loads((DOCS / "deploy" / "grafana-dashboard.json").read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
    expressions += [
        variable["definition"] for variable in dashboard["templating"]["list"] if "definition" in variable
    ]
    used = {name for expression in expressions for name in re.findall(r"\blatwin_\w+", expression)}
    assert used
    assert used <= read_metrics(told().text()).keys()
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])


def test_the_documentation_names_every_metric() -> None:
    text = (DOCS / "operations.md").read_text()
    assert [name for name in read_metrics(told().text()) if f"`{name}`" not in text] == []
