"""OTLP/JSON as messages of protobuf, as an SDK or the Collector would build them."""

from __future__ import annotations

from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


def protobuf_of(document: dict[str, Any]) -> ExportTraceServiceRequest:
    """A request as an SDK would build it."""
    message = ExportTraceServiceRequest()
    for of_resource in document["resourceSpans"]:
        resource_spans = message.resource_spans.add()
        fill(resource_spans.resource.attributes, of_resource["resource"]["attributes"])
        for row in of_resource["scopeSpans"][0]["spans"]:
            if not resource_spans.scope_spans:
                resource_spans.scope_spans.add()
            made = resource_spans.scope_spans[0].spans.add(
                trace_id=bytes.fromhex(row["traceId"]),
                span_id=bytes.fromhex(row["spanId"]),
                parent_span_id=bytes.fromhex(row.get("parentSpanId", "")),
                name=row["name"],
                kind=row["kind"],
                start_time_unix_nano=int(row["startTimeUnixNano"]),
                end_time_unix_nano=int(row.get("endTimeUnixNano", 0)),
                status=row.get("status", {}),
            )
            fill(made.attributes, row["attributes"])
            for link in row.get("links", ()):
                made.links.add(trace_id=bytes.fromhex(link["traceId"]), span_id=bytes.fromhex(link["spanId"]))
    return message


def fill(target: Any, pairs: list[dict[str, Any]]) -> None:
    for pair in pairs:
        put(target.add(key=pair["key"]).value, pair["value"])


def put(target: Any, value: dict[str, Any]) -> None:
    ((kind, content),) = value.items()
    if kind == "arrayValue":
        target.array_value.SetInParent()
        for each in content["values"]:
            put(target.array_value.values.add(), each)
    elif kind == "kvlistValue":
        target.kvlist_value.SetInParent()
        fill(target.kvlist_value.values, content["values"])
    else:
        name = {"stringValue": "string_value", "intValue": "int_value", "boolValue": "bool_value"}
        setattr(target, name.get(kind, "double_value"), int(content) if kind == "intValue" else content)
