"""Many events read at once: plain ones as columns, with a few passes in C instead of some lines of Python each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, overload

from latwin.errors import InvalidEvent
from latwin.events.arrival import Arrival
from latwin.events.clocks import LARGEST_ENTRY
from latwin.events.plain import are_plain
from latwin.events.times import read_time

if TYPE_CHECKING:  # programs that only report (latwin.process) need clocks, and no arrays
    import numpy as np
    import numpy.typing as npt

PLAIN_STATES = {dict, NoneType}
_NAMES = {str}
_NUMBERS = {int, float}


class SharedStates:
    """Different states that many events have, of any of some processes; and what was found out of them once."""

    __slots__ = ("are_right", "found", "given", "processes", "states")

    def __init__(self, given: list[Any], processes: int) -> None:
        self.given = given
        self.processes = processes
        #: which of them are plain maps, or None
        self.are_right = _are_states(given)
        #: those that are right; None for the others
        self.states = [state if is_right else None for state, is_right in zip(given, self.are_right, strict=True)]
        #: who found out, and what; for whoever evaluates states
        self.found: tuple[object, Any] | None = None


def _are_states(states: list[Any]) -> list[bool]:
    return [True] * len(states) if _is_state(states) else [_is_state([state]) for state in states]


def _is_state(states: list[Any]) -> bool:
    return PLAIN_STATES.issuperset(map(type, states)) and are_plain(states, [])


class CodedStates(Sequence[Any]):
    """Of a few states, the one that each row has; most of them are never asked for."""

    __slots__ = ("_codes", "_states")

    def __init__(self, states: Sequence[Any], codes: npt.NDArray[np.int64]) -> None:
        self._states, self._codes = states, codes

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._codes)

    @overload
    def __getitem__(self, at: SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, at: slice) -> CodedStates: ...
    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        """The state of a row, or those of some rows."""
        if isinstance(at, slice):
            return CodedStates(self._states, self._codes[at])
        return self._states[self._codes[at]]

    def ordered(self, rows: npt.NDArray[np.int64]) -> CodedStates:
        """The same in another order."""
        return CodedStates(self._states, self._codes[rows])

    def __iter__(self) -> Iterator[Any]:
        """The states of all rows."""
        return map(self._states.__getitem__, self._codes.tolist())


class EventBatch(NamedTuple):
    """Valid events as columns; whether they can be delivered is not judged here."""

    processes: npt.NDArray[np.int64]
    clocks: npt.NDArray[np.int64]
    states: Sequence[Any]
    times: Sequence[Any]
    #: the times in seconds, if they were asked for; else of length 0
    times_s: npt.NDArray[np.float64]
    #: where many events have the same states: these, and which of them each event has
    shared: SharedStates | None = None
    codes: npt.NDArray[np.int64] | None = None

    def ordered(self, rows: npt.NDArray[np.int64]) -> EventBatch:
        """The same events in another order."""
        states, times, numbers = self.states, self.times, rows.tolist()
        return EventBatch(
            self.processes[rows],
            self.clocks[rows],
            states.ordered(rows) if isinstance(states, CodedStates) else [states[row] for row in numbers],
            times if times.count(None) == len(times) else [times[row] for row in numbers],
            self.times_s[rows] if len(self.times_s) else self.times_s,
            self.shared,
            None if self.codes is None else self.codes[rows],
        )

    def arrival(self, row: int) -> Arrival:
        """One of them."""
        process, clock = self.processes.item(row), self.clocks[row].tolist()
        return Arrival(process, clock[process], clock, self.states[row], self.times[row])


def read_batch(
    events: Sequence[Mapping[str, Any]], positions: Mapping[str, int], *, needs_times: bool = False
) -> EventBatch | None:
    """The events as columns, or None if one of them is not plainly right and must be looked at by itself.

    What is accepted here, `read_event` accepts too, with the same content. One thing is left to the order of
    delivery, which no such state passes: that the own entry is not 0. With `needs_times` every event has a time that
    `read_time` can read.
    """
    try:
        processes = [positions[event["process"]] for event in events]
        clocks = [event["clock"] for event in events]
        states = [event.get("state") for event in events]
        times = [event.get("time") for event in events]
    except Exception:  # noqa: BLE001 - whatever is wrong with one of them, or raised by one, is said of that one
        return None
    if not PLAIN_STATES.issuperset(map(type, states)) or not are_plain(states, times):
        return None
    kinds = set(map(type, clocks))
    if kinds == {dict}:
        if not _NAMES.issuperset(map(type, chain.from_iterable(clocks))):
            return None
        if not positions.keys() >= set().union(*clocks):
            return None
        clocks = [[clock.get(name, 0) for name in positions] for clock in clocks]
    elif kinds != {list} or set(map(len, clocks)) != {len(positions)}:
        return None
    if set(map(type, chain.from_iterable(clocks))) != {int}:
        return None
    import numpy as np

    try:
        entries = np.fromiter(chain.from_iterable(clocks), np.int64, len(events) * len(positions))
    except OverflowError:
        return None
    matrix = entries.reshape(len(events), len(positions))
    if matrix.min() < 0 or matrix.max() >= LARGEST_ENTRY:
        return None
    times_s = read_times(times) if needs_times else np.empty(0)
    return None if times_s is None else EventBatch(np.array(processes, np.int64), matrix, states, times, times_s)


def read_times(times: Sequence[Any]) -> npt.NDArray[np.float64] | None:
    """All times in seconds, or None if one of them is none."""
    import numpy as np

    try:
        is_plain = _NUMBERS.issuperset(map(type, times))
        seconds = np.array(times if is_plain else list(map(read_time, times)), np.float64)
    except (InvalidEvent, OverflowError):
        return None
    return seconds if np.isfinite(seconds).all() else None
