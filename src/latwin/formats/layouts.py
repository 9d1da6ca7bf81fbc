r"""How logs are laid out that say nothing about it: expressions that are tried where a log brings none.

    ShiViz's own      the event's text, then a line with the host and its clock
    GoVector's        the line with host and clock first, then the event's text
    inside lines      host, clock and event on one line, whatever comes before them
    TLC's             states of a behavior, with `Host` and `Clock` among the variables

The expression that finds the most events counts, where an event is a clock that has an entry for its own host.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from latwin.errors import InvalidEvent, InvalidInput
from latwin.events.clocks import read_named_clock
from latwin.events.decoding import decode_object
from latwin.events.expressions import Allowance, Expression

#: so many characters are enough to tell
_SAMPLE = 1 << 18
_CLOCK = r"(?<clock>\{[^{}\n]*\})"
_END = r"[^\S\n]*$"


class Layout(NamedTuple):
    """An expression, and what people call it."""

    name: str
    expression: str


_SHIVIZ = Layout("ShiViz's own expression", rf"^(?<event>.*+)\n(?<host>\S+)[^\S\n]+{_CLOCK}{_END}")
_GOVECTOR = Layout("GoVector's layout", rf"^(?<host>\S+)[^\S\n]+{_CLOCK}{_END}\n?(?<event>.*)")
LAYOUTS = (
    _SHIVIZ,
    _GOVECTOR,
    Layout("a clock in each line", rf"^(?<prefix>.*?)(?<!\S)(?<host>\S++)[^\S\n]+{_CLOCK}[^\S\n]*(?<event>\S.*)$"),
    Layout(
        "a clock in each line",
        rf"^(?<prefix>.*?)(?<![\w.-])(?<host>[\w.-]++)[^\w\n]{{1,8}}?{_CLOCK}[^\S\n]*(?<event>\S.*)$",
    ),
    Layout("a clock at the end of each line", rf"^(?<event>.*?)(?<!\S)(?<host>\S++)[^\S\n]+{_CLOCK}{_END}"),
    Layout(
        "states of TLC",
        r"^State \d+: <(?<event>.*)>\n(?:(?!State \d).+\n)*?/\\ Host = (?<host>.*)\n/\\ Clock = \"(?<clock>.*)\""
        r"(?:\n(?!State \d).+)*",
    ),
)
#: what ShiViz's examples write before each execution
DELIMITER = r"^=== (?<trace>.*) ===$"
_DELIMITER = re.compile(r"^=== .* ===$", re.MULTILINE)
_CLOCK_LINE = re.compile(r"^\S+[^\S\n]+\{[^{}\n]*\}[^\S\n]*$")


class Fit(NamedTuple):
    """A layout, and how well it fits a text."""

    layout: Layout
    #: events with clocks of their own hosts, less those without
    score: int
    #: where the first of them begins
    begin: int


def layout_of(text: str) -> Layout | None:
    """The layout that fits the beginning of a text best; None if none fits.

    >>> layout_of('a {"a": 1}\\nstarted\\n').name
    "GoVector's layout"
    """
    sample = _whole_lines(text)
    if "{" not in sample:
        return None
    fits = [fit for layout in LAYOUTS if (fit := _fit(layout, sample)) is not None]
    best = max(fits, key=lambda fit: (fit.score, -fit.begin), default=None)
    return best.layout if best is not None else None


def delimiter_of(text: str, layout: Layout) -> str | None:
    """What separates the executions of a text: lines as ShiViz's examples have, unless one is an event's text."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not _DELIMITER.match(line):
            continue
        before, after = lines[number - 1] if number else "", lines[number + 1] if number + 1 < len(lines) else ""
        neighbour = after if layout == _SHIVIZ else before if layout == _GOVECTOR else ""
        if _CLOCK_LINE.match(neighbour):
            return None
    return DELIMITER if _DELIMITER.search(text) else None


def decode_clock(text: str) -> dict[str, Any]:
    r"""The JSON object that is written as a clock; its quotes may be escaped, as in `{\"a\": 1}`."""
    try:
        return decode_object(text)
    except InvalidEvent:
        if '\\"' not in text:
            raise
    return decode_object(text.replace('\\"', '"'))


def _fit(layout: Layout, sample: str) -> Fit | None:
    score, begin = 0, None
    try:
        expression = Expression(layout.expression, multiline=True)
        for match in expression.matches(sample, 0, len(sample), Allowance(0)):
            try:
                is_event = match["host"] in read_named_clock(decode_clock(match["clock"]))
            except InvalidInput:
                is_event = False
            if is_event and layout == _SHIVIZ and not _is_text(match["event"], sample[: match.start()]):
                continue  # says nothing for this layout
            score += 1 if is_event else -1
            begin = match.start() if is_event and begin is None else begin
    except InvalidInput:  # it takes too long on this text
        return None
    return Fit(layout, score, begin) if begin is not None and score > 0 else None


def _is_text(line: str, before: str) -> bool:
    """Whether a line before that of a clock is an event's text, and neither blank nor the name of an execution."""
    if _DELIMITER.match(line):
        return _CLOCK_LINE.match(before.rstrip().rpartition("\n")[2]) is not None
    return bool(line.strip())


def _whole_lines(text: str) -> str:
    """The beginning of a text, without a line that is cut off."""
    return text if len(text) <= _SAMPLE else text[:_SAMPLE].rpartition("\n")[0]
