"""Random traffic for pipelines, and the ways to put it in and to get rows out."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from latwin import Spec
from monitoring import names
from shards import Event, Row

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def random_spec(rng: random.Random) -> Spec:
    processes = names(rng.randint(1, 3))
    all_of, any_of = (word.join(f"{name}.x" for name in processes) for word in (" and ", " or "))
    return Spec.from_dict(
        {
            "processes": processes,
            "window": {name: rng.choice([1, 2, 3, 4, None]) for name in processes},
            "properties": {
                "possible": f"possibly({all_of})",
                "certain": f"definitely({all_of})",
                "general": f"definitely(({any_of}) and not (p0.x and p0.y))",
                "mixed": f"possibly({all_of}) and not definitely(p0.y)",
            },
            "delivery": rng.choice(["fifo", "causal"]),
        }
    )


def random_events(rng: random.Random, spec: Spec, group: str, states: int) -> list[Event]:
    """A computation's states as they begin: each by a local event, or by a message from any earlier state."""
    processes = len(spec.processes)
    latest = [[0] * processes for _ in range(processes)]
    events: list[Event] = []
    for _ in range(states):
        k = rng.randrange(processes)
        clock = list(latest[k])
        if events and rng.random() < 0.5:
            clock = [max(mine, theirs) for mine, theirs in zip(clock, rng.choice(events)["clock"], strict=True)]
        clock[k] = latest[k][k] + 1
        latest[k] = clock
        state = {"x": rng.random() < 0.6, "y": rng.random() < 0.3}
        events.append({"group": group, "process": spec.processes[k], "clock": clock, "state": state})
    return events


def random_arrivals(rng: random.Random, spec: Spec, groups: int) -> list[Event]:
    """The events of many groups between one another, displaced and some of them repeated."""
    placed: list[tuple[float, Event]] = []
    for number in range(groups):
        disorder = rng.choice([0.0, 0.1, 1.0])
        events = random_events(rng, spec, f"group {number}", rng.randint(0, 12))
        for place, event in enumerate(events):
            times = 2 if rng.random() < 0.1 else 1
            placed += [(place / len(events) + rng.random() * disorder, event) for _ in range(times)]
    return [dict(event) for _, event in sorted(placed, key=lambda pair: pair[0])]


def put_in_order(spec: Spec, events: Sequence[Event], order: str) -> None:
    """Give every event the key by which the documented order sorts, and the column that carries it."""
    for number, event in enumerate(events):
        if order == "causal":
            process = spec.processes.index(event["process"])
            event["order"] = [sum(event["clock"]), process, event["clock"][process]]
        else:
            event["order"] = event[order] = number


@contextmanager
def setting(spark: SparkSession, name: str, value: object) -> Iterator[None]:
    before = spark.conf.get(name)
    assert before is not None
    spark.conf.set(name, str(value))
    try:
        yield
    finally:
        spark.conf.set(name, before)


def write_file(folder: Path, number: int, events: Iterable[Event]) -> None:
    """One file of JSON lines; the stream takes files by their time, one per batch."""
    text = "".join(json.dumps(event) + "\n" for event in events)
    part = folder / f".{number}.json"
    part.write_text(text, encoding="utf-8")
    os.utime(part, (1_700_000_000 + number,) * 2)
    part.rename(folder / f"{number}.json")


def rows_of(frame: DataFrame) -> list[Row]:
    return [row.asDict(recursive=True) for row in frame.collect()]


def drain(verdicts: DataFrame, checkpoint: Path) -> list[Row]:
    """Run the query over what is there, then stop it; its rows as the batches came."""
    rows: list[Row] = []
    query = (
        verdicts.writeStream.foreachBatch(lambda batch, _: rows.extend(rows_of(batch)))
        .option("checkpointLocation", str(checkpoint))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    return rows
