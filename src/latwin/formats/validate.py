"""What is wrong with a log's clocks: each problem with its line, process and index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from latwin.formats.log import LogEvent


@dataclass(frozen=True)
class Problem:
    """Something that no execution can have written."""

    line: int
    process: str
    #: the own entry of the event's clock; 0 if there is none
    index: int
    reason: str
    group: str = ""


def validate(events: Sequence[LogEvent]) -> list[Problem]:
    """All problems in the order of the file; an empty list for a log that is right."""
    groups: dict[str, list[LogEvent]] = {}
    for event in events:
        groups.setdefault(event.group, []).append(event)
    found = [problem for some in groups.values() for problem in _problems(some)]
    return sorted(found, key=lambda problem: problem.line)


def _problems(events: Sequence[LogEvent]) -> Iterator[Problem]:
    hosts = {event.process for event in events}
    states: dict[tuple[str, int], LogEvent] = {}
    for event in events:
        index = event.clock.get(event.process, 0)
        problem = _of_one(event, index, hosts, states)
        if problem is not None:
            yield Problem(event.line, event.process, index, problem, event.group)
        if index:
            states.setdefault((event.process, index), event)
    for process in sorted(hosts):
        indices = sorted(index for host, index in states if host == process)
        for before, after in zip([0, *indices], indices, strict=False):
            if after > before + 1:
                event = states[process, after]
                missing = f"{before + 1}" if after == before + 2 else f"{before + 1} to {after - 1}"
                yield Problem(event.line, process, after, f"a gap: {missing} of this process is missing", event.group)
    yield from _monotone_and_closed(states)


def _of_one(event: LogEvent, index: int, hosts: set[str], states: dict[tuple[str, int], LogEvent]) -> str | None:
    if not index:
        return "the clock lacks its own entry"
    if (event.process, index) in states:
        return f"its own entry is that of line {states[event.process, index].line}"
    unknown = sorted(set(event.clock) - hosts)
    return f"the clock names {unknown[0]!r}, which has no event" if unknown else None


def _monotone_and_closed(states: dict[tuple[str, int], LogEvent]) -> Iterator[Problem]:
    for (process, index), event in states.items():
        before = states.get((process, index - 1))
        for name, entry in (before.clock if before else {}).items():
            if event.clock.get(name, 0) < entry:
                reason = f"going backwards: {name!r} was {entry} one event before, and is {event.clock.get(name, 0)}"
                yield Problem(event.line, process, index, reason, event.group)
                break
        for name, entry in event.clock.items():
            known = states.get((name, entry))
            if name == process or known is None:
                continue
            beyond = [other for other, value in known.clock.items() if event.clock.get(other, 0) < value]
            if beyond:
                reason = (
                    f"not causally closed: it knows event {entry} of {name!r}, but not event "
                    f"{known.clock[beyond[0]]} of {beyond[0]!r}, which that one knows"
                )
                yield Problem(event.line, process, index, reason, event.group)
                break
