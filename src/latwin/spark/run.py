"""A whole pipeline from a folder or topic to another: what `latwin run` and `latwin replay` do."""

from __future__ import annotations

import re
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from types import FrameType
from typing import Any, Literal, get_args

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from latwin.errors import InvalidInput, LatwinError
from latwin.events.decoding import COMPRESSED
from latwin.formats import Options
from latwin.formats.states import Order
from latwin.spark.checkpoint import Checkpoint, Files, prepare_checkpoint
from latwin.spark.kafka.address import is_kafka, parse_sink, parse_source
from latwin.spark.kafka.client import Brokers, client_config
from latwin.spark.kafka.sink import KafkaSink
from latwin.spark.kafka.source import read_records, record_outputs
from latwin.spark.lines import line_outputs
from latwin.spark.logs import log_outputs, read_logs
from latwin.spark.notify import Message, Notifier
from latwin.spark.operators import warm_workers
from latwin.spark.pipeline import DEFAULT_SHARDS, Outputs, outputs
from latwin.spark.sinks import BatchSummary, FolderSink, kept
from latwin.spec import Spec

Format = Literal["jsonl", "parquet", "shiviz", "govector", "tracing", "tla", "poset"]
#: Formats of events as latwin writes them; the others are logs.
_STORED = ("jsonl", "parquet")
_ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".parq": "parquet",
}
_POLL_S = 0.2
_LOOK_EVERY = "500 milliseconds"
#: no batch takes more files than this at once
DEFAULT_MAX_FILES = 100


class QueryFailed(LatwinError):
    """Spark gave up the query; the message is the innermost cause."""


@dataclass
class RunSummary:
    """What a run did until it ended; a run that goes on from a checkpoint counts from its own start."""

    batches: int = 0
    events: int = 0
    verdicts: int = 0
    rejects: int = 0
    #: states that wait, in the groups of the last batch
    waiting: int = 0
    #: how often each property under `never` came true
    violations: Counter[str] = field(default_factory=Counter)
    #: at how many slides one of them was too large to be answered
    unanswered: Counter[str] = field(default_factory=Counter)
    #: what differs from the last start's spec
    changes: tuple[str, ...] = ()
    interrupted: bool = False
    seconds: float = 0.0

    def add(self, batch: BatchSummary) -> None:
        """Count a batch."""
        self.batches += 1
        self.events += batch.events
        self.verdicts += batch.verdicts
        self.rejects += batch.rejects
        self.waiting = batch.waiting
        self.violations.update(batch.violations)
        self.unanswered.update(batch.unanswered)

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        counts = {"violations": dict(self.violations), "unanswered": dict(self.unanswered)}
        return {**vars(self), **counts, "seconds": round(self.seconds, 3)}


