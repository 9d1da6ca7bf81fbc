"""An event as it comes, any Python value, and what is read from it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from latwin.errors import InvalidEvent
from latwin.events.arrival import Arrival
from latwin.events.clocks import read_clock
from latwin.events.decoding import MAX_DEPTH
from latwin.events.plain import MAX_VALUES, is_simple, plain, show
from latwin.events.variables import Variables


def read_event(event: Any, positions: Mapping[str, int], variables: Variables | None = None) -> Arrival:
    """The event's process, clock, state and time, as plain data; InvalidEvent, with the reason, if it has none.

    `positions` are the processes' names and places in the spec's order; `variables` tell what a log's event says of
    its state. Whether the state can be delivered is not judged here. An event may be any value at all: nothing but
    InvalidEvent is raised.
    """
    try:
        if variables is not None:
            is_strange = type(event) is not dict and isinstance(event, Mapping)  # and may have no end
            event = variables.apply(dict(islice(event.items(), MAX_VALUES)) if is_strange else event)
        return _read(event, positions)
    except InvalidEvent:
        raise
    except Exception as error:  # noqa: BLE001 - the methods of an object that is no plain data may raise anything
        raise InvalidEvent(f"the event cannot be read: looking into it raised {type(error).__name__}") from None


def _read(event: Any, positions: Mapping[str, int]) -> Arrival:
    try:
        name, clock, state = event["process"], event["clock"], event.get("state")  # none is null
    except (KeyError, TypeError, IndexError, AttributeError):
        if not isinstance(event, Mapping):
            raise InvalidEvent(f"an event must be a map; got {type(event).__name__}") from None
        missing = [field for field in ("process", "clock") if field not in event]
        raise InvalidEvent(f"the event lacks {', '.join(map(repr, missing))}") from None
    process = positions.get(name) if isinstance(name, str) else None
    if process is None:
        raise InvalidEvent(f"unknown process {show(name)}; processes are {', '.join(map(repr, positions))}")
    entries = read_clock(clock, positions)
    if entries[process] == 0:
        raise InvalidEvent(
            f"process {name!r}: the clock's own entry is the state's index, 1 for the first; got 0 or none"
        )
    if type(state) is not dict and state is not None and not isinstance(state, Mapping):
        raise InvalidEvent(f"process {name!r}: the state must be a map; got {type(state).__name__}")
    time = event.get("time")
    if not (is_simple(state) and is_simple(time)):
        state = plain(state, f"process {name!r}: the state", MAX_DEPTH - 1)  # it is inside the event
        time = plain(time, f"process {name!r}: the time", MAX_DEPTH - 1)
    return Arrival(process, entries[process], entries, state, time)
