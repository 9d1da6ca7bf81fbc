"""A span as clocks are derived from it, and what an OTLP/JSON document says of its spans."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from latwin.clocks.records import shorten
from latwin.errors import InvalidInput

KINDS = ("unspecified", "internal", "server", "client", "producer", "consumer")
STATUSES = ("unset", "ok", "error")
_HEX = re.compile(r"[0-9a-f]+")


class Span(msgspec.Struct, frozen=True, omit_defaults=True):
    """One span, with what its resource says of who wrote it."""

    trace: str
    id: str
    name: str
    #: nanoseconds since 1970, by the clock of its instance
    start: int
    #: None if it has no end
    end: int | None
    service: str
    #: the service's instance, or "" if that is not said
    instance: str = ""
    parent: str | None = None
    kind: str = "internal"
    status: str = "unset"
    attributes: dict[str, Any] = {}
    #: linked spans, as (trace, id)
    links: tuple[tuple[str, str], ...] = ()
    #: what was wrong with its parent and links, which are left out then
    flaws: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """What no other span has."""
        return self.trace, self.id

    @property
    def thread(self) -> str | None:
        """The thread it began on, if that is said."""
        thread = self.attributes.get("thread.id", self.attributes.get("thread.name"))
        return None if thread is None else str(thread)


class SpanOrReason(msgspec.Struct):
    """A span with the attributes of its resource, or what is wrong with it."""

    found: Span | str
    row: Any
    resource: Mapping[str, Any]


def spans_of(document: Any) -> Iterator[SpanOrReason]:
    """The spans of a decoded `{"resourceSpans": [...]}` (ExportTraceServiceRequest, TracesData), or a list of such.

    Raises InvalidInput if it is neither. A span that cannot be used comes with its reason; one whose parent or link
    cannot be used goes without these, and names them among its flaws. Fields that are not
    known are ignored, as the protocol asks of receivers.
    """
    for request in document if type(document) is list else [document]:
        if type(request) is not dict or "resourceSpans" not in request:
            raise InvalidInput("not OTLP/JSON traces: expected an object with `resourceSpans`")
        for of_resource in _list(request, "resourceSpans"):
            resource = _attributes(_object(of_resource, "resource"))
            for of_scope in _list(of_resource, "scopeSpans"):
                for row in _list(of_scope, "spans"):
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
        trace=_id(row, "traceId"),
        id=_id(row, "spanId"),
        name=str(row.get("name", "")),
        start=start,
        end=_nanoseconds(row, "endTimeUnixNano") or None,
        service=str(resource.get("service.name") or "unknown_service"),
        instance=str(resource.get("service.instance.id", "")),
        parent=_parent(row, flaws),
        kind=_enum(row.get("kind", 0), KINDS, "SPAN_KIND_"),
        status=_enum(_object(row, "status").get("code", 0), STATUSES, "STATUS_CODE_"),
        attributes=_attributes(row),
        links=_links(row, flaws),
        flaws=tuple(flaws),
    )


def _parent(row: Mapping[str, Any], flaws: list[str]) -> str | None:
    """The parent's id; None for a root, whose field may be absent, empty, or all zeros."""
    value = row.get("parentSpanId")
    if not value or (type(value) is str and not value.strip("0")):
        return None
    try:
        return _id(row, "parentSpanId", "its")
    except InvalidInput as error:
        flaws.append(f"{error}; taken as a span without a parent")
        return None


def _links(row: Mapping[str, Any], flaws: list[str]) -> tuple[tuple[str, str], ...]:
    """The linked spans, each once."""
    links = []
    for number, link in enumerate(_list(row, "links"), start=1):
        if type(link) is not dict:
            flaws.append(f"link {number} is left out: it must be an object; got {shorten(link)}")
            continue
        try:
            links.append((_id(link, "traceId", "its"), _id(link, "spanId", "its")))
        except InvalidInput as error:
            flaws.append(f"link {number} is left out: {error}")
    return tuple(dict.fromkeys(links))


def _id(row: Mapping[str, Any], name: str, whose: str = "the span's") -> str:
    """An id in hexadecimal, which the protocol lets be written in either case; all zeros are none."""
    value = row.get(name)
    text = value.lower() if type(value) is str else ""
    if not _HEX.fullmatch(text) or not text.strip("0"):
        raise InvalidInput(f"{whose} {name} must be hexadecimal and not zero; got {shorten(value)}")
    return text


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


def _list(row: Any, name: str) -> list[Any]:
    value = row.get(name) if type(row) is dict else None
    return value if type(value) is list else []


def _object(row: Any, name: str) -> dict[str, Any]:
    value = row.get(name) if type(row) is dict else None
    return value if type(value) is dict else {}


def _attributes(holder: Any) -> dict[str, Any]:
    pairs = [pair for pair in _list(holder, "attributes") if type(pair) is dict and type(pair.get("key")) is str]
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
        return [_any_value(each) for each in _list(content, "values")]
    if kind == "kvlistValue":
        return _attributes({"attributes": _list(content, "values")})
    return content
