"""ShiViz and GoVector: events found in a text by a regular expression with named groups."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from latwin.errors import InvalidEvent, InvalidInput
from latwin.events.clocks import read_named_clock
from latwin.events.expressions import Allowance, Expression
from latwin.events.variables import typed
from latwin.formats.layouts import decode_clock, delimiter_of, layout_of
from latwin.formats.log import Log, LogEvent, Options, Problem

#: ShiViz reads logs by this expression unless it is given another one.
SHIVIZ = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"
#: GoVector writes the host and its clock, then the event on the next line. A host begins where a word does: to look
#: for it at every letter of a long word would find the same, and take quadratic time.
GOVECTOR = r"(?<!\S)(?P<host>\S+) (?P<clock>\{.*\})[^\S\n]*\n(?P<event>.*)"
_GROUPS = {"process": "host", "clock": "clock", "event": "event", "time": "time"}


class Header(NamedTuple):
    """What a log says of itself: how its events and its executions are found, and where it begins."""

    expression: str
    delimiter: str | None = None
    #: lines before the first of the log
    lines: int = 0


def read_govector(text: str, options: Options) -> Log:
    """`host {"host": 1}`, then the event's text on the next line."""
    return _find(_with_line_feeds(text), Header(GOVECTOR, options.delimiter), _GROUPS)


def read_shiviz(text: str, options: Options) -> Log:
    """As ShiViz reads logs: by the given expression, or by that of the log itself; else by a layout that fits."""
    text = _with_line_feeds(text)
    names = {ours: options.names.get(ours, group) for ours, group in _GROUPS.items()}
    if options.parser is not None:
        header = Header(options.parser, options.delimiter)
    else:
        found = header_of(text) or _inferred(text)
        if found is None:
            raise InvalidInput(
                "line 1: no expression with named groups there, and no layout that is known fits the lines; "
                "give an expression (parser), with groups host, clock and event"
            )
        header = found._replace(delimiter=options.delimiter or found.delimiter)
    needed = tuple(names[ours] for ours in ("process", "clock", "event"))
    compile_expression(header.expression, "parser", needed)
    return _find(text, header, names)


def header_of(text: str) -> Header | None:
    """The expression on a log's first line, and the delimiter on its second; None if there is none.

    ShiViz takes the first line for the expression, its own one if the line is blank, and the second for the
    delimiter, if it is not blank. People leave the second line out, so one where an event begins is none.
    """
    first, _, rest = text.partition("\n")
    first = first.strip()
    second, has_more, log = rest.partition("\n")
    names_execution = _has_groups(second) and "<trace>" in second
    if not first and names_execution:
        return Header(SHIVIZ, second.strip(), 2)
    if not _has_groups(first):
        return None
    if names_execution:
        return Header(first, second.strip(), 2)
    if not second.strip():
        return Header(first, None, 2 if has_more else 1)
    if _begins_event(first, rest) or not _occurs(second.strip(), log):
        return Header(first, None, 1)
    return Header(first, second.strip(), 2)


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


def _has_groups(line: str) -> bool:
    return "(?<" in line or "(?P<" in line


def _begins_event(expression: str, log: str) -> bool:
    """Whether the first event begins on the first line of a log."""
    compiled = compile_expression(expression, "parser")
    first = next(compiled.matches(log, 0, len(log), Allowance(len(log))), None)
    return first is not None and "\n" not in log[: first.start()]


def _occurs(delimiter: str, log: str) -> bool:
    try:
        return Expression(delimiter, multiline=True).search(log) is not None
    except InvalidInput:
        return False


def _inferred(text: str) -> Header | None:
    layout = layout_of(text)
    return None if layout is None else Header(layout.expression, delimiter_of(text, layout))


class _Lines:
    """The lines of a text, and which of them belong to no event."""

    def __init__(self, text: str, skipped: int) -> None:
        self._text = text
        self._starts = [match.start() for match in re.finditer(r"^", text, re.MULTILINE)]
        self._skipped = skipped

    def number(self, place: int) -> int:
        """The number of the line in the file."""
        return bisect_right(self._starts, place) + self._skipped

    def count_between(self, begin: int, end: int, log: Log) -> None:
        """Count the lines with something on them that lie between two places and reach beyond neither."""
        first = bisect_left(self._starts, begin)
        last = bisect_right(self._starts, end) - 1  # the line that the next event begins on
        if end >= len(self._text):
            last = len(self._starts)
        for k in range(first, last):
            stop = self._starts[k + 1] if k + 1 < len(self._starts) else len(self._text)
            line = self._text[self._starts[k] : stop].strip()
            if line:
                log.count_unmatched(k + 1 + self._skipped, line)


def _find(text: str, header: Header, names: Mapping[str, str]) -> Log:
    """All matches, execution by execution; lines without any part in a match are counted, as ShiViz ignores them."""
    expression = compile_expression(header.expression, "parser")
    for _ in range(header.lines):
        text = text.partition("\n")[2]
    lines = _Lines(text, header.lines)
    log = Log([], [])
    allowance = Allowance(len(text))
    for group, begin, end in _executions(text, header.delimiter):
        place = begin
        for match in expression.matches(text, begin, end, allowance):
            lines.count_between(place, match.start(), log)
            place = match.end()
            line = lines.number(match.start())
            fields = {name: value for name, value in match.groupdict().items() if value is not None}
            host, clock, event, time = (fields.pop(name, None) for name in names.values())
            try:
                entries = _read_clock(clock or "")
            except InvalidInput as error:
                log.problems.append(Problem(line, host or "", 0, str(error), group))
                continue
            others = {name: typed(value) for name, value in fields.items()}
            log.events.append(LogEvent(host or "", entries, (event or "").strip(), others, line, group, time))
        lines.count_between(place, end, log)
    return log


def _read_clock(text: str) -> dict[str, int]:
    """A clock written as a JSON object of whole numbers."""
    try:
        clock = decode_clock(text)
    except InvalidEvent as error:
        raise InvalidEvent(f"the clock is no JSON object of whole numbers: {text!r} ({error})") from None
    return read_named_clock(clock)


def _executions(text: str, delimiter: str | None) -> Iterator[tuple[str, int, int]]:
    """The parts of the text between delimiters, each with a name of its own; all of it without one."""
    if delimiter is None:
        yield "", 0, len(text)
        return
    expression = compile_expression(delimiter, "delimiter")
    begin, name, number = 0, "", 0
    taken: set[str] = set()
    for match in expression.matches(text, 0, len(text), Allowance(len(text))):
        if text[begin : match.start()].strip():
            yield _new_name(name or str(number), taken), begin, match.start()
            number += 1
        name = match.groupdict().get("trace") or ""
        begin = match.end()
    if text[begin:].strip():
        yield _new_name(name or str(number), taken), begin, len(text)


def _new_name(name: str, taken: set[str]) -> str:
    """The name, with a number if another execution has it."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}#{number}"
    taken.add(found)
    return found
