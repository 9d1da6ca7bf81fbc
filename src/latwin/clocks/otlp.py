"""What an OTLP/JSON document says of its spans, and of the log records in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from zlib import crc32

import msgspec

from latwin.clocks.records import shorten
from latwin.clocks.spans import KINDS, STATUSES, Span, SpanOrReason, object_in, parent_in
from latwin.errors import InvalidInput
from latwin.events.otlp import check_log, check_span, hex_id, list_in, log_time, nanoseconds


def spans_of(document: Any) -> Iterator[SpanOrReason]:
    """The spans of a decoded `{"resourceSpans": [...]}` (ExportTraceServiceRequest, TracesData), or a list of such.

    The log records of a `{"resourceLogs": [...]}` count as spans without a duration (`is_log`). Raises InvalidInput
    if it is none of these. A span that cannot be used comes with its reason; one whose parent or link cannot be used
    goes without these, and names them among its flaws. Fields that are not
    known are ignored, as the protocol asks of receivers.
    """
    for request in document if type(document) is list else [document]:
        if type(request) is not dict or not ("resourceSpans" in request or "resourceLogs" in request):
            raise InvalidInput("not OTLP/JSON traces: expected an object with `resourceSpans`")
        for resources, scopes, items, read in (
            ("resourceSpans", "scopeSpans", "spans", _span),
            ("resourceLogs", "scopeLogs", "logRecords", _log),
        ):
            for of_resource in list_in(request, resources):
                resource = _attributes(object_in(of_resource, "resource"))
                for of_scope in list_in(of_resource, scopes):
                    for row in list_in(of_scope, items):
                        try:
                            yield SpanOrReason(read(row, resource), row, resource)
                        except InvalidInput as error:
                            yield SpanOrReason(str(error), row, resource)


def _span(row: Any, resource: Mapping[str, Any]) -> Span:
    check_span(row)
    flaws: list[str] = []
    return Span(
        trace=hex_id(row, "traceId"),
        id=hex_id(row, "spanId"),
        name=str(row.get("name", "")),
        start=nanoseconds(row, "startTimeUnixNano"),
        end=nanoseconds(row, "endTimeUnixNano") or None,
        service=_service(resource),
        instance=_instance(resource),
        parent=parent_in(row, "parentSpanId", flaws),
        kind=_enum(row.get("kind", 0), KINDS, "SPAN_KIND_"),
        status=_enum(object_in(row, "status").get("code", 0), STATUSES, "STATUS_CODE_"),
        attributes=_attributes(row),
        links=_links(row, flaws),
        flaws=tuple(flaws),
    )


def _links(row: Mapping[str, Any], flaws: list[str]) -> tuple[tuple[str, str], ...]:
    """The linked spans, each once."""
    links = []
    for number, link in enumerate(list_in(row, "links"), start=1):
        if type(link) is not dict:
            flaws.append(f"link {number} is left out: it must be an object; got {shorten(link)}")
            continue
        try:
            links.append((hex_id(link, "traceId", "its"), hex_id(link, "spanId", "its")))
        except InvalidInput as error:
            flaws.append(f"link {number} is left out: {error}")
    return tuple(dict.fromkeys(links))


def _log(row: Any, resource: Mapping[str, Any]) -> Span:
    """A log record, under an id that the same record has again if it is sent twice."""
    check_log(row)
    span, time = hex_id(row, "spanId"), log_time(row)
    content = msgspec.json.encode(row, order="deterministic", enc_hook=str)
    said = row.get("eventName") or _any_value(row.get("body"))
    return Span(
        trace=hex_id(row, "traceId"),
        id=f"{span}/log/{time}/{crc32(content):08x}",
        name=said if type(said) is str else "" if said is None else msgspec.json.encode(said).decode(),
        start=time,
        end=time,
        service=_service(resource),
        instance=_instance(resource),
        parent=span,
        status=str(row.get("severityText") or "").lower(),
        attributes=_attributes(row),
        is_log=True,
    )


def _service(resource: Mapping[str, Any]) -> str:
    return str(resource.get("service.name") or "unknown_service")


def _instance(resource: Mapping[str, Any]) -> str:
    return str(resource.get("service.instance.id", ""))


def _enum(value: Any, names: tuple[str, ...], prefix: str) -> str:
    """By number, as the protocol wants it; by name, as some write it."""
    if type(value) is int and 0 <= value < len(names):
        return names[value]
    if type(value) is str and value.removeprefix(prefix).lower() in names:
        return value.removeprefix(prefix).lower()
    return names[0]


def _attributes(holder: Any) -> dict[str, Any]:
    pairs = [pair for pair in list_in(holder, "attributes") if type(pair) is dict and type(pair.get("key")) is str]
    return {pair["key"]: _any_value(pair.get("value")) for pair in pairs}


def _any_value(value: Any) -> Any:
    """What an AnyValue stands for."""
    if type(value) is not dict or not value:
        return None
    kind, content = next(iter(value.items()))
    if kind == "intValue" and type(content) is str:
        try:
            return int(content)
        except ValueError:
            return content
    if kind == "arrayValue":
        return [_any_value(each) for each in list_in(content, "values")]
    if kind == "kvlistValue":
        return _attributes({"attributes": list_in(content, "values")})
    return content
