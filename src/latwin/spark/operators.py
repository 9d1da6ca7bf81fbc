"""The two operators: the stateful one for streams, and the plain one for batches."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
from pyspark.sql import Row, SparkSession
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from latwin.spark.packing import DEFAULT_SHARDS, by_shard, check_shards
from latwin.spark.rules import Rules, running_batch
from latwin.spark.shard import ShardWorker
from latwin.spec import Spec


@dataclass(frozen=True)
class Detection:
    """What is computed for every group; `outputs` explains it."""

    shards: int = DEFAULT_SHARDS
    every: bool = False
    observations: bool = False
    #: set damaged state aside and go on, instead of ending the query; see `latwin.spark.shard`
    quarantine_damaged: bool = False

    def __post_init__(self) -> None:
        """Check the number of shards."""
        check_shards(self.shards)


@dataclass(frozen=True)
class Work:
    """What workers need to know; plain data, sent to them with the query."""

    rules: Rules
    detection: Detection = field(default_factory=Detection)

    def worker(self) -> ShardWorker:
        """A worker for the batch that runs, with its kernels compiled."""
        of, version = self.detection, self.rules.at(running_batch())
        worker = ShardWorker(
            version.checked(),
            shards=of.shards,
            every=of.every,
            observations=of.observations,
            quarantine_damaged=of.quarantine_damaged,
            rules=version.number,
        )
        worker.warm_up()
        return worker


class ShardProcessor(StatefulProcessor):
    """Spark's side of a shard: hands its packed events and its state to the worker, and the results back.

    The state store (RocksDB) holds one binary value per shard.
    """

    def __init__(self, work: Work) -> None:
        self._work = work

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Open the state; the worker is made when the first events come, as planning calls this too.

        A processor serves one task, so one batch: its worker follows one version of the rules.
        """
        self._state = handle.getValueState("shard", "groups binary")
        self._worker: ShardWorker | None = None

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
        """Observe a shard's events of this batch."""
        del timerValues
        if self._worker is None:
            self._worker = self._work.worker()
        stored = self._state.get()  # None at first; asking whether it exists would be one more round trip
        groups, results = self._worker.work(
            bytes(stored[0]) if stored is not None else None, (row.payload for row in rows), shard=key[0]
        )
        self._state.update((groups,))
        for kind, count, payload in results.packed():
            yield Row(kind=kind, count=count, payload=payload)

    def close(self) -> None:
        """Nothing to release."""


def warm_workers(session: SparkSession, spec: Spec) -> threading.Thread:
    """Start the Python workers of a local session and load the kernels there, while the query is being built.

    Spark keeps its workers for later tasks. Only the first batch gains by it, so a failure is left to that.
    """
    work = Work(Rules.of(spec))

    def warm(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        work.worker()
        return batches

    def run() -> None:
        with suppress(Exception):
            work.worker()  # once here, so that not every worker compiles them
            cores = session.sparkContext.defaultParallelism
            session.range(0, cores, 1, cores).mapInArrow(warm, "id bigint").collect()

    thread = threading.Thread(target=run, name="latwin-warm-workers", daemon=True)
    if (session.sparkContext.master or "").startswith("local"):
        thread.start()
    return thread


def replay_shards(work: Work) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """For `mapInArrow` on packed events sorted by shard: every shard from its beginning to its end, no state."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        worker: ShardWorker | None = None
        for payloads in by_shard(batches):
            worker = worker or work.worker()
            _, results = worker.work(None, payloads)
            packed = results.packed()
            if packed:
                kinds, counts, texts = zip(*packed, strict=True)
                yield pa.RecordBatch.from_pydict({"kind": list(kinds), "count": list(counts), "payload": list(texts)})

    return run
