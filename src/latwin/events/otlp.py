"""Requests of OpenTelemetry's protocol, OTLP, to lines of JSON: one for each span or log record, with its resource.

    {"resourceSpans": [{"resource": {...}, "scopeSpans": [{"spans": [{...}]}]}]}

Such a line is itself OTLP/JSON, so whatever reads that reads it. A span or record that could not be used later is
refused here, with the reason, while its sender can still be told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from latwin.errors import InvalidEvent, InvalidInput
from latwin.events.decoding import MAX_EVENT_BYTES, decode_json, trimmed
from latwin.events.plain import show

Signal = Literal["traces", "logs"]
#: what a request calls its resources, scopes and items
_NAMES = {
    "traces": ("resourceSpans", "scopeSpans", "spans"),
    "logs": ("resourceLogs", "scopeLogs", "logRecords"),
}
_HEX = re.compile(r"[0-9a-f]+")
_ENCODER = msgspec.json.Encoder()


class Taken(NamedTuple):
    """What a request holds."""

    lines: list[bytes]
    #: one for each span or record that cannot be used
    refused: list[str]


def take_request(document: Any, signal: Signal) -> Taken:
    """The spans or log records of a decoded request, each as a line; InvalidInput if it is no request."""
    resources, scopes, items = _NAMES[signal]
    if type(document) is not dict:
        raise InvalidInput(f"an OTLP request must be an object with `{resources}`; got {show(document)}")
    if document and resources not in document:
        given = ", ".join(sorted(map(str, document)))
        raise InvalidInput(f"an OTLP request of {signal} must be an object with `{resources}`; this one has {given}")
    check = check_span if signal == "traces" else check_log
    taken = Taken([], [])
    for of_resource in list_in(document, resources, strict=True):
        for of_scope in list_in(of_resource, scopes, strict=True):
            for item in list_in(of_scope, items, strict=True):
                scope = {"scope": of_scope["scope"], items: [item]} if "scope" in of_scope else {items: [item]}
                about = {"resource": of_resource["resource"]} if "resource" in of_resource else {}
                try:
                    check(item)
                    taken.lines.append(_line({resources: [{**about, scopes: [scope]}]}))
                except (InvalidInput, InvalidEvent) as error:
                    taken.refused.append(str(error))
    return taken


def decode_request(body: bytes, signal: Signal, *, is_protobuf: bool) -> Any:
    """The request in a body, as OTLP/JSON has it; InvalidInput if there is none."""
    if is_protobuf:
        from latwin.events.otlp_protobuf import decode_protobuf

        return decode_protobuf(body, signal)
    try:
        return decode_json(trimmed(body))
    except InvalidEvent as error:
        raise InvalidInput(str(error)) from None


def is_json_request(body: bytes) -> bool:
    """Whether a record is OTLP/JSON, by its beginning; OTLP in protobuf otherwise.

    A message in protobuf begins with a tag, which is the code of a line feed, and a length, which may be that of a
    blank; so only a brace after a whole name tells.
    """
    return bool(re.match(rb'\s*\{\s*("resource(Spans|Logs)"|\})', body))


def check_span(row: Any) -> None:
    """Raise InvalidInput unless the span has ids and a start."""
    if type(row) is not dict:
        raise InvalidInput(f"a span must be an object; got {show(row)}")
    if not nanoseconds(row, "startTimeUnixNano"):
        raise InvalidInput("the span has no startTimeUnixNano")
    nanoseconds(row, "endTimeUnixNano")
    hex_id(row, "traceId")
    hex_id(row, "spanId")


def check_log(row: Any) -> None:
    """Raise InvalidInput unless the log record has a time, and belongs to a span."""
    if type(row) is not dict:
        raise InvalidInput(f"a log record must be an object; got {show(row)}")
    if not log_time(row):
        raise InvalidInput("the log record has no timeUnixNano")
    if not row.get("traceId") or not row.get("spanId"):
        raise InvalidInput("the log record belongs to no span: it has no traceId and spanId")
    hex_id(row, "traceId", "the log record's")
    hex_id(row, "spanId", "the log record's")


def log_time(row: Mapping[str, Any]) -> int:
    """When it was logged, or else when it was observed; 0 if neither is said."""
    whose = "the log record's"
    return nanoseconds(row, "timeUnixNano", whose) or nanoseconds(row, "observedTimeUnixNano", whose)


def hex_id(row: Mapping[str, Any], name: str, whose: str = "the span's") -> str:
    """An id in hexadecimal, which the protocol lets be written in either case; all zeros are none."""
    value = row.get(name)
    text = value.lower() if type(value) is str else ""
    if not _HEX.fullmatch(text) or not text.strip("0"):
        raise InvalidInput(f"{whose} {name} must be hexadecimal and not zero; got {show(value)}")
    return text


def nanoseconds(row: Mapping[str, Any], name: str, whose: str = "the span's") -> int:
    """A 64-bit number, which JSON may hold as a text; 0 if absent."""
    value = row.get(name, 0)
    if type(value) is str and value.isascii() and value.isdigit() and len(value) <= 20:
        value = int(value)
    if type(value) is int and 0 <= value < 2**64:
        return value
    raise InvalidInput(f"{whose} {name} must be a number of nanoseconds; got {show(value)}")


def list_in(row: Any, name: str, *, strict: bool = False) -> list[Any]:
    """The list in a field; an empty one if there is none, or, if `strict`, InvalidInput if it is something else."""
    value = row.get(name) if type(row) is dict else None
    if type(value) is list:
        return value
    if strict and (type(row) is not dict or value is not None):
        raise InvalidInput(f"`{name}` must be a list in an object; got {show(row if value is None else value)}")
    return []


def _line(document: Any) -> bytes:
    try:
        line = _ENCODER.encode(document)
    except (OverflowError, ValueError, RecursionError) as error:  # such as an integer beyond 64 bits
        raise InvalidInput(f"it cannot be written as JSON: {error}") from None
    if len(line) > MAX_EVENT_BYTES:
        raise InvalidInput(f"it has {len(line):,} bytes, and at most {MAX_EVENT_BYTES:,} are read")
    decode_json(line)  # not nested too deeply
    return line
