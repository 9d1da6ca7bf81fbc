"""What every reader of logs yields, and the options it may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from latwin.errors import InvalidInput


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


@dataclass(frozen=True)
class Options:
    """What a reader may need to be told."""

    #: ShiViz: the expression, with groups host, clock and event, in the spelling of JavaScript or Python
    parser: str | None = None
    #: ShiViz: what separates executions; a group `trace` in it names the next one
    delimiter: str | None = None
    #: JSON lines: the log's names of process, clock, event, group
    names: Mapping[str, str] = field(default_factory=dict)


def read_clock(text: str, line: int) -> dict[str, int]:
    """A clock written as a JSON object of whole numbers; zeros are left out."""
    try:
        clock = msgspec.json.decode(text.encode(), type=dict[str, int])
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise InvalidInput(f"line {line}: the clock is no JSON object of whole numbers: {text!r} ({error})") from None
    return check_clock(clock, line)


def check_clock(clock: Mapping[str, int], line: int) -> dict[str, int]:
    """The clock without zeros, if its entries can be such."""
    for name, entry in clock.items():
        if isinstance(entry, bool) or not isinstance(entry, int) or entry < 0:
            raise InvalidInput(
                f"line {line}: the clock's entry for {name!r} must be a whole number from 0; got {entry!r}"
            )
    return {str(name): entry for name, entry in clock.items() if entry}
