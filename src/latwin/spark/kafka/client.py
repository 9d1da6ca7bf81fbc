"""Questions to the brokers, by the client that the connector brings, in the driver's Java."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.sql import SparkSession

from latwin.errors import InvalidInput, LatwinError
from latwin.spark.session import require_connector

DEFAULT_TIMEOUT_S = 15.0
#: offsets by topic and partition
Offsets = dict[str, dict[int, int]]
_SIDES = ("input", "output")


class KafkaFailed(LatwinError):
    """The brokers could not be asked; the message says why."""


def read_config(session: SparkSession, path: str) -> dict[str, str]:
    """The settings in a properties file, as Kafka's own tools read it."""
    jvm: Any = session._jvm
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"the file of Kafka's settings {path} cannot be read: {error}") from None
    properties = jvm.java.util.Properties()
    try:
        properties.load(jvm.java.io.StringReader(text))
    except Py4JJavaError as error:
        raise InvalidInput(f"{path} is no properties file: {error.java_exception.getMessage()}") from None
    return {str(name): str(properties.getProperty(name)) for name in properties.stringPropertyNames()}


def client_config(servers: str, config: Mapping[str, str], side: str) -> dict[str, str]:
    """The client's settings for one side of the pipeline: those named `input.*` or `output.*` are for that side."""
    mine: dict[str, str] = {}
    for name, value in config.items():
        begin, _, rest = name.partition(".")
        if begin not in _SIDES:
            mine.setdefault(name, value)
        elif begin == side:
            mine[rest] = value
    return {**mine, "bootstrap.servers": servers}


class Brokers:
    """The brokers at `config["bootstrap.servers"]`, to be asked about topics."""

    def __init__(self, session: SparkSession, config: Mapping[str, str], *, timeout_s: float | None = None) -> None:
        require_connector(session)
        self._jvm: Any = session._jvm
        self._config = dict(config)
        self._timeout_s = DEFAULT_TIMEOUT_S if timeout_s is None else timeout_s

    @property
    def servers(self) -> str:
        """Where they are."""
        return self._config["bootstrap.servers"]

    def partitions(self, topics: Iterable[str]) -> dict[str, list[int]]:
        """The partitions of each topic; raises InvalidInput if one does not exist, KafkaFailed if none answers."""
        names = list(dict.fromkeys(topics))
        found, missing = {}, []
        with self._admin() as admin:
            answers = admin.describeTopics(self._jvm.java.util.ArrayList(names)).topicNameValues()
            for name in names:
                try:
                    described = answers.get(name).get()
                except Py4JJavaError as error:
                    if _class_of(_cause(error)) != "UnknownTopicOrPartitionException":
                        raise
                    missing.append(name)
                else:
                    found[name] = [int(partition.partition()) for partition in described.partitions()]
        if missing:
            noun = "topic does" if len(missing) == 1 else "topics do"
            raise InvalidInput(
                f"at {self.servers} the {noun} not exist: {', '.join(missing)}; create first what is missing"
            )
        return found

    def ends(self, topics: Iterable[str]) -> Offsets:
        """For each partition the offset that the next record will have."""
        partitions = self.partitions(topics)
        common = self._jvm.org.apache.kafka.common
        latest = self._jvm.org.apache.kafka.clients.admin.OffsetSpec.latest()
        asked = self._jvm.java.util.HashMap()
        places = {
            (topic, number): common.TopicPartition(topic, number)
            for topic, all_of in partitions.items()
            for number in all_of
        }
        for place in places.values():
            asked.put(place, latest)
        with self._admin() as admin:
            answers = admin.listOffsets(asked).all().get()
            ends: Offsets = {topic: {} for topic in partitions}
            for (topic, number), place in places.items():
                ends[topic][number] = int(answers.get(place).offset())
        return ends

    @contextmanager
    def _admin(self) -> Iterator[Any]:
        settings = self._jvm.java.util.Properties()
        timeout_ms = str(int(self._timeout_s * 1000))
        for name, value in {
            **self._config,
            "default.api.timeout.ms": timeout_ms,
            "request.timeout.ms": timeout_ms,
        }.items():
            settings.put(name, value)
        admin = None
        try:
            admin = self._jvm.org.apache.kafka.clients.admin.AdminClient.create(settings)
            yield admin
        except Py4JJavaError as error:
            cause = _cause(error)
            kind = _class_of(cause)
            reason = f"no answer within {self._timeout_s:g} s" if kind == "TimeoutException" else _message_of(cause)
            raise KafkaFailed(
                f"cannot use Kafka at {self.servers}: {reason}; check the address and --kafka-config"
            ) from None
        finally:
            if admin is not None:
                admin.close(self._jvm.java.time.Duration.ZERO)


def _cause(error: Py4JJavaError) -> Any:
    """The innermost Java exception."""
    cause = error.java_exception
    while cause.getCause() is not None:
        cause = cause.getCause()
    return cause


def _class_of(exception: Any) -> str:
    return str(exception.getClass().getSimpleName())


def _message_of(exception: Any) -> str:
    return f"{_class_of(exception)}: {exception.getMessage()}"
