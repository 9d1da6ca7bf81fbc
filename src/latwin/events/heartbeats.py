"""Heartbeats: events that tell a group what time it is, and nothing else.

    {"group": "office 7", "time": "2026-03-01T12:00:00Z"}

Windows of time slide by the times of delivered events. A heartbeat lets them slide while no process reports. It goes
the way of every event, in the order of arrival, so what comes of it is the same in every command.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_OF_STATES = ("process", "clock", "state")


def is_heartbeat(event: Any) -> bool:
    """Whether an event has a time, and neither a process nor a clock nor a state (or null in their place).

    >>> is_heartbeat({"time": 8.5}), is_heartbeat({"time": 8.5, "process": None}), is_heartbeat({"process": "p0"})
    (True, True, False)
    """
    try:
        return (
            isinstance(event, Mapping)
            and event.get("time") is not None
            and all(event.get(name) is None for name in _OF_STATES)
        )
    except Exception:  # noqa: BLE001 - the methods of an object that is no plain data may raise anything
        return False
