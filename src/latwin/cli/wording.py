"""Values, times, names and cuts in words that people read, of bounded width and without a terminal's escapes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from typing import Any

from latwin.events.escaping import one_line
from latwin.events.plain import carried
from latwin.model import Cut

_VALUE_WIDTH = 40
_NAME_WIDTH = 32
#: steps of an observation that are shown
_MOST_STEPS = 6

#: Since 2001-09-09, and until 2096-10-02, a number of seconds since 1970 has this order of magnitude.
_EPOCH_SECONDS = (1_000_000_000, 4_000_000_000)
#: how many of a unit make a second, and the digits of its fractions
_EPOCH_UNITS = ((1, 0), (1_000, 3), (1_000_000, 6), (1_000_000_000, 9))


def shorten(text: str, width: int) -> str:
    """A text of at most `width` characters, without its middle if it is longer, and on one line.

    >>> shorten("order-2026-11-17-000042", 16)
    'order-2...000042'
    """
    text = one_line(text)
    if len(text) <= width:
        return text
    kept = width - 3
    return f"{text[: kept - kept // 2]}...{text[len(text) - kept // 2 :]}"


@cache
def show_name(name: str) -> str:
    """The name of a process or variable."""
    return shorten(name, _NAME_WIDTH)


def show_value(value: Any) -> str:
    """A value as JSON, shortened."""
    return shorten(json.dumps(carried(value), ensure_ascii=False), _VALUE_WIDTH)


def show_time(time: Any) -> str:
    """An event's time: texts as they are; numbers, too, and beside them the date if they count from 1970.

    A number is taken to count seconds, milliseconds, microseconds or nanoseconds from 1970 if that is a time
    between 2001-09-09 and 2096-10-02; of the four, at most one is. Other numbers (seconds since a start, ticks) stay
    alone.

    >>> show_time(1700000000), show_time(1700000000123), show_time("noon"), show_time(12.5)
    ('1700000000 (2023-11-14T22:13:20Z)', '1700000000123 (2023-11-14T22:13:20.123Z)', 'noon', '12.5')
    """
    if isinstance(time, str):
        return shorten(time, _VALUE_WIDTH)
    if isinstance(time, bool) or not isinstance(time, (int, float)):
        return show_value(time)
    shown = shorten(repr(time), _VALUE_WIDTH)
    for unit, digits in _EPOCH_UNITS:
        if _EPOCH_SECONDS[0] * unit <= time < _EPOCH_SECONDS[1] * unit:
            return f"{shown} ({_date(time, unit, digits)})"
    return shown


def _date(time: float, unit: int, digits: int) -> str:
    """The time in UTC; fractions of a second to milliseconds, or as exactly as the unit has them."""
    seconds, rest = divmod(time, unit)
    if unit == 1 and seconds != time:
        seconds, digits = int(time), 3
        rest = (time - seconds) * 1000
    moment = datetime.fromtimestamp(int(seconds), UTC).replace(tzinfo=None).isoformat()
    return f"{moment}.{int(rest):0{digits}d}Z" if digits else f"{moment}Z"


def show_steps(observation: Sequence[Cut], processes: Sequence[str]) -> str:
    """The states that an observation enters, in order: `phone#4 rfid#2 (12 more) phone#9`."""
    shown = []
    steps = list(pairwise(observation))
    some = steps if len(steps) <= _MOST_STEPS else [*steps[: _MOST_STEPS - 1], steps[-1]]
    for before, after in some:
        process = next(k for k, (old, new) in enumerate(zip(before, after, strict=True)) if old != new)
        shown.append(f"{show_name(processes[process])}#{after[process]}")
    if len(steps) > len(some):
        shown.insert(-1, f"({len(steps) - len(some):,} more)")
    return " ".join(shown)
