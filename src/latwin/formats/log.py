"""What every reader of logs gives, and the options it may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple


class LogEvent(NamedTuple):
    """One event of a log, as it was written."""

    process: str
    clock: dict[str, int]
    #: the event's text, or its kind
    text: str
    #: whatever else was written: named groups of the expression, fields of the object
    fields: Mapping[str, Any]
    #: where it begins, from 1
    line: int
    #: the execution it belongs to, if the log holds several
    group: str = ""
    #: when it was, as the log writes it
    time: Any = None
    #: the process's variables, if the log tells them
    state: Mapping[str, Any] | None = None


#: unreadable; the own entry missing; repeated; missing events; an unknown host, or an event of one that is not there;
#: going backwards; not closed
Kind = Literal["unreadable", "own", "repeated", "gap", "unknown", "beyond", "backwards", "unclosed"]


@dataclass(frozen=True)
class Problem:
    """Something that cannot be read, or that no execution can have written."""

    line: int
    process: str
    #: the own entry of the event's clock; 0 if there is none
    index: int
    reason: str
    group: str = ""
    kind: Kind = "unreadable"

    def __str__(self) -> str:
        """Line, process, index and reason, as far as they are known."""
        where = f"process {self.process!r}, event {self.index}: " if self.process else ""
        return f"{self.line}: {where}{self.reason}"


@dataclass(frozen=True)
class Options:
    """What a reader may need to be told."""

    #: ShiViz: the expression, with groups host, clock and event, in the spelling of JavaScript or Python
    parser: str | None = None
    #: ShiViz: what separates executions; a group `trace` in it names the next one
    delimiter: str | None = None
    #: the log's names of process, clock, event, group, state and time, where they differ from these
    names: Mapping[str, str] = field(default_factory=dict)
    #: what a clock's entries belong to where it is written as a list
    processes: tuple[str, ...] = ()


class UnmatchedLine(NamedTuple):
    """A line that belongs to no event."""

    number: int
    text: str


@dataclass
class Log:
    """A log as it was read: its events in the order of the file, and what is none."""

    events: list[LogEvent]
    problems: list[Problem]
    #: lines with something on them that belong to no event
    unmatched: int = 0
    #: the first of them
    first_unmatched: UnmatchedLine | None = None

    def count_unmatched(self, line: int, text: str) -> None:
        """Note a line that belongs to no event."""
        self.unmatched += 1
        if self.first_unmatched is None:
            self.first_unmatched = UnmatchedLine(line, text)

    def groups(self) -> dict[str, list[LogEvent]]:
        """The events of each execution."""
        found: dict[str, list[LogEvent]] = {}
        for event in self.events:
            found.setdefault(event.group, []).append(event)
        return found
