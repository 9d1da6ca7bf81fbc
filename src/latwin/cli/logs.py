"""What commands that read logs have in common: their options, and the way from a file to events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, get_args

import typer

from latwin.cli.inputs import STDIN, EventSource, Line, SpecArgument
from latwin.cli.opening import ClocksOption, OpenedLog, naming, open_log
from latwin.cli.option_groups import OptionGroup
from latwin.cli.terminal import print_json, print_labelled
from latwin.errors import InvalidInput
from latwin.formats.endings import AUTO, STORED, LogFormat

if TYPE_CHECKING:
    from latwin.events import Envelope
    from latwin.formats import Log, Options, Problem
    from latwin.order_choice import EmptySlides, Order
    from latwin.spec import Spec

MOST_PROBLEMS = 20
_SHOWN = 80

LogFormatOption = Annotated[
    LogFormat,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help=f"What the log is: {', '.join(get_args(LogFormat))}; auto looks at its beginning.",
    ),
]
LogOrderOption = Annotated[
    Literal["auto", "file", "causal"],
    typer.Option(
        "--order",
        help="Order of arrival in a log: file order, causal order, or auto: file order, but causal order if file "
        "order leaves the lattice empty at most slides.",
    ),
]


@dataclass(frozen=True)
class LogOptions(OptionGroup):
    """How a log is read."""

    parser: Annotated[
        str | None,
        typer.Option(
            metavar="REGEX",
            help="For ShiViz: a regular expression with groups host, clock and event; default: as the log shows.",
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

    def given(self) -> list[str]:
        """The options as they are written on the command line, to be shown in another command."""
        named = [("--parser", self.parser), ("--delimiter", self.delimiter)]
        named += [("--name", name) for name in self.names or ()]
        return [word for option, value in named if value is not None for word in (option, value)]

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
        return Options(self.parser, self.delimiter, given, (spec.listed if spec is not None else None) or ())


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
        Literal["auto", "file", "causal", "arrival"],
        typer.Option(
            help="Order of arrival: file order; causal order, for logs written host by host; or, as on Spark, by the "
            "fields `arrival`, else `time`, else by cause. auto: file order, but causal order if file order leaves "
            "the lattice empty at most slides."
        ),
    ] = "auto"


@dataclass(frozen=True)
class EventInput(OptionGroup):
    """A spec, and events for it in any format."""

    spec_path: SpecArgument
    events: Annotated[
        str, typer.Argument(metavar="EVENTS", help="JSON lines, one event each, or a log; - is standard input.")
    ] = STDIN
    file_format: LogFormatOption = AUTO
    clocks: ClocksOption = False
    log: LogOptions = LogOptions()
    arrival: ArrivalOptions = ArrivalOptions()

    def in_any_order(self) -> EventInput:
        """The same, for whoever does not care about the order: none is chosen."""
        return self if self.arrival.order != "auto" else replace(self, arrival=replace(self.arrival, order="file"))

    @contextmanager
    def open(self, spec: Spec, *, as_json: bool = False) -> Iterator[EventSource | LogLines]:
        """The events: those of JSON lines and Parquet one by one, as they come; logs as wholes.

        Asked to be lenient, or for another order than the file's, it reads JSON lines and Parquet as wholes, too. If
        it is to choose the order itself (see `order_choice`), it reads the clocks of a file of JSON lines first.
        """
        from latwin import order_choice

        options, arrival = self.log.options(spec), self.arrival
        with open_log(self.events, self.file_format, options, clocks=self.clocks) as log:
            check_options(log.format, options)
            if log.format in STORED and not arrival.lenient and arrival.order != "causal":
                with naming(self.events):
                    source = _stored(log, options)
                if arrival.order == "arrival":
                    positions = {name: k for k, name in enumerate(spec.listed or ())}
                    order = order_choice.Order("arrival", order_choice.AS_ASKED)
                    yield LogLines(source.name, _by_arrival(source.lines(), positions), order=order)
                else:
                    with _in_given_order(source, self, spec, as_json=as_json) as ordered:
                        yield ordered
                return
            found = events_of(log, options, arrival, spec)
        if found.left_out:
            tell_left_out(self.events, found.left_out, as_json=as_json)
        if arrival.order == "auto":
            yield _chosen(self.events, found.envelopes, spec, as_json=as_json)
        else:
            order = order_choice.Order("causal" if arrival.order == "causal" else "file", order_choice.AS_ASKED)
            yield LogLines(self.events, found.envelopes, order=order)


class LogLines(NamedTuple):
    """The events of a log, as `EventSource` gives those of JSON lines."""

    name: str
    envelopes: Iterable[Envelope]
    size: int = 0
    is_live: bool = False
    #: the order of its events, where one was chosen
    order: Order | None = None

    def lines(self) -> Iterator[Line]:
        """The lines in order."""
        return (Line(envelope, 0) for envelope in self.envelopes)


class LogEvents(NamedTuple):
    """A log's events in their order of arrival, group by group, and how many problems were passed over."""

    envelopes: list[Envelope]
    left_out: int


def read(path: str, file_format: str, options: Options, *, clocks: bool = False) -> Log:
    """All that a log holds; messages name it."""
    with open_log(path, file_format, options, clocks=clocks) as opened:
        return _whole(opened, options)


def _whole(opened: OpenedLog, options: Options) -> Log:
    log = opened.read(options)
    if not log.events and not log.problems:
        raise InvalidInput(f"{opened.path}: no events found as {opened.format}; does the expression fit the lines?")
    return log


