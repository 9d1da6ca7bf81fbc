"""`latwin clocks`: vector clocks for logs that have none, from the ids of their messages."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from latwin.cli.opening import naming
from latwin.cli.spark import SessionOptions, spark_session
from latwin.cli.terminal import make_console, print_json, print_labelled
from latwin.errors import InvalidInput
from latwin.formats.endings import AUTO, StepFormat, StepFormatOrAuto

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from latwin.clocks import ClockMaker, ClockTally, StepSource

_PROBLEMS_FOUND = 1
_MOST_PROBLEMS = 20
_MOST_PROCESSES = 20
#: up to so many bytes in one file no Spark is started; of a compressed one, which may be ten times as long
_FEW_BYTES = 64 << 20
_FEW_COMPRESSED_BYTES = 6 << 20


class _Target(NamedTuple):
    """Where events and problems go: files of ours, or folders that Spark writes."""

    events: str
    problems: str


class _Done(NamedTuple):
    tally: ClockTally
    #: the first ones
    problems: list[dict[str, Any]]


def clocks(
    path: Annotated[
        str, typer.Argument(metavar="INPUT", help="A file or folder: steps, or traces of OTLP, Jaeger or Zipkin.")
    ],
    out: Annotated[
        str, typer.Option("--out", metavar="OUT", help="A new folder, which gets events/ and problems/; or a .jsonl.")
    ],
    file_format: Annotated[
        StepFormatOrAuto, typer.Option("--format", help="What INPUT is; told by its first lines unless given.")
    ] = AUTO,
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="OURS=THEIRS",
            help="What the steps call process, order, sent, received, stamp, state, time or group; can be repeated.",
        ),
    ] = None,
    stamp: Annotated[
        Literal["hlc", "dotted", "itc"] | None,
        typer.Option(
            help="The steps have a `stamp`: a hybrid logical clock, a dotted version vector, an interval tree clock."
        ),
    ] = None,
    missing: Annotated[
        Literal["report", "reject", "ignore"],
        typer.Option(help="A message that nobody sent: report it and go on; reject all behind it; or only count it."),
    ] = "report",
    group_by: Annotated[
        str, typer.Option(metavar="WHAT", help="For traces: group by `trace`, `all` or a resource attribute.")
    ] = "trace",
    naming: Annotated[
        Literal["service", "instance"],
        typer.Option("--process", help="For traces: name processes after the service or the instance."),
    ] = "service",
    responses: Annotated[
        Literal["rpc", "nested", "none"],
        typer.Option(help="For traces: which span ends count as responses to their parents."),
    ] = "rpc",
    write: Annotated[Literal["jsonl", "parquet"], typer.Option(help="How the events are written.")] = "jsonl",
    spark: Annotated[
        bool | None, typer.Option("--spark/--no-spark", help="Use Spark; by default unless INPUT is one small file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    *,
    session_options: SessionOptions,
) -> None:
    """Derive canonical vector clocks from who did what in which order, and who sent and received which message.

    The events are what `latwin check` and `latwin replay` read, in an order that respects causality. Exits with 1
    if there were problems (cycles, messages that nobody sent, ties), with 2 if INPUT cannot be used.
    """
    from latwin.clocks import ClockMaker, JsonSteps, StampedSteps, TraceSpans

    given: StepFormat | None = None if file_format == "auto" else file_format
    if not os.path.exists(path) and not _is_uri(path):
        raise InvalidInput(f"the input {path} does not exist")
    given_names = _names(names or ())
    steps: StepSource = JsonSteps(given_names) if stamp is None else StampedSteps(stamp, given_names)
    traces = TraceSpans(group_by, naming, responses)

    def maker_of(kind: StepFormat) -> ClockMaker:
        if kind == "jsonl" or kind == "parquet":
            return ClockMaker(steps, missing)
        return ClockMaker(replace(traces, format=kind), missing)

    needs_spark = write == "parquet" or _is_uri(out) or not _is_one_small_file(path, given)
    with_spark = spark if spark is not None else needs_spark
    target = _target(out, with_spark=with_spark)
    if with_spark:
        with spark_session(session_options) as session:
            if _is_uri(out):
                _check_new_folder(session, out)
            done = _with_spark(session, path, target, given, maker_of, write)
    elif write == "parquet":
        raise InvalidInput("Parquet is written by Spark: leave --no-spark out, or --write parquet")
    else:
        done = _here(path, target, given, maker_of)
    _report(done, target, as_json=as_json)
    if done.tally.problems:
        raise typer.Exit(_PROBLEMS_FOUND)


def _names(given: Iterable[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for pair in given:
        ours, equals, theirs = (part.strip() for part in pair.partition("="))
        if not ours or not equals or not theirs:
            raise InvalidInput(f"--name must be OURS=THEIRS, such as process=service; got {pair!r}")
        names[ours] = theirs
    return names


def _is_one_small_file(path: str, file_format: StepFormat | None) -> bool:
    from latwin.formats.compression import compression_of
    from latwin.formats.endings import PARQUETS

    if path.endswith(PARQUETS) or file_format == "parquet" or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        is_compressed = compression_of(file.read(4)) is not None
    return os.path.getsize(path) <= (_FEW_COMPRESSED_BYTES if is_compressed else _FEW_BYTES)


def _is_uri(path: str) -> bool:
    """Whether it is a place that only Spark can reach, such as hdfs://... ."""
    return "://" in path


