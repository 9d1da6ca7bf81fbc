"""Vector clocks as events carry them: a list in the spec's order, or a map from process names."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from latwin.errors import InvalidEvent
from latwin.events.plain import show

#: Clock entries are kept in 64-bit integers, with room for arithmetic on them.
LARGEST_ENTRY = 2**62


def read_clock(clock: Any, positions: Mapping[str, int]) -> list[int]:
    """The clock as one entry per process in the spec's order; absent entries are 0.

    Raises InvalidEvent, naming what is wrong, for anything that is no vector clock over these
    processes. Whether it can follow what was delivered before is not judged here.
    """
    if type(clock) is list and len(clock) == len(positions):  # the common case, checked first
        entries = clock
    elif isinstance(clock, Mapping):
        entries = [0] * len(positions)
        for name, entry in islice(clock.items(), len(positions) + 1):  # of more names, one is unknown
            position = positions.get(name) if isinstance(name, str) else None
            if position is None:
                known = ", ".join(map(repr, positions))
                raise InvalidEvent(f"the clock names the unknown process {show(name)}; processes are {known}")
            entries[position] = entry
    elif isinstance(clock, (list, tuple)):
        if len(clock) != len(positions):
            raise InvalidEvent(f"the clock must have {len(positions)} entries; got {len(clock)}: {show(clock)}")
        entries = list(clock)
    else:
        raise InvalidEvent(
            f"the clock must be a list of {len(positions)} integers or a map from process names; got {show(clock)}"
        )
    for entry in entries:
        if type(entry) is not int or not 0 <= entry < LARGEST_ENTRY:
            raise InvalidEvent(f"clock entries must be integers from 0 to 2**62; got {show(entry)} in {show(clock)}")
    return entries


def read_named_clock(clock: Any) -> dict[str, int]:
    """A clock as a map from names of processes, which nobody listed yet; zeros are left out. InvalidEvent otherwise.

    >>> read_named_clock({"a": 1, "b": 0})
    {'a': 1}
    """
    if not isinstance(clock, Mapping):
        raise InvalidEvent(f"the clock must be a map from process names; got {show(clock)}")
    for name, entry in clock.items():
        if type(entry) is not int or not 0 <= entry < LARGEST_ENTRY:
            raise InvalidEvent(
                f"the clock's entry for {show(name)} must be a whole number from 0 below 2**62; got {show(entry)}"
            )
    return {str(name): entry for name, entry in clock.items() if entry}
