"""The reporter to a topic of Kafka."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

import msgspec

from latwin.errors import InvalidInput

if TYPE_CHECKING:
    from confluent_kafka import KafkaError, Message, Producer

_POLL_S = 0.1


class _Grouped(msgspec.Struct):
    group: str = ""


class KafkaReporter:
    """Produces events to a topic, with their group as the key, so that a group stays in one partition, in order.

    The producer is idempotent and waits for all replicas (`acks=all`); a batch is acknowledged when the delivery of
    each of its events was. `config` is passed on to librdkafka, say for authorisation. Needs
    `pip install 'latwin[kafka]'`. Raises ConnectionError for what was not delivered within `timeout_s`.
    """

    def __init__(
        self, bootstrap: str, topic: str, *, config: Mapping[str, Any] | None = None, timeout_s: float = 30.0
    ) -> None:
        try:
            import confluent_kafka
        except ImportError as error:
            raise InvalidInput(
                f"KafkaReporter needs the package confluent-kafka ({error}): pip install 'latwin[kafka]'"
            ) from None
        for name, value in (("bootstrap", bootstrap), ("topic", topic)):
            if not isinstance(value, str) or not value:
                raise InvalidInput(f"{name} must be a text that is not empty; got {value!r}")
        self.topic = topic
        self._timeout_s = timeout_s
        self._config = {
            "bootstrap.servers": bootstrap,
            "enable.idempotence": True,
            "acks": "all",
            "message.timeout.ms": max(1, int(timeout_s * 1000)),
            **(config or {}),
        }
        self._make = confluent_kafka.Producer
        self._lock = Lock()
        try:
            self._producer: Producer | None = self._make(self._config)
        except (confluent_kafka.KafkaException, TypeError, ValueError) as error:
            raise InvalidInput(f"KafkaReporter: librdkafka refuses the settings: {error}") from None

    def send(self, events: Sequence[bytes]) -> None:
        """Return when each of them was delivered."""
        delivered, failures = 0, list[str]()

        def count(error: KafkaError | None, message: Message) -> None:
            nonlocal delivered
            del message
            if error is None:
                delivered += 1
            else:
                failures.append(str(error))

        with self._lock:
            producer = self._producer if self._producer is not None else self._make(self._config)
            self._producer = producer
            deadline = time.monotonic() + self._timeout_s
            try:
                for event in events:
                    key = msgspec.json.decode(event, type=_Grouped).group.encode()
                    self._produce(producer, event, key, count, deadline)
                producer.flush(max(0.0, deadline - time.monotonic()))
            finally:
                if delivered != len(events):
                    # They are sent again, by a fresh producer: an idempotent one may not go on after a failure.
                    producer.purge()
                    self._producer = None
        if delivered != len(events):
            reason = failures[0] if failures else f"no answer within {self._timeout_s} s"
            raise ConnectionError(
                f"topic {self.topic!r}: {len(events) - delivered} of {len(events)} events not delivered: {reason}"
            )

    def _produce(self, producer: Producer, event: bytes, key: bytes, count: Any, deadline: float) -> None:
        while True:
            try:
                producer.produce(self.topic, value=event, key=key, on_delivery=count)
            except BufferError:
                if time.monotonic() > deadline:
                    raise ConnectionError(f"topic {self.topic!r}: the producer's queue stays full") from None
                producer.poll(_POLL_S)
            else:
                return

    def close(self) -> None:
        """Let go of the connections."""
        with self._lock:
            self._producer = None
