"""`latwin check`: the verdicts of a spec on a stream of events."""

from __future__ import annotations

from collections import deque
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast

import typer

from latwin.cli.inputs import Line, load_spec
from latwin.cli.logs import EventInput
from latwin.cli.terminal import BAD_INPUT, UNANSWERED, AllowUnanswered, Patience, print_error
from latwin.errors import InvalidInput, TooManyWaiting
from latwin.model import Counters, Notice, Verdict, Verdicts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from latwin.cli.many_groups import GroupMonitors
    from latwin.cli.report import Report
    from latwin.cli.sightings import Sighting
    from latwin.cli.summary import Tally
    from latwin.cli.whole_check import WholeCheck
    from latwin.events import Envelope
    from latwin.monitor import Monitor
    from latwin.order_choice import Order
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
    whole: Annotated[
        bool, typer.Option("--whole", help="Answer each property once, about the complete log instead of windows.")
    ] = False,
    allow_unanswered: AllowUnanswered = False,
) -> None:
    """Check the properties of SPEC on EVENTS and print what changes.

    Each group (the events' field `group`, or a log's executions) has a monitor of its own. Exits with 1 if a property
    under `never` came true, with 3 if one could not be answered (too large a lattice, or no cut at any slide), with 2
    if SPEC or EVENTS cannot be used.
    """
    if whole and every:
        raise InvalidInput("--every shows slides, and with --whole there are none; leave one of them out")
    checked = load_spec(given.spec_path)
    checks: Check | WholeCheck
    if whole:
        from latwin.cli.whole_check import WholeCheck

        checks = WholeCheck(checked, as_json=as_json)
    else:
        checks = Check(checked, every=every, as_json=as_json, observations=observations)
    with (given.in_any_order() if whole else given).open(checked, as_json=as_json) as source:
        checks.run(source.name, source.lines(), size=source.size, order=source.order)
    if checks.lines and checks.unreadable == checks.lines:
        raise InvalidInput(f"{given.events}: no line of it is an event; is it of another --format?")
    if strict and checks.rejected:
        print_error(f"{checks.rejected:,} event{'s' * (checks.rejected > 1)} rejected, and --strict allows none")
        raise typer.Exit(BAD_INPUT)
    if checks.interrupted:
        raise typer.Exit(_INTERRUPTED)
    if checks.violated:
        raise typer.Exit(_NEVER_CAME_TRUE)
    if checks.unanswered and not allow_unanswered:
        raise typer.Exit(UNANSWERED)


class _Finding(NamedTuple):
    """A verdict or notice, and the place, among the lines that are looked at together, of the line that caused it."""

    place: int
    what: Verdict | Notice
    #: the states of a verdict's witness
    seen: Sighting | None = None


def _is_end(what: Verdict | Notice) -> bool:
    return isinstance(what, Notice) and what.kind == "ended"


