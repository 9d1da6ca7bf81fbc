"""Pipelines that read from Kafka, for tests that kill them or the broker, and what topics hold."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Producer, TopicPartition

from crashing import NAMES
from kafka_broker import Broker, connector_jars
from killing import PATIENCE_S, descendants, kill, numbers_in, wait_until
from latwin import Spec
from latwin.spark.kafka.address import parse_sink
from shards import Event, Row, local_rows
from traffic import random_events

PARTITIONS = 3
GROUPS = 8
KINDS = ("all", "worker", "broker", "jvm")
#: how many records a batch has at most: enough to be interrupted while its verdicts are written
BATCH = 250
SPEC_TEXT = """
processes = ["p0", "p1", "p2"]
window = 3

[properties]
possible = "possibly(p0.x and p1.x and p2.x)"
general = "definitely((p0.x or p1.x) and not (p2.x and p2.y))"
"""
SPEC = Spec.from_dict(tomllib.loads(SPEC_TEXT))


class Record(NamedTuple):
    """A record as a consumer gets it."""

    partition: int
    offset: int
    key: str | None
    value: bytes | None
    headers: dict[str, str]


def read(broker: Broker, topic: str) -> list[Record]:
    """All of a topic, ordered by partition and offset."""
    consumer = Consumer(
        {
            "bootstrap.servers": broker.server,
            "group.id": "tests",
            "enable.auto.commit": False,
            "fetch.wait.max.ms": 10,
        }
    )
    try:
        numbers = consumer.list_topics(topic, timeout=30).topics[topic].partitions
        ends = {number: consumer.get_watermark_offsets(TopicPartition(topic, number))[1] for number in numbers}
        consumer.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in ends if ends[number]])
        found: list[Record] = []
        while len(found) < sum(ends.values()):
            for message in consumer.consume(
                min(1000, sum(ends.values()) - len(found)), timeout=1
            ):  # it waits for all
                assert message.error() is None, message.error()
                found.append(as_record(message))
    finally:
        consumer.close()
    return sorted(found)


def as_record(message: Any) -> Record:
    headers = {name: value.decode() for name, value in message.headers() or []}
    key = message.key()
    text = key.decode() if key is not None else None
    return Record(message.partition(), message.offset(), text, message.value(), headers)


def make_topics(broker: Broker, partitions: int = PARTITIONS) -> str:
    """The three topics of an output; its URI."""
    name = broker.create("verdicts", partitions)
    broker.create_named(f"{name}.rejects", partitions)
    broker.create_named(f"{name}.metrics", partitions)
    return f"kafka://{broker.server}/{name}"


def send(broker: Broker, topic: str, records: list[tuple[str | None, Any]], **options: Any) -> None:
    producer = Producer({"bootstrap.servers": broker.server})
    for key, value in records:
        text = value if value is None or isinstance(value, bytes) else json.dumps(value).encode()
        producer.produce(topic, key=key, value=text, **options)
    assert producer.flush(30) == 0


def expected_rows(records: list[Record]) -> dict[str, list[Row]]:
    """What local monitors say of a topic's events, in the order of partitions and offsets."""
    events: list[Event] = []
    for record in records:
        try:
            event = json.loads(record.value or b"")
        except json.JSONDecodeError:
            continue
        if isinstance(event, dict) and event.get("group", record.key) == record.key:
            events.append({**event, "group": record.key, "order": (record.partition, record.offset)})
    return local_rows(SPEC, [events], every=True)


