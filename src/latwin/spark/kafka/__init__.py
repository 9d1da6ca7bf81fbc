"""Kafka on both ends of a pipeline, through Spark's own connector.

address   what `kafka://host:port/topic?...` means
client    questions to the brokers: which topics are there, and how far do they reach
source    records to events
sink      results to topics
"""

from latwin.spark.kafka.address import SinkAddress, SourceAddress, is_kafka, parse_sink, parse_source
from latwin.spark.kafka.sink import KafkaSink, read_topic
from latwin.spark.kafka.source import read_records, record_outputs

__all__ = [
    "KafkaSink",
    "SinkAddress",
    "SourceAddress",
    "is_kafka",
    "parse_sink",
    "parse_source",
    "read_records",
    "read_topic",
    "record_outputs",
]
