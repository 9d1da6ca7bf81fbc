"""`latwin check`: the verdicts of a spec on a stream of events."""

from __future__ import annotations

from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast

import typer

from latwin.cli.inputs import Line, load_spec
from latwin.cli.logs import EventInput
from latwin.cli.terminal import BAD_INPUT, Patience, print_error
from latwin.errors import InvalidInput, TooManyWaiting
from latwin.model import Notice, Verdict, Verdicts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from latwin.cli.many_groups import GroupMonitors
    from latwin.cli.report import Report
    from latwin.cli.summary import Tally
    from latwin.events import Envelope
    from latwin.monitor import Monitor
    from latwin.spec import Spec

#: so many lines are looked at together, unless they come slowly
_TOGETHER = 1024
_NEVER_CAME_TRUE = 1
_INTERRUPTED = 130


def check(
    given: EventInput,
    every: Annotated[
        bool, typer.Option("--every", help="Show every property at every slide, not only changes.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
    observations: Annotated[
        bool,
        typer.Option(
            "--observations", help="For a false `definitely`, show an observation that avoids the condition."
        ),
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 2 if any event is rejected.")] = False,
) -> None:
    """Check the properties of SPEC on EVENTS and print what changes.

    Each group (the events' field `group`, or a log's executions) has a monitor of its own. Exits with 1 if a property
    under `never` came true, with 2 if SPEC or EVENTS cannot be used.
    """
    checked = load_spec(given.spec_path)
    checks = _Check(checked, every=every, as_json=as_json, observations=observations)
    with given.open(checked, as_json=as_json) as source:
        checks.run(source.name, source.lines(), size=source.size)
    if checks.lines and checks.unreadable == checks.lines:
        raise InvalidInput(f"{given.events}: nothing in it reads as {given.file_format}; is it of another --format?")
    if strict and checks.rejected:
        print_error(f"{checks.rejected:,} event{'s' * (checks.rejected > 1)} rejected, and --strict allows none")
        raise typer.Exit(BAD_INPUT)
    if checks.interrupted:
        raise typer.Exit(_INTERRUPTED)
    if checks.violated:
        raise typer.Exit(_NEVER_CAME_TRUE)


class _Finding(NamedTuple):
    """A verdict or notice, and the place, among the lines that are looked at together, of the line that caused it."""

    place: int
    what: Verdict | Notice


class _Check:
    """Gives every line to the monitor of its group, and the report all that comes of it."""

    def __init__(self, spec: Spec, *, every: bool, as_json: bool, observations: bool) -> None:
        self._spec = spec
        self._every = every
        self._as_json = as_json
        self._observations = observations
        self._tallies: dict[str, Tally] = {}
        self.interrupted = False
        self.lines = self.unreadable = 0

    @property
    def rejected(self) -> int:
        """Events that were refused, and lines that were none."""
        return sum(tally.rejected for tally in self._tallies.values())

    @property
    def violated(self) -> bool:
        """Whether something came true that never should."""
        return any(tally.violations for tally in self._tallies.values())

    def run(self, name: str, lines: Iterable[Line], *, size: int | None) -> None:
        """Check the lines; `size` is their bytes, None where they come slowly, 0 where it does not matter."""
        from latwin.cli.many_groups import GroupMonitors
        from latwin.cli.report import JsonReport, TextReport

        monitors = GroupMonitors(self._spec, observations=self._observations)
        report: Report = JsonReport() if self._as_json else TextReport(name, self._spec, marks_changes=self._every)
        try:
            with Patience("checking", size, hidden=not size) as patience:
                remaining = iter(lines)
                while some := list(islice(remaining, _TOGETHER if size is not None else 1)):
                    self._take(name, [line.envelope for line in some], monitors, report)
                    if size is None:
                        report.flush()
                    patience.reach(some[-1].position)
        except KeyboardInterrupt:
            self.interrupted = True
        if not self._tallies:
            self._tally("")
        for group, tally in self._tallies.items():
            tally.finish(monitors.counters_of(group))
            report.finish(tally, group)

    def _take(self, name: str, envelopes: list[Envelope], monitors: GroupMonitors, report: Report) -> None:
        """Give some lines to the monitors of their groups, and report in the order of the lines."""
        places: dict[str, list[int]] = {}
        found: list[_Finding] = []
        for place, envelope in enumerate(envelopes):
            group = envelope.group or ""
            self._tally(group).count(readable=envelope.problem is None)
            if envelope.problem is None:
                places.setdefault(group, []).append(place)
            else:
                self.unreadable += 1
                found.append(_Finding(place, Notice(kind="rejected", reason=envelope.problem, event=envelope.event)))
        self.lines += len(envelopes)
        failures = []
        for group, own in places.items():
            out, failure = self._observe(monitors.of(group), [envelopes[place].event for place in own])
            found += [_Finding(own[k], notice) for k, notice in zip(out.notice_positions, out.notices, strict=True)]
            found += [_Finding(own[k], verdict) for k, verdict in zip(out.positions, out, strict=True)]
            if failure is not None:
                failures.append((own[failure.position], failure))
        last, failure = min(failures, key=itemgetter(0), default=(len(envelopes), None))
        for place, what in sorted(found, key=itemgetter(0)):
            if place <= last:
                self._report(envelopes[place], what, report)
        if failure is not None:
            report.flush()
            raise TooManyWaiting(f"{name}:{envelopes[last].line}: {failure}") from None

    def _observe(self, monitor: Monitor, events: list[Any]) -> tuple[Verdicts, TooManyWaiting | None]:
        """What a group's monitor says, and the error if it could not take an event."""
        try:
            return monitor.observe_many(events, every=self._every), None
        except TooManyWaiting as error:
            return cast(Verdicts, error.verdicts), error

    def _report(self, envelope: Envelope, what: Verdict | Notice, report: Report) -> None:
        group, line = envelope.group or "", envelope.line or 0
        if isinstance(what, Notice):
            report.notice(what, line, group)
        else:
            self._tally(group).add(what, line)
            report.verdict(what, group)

    def _tally(self, group: str) -> Tally:
        """The account of a group, begun if it is new."""
        from latwin.cli.summary import Tally

        known = self._tallies.get(group)
        if known is None:
            known = self._tallies[group] = Tally(self._spec)
        return known
