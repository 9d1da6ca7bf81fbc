"""Steps and spans as a log: their clocks are derived, as `latwin clocks` does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from latwin.cli.terminal import print_labelled
from latwin.errors import InvalidInput

if TYPE_CHECKING:
    from latwin.clocks import ClockMaker
    from latwin.clocks.traces import TraceFormat
    from latwin.formats import Log, Options

_MOST_PROBLEMS = 20


def read_unclocked(path: str, kind: str, content: bytes, options: Options) -> Log:
    """The events of steps or spans, each trace a group, in an order that respects causality.

    Steps and spans that must be left out are problems of the log, unless they merely came twice. What else was wrong
    is told on stderr.
    """
    from latwin.clocks import ClockTally
    from latwin.clocks.traces import documents
    from latwin.formats import Log, LogEvent, Problem

    maker = _clock_maker(kind, options.names)
    texts = content.split(b"\n") if kind == "steps" else documents(content)
    records = (record for text in texts for record in maker.source.records(text))
    log = Log([], [])
    notes: list[dict[str, Any]] = []
    for clocks in maker.make(records, ClockTally()):
        for event in clocks.events:
            step, place = event.step, len(log.events) + 1
            log.events.append(
                LogEvent(step.process, event.clock, "", {}, place, step.group, step.time, dict(step.state))
            )
        for problem in clocks.problems:
            if problem.is_rejected and problem.kind != "duplicate":
                log.problems.append(Problem(0, "", 0, problem.reason, clocks.group or ""))
            else:
                notes.append(problem.as_dict())
    if not log.events and log.problems:
        raise InvalidInput(f"no steps found as {kind}: {log.problems[0].reason}")
    for note in notes[:_MOST_PROBLEMS]:
        group = f"group {note['group']!r}: " if note["group"] else ""
        print_labelled(f"{path}: {group}", "bold yellow", note["reason"])
    if len(notes) > _MOST_PROBLEMS:
        print_labelled("", "", f"... and {len(notes) - _MOST_PROBLEMS:,} more; `latwin clocks` lists all")
    return log


def _clock_maker(kind: str, names: Mapping[str, str]) -> ClockMaker:
    """What derives the clocks of a format, with the defaults of `latwin clocks`."""
    from latwin.clocks import ClockMaker, JsonSteps, TraceSpans
    from latwin.clocks.steps import FIELDS

    if kind == "steps":
        return ClockMaker(JsonSteps({ours: theirs for ours, theirs in names.items() if ours in FIELDS}))
    return ClockMaker(TraceSpans(format=cast("TraceFormat", kind)))
