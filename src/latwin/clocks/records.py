"""What sources of steps share: lines to records with a group, records of a group to steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from latwin.clocks.step import Step, StepProblem
from latwin.events.decoding import shown

_SHOWN_CHARACTERS = 80


class Record(NamedTuple):
    """One thing read from a line; what is in `row` can be written as JSON and read again."""

    #: None if it could not be read
    group: str | None
    row: Any


@dataclass
class Reading:
    """The steps of one group's records, with what was wrong with them."""

    steps: list[Step]
    problems: list[StepProblem]
    #: what was left out on purpose, by the name of the reason
    ignored: Counter[str] = field(default_factory=Counter)


class StepSource(Protocol):
    """Where steps come from. The two halves may run on different machines."""

    def records(self, line: bytes) -> Iterator[Record]:
        """What a line, or a whole document, holds; what cannot be read is a record without a group."""

    def read(self, group: str, rows: Sequence[Any]) -> Reading:
        """The steps that all records of a group make, whatever order they are given in."""


def unreadable(reason: str, text: bytes) -> Record:
    """The record of something that is none."""
    return Record(None, {"reason": reason, "row": shown(text.strip())})


def shorten(value: Any) -> str:
    """A value in a message."""
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "..."
