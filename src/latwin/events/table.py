"""Events of many groups as columns, from a source that has columns: no map for each event until somebody needs it.

A table says the same as its events as maps, and is read by the same rules: `table.part(3, 9)` is a sequence of events
that a monitor takes as it takes a list of maps, with the same outcome. What is plainly right is found for all rows at
once; every other row becomes a map when it is looked at, and goes the way of single events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, overload

import numpy as np

from latwin.events.clocks import LARGEST_ENTRY
from latwin.events.columns import CodedStates, EventBatch, SharedStates, read_times

if TYPE_CHECKING:
    import numpy.typing as npt

    Int64s = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]


class Clocks(Protocol):
    """Clocks of one form, one row for each."""

    def __getitem__(self, row: int) -> list[int] | dict[str, int]:
        """The clock of a row, as it came."""

    def seated(self, positions: Mapping[str, int]) -> tuple[Int64s, Flags]:
        """The clocks with one entry per process, as positions order them, and which of them are right."""

    def sums(self) -> Int64s | None:
        """How much each of them knows; None if that may be beyond 64 bits."""

    def ordered(self, rows: Int64s) -> Clocks:
        """The same in another order."""


@dataclass(frozen=True)
class ListClocks:
    """Clocks that are lists of one length."""

    entries: Int64s

    def __getitem__(self, row: int) -> list[int]:
        """The clock of a row, as it came."""
        clock: list[int] = self.entries[row].tolist()
        return clock

    def seated(self, positions: Mapping[str, int]) -> tuple[Int64s, Flags]:
        """The clocks themselves, if they have one entry per process, and which of them are right."""
        entries = self.entries
        if entries.shape[1] != len(positions):
            return np.zeros((len(entries), len(positions)), np.int64), np.zeros(len(entries), np.bool_)
        return entries, _are_entries(entries)

    def sums(self) -> Int64s | None:
        """How much each of them knows; None if that may be beyond 64 bits."""
        if _may_overflow(self.entries, self.entries.shape[1]):
            return None
        sums: Int64s = self.entries.sum(axis=1)
        return sums

    def ordered(self, rows: Int64s) -> ListClocks:
        """The same in another order."""
        return ListClocks(self.entries[rows])


@dataclass(frozen=True)
class MapClocks:
    """Clocks that are maps: the entries of row r are those from `offsets[r]` on, each with the code of its name."""

    names: Sequence[str]
    offsets: Int64s
    codes: Int64s
    entries: Int64s

    def __getitem__(self, row: int) -> dict[str, int]:
        """The clock of a row, as it came."""
        own = slice(self.offsets[row], self.offsets[row + 1])
        pairs = zip(self.codes[own].tolist(), self.entries[own].tolist(), strict=True)
        return {self.names[code]: entry for code, entry in pairs}

    def seated(self, positions: Mapping[str, int]) -> tuple[Int64s, Flags]:
        """The clocks with one entry per process, as positions order them, and which of them are right."""
        count = len(self.offsets) - 1
        rows = np.repeat(np.arange(count), np.diff(self.offsets))
        places = np.array([positions.get(name, -1) for name in self.names], np.int64)[self.codes]
        known = places >= 0
        seated = np.zeros((count, len(positions)), np.int64)
        seated[rows[known], places[known]] = self.entries[known]
        right = np.ones(count, np.bool_)
        right[rows[~known | (self.entries < 0) | (self.entries >= LARGEST_ENTRY)]] = False
        return seated, right

    def sums(self) -> Int64s | None:
        """How much each of them knows; None if that may be beyond 64 bits."""
        if _may_overflow(self.entries, len(self.entries)):
            return None
        so_far = np.concatenate([[0], np.cumsum(self.entries)])
        sums: Int64s = so_far[self.offsets[1:]] - so_far[self.offsets[:-1]]
        return sums

    def ordered(self, rows: Int64s) -> MapClocks:
        """The same in another order."""
        sizes = np.diff(self.offsets)[rows]
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        places = np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], sizes)
        return MapClocks(self.names, offsets, self.codes[places], self.entries[places])


def _may_overflow(entries: Int64s, together: int) -> bool:
    """Whether the sum of so many entries may be beyond 64 bits."""
    return bool(entries.size) and max(int(entries.max()), -int(entries.min())) >= LARGEST_ENTRY // together


def _are_entries(entries: Int64s) -> Flags:
    """Which rows have only entries that a clock can have."""
    if not entries.size or entries.view(np.uint64).max() < LARGEST_ENTRY:  # so those below 0 are the largest
        return np.ones(len(entries), np.bool_)
    right: Flags = np.all((entries >= 0) & (entries < LARGEST_ENTRY), axis=1)
    return right


class EventTable:
    """Events, one row each. `states` are the different ones, and `codes` says which of them a row has.

    States are shared by all rows that have them, and by other tables, so nobody may change them.
    """

    def __init__(
        self,
        positions: Mapping[str, int],
        names: Sequence[str],
        named: Int64s,
        clocks: Clocks,
        states: SharedStates,
        codes: Int64s,
        times: Sequence[Any] | None,
    ) -> None:
        """`positions` are the processes' places in the spec's order, and `named` says which of `names` a row has.

        `times` is None if the events have none.
        """
        self._positions = positions
        self._names, self._named = names, named
        self._clocks = clocks
        self._shared, self._states, self.codes = states, states.given, codes
        self._times = times
        #: the position of each row's process, -1 if it is unknown
        self.processes = np.array([positions.get(name, -1) for name in names], np.int64)[named]
        self._seated, right = clocks.seated(positions)
        #: whether process, clock and state of each row are plainly right
        self.is_right = right & (self.processes >= 0)
        if not all(states.are_right):
            self.is_right &= np.array(states.are_right)[codes]
        self._are_all_right = bool(self.is_right.all())

    def __len__(self) -> int:
        """How many events there are."""
        return len(self.processes)

    def ordered(self, rows: Int64s) -> EventTable:
        """The same events in another order."""
        other = copy(self)
        other._named, other.codes = self._named[rows], self.codes[rows]
        other._clocks = self._clocks.ordered(rows)
        other.processes, other._seated = self.processes[rows], self._seated[rows]
        other.is_right = self.is_right[rows]
        if self._times is not None:
            times = self._times
            other._times = [times[row] for row in rows.tolist()]
        return other

    def part(self, begin: int, end: int) -> EventColumns:
        """Some events that follow each other."""
        return EventColumns(self, begin, end)

    def event(self, row: int) -> dict[str, Any]:
        """An event as a map."""
        event = {
            "process": self._names[self._named[row]],
            "clock": self._clocks[row],
            "state": self._states[self.codes[row]],
        }
        return event if self._times is None else {**event, "time": self._times[row]}

    def indices(self) -> Int64s:
        """The index of each row's state, if the row is right."""
        indices: Int64s = self._seated[np.arange(len(self)), self.processes]
        return indices

    def sums(self) -> Int64s | None:
        """How much each row's event knows; None if that may be beyond 64 bits."""
        return self._clocks.sums()

    def read(self, begin: int, end: int, positions: Mapping[str, int], *, needs_times: bool) -> EventBatch | None:
        """Some of the events as columns, or None if one of them is not plainly right; see `read_batch`."""
        if positions != self._positions or not (self._are_all_right or self.is_right[begin:end].all()):
            return None
        times = [None] * (end - begin) if self._times is None else self._times[begin:end]
        times_s = read_times(times) if needs_times else _NO_TIMES
        if times_s is None:
            return None
        codes = self.codes[begin:end]
        own = CodedStates(self._states, codes)
        return EventBatch(
            self.processes[begin:end], self._seated[begin:end], own, times, times_s, self._shared, codes
        )


_NO_TIMES = np.empty(0)


class EventColumns(Sequence[dict[str, Any]]):
    """Events of a table that follow each other: a sequence of maps, which are made when they are asked for."""

    __slots__ = ("_begin", "_end", "_table")

    def __init__(self, table: EventTable, begin: int, end: int) -> None:
        self._table, self._begin, self._end = table, begin, end

    def __len__(self) -> int:
        """How many events there are."""
        return self._end - self._begin

    @overload
    def __getitem__(self, at: SupportsIndex) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> EventColumns: ...
    def __getitem__(self, at: SupportsIndex | slice) -> dict[str, Any] | EventColumns:
        """An event as a map, or some events that follow each other."""
        if isinstance(at, slice):
            begin, end, step = at.indices(len(self))
            assert step == 1, "events are taken in their order"
            return EventColumns(self._table, self._begin + begin, self._begin + max(begin, end))
        row = range(self._begin, self._end)[at]
        return self._table.event(row)

    def read(self, positions: Mapping[str, int], *, needs_times: bool) -> EventBatch | None:
        """The events as columns, or None if one of them must be looked at by itself; see `read_batch`."""
        return self._table.read(self._begin, self._end, positions, needs_times=needs_times)