class Check:
    """Gives every line to the monitor of its group, and the report all that comes of it."""

    def __init__(self, spec: Spec, *, every: bool, as_json: bool, observations: bool) -> None:
        self._spec = spec
        self._every = every
        self._as_json = as_json
        self._observations = observations
        self._tallies: dict[str, Tally] = {}
        #: of groups that ended
        self._finished: list[tuple[str, Tally]] = []
        self.interrupted = False
        self.lines = self.unreadable = 0

    @property
    def rejected(self) -> int:
        """Events that were refused, and lines that were none."""
        return sum(tally.rejected for _, tally in self._all_tallies())

    @property
    def violated(self) -> bool:
        """Whether something came true that never should."""
        return any(tally.violations for _, tally in self._all_tallies())

    @property
    def unanswered(self) -> bool:
        """Whether nobody knows of something that never should come true."""
        return any(tally.unanswered for _, tally in self._all_tallies())

    def _all_tallies(self) -> list[tuple[str, Tally]]:
        """The accounts of all groups; one that ended and came back has several."""
        return [*self._finished, *self._tallies.items()]

    def report(self, name: str) -> Report:
        """Where it tells what it finds."""
        from latwin.cli.report import JsonReport, TextReport

        return JsonReport() if self._as_json else TextReport(name, self._spec, marks_changes=self._every)

    def run(
        self,
        name: str,
        lines: Iterable[Line],
        *,
        size: int | None,
        order: Order | None = None,
        report: Report | None = None,
    ) -> None:
        """Check the lines; `size` is their bytes, None where they come slowly, 0 where it does not matter."""
        from latwin.cli.doubts import print_warnings
        from latwin.cli.many_groups import GroupMonitors
        from latwin.cli.sightings import Lookout

        lookout = Lookout(self._spec, all_verdicts=not self._as_json)
        monitors = GroupMonitors(self._spec, observations=self._observations, lookout=lookout)
        report = report or self.report(name)
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
        if not self._all_tallies():
            self._tally("")
            monitors.of("")
        warnings = monitors.unseen().warnings(self._spec.expectations)
        for group, tally in self._tallies.items():
            tally.finish(monitors.counters_of(group))
        for _, tally in self._all_tallies():
            tally.order, tally.warnings = order, warnings
        for group, tally in self._in_order():
            report.finish(tally, group)
        if not self._as_json:
            print_warnings(warnings)

    def _in_order(self) -> list[tuple[str, Tally]]:
        """The groups as they came; for people, those with something that never should be first."""
        groups = self._all_tallies()
        return groups if self._as_json else sorted(groups, key=lambda item: not item[1].violations)

    def _take(self, name: str, envelopes: list[Envelope], monitors: GroupMonitors, report: Report) -> None:
        """Give some lines to the monitors of their groups, and report in the order of the lines."""
        places: dict[str, list[int]] = {}
        found: list[_Finding] = []
        for place, envelope in enumerate(envelopes):
            if envelope.problem is None:
                places.setdefault(envelope.group or "", []).append(place)
            else:
                self.unreadable += 1
                found.append(_Finding(place, Notice(kind="rejected", reason=envelope.problem, event=envelope.event)))
        self.lines += len(envelopes)
        failures = []
        for group, own in places.items():
            out, failure = self._observe(monitors.of(group), [envelopes[place].event for place in own])
            seen = monitors.lookout.take()
            found += [_Finding(own[k], notice) for k, notice in zip(out.notice_positions, out.notices, strict=True)]
            found += [
                _Finding(own[k], *told) for k, told in zip(out.positions, zip(out, seen, strict=True), strict=True)
            ]
            if failure is not None:
                failures.append((own[failure.position], failure))
        last, failure = min(failures, key=itemgetter(0), default=(len(envelopes), None))
        remaining = deque(sorted(found, key=itemgetter(0)))
        for place, envelope in enumerate(envelopes[: last + 1]):
            is_counted = False
            while remaining and remaining[0].place == place:
                finding = remaining.popleft()
                if not _is_end(finding.what) and not is_counted:  # the event itself belongs to what begins with it
                    is_counted = self._count(envelope)
                self._report(envelope, finding, report)
            if not is_counted:
                self._count(envelope)
        if failure is not None:
            report.flush()
            raise TooManyWaiting(f"{name}:{envelopes[last].line}: {failure}") from None
        for group, notice in monitors.end_silent(places):
            self._tell_notice(notice, envelopes[-1].line or 0, group, report)

    def _count(self, envelope: Envelope) -> bool:
        self._tally(envelope.group or "").count(readable=envelope.problem is None)
        return True

    def _observe(self, monitor: Monitor, events: list[Any]) -> tuple[Verdicts, TooManyWaiting | None]:
        """What a group's monitor says, and the error if it could not take an event."""
        try:
            return monitor.observe_many(events, every=self._every), None
        except TooManyWaiting as error:
            return cast(Verdicts, error.verdicts), error

    def _report(self, envelope: Envelope, finding: _Finding, report: Report) -> None:
        group, line, what = envelope.group or "", envelope.line or 0, finding.what
        if isinstance(what, Notice):
            self._tell_notice(what, line, group, report)
        else:
            self._tally(group).add(what, line, finding.seen)
            report.verdict(what, group, finding.seen)

    def _tell_notice(self, notice: Notice, line: int, group: str, report: Report) -> None:
        report.notice(notice, line, group)
        if _is_end(notice):
            tally = self._tally(group)
            tally.finish(Counters(**notice.event["counters"]))
            self._finished.append((group, tally))
            del self._tallies[group]

    def _tally(self, group: str) -> Tally:
        """The account of a group, begun if it is new."""
        known = self._tallies.get(group)
        if known is None:
            from latwin.cli.summary import Tally

            known = self._tallies[group] = Tally(self._spec)
        return known
