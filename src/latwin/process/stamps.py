"""Clocks on messages: a stamp is a clock and its group as a short ASCII text, carried beside what is said.

    map           a dictionary or HTTP headers: the entry "latwin-clock"
    pairs         headers as (name, value) pairs, as Kafka and ASGI have them: the last pair named "latwin-clock"
    cloudevents   a CloudEvent as a dictionary: the extension attribute "latwinclock" (names of attributes are
                  lower-case letters and digits); a CloudEvent in binary mode is headers

Each carrier is a pair of functions; none of them changes the message it is given.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from latwin.errors import InvalidEvent, InvalidInput
from latwin.events.clocks import LARGEST_ENTRY

HEADER = "latwin-clock"
ATTRIBUTE = "latwinclock"
_SHOWN_CHARACTERS = 200

CarrierName = Literal["map", "pairs", "cloudevents"]


class Stamp(msgspec.Struct, frozen=True):
    """What a message tells of its sender: the clock of the state in which it was sent, and its group."""

    clock: dict[str, int]
    group: str = ""

    @property
    def text(self) -> str:
        """The stamp as ASCII, fit for headers of any kind.

        >>> Stamp({"phone": 3}, "office-1").text
        '{"clock":{"phone":3},"group":"office-1"}'
        """
        fields: dict[str, Any] = {"clock": self.clock}
        if self.group:
            fields["group"] = self.group
        return json.dumps(fields, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str | bytes) -> Stamp:
        """Read what `text` wrote; InvalidEvent if it is no stamp."""
        try:
            stamp = msgspec.json.decode(text, type=cls)
        except (msgspec.MsgspecError, UnicodeError, RecursionError, TypeError) as error:
            raise InvalidEvent(
                f'a stamp must be JSON such as {{"clock":{{"phone":3}},"group":"x"}}; got {_shown(text)} ({error})'
            ) from None
        for name, entry in stamp.clock.items():
            if not 0 <= entry < LARGEST_ENTRY:
                raise InvalidEvent(f"a stamp's entries must be integers from 0 to 2**62; got {entry} for {name!r}")
        return stamp


class Carrier(NamedTuple):
    """How messages of one kind carry a stamp."""

    write: Callable[[Any, str], Any]
    find: Callable[[Any], Any]


def write_map(message: Mapping[str, Any], text: str) -> dict[str, Any]:
    """A copy of the dictionary or headers with the stamp in it, in place of an older one."""
    return {**{name: value for name, value in message.items() if not _is_header(name)}, HEADER: text}


def find_in_map(message: Any) -> Any:
    """The stamp's text in a dictionary or in headers, whatever the case of their names; None without one."""
    return _last(message.items())


def write_pairs(message: Iterable[tuple[Any, Any]], text: str) -> list[tuple[Any, Any]]:
    """A copy of the pairs with the stamp at the end, in text or bytes as they are; as Kafka's if there are none."""
    kept = [(name, value) for name, value in message if not _is_header(name)]
    name: str | bytes = HEADER.encode() if kept and isinstance(kept[-1][0], bytes) else HEADER
    value: str | bytes = text if kept and isinstance(kept[-1][1], str) else text.encode()
    return [*kept, (name, value)]


def find_in_pairs(message: Iterable[tuple[Any, Any]]) -> Any:
    """The text of the last stamp among the pairs; None without one."""
    return _last(message)


def write_cloudevent(message: Mapping[str, Any], text: str) -> dict[str, Any]:
    """A copy of the event with the extension attribute."""
    return {**message, ATTRIBUTE: text}


def find_in_cloudevent(message: Any) -> Any:
    """The extension attribute; None without one."""
    return message.get(ATTRIBUTE)


CARRIERS: Mapping[str, Carrier] = {
    "map": Carrier(write_map, find_in_map),
    "pairs": Carrier(write_pairs, find_in_pairs),
    "cloudevents": Carrier(write_cloudevent, find_in_cloudevent),
}


def write_stamp(message: Any, stamp: Stamp, *, carrier: CarrierName | None = None) -> Any:
    """A copy of the message that carries the stamp; the carrier is chosen by the message's type unless given."""
    return _use(_carrier(message, carrier, "stamp").write, message, stamp.text)


def find_stamp(message: Any, *, carrier: CarrierName | None = None) -> Stamp | None:
    """The stamp that a message carries, or None. A stamp itself is one; no headers (None) have none."""
    if isinstance(message, Stamp):
        return message
    if message is None:
        return None
    text = _use(_carrier(message, carrier, "receive").find, message)
    return None if text is None else Stamp.from_text(text)


def read_stamp(message: Any, *, carrier: CarrierName | None = None) -> Stamp:
    """The stamp that a message carries; InvalidEvent if there is none."""
    stamp = find_stamp(message, carrier=carrier)
    if stamp is None:
        raise InvalidEvent(
            f"the message carries no clock ({HEADER!r}, in a CloudEvent {ATTRIBUTE!r}): "
            'its sender must stamp it; for senders that cannot, set unstamped="accept" or call update instead'
        )
    return stamp


def _carrier(message: Any, name: str | None, verb: str) -> Carrier:
    if name is not None:
        if name not in CARRIERS:
            raise InvalidInput(f"unknown carrier {name!r}; carriers are {', '.join(map(repr, CARRIERS))}")
        return CARRIERS[name]
    if isinstance(message, (list, tuple)):
        return CARRIERS["pairs"]
    if hasattr(message, "items") and hasattr(message, "get"):
        return CARRIERS["cloudevents" if "specversion" in message else "map"]
    raise InvalidInput(
        f"cannot {verb} a {type(message).__name__}; expected a dictionary, headers as a map or as pairs, or a "
        "CloudEvent as a dictionary; for anything else carry the text of process.stamp() yourself"
    )


def _use(function: Callable[..., Any], message: Any, *arguments: str) -> Any:
    try:
        return function(message, *arguments)
    except (TypeError, ValueError, AttributeError):
        raise InvalidInput(
            f"the message does not have the form of its carrier (a map, or a list of pairs); got {_shown(message)}"
        ) from None


def _last(pairs: Iterable[tuple[Any, Any]]) -> Any:
    found = None
    for name, value in pairs:
        if _is_header(name):
            found = value
    return found


def _is_header(name: object) -> bool:
    if isinstance(name, bytes):
        return name.lower() == HEADER.encode()
    return isinstance(name, str) and name.lower() == HEADER


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "..."
