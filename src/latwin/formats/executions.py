"""Executions that follow each other in one file without a word between them: their clocks start again.

    a 1, b 1, a 2, b 2 | a 1, a 2, b 1        the second `a 1` begins the second execution

A repeated index also comes of lines that were written twice, and of a process that lost its clock, so more is asked
for than a clock that starts again:

1. A part begins at an event with index 1 whose process has an event 1 in the part before.
2. Two neighbouring parts have an event of the same process and index whose clock, text or fields differ. Without
   such an event the log merely repeats itself.
3. Every part has the event 1 of each of its processes, and no index twice. Else a process goes on from one part to
   the next, or two of them have one name.
4. The clocks of the parts have fewer problems than those of the log as a whole.

A log that lists its processes one after the other has no repeated index, and stays whole. One thing cannot be seen:
if an execution begins with the only event of a process that the one before lacks, and no clock names that event, it
counts to the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from latwin.formats.log import LogEvent
from latwin.formats.validate import validate

_Index = tuple[str, int]


def split_executions(events: Sequence[LogEvent]) -> list[LogEvent]:
    """The events, with their executions as groups, `0`, `1` and so on, if there are several; else as they are.

    Events that have a group already stay in it. Costs one pass, unless a clock starts again.
    """
    parts = _parts(events) if not any(event.group for event in events) else []
    are_several = len(parts) > 1 and all(map(_is_execution, parts))
    if not are_several or not all(_contradict(*some) for some in pairwise(parts)):
        return list(events)
    named = [event._replace(group=str(number)) for number, part in enumerate(parts) for event in part]
    return named if len(validate(named)) < len(validate(events)) else list(events)


def _parts(events: Sequence[LogEvent]) -> list[list[LogEvent]]:
    """The events cut wherever a process's first index comes again."""
    parts: list[list[LogEvent]] = [[]]
    begun: set[str] = set()
    for event in events:
        if event.clock.get(event.process) == 1:
            if event.process in begun:
                parts.append([])
                begun = set()
            begun.add(event.process)
        parts[-1].append(event)
    return parts


def _is_execution(part: Sequence[LogEvent]) -> bool:
    """Whether each process begins with its first event, and has each event once."""
    indices = [_index(event) for event in part if event.clock.get(event.process)]
    known = set(indices)
    return len(known) == len(indices) and all((process, 1) in known for process, _ in indices)


def _contradict(before: Sequence[LogEvent], after: Sequence[LogEvent]) -> bool:
    """Whether both have an event that the other has differently."""
    known = {_index(event): _content(event) for event in before}
    return any(known.get(_index(event), _content(event)) != _content(event) for event in after)


def _index(event: LogEvent) -> _Index:
    return event.process, event.clock.get(event.process, 0)


def _content(event: LogEvent) -> tuple[Any, ...]:
    return event.clock, event.text, event.fields, event.state, event.time
