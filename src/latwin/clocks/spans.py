"""A span as clocks are derived from it, and what the readers of traces share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from latwin.clocks.records import shorten
from latwin.errors import InvalidInput
from latwin.events.otlp import hex_id, list_in

__all__ = ["KINDS", "STATUSES", "Span", "SpanOrReason", "hex_id", "list_in", "microseconds", "object_in", "parent_in"]

KINDS = ("unspecified", "internal", "server", "client", "producer", "consumer")
STATUSES = ("unset", "ok", "error")
_MOST_MICROSECONDS = 2**63 // 1000


class Span(msgspec.Struct, frozen=True, omit_defaults=True):
    """One span, with what its resource says of who wrote it."""

    trace: str
    id: str
    name: str
    #: nanoseconds since 1970, by the clock of its instance
    start: int
    #: None if it has no end
    end: int | None
    service: str
    #: the service's instance, or "" if that is not said
    instance: str = ""
    parent: str | None = None
    kind: str = "internal"
    status: str = "unset"
    attributes: dict[str, Any] = {}
    #: linked spans, as (trace, id)
    links: tuple[tuple[str, str], ...] = ()
    #: what was wrong with its parent and links, which are left out then
    flaws: tuple[str, ...] = ()
    #: Zipkin: whether it reports under the id of its client's span
    is_shared: bool = False
    #: OTLP: whether it is no span, but a log record in the span that is its parent; it ends where it starts
    is_log: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """What no other span has."""
        return self.trace, self.id

    @property
    def thread(self) -> str | None:
        """The thread it began on, if that is said."""
        thread = self.attributes.get("thread.id", self.attributes.get("thread.name"))
        return None if thread is None else str(thread)


class SpanOrReason(msgspec.Struct):
    """A span with the attributes of its resource, or what is wrong with it."""

    found: Span | str
    row: Any
    resource: Mapping[str, Any]


def parent_in(row: Mapping[str, Any], name: str, flaws: list[str]) -> str | None:
    """The parent's id; None for a root, whose field may be absent, empty, or all zeros. A wrong id is a flaw."""
    value = row.get(name)
    if not value or (type(value) is str and not value.strip("0")):
        return None
    try:
        return hex_id(row, name, "its")
    except InvalidInput as error:
        flaws.append(f"{error}; taken as a span without a parent")
        return None


def microseconds(row: Mapping[str, Any], name: str) -> int | None:
    """A number of microseconds, as nanoseconds; None if absent."""
    value = row.get(name)
    if value is None:
        return None
    if type(value) is str and value.isascii() and value.isdigit() and len(value) <= 17:
        value = int(value)
    if type(value) is int and 0 <= value < _MOST_MICROSECONDS:
        return value * 1000
    raise InvalidInput(f"the span's {name} must be a number of microseconds; got {shorten(value)}")


def object_in(row: Any, name: str) -> dict[str, Any]:
    """The object in a field; an empty one if there is none."""
    value = row.get(name) if type(row) is dict else None
    return value if type(value) is dict else {}
