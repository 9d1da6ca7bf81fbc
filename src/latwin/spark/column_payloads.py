"""Events as columns on their way through the shuffle: one payload per shard and chunk of input.

Where a DataFrame's columns are typed, nothing of an event needs to be text: its columns travel as plain arrays, and
texts and states that repeat are written once (`column_packing` writes them). A worker makes an `EventTable` of all
payloads of its shard, in which the events of a group are together and in their order of arrival.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, SupportsIndex, overload

import msgspec
import numpy as np
import numpy.typing as npt

from latwin.errors import InvalidEvent
from latwin.events import Envelope, Place
from latwin.events.columns import SharedStates
from latwin.events.decoding import MAX_DEPTH, decode_json, is_deeper
from latwin.events.order import rows_in_order
from latwin.events.table import Clocks, EventColumns, EventTable, ListClocks, MapClocks

SCHEMA = "shard int, payload binary"
#: states of so few bytes, as they are encoded, are kept for the next shards
_FEW_BYTES = 4096
_MARK = b"\xc1"  # MessagePack never uses it, and neither JSON nor UTF-8 begins with it


class Numbers(msgspec.Struct, array_like=True):
    """An array, as bytes with the name of their type."""

    kind: str
    data: bytes

    @classmethod
    def of(cls, array: npt.NDArray[Any]) -> Numbers:
        """An array as it is."""
        return cls(array.dtype.str, array.tobytes())

    def array(self) -> npt.NDArray[Any]:
        """The array again, not to be written to."""
        return np.frombuffer(self.data, self.kind)


class States(msgspec.Struct, array_like=True):
    """The different states: JSON texts, or the values of each variable."""

    texts: list[str | None] | None = None
    #: whether texts are a user's own, which may be anything
    are_given: bool = False
    names: list[str] = []
    values: list[list[Any]] = []
    #: which of them are null
    nulls: list[int] = []


class Payload(msgspec.Struct, array_like=True):
    """Events of one shard, those of a group together and in their order."""

    groups: list[str]
    counts: Numbers
    processes: list[str]
    process: Numbers
    #: the entries of all clocks, one after the other: of lists, each with `width` entries, or of maps of these sizes,
    #: where `named` says which name an entry has
    entries: Numbers
    width: int
    sizes: Numbers | None
    names: list[str] | None
    named: Numbers | None
    #: `States` as they are encoded: mostly all payloads have the same, which then are read once
    states: msgspec.Raw
    state: Numbers
    #: what orders them, and each one's number in that order; None: their clocks do
    rank: int | None
    number: Numbers | None
    #: the events' times, if they have any: texts, or numbers of which the texts are made
    times: list[str | None] | None
    time_numbers: Numbers | None


def encode(payload: Payload) -> bytes:
    """The payload as bytes."""
    return _MARK + msgspec.msgpack.encode(payload)


def encode_states(states: States) -> msgspec.Raw:
    """States as a payload has them."""
    return msgspec.Raw(msgspec.msgpack.encode(states))


def decode(payload: bytes) -> Payload | None:
    """The columns in a payload; None if it has envelopes."""
    return _DECODER.decode(memoryview(payload)[1:]) if payload[:1] == _MARK else None


_DECODER = msgspec.msgpack.Decoder(Payload)
_STATES_DECODER = msgspec.msgpack.Decoder(States)


def open_payloads(
    payloads: Sequence[Payload], positions: Mapping[str, int]
) -> tuple[dict[str, ColumnEnvelopes], list[Envelope]]:
    """The events of each group in their order of arrival, and envelopes of those of which columns cannot tell it.

    A group is in one of the two. `positions` are the processes' names and places in the spec's order.
    """
    forms: dict[tuple[bool, int], list[Payload]] = {}
    for payload in payloads:  # lists of different lengths cannot be one array
        forms.setdefault((payload.names is None, payload.width), []).append(payload)
    tables = [_Rows(some, positions) for some in forms.values()]
    groups = tables[0].parts() if len(tables) == 1 else {}
    return groups, [envelope for table in tables for envelope in table.envelopes(groups)]


class _Rows:
    """The rows of payloads whose clocks have the same form, sorted by group and by their order of arrival."""

    def __init__(self, payloads: Sequence[Payload], positions: Mapping[str, int]) -> None:
        numbers: dict[str, int] = {}
        names: list[str] = []
        groups, named, codes = [], [], []
        times: list[str | None] = []
        firsts, states, self._unreadable = _open_states(payloads, len(positions))
        for each in payloads:
            own = np.array([numbers.setdefault(group, len(numbers)) for group in each.groups], np.int64)
            groups.append(np.repeat(own, each.counts.array()))
            named.append(each.process.array() + np.int64(len(names)))
            names += each.processes
            codes.append(each.state.array() + np.int64(firsts[bytes(each.states)]))
            times += _read_times(each)
        self._names = list(numbers)
        self._rank = payloads[0].rank
        places = None if self._rank is None else _joined([_array(each.number) for each in payloads])
        table = EventTable(
            positions,
            names,
            _joined(named),
            _read_clocks(payloads),
            states,
            _joined(codes),
            times or None,
        )
        of_rows = _joined(groups)
        order, self._unsure = rows_in_order(table, of_rows, len(numbers), places)
        if order is None:
            self._groups, self.table, self._places = of_rows, table, places
        else:
            self._groups, self.table = of_rows[order], table.ordered(order)
            self._places = None if places is None else places[order]
        if self._unreadable:
            self._unsure[self._groups[np.isin(self.table.codes, list(self._unreadable))]] = True

    def parts(self) -> dict[str, ColumnEnvelopes]:
        """The events of the groups of which columns tell everything."""
        ends = np.cumsum(np.bincount(self._groups, minlength=len(self._names))).tolist()
        told = zip(self._names, [0, *ends], ends, self._unsure.tolist(), strict=False)
        return {
            name: ColumnEnvelopes(self, name, begin, end) for name, begin, end, is_unsure in told if not is_unsure
        }

    def events(self, begin: int, end: int) -> EventColumns:
        """Some rows, as events."""
        return self.table.part(begin, end)

    def envelopes(self, known: Mapping[str, object]) -> Iterator[Envelope]:
        """The events of all groups but the known ones."""
        if len(known) == len(self._names):
            return
        for row, number in enumerate(self._groups.tolist()):
            if self._names[number] not in known:
                yield self.envelope(row, self._names[number])

    def envelope(self, row: int, group: str) -> Envelope:
        """A row as an envelope of its group."""
        place = None if self._rank is None or self._places is None else Place(self._rank, self._places[row].item())
        envelope = Envelope(group=group, order=place, event=self.table.event(row))
        envelope.state_text = self._unreadable.get(int(self.table.codes[row]))
        return envelope


class ColumnEnvelopes(Sequence[Envelope]):
    """Events of a group in their order, as envelopes, which are made when they are asked for."""

    __slots__ = ("_begin", "_end", "_group", "_rows")

    def __init__(self, rows: _Rows, group: str, begin: int, end: int) -> None:
        self._rows, self._group, self._begin, self._end = rows, group, begin, end

    def __len__(self) -> int:
        """How many events there are."""
        return self._end - self._begin

    @overload
    def __getitem__(self, at: SupportsIndex) -> Envelope: ...
    @overload
    def __getitem__(self, at: slice) -> ColumnEnvelopes: ...
    def __getitem__(self, at: SupportsIndex | slice) -> Envelope | ColumnEnvelopes:
        """An envelope, or some that follow each other."""
        rows = range(self._begin, self._end)[at]
        if isinstance(rows, range):
            return ColumnEnvelopes(self._rows, self._group, rows.start, max(rows.start, rows.stop))
        return self._rows.envelope(rows, self._group)

    @property
    def table(self) -> EventTable:
        """The events of all groups, in which `rows` are those of this one: the first, and the one after the last."""
        return self._rows.table

    @property
    def rows(self) -> tuple[int, int]:
        """Where the events are in the table."""
        return self._begin, self._end

    @property
    def events(self) -> EventColumns:
        """The events as columns, which a monitor takes."""
        return self._rows.events(self._begin, self._end)


def _joined(arrays: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Arrays one after the other; mostly there is one."""
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _array(numbers: Numbers | None) -> npt.NDArray[Any]:
    assert numbers is not None, "all payloads of a source have the same columns"
    return numbers.array()