def _stored(log: OpenedLog, options: Options) -> EventSource | LogLines:
    """Events as latwin writes them."""
    from latwin.events import EventReader

    reader = EventReader(options.names)
    if log.format == "jsonl":
        return EventSource("stdin" if log.path == STDIN else log.path, log.size, log.stream.open(), reader)
    from io import BytesIO

    from latwin.events.envelope import opened
    from latwin.formats.arrow import read_rows

    def envelopes() -> Iterator[Envelope]:
        with naming(log.path):
            for number, row in enumerate(read_rows(BytesIO(log.stream.read_whole())), start=1):
                envelope = opened(reader.row(row))
                envelope.line = number
                yield envelope

    return LogLines(log.path, envelopes())


@contextmanager
def _in_given_order(
    source: EventSource | LogLines, given: EventInput, spec: Spec, *, as_json: bool
) -> Iterator[EventSource | LogLines]:
    """Events as latwin writes them, in the order of the file, unless it is to choose and another one is better."""
    from latwin import order_choice

    if given.arrival.order == "file":
        yield source._replace(order=order_choice.Order("file", order_choice.AS_ASKED))
        return
    if source.is_live or not order_choice.can_be_empty(spec):
        yield source._replace(order=order_choice.LIVE if source.is_live else order_choice.NEVER_EMPTY)
        return
    there = order_choice.count_empty((line.envelope for line in source.lines()), spec)
    options = given.log.options(spec)
    with open_log(given.events, given.file_format, options, clocks=given.clocks) as log:
        again = _stored(log, options)
        if order_choice.is_right(there):
            yield again._replace(order=order_choice.file_order(there))
        else:
            yield _chosen(again.name, [line.envelope for line in again.lines()], spec, there, as_json=as_json)


def _chosen(
    name: str, envelopes: list[Envelope], spec: Spec, there: EmptySlides | None = None, *, as_json: bool
) -> LogLines:
    """Events in the order that suits them, which is told unless it is the file's."""
    from latwin import order_choice

    chosen, order = order_choice.choose(envelopes, spec, there)
    if order.used != "file" and not as_json:
        print_labelled(f"{name}: ", "bold yellow", f"taken in {order.used} order: {order.why}")
    return LogLines(name, chosen, order=order)


def _by_arrival(lines: Iterable[Line], positions: dict[str, int]) -> list[Envelope]:
    """Events in the order in which a pipeline takes them as one batch; before them what is none."""
    from latwin.events import by_group, in_order

    envelopes = [line.envelope for line in lines]
    problems = [envelope for envelope in envelopes if envelope.problem is not None]
    groups = by_group(envelope for envelope in envelopes if envelope.problem is None)
    return [*problems, *(envelope for some in groups.values() for envelope in in_order(some, positions))]


def check_options(file_format: str | None, options: Options, order: str = "file") -> None:
    """Raise InvalidInput for an option that means nothing for the format."""
    if file_format not in (AUTO, "shiviz", "govector") and (
        options.parser is not None or options.delimiter is not None
    ):
        shown = file_format or "jsonl or parquet"
        raise InvalidInput(
            f"--parser and --delimiter are for logs of ShiViz and GoVector; the format is {shown}: --format shiviz?"
        )
    if order not in ("auto", "file"):
        raise InvalidInput(
            "--order is for logs: JSON lines and Parquet are taken by `arrival`, else `time`, else causally"
        )


def read_events(
    path: str,
    file_format: str,
    options: Options,
    arrival: ArrivalOptions,
    spec: Spec | None = None,
    *,
    clocks: bool = False,
) -> LogEvents:
    """The events of a log with their states; see `events_of`."""
    with open_log(path, file_format, options, clocks=clocks) as opened:
        return events_of(opened, options, arrival, spec)


def events_of(opened: OpenedLog, options: Options, arrival: ArrivalOptions, spec: Spec | None = None) -> LogEvents:
    """A log's events with their states.

    If something is wrong with it, says what and raises InvalidInput; if lenient, says what and goes on without.
    If a spec is given, an event of a process that it does not list is a mistake, too.
    """
    from latwin.events import by_group
    from latwin.events.variables import Variables
    from latwin.formats import to_events, usable

    log, path = _whole(opened, options), opened.path
    if not log.events:
        first = log.problems[0]
        raise InvalidInput(
            f"{path}: nothing in it reads as {opened.format}, from line {first.line} on: {first.reason}; "
            "is it of another --format?"
        )
    events, problems = usable(log, spec.listed if spec is not None else None, lenient=arrival.lenient)
    if log.unmatched:
        print_labelled(f"{path}: ", "bold yellow", say_unmatched(log))
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


def say_unmatched(log: Log) -> str:
    """How many lines belong to no event, and the first of them."""
    count = "1 line belongs" if log.unmatched == 1 else f"{log.unmatched:,} lines belong"
    first = log.first_unmatched
    if first is None:
        return f"{count} to no event"
    text = first.text if len(first.text) <= _SHOWN else first.text[:_SHOWN] + "..."
    where = "line" if log.unmatched == 1 else "the first is line"
    return f"{count} to no event; {where} {first.number}: {text}"


def tell_problems(path: str, problems: Sequence[Problem]) -> None:
    """The first problems on stderr, with file and line."""
    for problem in problems[:MOST_PROBLEMS]:
        where = f"{path}:{problem.line}: " if problem.line else f"{path}: "
        print_labelled(where, "bold red", str(problem).partition(": ")[2])
    if len(problems) > MOST_PROBLEMS:
        print_labelled("", "", f"... and {len(problems) - MOST_PROBLEMS:,} more")


def tell_left_out(path: str, number: int, *, as_json: bool) -> None:
    """How many problems a lenient reading passed over."""
    if as_json:
        print_json({"log": {"path": path, "left_out": number}})
    else:
        print_labelled(f"{path}: ", "bold yellow", f"{number:,} problem{'s' * (number > 1)} passed over")
