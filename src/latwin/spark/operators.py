"""The two operators: the stateful one for streams, and the plain one for batches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
from pyspark.sql import Row, SparkSession
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from latwin.errors import InvalidInput
from latwin.spark.kept_groups import Forget
from latwin.spark.packing import by_shard
from latwin.spark.results import Results
from latwin.spark.rules import Rules, running_batch
from latwin.spark.shard import ShardWorker
from latwin.spark.stateful import NO_TIMERS, WALL_CLOCK
from latwin.spark.sweep import is_sweep
from latwin.spec import Spec

#: the name of the state, as Spark's state data source has it
STATE = "shard"
#: a micro-batch takes longer than shorter ones
SHORTEST_TICK_S, LONGEST_TICK_S = 0.5, 86_400.0


@dataclass(frozen=True)
class Detection:
    """What is computed for every group; `outputs` explains it."""

    every: bool = False
    observations: bool = False
    #: set damaged state aside and go on, instead of ending the query; see `latwin.spark.shard`
    quarantine_damaged: bool = False
    #: so often time goes on by the wall clock, in seconds; None: by the events alone
    tick_s: float | None = None
    #: groups that somebody told to be forgotten; a checkpoint keeps them
    forget: tuple[Forget, ...] = ()

    def __post_init__(self) -> None:
        """Check how often time goes on."""
        if self.tick_s is not None and not SHORTEST_TICK_S <= self.tick_s <= LONGEST_TICK_S:
            raise InvalidInput(f"a tick must take from {SHORTEST_TICK_S:g} s to a day; got {self.tick_s:g} s")

    def tick_before(self, now_ms: int) -> int | None:
        """The latest moment at or before now at which time goes on, in milliseconds; None without ticks.

        These moments are the same for all shards, however late Spark looks at its timers.
        """
        if self.tick_s is None:
            return None
        tick_ms = round(self.tick_s * 1000)
        return now_ms - now_ms % tick_ms


@dataclass(frozen=True)
class Work:
    """What workers need to know; plain data, sent to them with the query."""

    rules: Rules
    detection: Detection = field(default_factory=Detection)

    def worker(self) -> ShardWorker:
        """A worker for the batch that runs, with its kernels compiled."""
        of, batch = self.detection, running_batch()
        version = self.rules.at(batch)
        worker = ShardWorker(
            version.checked(),
            every=of.every,
            observations=of.observations,
            quarantine_damaged=of.quarantine_damaged,
            rules=version.number,
            forget=[each for each in of.forget if each.from_batch <= batch],
        )
        worker.warm_up()
        return worker


class ShardProcessor(StatefulProcessor):
    """Spark's side of a shard: hands its packed events and its state to the worker, and the results back.

    The state store (RocksDB) holds one binary value per shard.
    """

    def __init__(self, work: Work) -> None:
        self._work = work

    @property
    def time_mode(self) -> str:
        """Which timers it needs."""
        return NO_TIMERS if self._work.detection.tick_s is None else WALL_CLOCK

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Open the state; the worker is made when the first events come, as planning calls this too.

        A processor serves one task, so one batch: its worker follows one version of the rules.
        """
        self._handle = handle
        self._state = handle.getValueState(STATE, "groups binary")
        self._worker: ShardWorker | None = None

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
        """Observe a shard's events of this batch, after the latest tick; or look for groups that have ended."""
        stored = self._state.get()  # None at first; asking whether it exists would be one more round trip
        payloads = [row.payload for row in rows]
        if stored is None and all(map(is_sweep, payloads)):
            return  # nobody is there
        tick_ms = self._work.detection.tick_before(timerValues.getCurrentProcessingTimeInMs())
        groups, results = self._get_worker().work(
            bytes(stored[0]) if stored is not None else None,
            payloads,
            shard=key[0],
            now_s=None if tick_ms is None else tick_ms / 1000,
            wall_s=time.time(),
        )
        if stored is None or groups != stored[0]:
            self._state.update((groups,))
        if tick_ms is not None:
            self._tick_after(tick_ms)
        yield from _rows(results)

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Row]:  # noqa: N802, N803
        """Let time go on in the groups of a shard."""
        del expiredTimerInfo  # Spark may come late, and then the moment of now counts
        stored = self._state.get()
        tick_ms = self._work.detection.tick_before(timerValues.getCurrentProcessingTimeInMs())
        assert stored is not None, "a shard without a state has no timer"
        assert tick_ms is not None, "there are timers with ticks only"
        groups, results, may_slide = self._get_worker().tick(bytes(stored[0]), tick_ms / 1000, shard=key[0])
        self._state.update((groups,))
        if may_slide:
            self._tick_after(tick_ms)
        yield from _rows(results)

    def _tick_after(self, tick_ms: int) -> None:
        """Be called again at the next tick; to ask twice for the same moment changes nothing."""
        tick_s = self._work.detection.tick_s
        assert tick_s is not None
        self._handle.registerTimer(tick_ms + round(tick_s * 1000))

    def _get_worker(self) -> ShardWorker:
        if self._worker is None:
            self._worker = self._work.worker()
        return self._worker

    def close(self) -> None:
        """Nothing to release."""


def _rows(results: Results) -> Iterator[Row]:
    for kind, count, payload in results.packed():
        yield Row(kind=kind, count=count, payload=payload)


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
            # Within `foreachBatch` of a stream, packing takes the batch for one of a stream.
            _, results = worker.work(None, [each for each in payloads if not is_sweep(each)])
            packed = results.packed()
            if packed:
                kinds, counts, texts = zip(*packed, strict=True)
                yield pa.RecordBatch.from_pydict({"kind": list(kinds), "count": list(counts), "payload": list(texts)})

    return run
