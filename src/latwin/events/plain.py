"""Plain data: what an event may hold, so that it can be compared, kept in a snapshot, written as JSON and shown.

Plain values are those of JSON: maps with texts as names, lists, texts that are valid Unicode, numbers, booleans and
null, of Python's own types. Nesting, the number of values and the digits of an integer are bounded. An event from a
line is plain when it was decoded; one that a program hands over may hold anything, and is judged here.

Only objects of Python's own types are looked into without a guard. An object of any other class may raise whatever
it likes; `read_event` turns that into a reject.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from numbers import Integral
from operator import index
from types import NoneType
from typing import Any

import msgspec

from latwin.errors import InvalidEvent
from latwin.events.decoding import MAX_DEPTH

#: An event with more values is rejected. A line has fewer, but a list that contains itself has no end.
MAX_VALUES = 200_000
#: Python reads and writes integers of at most 4,300 digits; each integer of so many bits is among them.
MAX_BITS = 14_284
#: types whose every value is plain
SCALARS = frozenset({bool, float, NoneType})
_FLAT = SCALARS | {int, str}
_encode = msgspec.msgpack.Encoder().encode
_CARRIED_VALUES = 10_000
_SHOWN_CHARACTERS = 200
_SHOWN_VALUES = 50
_SHOWN_DEPTH = 5


def are_plain(states: Sequence[dict[Any, Any] | None], times: Sequence[Any]) -> bool:
    """Whether all of these states and times, which are inside of events, are plain. Raises nothing.

    The same as `is_plain` of each, at a small part of its cost for states without maps and lists in them: then types
    are compared here, and MessagePack's encoder looks for integers beyond 64 bits and texts that cannot be written.
    Of names it takes any kind of text; among values it takes only Python's own.
    """
    try:
        given = list(filter(None, states))
        names = list(chain.from_iterable(given))
        "".join(names)  # raises TypeError for a name that is no text
        _encode(names)
        kinds = set(map(type, chain.from_iterable(map(dict.values, given)))).union(map(type, times))
        if kinds <= _FLAT and len(names) <= MAX_VALUES:
            if not kinds <= SCALARS:
                _encode(given)
                _encode(times)
            return True
    except (TypeError, ValueError, OverflowError):
        pass
    return all(is_plain(value, MAX_DEPTH - 1) for value in chain(states, times))


def is_simple(value: Any) -> bool:
    """Whether a value is plain, seen at first glance: a number or short text, or a map of those. Raises nothing."""
    kind = type(value)
    if kind is dict:
        for name, inner in value.items():
            if type(name) is not str or not name.isascii() or type(inner) is dict or not is_simple(inner):
                return False
        return len(value) <= MAX_VALUES
    if kind is str:
        return bool(value.isascii())
    return kind in SCALARS or (kind is int and bool(-(1 << 62) < value < 1 << 62))


def is_plain(value: Any, levels: int = MAX_DEPTH) -> bool:
    """Whether a value is plain as it is, with at most so many levels of maps and lists. Raises nothing.

    >>> is_plain({"x": [1, None]}), is_plain({"x": (1, None)}), is_plain("half of a pair: \\ud800")
    (True, False, False)
    """
    room = MAX_VALUES
    layer = [value]
    for left in range(levels, -1, -1):
        inside: list[Any] = []
        for item in layer:
            kind = type(item)
            if kind is str:
                if not is_unicode(item):
                    return False
            elif kind is int:
                if item.bit_length() > MAX_BITS:
                    return False
            elif kind is dict or kind is list:
                room -= len(item)
                if not left or room < 0 or (kind is dict and not are_names(item)):
                    return False
                inside.extend(item.values() if kind is dict else item)
            elif kind not in SCALARS:
                return False
        if not inside:
            return True
        layer = inside
    return True


def are_names(names: Any) -> bool:
    """Whether all of them are texts that can be written."""
    return all(type(name) is str and is_unicode(name) for name in names)


def is_unicode(text: str) -> bool:
    """Whether a text can be written: it has no half of a surrogate pair."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def plain(value: Any, what: str, levels: int = MAX_DEPTH) -> Any:
    """The value itself if it is plain, else a plain copy with the same meaning; `what` names it in messages.

    Mappings become maps, tuples become lists, and instances of subclasses of texts and numbers become those. Raises
    InvalidEvent for anything else, and whatever the value's own methods raise.

    >>> plain({"x": (1, 2)}, "the state")
    {'x': [1, 2]}
    >>> plain({"x": {1, 2}}, "the state")
    Traceback (most recent call last):
    latwin.errors.InvalidEvent: the state must be plain data, as in JSON; `x` is a set
    """
    return value if is_plain(value, levels) else _Copier(what).value(value, "", levels)