def _target(out: str, *, with_spark: bool) -> _Target:
    """The places to write to, none of which may hold anything; of a URI, Spark can tell later."""
    if with_spark and out.endswith(".jsonl"):
        raise InvalidInput(f"--out must be a folder if Spark writes there; got the file {out}")
    if _is_uri(out):
        if not with_spark:
            raise InvalidInput(f"without Spark --out must be a path; got {out}: leave --no-spark out")
        return _Target(f"{out.rstrip('/')}/events", f"{out.rstrip('/')}/problems")
    place = Path(out)
    if place.suffix == ".jsonl":
        target = _Target(out, str(place.with_suffix(".problems.jsonl")))
        for file in target:
            if os.path.exists(file):
                raise InvalidInput(f"--out must be a new file or folder; {file} is there already")
        return target
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise InvalidInput(f"--out must be a new or empty folder, or a new file that ends with .jsonl; {out} is not")
    name = "" if with_spark else "part-00000.jsonl"
    return _Target(str(place / "events" / name), str(place / "problems" / name))


# -- without Spark -----------------------------------------------------------------------------------


def _here(
    path: str, target: _Target, file_format: StepFormat | None, maker_of: Callable[[StepFormat], ClockMaker]
) -> _Done:
    """All in this process."""
    from latwin.clocks import ClockTally
    from latwin.clocks.clocked import event_line, problem_line
    from latwin.clocks.traces import TRACE_FORMATS, documents
    from latwin.formats.compression import PlainStream
    from latwin.formats.recognise import BEGINNING, step_format

    if not os.path.isfile(path):
        raise _not_json(path)
    with open(path, "rb") as file, naming(path):
        stream = PlainStream(file)
        kind = file_format or step_format(stream.beginning(BEGINNING))
        content = stream.read_whole() if kind != "parquet" else b""
    if kind == "parquet":
        raise _not_json(path)
    maker = maker_of(kind)
    texts = documents(content) if kind in TRACE_FORMATS else content.split(b"\n")
    tally = ClockTally()
    found = list(maker.make((record for text in texts for record in maker.source.records(text)), tally))
    problems = [problem for of_group in found for problem in of_group.problems]
    first = [problem.as_dict() for problem in problems[:_MOST_PROBLEMS]]
    _check_not_empty(path, kind, tally, first)
    with _new_file(Path(target.events)) as write:
        for of_group in found:
            for event in of_group.events:
                write(event_line(event))
    if problems:
        with _new_file(Path(target.problems)) as write:
            for problem in problems:
                write(problem_line(problem))
    return _Done(tally, first)


