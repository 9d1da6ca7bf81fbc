"""All three tables of a streaming DataFrame into a folder, topics or tables, each row once, in one's own query."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from typing import Any
from uuid import uuid4

import msgspec
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from latwin.errors import InvalidInput
from latwin.spark.checkpoint import RECORD as RUN_RECORD
from latwin.spark.checkpoint_logs import REMEDY
from latwin.spark.files import Files
from latwin.spark.lease import hold_lease
from latwin.spark.pipeline import Outputs
from latwin.spark.sinks.opening import name_of, open_sink
from latwin.spark.sinks.summary import Never

RECORD = "latwin-write.json"
#: who gives the lease of a checkpoint back when its query has ended, by the checkpoint's place
_releasing: dict[str, tuple[StreamingQuery, threading.Thread]] = {}


def write(
    results: Outputs,
    *,
    to: str,
    checkpoint: str,
    trigger: Mapping[str, Any] | None = None,
    name: str | None = None,
    never: Never = (),
    kafka_config: Mapping[str, str] | None = None,
) -> StreamingQuery:
    """Start a query that writes verdicts, rejects and metrics to a place, every row once; the query, which runs.

        results = latwin.spark.outputs(events, spec)
        query = latwin.spark.write(results, to="out", checkpoint="state")
        query.awaitTermination()

    `to` is a folder, `kafka://host:port/topic`, `delta:PATH` or `table:NAME`, as for `latwin run`. `checkpoint` is
    the query's; a later start with the same goes on there, and must have the same `to`. `trigger` are the arguments
    of Spark's `DataStreamWriter.trigger`, such as `{"availableNow": True}`; `name` is the query's name. Raises
    InvalidInput for a place or checkpoint that cannot be used, also while another query uses the checkpoint.
    """
    if not results.packed.isStreaming:
        raise InvalidInput(
            "write: the events are no streaming DataFrame; write the tables of a batch with Spark's own writers, "
            'such as outputs(events, spec).verdicts.write.parquet("verdicts")'
        )
    files = Files(results.packed.sparkSession)
    if files.exists(f"{checkpoint.rstrip('/')}/{RUN_RECORD}"):
        raise InvalidInput(f"the checkpoint {checkpoint} is one of `latwin run`; use another folder")
    place = files.qualified(checkpoint)
    if place in _releasing and not _releasing[place][0].isActive:
        _releasing.pop(place)[1].join()  # a query that has just ended here
    with ExitStack() as stack:
        stack.enter_context(hold_lease(files, checkpoint))
        owner = _owner(files, checkpoint, name_of(files, to))
        sink = open_sink(to, results, checkpoint=checkpoint, owner=owner, never=never, kafka_config=kafka_config)
        stack.callback(sink.close)
        writer = results.packed.writeStream.option("checkpointLocation", checkpoint)
        if name is not None:
            writer = writer.queryName(name)
        if trigger is not None:
            writer = writer.trigger(**trigger)

        def take(batch: DataFrame, number: int) -> None:
            sink(batch, number)

        query = writer.foreachBatch(take).start()
        # Whoever started the query need not wait for it; the lease does.
        releasing = threading.Thread(target=_release, args=(query, stack.pop_all()), name="latwin write", daemon=True)
        releasing.start()
        _releasing[place] = query, releasing
    return query


def _owner(files: Files, checkpoint: str, output: str) -> str:
    """The id of a checkpoint that is written into an output, made at the first start."""
    path = f"{checkpoint.rstrip('/')}/{RECORD}"
    if not files.exists(path):
        owner = uuid4().hex
        files.write(path, msgspec.json.encode({"id": owner, "output": output}))
        return owner
    try:
        known = msgspec.json.decode(files.read(path), type=dict[str, str])
        owner, before = known["id"], known["output"]
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError):
        raise InvalidInput(f"{path}: this file is damaged; {REMEDY}") from None
    if before != output:
        raise InvalidInput(
            f"the checkpoint {checkpoint} was begun with another output: {before} -> {output}. Use that one, or a "
            "new checkpoint"
        )
    return owner


def _release(query: StreamingQuery, held: ExitStack) -> None:
    """Give the lease back when the query has ended."""
    with held, suppress(PySparkException):
        query.awaitTermination()
