"""Times as events carry them, and durations as specs do."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import Any

from latwin.errors import InvalidEvent
from latwin.events.plain import show

_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
#: units that durations are shown in
_SHOWN = ("us", "ms", "s", "min", "h", "d")
#: without blanks around it: next to the optional unit, a second run of blanks could be divided in many ways
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)")


def read_duration(text: Any) -> float | None:
    """Seconds in a text such as "500ms", "2s", "1.5 min", "5m" or "0"; None if it is none."""
    found = _DURATION.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None:
        return None
    number, unit = float(found[1]), found[2]
    if not unit:
        return 0.0 if number == 0 else None
    return number * _UNITS[unit] if unit in _UNITS else None


def read_time(value: Any) -> float:
    """Seconds, from a number or a date and time of ISO 8601 (UTC unless it says otherwise); else InvalidEvent.

    A text that is a number is one: sources that know only text send seconds so, and ISO 8601 without its
    separators ("20260101") looks the same.
    """
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        try:
            seconds = float(value)
        except ValueError:
            seconds = _read_moment(str(value))
        except OverflowError:  # an integer beyond floating point
            seconds = math.inf
        if math.isfinite(seconds):
            return seconds
    raise InvalidEvent(
        "with `synchrony`, a window of time or `leave_after` an event needs its `time`, "
        f"in seconds or as a date and time of ISO 8601; got {show(value)}"
    )


def show_duration(seconds: float) -> str:
    """Seconds as a text that `read_duration` reads, in the largest unit of which there is at least one.

    >>> show_duration(0.25), show_duration(90), show_duration(7 * 86400)
    ('250ms', '1.5min', '7d')
    """
    unit = max((name for name in _SHOWN if _UNITS[name] <= seconds), key=_UNITS.__getitem__, default="us")
    return f"{seconds / _UNITS[unit]:.6g}{unit}" if seconds else "0"


def _read_moment(text: str) -> float:
    """Seconds since 1970, or NaN if the text is no date and time."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return math.nan
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
