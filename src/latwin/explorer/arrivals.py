"""The order in which a pipeline takes the events of one batch, without Spark, for `latwin serve` to say the same.

The rule is that of `latwin.spark.lines` and `latwin.spark.shard`; a test compares them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import msgspec

#: after all processes and indices there are
_LAST = 1 << 62
#: names that mean something between a pipeline's parts; in a line they mean nothing
_RESERVED = frozenset({"order", "oversize", "state_json", "unreadable"})


def group_of(event: Mapping[str, Any]) -> str | None:
    """The group of an event, "" if it names none; None if what it names can be no group."""
    group = event.get("group", "")
    if type(group) is int:
        return str(group)
    return group if type(group) is str else None


def in_order(events: Iterable[Mapping[str, Any]], positions: Mapping[str, int]) -> list[Mapping[str, Any]]:
    """Events of one batch, group by group, each group's as a pipeline takes them; groups as they first appear.

    By `arrival`, else by `time` (numbers before texts), else by cause; ties by process, index, then content.
    """
    groups: dict[str | None, list[Mapping[str, Any]]] = {}
    for event in events:
        groups.setdefault(group_of(event), []).append(event)
    return [event for found in groups.values() for event in _sorted(found, positions)]


def _sorted(events: list[Mapping[str, Any]], positions: Mapping[str, int]) -> list[Mapping[str, Any]]:
    keyed = sorted(((_key(event, positions), event) for event in events), key=lambda pair: pair[0])
    if any(one[0] == other[0] for one, other in pairwise(keyed)):
        keyed.sort(key=lambda pair: (pair[0], _content(pair[1])))
    return [event for _, event in keyed]


def _key(event: Mapping[str, Any], positions: Mapping[str, int]) -> tuple[int, Any, int, Any, Any]:
    place = _place(event)
    process, clock = event.get("process"), event.get("clock")
    position = positions.get(process, _LAST) if isinstance(process, str) else _LAST
    index: Any = _LAST
    total: Any = _LAST
    try:
        if isinstance(clock, dict):
            total, index = sum(clock.values()), clock.get(event["process"], 0)
        else:
            total, index = sum(clock), clock[position]  # type: ignore[arg-type,index]
    except (TypeError, IndexError, KeyError):
        total = index = _LAST
    return (3, 0, position, index, total) if place is None else (2, place, position, index, total)


def _place(event: Mapping[str, Any]) -> tuple[int, Any, str] | None:
    """What orders events of any kind among each other: rank, number, text; None comes last."""
    for rank, name in enumerate(("arrival", "time")):
        value = event.get(name)
        if type(value) is int or type(value) is float:
            return 2 * rank, value, ""
        if type(value) is str:
            return 2 * rank + 1, 0, value
    clock = event.get("clock")
    try:
        return 4, sum(clock.values() if isinstance(clock, dict) else clock), ""  # type: ignore[arg-type]
    except TypeError:
        return None


def _content(event: Mapping[str, Any]) -> bytes:
    """The text by which a pipeline tells events with the same key apart: with what it adds to them, where it does."""
    group, order = group_of(event), {"order": _place(event)}
    if event and _RESERVED.isdisjoint(event) and type(event.get("group")) is not int:
        whole = {**event, **order} if "group" in event else {**event, **order, "group": group}
    else:
        kept = {name: value for name, value in event.items() if name not in _RESERVED}
        whole = {**kept, "group": group, **order}
    try:
        return msgspec.json.encode(whole)
    except (OverflowError, msgspec.MsgspecError, RecursionError):  # such as an integer beyond 64 bits
        return repr(whole).encode(errors="replace")
