"""What all sinks share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from pyspark.sql import DataFrame

from latwin.spark.pipeline import Outputs
from latwin.spark.sinks.batch import Batch, Collector
from latwin.spark.sinks.summary import BatchSummary, Never


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
        with self._collector.opened(packed, number) as batch:
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
