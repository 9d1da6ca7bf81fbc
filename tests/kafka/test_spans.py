"""Spans through Kafka and Spark: three real services, exported, sent on as the Collector's Kafka exporter does."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from confluent_kafka import Producer

pytest.importorskip("pyspark")

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from kafka_broker import Broker
from latwin import Spec
from latwin.clocks import TraceSpans, Waits
from latwin.spark import Clocking, read_output
from otlp_messages import protobuf_of
from pipelines import run
from shop_system import SPEC, running

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.soak
def test_a_race_is_found_through_kafka_and_spark(broker: Broker, spark: SparkSession, tmp_path: Path) -> None:
    """Every second record is in JSON; they are in several partitions, in an order that no cause would take."""
    with running(tmp_path / "spans") as shop:
        shop.order("racing")
        shop.order("fixed")
    documents = [json.loads(line) for path in sorted((tmp_path / "spans").glob("*.jsonl")) for line in path.open()]
    topic = broker.create("otlp_spans", partitions=3)
    producer = Producer({"bootstrap.servers": broker.server})
    for number, document in enumerate(reversed(documents)):
        message: ExportTraceServiceRequest = protobuf_of(document)
        value = message.SerializeToString() if number % 2 else json.dumps(document).encode()
        producer.produce(topic, value, partition=number % 3)
    producer.produce(topic, b"\n\xff", partition=0)
    producer.flush()
    done = run(
        spark,
        Spec.from_dict(tomllib.loads(SPEC)),
        input=f"kafka://{broker.server}/{topic}",
        output=str(tmp_path / "out"),
        checkpoint=str(tmp_path / "state"),
        clocking=Clocking(TraceSpans(), Waits(3.0, 60.0)),
        once=True,
    )
    assert done.events == 16
    verdicts = read_output(spark, str(tmp_path / "out"), "verdicts").collect()
    assert [(row["property"], row["value"]) for row in verdicts] == [("race", True)]
    rejects = read_output(spark, str(tmp_path / "out"), "rejects").collect()
    assert sorted({row["kind"] for row in rejects}) == ["rejected", "skipped"]
    assert next(row["reason"] for row in rejects if row["kind"] == "rejected").startswith("not an OTLP request")
