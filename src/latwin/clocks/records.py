"""What sources of steps share: lines to records with a group, records of a group to steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import msgspec

from latwin.clocks.step import Step, StepProblem

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SHOWN_BYTES = 1000
_SHOWN_CHARACTERS = 80
#: brackets in a line from which on its depth is looked at, and what may not be reached
_SUSPICIOUS_BRACKETS = 300
_DEPTH_MARGIN = 600


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


def decode(text: bytes) -> tuple[Any, str | None]:
    """A JSON value, or the reason why it is none."""
    text = text.removeprefix(_BYTE_ORDER_MARK)
    try:
        value = msgspec.json.decode(text)
        if text.count(b"[") + text.count(b"{") > _SUSPICIOUS_BRACKETS:  # what holds it must be readable, too
            msgspec.json.decode(b"[" * _DEPTH_MARGIN + text + b"]" * _DEPTH_MARGIN)
    except msgspec.MsgspecError as error:
        return None, f"not valid JSON: {str(error).removeprefix('JSON is malformed: ')}"
    except UnicodeDecodeError as error:
        return None, f"not valid JSON: not UTF-8: {error.reason}"
    except RecursionError:
        return None, "not valid JSON: nested too deeply"
    return value, None


def unreadable(reason: str, text: bytes) -> Record:
    """The record of something that is none."""
    shown = text.strip()[:_SHOWN_BYTES].decode(errors="replace") + "..." * (len(text.strip()) > _SHOWN_BYTES)
    return Record(None, {"reason": reason, "row": shown})


def shorten(value: Any) -> str:
    """A value in a message."""
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "..."
