"""An event as it comes, a plain mapping, and what is read from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from latwin.errors import InvalidEvent
from latwin.events.clocks import read_clock


def read_event(event: Any, positions: Mapping[str, int]) -> tuple[int, list[int], Any]:
    """The event's process, clock and state; InvalidEvent, naming what is wrong, if it has not all of them.

    `positions` are the processes' names and places in the spec's order. Whether the state can be delivered is
    not judged here.
    """
    try:
        name, clock, state = event["process"], event["clock"], event["state"]
    except (KeyError, TypeError, IndexError):
        if not isinstance(event, Mapping):
            raise InvalidEvent(f"an event must be a map; got {type(event).__name__}") from None
        missing = [field for field in ("process", "clock", "state") if field not in event]
        raise InvalidEvent(f"the event lacks {', '.join(map(repr, missing))}") from None
    try:
        process = positions.get(name)
    except TypeError:
        process = None
    if process is None:
        raise InvalidEvent(f"unknown process {name!r}; processes are {', '.join(map(repr, positions))}")
    entries = read_clock(clock, positions)
    if entries[process] == 0:
        raise InvalidEvent(
            f"process {name!r}: the clock's own entry is the state's index, 1 for the first; got 0 or none"
        )
    if type(state) is not dict and state is not None and not isinstance(state, Mapping):
        raise InvalidEvent(f"process {name!r}: the state must be a map; got {type(state).__name__}")
    return process, entries, state
