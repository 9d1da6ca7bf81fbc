"""What a Zipkin JSON document (version 2) says of its spans, and how the two halves of a shared span are told apart.

In Zipkin, a server may report under the id of the client's span, as `shared`: one id, two spans of two services.

    client   [ span 7           ]            client   [ span 7           ]
    server      [ span 7, shared ]     ->     server      [ span 7/server ]   whose parent is span 7
    server        [ child of 7 ]              server        [ child of 7/server ]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from latwin.clocks.records import shorten
from latwin.clocks.spans import KINDS, Span, SpanOrReason, hex_id, microseconds, object_in, parent_in
from latwin.errors import InvalidInput

_SERVER_HALF = "/server"


def spans_of(document: Any) -> Iterator[SpanOrReason]:
    """The spans of a decoded list of spans, of a list of traces (which are lists of spans), or of a single span.

    Raises InvalidInput if it is none. A span that cannot be used comes with its reason.
    """
    rows = document if type(document) is list else [document]
    for row in rows:
        for inner in row if type(row) is list else [row]:
            if type(inner) is dict and "id" not in inner and "traceId" not in inner:
                raise InvalidInput("not Zipkin JSON: expected a list of spans with `traceId` and `id`")
            resource = _endpoint(inner)
            try:
                yield SpanOrReason(_span(inner, resource), inner, resource)
            except InvalidInput as error:
                yield SpanOrReason(str(error), inner, resource)


def with_halves_apart(spans: Sequence[Span]) -> list[Span]:
    """The spans of a group, the server's half of a shared span as a child of the client's half.

    A span is such a half if it says so, or if a client's span has the same id. Without the client's half it stays
    what it is. Children belong to the half of their own service, and of two, or none, to the server's.
    """
    by_key: dict[tuple[str, str], list[Span]] = {}
    for span in spans:
        by_key.setdefault(span.key, []).append(span)
    halved = {
        key: {span.service for span in same if _is_server_half(span)}
        for key, same in by_key.items()
        if _has_both_halves(same)
    }
    if not halved:
        return list(spans)
    return [_settled(span, by_key, halved) for span in spans]


def _has_both_halves(same: Sequence[Span]) -> bool:
    """Whether spans of one id are two halves, and not one span that came again."""
    is_called = any(map(_is_server_half, same)) and not all(map(_is_server_half, same))
    return is_called and any(span.is_shared or span.kind == "client" for span in same)


def _is_server_half(span: Span) -> bool:
    return span.is_shared or span.kind == "server"


def _settled(
    span: Span, by_key: Mapping[tuple[str, str], Sequence[Span]], halved: Mapping[tuple[str, str], set[str]]
) -> Span:
    """A span with the id and the parent of its half."""
    if span.key in halved and _is_server_half(span):
        return msgspec.structs.replace(span, id=span.id + _SERVER_HALF, parent=span.id)
    above = (span.trace, span.parent) if span.parent is not None else None
    if above not in halved or above is None:
        return span
    of_client = {each.service for each in by_key[above] if not _is_server_half(each)}
    is_clients = span.service in of_client and span.service not in halved[above]
    return span if is_clients else msgspec.structs.replace(span, parent=f"{span.parent}{_SERVER_HALF}")


def _span(row: Any, endpoint: Mapping[str, Any]) -> Span:
    if type(row) is not dict:
        raise InvalidInput(f"a span must be an object; got {shorten(row)}")
    start = microseconds(row, "timestamp")
    if not start:
        raise InvalidInput("the span has no timestamp")
    duration = microseconds(row, "duration")
    tags = {name: value for name, value in object_in(row, "tags").items() if type(name) is str}
    flaws: list[str] = []
    kind = str(row.get("kind", "")).lower()
    return Span(
        trace=hex_id(row, "traceId"),
        id=hex_id(row, "id"),
        name=str(row.get("name") or ""),
        start=start,
        end=None if duration is None else start + duration,
        service=str(endpoint.get("serviceName") or "unknown_service"),
        instance=str(endpoint.get("ipv4") or endpoint.get("ipv6") or ""),
        parent=parent_in(row, "parentId", flaws),
        kind=kind if kind in KINDS else KINDS[0],
        status="error" if "error" in tags else "unset",
        attributes=tags,
        flaws=tuple(flaws),
        is_shared=row.get("shared") is True,
    )


def _endpoint(row: Any) -> dict[str, Any]:
    return object_in(row, "localEndpoint")
