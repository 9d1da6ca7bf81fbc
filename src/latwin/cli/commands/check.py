"""`latwin check`: the verdicts of a spec on a stream of events."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from latwin.cli.inputs import STDIN, Line, group_of, load_spec
from latwin.cli.logs import (
    DelimiterOption,
    EventsFormatOption,
    LenientOption,
    NamesOption,
    OrderOption,
    ParserOption,
    make_options,
    open_any,
)
from latwin.cli.terminal import BAD_INPUT, Patience, print_error
from latwin.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable

    from latwin.cli.report import Report
    from latwin.cli.summary import Tally
    from latwin.monitor import Monitor
    from latwin.spec import Spec

_NEVER_CAME_TRUE = 1
_INTERRUPTED = 130


def check(
    spec: Annotated[Path, typer.Argument(metavar="SPEC", help="The specification, a TOML file.")],
    events: Annotated[
        str, typer.Argument(metavar="EVENTS", help="JSON lines, one event each, or a log; - is standard input.")
    ] = STDIN,
    file_format: EventsFormatOption = "jsonl",
    parser: ParserOption = None,
    delimiter: DelimiterOption = None,
    names: NamesOption = None,
    lenient: LenientOption = False,
    order: OrderOption = "file",
    every: Annotated[
        bool, typer.Option("--every", help="Show every property at every slide, not only changes.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
    observations: Annotated[
        bool,
        typer.Option("--observations", help="When a `definitely` is false, show an observation that avoids it."),
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 2 if any event is rejected.")] = False,
) -> None:
    """Check the properties of SPEC on EVENTS and print what changes.

    Each group (the events' field `group`, or a log's executions) has a monitor of its own. Exits with 1 if a property
    under `never` came true, with 2 if SPEC or EVENTS cannot be used.
    """
    checked = load_spec(spec)
    options = make_options(parser, delimiter, names, checked)
    checks = _Check(checked, every=every, as_json=as_json, observations=observations)
    with open_any(events, checked, file_format, options, lenient=lenient, order=order, as_json=as_json) as source:
        checks.run(source.name, source.lines(), size=source.size)
    if checks.lines and checks.unreadable == checks.lines:
        raise InvalidInput(f"{events}: nothing in it reads as {file_format}; is it of another --format?")
    if strict and checks.rejected:
        print_error(f"{checks.rejected:,} event{'s' * (checks.rejected > 1)} rejected, and --strict allows none")
        raise typer.Exit(BAD_INPUT)
    if checks.interrupted:
        raise typer.Exit(_INTERRUPTED)
    if checks.violated:
        raise typer.Exit(_NEVER_CAME_TRUE)


class _Group(NamedTuple):
    """One monitored system."""

    monitor: Monitor
    tally: Tally


class _Check:
    """Gives every line to the monitor of its group, and the report all that comes of it."""

    def __init__(self, spec: Spec, *, every: bool, as_json: bool, observations: bool) -> None:
        self._spec = spec
        self._every = every
        self._as_json = as_json
        self._observations = observations
        self._groups: dict[str, _Group] = {}
        self.interrupted = False
        self.lines = self.unreadable = 0

    @property
    def rejected(self) -> int:
        """Events that were refused, and lines that were none."""
        return sum(group.tally.rejected for group in self._groups.values())

    @property
    def violated(self) -> bool:
        """Whether something came true that never should."""
        return any(group.tally.violations for group in self._groups.values())

    def run(self, name: str, lines: Iterable[Line], *, size: int | None) -> None:
        """Check the lines; `size` is their bytes, None where they come slowly, 0 where it does not matter."""
        from latwin.cli.report import JsonReport, TextReport

        report: Report = JsonReport() if self._as_json else TextReport(name, self._spec, marks_changes=self._every)
        try:
            with Patience("checking", size, hidden=not size) as patience:
                for line in lines:
                    self._take(name, line, report)
                    if size is None:
                        report.flush()
                    patience.reach(line.position)
        except KeyboardInterrupt:
            self.interrupted = True
        if not self._groups:
            self._group("")
        for group, (monitor, tally) in self._groups.items():
            tally.finish(monitor.counters)
            report.finish(tally, group)

    def _take(self, name: str, line: Line, report: Report) -> None:
        from latwin.errors import TooManyWaiting

        group_name = group_of(line.event)
        group = self._group(group_name)
        group.tally.count(readable=line.unreadable is None)
        self.lines += 1
        self.unreadable += line.unreadable is not None
        if line.unreadable is not None:
            report.notice(line.unreadable, line.number, group_name)
            return
        try:
            verdicts = group.monitor.observe(line.event, every=self._every)
        except TooManyWaiting as error:
            report.flush()
            raise TooManyWaiting(f"{name}:{line.number}: {error}") from None
        for notice in verdicts.notices:
            report.notice(notice, line.number, group_name)
        for verdict in verdicts:
            group.tally.add(verdict, line.number)
            report.verdict(verdict, group_name)

    def _group(self, name: str) -> _Group:
        """The group of that name, begun if it is new."""
        from latwin.cli.summary import Tally
        from latwin.monitor import Monitor

        known = self._groups.get(name)
        if known is None:
            known = _Group(Monitor(self._spec, observations=self._observations), Tally(self._spec))
            self._groups[name] = known
        return known
