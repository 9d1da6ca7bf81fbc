"""A control topic of rules, on a real broker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from confluent_kafka import Producer

pytest.importorskip("pyspark")

from latwin import Spec
from latwin.errors import InvalidInput
from latwin.spark.watching import Refused, SpecTopic

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from kafka_broker import Broker

TOML = b'processes = ["p0", "p1"]\nwindow = 3\n'
JSON = b'{"processes": ["p0", "p1"], "window": 5}'


def test_the_last_record_counts(spark: SparkSession, broker: Broker) -> None:
    """As TOML or JSON, from the first look on; between two looks at the brokers there are some seconds."""
    name = broker.create("rules")
    now_s = 0.0
    topic = SpecTopic(spark, f"kafka://{broker.server}/{name}", clock=lambda: now_s)
    assert topic.look() is None
    _send(broker, name, b"no spec", TOML)
    assert topic.look() is None  # too soon
    now_s += 10
    first = topic.look()
    assert isinstance(first, Spec)
    assert first.window == (3, 3)
    now_s += 10
    assert topic.look() is None
    _send(broker, name, JSON)
    now_s += 10
    second = topic.look()
    assert isinstance(second, Spec)
    assert second.window == (5, 5)
    _send(broker, name, b"window = 3")
    now_s += 10
    refused = topic.look()
    assert isinstance(refused, Refused)
    assert refused.reason.startswith(f"the last record of {name}: `processes` is missing"), refused
    later = SpecTopic(spark, f"kafka://{broker.server}/{name}")
    assert later.look() == refused


def test_a_topic_of_rules_has_one_partition(spark: SparkSession, broker: Broker) -> None:
    name = broker.create("rules", 2)
    with pytest.raises(InvalidInput, match="a topic of rules must have one partition"):
        SpecTopic(spark, f"kafka://{broker.server}/{name}")
    with pytest.raises(InvalidInput, match="does not exist"):
        SpecTopic(spark, f"kafka://{broker.server}/nothing")


def _send(broker: Broker, topic: str, *values: bytes) -> None:
    producer = Producer({"bootstrap.servers": broker.server})
    for value in values:
        producer.produce(topic, value)
    assert producer.flush(60) == 0
