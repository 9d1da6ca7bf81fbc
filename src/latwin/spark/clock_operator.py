"""The stateful operator that makes clocks and detects, on Spark's side: state, and timers for what waits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from latwin.spark.clocked import ClockedShardWorker, Clocking, Worked
from latwin.spark.operators import STATE, Work


@dataclass(frozen=True)
class ClockedWork:
    """What workers need to know; plain data, sent to them with the query."""

    work: Work
    clocking: Clocking

    def worker(self) -> ClockedShardWorker:
        """A worker with its kernels compiled."""
        listed = self.work.rules.latest.checked().listed  # the same in all versions
        return ClockedShardWorker(self.work.worker(), self.clocking, listed)


class ClockedShardProcessor(StatefulProcessor):
    """Hands a shard's packed records and its state to the worker, and the results back.

    The state store holds one row per shard. At most one timer is set for it, for when the first thing has waited
    long enough; one that comes too early, because more has come since, is set again.
    """

    def __init__(self, work: ClockedWork) -> None:
        self._work = work

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Open the state; the worker is made when the first records come, as planning calls this too."""
        self._handle = handle
        self._state = handle.getValueState(STATE, "groups binary, clocks binary")
        self._worker: ClockedShardWorker | None = None

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
        """Take a shard's records of this batch."""
        now_ms = int(timerValues.getCurrentProcessingTimeInMs())
        groups, clocks = self._stored()
        worked = self._made().work(groups, clocks, (row.payload for row in rows), now_ms, shard=key[0])
        return self._keep(worked)

    def handleExpiredTimer(  # noqa: N802
        self,
        key: Any,
        timerValues: Any,  # noqa: N803
        expiredTimerInfo: Any,  # noqa: N803
    ) -> Iterator[Row]:
        """Look at what waits."""
        del expiredTimerInfo
        now_ms = int(timerValues.getCurrentProcessingTimeInMs())
        groups, clocks = self._stored()
        return self._keep(self._made().look(groups, clocks, now_ms, shard=key[0]))

    def close(self) -> None:
        """Nothing to release."""

    def _made(self) -> ClockedShardWorker:
        if self._worker is None:
            self._worker = self._work.worker()
        return self._worker

    def _stored(self) -> tuple[bytes | None, bytes | None]:
        stored = self._state.get()
        return (None, None) if stored is None else (bytes(stored[0]), bytes(stored[1]))

    def _keep(self, worked: Worked) -> Iterator[Row]:
        self._state.update((worked.groups, worked.clocks))
        if worked.timer_ms is not None:
            self._handle.registerTimer(worked.timer_ms)
        for kind, count, payload in worked.results.packed():
            yield Row(kind=kind, count=count, payload=payload)
