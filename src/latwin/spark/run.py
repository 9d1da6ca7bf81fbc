"""A whole pipeline from a folder or topic to another: what `latwin run` does."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from latwin.errors import InvalidInput
from latwin.notify import Message
from latwin.spark.all_read import AllRead
from latwin.spark.checkpoint import Checkpoint, prepare_checkpoint
from latwin.spark.files import Files
from latwin.spark.kafka.address import is_kafka, parse_sink, parse_source
from latwin.spark.kafka.client import Brokers, client_config
from latwin.spark.lease import PATIENCE_S, hold_lease
from latwin.spark.loop import (
    STOP_WITHIN_S,
    Batches,
    Ending,
    Progress,
    Restart,
    RunSummary,
    run_query,
    taking_interrupts,
    wait_for,
)
from latwin.spark.notify import Notifier
from latwin.spark.operators import Detection, warm_workers
from latwin.spark.pipeline import require_seconds, source_outputs
from latwin.spark.rules import Rules
from latwin.spark.session import require_classic
from latwin.spark.sinks import BatchSummary
from latwin.spark.sinks.opening import name_of, open_sink
from latwin.spark.sources import Source
from latwin.spark.sources.files import Reading, file_source, guess_format
from latwin.spark.sources.kafka import RecordSource, read_records
from latwin.spark.sources.logs import LogSource
from latwin.spark.sources.steps import StepSourceFrame
from latwin.spark.sources.tables import table_source
from latwin.spark.tables import is_table, parse_table
from latwin.spark.watching import ChangingRules, Refused, RulesSource
from latwin.spec import Spec

#: how often, in seconds, the query looks for events unless told otherwise
_LOOK_EVERY_S = 0.5
#: Spark would take less for as often as possible, and more than a day is a mistake
_SHORTEST_S, _LONGEST_S = 0.01, 86_400.0


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How a pipeline reads, and what it computes."""

    #: end when all that is there is read, and what its clocks wait for can be declared lost
    once: bool = False
    #: of the query, as Spark's UI, listeners and metrics show it
    name: str | None = None
    reading: Reading = field(default_factory=Reading)
    detection: Detection = field(default_factory=Detection)
    #: so often, in seconds, the query looks for events and makes a batch of them; None: half a second
    trigger_s: float | None = None
    #: how often in a row the query is started again after a lost worker, executor or connection
    max_restarts: int = 5
    #: where new rules appear while it runs; None: they change at a start only
    rules: RulesSource | None = None
    #: when it shall end, the running batch is waited for so long; a batch that takes longer is left to the next run
    stop_within_s: float = STOP_WITHIN_S

    def __post_init__(self) -> None:
        """Check the interval."""
        if self.trigger_s is None:
            return
        if not _SHORTEST_S <= self.trigger_s <= _LONGEST_S:
            raise InvalidInput(f"a trigger must take from {_SHORTEST_S:g} s to a day; got {self.trigger_s:g} s")
        if self.once or self.detection.tick_s is not None:
            what = "a run that ends (--once)" if self.once else "ticks (--tick), which are an interval themselves,"
            raise InvalidInput(f"{what} cannot have a trigger (--trigger)")


@dataclass(frozen=True, kw_only=True)
class Hooks:
    """Who is told of what while a pipeline runs."""

    #: is told of every verdict that changes: a URL or a function (see `Notifier`)
    notify: str | Callable[[Message], object] | Notifier | None = None
    on_start: Callable[[Checkpoint], object] = lambda _: None
    on_batch: Callable[[BatchSummary], object] = lambda _: None
    on_restart: Callable[[Restart], object] = lambda _: None
    #: what Spark says of a batch, after `on_batch`; not asked for unless somebody wants it
    on_progress: Callable[[Progress], object] | None = None
    #: new rules were taken while it ran: the checkpoint with its rules, and what changed
    on_rules: Callable[[Checkpoint], object] = lambda _: None
    #: new rules were refused, and the rules of before go on
    on_refused: Callable[[Refused], object] = lambda _: None
    #: asked a few times a second; ends the run after the running batch as soon as it says so
    until: Callable[[], bool] = lambda: False


