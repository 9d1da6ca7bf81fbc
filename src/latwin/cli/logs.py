"""What commands that read logs have in common: their options, and the way from a file to events."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from latwin.cli.inputs import STDIN, EventSource, Line, SpecArgument, open_events
from latwin.cli.option_groups import OptionGroup
from latwin.cli.terminal import print_json, print_labelled
from latwin.errors import InvalidInput
from latwin.formats.endings import STORED, Format

if TYPE_CHECKING:
    from latwin.events import Envelope
    from latwin.formats import Log, Options, Problem
    from latwin.spec import Spec

MOST_PROBLEMS = 20

LogOrderOption = Annotated[
    Literal["file", "causal"],
    typer.Option("--order", help="Order of arrival: file order, or causal order for logs written host by host."),
]


@dataclass(frozen=True)
class LogOptions(OptionGroup):
    """How a log is read."""

    parser: Annotated[
        str | None,
        typer.Option(
            metavar="REGEX",
            help="For ShiViz: a regular expression with groups host, clock and event; default: the log's first line.",
        ),
    ] = None
    delimiter: Annotated[
        str | None,
        typer.Option(
            metavar="REGEX", help="For ShiViz: a regular expression that separates executions; each becomes a group."
        ),
    ] = None
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="OURS=THEIRS",
            help="What the log calls process, clock, event, group, state or time; can be repeated.",
        ),
    ] = None

    def options(self, spec: Spec | None = None) -> Options:
        """The options of a reader."""
        from latwin.formats import Options
        from latwin.formats.lines import FIELDS

        given = {}
        for name in self.names or ():
            ours, equals, theirs = name.partition("=")
            if not equals or not theirs or ours not in FIELDS:
                raise InvalidInput(f"--name must be OURS=THEIRS, with one of {', '.join(FIELDS)} first; got {name!r}")
            given[ours] = theirs
        return Options(self.parser, self.delimiter, given, spec.processes if spec is not None else ())


@dataclass(frozen=True)
class ArrivalOptions(OptionGroup):
    """Which of a file's events are taken, and in which order."""

    lenient: Annotated[
        bool,
        typer.Option(
            "--lenient", help="Leave out events with impossible clocks and count them, instead of stopping."
        ),
    ] = False
    order: Annotated[
        Literal["file", "causal", "arrival"],
        typer.Option(
            help="Order of arrival: file order; causal order, for logs written host by host; or, as on Spark, by the "
            "fields `arrival`, else `time`, else by cause."
        ),
    ] = "file"


@dataclass(frozen=True)
class EventInput(OptionGroup):
    """A spec, and events for it in any format."""

    spec_path: SpecArgument
    events: Annotated[
        str, typer.Argument(metavar="EVENTS", help="JSON lines, one event each, or a log; - is standard input.")
    ] = STDIN
    file_format: Annotated[
        Format, typer.Option("--format", help="What EVENTS is: JSON lines, or a log of another kind.")
    ] = "jsonl"
    log: LogOptions = LogOptions()
    arrival: ArrivalOptions = ArrivalOptions()

    @contextmanager
    def open(self, spec: Spec, *, as_json: bool = False) -> Iterator[EventSource | LogLines]:
        """The events: those of JSON lines and Parquet one by one, as they come; logs as wholes.

        Asked to be lenient, or for another order than the file's, it reads JSON lines and Parquet as wholes, too.
        """
        options, arrival, kind = self.log.options(spec), self.arrival, self.file_format
        check_options(kind, options)
        if kind in STORED and not arrival.lenient and arrival.order != "causal":
            with _open_stored(self.events, kind, options) as source:
                if arrival.order == "file":
                    yield source
                else:
                    positions = {name: k for k, name in enumerate(spec.processes)}
                    yield LogLines(source.name, _by_arrival(source.lines(), positions))
            return
        found = read_events(self.events, kind, options, arrival, spec)
        if found.left_out:
            tell_left_out(self.events, found.left_out, as_json=as_json)
        yield LogLines(self.events, found.envelopes)


