"""Hybrid logical clocks as databases write them: a physical time, and a counter for what happens within it.

    CockroachDB   1451635200000000000.0000000001     nanoseconds, and the counter in ten digits
                  1451635200.000000000,1             seconds with nanoseconds, and the counter, as in its logs
    MongoDB       Timestamp(1451635200, 1)           seconds, and the counter; also Timestamp({ t: 1451635200, i: 1 })
                  {"$timestamp": {"t": 1451635200, "i": 1}}

If a state happened before another, its clock is less; if it is less, nothing is known. But the physical part is never
less than the machine's own clock, and never more than the fastest clock of the system. So it serves as an event's
`time`, and the largest offset between two machines as the spec's `synchrony`: what is later by more than that was
later (Kulkarni et al. 2014; CockroachDB enforces the offset, 500 ms unless told otherwise).
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from latwin.errors import InvalidInput
from latwin.events.plain import show

_FORMS = (
    (re.compile(r"(\d{10,20})(?:\.(\d{10}))?"), "ns"),
    (re.compile(r"(\d{1,11})\.(\d{9}),(\d{1,10})\??"), "s.ns"),
    (re.compile(r"Timestamp\(\s*(\d{1,11})\s*,\s*(\d{1,10})\s*\)"), "s"),
    (re.compile(r"Timestamp\(\s*\{\s*t:\s*(\d{1,11})\s*,\s*i:\s*(\d{1,10})\s*\}\s*\)"), "s"),
)
_LARGEST = 2**63


class HybridTime(NamedTuple):
    """Where a state stands in the total order of a hybrid logical clock."""

    wall_ns: int
    counter: int

    @property
    def seconds(self) -> float:
        """The physical part, as an event's `time`; exact to a microsecond."""
        return self.wall_ns / 1e9


def read_hlc(value: Any) -> HybridTime:
    """The clock in a text, or in MongoDB's extended JSON; InvalidInput if it is none.

    >>> read_hlc("1451635200000000000.0000000007")
    HybridTime(wall_ns=1451635200000000000, counter=7)
    >>> read_hlc("Timestamp(1451635200, 7)") == read_hlc({"$timestamp": {"t": 1451635200, "i": 7}})
    True
    """
    if type(value) is dict and type(value.get("$timestamp")) is dict:
        parts = value["$timestamp"]
        seconds, counter = parts.get("t"), parts.get("i")
        if type(seconds) is int and type(counter) is int and 0 <= seconds < 2**32 and 0 <= counter < 2**32:
            return HybridTime(seconds * 10**9, counter)
    if type(value) is int and 10**9 <= value < _LARGEST:
        return HybridTime(value, 0)
    for form, unit in _FORMS:
        found = form.fullmatch(value.strip()) if type(value) is str else None
        if found is None:
            continue
        time = int(found[1]) * (1 if unit == "ns" else 10**9) + (int(found[2]) if unit == "s.ns" else 0)
        counter = int(found[3] if unit == "s.ns" else found[2] or 0)
        if time < _LARGEST:
            return HybridTime(time, counter)
    raise InvalidInput(
        "a hybrid logical clock must be nanoseconds.counter or seconds.nanoseconds,counter (CockroachDB), or "
        f"Timestamp(seconds, counter) (MongoDB); got {show(value)}"
    )
