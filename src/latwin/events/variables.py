"""`[variables]` of a spec: how the events of a log become states.

A log tells what happened, a property asks what held. Variables are taken from an event's text by regular
expressions with named groups, and from its fields; each keeps its value until an event changes it.

    [variables]
    text = ["became (?<role>leader|follower)", 'term=(?<term>\\d+)']
    fields = ["queue", "pkt.size"]            # or a table: { size = "pkt.size" }
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from latwin.errors import InvalidEvent, InvalidInput, SpecError
from latwin.events.decoding import MAX_DEPTH
from latwin.events.expressions import Expression
from latwin.events.plain import plain

#: The variable that every event of a log has: its text.
EVENT = "event"
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_DECIMAL = re.compile(r"-?\d+\.\d+(?:[eE][+-]?\d+)?")
_WORDS = {"true": True, "false": False, "null": None}
_MISSING = object()
#: what else an event has; these are no fields of a record
_OWN = frozenset({"process", "clock", "state", "group", "time", "arrival", "leave", EVENT})


class Variables:
    """What an event of a log says of its process's variables; without a table, all of its fields."""

    def __init__(self, table: Mapping[str, Any] | None = None, *, source: str = "spec") -> None:
        self._all = table is None
        table = table or {}
        unknown = [name for name in table if name not in ("text", "fields")]
        if unknown:
            raise SpecError(f"{source}: `variables` has `text` and `fields`; got {unknown[0]!r}")
        self._expressions = [_compile(text, source) for text in _texts(table.get("text", []), source)]
        self._paths = _paths(table.get("fields", []), source)

    @property
    def takes_all(self) -> bool:
        """Whether there is no table, so that all fields are taken, and a state that an event carries is whole."""
        return self._all

    def apply(self, event: Any) -> Any:
        """An event with a state that tells what it changes; what has not the form of one comes back as it is."""
        state = event.get("state") if isinstance(event, Mapping) else _MISSING
        if state is not None and not isinstance(state, Mapping):
            return event
        if state is not None and type(state) is not dict:  # it may have no end
            state = plain(state, "the state", MAX_DEPTH - 1)
        text = event.get(EVENT)
        fields = {name: value for name, value in event.items() if name not in _OWN}
        return {**event, "state": self.changes(text if isinstance(text, str) else "", fields, state)}

    def changes(self, text: str, fields: Mapping[str, Any], state: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The variables that an event sets: those it says nothing of keep their values.

        A `state` that the event carries is taken as it is. Raises InvalidEvent if an expression takes too long on
        the text.
        """
        found: dict[str, Any] = dict(fields) if self._all else {}
        for name, path in self._paths.items():
            value = _look_up(fields, path)
            if value is not _MISSING:
                found[name] = value
        for expression in self._expressions:
            try:
                match = expression.search(text)
            except InvalidInput as error:
                raise InvalidEvent(f"`variables.text`: {error}") from None
            if match is not None:
                found.update((name, typed(value)) for name, value in match.groupdict().items() if value is not None)
        return {**found, EVENT: text} if state is None else {**found, **state}


def typed(text: str) -> Any:
    """A number or truth value if the text reads as one, so that it can be compared as one; else the text."""
    if _INTEGER.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    return _WORDS.get(text, text)


def _texts(value: Any, source: str) -> list[str]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise SpecError(f"{source}: `variables.text` must be a regular expression or a list of them; got {value!r}")
    return texts


def _compile(text: str, source: str) -> Expression:
    try:
        expression = Expression(text)
    except InvalidInput as error:
        raise SpecError(f"{source}: `variables.text`: {error}") from None
    if not expression.groups:
        raise SpecError(
            f"{source}: `variables.text`: an expression needs a named group, such as (?<term>\\d+); got {text}"
        )
    return expression


def _paths(value: Any, source: str) -> dict[str, tuple[str, ...]]:
    named = {path: path for path in value} if isinstance(value, list) and _are_texts(value) else value
    if not isinstance(named, Mapping) or not _are_texts(named.values()):
        raise SpecError(
            f"{source}: `variables.fields` must be a list of fields, or a table from names to fields; got {value!r}"
        )
    found: dict[str, tuple[str, ...]] = {}
    for given, path in named.items():
        name = given.rsplit(".", 1)[-1] if isinstance(value, list) else given
        if name in found:
            raise SpecError(
                f"{source}: `variables.fields`: {'.'.join(found[name])!r} and {path!r} would both be {name!r}; name "
                'them in a table, { name = "field" }'
            )
        found[name] = tuple(path.split("."))
    return found


def _are_texts(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def _look_up(fields: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    """The value at a path; a field may also be named as the whole path is written."""
    whole = fields.get(".".join(path), _MISSING)
    if whole is not _MISSING:
        return whole
    value: Any = fields
    for name in path:
        if not isinstance(value, Mapping) or name not in value:
            return _MISSING
        value = value[name]
    return value
