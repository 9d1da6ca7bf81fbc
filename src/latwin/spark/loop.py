"""The loop of a pipeline: what is done with each batch, and how it waits, stops and sums up."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from latwin.spark.causes import QueryFailed, innermost_cause
from latwin.spark.notify import Notifier
from latwin.spark.pipeline import Outputs
from latwin.spark.sinks import BatchSummary, Sink, kept

_POLL_S = 0.2


@dataclass
class RunSummary:
    """What a run did until it ended; a run that goes on from a checkpoint counts from its own start."""

    batches: int = 0
    events: int = 0
    verdicts: int = 0
    rejects: int = 0
    #: states that wait, in the groups of the last batch
    waiting: int = 0
    #: how often each property under `never` came true
    violations: Counter[str] = field(default_factory=Counter)
    #: at how many slides one of them was too large to be answered
    unanswered: Counter[str] = field(default_factory=Counter)
    #: what differs from the last start's spec
    changes: tuple[str, ...] = ()
    interrupted: bool = False
    seconds: float = 0.0

    def add(self, batch: BatchSummary) -> None:
        """Count a batch."""
        self.batches += 1
        self.events += batch.events
        self.verdicts += batch.verdicts
        self.rejects += batch.rejects
        self.waiting = batch.waiting
        self.violations.update(batch.violations)
        self.unanswered.update(batch.unanswered)

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        counts = {"violations": dict(self.violations), "unanswered": dict(self.unanswered)}
        return {**vars(self), **counts, "seconds": round(self.seconds, 3)}


class Batches:
    """The work on each micro-batch, called by Spark from a thread of its own."""

    def __init__(
        self,
        results: Outputs,
        sink: Sink,
        notifier: Notifier | None,
        on_batch: Callable[[BatchSummary], object],
    ) -> None:
        self.summary = RunSummary()
        self.running: int | None = None
        self._results = results
        self._sink = sink
        self._notifier = notifier
        self._on_batch = on_batch

    def __call__(self, batch: DataFrame, batch_id: int) -> None:
        """Write a batch, then tell of it."""
        self.running = batch_id
        with kept(batch):
            summary = self._sink(batch, batch_id)
            if self._notifier is not None and summary.verdicts:
                self._notifier(self._results.of(batch).verdicts, batch_id)
        self.summary.add(summary)
        self._on_batch(summary)


class Interrupts:
    """Whether somebody pressed Ctrl-C."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """The first one asks, the second one insists."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def taking_interrupts() -> Iterator[Interrupts]:
    """Take over SIGINT: Spark's own handler would cancel the running batch."""
    interrupts = Interrupts()
    if threading.current_thread() is not threading.main_thread():
        yield interrupts
        return
    before = signal.signal(signal.SIGINT, interrupts)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)


def wait_for(session: SparkSession, query: StreamingQuery, work: Batches, shall_end: Callable[[], bool]) -> None:
    """Until the query ends, or until the batch that runs when it shall end is done."""
    last: int | None = None
    try:
        while not query.awaitTermination(_POLL_S):  # type: ignore[arg-type]
            if not shall_end():
                continue
            if last is None:
                last = -1 if work.running is None else work.running
            progress = query.lastProgress
            is_done = progress is not None and progress["batchId"] >= last
            if is_done or not query.status["isTriggerActive"]:
                break
    except KeyboardInterrupt:
        pass  # a second Ctrl-C: not even the running batch is waited for
    except PySparkException as error:
        raise QueryFailed(innermost_cause(error)) from error
    finally:
        if query.isActive:
            _stop_quietly(session, query)


def _stop_quietly(session: SparkSession, query: StreamingQuery) -> None:
    """Give up a batch that has just begun: the next start replays it. Spark would log that as an error."""
    jvm: Any = session._jvm
    level = jvm.org.apache.logging.log4j.LogManager.getRootLogger().getLevel().toString()
    session.sparkContext.setLogLevel("OFF")
    try:
        query.stop()
    finally:
        session.sparkContext.setLogLevel(level)
