"""The group rule: which monitored system an event belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from latwin.errors import InvalidEvent
from latwin.events.decoding import type_name


def group_of(event: Mapping[str, Any], name: str = "group") -> str:
    """The group that an event names: its text, or the digits of its integer; "" if it names none.

    Anything else (null, 1.5, true, a list) raises InvalidEvent: two sources might write it differently, and the
    group would fall apart.

    >>> group_of({"group": 7}), group_of({})
    ('7', '')
    """
    return read_group(event.get(name, ""))


def read_group(value: Any) -> str:
    """The group that a value names; InvalidEvent if it can be none."""
    if type(value) is str:
        return value
    if type(value) is int:
        return str(value)
    raise InvalidEvent(f"the group must be a string or an integer; it is {type_name(value)}")
