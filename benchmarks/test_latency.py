"""How soon a verdict can be seen, with a small load: 10 events a second, 3 groups, defaults, two cores.

The floor is the same batch by `detect` into Spark's own Parquet sink, in the same run.
"""

from __future__ import annotations

import json
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer
from pyspark.sql import DataFrame, SparkSession

from figures import Figure
from kafka_broker import Broker, connector_jars
from latwin import Spec
from latwin.spark import FolderSink, Hooks, create_session, outputs, run
from latwin.spark.sinks import BatchSummary
from workloads import all_on, office, spec

GROUPS, EVENTS_A_SECOND, SECONDS, WARM_UP_S = 3, 10, 60, 20
SCHEMA = "group string, process string, clock array<bigint>, state string, arrival bigint"


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    session = create_session("local[2]", kafka=True, jars=connector_jars())
    yield session
    session.stop()


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker() as started:
        yield started


def events() -> list[dict[str, Any]]:
    """Of all groups, in turns."""
    each = [office(3, 4000, seed) for seed in range(GROUPS)]
    count = EVENTS_A_SECOND * (SECONDS + WARM_UP_S)
    return [{"group": f"g{k % GROUPS}", "arrival": k, **_plain(each[k % GROUPS][k // GROUPS])} for k in range(count)]


def _plain(event: dict[str, Any]) -> dict[str, Any]:
    return {name: event[name] for name in ("process", "clock", "state")}


def delays_s(
    session: SparkSession, spec: Spec, report: Callable[[list[dict[str, Any]]], None], **places: str
) -> list[float]:
    """From when a second's events were reported to when their batch was written; after the first seconds."""
    all_events = events()
    reported: list[float] = []
    seen: list[float] = []
    count = 0

    def on_batch(batch: BatchSummary) -> None:
        nonlocal count
        count += batch.events
        now = time.perf_counter()
        while len(seen) < count // EVENTS_A_SECOND:
            seen.append(now)

    def feed() -> None:
        for second in range(SECONDS + WARM_UP_S):
            report(all_events[second * EVENTS_A_SECOND : (second + 1) * EVENTS_A_SECOND])
            reported.append(time.perf_counter())
            time.sleep(1.0)

    threading.Thread(target=feed, daemon=True).start()
    run(
        session,
        spec,
        **places,  # type: ignore[arg-type]
        hooks=Hooks(on_batch=on_batch, until=lambda: len(seen) == SECONDS + WARM_UP_S),
    )
    return [after - before for before, after in zip(reported, seen, strict=True)][WARM_UP_S:]


def show(figure: Figure, name: str, delays: list[float], median_s: float) -> None:
    figure(f"Spark, small load, {name}: report to visible verdict, median", statistics.median(delays), "s", median_s)
    figure(f"Spark, small load, {name}: 99 % within", sorted(delays)[int(len(delays) * 0.99) - 1], "s", 3.0)


def test_folder_to_folder(benchmark: Any, figure: Figure, session: SparkSession, tmp_path: Path) -> None:
    source, hidden = tmp_path / "events", tmp_path / "hidden"
    source.mkdir()
    hidden.mkdir()
    number = iter(range(10**6))

    def report(some: list[dict[str, Any]]) -> None:
        name = f"{next(number):06d}.jsonl"
        (hidden / name).write_text("".join(json.dumps(event) + "\n" for event in some))
        (hidden / name).rename(source / name)

    report([])  # so that the format can be told
    places = {"input": str(source), "output": str(tmp_path / "out"), "checkpoint": str(tmp_path / "state")}
    found = benchmark.pedantic(lambda: delays_s(session, spec(3, 4, all_on(3)), report, **places), rounds=1)
    show(figure, "folder to folder", found, 1.2)


def test_kafka_to_kafka(
    benchmark: Any, figure: Figure, session: SparkSession, broker: Broker, tmp_path: Path
) -> None:
    source, target = broker.create("events"), broker.create("verdicts")
    for table in ("rejects", "metrics"):
        broker.create_named(f"{target}.{table}")
    producer = Producer({"bootstrap.servers": broker.server})

    def report(some: list[dict[str, Any]]) -> None:
        for event in some:
            producer.produce(source, key=event["group"], value=json.dumps(event))
        producer.flush()

    places = {
        "input": f"kafka://{broker.server}/{source}",
        "output": f"kafka://{broker.server}/{target}",
        "checkpoint": str(tmp_path / "state"),
    }
    found = benchmark.pedantic(lambda: delays_s(session, spec(3, 4, all_on(3)), report, **places), rounds=1)
    show(figure, "Kafka to Kafka", found, 1.5)


def test_a_small_batch(benchmark: Any, figure: Figure, session: SparkSession, tmp_path: Path) -> None:
    """Seconds of a batch of ten events, with the folder sink and with `detect` and Spark's Parquet sink, in turns."""
    folder = tmp_path / "events"
    folder.mkdir()
    for number in range(15):
        some = events()[number * EVENTS_A_SECOND : (number + 1) * EVENTS_A_SECOND]
        (folder / f"{number:03d}.jsonl").write_text("".join(json.dumps(event) + "\n" for event in some))
    checked = spec(3, 4, all_on(3))

    def seconds(name: str) -> list[float]:
        source = session.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(folder))
        results = outputs(source, checked)
        if name.startswith("ours"):
            sink = FolderSink(str(tmp_path / name), results)

            def take(batch: DataFrame, number: int) -> None:
                sink(batch, number)

            writer = results.packed.writeStream.foreachBatch(take)
        else:
            writer = results.verdicts.writeStream.format("parquet").option("path", str(tmp_path / name))
        query = writer.option("checkpointLocation", f"{tmp_path}/c-{name}").trigger(availableNow=True).start()
        query.awaitTermination()
        took = [progress["durationMs"]["triggerExecution"] / 1000 for progress in query.recentProgress]
        return took[5:]

    def both() -> tuple[list[float], list[float]]:
        ours, floor = [], []
        for turn in range(3):
            floor += seconds(f"floor-{turn}")
            ours += seconds(f"ours-{turn}")
        return ours, floor

    ours, floor = benchmark.pedantic(both, rounds=1)
    figure("Spark, a batch of 10 events, folder sink", statistics.median(ours), "s", 1.0)
    ratio = statistics.median(ours) / statistics.median(floor)
    figure("Spark, a batch of 10 events: times detect to Spark's Parquet sink", ratio, "times", 1.3)
