"""The stateful operator of PySpark 4.0, which speaks in pandas' frames; here without Spark."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import pytest

pytest.importorskip("pyspark")

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from latwin.errors import InvalidInput
from latwin.spark import stateful
from latwin.spark.stateful import InPandas, with_state


class Echo(StatefulProcessor):
    """Tells what it is given: a row for each row, and one for a timer."""

    def init(self, handle: Any) -> None:
        self.calls = [handle]

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
        for row in rows:
            yield Row(kind=json.dumps([*key]), count=len(row.payload), payload=f"{row.payload} {timerValues}")

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Row]:  # noqa: N802, N803
        yield Row(kind=json.dumps([*key]), count=expiredTimerInfo, payload=timerValues)

    def close(self) -> None:
        self.calls.append("closed")


def frame(*payloads: str) -> pd.DataFrame:
    return pd.DataFrame({"shard": np.int16(7), "payload": list(payloads)})


def test_rows_of_frames_and_frames_of_rows() -> None:
    (made,) = InPandas(Echo()).handleInputRows((np.int16(7),), iter([frame("a", "bc"), frame("ä")]), "now")
    assert list(made.columns) == ["kind", "count", "payload"]
    assert made.values.tolist() == [["[7]", 1, "a now"], ["[7]", 2, "bc now"], ["[7]", 1, "ä now"]]


def test_no_frame_without_rows() -> None:
    assert list(InPandas(Echo()).handleInputRows((np.int16(7),), iter([]), "now")) == []


def test_timers_and_the_life_of_a_processor_are_handed_on() -> None:
    inner = Echo()
    processor = InPandas(inner)
    processor.init("handle")  # type: ignore[arg-type]
    (made,) = processor.handleExpiredTimer((7,), "now", 5)
    assert made.values.tolist() == [["[7]", 5, "now"]]
    processor.close()
    assert inner.calls == ["handle", "closed"]


def test_a_spark_without_the_operator_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Frame:
        """As on Spark Connect before PySpark 4.1."""

        def withColumn(self, *_: object) -> Frame:  # noqa: N802
            return self

        def groupBy(self, *_: object) -> object:  # noqa: N802
            return object()

    monkeypatch.setattr(stateful, "F", MagicMock())  # columns need a Java
    with pytest.raises(
        InvalidInput, match=r"^PySpark [\d.]+ has no stateful operator on Spark Connect; use a classic"
    ):
        with_state(Frame(), Echo(), "None")  # type: ignore[arg-type]
