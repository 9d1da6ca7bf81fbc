"""What to say about a text that is no TOML: where, what is wrong, and what to write instead."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from latwin.excerpt import offset_of
from latwin.toml_places import Path, names_in, show_path, unclosed_string

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
#: what a user took for a value: up to where the value must end
_PHRASE = re.compile(r"""[^,\]}#"'\n]+""")
_NAME = re.compile(r"""\s*([\w.-]+|"[^"\n]*"|'[^'\n]*')\s*=\s*""")
_TYPOGRAPHIC = "‘’“”„«»"  # noqa: RUF001 (such quotes are the point)
_ESCAPE = r"""unknown escape; in "..." a backslash is written \\, and in '...' it stands for itself"""
_TWICE = ("Cannot overwrite", "Cannot declare", "Cannot mutate", "Duplicate inline table key")
_UNCLOSED = ("Unterminated string", "Illegal character '\\n'", 'Expected "\'"')


class TomlMistake(NamedTuple):
    """A mistake, and the offset of its place."""

    offset: int
    message: str


def find_mistake(text: str, complaint: str) -> TomlMistake:
    """The mistake in a text of which Python's parser said so; lines of the text end with line feeds alone."""
    match = _PLACE.search(complaint)
    assert match is not None, complaint
    offset = offset_of(text, int(match[1]), int(match[2])) if match[1] else len(text)
    problem = complaint[: match.start()]
    known = None
    if problem == "Invalid value":
        known = _no_value(text, offset)
    elif problem.startswith("Expected newline"):
        known = _too_much(text, offset)
    elif problem.startswith("Expected '=' after a key"):
        known = _no_equals(text, offset)
    elif problem.startswith(_TWICE):
        known = _given_twice(text)
    elif problem.startswith(_UNCLOSED):
        known = _unclosed(text)
    elif problem == "Unclosed array":
        known = TomlMistake(offset, "expected `,` or `]` after a value of a list")
    elif problem.startswith("Unescaped '\\'"):
        known = TomlMistake(offset, _ESCAPE)
    return known or TomlMistake(offset, f"not valid TOML: {problem[:1].lower()}{problem[1:]}")


def _no_value(text: str, offset: int) -> TomlMistake | None:
    """Something stands where a value must, or nothing does."""
    phrase = _PHRASE.match(text, offset)
    word = phrase[0].strip() if phrase is not None else ""
    if not word:
        if offset < len(text) and text[offset] not in "\n#":
            return None
        is_after_equals = text[:offset].rstrip().endswith("=")
        return TomlMistake(offset, "a value is missing after `=`" if is_after_equals else "expected a value or `]`")
    if word in ("True", "False"):
        return TomlMistake(offset, f"`{word}` is written in lower case: {word.lower()}")
    if word[0] in _TYPOGRAPHIC:
        return TomlMistake(offset, 'strings stand in straight quotes: "text"')
    return _without_quotes(text, offset, word)


def _without_quotes(text: str, offset: int, word: str) -> TomlMistake:
    """A bare word where a string was meant."""
    name = _NAME.fullmatch(text, text.rfind("\n", 0, offset) + 1, offset)
    quoted = json.dumps(word, ensure_ascii=False)
    write = f"{name[1]} = {quoted}" if name is not None else quoted
    return TomlMistake(offset, f"`{word}` is no value; strings stand in quotes: write {write}")


def _too_much(text: str, offset: int) -> TomlMistake:
    """A value is followed by something, or is a word that begins like `false`, `inf` or a number."""
    start = text.rfind("\n", 0, offset) + 1
    name = _NAME.match(text, start)
    if name is not None:
        phrase = _PHRASE.match(text, name.end())
        if phrase is not None and phrase[0][0].isalpha():
            return _without_quotes(text, name.end(), phrase[0].strip())
    end = text.find("\n", offset)
    rest = text[offset : end if end >= 0 else None].split("#")[0].strip()
    return TomlMistake(offset, f"expected the end of the line after `{text[start:offset].strip()}`; got `{rest}`")


def _no_equals(text: str, offset: int) -> TomlMistake:
    """A name is followed by something else than `=`."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else None]
    name, equals, _ = line.partition("=")
    if text[offset : offset + 1] == ":":
        return TomlMistake(offset, "write `=` instead of `:` between a name and its value")
    if equals:
        quoted = json.dumps(name.strip(), ensure_ascii=False)
        return TomlMistake(
            start, f"a name of other characters than letters (a-z), digits, _ and - stands in quotes: {quoted} = ..."
        )
    return TomlMistake(offset, f"expected `=` and a value after `{text[start:offset].strip()}`")


def _given_twice(text: str) -> TomlMistake | None:
    first: dict[Path, int] = {}
    for path, offset in names_in(text):
        if path in first:
            line = text.count("\n", 0, first[path]) + 1
            return TomlMistake(offset, f"`{show_path(path)}` is given twice, first in line {line}")
        first[path] = offset
    return None


def _unclosed(text: str) -> TomlMistake | None:
    offset = unclosed_string(text)
    return TomlMistake(offset, "this string is never closed") if offset is not None else None