class LogLines(NamedTuple):
    """The events of a log, as `EventSource` gives those of JSON lines."""

    name: str
    envelopes: Iterable[Envelope]
    size: int = 0
    is_live: bool = False

    def lines(self) -> Iterator[Line]:
        """The lines in order."""
        return (Line(envelope, 0) for envelope in self.envelopes)


class LogEvents(NamedTuple):
    """A log's events in their order of arrival, group by group, and how many problems were passed over."""

    envelopes: list[Envelope]
    left_out: int


def read(path: str, file_format: str, options: Options) -> Log:
    """All that a log holds; messages name it."""
    from latwin.formats import PARQUET, parse_bytes, read_file

    try:
        if path == STDIN and file_format != PARQUET:
            log = parse_bytes(sys.stdin.buffer.read(), file_format, options)
        else:
            log = read_file(Path(path), file_format, options)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None
    if not log.events and not log.problems:
        raise InvalidInput(f"{path}: no events found as {file_format}; does the expression fit the lines?")
    return log


@contextmanager
def _open_stored(path: str, file_format: str, options: Options) -> Iterator[EventSource | LogLines]:
    """Events as latwin writes them."""
    from latwin.events import EventReader

    reader = EventReader(options.names)
    if file_format == "jsonl":
        with open_events(path, reader) as source:
            yield source
        return
    from latwin.events.envelope import opened
    from latwin.formats.parquet import read_rows

    def envelopes() -> Iterator[Envelope]:
        for number, row in enumerate(read_rows(Path(path)), start=1):
            envelope = opened(reader.row(row))
            envelope.line = number
            yield envelope

    yield LogLines(path, envelopes())


def _by_arrival(lines: Iterable[Line], positions: dict[str, int]) -> list[Envelope]:
    """Events in the order in which a pipeline takes them as one batch; before them what is none."""
    from latwin.events import by_group, in_order

    envelopes = [line.envelope for line in lines]
    problems = [envelope for envelope in envelopes if envelope.problem is not None]
    groups = by_group(envelope for envelope in envelopes if envelope.problem is None)
    return [*problems, *(envelope for some in groups.values() for envelope in in_order(some, positions))]


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
    path: str, file_format: str, options: Options, arrival: ArrivalOptions, spec: Spec | None = None
) -> LogEvents:
    """A log's events with their states.

    If something is wrong with it, says what and raises InvalidInput; if lenient, says what and goes on without.
    If a spec is given, an event of a process that it does not list is a mistake, too.
    """
    from latwin.events import by_group
    from latwin.events.variables import Variables
    from latwin.formats import to_events, usable

    log = read(path, file_format, options)
    if not log.events:
        first = log.problems[0]
        raise InvalidInput(
            f"{path}: nothing in it reads as {file_format}, from line {first.line} on: {first.reason}; "
            "is it of another --format?"
        )
    events, problems = usable(log, spec.processes if spec is not None else None, lenient=arrival.lenient)
    if log.unmatched:
        some = f"{log.unmatched:,} line{'s' * (log.unmatched > 1)}"
        print_labelled(f"{path}: ", "bold yellow", f"{some} belong to no event")
    tell_problems(path, problems)
    if problems and not arrival.lenient:
        some = f"{len(problems):,} problem{'s' * (len(problems) > 1)}"
        raise InvalidInput(f"{path}: {some} in the log; mend it, or go on without them by --lenient")
    order: Literal["file", "causal"] = "causal" if arrival.order == "causal" else "file"
    variables = Variables(spec.variables if spec is not None else None)
    found = to_events(events, variables, order=order)
    untold = [envelope for envelope in found if envelope.problem is not None]
    for envelope in untold:
        print_labelled(f"{path}:{envelope.line}: ", "bold red", envelope.problem or "")
    if untold and not arrival.lenient:
        raise InvalidInput(f"{path}: an expression of the spec cannot be used on it; mend it, or go on by --lenient")
    groups = by_group(envelope for envelope in found if envelope.problem is None)
    return LogEvents([envelope for some in groups.values() for envelope in some], len(problems) + len(untold))


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
