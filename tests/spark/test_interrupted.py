"""A query that is stopped in the middle of a batch ends as one that was stopped, not by an error of Spark's."""

from __future__ import annotations

import threading
import traceback
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark")

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.sql import SparkSession

from killing import PATIENCE_S
from latwin.spark.pipeline import Outputs
from latwin.spark.schemas import PACKED
from latwin.spark.sinks.batch import Batch
from latwin.spark.sinks.sink import Interrupted, Sink
from latwin.spark.sinks.summary import BatchSummary


class Halting(Sink):
    """Lets somebody know that a batch is being written, and is at it until it is interrupted."""

    def __init__(self, outputs: Outputs, session: SparkSession) -> None:
        super().__init__(outputs)
        self.begun = threading.Event()
        self.raised: list[BaseException] = []
        self._thread: Any = session._jvm.java.lang.Thread  # type: ignore[union-attr]

    def __call__(self, *given: Any) -> BatchSummary:
        try:
            return super().__call__(*given)
        except Exception as error:
            self.raised.append(error)
            raise

    def write(self, batch: Batch, summary: BatchSummary) -> None:
        self.begun.set()
        self._thread.sleep(int(PATIENCE_S * 1000))


def test_a_query_is_stopped_within_a_batch(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.json").write_text('{"kind": "metric", "count": 1, "payload": "{}"}\n')
    packed = spark.readStream.schema(PACKED).json(str(source))
    sink = Halting(Outputs(packed), spark)

    def take(batch: Any, number: int) -> None:
        sink(batch, number)

    query = packed.writeStream.foreachBatch(take).option("checkpointLocation", str(tmp_path / "state")).start()
    assert sink.begun.wait(PATIENCE_S)
    query.stop()
    assert query.exception() is None
    assert [type(error) for error in sink.raised] == [Interrupted]


def test_spark_takes_it_for_an_interruption(spark: SparkSession) -> None:
    """By the text of the error alone, as it comes to Java."""
    text = "".join(traceback.format_exception(Interrupted()))
    jvm: Any = spark._jvm
    streaming = jvm.org.apache.spark.sql.execution.streaming.runtime.StreamExecution
    context = spark.sparkContext._jsc.sc()
    assert streaming.isInterruptionException(jvm.py4j.Py4JException(text), context)
    assert not streaming.isInterruptionException(jvm.py4j.Py4JException("Traceback: no such file"), context)


def test_other_errors_stay_as_they_are(spark: SparkSession) -> None:
    class Failing(Sink):
        def write(self, batch: Batch, summary: BatchSummary) -> None:
            raise Py4JError("no permission")

    empty = spark.createDataFrame([], PACKED)
    with pytest.raises(Py4JError, match="no permission"):
        Failing(Outputs(empty))(empty, 0)
