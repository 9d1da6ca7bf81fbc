"""What commands that read logs have in common: their options, and the way from a file to events."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from latwin.cli.terminal import print_json, print_labelled
from latwin.errors import InvalidInput

if TYPE_CHECKING:
    from latwin.formats import Log, Options, Placed, Problem
    from latwin.spec import Spec
    from latwin.variables import Variables

STDIN = "-"
MOST_PROBLEMS = 20
LogFormat = Literal["jsonl", "shiviz", "govector", "tracing", "tla", "poset", "parquet"]

ParserOption = Annotated[
    str | None,
    typer.Option(metavar="REGEX", help="Of ShiViz: named groups host, clock, event; else it is on the first line."),
]
DelimiterOption = Annotated[
    str | None, typer.Option(metavar="REGEX", help="Of ShiViz: what separates executions, each of which is a group.")
]
NamesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--name",
        metavar="OURS=THEIRS",
        help="What the log calls process, clock, event, group, state or time; can be repeated.",
    ),
]
LenientOption = Annotated[
    bool, typer.Option("--lenient", help="Leave out what cannot be right, and count it, instead of giving up.")
]
OrderOption = Annotated[
    Literal["file", "causal"],
    typer.Option(help="How a log's events arrive: as in the file, or by cause, for logs written host after host."),
]


class LogEvents(NamedTuple):
    """A log's events by group, ready for monitors, and how many problems were passed over."""

    groups: dict[str, list[Placed]]
    left_out: int


def make_options(
    parser: str | None, delimiter: str | None, names: Sequence[str] | None, spec: Spec | None = None
) -> Options:
    """The options of a reader, from those of the command line."""
    from latwin.formats import Options
    from latwin.formats.lines import FIELDS

    given = {}
    for name in names or ():
        ours, equals, theirs = name.partition("=")
        if not equals or not theirs or ours not in FIELDS:
            raise InvalidInput(f"--name must be OURS=THEIRS, with one of {', '.join(FIELDS)} first; got {name!r}")
        given[ours] = theirs
    return Options(parser, delimiter, given, spec.processes if spec is not None else ())


def read(path: str, file_format: str, options: Options) -> Log:
    """All that a log holds; messages name it."""
    from latwin.formats import PARQUET, parse_log, read_file

    try:
        if path == STDIN and file_format != PARQUET:
            log = parse_log(sys.stdin.read(), file_format, options)
        else:
            log = read_file(Path(path), file_format, options)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None
    if not log.events and not log.problems:
        raise InvalidInput(f"{path}: no events found as {file_format}; does the expression fit the lines?")
    return log


def read_events(
    path: str,
    file_format: str,
    options: Options,
    *,
    variables: Variables,
    processes: Sequence[str] | None = None,
    lenient: bool,
    order: Literal["file", "causal"],
) -> LogEvents:
    """A log's events with their states.

    If something is wrong with it, says what and raises InvalidInput; if lenient, says what and goes on without.
    `processes` are those that a spec lists: an event of another one is a mistake, too.
    """
    from latwin.formats import by_group, to_events, usable

    log = read(path, file_format, options)
    if not log.events:
        first = log.problems[0]
        raise InvalidInput(
            f"{path}: nothing in it reads as {file_format}, from line {first.line} on: {first.reason}; "
            "is it of another --format?"
        )
    events, problems = usable(log, processes, lenient=lenient)
    tell_problems(path, problems)
    if problems and not lenient:
        some = f"{len(problems):,} problem{'s' * (len(problems) > 1)}"
        raise InvalidInput(f"{path}: {some} in the log; mend it, or go on without them by --lenient")
    return LogEvents(dict(by_group(to_events(events, variables, order=order))), len(problems))


def tell_problems(path: str, problems: Sequence[Problem]) -> None:
    """The first problems on stderr, with file and line."""
    for problem in problems[:MOST_PROBLEMS]:
        print_labelled(f"{path}:{problem.line}: ", "bold red", str(problem).partition(": ")[2])
    if len(problems) > MOST_PROBLEMS:
        print_labelled("", "", f"... and {len(problems) - MOST_PROBLEMS:,} more")


def tell_left_out(path: str, number: int, *, as_json: bool) -> None:
    """How many problems a lenient reading passed over."""
    if as_json:
        print_json({"log": {"path": path, "left_out": number}})
    else:
        print_labelled(f"{path}: ", "bold yellow", f"{number:,} problem{'s' * (number > 1)} passed over")