def carried(event: Any) -> Any:
    """What is shown of a rejected event: the event itself if it is plain, else a plain likeness. Raises nothing.

    In a likeness, whatever is not plain is a text in angle brackets, and what is too much is left out.

    >>> carried({"state": {1, 2}})
    {'state': '<set>'}
    """
    return event if is_plain(event) else _Likeness(_CARRIED_VALUES).value(event, MAX_DEPTH)


def show(value: Any) -> str:
    """Any value for a message, in at most two hundred characters. Raises nothing."""
    if type(value) is str:
        value = value[: _SHOWN_CHARACTERS + 1]
    text = repr(_Likeness(_SHOWN_VALUES).value(value, _SHOWN_DEPTH))
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 3] + "..."


class _Copier:
    """Copies what can be made plain, and says where something cannot."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._room = MAX_VALUES

    def value(self, value: Any, path: str, levels: int) -> Any:
        if isinstance(value, (str, bool, float, NoneType)):
            return self._scalar(value, path)
        if isinstance(value, Integral):
            return self._integer(index(value), path)
        if not isinstance(value, (Mapping, list, tuple)):
            raise self._error(path, f"is a {type(value).__name__}")
        if not levels:
            raise InvalidEvent(f"{self._what} is nested too deeply: at most {MAX_DEPTH} levels are read")
        if isinstance(value, Mapping):
            return {
                self._name(name, path): self.value(inner, f"{path}.{show(name)[1:-1]}" if path else name, levels - 1)
                for name, inner in self._bounded(value.items())
            }
        return [self.value(inner, f"{path}[{place}]", levels - 1) for place, inner in enumerate(self._bounded(value))]

    def _bounded(self, items: Any) -> Any:
        for item in items:
            self._room -= 1
            if self._room < 0:
                raise InvalidEvent(f"{self._what} has more than {MAX_VALUES:,} values")
            yield item

    def _scalar(self, value: Any, path: str) -> Any:
        if isinstance(value, str):
            text = str.__str__(value)
            if not is_unicode(text):
                raise self._error(path, "has half of a surrogate pair")
            return text
        return float.__float__(value) if isinstance(value, float) else value

    def _integer(self, value: int, path: str) -> int:
        if value.bit_length() > MAX_BITS:
            size = f"{value.bit_length():,} bits"
            raise self._error(path, f"is an integer of {size}, and at most {MAX_BITS:,} bits are read")
        return int.__int__(value)

    def _name(self, name: Any, path: str) -> str:
        if not isinstance(name, str):
            raise self._error(path, f"has a name that is no text: {show(name)}")
        return str(self._scalar(name, path))

    def _error(self, path: str, problem: str) -> InvalidEvent:
        where = f"`{path[:_SHOWN_CHARACTERS].encode(errors='backslashreplace').decode()}`" if path else "it"
        return InvalidEvent(f"{self._what} must be plain data, as in JSON; {where} {problem}")


class _Likeness:
    """Copies anything into plain data, at most so many values of it; calls no method that is not Python's own."""

    def __init__(self, most: int) -> None:
        self._room = most

    def value(self, value: Any, levels: int) -> Any:
        self._room -= 1
        kind = type(value)
        if kind in SCALARS:
            return value
        if kind is str:
            return value.encode(errors="backslashreplace").decode()
        if kind is int:
            return value if value.bit_length() <= MAX_BITS else f"<an integer of {value.bit_length():,} bits>"
        if kind is dict and levels:
            return {self._name(name): self.value(inner, levels - 1) for name, inner in self._some(value.items())}
        if kind in (list, tuple) and levels:
            return [self.value(inner, levels - 1) for inner in self._some(value)]
        return f"<{kind.__name__.encode(errors='backslashreplace').decode()}>"

    def _some(self, items: Any) -> Any:
        for item in items:
            if self._room <= 0:
                return
            yield item

    def _name(self, name: Any) -> str:
        return str(self.value(name, 0))
