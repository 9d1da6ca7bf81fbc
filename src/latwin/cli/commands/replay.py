"""`latwin replay`: the verdicts on stored events of many groups, by Spark, at once."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Annotated
from uuid import uuid4

import typer

from latwin.cli.inputs import SpecArgument, load_spec
from latwin.cli.logs import LogOptions, LogOrderOption, check_options
from latwin.cli.spark import (
    DetectionOptions,
    FormatOption,
    JsonOption,
    LiveLine,
    SessionOptions,
    exit_by,
    report,
    spark_session,
)
from latwin.cli.terminal import AllowUnanswered, make_console, print_json, print_labelled
from latwin.events.escaping import one_line
from latwin.formats.endings import AUTO, STORED

if TYPE_CHECKING:
    from latwin.spark.pipeline import Outputs
    from latwin.spec import Spec

_MOST_REJECTS = 20
_VALUES = {True: "true", False: "false", None: "too large"}


def replay(
    spec: SpecArgument,
    path: Annotated[str, typer.Argument(metavar="PATH", help="A file or folder of JSON lines, Parquet or logs.")],
    output: Annotated[
        str | None,
        typer.Option(
            "--out", "--output", metavar="PATH", help="Write verdicts/, rejects/ and metrics/ there, as Parquet."
        ),
    ] = None,
    as_json: JsonOption = False,
    file_format: FormatOption = AUTO,
    *,
    log: LogOptions,
    order: LogOrderOption = "auto",
    asked: DetectionOptions,
    spark: SessionOptions,
    allow_unanswered: AllowUnanswered = False,
) -> None:
    """Check the properties of SPEC on the events under PATH, group by group.

    Prints the verdicts, unless they are written to --out. Exits with 1 if a property under `never` came
    true, with 3 if one could not be answered (too large a lattice, or a group without a cut at any slide), with 2 if
    SPEC or PATH cannot be used.
    """
    checked = load_spec(spec)
    options = log.options(checked)
    if file_format in STORED:
        check_options(file_format, options, order)
    began = monotonic()
    with LiveLine() as line, spark_session(spark) as session:
        from latwin.spark import FolderSink, Reading, file_source, source_outputs
        from latwin.spark.loop import RunSummary
        from latwin.spark.sinks import kept, summarize

        reading = Reading(
            format=None if file_format == "auto" else file_format,
            columns=options.names,
            log_options=options,
            order=order,
        )
        outputs = source_outputs(file_source(session, checked, path, reading), checked, asked.detection())
        done = RunSummary()
        with kept(outputs.packed):
            if output is not None:
                # Marked as its own: neither a run nor another replay may write there.
                sink = FolderSink(output, outputs, owner=f"replay {uuid4().hex}", never=checked.never)
                batch = sink(outputs.packed, 0)
            else:
                batch = summarize(outputs.packed, 0, checked.never)
            line.batch(batch)
            if output is None:
                line.__exit__(None, None, None)
                _print_rows(outputs, checked, as_json=as_json)
        done.add(batch)
        done.seconds = monotonic() - began
    report(done, output, checked, as_json=as_json)
    exit_by(done, checked, allow_unanswered=allow_unanswered)


def _print_rows(outputs: Outputs, spec: Spec, *, as_json: bool) -> None:
    """Verdicts on stdout and rejects on stderr; with JSON both on stdout."""
    from latwin.cli.report import show_final
    from latwin.spark.schemas import as_record

    console = make_console()
    state_width = max(map(len, spec.processes)) + 6
    name_width = max(map(len, ["property", *spec.properties]))
    for number, row in enumerate(outputs.verdicts.toLocalIterator()):
        verdict = as_record(row)
        if as_json:
            print_json({"verdict": verdict})
            continue
        if not number:
            console.print(
                f"{'group':<16}  {'slide':>7}  {'state':<{state_width}}  {'property':<{name_width}}  value",
                style="dim",
                soft_wrap=True,
            )
        state = verdict["kind"] if verdict["process"] is None else f"{verdict['process']}#{verdict['index']}"
        line = (
            f"{verdict['group']:<16}  {verdict['slide']:>7}  {state:<{state_width}}  "
            f"{verdict['property']:<{name_width}}  {_VALUES[verdict['value']]}"
            + show_final(verdict["value"], verdict["final"], verdict["because"], verdict["witness"])
        )
        console.print(one_line(line), soft_wrap=True)
    for number, row in enumerate(outputs.rejects.toLocalIterator()):
        reject = as_record(row)
        if as_json:
            print_json({"reject": reject})
        elif number < _MOST_REJECTS:
            where = f"group {reject['group']!r}: " if reject["group"] is not None else ""
            print_labelled(f"{where}{reject['kind']}: ", "bold red", one_line(reject["reason"]))
        elif number == _MOST_REJECTS:
            print_labelled("", "", "further rejects are only counted; --json shows all")