def _read_times(payload: Payload) -> list[str | None]:
    if payload.time_numbers is None:
        return payload.times or []
    return list(map(str, payload.time_numbers.array().tolist()))


def _read_clocks(payloads: Sequence[Payload]) -> Clocks:
    """The clocks of all payloads, which are all lists of a length, or all maps."""
    # Always a copy: the kernels are compiled for arrays that may be written to.
    entries = _joined([each.entries.array() for each in payloads]).astype(np.int64)
    if payloads[0].names is None:
        return ListClocks(entries.reshape(-1, payloads[0].width))
    names: list[str] = []
    codes, sizes = [], []
    for each in payloads:
        codes.append(_array(each.named) + np.int64(len(names)))
        sizes.append(_array(each.sizes))
        names += each.names or []
    offsets = np.concatenate([[0], np.cumsum(np.concatenate(sizes), dtype=np.int64)])
    return MapClocks(names, offsets, np.concatenate(codes), entries)


class _OpenStates(NamedTuple):
    """The different states of payloads."""

    #: the number of the first of those that have this encoded form
    firsts: dict[bytes, int]
    shared: SharedStates
    #: those that cannot be read: their numbers, and the texts
    unreadable: dict[int, str]


def _open_states(payloads: Sequence[Payload], processes: int) -> _OpenStates:
    """The states of payloads of a spec with so many processes."""
    encoded = tuple(dict.fromkeys(bytes(each.states) for each in payloads))
    few = sum(map(len, encoded)) <= _FEW_BYTES
    return _read_few(encoded, processes) if few else _read_all(encoded, processes)


def _read_all(encoded: Sequence[bytes], processes: int) -> _OpenStates:
    firsts: dict[bytes, int] = {}
    states: list[Any] = []
    unreadable: dict[int, str] = {}
    for each in encoded:
        firsts[each] = len(states)
        states += _read_states(_STATES_DECODER.decode(each), len(states), unreadable)
    return _OpenStates(firsts, SharedStates(states, processes), unreadable)


#: the same for the few states that all shards of a batch, and most batches, have
_read_few = lru_cache(maxsize=64)(_read_all)


def _read_states(states: States, first: int, unreadable: dict[int, str]) -> list[Any]:
    """The different states; those that cannot be read, from number `first` on, are told with their texts."""
    if states.texts is None:
        found: list[Any] = [dict(zip(states.names, row, strict=True)) for row in zip(*states.values, strict=True)]
        for row in states.nulls:
            found[row] = None
        return found
    if not states.are_given:
        return [None if text is None else msgspec.json.decode(text) for text in states.texts]
    found = []
    for text in states.texts:
        state = None
        if text is not None:
            try:
                state = decode_json(text)
            except InvalidEvent:
                unreadable[first + len(found)] = text
            else:
                if is_deeper(state, MAX_DEPTH - 1):
                    state, unreadable[first + len(found)] = None, text
        found.append(state)
    return found
