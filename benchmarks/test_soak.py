"""`make soak`: ten million events of a thousand groups; state and memory must stay flat."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from figures import Figure
from latwin.spark import create_session, outputs
from test_spark import write_events
from workloads import all_on, spec

FILES = int(os.environ.get("LATWIN_SOAK_FILES", "50"))
EACH = 200  # events of a group in a file: 200,000 a batch


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    session = create_session("local[2]")
    yield session
    session.stop()


def resident_mib() -> float:
    """The resident memory of this process and all its descendants (Java, Python workers)."""
    children: dict[int, list[int]] = {}
    pages: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                pages[int(entry.name)] = int((entry / "statm").read_text().split()[1])
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    pending, total = [os.getpid()], 0
    while pending:
        process = pending.pop()
        total += pages.get(process, 0)
        pending += children.get(process, [])
    return total * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_state_and_memory_stay_flat(benchmark: Any, figure: Figure, session: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "events"
    folder.mkdir()
    write_events(folder, 1000, EACH, FILES)
    schema = session.read.parquet(str(folder)).schema
    events = session.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(str(folder))
    memory: list[float] = []
    checkpoint = str(tmp_path / "checkpoint")

    def sink(batch: DataFrame, batch_id: int) -> None:
        batch.groupBy("kind").sum("count").collect()
        memory.append(resident_mib())
        print(f"batch {batch_id}: {memory[-1]:,.0f} MiB resident", flush=True)

    def run() -> None:
        packed = outputs(events, spec(3, 4, all_on(3))).packed
        writer = packed.writeStream.option("checkpointLocation", checkpoint)
        writer.trigger(availableNow=True).foreachBatch(sink).start().awaitTermination()

    def state_bytes(batch_id: int) -> int:
        """What the state store held after a batch."""
        stored = session.read.format("statestore").option("batchId", batch_id).option("stateVarName", "shard")
        return int(stored.load(checkpoint).selectExpr("sum(length(value.groups))").first()[0])  # type: ignore[index]

    benchmark.pedantic(run, rounds=1)
    settled = len(memory) // 2
    figure(
        f"soak, {FILES * EACH * 1000:,} events: memory, second half against first",
        max(memory[settled:]) / max(memory[:settled]),
        "times",
        1.15,
    )
    early, late = state_bytes(len(memory) // 5), state_bytes(len(memory) - 1)
    print(f"state: {early:,} bytes after a fifth of the batches, {late:,} bytes at the end")
    figure("soak: bytes of state at the end, against a fifth of the way", late / early, "times", 1.1)
