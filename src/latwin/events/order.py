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
from typing import TYPE_CHECKING, Any

import msgspec

from latwin.events.envelope import Envelope, Place

if TYPE_CHECKING:  # programs that only report need no arrays
    import numpy as np
    import numpy.typing as npt

    from latwin.events.table import EventTable

    Int64s = npt.NDArray[np.int64]

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


def rows_in_order(
    table: EventTable, groups: Int64s, count: int, numbers: npt.NDArray[Any] | None
) -> tuple[Int64s | None, npt.NDArray[np.bool_]]:
    """The rows of a table, group after group, each group's in their order of arrival; and the groups that are unsure.

    `groups` are the numbers of each row's group, below `count`. `numbers` are the rows' places, all of one rank; None
    if the events' own clocks decide. Rows that are in their order already give None. Of a group that is unsure, the
    rows are together, but `in_order` must decide.
    """
    import numpy as np

    unsure = np.zeros(count, np.bool_)
    if numbers is None:
        numbers = table.sums()
        if numbers is None:
            return np.argsort(groups, kind="stable"), ~unsure
        unsure[groups[~table.is_right]] = True  # what cannot be told comes last
    if _follow(groups, numbers):  # mostly they come so, without ties
        return None, unsure
    order = np.lexsort((numbers, groups))
    if _follow(groups[order], numbers[order]):
        return order, unsure
    totals = table.sums()
    keys = [numbers, table.processes, table.indices(), numbers if totals is None else totals]
    order = np.lexsort((*keys[::-1], groups))
    one, other = order[:-1], order[1:]
    are_ties = (groups[one] == groups[other]) & (numbers[one] == numbers[other])
    one, other = one[are_ties], other[are_ties]
    are_right = table.is_right[one] & table.is_right[other]
    differ = np.logical_or.reduce([key[one] != key[other] for key in keys])
    unsure[groups[one[~(are_right & differ)]]] = True
    return order, unsure


def _follow(groups: Int64s, numbers: npt.NDArray[Any]) -> bool:
    """Whether groups come one after the other, and the events of each without ties in their order."""
    same, later = groups[1:] == groups[:-1], groups[1:] > groups[:-1]
    return bool((later | same & (numbers[1:] > numbers[:-1])).all())


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
        return msgspec.json.encode(event, order="deterministic")
    except (OverflowError, TypeError, msgspec.MsgspecError, RecursionError):  # such as an integer beyond 64 bits
        return repr(event).encode(errors="replace")
