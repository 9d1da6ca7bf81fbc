"""The order rule: in which order the events of one batch arrive at their group's monitor.

Events go by their `arrival` if they have it, else by their `time`, else by cause (the sum of the clock, which grows
along every way that causes take). Numbers come before texts, texts go by their characters. Ties go by process, index,
and at last by content, so that the order never depends on the way in which the events were brought.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise
from operator import itemgetter, lt
from typing import Any

import msgspec

from latwin.events.envelope import Envelope, Place

#: what orders events, and the rank of its numbers; its texts have the next one
RANKS = {"arrival": 0, "time": 2}
_RANKS = tuple(RANKS.items())
_BY_CAUSE = 4
_LAST = 1 << 62


def place_of(event: Mapping[str, Any]) -> Place | None:
    """An event's place by its `arrival` or `time`; None if it has neither.

    >>> place_of({"time": 8.5})
    Place(rank=2, number=8.5, text='')
    """
    for name, rank in _RANKS:
        value = event.get(name)
        if value is None:
            continue
        kind = type(value)
        if kind is int or (kind is float and math.isfinite(value)):
            return Place(rank, value)
        if kind is str or kind is float:
            return Place(rank + 1, 0, str(value))
    return None


def by_group(envelopes: Iterable[Envelope]) -> dict[str, list[Envelope]]:
    """The envelopes of each group, which all must have, as they come; groups as they first appear."""
    groups: dict[str, list[Envelope]] = {}
    for envelope in envelopes:
        group = envelope.group
        assert group is not None
        if group in groups:
            groups[group].append(envelope)
        else:
            groups[group] = [envelope]
    return groups


def in_order(envelopes: list[Envelope], positions: Mapping[str, int]) -> list[Envelope]:
    """The envelopes of one group in their order of arrival.

    `positions` are the processes' names and places in the spec's order.
    """
    places: list[Any] = [envelope.order for envelope in envelopes]
    try:
        if all(map(lt, places, places[1:])):  # mostly they come so, without ties
            return envelopes
    except TypeError:  # some have no place
        pass
    keyed = sorted(((_key(envelope, positions), envelope) for envelope in envelopes), key=itemgetter(0))
    if any(one[0] == other[0] for one, other in pairwise(keyed)):
        keyed.sort(key=lambda pair: (pair[0], _content(pair[1].event)))
    return [envelope for _, envelope in keyed]


def _key(envelope: Envelope, positions: Mapping[str, int]) -> tuple[Any, ...]:
    total, process, index = _cause(envelope.event, positions)
    place = envelope.order or Place(_BY_CAUSE, total)
    return place.rank, place.number, place.text, process, index, total


def _cause(event: Mapping[str, Any], positions: Mapping[str, int]) -> tuple[Any, int, Any]:
    """How much an event knows, its process's position, its index; what cannot be told comes last."""
    clock, name = event.get("clock"), event.get("process")
    process = positions.get(name, _LAST) if isinstance(name, str) else _LAST
    try:
        if isinstance(clock, dict):
            return sum(clock.values()), process, clock.get(name, 0) if isinstance(name, str) else 0
        return sum(clock), process, clock[process]  # type: ignore[arg-type,index]
    except (TypeError, IndexError, OverflowError):  # the last by an integer beyond floating point, beside a float
        return _LAST, process, _LAST


def _content(event: Any) -> bytes:
    try:
        return msgspec.json.encode(event)
    except (OverflowError, TypeError, msgspec.MsgspecError, RecursionError):  # such as an integer beyond 64 bits
        return repr(event).encode(errors="replace")
