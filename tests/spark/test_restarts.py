"""A pipeline starts its query again after failures that pass, and only then; with a fake query, without Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("pyspark")

from pyspark.errors import StreamingQueryException

from latwin.spark import loop
from latwin.spark.causes import QueryFailed
from latwin.spark.loop import Batches, Restart, run_query, wait_for
from latwin.spark.sinks import BatchSummary

_FAILED = "[STREAM_FAILED] Query [id = 1] terminated with exception: Job aborted due to stage failure: Task 0 failed"
PASSING = [
    "org.apache.spark.SparkException: Python worker failed to connect back.",
    "org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)\n\tat x\nCaused by: java.io.EOF",
    "ExecutorLostFailure (executor 2 exited caused by one of the running tasks) Reason: worker lost",
    "FetchFailed(BlockManagerId(1, host, 7337, None), shuffleId=0, mapIndex=1, mapId=1, reduceId=0, message=x)",
    "latwin.spark.kafka.client.KafkaFailed: cannot use Kafka at 127.0.0.1:9092: no answer within 10 s; check",
    "Caused by: org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment.",
    "org.apache.spark.shuffle.MetadataFetchFailedException: Missing an output location for shuffle 0",
]
LASTING = [
    "latwin.errors.SnapshotError: group 'g' in shard 3: the snapshot is damaged",
    "latwin.errors.SnapshotError: another spec\n\tat x\nPython worker exited unexpectedly (crashed)",
    "latwin.spark.notify.NotifyFailed: phone: tried 2 times: Connection reset",
    "[PATH_NOT_FOUND] Path does not exist: file:/in. SQLSTATE: 42K03",
    "ZeroDivisionError: division by zero",
    "Caused by: java.io.FileNotFoundException: file:/in/1.jsonl",
]


class Query:
    """A query that writes some batches, then fails with a message of Spark's, or ends."""

    isActive = False  # noqa: N815

    def __init__(self, work: Batches, batches: Iterable[int], failure: str | None) -> None:
        self._work, self._batches, self._failure = work, batches, failure

    def awaitTermination(self, timeout: float) -> bool:  # noqa: N802
        for batch_id in self._batches:
            self._work(SimpleNamespace(is_cached=True), batch_id)  # type: ignore[arg-type]
        if self._failure is not None:
            raise StreamingQueryException(f"{_FAILED}\n{self._failure}")
        return True


class Pipeline:
    """Runs fake queries, one for each start, and keeps what is told."""

    def __init__(self, *lives: tuple[Iterable[int], str | None]) -> None:
        self.restarts: list[Restart] = []
        self.batches: list[int] = []
        self.starts = 0
        self.shall_end: Callable[[], bool] = lambda: False
        self._lives = list(lives)
        sink: Any = SimpleNamespace(take=self._write)
        self.work = Batches(sink, None, lambda batch: self.batches.append(batch.batch_id))

    def _write(self, batch: Any, batch_id: int, then: Any) -> BatchSummary:
        del batch, then
        return BatchSummary(batch_id=batch_id, events=10, groups=1, verdicts=1, rejects=0, waiting=0)

    def _start(self) -> Any:
        self.starts += 1
        return Query(self.work, *self._lives.pop(0))

    def run(self, max_restarts: int = 3) -> None:
        session: Any = None
        run_query(
            self._start,
            self.work,
            lambda query: wait_for(session, query, self.work, self.shall_end),
            self.shall_end,
            max_restarts=max_restarts,
            on_restart=self.restarts.append,
        )


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "_PAUSES_S", (0.0,))


@pytest.mark.parametrize("failure", PASSING)
def test_a_failure_that_passes_is_survived_and_told(failure: str) -> None:
    pipeline = Pipeline(([0, 1], failure), ([2], None))
    pipeline.run()
    assert pipeline.starts == 2
    assert [(restart.number, restart.limit) for restart in pipeline.restarts] == [(1, 3)]
    assert pipeline.restarts[0].cause
    assert pipeline.work.summary.restarts == 1
    assert pipeline.work.summary.as_dict()["restarts"] == 1
    assert pipeline.batches == [0, 1, 2]


@pytest.mark.parametrize("failure", LASTING)
def test_a_failure_that_lasts_ends_the_run_at_once(failure: str) -> None:
    pipeline = Pipeline(([0], failure))
    with pytest.raises(QueryFailed):
        pipeline.run()
    assert (pipeline.starts, pipeline.restarts) == (1, [])


def test_the_number_of_restarts_in_a_row_is_bounded() -> None:
    pipeline = Pipeline(*[([], PASSING[0])] * 4)
    with pytest.raises(QueryFailed):
        pipeline.run()
    assert pipeline.starts == 4
    assert [restart.number for restart in pipeline.restarts] == [1, 2, 3]


def test_a_new_batch_resets_the_count_and_a_repeated_one_does_not() -> None:
    new = Pipeline(*[([number], PASSING[0]) for number in range(8)], ([], None))
    new.run()
    assert [restart.number for restart in new.restarts] == [1] * 8
    assert new.work.summary.restarts == 8
    # Written, but never committed: Spark repeats it at each start, and it counts once.
    stuck = Pipeline(*[([0], PASSING[0])] * 9)
    with pytest.raises(QueryFailed):
        stuck.run()
    assert stuck.starts == 4
    assert stuck.batches == [0]
    assert stuck.work.summary.events == 10


def test_no_restarts_if_none_are_wanted_or_the_run_shall_end() -> None:
    unwanted, ending = Pipeline(([], PASSING[0])), Pipeline(([], PASSING[0]))
    ending.shall_end = lambda: True
    for pipeline, limit in ((unwanted, 0), (ending, 3)):
        with pytest.raises(QueryFailed):
            pipeline.run(limit)
        assert pipeline.starts == 1


class Endless:
    """A query whose batch never ends; it keeps whether it was stopped."""

    isActive = True  # noqa: N815
    lastProgress = None  # noqa: N815
    status = {"isTriggerActive": True}
    is_stopped = False

    def awaitTermination(self, timeout: float) -> bool:  # noqa: N802
        return False


def test_a_batch_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "_stop_quietly", lambda session, query: setattr(query, "is_stopped", True))
    pipeline, query, session = Pipeline(), Endless(), None
    overdue = iter([False, False, True])
    has_ended = wait_for(session, query, pipeline.work, lambda: True, is_overdue=lambda: next(overdue))  # type: ignore[arg-type]
    assert not has_ended
    assert query.is_stopped
    assert pipeline.work.summary.given_up


def test_progress_is_told_once_a_batch_and_not_while_waiting() -> None:
    class Query(Endless):
        recentProgress: list[dict[str, Any]] = []  # noqa: N815
        ends = iter([False, False, False, True])
        isActive = False  # noqa: N815

        def awaitTermination(self, timeout: float) -> bool:  # noqa: N802
            number = len(self.recentProgress)
            duration = {"addBatch": 1} if number != 1 else {}
            self.recentProgress.append({"batchId": number, "timestamp": str(number), "durationMs": duration})
            return next(self.ends)

        @property
        def lastProgress(self) -> dict[str, Any]:  # type: ignore[override] # noqa: N802
            return self.recentProgress[-1]

    told: list[int] = []
    session: Any = None
    query: Any = Query()
    assert wait_for(
        session, query, Pipeline().work, lambda: False, on_progress=lambda progress: told.append(progress["batchId"])
    )
    assert told == [0, 2, 3]