def run(
    session: SparkSession,
    spec: Spec,
    *,
    input: str,
    output: str,
    checkpoint: str,
    once: bool = False,
    format: Format | None = None,
    log_options: Options | None = None,
    order: Order = "file",
    shards: int = DEFAULT_SHARDS,
    columns: Mapping[str, str] | None = None,
    every: bool = False,
    observations: bool = False,
    notify: str | Callable[[Message], object] | Notifier | None = None,
    max_files_per_trigger: int = DEFAULT_MAX_FILES,
    kafka_config: Mapping[str, str] | None = None,
    on_start: Callable[[Checkpoint], object] | None = None,
    on_batch: Callable[[BatchSummary], object] | None = None,
    until: Callable[[], bool] | None = None,
) -> RunSummary:
    """Stream events through the monitors into `output`, until interrupted; `once`: until all that is there is read.

    `input` and `output` are folders, or topics as `kafka://host:port/topic` (see `latwin.spark.kafka`), for which
    `kafka_config` holds settings of Kafka's client; the session must have the connector then.

    Files must appear in the folder whole (written elsewhere and moved there); each is read once, older ones first.
    `checkpoint` holds how far the run has come, so that the next one goes on there; nothing is lost and nothing
    is written twice if it is killed in between. `format` is guessed from the files' endings unless given; for logs
    of other formats `log_options` and `order` say how they are read (see `latwin.spark.logs`).

    Ctrl-C lets the running batch finish; a second one does not. `until`, asked a few times a second, ends the run in
    the same way as soon as it says so. Raises InvalidInput for what a user can mend, and QueryFailed if Spark gives
    up.
    """
    notifier = notify if notify is None or isinstance(notify, Notifier) else Notifier(notify)
    source = parse_source(input) if is_kafka(input) else None
    target = parse_sink(output) if is_kafka(output) else None
    if source is not None and format is not None:
        raise InvalidInput(f"format={format!r} is for files; the records of a topic are JSON")
    if source is not None and target is not None and source.topic in target.topics:
        raise InvalidInput(f"the topic {source.topic!r} is input and output; results need topics of their own")
    settings = dict(kafka_config or {})
    options: dict[str, Any] = {"shards": shards, "columns": columns, "every": every, "observations": observations}
    kind: Literal[Format, "kafka"] = "kafka"
    if source is not None:
        client = client_config(source.servers, settings, "input")
        Brokers(session, client).partitions([source.topic])
        warm_workers(session, spec)
        results = record_outputs(read_records(session, source, client), spec, **options)
    else:
        kind = file_format = format or guess_format(session, input)
        warm_workers(session, spec)
        options |= {"log_options": log_options, "order": order, "max_files_per_trigger": max_files_per_trigger}
        results = folder_outputs(session, spec, input=input, format=file_format, streaming=True, **options)
    topic = source.topic if source is not None else None
    began = prepare_checkpoint(session, checkpoint, spec, shards, input_format=kind, topic=topic)
    sink: FolderSink | KafkaSink
    if target is not None:
        sink = KafkaSink(target, results, checkpoint=checkpoint, owner=began.id, never=spec.never, config=settings)
    else:
        sink = FolderSink(output, results, owner=began.id, never=spec.never)
    work = _Batches(results, sink, notifier, on_batch)
    work.summary.changes = began.changes
    if on_start is not None:
        on_start(began)
    started = monotonic()
    writer = results.packed.writeStream.option("checkpointLocation", checkpoint).foreachBatch(work)
    writer = writer.trigger(availableNow=True) if once else writer.trigger(processingTime=_LOOK_EVERY)
    with _interrupts() as interrupts:
        _wait(session, writer.start(), work, lambda: interrupts.asked or (until is not None and until()))
    work.summary.interrupted = interrupts.asked
    work.summary.seconds = monotonic() - started
    return work.summary


def folder_outputs(
    session: SparkSession,
    spec: Spec,
    *,
    input: str,
    format: Format | None = None,
    log_options: Options | None = None,
    order: Order = "file",
    streaming: bool = False,
    shards: int = DEFAULT_SHARDS,
    columns: Mapping[str, str] | None = None,
    every: bool = False,
    observations: bool = False,
    max_files_per_trigger: int = DEFAULT_MAX_FILES,
) -> Outputs:
    """What comes of the events in a file or folder of JSON lines, Parquet or logs, as a stream or as a batch."""
    kind = format or guess_format(session, input)
    if kind not in get_args(Format):
        raise InvalidInput(f"format must be one of {', '.join(get_args(Format))}; got {kind!r}")
    files = Files(session)
    if not files.exists(input):
        raise InvalidInput(f"the input {input} does not exist")
    if streaming and not files.is_folder(input):
        raise InvalidInput(f"the input {input} is a file; only folders are watched for new files: give its folder")
    options: dict[str, Any] = {"shards": shards, "every": every, "observations": observations}
    max_files = max_files_per_trigger if streaming else None
    if kind not in _STORED:
        logs = read_logs(session, input, max_files)
        return log_outputs(logs, spec, kind, log_options, root=input, order=order, **options)
    events = _read(session, input, kind, max_files)
    if kind == "jsonl":
        return line_outputs(events, spec, columns=columns, **options)
    return outputs(events, spec, columns=columns, **options)


def guess_format(session: SparkSession, path: str) -> Format:
    """JSON lines or Parquet, by the endings of the files that are there."""
    files = Files(session)
    if not files.exists(path):
        raise InvalidInput(f"the input {path} does not exist")
    names = [name for name in files.names(path) if not name.startswith((".", "_"))]
    found = {_ENDINGS[ending] for name in names if (ending := _ending(name)) in _ENDINGS}
    if len(found) != 1:
        there = "files of both formats" if found else ", ".join(names[:3]) or "no files yet"
        raise InvalidInput(f"the input {path} has {there}: give the format, jsonl or parquet")
    return found.pop()


