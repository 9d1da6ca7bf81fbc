"""What commands that read logs have in common: their options, and the way from a file to events."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from latwin.cli.inputs import STDIN, EventSource, Line, open_events
from latwin.cli.terminal import print_json, print_labelled
from latwin.errors import InvalidInput
from latwin.formats.states import Placed

if TYPE_CHECKING:
    from latwin.events.variables import Variables
    from latwin.formats import Log, Options, Problem
    from latwin.spec import Spec

MOST_PROBLEMS = 20
#: formats of events as latwin writes them; the others are logs
_STORED = ("jsonl", "parquet")
LogFormat = Literal["jsonl", "shiviz", "govector", "tracing", "tla", "poset", "parquet"]

EventsFormatOption = Annotated[
    LogFormat, typer.Option("--format", help="What EVENTS is: JSON lines, or a log of another kind.")
]

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


class LogLines(NamedTuple):
    """The events of a log, as `EventSource` gives those of JSON lines."""

    name: str
    placed: Sequence[Placed]
    size: int = 0
    is_live: bool = False

    def lines(self) -> Iterator[Line]:
        """The lines in order."""
        return (Line(one.line, one.event, None, 0) for one in self.placed)


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


@contextmanager
def open_any(
    path: str,
    spec: Spec,
    file_format: str,
    options: Options,
    *,
    lenient: bool,
    order: Literal["file", "causal"],
    as_json: bool = False,
) -> Iterator[EventSource | LogLines]:
    """Events of any format for a spec: those of JSON lines and Parquet one by one, as they come; logs as wholes.

    Asked to be lenient, or for a causal order, it reads JSON lines and Parquet as wholes, too.
    """
    check_options(file_format, options)
    is_whole = file_format not in _STORED or lenient or order != "file"
    if not is_whole and file_format == "jsonl":
        with open_events(path) as source:
            yield source._replace(names={theirs: ours for ours, theirs in options.names.items()})
        return
    if not is_whole:
        from latwin.formats.parquet import read_events as read_stored

        rows = read_stored(Path(path), options.names)
        yield LogLines(path, [Placed(line, row) for line, row in enumerate(rows, start=1)])
        return
    from latwin.events.variables import Variables

    log = read_events(
        path,
        file_format,
        options,
        variables=Variables(spec.variables),
        processes=spec.processes,
        lenient=lenient,
        order=order,
    )
    if log.left_out:
        tell_left_out(path, log.left_out, as_json=as_json)
    yield LogLines(path, [one for placed in log.groups.values() for one in placed])


def check_options(file_format: str | None, options: Options, order: str = "file") -> None:
    """Raise InvalidInput for an option that means nothing for the format."""
    if file_format not in ("shiviz", "govector") and (options.parser is not None or options.delimiter is not None):
        shown = file_format or "jsonl or parquet"
        raise InvalidInput(
            f"--parser and --delimiter are for logs of ShiViz and GoVector; the format is {shown}: --format shiviz?"
        )
    if order != "file":
        raise InvalidInput(
            "--order is for logs: JSON lines and Parquet are taken by `arrival`, else `time`, else causally"
        )


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
    if log.unmatched:
        some = f"{log.unmatched:,} line{'s' * (log.unmatched > 1)}"
        print_labelled(f"{path}: ", "bold yellow", f"{some} belong to no event")
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
