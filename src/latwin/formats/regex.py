"""ShiViz and GoVector: events found in a text by a regular expression with named groups."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping

from latwin.errors import InvalidEvent, InvalidInput
from latwin.events.clocks import read_named_clock
from latwin.events.decoding import decode_object
from latwin.events.expressions import Allowance, Expression
from latwin.events.variables import typed
from latwin.formats.log import Log, LogEvent, Options, Problem

#: GoVector writes the host and its clock, then the event on the next line. A host begins where a word does: to look
#: for it at every letter of a long word would find the same, and take quadratic time.
GOVECTOR = r"(?<!\S)(?P<host>\S+) (?P<clock>\{.*\})[^\S\n]*\n(?P<event>.*)"
_GROUPS = {"process": "host", "clock": "clock", "event": "event", "time": "time"}


def read_govector(text: str, options: Options) -> Log:
    """`host {"host": 1}`, then the event's text on the next line."""
    return _find(_with_line_feeds(text), compile_expression(GOVECTOR, "parser"), options.delimiter, 0, _GROUPS)


def read_shiviz(text: str, options: Options) -> Log:
    """As ShiViz reads logs: by the given expression, or by the one on the first line."""
    text = _with_line_feeds(text)
    skipped = 0
    expression = options.parser
    names = {ours: options.names.get(ours, group) for ours, group in _GROUPS.items()}
    if expression is None:
        expression, newline, text = text.partition("\n")
        skipped = len(newline)
        if "(?<" not in expression and "(?P<" not in expression:
            raise InvalidInput(
                "line 1: no expression with named groups there; give one (parser), with groups host, clock and event"
            )
    needed = tuple(names[ours] for ours in ("process", "clock", "event"))
    return _find(text, compile_expression(expression, "parser", needed), options.delimiter, skipped, names)


#: these read a log as one text, in which an event may be several lines
FORMATS = {"shiviz": read_shiviz, "govector": read_govector}


def _with_line_feeds(text: str) -> str:
    """The text without a byte order mark, with lines that end as expressions expect it."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def compile_expression(text: str, name: str, groups: tuple[str, ...] = ()) -> Expression:
    """An expression that has the groups; raises InvalidInput with its name in the options."""
    try:
        expression = Expression(text, multiline=True)
    except InvalidInput as error:
        raise InvalidInput(f"{name}: {error}") from None
    missing = [group for group in groups if group not in expression.groups]
    if missing:
        raise InvalidInput(f"{name}: the expression lacks the named group {missing[0]!r}: {text}")
    return expression


def _find(text: str, expression: Expression, delimiter: str | None, skipped: int, names: Mapping[str, str]) -> Log:
    """All matches, execution by execution; what lies between them is counted, as ShiViz ignores it."""
    starts = [match.start() for match in re.finditer(r"^", text, re.MULTILINE)]
    log = Log([], [])
    allowance = Allowance(len(text))
    for group, begin, end in _executions(text, delimiter):
        place = begin
        for match in expression.matches(text, begin, end, allowance):
            log.unmatched += _count_lines(text[place : match.start()])
            place = match.end()
            line = bisect_right(starts, match.start()) + skipped
            fields = {name: value for name, value in match.groupdict().items() if value is not None}
            host, clock, event, time = (fields.pop(name, None) for name in names.values())
            try:
                entries = _read_clock(clock or "")
            except InvalidInput as error:
                log.problems.append(Problem(line, host or "", 0, str(error), group))
                continue
            others = {name: typed(value) for name, value in fields.items()}
            log.events.append(LogEvent(host or "", entries, (event or "").strip(), others, line, group, time))
        log.unmatched += _count_lines(text[place:end])
    return log


def _read_clock(text: str) -> dict[str, int]:
    """A clock written as a JSON object of whole numbers."""
    try:
        clock = decode_object(text)
    except InvalidEvent as error:
        raise InvalidEvent(f"the clock is no JSON object of whole numbers: {text!r} ({error})") from None
    return read_named_clock(clock)


def _count_lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.split("\n"))


def _executions(text: str, delimiter: str | None) -> Iterator[tuple[str, int, int]]:
    """The parts of the text between delimiters, with their names; all of it without one."""
    if delimiter is None:
        yield "", 0, len(text)
        return
    expression = compile_expression(delimiter, "delimiter")
    begin, name, number = 0, "", 0
    for match in expression.matches(text, 0, len(text), Allowance(len(text))):
        if text[begin : match.start()].strip():
            yield name or str(number), begin, match.start()
            number += 1
        name = match.groupdict().get("trace") or ""
        begin = match.end()
    if text[begin:].strip():
        yield name or str(number), begin, len(text)
