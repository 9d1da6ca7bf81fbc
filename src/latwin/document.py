"""A specification before it is understood: TOML text, or a caller's dictionary, to bounded plain data.

Whatever passes can be encoded, copied and shown: texts are UTF-8, keys are texts, integers have 64 bits, and size and
nesting are bounded. Everything else is a SpecError that names the place.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, NamedTuple

from latwin.errors import SpecError
from latwin.excerpt import place_of
from latwin.toml_mistakes import find_mistake
from latwin.toml_places import MAX_DEPTH, place_in

MAX_LENGTH = 1_000_000
MAX_VALUES = 1_000_000
#: what MessagePack and JSON's readers take without loss
LEAST_INTEGER, LARGEST_INTEGER = -(2**63), 2**63 - 1

_PLAIN = (bool, float, datetime, date, time, type(None))
#: a key of more parts than a specification may have levels; TOML's parser takes quadratic memory for long ones
_LONG_KEY = re.compile(rf"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{MAX_DEPTH}}}""")


class SpecSource(NamedTuple):
    """Where a specification comes from: a name for messages, and the TOML text if there is one."""

    name: str
    text: str | None = None

    def error(self, message: str, path: Sequence[str | int] = ()) -> SpecError:
        """A mistake in what `path` names; if there is a text, with its place."""
        offset = place_in(self.text, path) if self.text is not None else None
        return self.error_at(offset, message) if offset is not None else SpecError(f"{self.name}: {message}")

    def error_at(self, offset: int, message: str) -> SpecError:
        """A mistake at an offset of the text, with its line shown."""
        assert self.text is not None
        place = place_of(self.text, offset)
        told = f"{self.name}: {place}: {message}\n{place.excerpt}"
        return SpecError(told, line=place.line, column=place.column)


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """The table that a TOML text is; raises SpecError for any text that is none, or is too large."""
    if len(text) > MAX_LENGTH:
        raise SpecError(f"{source}: a specification must have at most {MAX_LENGTH:,} characters; got more")
    if _LONG_KEY.search(text):
        raise SpecError(f"{source}: a dotted name must have at most {MAX_DEPTH} parts; got more")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        plain_text = text.replace("\r\n", "\n")  # as the parser counts
        mistake = find_mistake(plain_text, str(error))
        raise SpecSource(source, plain_text).error_at(mistake.offset, mistake.message) from None
    except ValueError:
        raise SpecError(
            f"{source}: an integer must be from -2**63 to 2**63 - 1; got one of some thousand digits"
        ) from None
    except RecursionError:
        raise SpecError(f"{source}: values must be nested at most {MAX_DEPTH} levels deep; got more") from None


def plain(document: Mapping[str, Any], source: str) -> dict[str, Any]:
    """A copy in dictionaries and lists; raises SpecError for what no specification can hold.

    >>> plain({"window": (1, 2)}, "spec")
    {'window': [1, 2]}
    >>> plain({"initial": {"a": {1: 2}}}, "spec")
    Traceback (most recent call last):
    latwin.errors.SpecError: spec: `initial.a`: a name must be a text; got 1
    """
    return _Copier(source).table(document, "", 0)


def shorten(value: object) -> str:
    """A value for a message: not all of it, if it is long."""
    text = repr(value)
    return text if len(text) <= 200 else text[:197] + "..."


class _Copier:
    """Copies values, and counts them."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.values = 0

    def error(self, path: str, message: str) -> SpecError:
        where = f"`{path if len(path) <= 200 else path[:197] + '...'}`: " if path else ""
        return SpecError(f"{self.source}: {where}{message}")

    def table(self, table: Mapping[Any, Any], path: str, depth: int) -> dict[str, Any]:
        found = {}
        for name, value in table.items():
            if not isinstance(name, str):
                raise self.error(path, f"a name must be a text; got {_show_safely(name)}")
            self.text(name, path)
            found[str(name)] = self.value(value, f"{path}.{name}" if path else name, depth + 1)
        return found

    def value(self, value: Any, path: str, depth: int) -> Any:
        self.values += 1
        if depth > MAX_DEPTH:
            raise self.error(path, f"values must be nested at most {MAX_DEPTH} levels deep; got more")
        if self.values > MAX_VALUES:
            raise self.error(path, f"a specification must have at most {MAX_VALUES:,} values; got more")
        if isinstance(value, _PLAIN):
            return value
        if isinstance(value, str):
            return self.text(value, path)
        if isinstance(value, int):
            if not LEAST_INTEGER <= value <= LARGEST_INTEGER:
                raise self.error(
                    path, f"an integer must be from -2**63 to 2**63 - 1; got one of {value.bit_length():,} bits"
                )
            return int(value)
        if isinstance(value, Mapping):
            return self.table(value, path, depth)
        if isinstance(value, list | tuple):
            return [self.value(item, f"{path}[{place}]", depth + 1) for place, item in enumerate(value)]
        raise self.error(path, f"must be plain data (texts, numbers, lists, tables); got {type(value).__name__}")

    def text(self, text: str, path: str) -> str:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise self.error(
                path, f"a text must be valid Unicode; got half of a surrogate pair, {text[error.start]!a}"
            ) from None
        return str(text)


def _show_safely(name: object) -> str:
    """What a key is: its value if that is short, else its type."""
    return repr(name) if isinstance(name, bool | float | None) or _is_short(name) else type(name).__name__


def _is_short(name: object) -> bool:
    return isinstance(name, int) and abs(name) < 10**20
