"""What is wrong with a log's clocks, each problem with its line, process and index; and how to go on without it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from latwin.formats.log import Kind, Log, LogEvent, Problem

#: Problems that numbering the events anew mends; for any other kind the event itself is left out.
_MENDED: frozenset[Kind] = frozenset({"gap", "unknown", "beyond"})


def validate(events: Sequence[LogEvent]) -> list[Problem]:
    """All problems in the order of the file; an empty list for a log that is right."""
    groups: dict[str, list[LogEvent]] = {}
    for event in events:
        groups.setdefault(event.group, []).append(event)
    found = [problem for some in groups.values() for problem in _problems(some)]
    return sorted(found, key=lambda problem: problem.line)


def mend(events: Sequence[LogEvent]) -> tuple[list[LogEvent], list[Problem]]:
    """The events that can be used, and what was wrong.

    Events whose clocks cannot be right are left out. Those that remain are numbered anew within their process, and
    clocks count them alone, so that what happened before what among them stays as it was; that closes gaps, and
    drops entries of processes that have no events.
    """
    left, found = list(events), []
    while problems := validate(left):
        found += problems
        wrong = {(problem.group, problem.line) for problem in problems if problem.kind not in _MENDED}
        left = _renumber([event for event in left if (event.group, event.line) not in wrong])
    return left, sorted(found, key=lambda problem: problem.line)


def _renumber(events: Sequence[LogEvent]) -> list[LogEvent]:
    indices: dict[tuple[str, str], list[int]] = {}
    for event in events:
        indices.setdefault((event.group, event.process), []).append(event.clock[event.process])
    for known in indices.values():
        known.sort()
    return [
        event._replace(
            clock={
                name: rank
                for name, entry in event.clock.items()
                if (rank := bisect_right(indices.get((event.group, name), []), entry))
            }
        )
        for event in events
    ]


def _problems(events: Sequence[LogEvent]) -> Iterator[Problem]:
    hosts = {event.process for event in events}
    states: dict[tuple[str, int], LogEvent] = {}
    for event in events:
        index = event.clock.get(event.process, 0)
        found = _of_one(event, index, hosts, states)
        if found is not None:
            yield Problem(event.line, event.process, index, found[1], event.group, found[0])
        if index:
            states.setdefault((event.process, index), event)
    yield from _gaps(hosts, states)
    yield from _monotone_and_closed(states)


def _of_one(
    event: LogEvent, index: int, hosts: set[str], states: dict[tuple[str, int], LogEvent]
) -> tuple[Kind, str] | None:
    if not index:
        return "own", "the clock lacks its own entry"
    if (event.process, index) in states:
        return "repeated", f"its own entry is that of line {states[event.process, index].line}"
    unknown = sorted(set(event.clock) - hosts)
    return ("unknown", f"the clock names {unknown[0]!r}, which has no event") if unknown else None


def _gaps(hosts: set[str], states: dict[tuple[str, int], LogEvent]) -> Iterator[Problem]:
    indices: dict[str, list[int]] = {process: [] for process in sorted(hosts)}
    for process, index in states:
        indices[process].append(index)
    for process, known in indices.items():
        known.sort()
        for before, after in zip([0, *known], known, strict=False):
            if after > before + 1:
                event = states[process, after]
                missing = f"{before + 1}" if after == before + 2 else f"{before + 1} to {after - 1}"
                reason = f"a gap: {missing} of this process is missing"
                yield Problem(event.line, process, after, reason, event.group, "gap")


def _monotone_and_closed(states: dict[tuple[str, int], LogEvent]) -> Iterator[Problem]:
    last: dict[str, int] = {}
    for process, index in states:
        last[process] = max(index, last.get(process, 0))
    for (process, index), event in states.items():
        for name, entry in event.clock.items():
            if name in last and entry > last[name] and name != process:
                reason = f"it knows event {entry} of {name!r}, whose last event is {last[name]}"
                yield Problem(event.line, process, index, reason, event.group, "beyond")
                break
        before = states.get((process, index - 1))
        for name, entry in (before.clock if before else {}).items():
            if event.clock.get(name, 0) < entry:
                reason = f"going backwards: {name!r} was {entry} one event before, and is {event.clock.get(name, 0)}"
                yield Problem(event.line, process, index, reason, event.group, "backwards")
                break
        for name, entry in event.clock.items():
            known = states.get((name, entry))
            if name == process or known is None:
                continue
            if known.clock.get(process, 0) >= index:
                reason = f"it knows event {entry} of {name!r}, which knows this one already"
                yield Problem(event.line, process, index, reason, event.group, "unclosed")
                break
            beyond = [other for other, value in known.clock.items() if event.clock.get(other, 0) < value]
            if beyond:
                reason = (
                    f"not causally closed: it knows event {entry} of {name!r}, but not event "
                    f"{known.clock[beyond[0]]} of {beyond[0]!r}, which that one knows"
                )
                yield Problem(event.line, process, index, reason, event.group, "unclosed")
                break


def usable(log: Log, processes: Sequence[str] | None, *, lenient: bool) -> tuple[list[LogEvent], list[Problem]]:
    """A log's events, and all that is wrong with it; if lenient, without the events that cannot be right.

    `processes` are those that a spec lists: an event of another one is a problem, too. Without them their clocks'
    entries mean nothing, and are dropped; what others learned through them stays.
    """
    problems, events = list(log.problems), log.events
    if processes is not None:
        strangers = [event for event in events if event.process not in processes]
        problems += [_stranger(event, processes) for event in strangers]
        if strangers:
            events = [_without_others(event, processes) for event in events if event.process in processes]
    if lenient:
        events, wrong = mend(events)
    else:
        wrong = validate(events)
    return events, sorted([*problems, *wrong], key=lambda problem: problem.line)


def _stranger(event: LogEvent, processes: Sequence[str]) -> Problem:
    reason = f"the spec does not list this process; it lists {', '.join(map(repr, processes))}"
    return Problem(event.line, event.process, event.clock.get(event.process, 0), reason, event.group, "unknown")


def _without_others(event: LogEvent, processes: Sequence[str]) -> LogEvent:
    return event._replace(clock={name: entry for name, entry in event.clock.items() if name in processes})
