"""Patterns of sequences, such as `seq(idle+, (armed | broken)*, x.fired)`: their tree, and their text.

They have a small grammar of their own, because `+` and `*` mean something else in them:

    alternatives   sequence | sequence ...
    sequence       item, item, ...
    item           primary, then any of  *  +  ?
    primary        any, ( alternatives ), or a condition
    anchors        ^ at the beginning: from the least cut;  $ at the end: up to the greatest cut

`find_patterns` blanks them out of a property's text, so that the grammar of properties sees `seq(0)`; places of
errors stay what they are.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, cast

from latwin.errors import PropertyError
from latwin.properties.tree import Expr, Node, show

Sign: TypeAlias = typing.Literal["*", "+", "?"]

_WORD = re.compile(
    r"""(?P<skip>\#[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)*`)"""
    r"""|(?P<name>[^\W\d]\w*)|(?P<sign>[(),|])""",
    re.DOTALL,
)
_MAX_DEPTH = 50

ParseCondition = Callable[[int, int], Expr]
MakeError = Callable[[int, str, str | None], PropertyError]


@dataclass(frozen=True, slots=True)
class Step(Node):
    """One cut at which the condition holds; None is `any`."""

    condition: Expr | None

    def _children(self) -> tuple[Node, ...]:
        return () if self.condition is None else (self.condition,)


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """`*`, `+` or `?` of a pattern."""

    pattern: Pattern
    sign: Sign

    def _children(self) -> tuple[Node, ...]:
        return (self.pattern,)


@dataclass(frozen=True, slots=True)
class Chain(Node):
    """Patterns one after the other."""

    parts: tuple[Pattern, ...]

    def _children(self) -> tuple[Node, ...]:
        return self.parts


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """Any of some patterns."""

    parts: tuple[Pattern, ...]

    def _children(self) -> tuple[Node, ...]:
        return self.parts


Pattern: TypeAlias = Step | Repeat | Chain | Choice


def steps_in(pattern: Pattern) -> Iterator[Expr]:
    """The conditions of a pattern, from left to right, repeated ones once for each place."""
    if isinstance(pattern, Step):
        if pattern.condition is not None:
            yield pattern.condition
        return
    for child in pattern._children():
        yield from steps_in(cast(Pattern, child))


def show_pattern(pattern: Pattern, names: Sequence[str]) -> str:
    """Its canonical text."""
    match pattern:
        case Step(None):
            return "any"
        case Step(condition):
            assert condition is not None
            return f"({show(condition, names)})"
        case Repeat(inner, sign):
            return f"({show_pattern(inner, names)}){sign}"
        case Chain(parts):
            return ", ".join(show_pattern(part, names) for part in parts)
        case Choice(parts):
            return "(" + " | ".join(show_pattern(part, names) for part in parts) + ")"


class Anchored(NamedTuple):
    """A pattern, and whether it is tied to the ends of an observation."""

    pattern: Pattern
    from_least: bool
    to_greatest: bool


def find_patterns(text: str) -> tuple[str, dict[int, tuple[int, int]]]:
    """The text with the inside of every `seq(...)` blanked out, and where each was, by the place of its `seq`."""
    found: dict[int, tuple[int, int]] = {}
    at = 0
    while (begin := _next_sequence(text, at)) is not None:
        name, inside = begin
        close = _closing(text, inside)
        if close is None:
            break
        if text[inside:close].strip():
            first = inside + len(text[inside:close]) - len(text[inside:close].lstrip())
            blank = re.sub(r"[^\n]", " ", text[first:close])
            text = text[:first] + "0" + blank[1:] + text[close:]
            found[name] = inside, close
        at = close
    return text, found


def parse_pattern(text: str, begin: int, end: int, condition: ParseCondition, error: MakeError) -> Anchored:
    """The pattern in text[begin:end]; `condition` parses what is between two places as a condition."""
    begin, end = _strip(text, begin, end)
    from_least = text.startswith("^", begin, end)
    if from_least:
        begin, end = _strip(text, begin + 1, end)
    to_greatest = end > begin and text[end - 1] == "$"
    if to_greatest:
        begin, end = _strip(text, begin, end - 1)
    parser = _Parser(text, condition, error)
    return Anchored(parser.alternatives(begin, end, 0), from_least, to_greatest)


class _Parser:
    def __init__(self, text: str, condition: ParseCondition, error: MakeError) -> None:
        self._text = text
        self._condition = condition
        self._error = error

    def alternatives(self, begin: int, end: int, depth: int) -> Pattern:
        if depth > _MAX_DEPTH:
            raise self._error(begin, f"nested more than {_MAX_DEPTH} levels deep", None)
        parts = tuple([self._sequence(a, b, depth) for a, b in _split(self._text, begin, end, "|")])
        return parts[0] if len(parts) == 1 else Choice(parts)

    def _sequence(self, begin: int, end: int, depth: int) -> Pattern:
        parts = tuple([self._item(a, b, depth) for a, b in _split(self._text, begin, end, ",")])
        return parts[0] if len(parts) == 1 else Chain(parts)

    def _item(self, begin: int, end: int, depth: int) -> Pattern:
        text = self._text
        begin, end = _strip(text, begin, end)
        signs: list[Sign] = []
        while end > begin and text[end - 1] in "*+?":
            signs.insert(0, cast(Sign, text[end - 1]))
            begin, end = _strip(text, begin, end - 1)
        if begin == end:
            raise self._error(begin, "a part of the sequence is empty", "write a condition, a state's name or any")
        if text[begin] == "(" and _closing(text, begin + 1) == end - 1:
            pattern = self.alternatives(begin + 1, end - 1, depth + 1)
        elif text[begin:end] == "any":
            pattern = Step(None)
        else:
            pattern = Step(self._condition(begin, end))
        for sign in signs:
            pattern = Repeat(pattern, sign)
        return pattern


def _next_sequence(text: str, at: int) -> tuple[int, int] | None:
    """The next `seq(` outside of strings and comments: where the name begins, and the first place inside."""
    for word in _WORD.finditer(text, at):
        if word["name"] == "seq" and (opened := re.compile(r"\s*\(").match(text, word.end())):
            return word.start(), opened.end()
    return None


def _closing(text: str, inside: int) -> int | None:
    """The place of the parenthesis that closes the one before `inside`."""
    depth = 0
    for word in _WORD.finditer(text, inside):
        if word["sign"] == "(":
            depth += 1
        elif word["sign"] == ")":
            if depth == 0:
                return word.start()
            depth -= 1
    return None


def _split(text: str, begin: int, end: int, sign: str) -> Iterator[tuple[int, int]]:
    """The parts between signs that are in no parentheses."""
    depth = 0
    for word in _WORD.finditer(text, begin, end):
        if word["sign"] == "(":
            depth += 1
        elif word["sign"] == ")":
            depth -= 1
        elif word["sign"] == sign and depth == 0:
            yield begin, word.start()
            begin = word.end()
    yield begin, end


def _strip(text: str, begin: int, end: int) -> tuple[int, int]:
    while begin < end and text[begin].isspace():
        begin += 1
    while begin < end and text[end - 1].isspace():
        end -= 1
    return begin, end
