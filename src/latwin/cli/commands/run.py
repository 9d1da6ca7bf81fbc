"""`latwin run`: a folder, topic or table of events streamed through Spark into folders, topics or tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latwin.cli.clock_options import ClockOptions
from latwin.cli.inputs import SpecArgument, load_spec
from latwin.cli.logs import LogOptions, LogOrderOption, check_options
from latwin.cli.operating import OperatingOptions, read_seconds, telling
from latwin.cli.run_log import JsonLog
from latwin.cli.spark import (
    INTERRUPTED,
    DetectionOptions,
    FormatOption,
    JsonOption,
    SessionOptions,
    check_installed,
    exit_by,
    report,
    spark_session,
)
from latwin.cli.terminal import AllowUnanswered, NotifyFinalOption, NotifyOption, ending_on_sigterm
from latwin.errors import InvalidInput
from latwin.formats.endings import AUTO, STORED

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from latwin.spark import Clocking


def run(
    spec: SpecArgument,
    input_path: Annotated[
        str,
        typer.Option(
            "--input",
            metavar="PLACE",
            help="A folder of JSON lines, Parquet or logs; new files are picked up. Or kafka://HOST:PORT/TOPIC, "
            "or a table, delta:PATH or table:NAME.",
        ),
    ],
    output: Annotated[
        str,
        typer.Option(
            "--out",
            "--output",
            metavar="PLACE",
            help="A folder, for verdicts/, rejects/ and metrics/ as Parquet; or kafka://HOST:PORT/TOPIC; or Delta "
            "tables, delta:PATH or table:NAME.",
        ),
    ],
    checkpoint: Annotated[
        str, typer.Option(metavar="DIR", help="Folder for the progress; the next run continues from it.")
    ],
    once: Annotated[bool, typer.Option("--once", help="Read what is there, then end.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Take new rules from the SPEC file whenever it changes, between batches.")
    ] = False,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="PLACE",
            help="Take them from a topic instead, kafka://HOST:PORT/TOPIC: its last record.",
        ),
    ] = None,
    file_format: FormatOption = AUTO,
    trigger: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION", help="Make a batch this often, such as 10s; default: look for events twice a second."
        ),
    ] = None,
    tick: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Let windows of time slide by this machine's clock, too, this often, such as 10s.",
        ),
    ] = None,
    *,
    log: LogOptions,
    order: LogOrderOption = "auto",
    clocks: Annotated[
        bool,
        typer.Option(
            "--clocks",
            help="Derive the clocks of steps (--format jsonl) or spans (OTLP, also in Kafka) as they come.",
        ),
    ] = False,
    stream: ClockOptions,
    asked: DetectionOptions,
    notify: NotifyOption = None,
    notify_final: NotifyFinalOption = False,
    quarantine_damaged: Annotated[
        bool, typer.Option("--quarantine-damaged", help="Set damaged groups of the checkpoint aside, and go on.")
    ] = False,
    max_files: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Largest number of files in a batch; default: 100, unless --max-bytes is given."
        ),
    ] = None,
    max_bytes: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Instead of --max-files: files of about so many bytes in a batch, at least one."
        ),
    ] = None,
    kafka_config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings of Kafka's client, a properties file.")
    ] = None,
    jars: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder with the jars of Kafka or Delta; default: found in the cache, or fetched."
        ),
    ] = None,
    spark: SessionOptions,
    operating: OperatingOptions,
    as_json: JsonOption = False,
    allow_unanswered: AllowUnanswered = False,
) -> None:
    """Watch a folder, a Kafka topic or a table of events with Spark, and write what changes into another.

    Ctrl-C and SIGTERM stop after the running batch. Exits with 1 if a property under `never` came true, with 3 if
    one could not be answered (too large a lattice, or a group without a cut at any slide), with 2 if what was given
    cannot be used.
    """
    checked = load_spec(spec)
    options = log.options(checked)
    if file_format in STORED:
        check_options(file_format, options, order)
    _check_notify(notify, final=notify_final, every=asked.every)
    _check_rules(watch=watch, rules=rules)
    _check_limits(input_path, max_files, max_bytes)
    tick_s = None if tick is None else read_seconds("--tick", tick)
    trigger_s = None if trigger is None else read_seconds("--trigger", trigger)
    stop_within_s = operating.stop_within_s
    uses_kafka, uses_delta = _needs(input_path, output)
    with (
        ending_on_sigterm(),
        telling(operating, checked, checkpoint) as teller,
        spark_session(spark, kafka=uses_kafka or rules is not None, delta=uses_delta, jars=jars) as session,
    ):
        from latwin.spark import Notifier, Reading, RunOptions
        from latwin.spark import run as run_pipeline
        from latwin.spark.kafka.client import read_config
        from latwin.spark.sources.files import DEFAULT_MAX_FILES
        from latwin.spark.watching import SpecFile, SpecTopic

        settings = read_config(session, str(kafka_config)) if kafka_config is not None else {}
        clocking = _clocking(session, input_path, file_format, stream, options.names) if clocks else None
        reading = Reading(
            format=None if file_format == "auto" or clocks else file_format,
            columns=options.names,
            log_options=options,
            order=order,
            max_files=max_files or DEFAULT_MAX_FILES,
            max_bytes=max_bytes,
            kafka_config=settings,
            clocking=clocking,
        )
        place = SpecFile(spec) if watch else None if rules is None else SpecTopic(session, rules, settings)
        done = run_pipeline(
            session,
            checked,
            input=input_path,
            output=output,
            checkpoint=checkpoint,
            options=RunOptions(
                once=once,
                name=operating.pipeline,
                reading=reading,
                detection=replace(asked.detection(), quarantine_damaged=quarantine_damaged, tick_s=tick_s),
                rules=place,
                stop_within_s=stop_within_s,
                trigger_s=trigger_s,
            ),
            hooks=teller.hooks(notify=None if notify is None else Notifier(notify, final=notify_final)),
        )
        if isinstance(teller.line, JsonLog):
            teller.line.ended(done)
    checked = done.spec or checked
    report(done, output, checked, as_json=as_json)
    if done.interrupted and once:
        raise typer.Exit(INTERRUPTED)
    exit_by(done, checked, allow_unanswered=allow_unanswered)


def _check_rules(*, watch: bool, rules: str | None) -> None:
    """Refuse two places of new rules, and one that is no topic."""
    if rules is None:
        return
    if watch:
        raise InvalidInput("--watch takes new rules from SPEC, and --rules from a topic; give one of them")
    check_installed()
    from latwin.spark.kafka.address import is_kafka, parse_source

    if not is_kafka(rules):
        raise InvalidInput(
            f"--rules must be a topic, kafka://HOST:PORT/TOPIC; got {rules!r}. --watch takes SPEC itself"
        )
    parse_source(rules)


def _check_limits(place: str, max_files: int | None, max_bytes: int | None) -> None:
    """Refuse two limits of a batch, of which Spark takes one, and those that mean nothing for a topic."""
    if max_files is not None and max_bytes is not None:
        raise InvalidInput("--max-files and --max-bytes exclude each other, as Spark limits a batch by one; give one")
    given = "--max-files" if max_files is not None else "--max-bytes" if max_bytes is not None else None
    if given is not None and place.lower().startswith("kafka:"):
        raise InvalidInput(
            f"{given} is for files; limit the records of a batch in the topic's address: "
            "kafka://HOST:PORT/TOPIC?maxOffsetsPerTrigger=N"
        )


def _clocking(
    session: SparkSession, path: str, file_format: str, stream: ClockOptions, names: Mapping[str, str]
) -> Clocking:
    """How clocks are made of the input."""
    from latwin.spark import Clocking
    from latwin.spark.kafka.address import is_kafka
    from latwin.spark.sources.files import guess_steps

    if file_format not in ("auto", "jsonl"):
        raise InvalidInput(
            f"--clocks takes steps (--format jsonl) or spans (no --format); got --format {file_format}"
        )
    kind = file_format
    if file_format == "auto":
        kind = "otlp" if is_kafka(path) else guess_steps(session, path)
    return Clocking(stream.source(kind, names), stream.waits())


def _check_notify(url: str | None, *, final: bool, every: bool) -> None:
    """Refuse what would post nothing, or the same again at every slide."""
    if final and url is None:
        raise InvalidInput("--notify-final needs --notify URL, where final verdicts are posted")
    if final and every:
        raise InvalidInput(
            "--notify-final cannot be combined with --every, which would post a final verdict again at each slide"
        )


def _needs(*places: str) -> tuple[bool, bool]:
    """Whether a place needs Kafka's connector, and whether one needs Delta; a wrong one is told without Spark."""
    check_installed()
    from latwin.spark.kafka.address import is_kafka, parse_sink, parse_source
    from latwin.spark.tables import is_table, parse_table

    for place, parse in zip(places, (parse_source, parse_sink), strict=True):
        if is_kafka(place):
            parse(place)
        elif is_table(place):
            parse_table(place)
    return any(map(is_kafka, places)), any(map(is_table, places))
