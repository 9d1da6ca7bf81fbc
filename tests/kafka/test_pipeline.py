"""Kafka on both ends, on a real broker: what goes in comes out once, whatever is killed in between.

LATWIN_KAFKA_KILLS sets how many kills (1 unless given: each costs a start of Spark), LATWIN_SEED the seed. They hit
in turn the whole pipeline, a Python worker, the broker, and Spark's Java.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark")

import kafka_producer
from kafka_broker import Broker
from kafka_pipeline import (
    BATCH,
    GROUPS,
    KINDS,
    PARTITIONS,
    SPEC,
    Record,
    Watched,
    expected_rows,
    make_topics,
    read,
    send,
    streams,
)
from latwin.errors import InvalidInput
from latwin.process import KafkaReporter, Stamp
from latwin.spark import read_output
from latwin.spark.kafka.address import parse_sink
from latwin.spark.kafka.client import KafkaFailed
from latwin.spark.pipeline import Outputs
from latwin.spark.sinks.kafka import KafkaSink, read_topic
from pipelines import run
from results import a_verdict, packed
from shards import Event, Row, by_group, local_rows
from traffic import random_events, rows_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

KILLS = int(os.environ.get("LATWIN_KAFKA_KILLS", "1"))
SEED = int(os.environ.get("LATWIN_SEED", "20260131"))
EVENTS_PER_GROUP = max(75, 40 * KILLS)


def rows_in(broker: Broker, topic: str) -> list[Row]:
    return [json.loads(record.value or b"") for record in read(broker, topic)]


# -- kills -------------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_kills_midway_lose_nothing_and_repeat_nothing(broker: Broker, spark: SparkSession, tmp_path: Path) -> None:
    print(f"seed={SEED} kills={KILLS} folder={tmp_path}")
    rng = random.Random(SEED)
    source, output = broker.create("events", PARTITIONS), make_topics(broker)
    pipeline = Watched(tmp_path, broker, source, output)
    sent, bad = streams(rng, EVENTS_PER_GROUP)
    producers = []
    go = tmp_path / "go"
    for number, records in enumerate(sent):
        file = tmp_path / f"producer-{number}.jsonl"
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        command = [sys.executable, kafka_producer.__file__, broker.server, source, str(file), str(go)]
        producers.append(subprocess.Popen(command, stdout=subprocess.PIPE))
    try:
        began = time.monotonic()
        written = 0
        for number in range(KILLS):
            pipeline.start()
            kind = KINDS[number % len(KINDS)]
            pipeline.kill_when_written(written + rng.randint(1, BATCH), kind)
            written = pipeline.written()
            after_s = time.monotonic() - began
            committed = pipeline.committed()
            print(
                f"kill {number + 1}: {kind}, after {after_s:.1f} s, {written} verdicts, {committed} batches committed"
            )
            go.touch()  # producers do not care who listens
        go.touch()
        assert [producer.wait(60) for producer in producers] == [0] * len(producers)
        pipeline.finish()
        print(f"{time.monotonic() - began:.1f} s, {pipeline.written()} verdicts, {pipeline.committed()} batches")
    finally:
        for producer in producers:
            producer.kill()
            producer.communicate()
        pipeline.stop()
    expected = expected_rows(read(broker, source))
    assert set(expected) == {f"group {number}" for number in range(GROUPS)}
    # In the topic itself, without anything dropped, and in the order of each partition: the same, each once.
    verdicts, rejects, metrics = (read(broker, topic) for topic in parse_sink(output).topics)
    found = by_group(json.loads(record.value or b"") for record in verdicts)
    assert {group: len(rows) for group, rows in found.items()} == {
        group: len(rows) for group, rows in expected.items()
    }
    assert found == expected
    assert all(record.key == json.loads(record.value or b"")["group"] for record in verdicts)
    assert len(rejects) == len({record.value for record in rejects}) == bad
    assert max(Counter((record.key, record.headers["latwin-batch"]) for record in metrics).values()) == 1
    assert sum(json.loads(record.value or b"")["events"] for record in metrics) == sum(map(len, sent)) - bad
    assert len({record.headers["latwin-checkpoint"] for record in [*verdicts, *rejects, *metrics]}) == 1


class Died(Exception):
    """The process would be gone here."""


class DyingSink(KafkaSink):
    """Writes some of a batch, for each group the first records, and dies."""

    def __init__(self, rng: random.Random, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._rng = rng

    def _write(self, records: DataFrame, batch_id: int) -> None:
        some = self._some(records.collect())
        session = records.sparkSession
        # One partition, so that the order stays.
        super()._write(session.createDataFrame(some, "topic string, key string, value string").coalesce(1), batch_id)
        raise Died

    def _send(self, records: Any, batch_id: int) -> None:
        super()._send(self._some(records), batch_id)
        raise Died

    def _some(self, rows: Any) -> list[Any]:
        keys = {(row.topic, row.key): self._rng.random() for row in rows}
        some, seen = [], Counter[Any]()
        totals = Counter((row.topic, row.key) for row in rows)
        for row in rows:
            place = (row.topic, row.key)
            seen[place] += 1
            if seen[place] <= keys[place] * (totals[place] + 1):
                some.append(row)
        return some


@pytest.mark.parametrize("few", [300, 0])  # by the driver, and by Spark
def test_a_batch_that_was_written_in_part_is_completed(
    broker: Broker, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    print(f"seed={SEED}")
    monkeypatch.setattr("latwin.spark.sinks.kafka._FEW_RECORDS", few)
    rng = random.Random(SEED)
    output = make_topics(broker)
    verdicts = [a_verdict(slide, group=f"g{group}") for group in range(5) for slide in range(1, 21)]
    # The same twice is two, here: rejects have no name.
    rejects = [{"group": None, "kind": "rejected", "reason": "r", "event": f"{k // 2}"} for k in range(10)]
    metrics = [{"group": f"g{group}", "events": 20} for group in range(5)]
    batch = packed(spark, verdict=verdicts, reject=rejects, metric=metrics)

    def arguments() -> tuple[Any, ...]:
        return parse_sink(output), Outputs(batch)

    def mine(topic: str) -> list[Record]:
        return [r for r in read(broker, topic) if r.headers == {"latwin-checkpoint": "me", "latwin-batch": "7"}]

    options: dict[str, Any] = {"checkpoint": str(tmp_path), "owner": "me"}
    others: dict[str, Any] = {"checkpoint": str(tmp_path / "other"), "owner": "other"}
    sizes = []
    for _ in range(2):
        with pytest.raises(Died):
            DyingSink(rng, *arguments(), **options)(batch, 7)
        sizes.append(len(mine(parse_sink(output).verdicts)))
    KafkaSink(*arguments(), **others)(batch, 6)  # the same, but of another: it counts for nothing
    print(f"verdicts of the batch after each crash: {sizes}")
    assert 0 < sizes[0] <= sizes[1] < 100
    assert KafkaSink(*arguments(), **options)(batch, 7).verdicts == 100
    KafkaSink(*arguments(), **options)(batch, 7)  # it was complete, but not committed
    tables: list[list[Row]] = [verdicts, rejects, metrics]
    for topic, rows in zip(parse_sink(output).topics, tables, strict=True):
        values = [json.loads(record.value or b"") for record in mine(topic)]
        kept = [{name: value[name] for name in rows[0]} for value in values]
        if rows is verdicts:
            assert by_group(kept) == by_group(verdicts)  # in the order of slides
        else:
            assert Counter(map(str, kept)) == Counter(map(str, rows))


# -- the ends --------------------------------------------------------------------------------------------


def small_events(group: str, count: int) -> list[Event]:
    events = random_events(random.Random(f"{SEED} {group}"), SPEC, group, count)
    return [{**event, "time": f"t{number}"} for number, event in enumerate(events)]


def test_topic_to_folder_with_bad_records(broker: Broker, spark: SparkSession, tmp_path: Path) -> None:
    source = broker.create("events", 2)
    good = small_events("a", 20)
    reporter = KafkaReporter(broker.server, source)
    reporter.send([json.dumps(event).encode() for event in good[:10]])
    reporter.close()
    home = read(broker, source)[0].partition
    bad: list[tuple[str | None, Any]] = [
        ("a", b"no json"),
        ("a", None),
        ("b", good[0]),
        ("a", {**good[0], "process": "p9"}),
        ("long", {**good[0], "group": "long", "state": {"x": "y" * 300_000}}),
    ]
    send(broker, source, bad, partition=home)
    options: dict[str, Any] = {
        "input": f"kafka://{broker.server}/{source}",
        "output": str(tmp_path / "out"),
    }
    options |= {"checkpoint": str(tmp_path / "checkpoint"), "once": True, "every": True}
    first = run(spark, SPEC, **options)
    assert (first.rejects, first.events) == (5, 11)
    # A clock can come as a header; a record of a known group in another partition has no place in its order.
    stamp = Stamp(dict(zip(SPEC.processes, good[10]["clock"], strict=True))).text
    headed = {name: value for name, value in good[10].items() if name not in ("clock", "group")}
    send(broker, source, [("a", headed)], partition=home, headers={"latwin-clock": stamp})
    send(broker, source, [("a", event) for event in good[11:]], partition=home)
    send(broker, source, [("a", good[19])], partition=1 - home)
    second = run(spark, SPEC, **options)
    assert (second.rejects, second.events) == (1, 10)
    found = rows_of(read_output(spark, str(tmp_path / "out"), "verdicts"))
    order = list(SPEC.properties)
    found.sort(key=lambda row: (row["slide"], order.index(row["property"])))
    for row in found:
        del row["batch"]
    expected = local_rows(SPEC, [[{**event, "order": number} for number, event in enumerate(good)]], every=True)
    assert by_group(found) == expected
    rejects = {
        row["reason"]: json.loads(row["event"])
        for row in rows_of(read_output(spark, str(tmp_path / "out"), "rejects"))
    }
    reasons = [
        "not valid JSON",
        "no value",
        "the record's key is 'b'",
        "'p9'",
        "and at most 262,144 are read",
        f"group is in partition {home}",
    ]
    for reason in reasons:
        assert sum(reason in told for told in rejects) == 1, rejects
    places = sorted((event["kafka"]["partition"], event["kafka"]["offset"]) for event in rejects.values())
    assert places == sorted([(1 - home, 0), *((home, offset) for offset in range(10, 15))])


def test_folder_to_topics_and_back(broker: Broker, spark: SparkSession, tmp_path: Path) -> None:
    output = make_topics(broker, partitions=1)
    (tmp_path / "events").mkdir()
    events = [{**event, "arrival": number} for number, event in enumerate(small_events("a", 20))]
    lines = [json.dumps(event) for event in events] + ["no json"]
    (tmp_path / "events" / "a.jsonl").write_text("\n".join(lines))
    options: dict[str, Any] = {"input": str(tmp_path / "events"), "output": output, "once": True}
    done = run(spark, SPEC, checkpoint=str(tmp_path / "checkpoint"), **options)
    topics = parse_sink(output)
    verdicts = rows_in(broker, topics.verdicts)
    expected = local_rows(SPEC, [[{**event, "order": event["arrival"]} for event in events]])
    assert by_group(verdicts) == expected
    assert done.verdicts == len(verdicts)
    (reject,) = rows_in(broker, topics.rejects)
    assert "not valid JSON" in reject["reason"]
    # What the sink cannot see, such as a writer that outlived its driver, the reader drops.
    again = read(broker, topics.verdicts)
    for record in again:
        send(broker, topics.verdicts, [(record.key, record.value)], headers=record.headers)
    assert len(read(broker, topics.verdicts)) == 2 * len(verdicts)
    once = read_topic(spark, output, "verdicts").drop("checkpoint", "batch").orderBy("slide")
    assert (
        by_group(sorted(rows_of(once), key=lambda row: (row["slide"], list(SPEC.properties).index(row["property"]))))
        == expected
    )
    assert rows_of(read_topic(spark, output, "metrics"))[0]["events"] == 20
    assert read_topic(spark, output, "rejects").count() == 1


def test_what_is_missing_is_named(
    broker: Broker, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, output = broker.create("events"), make_topics(broker)
    options: dict[str, Any] = {"checkpoint": str(tmp_path / "checkpoint"), "once": True}
    here = f"kafka://{broker.server}"
    with pytest.raises(InvalidInput, match="the topic does not exist: nowhere;"):
        run(spark, SPEC, input=f"{here}/nowhere", output=output, **options)
    with pytest.raises(InvalidInput, match=f"the topics do not exist: {source}.rejects, {source}.metrics"):
        run(spark, SPEC, input=str(_folder(tmp_path)), output=f"{here}/{source}", format="jsonl", **options)
    with pytest.raises(InvalidInput, match="is input and output"):
        run(spark, SPEC, input=f"{here}/{source}", output=f"{here}/{source}", **options)
    with pytest.raises(InvalidInput, match="format='jsonl' is for files"):
        run(spark, SPEC, input=f"{here}/{source}", output=output, format="jsonl", **options)
    monkeypatch.setattr("latwin.spark.kafka.client.DEFAULT_TIMEOUT_S", 2.0)
    with pytest.raises(KafkaFailed, match=r"cannot use Kafka at 127\.0\.0\.1:1: no answer within 2 s"):
        run(spark, SPEC, input="kafka://127.0.0.1:1/events", output=output, **options)
    with pytest.raises(KafkaFailed, match=r"security\.protocol"):
        run(
            spark,
            SPEC,
            input=f"{here}/{source}",
            output=output,
            kafka_config={"security.protocol": "NONE"},
            **options,
        )


@pytest.mark.soak
def test_a_checkpoint_keeps_to_its_topic(broker: Broker, spark: SparkSession, tmp_path: Path) -> None:
    one, other, output = broker.create("events"), broker.create("events"), make_topics(broker)
    options: dict[str, Any] = {
        "checkpoint": str(tmp_path / "checkpoint"),
        "output": output,
        "once": True,
    }
    send(broker, one, [("a", event) for event in small_events("a", 3)])
    assert run(spark, SPEC, input=f"kafka://{broker.server}/{one}", **options).events == 3
    assert run(spark, SPEC, input=f"kafka://{broker.server}/{one}", **options).events == 0
    with pytest.raises(InvalidInput, match=f"another topic of the input: {one} -> {other}"):
        run(spark, SPEC, input=f"kafka://{broker.server}/{other}", **options)


def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir(exist_ok=True)
    return folder
