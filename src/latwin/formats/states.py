"""From the events of a log to those that a monitor takes: with states, in an order of arrival."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from latwin.errors import InvalidEvent, InvalidInput
from latwin.events import Envelope, Place
from latwin.events.merging import merged
from latwin.events.variables import Variables
from latwin.formats.log import LogEvent

Order = Literal["file", "causal"]


def to_events(events: Sequence[LogEvent], variables: Variables, *, order: Order = "file") -> list[Envelope]:
    """Events with their states: a process's variables keep their values until one of its events changes them.

    A state that an event carries is whole, unless there is a table of variables. An event whose text takes an
    expression too long, or with which the process would keep too many variables, becomes an envelope with that
    problem, and changes no variable.

    They come in the order of the file, or in a causal one, which suits logs that were written host after host: what
    a window holds depends on the order of arrival. The clocks must be right (see `validate`).
    """
    if order not in ("file", "causal"):
        raise InvalidInput(f"order must be 'file' or 'causal'; got {order!r}")
    states = _carried(events, variables)
    places = range(len(events))
    ordered = sorted(places, key=lambda k: _causal_place(events[k])) if order == "causal" else places
    return [_envelope(events[k], states[k], arrival) for arrival, k in enumerate(ordered)]


def _carried(events: Sequence[LogEvent], variables: Variables) -> list[dict[str, Any] | InvalidEvent]:
    """Each event's state, from the changes up to it in its process's own order; or why it cannot be told."""
    latest: dict[tuple[str, str], dict[str, Any]] = {}
    states: list[dict[str, Any] | InvalidEvent] = [{}] * len(events)
    for k in sorted(range(len(events)), key=lambda k: events[k].clock.get(events[k].process, 0)):
        event = events[k]
        key = event.group, event.process
        if variables.takes_all and event.state is not None:
            latest[key] = states[k] = dict(event.state)
            continue
        try:
            changes = variables.changes(event.text, event.fields, event.state)
            latest[key] = states[k] = merged(latest.get(key), changes)
        except InvalidEvent as error:
            states[k] = error
    return states


def _causal_place(event: LogEvent) -> tuple[int, str]:
    """What an event knows grows along every way that causes take, and so does the sum of its clock."""
    return sum(event.clock.values()), event.process


def _envelope(event: LogEvent, state: dict[str, Any] | InvalidEvent, arrival: int) -> Envelope:
    found: dict[str, Any] = {"process": event.process, "clock": event.clock}
    found |= {"event": event.text} if isinstance(state, InvalidEvent) else {"state": state}
    if event.group:
        found = {"group": event.group, **found}
    if event.time is not None:
        found["time"] = event.time
    problem = str(state) if isinstance(state, InvalidEvent) else None
    return Envelope(group=event.group, order=Place(number=arrival), event=found, problem=problem, line=event.line)
