"""OTLP in protobuf, as OTLP/JSON has it: ids in hexadecimal, enumerations as numbers, 64-bit numbers as they are."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from latwin.errors import InvalidInput

if TYPE_CHECKING:
    from latwin.events.otlp import Signal

_NEEDED = "OTLP in protobuf needs its messages: pip install 'latwin[otlp]'; or send OTLP/JSON"


class NoProtobuf(InvalidInput):
    """The messages of OTLP are not installed."""


def decode_protobuf(body: bytes, signal: Signal) -> dict[str, Any]:
    """The request in a body; InvalidInput if there is none."""
    try:
        from google.protobuf.message import DecodeError
        from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
    except ImportError:
        raise NoProtobuf(_NEEDED) from None
    request: Any = ExportTraceServiceRequest() if signal == "traces" else ExportLogsServiceRequest()
    try:
        request.ParseFromString(body)
    except (DecodeError, RuntimeError, ValueError) as error:
        raise InvalidInput(f"not an OTLP request in protobuf: {error}") from None
    if signal == "traces":
        return {
            "resourceSpans": [_of_resource(each, "scopeSpans", "spans", _span) for each in request.resource_spans]
        }
    return {"resourceLogs": [_of_resource(each, "scopeLogs", "logRecords", _log) for each in request.resource_logs]}


def _of_resource(message: Any, scopes: str, items: str, convert: Any) -> dict[str, Any]:
    inner = message.scope_spans if scopes == "scopeSpans" else message.scope_logs
    return {
        "resource": {"attributes": _attributes(message.resource.attributes)},
        scopes: [
            {
                "scope": {"name": scope.scope.name},
                items: [convert(each) for each in (scope.spans if items == "spans" else scope.log_records)],
            }
            for scope in inner
        ],
    }


def _span(message: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "traceId": message.trace_id.hex(),
        "spanId": message.span_id.hex(),
        "name": message.name,
        "kind": message.kind,
        "startTimeUnixNano": message.start_time_unix_nano,
        "attributes": _attributes(message.attributes),
    }
    if message.parent_span_id:
        row["parentSpanId"] = message.parent_span_id.hex()
    if message.end_time_unix_nano:
        row["endTimeUnixNano"] = message.end_time_unix_nano
    if message.status.code:
        row["status"] = {"code": message.status.code, "message": message.status.message}
    if message.links:
        row["links"] = [{"traceId": link.trace_id.hex(), "spanId": link.span_id.hex()} for link in message.links]
    return row


def _log(message: Any) -> dict[str, Any]:
    return {
        "timeUnixNano": message.time_unix_nano,
        "observedTimeUnixNano": message.observed_time_unix_nano,
        "severityNumber": message.severity_number,
        "severityText": message.severity_text,
        "eventName": message.event_name,
        "body": _value(message.body),
        "attributes": _attributes(message.attributes),
        "traceId": message.trace_id.hex(),
        "spanId": message.span_id.hex(),
    }


def _attributes(pairs: Any) -> list[dict[str, Any]]:
    return [{"key": pair.key, "value": _value(pair.value)} for pair in pairs]


def _value(value: Any) -> dict[str, Any]:
    kind = value.WhichOneof("value")
    if kind == "string_value":
        return {"stringValue": value.string_value}
    if kind == "int_value":
        return {"intValue": value.int_value}
    if kind == "bool_value":
        return {"boolValue": value.bool_value}
    if kind == "double_value":
        return {"doubleValue": value.double_value}
    if kind == "array_value":
        return {"arrayValue": {"values": [_value(each) for each in value.array_value.values]}}
    if kind == "kvlist_value":
        return {"kvlistValue": {"values": _attributes(value.kvlist_value.values)}}
    if kind == "bytes_value":
        return {"bytesValue": b64encode(value.bytes_value).decode()}
    return {}