def _not_json(path: str) -> InvalidInput:
    return InvalidInput(f"without Spark the input must be one file of JSON; {path} is not: leave --no-spark out")


@contextmanager
def _new_file(path: Path) -> Iterator[Callable[[bytes], object]]:
    """Something that writes lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        yield lambda line: file.write(line + b"\n")


def _check_not_empty(path: str, kind: StepFormat, tally: ClockTally, problems: list[dict[str, Any]]) -> None:
    if not tally.events and not set(tally.problems) - {"unreadable"}:
        reason = problems[0]["reason"] if problems else "there is nothing in it"
        raise InvalidInput(f"{path}: no steps found as {kind}: {reason}")


# -- with Spark --------------------------------------------------------------------------------------


def _check_new_folder(session: SparkSession, out: str) -> None:
    """What `_target` checks of a path."""
    from latwin.spark.files import Files

    if Files(session).names(out):
        raise InvalidInput(f"--out must be a new or empty folder; {out} is not")


def _with_spark(
    session: SparkSession,
    path: str,
    target: _Target,
    file_format: StepFormat | None,
    maker_of: Callable[[StepFormat], ClockMaker],
    write: Literal["jsonl", "parquet"],
) -> _Done:
    """As one job, written by its tasks."""
    import msgspec

    from latwin.spark.clock_files import derive_steps, read_steps, write_clocks
    from latwin.spark.sinks import kept

    kind, steps = read_steps(session, path, file_format)
    try:
        derived = derive_steps(steps, kind, maker_of(kind))
    except InvalidInput as error:
        raise InvalidInput(f"the input {path}: {error}") from None
    with kept(derived.results):
        tally = derived.tally()
        first = [msgspec.json.decode(row["value"]) for row in derived.problem_lines.take(_MOST_PROBLEMS)]
        _check_not_empty(path, kind, tally, first)
        count = sum(tally.problems.values())
        write_clocks(derived, target.events, target.problems, format=write, problem_count=count)
    return _Done(tally, first)


# -- telling -----------------------------------------------------------------------------------------


def _report(done: _Done, target: _Target, *, as_json: bool) -> None:
    """What was found, and where it is."""
    tally = done.tally
    count = sum(tally.problems.values())
    if as_json:
        shown = {"events_in": target.events, "problems_in": target.problems if count else None}
        print_json({**tally.as_dict(), **shown, "first_problems": done.problems})
        return
    from rich.table import Table

    from latwin.cli.terminal import print_page

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("groups", "processes", "events", "messages", "problems", "rejected"):
        table.add_column(head, justify="right")
    numbers = (tally.groups, len(tally.processes), tally.events, tally.messages, count, tally.rejected)
    table.add_row(*(f"{number:,}" for number in numbers))
    print_page(table)
    console = make_console()
    names = sorted(tally.processes)
    more = f" and {len(names) - _MOST_PROCESSES:,} more" if len(names) > _MOST_PROCESSES else ""
    console.print(f"  processes: {', '.join(names[:_MOST_PROCESSES])}{more}", soft_wrap=True)
    console.print(f"  events:    {target.events}", soft_wrap=True)
    if count:
        kinds = ", ".join(f"{number:,} {kind.replace('_', ' ')}" for kind, number in sorted(tally.problems.items()))
        console.print(f"  problems:  {target.problems} ({kinds})", soft_wrap=True)
    for reason, number in sorted(tally.ignored.items()):
        console.print(f"  ignored:   {number:,} {reason}", soft_wrap=True)
    for problem in done.problems:
        print_labelled(f"{_where(problem)}{problem['kind'].replace('_', ' ')}: ", "bold yellow", problem["reason"])
    if count > len(done.problems):
        print_labelled("", "", f"... and {count - len(done.problems):,} more in {target.problems}")


def _where(problem: dict[str, Any]) -> str:
    group = f"group {problem['group']!r}, " if problem["group"] else ""
    process = f"process {problem['process']!r}, step {problem['order']}, " if problem["process"] is not None else ""
    return (group + process).removesuffix(", ") + ": " * bool(group + process)
