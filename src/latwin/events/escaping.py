"""Texts of events as they are shown: on a terminal, in a drawing, in a line of a log."""

from __future__ import annotations

from unicodedata import category

#: categories of characters: control, formatting, surrogates, and separators of lines and paragraphs
_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def plain(text: str) -> str:
    r"""A text with every character escaped that a terminal would obey, or that hides or reorders others.

    Those are control characters except the line feed and the tab, and Unicode's formatting and separating ones, such
    as the overrides of direction. Names, values and files come from anyone; what they hold must not move the cursor.

    >>> plain("\x1b[31mred\u202e")
    '\\x1b[31mred\\u202e'
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def one_line(text: str) -> str:
    """The same, with line feeds and tabs escaped, too: for names and values inside of a line."""
    return plain(text).replace("\n", "\\n").replace("\t", "\\t")


def plain_json(text: str) -> str:
    r"""JSON on one line, with the same characters escaped as JSON escapes them: the value stays the same.

    >>> plain_json('"\x9b31m"')
    '"\\u009b31m"'
    """
    return text if text.isprintable() else "".join(map(_shown_in_json, text))


def _shown_in_json(character: str) -> str:
    if category(character) not in _OBEYED:
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[at : at + 2], 'big'):04x}" for at in range(0, len(units), 2))


def _shown(character: str) -> str:
    if character in "\n\t" or category(character) not in _OBEYED:
        return character
    return character.encode("unicode_escape").decode()
