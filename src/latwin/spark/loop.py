"""The loop of a pipeline: what is done with each batch, and how it waits, starts again, stops and sums up."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic, sleep
from types import FrameType
from typing import Any, NamedTuple

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from latwin.detect.unseen import Unseen
from latwin.spark.causes import QueryFailed, failure_of
from latwin.spark.notify import Notifier
from latwin.spark.rules import FIRST
from latwin.spark.sinks import Batch, BatchSummary, Sink
from latwin.spec import Spec

_POLL_S = 0.2
#: before a query is started again: what failed may need a moment, and a longer one each time in a row
_PAUSES_S = (1.0, 4.0, 16.0, 30.0)
#: how long the running batch is waited for at the end
STOP_WITHIN_S = 60.0

#: what Spark tells of a batch, by the names in its JSON
Progress = Mapping[str, Any]


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
    #: slides, and those of them without a cut
    slides: int = 0
    empty: int = 0
    #: how many groups came to have slides, and none with a cut
    groups_without_cuts: int = 0
    #: groups from logs that were taken in causal order, because the order of their lines could not be right
    reordered: int = 0
    #: what no group has seen, with what came instead
    unseen: Unseen = field(default_factory=Unseen)
    #: what differs from the last start's spec, and what changed while it ran
    changes: tuple[str, ...] = ()
    #: the version of the rules at its end
    rules: int = FIRST
    #: why new rules were not taken, each once
    refused: tuple[str, ...] = ()
    #: the spec at its end
    spec: Spec | None = None
    interrupted: bool = False
    #: whether a batch took too long to be waited for at the end; the next run repeats it
    given_up: bool = False
    #: how often the query was started again after a failure of Spark
    restarts: int = 0
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
        self.slides += batch.slides
        self.empty += batch.empty
        self.groups_without_cuts += batch.groups_without_cuts
        self.reordered += batch.reordered
        if batch.unseen is not None:
            self.unseen.add(batch.unseen)

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        counts = {"violations": dict(self.violations), "unanswered": dict(self.unanswered)}
        fields = {name: value for name, value in vars(self).items() if name != "spec"}
        return {**fields, **counts, "unseen": self.unseen.left, "seconds": round(self.seconds, 3)}


class Restart(NamedTuple):
    """A query is started again: for the how-manieth time in a row, of how many, and why."""

    number: int
    limit: int
    cause: str


class Batches:
    """The work on each micro-batch, called by Spark from a thread of its own.

    A query that is started again may repeat its last batch: what was written is replaced, and the batch counts once.
    """

    def __init__(
        self,
        sink: Sink,
        notifier: Notifier | None,
        on_batch: Callable[[BatchSummary], object],
        *,
        rules_of: Callable[[int], int] = lambda _: FIRST,
    ) -> None:
        """`rules_of` tells the version of the rules that a batch follows."""
        self.summary = RunSummary()
        self._rules_of = rules_of
        self._rules = FIRST
        self.running: int | None = None
        #: the latest batch that was written
        self.done = -1
        self._sink = sink
        self._notifier = notifier
        self._on_batch = on_batch

    def __call__(self, batch: DataFrame, batch_id: int) -> None:
        """Write a batch, then tell of it."""
        self.running = batch_id
        summary = self._sink.take(batch, batch_id, self._tell)
        if batch_id > self.done:
            self.done = batch_id
            rules = self._rules_of(batch_id)
            if rules != self._rules:  # which expect other things
                self._rules, self.summary.unseen = rules, Unseen()
            self.summary.add(summary)
            self._on_batch(summary)

    def _tell(self, batch: Batch) -> None:
        if self._notifier is not None:
            self._notifier.tell_all(batch.verdicts_where(self._notifier.column))


class Ending:
    """Whether a run shall end, and since when: somebody asked for it, once, and a batch may still be running."""

    def __init__(self, is_asked: Callable[[], bool], patience_s: float) -> None:
        self._is_asked = is_asked
        self._patience_s = patience_s
        self._since_s: float | None = None

    def is_asked(self) -> bool:
        """Whether it was ever asked for; once is enough."""
        if self._since_s is None and self._is_asked():
            self._since_s = monotonic()
        return self._since_s is not None

    def is_overdue(self) -> bool:
        """Whether it was asked for so long ago that the running batch is not waited for any longer."""
        return self.is_asked() and self._since_s is not None and monotonic() - self._since_s >= self._patience_s


class Interrupts:
    """Whether somebody pressed Ctrl-C, or a supervisor asked for the end."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """The first one asks, the second one insists."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def taking_interrupts() -> Iterator[Interrupts]:
    """Take over SIGINT and SIGTERM: Spark's own handler would cancel the running batch."""
    interrupts = Interrupts()
    if threading.current_thread() is not threading.main_thread():
        yield interrupts
        return
    before = {number: signal.signal(number, interrupts) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupts
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run_query(
    start: Callable[[], StreamingQuery],
    work: Batches,
    wait: Callable[[StreamingQuery], bool],
    shall_end: Callable[[], bool],
    *,
    max_restarts: int,
    on_restart: Callable[[Restart], object],
) -> bool:
    """Start a query and wait for its end; start it again if machines or processes failed.

    Returns what `wait` does: whether it ended by itself.

    It goes on from its checkpoint, so nothing is lost or written twice. After `max_restarts` in a row, without a
    new batch in between, the failure is raised; any other failure, or one while it shall end, is raised at once.
    """
    failures = 0
    while True:
        before = work.done
        try:
            return wait(start())
        except QueryFailed as error:
            failures = 0 if work.done > before else failures
            if not error.may_pass or failures >= max_restarts or shall_end():
                raise
            failures += 1
            work.summary.restarts += 1
            on_restart(Restart(failures, max_restarts, str(error)))
        _pause(_PAUSES_S[min(failures, len(_PAUSES_S)) - 1], shall_end)


def _pause(seconds: float, shall_end: Callable[[], bool]) -> None:
    """Wait, unless the run shall end."""
    end_s = monotonic() + seconds
    while monotonic() < end_s and not shall_end():
        sleep(_POLL_S)


def wait_for(
    session: SparkSession,
    query: StreamingQuery,
    work: Batches,
    shall_stop: Callable[[], bool],
    *,
    is_overdue: Callable[[], bool] = lambda: False,
    on_progress: Callable[[Progress], object] | None = None,
) -> bool:
    """Until the query ends, or until the batch that runs when it shall stop is done; whether it ended by itself.

    A batch that still runs when it `is_overdue` is given up. `on_progress` is told what Spark says of each batch.
    """
    last: int | None = None
    told = _Told(query, on_progress)
    try:
        while not query.awaitTermination(_POLL_S):  # type: ignore[arg-type]
            told.look()
            if not shall_stop():
                continue
            if last is None:
                last = -1 if work.running is None else work.running
            progress = query.lastProgress
            is_done = progress is not None and progress["batchId"] >= last
            if is_done or not query.status["isTriggerActive"]:
                return False
            if is_overdue():
                work.summary.given_up = True
                return False
        told.look()
    except KeyboardInterrupt:
        work.summary.given_up = True
        return False  # a second Ctrl-C: not even the running batch is waited for
    except PySparkException as error:
        raise failure_of(error) from error
    finally:
        if query.isActive:
            _stop_quietly(session, query)
    return True


class _Told:
    """Tells of each batch's progress once; what Spark says without a batch, as of a wait for events, is not told."""

    def __init__(self, query: StreamingQuery, on_progress: Callable[[Progress], object] | None) -> None:
        self._query = query
        self._on_progress = on_progress
        self._batch = -1
        self._latest: str | None = None

    def look(self) -> None:
        """Tell of what is new."""
        if self._on_progress is None:
            return
        last = self._query.lastProgress
        if last is None or last["timestamp"] == self._latest:  # the whole list is long, and this is asked often
            return
        self._latest = last["timestamp"]
        for progress in self._query.recentProgress:
            if progress["batchId"] > self._batch and "addBatch" in progress["durationMs"]:
                self._batch = progress["batchId"]
                self._on_progress(progress)


def _stop_quietly(session: SparkSession, query: StreamingQuery) -> None:
    """Give up a batch that has just begun: the next start replays it. Spark would log that as an error."""
    jvm: Any = session._jvm
    level = jvm.org.apache.logging.log4j.LogManager.getRootLogger().getLevel().toString()
    session.sparkContext.setLogLevel("OFF")
    try:
        query.stop()
    finally:
        session.sparkContext.setLogLevel(level)
