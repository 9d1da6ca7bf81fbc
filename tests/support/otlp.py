"""OTLP/JSON written by hand: spans in milliseconds, and requests that hold them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

TRACE = "5b8efff798038103d269b633813fc60c"
KINDS = {"internal": 1, "server": 2, "client": 3, "producer": 4, "consumer": 5}
OTHER = "f" * 32
BEGIN_NS = 1_700_000_000_000_000_000


def attributes(values: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": any_value(value)} for key, value in values.items()]


def any_value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [any_value(each) for each in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": attributes(value)}}
    return {"stringValue": value}


def span(
    number: int,
    start_ms: float,
    end_ms: float | None,
    name: str = "",
    *,
    parent: int | None = None,
    kind: str = "internal",
    trace: str = TRACE,
    links: Iterable[tuple[str, int]] = (),
    status: int = 0,
    **values: Any,
) -> dict[str, Any]:
    """A span whose id is a number; attributes are keywords, with two underscores for a dot."""
    row: dict[str, Any] = {
        "traceId": trace,
        "spanId": f"{number:016x}",
        "name": name or f"span {number}",
        "kind": KINDS[kind],
        "startTimeUnixNano": str(BEGIN_NS + round(start_ms * 1e6)),
        "status": {"code": status} if status else {},
        "attributes": attributes({key.replace("__", "."): value for key, value in values.items()}),
    }
    if end_ms is not None:
        row["endTimeUnixNano"] = str(BEGIN_NS + round(end_ms * 1e6))
    if parent is not None:
        row["parentSpanId"] = f"{parent:016x}"
    if links:
        row["links"] = [{"traceId": of, "spanId": f"{to:016x}"} for of, to in links]
    return row


def request(service: str, *spans: Any, instance: str | None = None, **resource: Any) -> dict[str, Any]:
    """What one service instance exports at once."""
    about = {"service.name": service, **resource}
    if instance is not None:
        about["service.instance.id"] = instance
    scope = {"scope": {"name": "tests"}, "spans": list(spans)}
    return {"resourceSpans": [{"resource": {"attributes": attributes(about)}, "scopeSpans": [scope]}]}


def lines(*requests: dict[str, Any]) -> str:
    return "".join(json.dumps(each) + "\n" for each in requests)
