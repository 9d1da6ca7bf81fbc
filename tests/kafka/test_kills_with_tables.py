"""Kafka in and Delta out: every row once, whatever is killed in between, the broker too.

LATWIN_KAFKA_KILLS sets how many kills (4 unless given: one of each kind), LATWIN_SEED the seed.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from delta_log import delta_rows
from kafka_broker import Broker, connector_jars, delta_jars
from kafka_pipeline import GROUPS, KINDS, PARTITIONS, SPEC, Watched, expected_rows, read, send, streams
from latwin.spark.packages import JarsMissing
from shards import by_group

KILLS = int(os.environ.get("LATWIN_KAFKA_KILLS", "4"))
SEED = int(os.environ.get("LATWIN_SEED", "20260131"))
#: how many records a batch has at most
BATCH = 100
#: some batches more than kills, as each kill waits for one
EVENTS_PER_GROUP = (KILLS + 3) * BATCH // GROUPS


class WatchedTables(Watched):
    """Killed by the number of batches in the table of verdicts: rejects, metrics and Spark's commit come after."""

    def written(self) -> int:
        """How many batches the table of verdicts has."""
        return numbers_in_log(self._folder / "out" / "verdicts" / "_delta_log")


def numbers_in_log(log: Path) -> int:
    return len(list(log.glob("*.json")))


@pytest.mark.soak
@pytest.mark.spark
def test_kills_between_kafka_and_tables(broker: Broker, tmp_path: Path) -> None:
    try:
        delta = delta_jars()
    except JarsMissing as error:
        pytest.skip(f"no Delta for this pyspark: {error}")
    print(f"seed={SEED} kills={KILLS} folder={tmp_path}")
    rng = random.Random(SEED)
    (tmp_path / "jars").mkdir()
    for jar in [*delta.glob("*.jar"), *connector_jars().glob("*.jar")]:
        (tmp_path / "jars" / jar.name).unlink(missing_ok=True)
        (tmp_path / "jars" / jar.name).symlink_to(jar)
    source = broker.create("events", PARTITIONS)
    sent, bad = streams(rng, EVENTS_PER_GROUP)
    for records in sent:
        send(broker, source, [(record["key"], _bytes(record["value"])) for record in records])
    pipeline = WatchedTables(
        tmp_path, broker, source, f"delta:{tmp_path / 'out'}", jars=tmp_path / "jars", batch=BATCH
    )
    began = time.monotonic()
    try:
        for number in range(KILLS):
            pipeline.start()
            kind = KINDS[number % len(KINDS)]
            pipeline.kill_when_written(pipeline.written() + 1, kind)
            print(f"kill {number + 1}: {kind}, after {time.monotonic() - began:.1f} s, {pipeline.written()} batches")
        pipeline.finish()
        print(f"{time.monotonic() - began:.1f} s, {pipeline.written()} batches, {pipeline.committed()} committed")
    finally:
        pipeline.stop()
    verdicts, rejects, metrics = (delta_rows(tmp_path / "out", name) for name in ("verdicts", "rejects", "metrics"))
    order = list(SPEC.properties)
    plain = [{name: row[name] for name in row if name != "batch"} for row in verdicts]
    found = by_group(sorted(plain, key=lambda row: (row["slide"], order.index(row["property"]))))
    assert found == expected_rows(read(broker, source))
    assert set(found) == {f"group {number}" for number in range(GROUPS)}
    assert len(rejects) == bad
    assert max(Counter((row["group"], row["batch"]) for row in metrics).values()) == 1
    assert sum(row["events"] for row in metrics) == sum(map(len, sent)) - bad


def _bytes(value: str | None) -> bytes | None:
    return None if value is None else value.encode()
