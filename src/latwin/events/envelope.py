"""An event on its way to the monitor of its group.

What latwin adds to an event stands beside it, never in it: a user's event may have any fields.
"""

from __future__ import annotations

from typing import Any

import msgspec

from latwin.errors import InvalidEvent
from latwin.events.decoding import MAX_DEPTH, SHOWN_BYTES, decode_json, is_deeper

_NO_GROUP = "the group must be a string or an integer; it is null"


class Place(msgspec.Struct, frozen=True, order=True, omit_defaults=True, gc=False):
    """A place in the order of arrival: by rank (what orders it), then by number, then by text."""

    rank: int = 0
    number: int | float = 0
    text: str = ""


class Origin(msgspec.Struct, frozen=True, gc=False):
    """Where in a topic a record was."""

    partition: int
    offset: int


class Envelope(msgspec.Struct, omit_defaults=True, kw_only=True, gc=False):
    """An event with its group and its place, or what is wrong with it.

    `msgspec.json` writes and reads envelopes: that is how they travel on Spark.
    """

    #: None if it cannot be known
    group: str | None = None
    #: None if the event's own clock decides (see `order`)
    order: Place | None = None
    #: the event; beside a problem, what came, to be shown
    event: Any = None
    #: why this is no event
    problem: str | None = None
    #: the event's state as JSON text, where a table holds it so; `opened` puts it into the event
    state_text: str | None = None
    #: of a table: columns that verdicts take along
    kept: Any = None
    #: its line in a file, from 1, where that is known
    line: int | None = None
    #: for a record of Kafka
    origin: Origin | None = None
    #: whether it comes from a log that is taken in causal order because the order of its lines cannot be right
    is_reordered: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the event is whole, as it mostly is: then `opened` has nothing to do."""
        return self.state_text is None and self.group is not None

    def shown(self) -> Any:
        """What is shown of the event where it is rejected: as it came, and where to find it."""
        if self.origin is None or not isinstance(self.event, dict):
            return self.event
        return {**self.event, "kafka": {"partition": self.origin.partition, "offset": self.origin.offset}}


def opened(envelope: Envelope) -> Envelope:
    """The envelope with its event whole, or with a problem: what remains to be done after it travelled."""
    if envelope.problem is not None:
        return envelope
    if envelope.group is None:
        envelope.problem = _NO_GROUP
    elif envelope.state_text is not None:
        text, envelope.state_text = envelope.state_text, None
        try:
            state = decode_json(text)
        except InvalidEvent as error:
            state, envelope.problem = text[:SHOWN_BYTES], f"the state is {error}"
        else:
            if is_deeper(state, MAX_DEPTH - 1):  # it is inside the event
                state, envelope.problem = text[:SHOWN_BYTES], "the state is nested too deeply"
        envelope.event = {**envelope.event, "state": state}
    return envelope
