"""Groups that end: which of them were silent for too long, and what is said of it. No clock is read here.

A group ends when nothing was heard of it for longer than `forget_after`. Time is what events tell:

    heard of       |--------- forget_after ---------|
    ...  e  e  e                                      e         the group's own next event tells: it ended before
    ...  e  e  e                                  other groups' events, or a wall clock, tell: it has ended

Both lead to the same, so it does not matter who tells first. Of a group that ended only its `Past` is kept, some
bytes, for `REMEMBERED` times as long. With it a group that comes back goes on with its clocks where they were, or
begins them again if its program did. Its windows begin anew.

A time that only one group has told ends no other group: one wrong clock would end them all.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from latwin.errors import InvalidEvent
from latwin.events.times import read_time, show_duration
from latwin.model import Counters, Notice

#: how many times `forget_after` a group that ended is known to have been there
REMEMBERED = 10


class Past(msgspec.Struct, array_like=True):
    """What is kept of a group that ended."""

    #: when it was last heard of, in seconds
    last_s: float
    #: per process the index of its last state
    through: list[int]
    #: the same by name, where processes join and leave
    departed: dict[str, int] = {}
    #: whether `last_s` is by the wall clock, as events told no time
    is_by_wall: bool = False


def time_of(event: Any) -> float | None:
    """The time that an event tells, in seconds; None if it tells none.

    >>> time_of({"time": "2026-01-01T00:00:10Z"}) - time_of({"time": 1767225600})
    10.0
    """
    try:
        return read_time(event["time"])
    except (InvalidEvent, LookupError, TypeError, AttributeError):
        return None


def is_over(last_s: float, now_s: float, forget_after_s: float) -> bool:
    """Whether a group that was last heard of then has ended by now."""
    return now_s - last_s > forget_after_s


def is_remembered(last_s: float, now_s: float, forget_after_s: float) -> bool:
    """Whether of a group that ended its past is still known."""
    return not is_over(last_s, now_s, REMEMBERED * forget_after_s)


def told_time(times_s: Iterable[float]) -> float | None:
    """What time it is, by the latest time of each of several groups: the latest that two of them have reached.

    >>> told_time([10.0, 4e9, 11.0]), told_time([10.0])
    (11.0, None)
    """
    latest = heapq.nlargest(2, times_s)
    return latest[1] if len(latest) == 2 else None


def silent(last_s: Mapping[str, float], forget_after_s: float, now_s: float | None = None) -> list[str]:
    """The groups that have ended, by the time that they tell together, or by `now_s` if that is later.

    >>> silent({"a": 0.0, "b": 100.0, "c": 90.0}, 60.0)
    ['a']
    >>> silent({"a": 0.0, "b": 100.0}, 60.0), silent({"a": 0.0, "b": 100.0}, 60.0, now_s=61.0)
    ([], ['a'])
    """
    told_s = told_time(last_s.values())
    times = [time for time in (told_s, now_s) if time is not None]
    if not times:
        return []
    now_s = max(times)
    return [group for group, heard_s in last_s.items() if is_over(heard_s, now_s, forget_after_s)]


def why_over(forget_after_s: float | None) -> str:
    """Why a group ended: it was silent, or somebody told so."""
    return (
        "told to end"
        if forget_after_s is None
        else f"silent for more than forget_after={show_duration(forget_after_s)}"
    )


def ended(values: Mapping[str, bool | None], counters: Counters, last_s: float | None, why: str) -> Notice:
    """A group that ended, with the last value of each property, and its counters."""
    true = [name for name, value in values.items() if value]
    held = f"{', '.join(true)} held" if true else "no property held"
    waited = f", {counters.waiting:,} waited" if counters.waiting else ""
    reason = f"{why}: forgotten after {counters.delivered:,} states{waited}; at last {held}"
    told = {"values": dict(values), "counters": msgspec.structs.asdict(counters)}
    return Notice(kind="ended", reason=reason, event={**told, "time": last_s})


def returned(since_s: float | None, past: Past, *, goes_on: bool) -> Notice:
    """A group that ended and is there again."""
    silence = "" if since_s is None else f" after {show_duration(since_s)} of silence"
    clocks = f"go on after {past.through or past.departed}" if goes_on else "begin again, too"
    return Notice(kind="returned", reason=f"came back{silence}: its windows begin anew, its clocks {clocks}")
