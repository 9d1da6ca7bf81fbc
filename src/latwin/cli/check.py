"""`latwin check`: the verdicts of a spec on a stream of events."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latwin.cli.inputs import STDIN, Line, load_spec, open_events
from latwin.cli.logs import (
    DelimiterOption,
    LenientOption,
    LogFormat,
    NamesOption,
    OrderOption,
    ParserOption,
    make_options,
    read_events,
)
from latwin.cli.terminal import BAD_INPUT, Patience, print_error

if TYPE_CHECKING:
    from collections.abc import Iterable

    from latwin.cli.report import Report
    from latwin.cli.tally import Tally
    from latwin.monitor import Monitor
    from latwin.spec import Spec

_NEVER_CAME_TRUE = 1
_INTERRUPTED = 130


def check(
    spec: Annotated[Path, typer.Argument(metavar="SPEC", help="The specification, a TOML file.")],
    events: Annotated[
        str, typer.Argument(metavar="EVENTS", help="JSON lines, one event each, or a log; - is standard input.")
    ] = STDIN,
    file_format: Annotated[
        LogFormat, typer.Option("--format", help="What EVENTS is: JSON lines, or a log of another kind.")
    ] = "jsonl",
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

    A log's executions (--delimiter, or a field for the group) are checked one after another. Exits with 1 if a
    property under `never` came true, with 2 if SPEC or EVENTS cannot be used.
    """
    checked = load_spec(spec)
    options = make_options(parser, delimiter, names, checked)
    checks = _Check(checked, every=every, as_json=as_json, observations=observations)
    if file_format == "jsonl" and not names and checked.variables is None and order == "file":
        with open_events(events) as source:
            checks.run(source.name, source.lines(), size=source.size)
    else:
        from latwin.variables import Variables

        log = read_events(
            events,
            file_format,
            options,
            variables=Variables(checked.variables),
            processes=checked.processes,
            lenient=lenient,
            order=order,
        )
        for group, placed in log.groups.items():
            lines = (Line(one.line, one.event, None, 0) for one in placed)
            checks.run(events, lines, size=0, group=group if len(log.groups) > 1 else None)
    if strict and checks.rejected:
        print_error(f"{checks.rejected:,} event{'s' * (checks.rejected > 1)} rejected, and --strict allows none")
        raise typer.Exit(BAD_INPUT)
    if checks.interrupted:
        raise typer.Exit(_INTERRUPTED)
    if checks.violated:
        raise typer.Exit(_NEVER_CAME_TRUE)


class _Check:
    """Checks one group after another, and sums up what the exit code depends on."""

    def __init__(self, spec: Spec, *, every: bool, as_json: bool, observations: bool) -> None:
        self._spec = spec
        self._every = every
        self._as_json = as_json
        self._observations = observations
        self.rejected = 0
        self.violated = False
        self.interrupted = False

    def run(self, name: str, lines: Iterable[Line], *, size: int | None, group: str | None = None) -> None:
        """A new monitor on the lines of one group; `size` is None where they come slowly."""
        from latwin.cli.report import JsonReport, TextReport
        from latwin.cli.tally import Tally
        from latwin.monitor import Monitor

        if self.interrupted:
            return
        monitor = Monitor(self._spec, observations=self._observations)
        report = (
            JsonReport(group) if self._as_json else TextReport(name, self._spec, group, marks_changes=self._every)
        )
        tally = Tally(self._spec)
        try:
            _feed(monitor, name, lines, size, report, tally, every=self._every)
        except KeyboardInterrupt:
            self.interrupted = True
        tally.finish(monitor.counters)
        report.finish(tally)
        self.rejected += tally.rejected
        self.violated = self.violated or bool(tally.violations)


def _feed(
    monitor: Monitor, name: str, lines: Iterable[Line], size: int | None, report: Report, tally: Tally, *, every: bool
) -> None:
    """Give the monitor every line, and the report all that comes of it."""
    from latwin.errors import TooManyWaiting

    is_live = size is None
    with Patience("checking", size, hidden=not size) as patience:
        for line in lines:
            tally.count(readable=line.unreadable is None)
            if line.unreadable is not None:
                report.notice(line.unreadable, line.number)
            else:
                try:
                    verdicts = monitor.observe(line.event, every=every)
                except TooManyWaiting as error:
                    report.flush()
                    raise TooManyWaiting(f"{name}:{line.number}: {error}") from None
                for notice in verdicts.notices:
                    report.notice(notice, line.number)
                for verdict in verdicts:
                    tally.add(verdict, line.number)
                    report.verdict(verdict)
            if is_live:
                report.flush()
            patience.reach(line.position)