def run(
    session: SparkSession,
    spec: Spec,
    *,
    input: str,
    output: str,
    checkpoint: str,
    options: RunOptions | None = None,
    hooks: Hooks | None = None,
) -> RunSummary:
    """Stream events through the monitors into `output`, until interrupted or, with `once`, until all are read.

    `input` and `output` are folders, topics as `kafka://host:port/topic` (see `latwin.spark.kafka`), or tables as
    `delta:PATH` or `table:NAME` (see `latwin.spark.tables`); for topics and tables the session must have the jars.

    Files must appear in the folder whole (written elsewhere and moved there); each is read once, older ones first.
    `checkpoint` holds how far the run has come, so that the next one goes on there; nothing is lost and nothing
    is written twice if it is killed in between.

    Rules that appear in `options.rules` are taken between two batches: the running batch finishes, all later ones
    follow the new version, and each group evaluates it before its next event. Which batch follows which version is in
    the checkpoint. Rules that cannot be used are refused, and those of before go on.

    Ctrl-C and SIGTERM let the running batch finish, within `stop_within_s`; a second one does not. Only one pipeline
    at a time may use a checkpoint (see `lease`). If a worker, an executor or a connection is lost and Spark gives up,
    the query is started again, a few times at most (`max_restarts`). Raises InvalidInput for what a user can mend,
    and QueryFailed if Spark gives up for another reason or again and again.
    """
    options, hooks = options or RunOptions(), hooks or Hooks()
    require_classic(session, "run")
    _check_places(input, output, options.reading)
    if options.once and options.detection.tick_s is not None:  # Spark runs batches for timers without end
        raise InvalidInput("a wall clock ticks without end: a run that ends (--once) cannot have ticks (--tick)")
    changing = ChangingRules(session, checkpoint, options.rules, hooks.on_refused)
    spec = changing.first(spec)
    kind, source = _open(session, spec, input, options.reading)
    changing.require(partial(require_seconds, source))
    warm_workers(session, spec)
    results = source_outputs(source, spec, options.detection)
    files = Files(session)
    with hold_lease(files, checkpoint) as lease, ExitStack() as closing:
        began = prepare_checkpoint(
            session,
            checkpoint,
            spec,
            input_format=kind,
            topic=parse_source(input).topic if is_kafka(input) else None,
            output=name_of(files, output),
            ticks=options.detection.tick_s is not None,
        )
        changing.follow(began)
        detection = replace(options.detection, forget=began.forget)
        sink = open_sink(
            output,
            results,
            checkpoint=checkpoint,
            owner=began.id,
            never=changing.never_of,
            kafka_config=options.reading.kafka_config,
        )
        closing.callback(sink.close)
        work = Batches(sink, _notifier(hooks), hooks.on_batch, rules_of=changing.number_of)
        work.summary.changes = began.changes
        hooks.on_start(began)
        started = monotonic()
        clocking = options.reading.clocking
        all_read = AllRead(clocking.waits.max_wait_s) if options.once and clocking is not None else None
        with taking_interrupts() as interrupts:
            ending = Ending(lambda: interrupts.asked or lease.is_lost or hooks.until(), options.stop_within_s)
            is_read = False

            def shall_stop(query: StreamingQuery) -> bool:
                nonlocal is_read
                is_read = is_read or (all_read is not None and all_read(query.recentProgress))
                return is_read or ending.is_asked() or changing.are_offered()

            def is_over() -> bool:
                """Run the query under the rules of now; whether this was all."""
                packed = source_outputs(_under(source, changing.rules), changing.rules, detection).packed
                writer = packed.writeStream.option("checkpointLocation", checkpoint).foreachBatch(work)
                writer = writer.trigger(**_trigger(options))
                writer = writer if options.name is None else writer.queryName(options.name)
                has_ended = run_query(
                    writer.start,
                    work,
                    lambda query: wait_for(
                        session,
                        query,
                        work,
                        lambda: shall_stop(query),
                        is_overdue=ending.is_overdue,
                        on_progress=hooks.on_progress,
                    ),
                    ending.is_asked,
                    max_restarts=options.max_restarts,
                    on_restart=hooks.on_restart,
                )
                return has_ended or is_read or ending.is_asked()

            while not is_over():
                if changing.are_offered():
                    changed = changing.take()
                    work.summary.changes += changed.changes
                    hooks.on_rules(changed)
    if lease.is_lost:
        raise InvalidInput(
            f"the checkpoint {checkpoint} was taken over by another pipeline, because this one was silent for "
            f"{PATIENCE_S:g} seconds; nothing is lost, and only one of them must run"
        )
    summary = work.summary
    summary.rules, summary.spec = changing.rules.latest.number, changing.rules.latest.checked()
    summary.refused = tuple(changing.refused)
    summary.interrupted = interrupts.asked
    summary.seconds = monotonic() - started
    return summary


def _trigger(options: RunOptions) -> dict[str, Any]:
    """How often the query looks for events; with ticks each look is a batch, as Spark looks at its timers then."""
    if options.once and options.reading.clocking is None:
        return {"availableNow": True}
    every_s = options.detection.tick_s or options.trigger_s or _LOOK_EVERY_S
    return {"processingTime": f"{round(every_s * 1000)} milliseconds"}


def _notifier(hooks: Hooks) -> Notifier | None:
    notify = hooks.notify
    return notify if notify is None or isinstance(notify, Notifier) else Notifier(notify)


def _under(source: Source, rules: Rules) -> Source:
    """A source of logs chooses the order of their events by the windows, so by the rules of each batch."""
    return replace(source, rules=rules) if isinstance(source, LogSource) else source


def _check_places(input: str, output: str, reading: Reading) -> None:
    """Raise InvalidInput for addresses that cannot go together, before Spark is asked anything."""
    source = parse_source(input) if is_kafka(input) else None
    target = parse_sink(output) if is_kafka(output) else None
    if source is not None and reading.format is not None:
        raise InvalidInput(f"format={reading.format!r} is for files; the records of a topic are JSON")
    if source is not None and target is not None and source.topic in target.topics:
        raise InvalidInput(f"the topic {source.topic!r} is input and output; results need topics of their own")
    for place in (input, output):
        if is_table(place):
            parse_table(place)
    if is_table(input) and (reading.format is not None or reading.clocking is not None):
        what = "clocks are derived" if reading.clocking is not None else f"format={reading.format!r} is"
        raise InvalidInput(f"{what} for files and topics; a table has columns, as docs/spark.md lists them")


def _open(session: SparkSession, spec: Spec, input: str, reading: Reading) -> tuple[str, Source]:
    """What the input is, and the source that streams it."""
    if is_kafka(input):
        address = parse_source(input)
        config = client_config(address.servers, reading.kafka_config, "input")
        Brokers(session, config).partitions([address.topic])
        if reading.clocking is not None:
            steps = StepSourceFrame(read_records(session, address, config), reading.clocking)
            return f"kafka: {reading.clocking.name}", steps
        return "kafka", RecordSource(read_records(session, address, config), reading.columns)
    if is_table(input):
        return "table", table_source(session, parse_table(input), reading)
    if reading.clocking is not None:
        return reading.clocking.name, file_source(session, spec, input, reading, streaming=True)
    kind = reading.format or guess_format(session, input, reading.log_options)
    return kind, file_source(session, spec, input, reading, streaming=True)
