"""Lines, rows and records of Kafka to envelopes: the one place where an event's group and place are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from latwin.errors import InvalidEvent, InvalidInput
from latwin.events.decoding import MAX_EVENT_BYTES, decode_object, shown, trimmed
from latwin.events.envelope import Envelope, Origin, Place
from latwin.events.groups import group_of, read_group
from latwin.events.order import place_of

#: the fields that mean something to latwin; `event` is the text that `[variables]` looks into
FIELDS = ("group", "process", "clock", "state", "time", "arrival", "event", "leave")


@dataclass(frozen=True)
class EventReader:
    """Reads events. `names` maps our names of fields to theirs where they differ.

    Nothing is raised for what cannot be read: it becomes an envelope with a problem.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    max_bytes: int = MAX_EVENT_BYTES

    def __post_init__(self) -> None:
        """Check the names."""
        for name in self.names:
            if name not in FIELDS:
                raise InvalidInput(f"unknown field {name!r}; fields are {', '.join(FIELDS)}")

    @cached_property
    def renames(self) -> bool:
        """Whether events change while they are read."""
        return any(ours != theirs for ours, theirs in self.names.items())

    def line(self, line: bytes) -> Envelope | None:
        """A JSON line; None if it is blank."""
        text = trimmed(line)
        if not text:
            return None
        if len(text) > self.max_bytes:
            return self.too_long(text, len(text))
        try:
            event = self._ours(decode_object(text))
            return Envelope(group=group_of(event), order=place_of(event), event=event)
        except InvalidEvent as error:
            return not_an_event(text, str(error))

    def too_long(self, beginning: bytes, size: int, group: str | None = None) -> Envelope:
        """An event of which only the beginning was read."""
        return not_an_event(beginning, too_long(f"{size:,}", self.max_bytes), group=group)

    def row(self, row: Mapping[str, Any]) -> Envelope:
        """A row of a table, its values plain; a state may be JSON text."""
        event = self._ours(row)
        try:
            envelope = Envelope(group=group_of(event), order=place_of(event), event=event)
        except InvalidEvent as error:
            return Envelope(event=event, problem=str(error))
        if isinstance(event.get("state"), str):
            envelope.state_text = event["state"]
        return envelope

    def record(self, value: bytes | None, key: bytes | None, origin: Origin) -> Envelope:
        """A record of Kafka: its offset is its place, and its key its group unless the event names it."""
        if value is None:
            return not_an_event(b"", "the record has no value", origin=origin)
        try:
            event = self._ours(decode_object(value))
            group = _group_by_key(group_of(event) if "group" in event else None, key)
        except InvalidEvent as error:
            return not_an_event(value, str(error), origin=origin)
        return Envelope(group=group, order=Place(number=origin.offset), event=event, origin=origin)

    def _ours(self, event: Mapping[str, Any]) -> dict[str, Any]:
        if not self.renames:
            return event if type(event) is dict else dict(event)
        ours = {theirs: ours for ours, theirs in self.names.items()}
        # A field that was said to be another one does not also serve as the one of its name.
        taken = {name for name in self.names if name not in ours}
        return {ours.get(name, name): value for name, value in event.items() if name not in taken}


def not_an_event(text: bytes, problem: str, *, group: str | None = None, origin: Origin | None = None) -> Envelope:
    """An envelope for something that is no event."""
    return Envelope(group=group, event={"line": shown(text)}, problem=problem, origin=origin)


def too_long(size: str, most: int) -> str:
    """Why an event was not decoded."""
    return f"the event has {size} bytes, and at most {most:,} are read; it is cut off here"


def _group_by_key(group: str | None, key: bytes | None) -> str:
    """The group by the event's own word and by the record's key."""
    if key is None:
        return group or ""
    try:
        named = read_group(key.decode())
    except UnicodeDecodeError:
        raise InvalidEvent("the record's key is not UTF-8; it must be the group") from None
    if group is not None and group != named:
        raise InvalidEvent(
            f"the event's group is {group!r}, but the record's key is {named!r}; the key must be the group"
        )
    return named
