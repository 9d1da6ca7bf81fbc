"""What all sinks share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.sql import DataFrame

from latwin.spark.pipeline import Outputs
from latwin.spark.sinks.batch import Batch, Collector
from latwin.spark.sinks.summary import BatchSummary, Never

#: what Java raises in the thread of a query that is stopped while a batch is being written
_INTERRUPTIONS = (
    "java.lang.InterruptedException",
    "InterruptedIOException",
    "ClosedByInterruptException",
    "SPARK_JOB_CANCELLED",
)


class Interrupted(Exception):
    """A batch was given up, because its query was stopped; the next start repeats it."""

    def __init__(self) -> None:
        """Say it as Spark looks for it."""
        super().__init__(
            "py4j.protocol.Py4JJavaError: An error occurred while calling: java.lang.InterruptedException"
        )


class Sink(ABC):
    """For `foreachBatch` on `Outputs.packed`: writes each batch, unless it is there already.

    `last` is the summary of the latest batch.
    """

    def __init__(self, outputs: Outputs, never: Never = ()) -> None:
        self._collector = Collector(outputs)
        self._never = never
        self.last: BatchSummary | None = None

    def __call__(self, packed: DataFrame, number: int) -> BatchSummary:
        """Write a batch; what it held."""
        return self.take(packed, number)

    def take(self, packed: DataFrame, number: int, then: Callable[[Batch], object] = lambda _: None) -> BatchSummary:
        """Write a batch, and let something else be done with it, once it is written; what it held."""
        with _shortly_interrupted(), self._collector.opened(packed, number) as batch:
            summary = batch.summary(self._never)
            self.write(batch, summary)
            then(batch)
        self.last = summary
        return summary

    def close(self) -> None:  # noqa: B027 - most have nothing to do
        """Give back what is held between batches; nothing is written afterwards."""

    @abstractmethod
    def write(self, batch: Batch, summary: BatchSummary) -> None:
        """Let the rows of a batch appear exactly once, also if it is written again after a crash."""


@contextmanager
def _shortly_interrupted() -> Iterator[None]:
    """Tell an interruption in a few words.

    When a query was stopped, Spark searches the text of the error with which its batch ended for the reason, by a
    regular expression that needs Java's stack for every character. Java's own account of an interruption, with all
    places that it passed, overflows it, and the query would end with an error that nobody can understand.
    """
    try:
        yield
    except Py4JError as error:
        if any(name in str(error) for name in _INTERRUPTIONS):
            raise Interrupted from None
        raise
