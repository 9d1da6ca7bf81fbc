"""Spans through Kafka and Spark: three real services, exported, sent on as the Collector's Kafka exporter does."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka import Producer
from typer.testing import CliRunner

pytest.importorskip("pyspark")

from kafka_broker import Broker, connector_jars
from latwin.cli import app
from latwin.spark import read_output
from otlp_messages import protobuf_of
from shop_system import SPEC, running

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def produce(broker: Broker, topic: str, documents: list[dict[str, Any]]) -> None:
    """One request a record, in the encodings `otlp_proto` and `otlp_json` by turns, over three partitions.

    All of the same time: on a busy machine they would be sent further apart than the pipeline waits.
    """
    producer = Producer({"bootstrap.servers": broker.server})
    now_ms = int(time.time() * 1000)
    for number, document in enumerate(documents):
        value = protobuf_of(document).SerializeToString() if number % 2 else json.dumps(document).encode()
        producer.produce(topic, value, partition=number % 3, timestamp=now_ms)
    producer.flush()


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore:.*the Kafka connector of Spark")
def test_a_race_is_found_through_kafka_and_spark(broker: Broker, spark: SparkSession, tmp_path: Path) -> None:
    """The records are in an order that no cause would take, and one is no request."""
    with running(tmp_path / "spans") as shop:
        shop.order("racing")
        shop.order("fixed")
    documents = [json.loads(line) for path in sorted((tmp_path / "spans").glob("*.jsonl")) for line in path.open()]
    topic = broker.create("otlp_spans", partitions=3)
    produce(broker, topic, documents[::-1])
    stray = Producer({"bootstrap.servers": broker.server})
    stray.produce(topic, b"\n\xff")
    stray.flush()
    spec, out = tmp_path / "spec.toml", tmp_path / "out"
    spec.write_text(SPEC)
    command = ["run", str(spec), "--input", f"kafka://{broker.server}/{topic}", "--clocks", "--max-wait", "3s"]
    jars = ["--jars", str(connector_jars())]
    folders = ["--out", str(out), "--checkpoint", str(tmp_path / "state")]
    outcome = CliRunner().invoke(app, [*command, *jars, *folders, "--once", "--json"])
    assert outcome.exit_code == 0, outcome.output
    assert json.loads(outcome.stdout.splitlines()[-1])["summary"]["events"] == 16
    verdicts = read_output(spark, str(out), "verdicts").collect()
    assert [(row["property"], row["value"]) for row in verdicts] == [("race", True)]
    rejects = read_output(spark, str(out), "rejects").collect()
    assert sorted({row["kind"] for row in rejects}) == ["rejected", "skipped"]
    assert next(row["reason"] for row in rejects if row["kind"] == "rejected").startswith("not an OTLP request")