def _ending(name: str) -> str:
    for ending in COMPRESSED:
        name = name.removesuffix(ending)
    return name[name.rfind(".") :].lower() if "." in name else ""


def _read(session: SparkSession, path: str, kind: Format, max_files: int | None) -> DataFrame:
    """The files as a batch, or as a stream if `max_files` a batch is given."""
    if kind == "jsonl":
        if max_files is None:
            return session.read.text(path)
        return session.readStream.option("maxFilesPerTrigger", max_files).text(path)
    try:
        batch = session.read.parquet(path)
    except (PySparkException, Py4JError) as error:
        if "UNABLE_TO_INFER_SCHEMA" in str(error):
            raise InvalidInput(
                f"the input {path} has no Parquet file yet, and the first one tells the columns"
            ) from None
        raise InvalidInput(f"the input {path} cannot be read as Parquet: {innermost_cause(error)}") from None
    if max_files is None:
        return batch
    return session.readStream.schema(batch.schema).option("maxFilesPerTrigger", max_files).parquet(path)


class _Batches:
    """The work on each micro-batch, called by Spark from a thread of its own."""

    def __init__(
        self,
        results: Outputs,
        sink: FolderSink | KafkaSink,
        notifier: Notifier | None,
        on_batch: Callable[[BatchSummary], object] | None,
    ) -> None:
        self.summary = RunSummary()
        self.running: int | None = None
        self._results = results
        self._sink = sink
        self._notifier = notifier
        self._on_batch = on_batch

    def __call__(self, batch: DataFrame, batch_id: int) -> None:
        """Write a batch, then tell of it."""
        self.running = batch_id
        with kept(batch):
            summary = self._sink(batch, batch_id)
            if self._notifier is not None and summary.verdicts:
                self._notifier(self._results.of(batch).verdicts, batch_id)
        self.summary.add(summary)
        if self._on_batch is not None:
            self._on_batch(summary)


# -- waiting and stopping ----------------------------------------------------------------------------


class _Interrupts:
    """Whether somebody pressed Ctrl-C."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """The first one asks, the second one insists."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def _interrupts() -> Iterator[_Interrupts]:
    """Take over SIGINT: Spark's own handler would cancel the running batch."""
    interrupts = _Interrupts()
    if threading.current_thread() is not threading.main_thread():
        yield interrupts
        return
    before = signal.signal(signal.SIGINT, interrupts)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)


def _wait(session: SparkSession, query: StreamingQuery, work: _Batches, shall_end: Callable[[], bool]) -> None:
    """Until the query ends, or until the batch that runs when it shall end is done."""
    last: int | None = None
    try:
        while not query.awaitTermination(_POLL_S):  # type: ignore[arg-type]
            if not shall_end():
                continue
            if last is None:
                last = -1 if work.running is None else work.running
            progress = query.lastProgress
            is_done = progress is not None and progress["batchId"] >= last
            if is_done or not query.status["isTriggerActive"]:
                break
    except KeyboardInterrupt:
        pass  # a second Ctrl-C: not even the running batch is waited for
    except PySparkException as error:
        raise QueryFailed(innermost_cause(error)) from error
    finally:
        if query.isActive:
            _stop_quietly(session, query)


def _stop_quietly(session: SparkSession, query: StreamingQuery) -> None:
    """Give up a batch that has just begun: the next start replays it. Spark would log that as an error."""
    jvm: Any = session._jvm
    level = jvm.org.apache.logging.log4j.LogManager.getRootLogger().getLevel().toString()
    session.sparkContext.setLogLevel("OFF")
    try:
        query.stop()
    finally:
        session.sparkContext.setLogLevel(level)


_CAUSES = (  # the most telling first
    r"latwin\.[\w.]+: (.+)",
    r"([A-Z]\w*Error: .+)",
    r"Caused by: [\w.$]+: (.+)",
    r": [\w.$]+: (.+)",
    r".* terminated with exception: (.+?)(?: SQLSTATE.*)?$",
)


def innermost_cause(error: BaseException) -> str:
    """The line of an error of Spark that says what went wrong; the other lines say where it passed by."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    for pattern in _CAUSES:
        raised = [found[1] for line in lines if (found := re.match(pattern, line))]
        if raised:
            return raised[-1]
    return lines[0] if lines else type(error).__name__
