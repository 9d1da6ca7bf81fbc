"""Few records to Kafka without a job of Spark: by the client that the connector brings, in the driver's Java."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.sql import SparkSession

from latwin.spark.kafka.client import KafkaFailed

_BYTES = "org.apache.kafka.common.serialization.ByteArraySerializer"


class Record(NamedTuple):
    """A record; the records of a key keep their order."""

    topic: str
    key: str | None
    value: str


class Producer:
    """Sends records; opened when the first ones come, and kept, as opening takes longer than sending."""

    def __init__(self, session: SparkSession, config: Mapping[str, str]) -> None:
        self._jvm: Any = session._jvm
        self._config = dict(config)
        self._producer: Any = None

    def send(self, records: Iterable[Record], headers: Mapping[str, str]) -> None:
        """Send records, all with the same headers; returns when the brokers have them, else raises KafkaFailed."""
        kafka = self._jvm.org.apache.kafka
        marks = self._jvm.java.util.ArrayList()
        for name, value in headers.items():
            marks.add(kafka.common.header.internals.RecordHeader(name, value.encode()))
        try:
            producer = self._open()
            sent = [
                producer.send(
                    kafka.clients.producer.ProducerRecord(
                        record.topic,
                        None,
                        None,
                        None if record.key is None else record.key.encode(),
                        record.value.encode(),
                        marks,
                    )
                )
                for record in records
            ]
            producer.flush()
            for answer in sent:
                answer.get()
        except Py4JJavaError as error:
            raise KafkaFailed(
                f"cannot write to Kafka at {self._config['bootstrap.servers']}: {error.java_exception.getMessage()}"
            ) from None

    def close(self) -> None:
        """Give its connections back."""
        if self._producer is not None:
            self._producer.close()
            self._producer = None

    def _open(self) -> Any:
        if self._producer is None:
            settings = self._jvm.java.util.Properties()
            for name, value in {**self._config, "key.serializer": _BYTES, "value.serializer": _BYTES}.items():
                settings.put(name, value)
            self._producer = self._jvm.org.apache.kafka.clients.producer.KafkaProducer(settings)
        return self._producer
