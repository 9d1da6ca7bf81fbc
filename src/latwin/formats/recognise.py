"""What a file is, by its first bytes and its name: pure, so that every command, and Spark, decides alike.

A table begins with Parquet's mark. JSON is told by its names. Text is told by an expression on its first line, or by
a layout in which clocks name their own hosts.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any, NamedTuple, cast, get_args

from latwin.errors import InvalidEvent, InvalidInput
from latwin.events.decoding import decode_json
from latwin.formats.endings import StepFormat, TraceFormat, format_by_name
from latwin.formats.layouts import layout_of
from latwin.formats.lines import is_poset
from latwin.formats.regex import header_of
from latwin.formats.shape import key_paths

#: so many bytes are looked at, unless fewer tell
BEGINNING = 1 << 18
_PARQUET = b"PAR1"
_MOST_LINES = 200
_SHOWN = 80
_TRIED = (
    "JSON lines",
    "ShiViz (an expression on line 1, its own expression, GoVector's layout, a clock in each line, states of TLC)",
    "tracing",
    "TLA+ traces",
    "posets",
    "Parquet",
    "OTLP, Jaeger and Zipkin JSON",
)
_EXPRESSION = r"(?<host>\S+) (?<clock>{.*}) (?<event>.*)"


class Recognised(NamedTuple):
    """What a file is."""

    format: str
    #: what told it, for people
    because: str


def recognise(beginning: bytes, name: str = "", names: Mapping[str, str] | None = None) -> Recognised | None:
    """The format of a file that begins so; None if it cannot be told.

    `names` are the log's names of process, clock and order, where they differ from these. A name that ends like
    that of JSON lines counts where nothing else tells.

    >>> recognise(b'a {"a": 1}\\nstarted\\n')
    Recognised(format='shiviz', because="GoVector's layout")
    """
    if beginning.startswith(_PARQUET):
        return Recognised("parquet", "its first bytes")
    text, by_name = _text(beginning), format_by_name(name)
    begins_as_json = text.lstrip()[:1] in ("{", "[")
    found = _json(text, names or {}) if begins_as_json else None
    if found is None and not (begins_as_json and by_name == "jsonl"):
        found = _plain(text) or _by_lines(text, names or {})
    return found or (Recognised(by_name, "its name") if by_name is not None else None)


def step_format(beginning: bytes) -> StepFormat:
    """What steps or spans are, by their beginning; steps, unless it tells that they are spans."""
    found = recognise(beginning)
    if found is not None and found.format in get_args(TraceFormat):
        return cast(StepFormat, found.format)
    return "parquet" if found is not None and found.format == "parquet" else "jsonl"


def is_told(beginning: bytes, names: Mapping[str, str] | None = None) -> bool:
    """Whether so much of a stream is enough: a whole line of it is JSON that tells what it is."""
    whole = beginning[: beginning.rfind(b"\n") + 1]
    return _by_lines(_text(whole), names or {}) is not None


def unrecognised(beginning: bytes, path: str) -> InvalidInput:
    """The error for a file that `recognise` cannot tell: what was tried, the line, and a command that would work."""
    text = _text(beginning)
    number, line = next(((k, line) for k, line in enumerate(text.split("\n"), start=1) if line.strip()), (0, ""))
    if not number:
        return InvalidInput("there is nothing in it")
    shown = line.strip() if len(line.strip()) <= _SHOWN else line.strip()[:_SHOWN] + "..."
    return InvalidInput(
        f"its format cannot be told: line {number} is {shown!r}; tried {', '.join(_TRIED)}. "
        f"Say what it is, such as: {_command(line, path)}"
    )


def _text(beginning: bytes) -> str:
    return beginning.decode(errors="replace").removeprefix("\ufeff").replace("\r\n", "\n")


# -- JSON --------------------------------------------------------------------------------------------


def _json(text: str, names: Mapping[str, str]) -> Recognised | None:
    """By the first line that is a value and tells; else by the names in a document of several lines."""
    found = _by_lines(text, names)
    if found is not None:
        return found
    paths = key_paths(text)
    for prefix in ("", "[]."):
        if f"{prefix}resourceSpans" in paths or f"{prefix}resourceLogs" in paths:
            return Recognised("otlp", "`resourceSpans`")
        if f"{prefix}data[].spans" in paths or f"{prefix}data[].processes" in paths:
            return Recognised("jaeger", "traces in `data`")
        if {f"{prefix}spans", f"{prefix}processes"} <= paths or f"{prefix}spans[].spanID" in paths:
            return Recognised("jaeger", "a trace with `spans`")
    for prefix in ("[].", "[][]."):
        if f"{prefix}traceId" in paths and f"{prefix}id" in paths:
            return Recognised("zipkin", "spans with `traceId` and `id`")
    return None


def _by_lines(text: str, names: Mapping[str, str]) -> Recognised | None:
    for number, line in enumerate(text.split("\n")):
        if number == _MOST_LINES:
            break
        try:
            value = decode_json(line.strip())
        except InvalidEvent:
            continue
        found = _by_value(value, names)
        if found is not None:
            return found
    return None


def _by_value(value: Any, names: Mapping[str, str]) -> Recognised | None:
    """What a line's value tells of all lines."""
    while type(value) is list and value:
        value = value[0]
    if type(value) is not dict:
        return None
    traces = value.get("data")
    if "resourceSpans" in value or "resourceLogs" in value:
        return Recognised("otlp", "`resourceSpans`")
    if "spans" in value or (type(traces) is list and traces and type(traces[0]) is dict and "spans" in traces[0]):
        return Recognised("jaeger", "a trace with `spans`")
    if "TracerIdentity" in value and "VectorClock" in value:
        return Recognised("tracing", "`TracerIdentity` and `VectorClock`")
    ours = {field: names.get(field, field) for field in ("process", "clock", "order")}
    if ours["process"] in value and ours["order"] in value and ours["clock"] not in value:
        return Recognised("steps", f"`{ours['order']}` of a process, and no clock")
    if ours["process"] in value or ours["clock"] in value:
        return Recognised("jsonl", "events of processes")
    if "traceId" in value and "id" in value:
        return Recognised("zipkin", "spans with `traceId` and `id`")
    packet = value.get("pkt")
    if "node" in value and type(packet) is dict and "vc" in packet:
        return Recognised("tla", "`node`, and `vc` in `pkt`")
    return None


