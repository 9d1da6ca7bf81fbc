"""ShiViz and GoVector: events found in a text by a regular expression with named groups."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from latwin.errors import InvalidInput
from latwin.formats.log import LogEvent, Options, read_clock

#: GoVector writes the host and its clock, then the event on the next line.
GOVECTOR = r"(?P<host>\S+) (?P<clock>\{.*\})\s*\n(?P<event>.*)"
_GROUPS = ("host", "clock", "event")


def read_govector(text: str, options: Options) -> Iterator[LogEvent]:
    """`host {"host": 1}`, then the event's text on the next line."""
    yield from _find(text, compile_expression(GOVECTOR, "parser"), options.delimiter, 0)


def read_shiviz(text: str, options: Options) -> Iterator[LogEvent]:
    """As ShiViz reads logs: by the given expression, or by the one on the first line."""
    skipped = 0
    expression = options.parser
    if expression is None:
        expression, newline, text = text.partition("\n")
        skipped = len(newline)
        if "(?<" not in expression and "(?P<" not in expression:
            raise InvalidInput(
                "line 1: no expression with named groups there; give one (parser), with groups host, clock and event"
            )
    yield from _find(text, compile_expression(expression, "parser", _GROUPS), options.delimiter, skipped)


def compile_expression(expression: str, name: str, groups: tuple[str, ...] = ()) -> re.Pattern[str]:
    """An expression in the spelling of JavaScript, `(?<name>...)`, or of Python."""
    python = re.sub(r"\(\?<(?![=!])", "(?P<", expression)
    try:
        pattern = re.compile(python, re.MULTILINE)
    except re.error as error:
        raise InvalidInput(f"{name}: not a regular expression: {error}: {expression}") from None
    missing = [group for group in groups if group not in pattern.groupindex]
    if missing:
        raise InvalidInput(f"{name}: the expression lacks the named group {missing[0]!r}: {expression}")
    return pattern


def _find(text: str, pattern: re.Pattern[str], delimiter: str | None, skipped: int) -> Iterator[LogEvent]:
    """All matches, execution by execution."""
    starts = [match.start() for match in re.finditer(r"^", text, re.MULTILINE)]
    for group, begin, end in _executions(text, delimiter):
        for match in pattern.finditer(text, begin, end):
            line = bisect_right(starts, match.start()) + skipped
            fields = {name: value for name, value in match.groupdict().items() if value is not None}
            host, clock, event = (fields.pop(name, "") for name in _GROUPS)
            yield LogEvent(host, read_clock(clock, line), event.strip(), fields, line, group)


def _executions(text: str, delimiter: str | None) -> Iterator[tuple[str, int, int]]:
    """The parts of the text between delimiters, with their names; all of it without one."""
    if delimiter is None:
        yield "", 0, len(text)
        return
    pattern = compile_expression(delimiter, "delimiter")
    begin, name, number = 0, "", 0
    for match in pattern.finditer(text):
        if text[begin : match.start()].strip():
            yield name or str(number), begin, match.start()
            number += 1
        name = match.groupdict().get("trace") or ""
        begin = match.end()
    if text[begin:].strip():
        yield name or str(number), begin, len(text)
