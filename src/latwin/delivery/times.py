"""Times as events carry them, and durations as specs do."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import Any

from latwin.errors import InvalidEvent

_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*")


def read_duration(text: Any) -> float | None:
    """Seconds in a text such as "500ms", "2s", "1.5 min" or "0"; None if it is none."""
    found = _DURATION.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return None
    number, unit = float(found[1]), found[2]
    if not unit:
        return 0.0 if number == 0 else None
    return number * _UNITS[unit] if unit in _UNITS else None


def read_time(value: Any) -> float:
    """Seconds, from a number or a date and time of ISO 8601 (UTC unless it says otherwise); else InvalidEvent."""
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            try:
                value = float(value)
            except ValueError:
                value = None
        else:
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    raise InvalidEvent(
        f"with `synchrony` an event needs its `time`, in seconds or as a date and time of ISO 8601; got {value!r}"
    )