# -- text --------------------------------------------------------------------------------------------


def _plain(text: str) -> Recognised | None:
    if _has_expression(text):
        return Recognised("shiviz", "an expression on its first line")
    if is_poset(text):
        return Recognised("poset", "clocks in parentheses")
    layout = layout_of(text)
    return None if layout is None else Recognised("shiviz", layout.name)


def _has_expression(text: str) -> bool:
    """Whether the first lines say how the others are read, also if that is said wrongly."""
    try:
        header = header_of(text)
    except InvalidInput:
        return True
    return header is not None and "<host>" in header.expression and "<clock>" in header.expression


# -- what would work ---------------------------------------------------------------------------------


def _command(line: str, path: str) -> str:
    """A command that says what the file is, as far as its first line lets one guess."""
    path = shlex.quote(path)
    try:
        row = decode_json(line.strip())
    except InvalidEvent:
        row = None
    if type(row) is not dict:
        return f"latwin convert --format shiviz --parser '{_EXPRESSION}' {path}"
    clock = next((name for name, value in row.items() if _is_clock(value)), "CLOCK")
    hosts = row.get(clock) or {}
    process = next((name for name, value in row.items() if type(value) is str and value in hosts), "PROCESS")
    return f"latwin convert --format jsonl --name process={process} --name clock={clock} {path}"


def _is_clock(value: Any) -> bool:
    return type(value) is dict and bool(value) and all(type(entry) is int for entry in value.values())
