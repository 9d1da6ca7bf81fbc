"""A place in a text, as people look for it: by line and column, with the line shown and a caret below it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

_LONGEST_LINE = 100
_BEFORE = 60
#: comparing long names, or many, takes too long
_COMPARED = 100


class Place(NamedTuple):
    """Where something is in a text; line and column are counted from 1."""

    line: int
    column: int
    #: the line, or the part of a long line around the place, and a caret in a line below
    excerpt: str

    def __str__(self) -> str:
        """The place in words."""
        return f"line {self.line}, column {self.column}"


def place_of(text: str, offset: int) -> Place:
    """The place of an offset.

    >>> place = place_of("window = 4\\ndelivery = causal", 22)
    >>> print(f"{place}:\\n{place.excerpt}")
    line 2, column 12:
        delivery = causal
                   ^
    """
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", start)
    shown, caret = _around(text[start : end if end >= 0 else None], offset - start)
    return Place(text.count("\n", 0, offset) + 1, offset - start + 1, f"    {shown}\n    {caret}^")


def offset_of(text: str, line: int, column: int) -> int:
    """The offset of a line and column, both from 1; of a place beyond the text, its end."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    return min(start + column - 1, len(text))


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The known name that probably was meant, in any case of letters; None if there is no good guess.

    >>> nearest("windows", ["processes", "window"])
    'window'
    """
    if len(name) > _COMPARED:
        return None
    folded = {known.casefold(): known for known in islice(names, _COMPARED) if len(known) <= _COMPARED}
    found = difflib.get_close_matches(name.casefold(), folded, n=1)
    return folded[found[0]] if found else None


def _around(line: str, column: int) -> tuple[str, str]:
    """The part of a line around a column, and the space that leads a caret to that column."""
    begin = max(0, column - _BEFORE) if len(line) > _LONGEST_LINE else 0
    end = begin + _LONGEST_LINE
    before = ("..." if begin else "") + line[begin:column]
    after = line[column:end].rstrip() + ("..." if end < len(line) else "")
    shown = "".join(
        char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in before + after
    )
    return shown, "".join("\t" if char == "\t" else " " for char in before)
