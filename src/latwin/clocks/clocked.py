"""From the records of many groups to events that latwin reads, what was wrong, and how many of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from latwin.clocks.derive import ClockedStep, Missing, derive
from latwin.clocks.records import Record, StepSource
from latwin.clocks.step import StepProblem


@dataclass
class ClockTally:
    """How much came of what was read; tallies of disjoint sets of groups can be added."""

    groups: int = 0
    events: int = 0
    messages: int = 0
    rejected: int = 0
    processes: set[str] = field(default_factory=set)
    #: by kind
    problems: dict[str, int] = field(default_factory=dict)
    #: what was left out on purpose, by reason
    ignored: dict[str, int] = field(default_factory=dict)

    def add(self, other: ClockTally) -> None:
        """Count what another counted."""
        for name in ("groups", "events", "messages", "rejected"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.processes |= other.processes
        self.count_problems(other.problems)
        self.count_ignored(other.ignored)

    def count_problems(self, more: Mapping[str, int]) -> None:
        """Add to the problems."""
        self.problems = dict(Counter(self.problems) + Counter(more))

    def count_ignored(self, more: Mapping[str, int]) -> None:
        """Add to what was left out."""
        self.ignored = dict(Counter(self.ignored) + Counter(more))

    def as_dict(self) -> dict[str, Any]:
        """The fields, for JSON."""
        return {
            **vars(self),
            "processes": sorted(self.processes),
            "problems": dict(sorted(self.problems.items())),
            "ignored": dict(sorted(self.ignored.items())),
        }


class GroupClocks(NamedTuple):
    """What came of one group; the group is None for what could not be read."""

    group: str | None
    events: list[ClockedStep]
    problems: list[StepProblem]


@dataclass(frozen=True)
class ClockMaker:
    """Derives the clocks of all groups of a source; the same for any order of the records."""

    source: StepSource
    missing: Missing = "report"

    def make(self, records: Iterable[Record], tally: ClockTally) -> Iterator[GroupClocks]:
        """Group by group, sorted by name, what could not be read first; `tally` counts it."""
        rows: dict[str | None, list[Any]] = {}
        for record in records:
            rows.setdefault(record.group, []).append(record.row)
        for group in sorted(rows, key=lambda group: (group is not None, group or "")):
            clocks = _unread(rows[group]) if group is None else self._of_group(group, rows[group], tally)
            tally.events += len(clocks.events)
            tally.groups += bool(clocks.events)
            tally.processes.update(event.step.process for event in clocks.events)
            tally.count_problems(Counter(problem.kind for problem in clocks.problems))
            tally.rejected += sum(problem.is_rejected for problem in clocks.problems)
            yield clocks

    def _of_group(self, group: str, rows: list[Any], tally: ClockTally) -> GroupClocks:
        reading = self.source.read(group, rows)
        derived = derive(reading.steps, missing=self.missing)
        tally.messages += derived.messages
        tally.count_ignored(reading.ignored)
        if self.missing == "ignore":
            tally.count_ignored({"messages that nobody sent": derived.missing})
        return GroupClocks(group, derived.events, reading.problems + derived.problems)


def _unread(rows: Iterable[Any]) -> GroupClocks:
    problems = [StepProblem("unreadable", row["reason"], row=row["row"], is_rejected=True) for row in rows]
    return GroupClocks(None, [], sorted(problems, key=lambda problem: (problem.reason, problem.row)))


def event_head(event: ClockedStep) -> bytes:
    """An event without its state, as JSON."""
    step = event.step
    head = {"group": step.group, "process": step.process, "clock": event.clock}
    if step.time is not None:
        head["time"] = step.time
    return msgspec.json.encode({**head, "arrival": event.arrival})


def event_line(event: ClockedStep) -> bytes:
    """An event as `latwin check` and `latwin replay` read it."""
    return event_head(event)[:-1] + b',"state":' + msgspec.json.encode(dict(event.step.state)) + b"}"


def problem_line(problem: StepProblem) -> bytes:
    """A problem as JSON."""
    return msgspec.json.encode(problem.as_dict())