class Watched:
    """`latwin run --once` in a process of its own, which can be killed when it has written so much."""

    def __init__(
        self, folder: Path, broker: Broker, source: str, output: str, *, jars: Path | None = None, batch: int = BATCH
    ) -> None:
        self._folder = folder
        self._broker = broker
        self._output = output
        (folder / "spec.toml").write_text(SPEC_TEXT)
        # One record a request: a batch's writing takes long enough to be interrupted.
        (folder / "kafka.properties").write_text("output.batch.size=1\noutput.linger.ms=0\n")
        self._command = [sys.executable, "-m", "latwin.cli", "run", str(folder / "spec.toml")]
        self._command += [
            "--input",
            f"kafka://{broker.server}/{source}?maxOffsetsPerTrigger={batch}",
            "--out",
            output,
        ]
        self._command += ["--checkpoint", str(folder / "checkpoint"), "--once", "--every"]
        self._command += ["--kafka-config", str(folder / "kafka.properties"), "--jars", str(jars or connector_jars())]
        self._command += ["--master", "local[2]", "--conf", "spark.sql.shuffle.partitions=2"]
        # It lives for seconds: less compiling and a smaller heap make its start cheaper.
        java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
        self._command += ["--conf", f"spark.driver.extraJavaOptions={java}", "--conf", "spark.driver.memory=1g"]
        self._process: subprocess.Popen[bytes] | None = None
        self._deaths = 0
        self._was_hit = False
        self._written = 0
        self._client = Consumer({"bootstrap.servers": broker.server, "group.id": "watch", "log_level": 0})

    def start(self) -> None:
        """Unless it runs, as it may after a part of it was killed."""
        if self._is_running():
            return
        self._was_hit = False
        with (self._folder / "log.txt").open("wb") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)

    def written(self) -> int:
        """How many verdicts the topic has."""
        places = [TopicPartition(parse_sink(self._output).verdicts, number) for number in range(PARTITIONS)]
        with suppress(KafkaException):  # the broker may be away
            self._written = int(sum(self._client.get_watermark_offsets(place, 5.0)[1] for place in places))
        return self._written

    def kill_when_written(self, records: int, kind: str = "all") -> None:
        """Everything of it at once, or a part of it, or the broker, as soon as there are so many verdicts."""
        while True:
            wait_until(lambda: not self._is_running() or self.written() >= records)
            if self._is_running():
                break
            self._start_again()
        assert self._process is not None
        self._was_hit = True
        below = descendants(self._process.pid)
        if kind == "broker":
            self._broker.crash()
            time.sleep(2)
            self._broker.come_back()
        elif kind == "all":
            kill(self._process.pid)
            for pid, _ in below:
                kill(pid)
            self._process.wait()
        else:
            found = [pid for pid, command in below if NAMES[kind] in command]
            assert found, below
            kill(found[-1])

    def finish(self) -> None:
        """Read all that is there; what runs now may have begun before the last of it came."""
        if self._is_running():
            self._wait()
        self.start()
        self._wait()

    def _wait(self) -> None:
        assert self._process is not None
        while self._process.wait(PATIENCE_S) != 0:
            self._start_again()

    def _start_again(self) -> None:
        """On a busy machine Spark itself can give up on a Python worker; that is one more death to survive."""
        print(f"the pipeline ended by itself:\n{self.log()}")
        if not self._was_hit:
            self._deaths += 1
            assert "Python worker" in self.log(), self.log()
            assert self._deaths <= 3, self.log()
        self.start()

    def _is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        if self._is_running():
            self.kill_when_written(0)
        self._client.close()

    def committed(self) -> int:
        return numbers_in(self._folder / "checkpoint" / "commits")

    def log(self) -> str:
        return (self._folder / "log.txt").read_text(errors="replace")[-4000:]


def streams(rng: random.Random, events_per_group: int) -> tuple[list[list[dict[str, Any]]], int]:
    """What each producer sends, one a process of the system: its states of all groups, some repeated, some bad.

    And how many are bad.
    """
    groups = [random_events(rng, SPEC, f"group {number}", events_per_group) for number in range(GROUPS)]
    placed = [(place + rng.random() * 6, event) for group in groups for place, event in enumerate(group)]
    events = [event for _, event in sorted(placed, key=lambda pair: pair[0])]
    sent: list[list[dict[str, Any]]] = []
    bad = 0
    for process in SPEC.processes:
        mine = [event for event in events if event["process"] == process]
        for event in rng.sample(mine, 10):
            mine.insert(rng.randrange(len(mine)), event)
        records: list[dict[str, Any]] = []
        for number, event in enumerate(mine):
            plain = {name: value for name, value in event.items() if name != "group" or number % 2}
            records.append({"key": event["group"], "value": json.dumps(plain)})
            if number % 50 == 7:
                records.append({"key": f"bad {number}", "value": rng.choice(["no json", "[]", None])})
                records.append({"key": "another", "value": json.dumps(event)})
                bad += 2
        sent.append(records)
    return sent, bad
