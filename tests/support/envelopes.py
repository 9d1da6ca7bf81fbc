"""Events in their envelopes, as every reader gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from latwin.events import Envelope, EventReader


def envelope(event: Mapping[str, Any]) -> Envelope:
    """An event's envelope."""
    return EventReader().row(event)


def envelopes(events: Iterable[Mapping[str, Any]]) -> list[Envelope]:
    """The envelopes of events."""
    return [envelope(event) for event in events]
