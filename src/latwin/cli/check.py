"""`latwin check`: the verdicts of a spec on a stream of events."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latwin.cli.inputs import STDIN, EventSource, load_spec, open_events
from latwin.cli.terminal import BAD_INPUT, Patience, print_error

if TYPE_CHECKING:
    from latwin.cli.report import Report
    from latwin.cli.tally import Tally
    from latwin.monitor import Monitor

_NEVER_CAME_TRUE = 1
_INTERRUPTED = 130


def check(
    spec: Annotated[Path, typer.Argument(metavar="SPEC", help="The specification, a TOML file.")],
    events: Annotated[
        str, typer.Argument(metavar="EVENTS", help="JSON lines, one event each; - is standard input.")
    ] = STDIN,
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

    Exits with 1 if a property under `never` came true, with 2 if SPEC or EVENTS cannot be used.
    """
    from latwin.cli.report import JsonReport, TextReport
    from latwin.cli.tally import Tally

    checked = load_spec(spec)
    with open_events(events) as source:
        from latwin.monitor import Monitor

        monitor = Monitor(checked, observations=observations)
        report = JsonReport() if as_json else TextReport(source, checked, marks_changes=every)
        tally = Tally(checked)
        interrupted = False
        try:
            _feed(monitor, source, report, tally, every=every)
        except KeyboardInterrupt:
            interrupted = True
    tally.finish(monitor.counters)
    report.finish(tally)
    if strict and tally.rejected:
        print_error(f"{tally.rejected:,} event{'s' * (tally.rejected > 1)} rejected, and --strict allows none")
        raise typer.Exit(BAD_INPUT)
    if interrupted:
        raise typer.Exit(_INTERRUPTED)
    if tally.violations:
        raise typer.Exit(_NEVER_CAME_TRUE)


def _feed(monitor: Monitor, source: EventSource, report: Report, tally: Tally, *, every: bool) -> None:
    """Give the monitor every line, and the report all that comes of it."""
    from latwin.errors import TooManyWaiting

    with Patience("checking", source.size, hidden=source.is_live) as patience:
        for line in source.lines():
            tally.count(readable=line.unreadable is None)
            if line.unreadable is not None:
                report.notice(line.unreadable, line.number)
            else:
                try:
                    verdicts = monitor.observe(line.event, every=every)
                except TooManyWaiting as error:
                    report.flush()
                    raise TooManyWaiting(f"{source.name}:{line.number}: {error}") from None
                for notice in verdicts.notices:
                    report.notice(notice, line.number)
                for verdict in verdicts:
                    tally.add(verdict, line.number)
                    report.verdict(verdict)
            if source.is_live:
                report.flush()
            patience.reach(line.position)
