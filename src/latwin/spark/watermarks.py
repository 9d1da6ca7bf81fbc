"""Event time goes on behind `detect`: the column that a user marked by `withWatermark` stays marked in the verdicts.

Packed results have no such column, so Spark forgets the mark, but not the watermark: the stateful operator hands it
on, unless it has timers of the wall clock. So verdicts get the mark again, or with timers a watermark of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql.types import StructField

#: where Spark notes, in the metadata of a column, how late its rows may be
_DELAY = "spark.watermarkDelayMs"


@dataclass(frozen=True)
class Watermark:
    """A column of the verdicts that tells event time, and how late its rows may be."""

    column: str
    delay_ms: int

    def on(self, verdicts: DataFrame, *, has_timers: bool) -> DataFrame:
        """The verdicts of a stream with this column marked; a batch knows no watermark.

        `has_timers` says that the operator before has timers of the wall clock.
        """
        if not verdicts.isStreaming:
            return verdicts
        if has_timers:
            return verdicts.withWatermark(self.column, f"{self.delay_ms} milliseconds")
        return verdicts.withMetadata(self.column, {_DELAY: self.delay_ms})


def delay_of(field: StructField) -> int | None:
    """How late rows may be by this column, in milliseconds; None if it has no watermark."""
    delay = field.metadata.get(_DELAY)
    return None if delay is None else int(delay)
