"""Steps as JSON lines: process, local order, ids of messages sent and received, under names that may be given."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from latwin.clocks.records import Reading, Record, shorten, unreadable
from latwin.clocks.step import Step, StepProblem
from latwin.errors import InvalidEvent, InvalidInput
from latwin.events.decoding import MAX_EVENT_BYTES, decode_object, trimmed
from latwin.events.groups import group_of
from latwin.events.reading import too_long

FIELDS = ("group", "process", "order", "sent", "received", "state", "time")


@dataclass(frozen=True)
class JsonSteps:
    """Reads lines such as `{"process": "a", "order": 3, "sent": "m1", "received": ["m0"], "state": {...}}`.

    `names` maps our names to the lines' where they differ. Without a `state`, all other fields are the state.
    A message id is a text or a whole number; `sent` and `received` are one id, a list of them, or absent.
    """

    names: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the names."""
        for name in self.names:
            if name not in FIELDS:
                raise InvalidInput(f"names: unknown field {name!r}; fields are {', '.join(FIELDS)}")

    def records(self, line: bytes) -> Iterator[Record]:
        """The line's object with its group; a line longer than an event may be is not decoded."""
        text = trimmed(line)
        if not text:
            return
        if len(line) > MAX_EVENT_BYTES:
            yield unreadable(too_long(f"{len(line):,}", MAX_EVENT_BYTES), text)
            return
        try:
            row = decode_object(text)
            group = group_of(row, self._name("group"))
        except InvalidEvent as error:
            yield unreadable(str(error), line)
            return
        yield Record(group, row)

    def read(self, group: str, rows: Sequence[Any]) -> Reading:
        """The steps of a group's rows, and a problem for each row that is none."""
        found = [self.step(group, row) for row in rows]
        steps = [each for each in found if isinstance(each, Step)]
        return Reading(steps, [each for each in found if not isinstance(each, Step)])

    def step(self, group: str, row: Any) -> Step | StepProblem:
        """The step that a row is, or why it is none."""
        try:
            return _step(group, row, self._all_names, self._ours)
        except InvalidInput as error:
            return StepProblem("unreadable", str(error), group=group, row=row, is_rejected=True)

    @cached_property
    def _all_names(self) -> tuple[str, ...]:
        """What the fields are called in the lines, without the group's."""
        return tuple(self._name(name) for name in FIELDS[1:])

    @cached_property
    def _ours(self) -> frozenset[str]:
        return frozenset({self._name("group"), *self._all_names})

    def _name(self, name: str) -> str:
        return self.names.get(name, name)


def _step(group: str, row: Mapping[str, Any], names: tuple[str, ...], ours: frozenset[str]) -> Step:
    named_process, named_order, named_sent, named_received, named_state, named_time = names
    process = row.get(named_process)
    if type(process) is int:
        process = str(process)
    if type(process) is not str or not process:
        raise InvalidInput(f"`{named_process}` must name the process; got {shorten(process)}")
    order = row.get(named_order)
    if type(order) is not int:
        order = _order(order, named_order)
    state = row.get(named_state)
    if state is None:
        state = {name: row[name] for name in row if name not in ours}
    elif type(state) is not dict:
        raise InvalidInput(f"`{named_state}` must be an object of variables; got {shorten(state)}")
    sent, received = row.get(named_sent), row.get(named_received)
    return Step(
        process,
        order,
        (sent,) if type(sent) is str and sent else _ids(sent, named_sent),
        () if received is None or received == [] else _ids(received, named_received),
        state,
        row.get(named_time),
        group,
    )


def _order(order: Any, name: str) -> float | str:
    """A number, also one written as a text, as 64-bit numbers often are; else a text."""
    if type(order) is int or (type(order) is float and math.isfinite(order)):
        return order
    if type(order) is str and order:
        return int(order) if order.isascii() and order.isdigit() and len(order) < 20 else order
    raise InvalidInput(
        f"`{name}` must be a number or a text that orders the steps of a process; got {shorten(order)}"
    )


def _ids(given: Any, name: str) -> tuple[str, ...]:
    if given is None or given == "":
        return ()
    ids = given if type(given) is list else [given]
    for message in ids:
        if type(message) is not str and type(message) is not int:
            raise InvalidInput(f"`{name}` must be the id of a message, or a list of ids; got {shorten(given)}")
    return tuple(map(str, ids))
