"""Where events come from: each source gives packed envelopes, and from there on the way is the same.

columns.py    a DataFrame whose columns are an event's fields
lines.py      a DataFrame of JSON lines
logs.py       whole logs of any format
kafka.py      the records of a topic
steps.py      steps and spans, whose clocks are made in the stream
files.py      a file or folder of lines, columns or logs
"""

from __future__ import annotations

from typing import Protocol

from pyspark.sql import DataFrame
from pyspark.sql.types import DataType

from latwin.spark.sweep import Sweep


class Source(Protocol):
    """Events on their way to the monitors of their groups."""

    @property
    def time(self) -> DataType | None:
        """The type of the events' time, which verdicts keep; None if it is text."""

    def packed(self, sweep: Sweep | None = None) -> DataFrame:
        """(shard, payload), by the shard of the events' group.

        Envelopes as JSON, joined by commas (see `packing`), or columns (see `column_payloads`); and the rows of the
        sweep, if there is one.
        """
