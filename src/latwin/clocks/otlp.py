"""What an OTLP/JSON document says of its spans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from latwin.clocks.records import shorten
from latwin.clocks.spans import KINDS, STATUSES, Span, SpanOrReason, hex_id, list_in, object_in, parent_in
from latwin.errors import InvalidInput


def spans_of(document: Any) -> Iterator[SpanOrReason]:
    """The spans of a decoded `{"resourceSpans": [...]}` (ExportTraceServiceRequest, TracesData), or a list of such.

    Raises InvalidInput if it is neither. A span that cannot be used comes with its reason; one whose parent or link
    cannot be used goes without these, and names them among its flaws. Fields that are not
    known are ignored, as the protocol asks of receivers.
    """
    for request in document if type(document) is list else [document]:
        if type(request) is not dict or "resourceSpans" not in request:
            raise InvalidInput("not OTLP/JSON traces: expected an object with `resourceSpans`")
        for of_resource in list_in(request, "resourceSpans"):
            resource = _attributes(object_in(of_resource, "resource"))
            for of_scope in list_in(of_resource, "scopeSpans"):
                for row in list_in(of_scope, "spans"):
                    try:
                        yield SpanOrReason(_span(row, resource), row, resource)
                    except InvalidInput as error:
                        yield SpanOrReason(str(error), row, resource)


def _span(row: Any, resource: Mapping[str, Any]) -> Span:
    if type(row) is not dict:
        raise InvalidInput(f"a span must be an object; got {shorten(row)}")
    start = _nanoseconds(row, "startTimeUnixNano")
    if not start:
        raise InvalidInput("the span has no startTimeUnixNano")
    flaws: list[str] = []
    return Span(
        trace=hex_id(row, "traceId"),
        id=hex_id(row, "spanId"),
        name=str(row.get("name", "")),
        start=start,
        end=_nanoseconds(row, "endTimeUnixNano") or None,
        service=str(resource.get("service.name") or "unknown_service"),
        instance=str(resource.get("service.instance.id", "")),
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


def _nanoseconds(row: Mapping[str, Any], name: str) -> int:
    """A 64-bit number, which JSON may hold as a text; 0 if absent."""
    value = row.get(name, 0)
    if type(value) is str and value.isascii() and value.isdigit() and len(value) <= 20:
        return int(value)
    if type(value) is int and value >= 0:
        return value
    raise InvalidInput(f"the span's {name} must be a number of nanoseconds; got {shorten(value)}")


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
