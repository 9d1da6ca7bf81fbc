"""What events hold: their groups, their processes, and the variables of each with the values seen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from latwin.events import Envelope

#: values of a variable that are told apart; beyond it there are just many
MOST_VALUES = 1000
#: how far into tables in tables variables are looked for
_DEEPEST = 3


@dataclass
class SeenVariable:
    """A variable of a process, by its path, and what values it had."""

    process: str
    path: tuple[str, ...]
    #: how often it had each value, in order of appearance; at most MOST_VALUES of them
    texts: dict[str, int] = field(default_factory=dict)
    numbers: dict[int | float, int] = field(default_factory=dict)
    truths: dict[bool, int] = field(default_factory=dict)
    #: kinds of values that are only counted: null, list, table, infinite
    others: dict[str, int] = field(default_factory=dict)

    def note(self, value: Any) -> None:
        """Take a value that an event tells."""
        if isinstance(value, bool):
            _count(self.truths, value)
        elif isinstance(value, int | float):
            if math.isfinite(value):
                _count(self.numbers, value)
            else:
                _count(self.others, "infinite")
        elif isinstance(value, str):
            _count(self.texts, value)
        else:
            _count(self.others, "null" if value is None else "list" if isinstance(value, list) else "table")


@dataclass
class Survey:
    """All that was seen, in order of appearance."""

    #: how many events each group has
    groups: dict[str, int] = field(default_factory=dict)
    #: how many events each process has
    processes: dict[str, int] = field(default_factory=dict)
    variables: dict[tuple[str, tuple[str, ...]], SeenVariable] = field(default_factory=dict)

    @property
    def events(self) -> int:
        """How many events there are."""
        return sum(self.groups.values())

    @property
    def largest_group(self) -> str:
        """The group with most events, the first of several."""
        return max(self.groups, key=self.groups.__getitem__)

    def note(self, envelope: Envelope) -> None:
        """Take an event."""
        event: Mapping[str, Any] = envelope.event
        process = event["process"]
        group = envelope.group or ""
        self.groups[group] = self.groups.get(group, 0) + 1
        self.processes[process] = self.processes.get(process, 0) + 1
        for path, value in _leaves(event.get("state") or {}, ()):
            key = process, path
            if key not in self.variables:
                self.variables[key] = SeenVariable(process, path)
            self.variables[key].note(value)


def survey(envelopes: Iterable[Envelope]) -> Survey:
    """What some events hold; none of them has a problem."""
    found = Survey()
    for envelope in envelopes:
        found.note(envelope)
    return found


def _leaves(table: Mapping[str, Any], outer: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The values of a table, and of tables in it."""
    for name, value in table.items():
        path = (*outer, name)
        if isinstance(value, Mapping) and value and len(path) < _DEEPEST:
            yield from _leaves(value, path)
        else:
            yield path, value


def _count(counts: dict[Any, int], value: Any) -> None:
    if value in counts:
        counts[value] += 1
    elif len(counts) < MOST_VALUES:
        counts[value] = 1
