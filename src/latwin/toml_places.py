"""Where the names of a TOML text stand, which TOML's parser does not tell.

The text is read as loosely as possible: whether it is valid was, or will be, said by the parser.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

#: what leads to a value: names of tables and fields, and places in lists
Path = tuple[str | int, ...]

MAX_DEPTH = 30
_TOKEN = re.compile(
    # Strings of many lines may end with quotes of their own. Nothing is tried twice: a text may be long.
    r""" \"{3} (?: [^"\\]++ | \\. | "(?!"") )*+ "{3,5} """
    r""" | '{3} (?: [^']++ | '(?!'') )*+ '{3,5} """
    r""" | " (?: [^"\\\n]++ | \\. )*+ " | ' [^'\n]*+ ' """
    r""" | (?P<blank> \#[^\n]*+ | [^\S\n]++ )"""
    r""" | (?P<sign> [\[\]{},=.\n] )"""
    r""" | [^\s"'\#\[\]{},=.]++ """
    r""" | . """,
    re.DOTALL | re.VERBOSE,
)
_ENDS_VALUE = (",", "]", "}", "\n")


class Name(NamedTuple):
    """A place where a field or a table is given, by its whole path."""

    path: Path
    offset: int


class _Token(NamedTuple):
    text: str
    offset: int
    is_sign: bool


def names_in(text: str) -> list[Name]:
    """All places where something is given, from the first to the last.

    >>> names_in('window = 4\\n[initial]\\nphone = { on = true }')  # doctest: +NORMALIZE_WHITESPACE
    [Name(path=('window',), offset=0), Name(path=('initial',), offset=12),
     Name(path=('initial', 'phone'), offset=21), Name(path=('initial', 'phone', 'on'), offset=31)]
    """
    return _Scanner(text).names


def place_in(text: str, path: Sequence[str | int]) -> int | None:
    """Where a path is given, or else the longest beginning of it that is given; None if nothing of it is."""
    found: dict[Path, int] = {}
    for name, offset in names_in(text):
        for length in range(1, len(name) + 1):
            found.setdefault(name[:length], offset)
    for length in range(len(path), 0, -1):
        if tuple(path[:length]) in found:
            return found[tuple(path[:length])]
    return None


def show_path(path: Path) -> str:
    """A path as people write it, not all of it if it is long.

    >>> show_path(("window", "phone")), show_path(("processes", 2))
    ('window.phone', 'processes[2]')
    """
    shown = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
    return shown if len(shown) <= 200 else shown[:197] + "..."


def unclosed_string(text: str) -> int | None:
    """Where a string begins that is never closed; None if there is none."""
    lone = (match.start() for match in _TOKEN.finditer(text) if match[0] in ('"', "'"))
    return next(lone, None)


class _Scanner:
    """Walks over the words of a text."""

    def __init__(self, text: str) -> None:
        self.names: list[Name] = []
        self._tokens = _tokens(text)
        self._now = next(self._tokens, None)
        self._table: Path = ()
        while self._now is not None:
            self._statement()

    def _next(self) -> _Token | None:
        taken, self._now = self._now, next(self._tokens, None)
        return taken

    def _is(self, *signs: str) -> bool:
        return self._now is not None and self._now.is_sign and self._now.text in signs

    def _statement(self) -> None:
        """A table's header, a field, or nothing."""
        if self._is("["):
            while self._is("["):
                self._next()
            self._table = ()
            self._table = self._name(())
        elif not self._is("\n"):
            path = self._name(self._table)
            if self._is("="):
                self._next()
                self._value(path, 1)
        while self._now is not None and not self._is("\n"):
            self._next()
        self._next()

    def _name(self, outer: Path) -> Path:
        """A dotted name, noted with its place."""
        path, offset = outer, self._now.offset if self._now is not None else 0
        while self._now is not None and not self._now.is_sign:
            path = (*path, _unquoted(self._now.text))
            self._next()
            if self._is("."):
                self._next()
        if len(path) > len(outer):
            self.names.append(Name(path, offset))
        return path

    def _value(self, path: Path, depth: int) -> None:
        """A value with all that is in it."""
        if depth > MAX_DEPTH:
            return
        if self._is("{"):
            while self._now is not None and not self._is("}", "\n"):
                self._next()
                inner = self._name(path)
                if self._is("="):
                    self._next()
                    self._value(inner, depth + 1)
            self._next()
        elif self._is("["):
            place = -1
            while self._now is not None and not self._is("]"):
                place += not self._is("\n")
                self._next()
                while self._is("\n"):
                    self._next()
                if not self._is("]"):
                    self._value((*path, place), depth + 1)
            self._next()
        while self._now is not None and not self._is(*_ENDS_VALUE):
            self._next()


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "blank":
            yield _Token(match[0], match.start(), match.lastgroup == "sign")


def _unquoted(key: str) -> str:
    """A name as it is meant; one that cannot be read stands for itself."""
    if key[0] == "'":
        return key.strip("'")
    if key[0] != '"':
        return key
    try:
        return str(tomllib.loads(f"name = {key}")["name"])
    except tomllib.TOMLDecodeError:
        return key
