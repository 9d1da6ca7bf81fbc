"""What a Jaeger JSON document says of its spans: as the query service answers, and as its page downloads traces.

    {"data": [{"traceID": ..., "spans": [...], "processes": {"p1": {"serviceName": ...}}}]}

A reference CHILD_OF in the same trace is the parent, who may wait for the span. FOLLOWS_FROM is a link, and so is a
second parent: the span started after the other one, and nobody waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from latwin.clocks.records import shorten
from latwin.clocks.spans import (
    KINDS,
    STATUSES,
    Span,
    SpanOrReason,
    hex_id,
    list_in,
    microseconds,
    object_in,
    parent_in,
)
from latwin.errors import InvalidInput

#: tags of a process that tell instances of a service apart, the best first
_INSTANCE = ("service.instance.id", "client-uuid", "hostname", "host.name", "ip")


def spans_of(document: Any) -> Iterator[SpanOrReason]:
    """The spans of a decoded `{"data": [trace, ...]}`, of a trace, or of a list of either.

    Raises InvalidInput if it is none. A span that cannot be used comes with its reason; a reference that cannot be
    used is left out, and named among the span's flaws.
    """
    for part in document if type(document) is list else [document]:
        if type(part) is not dict or not ("data" in part or "spans" in part):
            raise InvalidInput("not Jaeger JSON: expected an object with `data`, or a trace with `spans`")
        for trace in list_in(part, "data") if "data" in part else [part]:
            processes = object_in(trace, "processes")
            for row in list_in(trace, "spans"):
                about = _process(row, processes)
                resource = _tags(about)
                try:
                    yield SpanOrReason(_span(row, about, resource), row, resource)
                except InvalidInput as error:
                    yield SpanOrReason(str(error), row, resource)


def _process(row: Any, processes: Mapping[str, Any]) -> Any:
    """Who wrote the span: by its id in the trace's table, or in the span itself."""
    name = row.get("processID") if type(row) is dict else None
    return processes[name] if type(name) is str and name in processes else object_in(row, "process")


def _span(row: Any, about: Any, resource: Mapping[str, Any]) -> Span:
    if type(row) is not dict:
        raise InvalidInput(f"a span must be an object; got {shorten(row)}")
    start = microseconds(row, "startTime")
    if not start:
        raise InvalidInput("the span has no startTime")
    duration = microseconds(row, "duration")
    trace, tags = hex_id(row, "traceID"), _tags(row)
    flaws: list[str] = []
    parent, links = _references(row, trace, flaws)
    kind, service = str(tags.get("span.kind")).lower(), about.get("serviceName") if type(about) is dict else None
    return Span(
        trace=trace,
        id=hex_id(row, "spanID"),
        name=str(row.get("operationName", "")),
        start=start,
        end=None if duration is None else start + duration,
        service=str(service or "unknown_service"),
        instance=next((str(resource[name]) for name in _INSTANCE if resource.get(name)), ""),
        parent=parent,
        kind=kind if kind in KINDS else KINDS[0],
        status=_status(tags),
        attributes={name: value for name, value in tags.items() if name != "span.kind"},
        links=links,
        flaws=tuple(flaws),
    )


def _references(
    row: Mapping[str, Any], trace: str, flaws: list[str]
) -> tuple[str | None, tuple[tuple[str, str], ...]]:
    """The parent, and all other spans that are referred to, each once."""
    parent = parent_in(row, "parentSpanID", flaws)  # as old versions write it
    links = []
    for number, reference in enumerate(list_in(row, "references"), start=1):
        if type(reference) is not dict:
            flaws.append(f"reference {number} is left out: it must be an object; got {shorten(reference)}")
            continue
        try:
            other = hex_id(reference, "traceID", "its"), hex_id(reference, "spanID", "its")
        except InvalidInput as error:
            flaws.append(f"reference {number} is left out: {error}")
            continue
        if reference.get("refType") == "CHILD_OF" and other[0] == trace and parent in (None, other[1]):
            parent = other[1]
        else:
            links.append(other)
    return parent, tuple(dict.fromkeys(links))


def _status(tags: Mapping[str, Any]) -> str:
    """By the tag that OpenTelemetry's exporters set, else by `error`."""
    code = str(tags.get("otel.status_code", "")).lower()
    if code in STATUSES:
        return code
    return "error" if tags.get("error") not in (None, False, "", "false") else "unset"


def _tags(holder: Any) -> dict[str, Any]:
    pairs = [pair for pair in list_in(holder, "tags") if type(pair) is dict and type(pair.get("key")) is str]
    return {pair["key"]: pair.get("value") for pair in pairs}
