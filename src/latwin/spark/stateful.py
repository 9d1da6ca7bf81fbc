"""Spark's stateful operator, in whichever form this PySpark has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pyspark import __version__
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from latwin.errors import InvalidInput
from latwin.spark.packing import KEY
from latwin.spark.schemas import PACKED, PACKED_COLUMNS

#: which timers an operator has, as Spark calls it
NO_TIMERS, WALL_CLOCK = "None", "ProcessingTime"


def with_state(packed: DataFrame, processor: StatefulProcessor, time_mode: str) -> DataFrame:
    """Packed results of packed rows, by a processor of rows that is given those of one shard at a time.

    Raises InvalidInput where Spark has no such operator: on Spark Connect before PySpark 4.1.
    """
    by_shard = packed.withColumn("shard", F.col("shard").cast(KEY)).groupBy("shard")
    if hasattr(by_shard, "transformWithState"):
        return by_shard.transformWithState(processor, PACKED, "Append", time_mode)
    if hasattr(by_shard, "transformWithStateInPandas"):
        return by_shard.transformWithStateInPandas(InPandas(processor), PACKED, "Append", time_mode)
    raise InvalidInput(
        f"PySpark {__version__} has no stateful operator on Spark Connect; use a classic session, or 4.1 or later"
    )


class InPandas(StatefulProcessor):
    """A processor of rows where there are only those of pandas: in PySpark 4.0."""

    def __init__(self, inner: StatefulProcessor) -> None:
        self._inner = inner

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Open the state."""
        self._inner.init(handle)

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Any]:  # noqa: N802, N803
        """Hand the rows of the frames over."""
        given = (Row(**row) for frame in rows for row in frame.to_dict("records"))
        return _frames(self._inner.handleInputRows(_plain(key), given, timerValues))

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Any]:  # noqa: N802, N803
        """Hand the timer over."""
        return _frames(self._inner.handleExpiredTimer(_plain(key), timerValues, expiredTimerInfo))

    def close(self) -> None:
        """Close the processor."""
        self._inner.close()


def _plain(key: Any) -> tuple[int, ...]:
    """A key as it is elsewhere; pandas has numpy's integers, which are none to JSON."""
    return tuple(int(part) for part in key)


def _frames(rows: Iterable[Any]) -> Iterator[Any]:
    import pandas as pd  # type: ignore[import-untyped]

    found = list(rows)
    if found:
        yield pd.DataFrame(found, columns=PACKED_COLUMNS)
