"""One small execution in every format that is recognised, made up: a and b, and a message from a to b."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

EXPRESSION = r"\[(?<date>\S+)\] (?<host>\w+) (?<clock>{.*}) (?<event>.*)"


class MadeUp(NamedTuple):
    """A log, and what it is recognised as."""

    text: str
    format: str
    because: str


def _lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


SPANS: list[dict[str, Any]] = [
    {"service": "a", "id": "1", "start": 10, "duration": 90, "kind": "client"},
    {"service": "b", "id": "2", "start": 20, "duration": 30, "kind": "server", "parent": "1"},
]
_TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def jaeger() -> dict[str, Any]:
    """A trace as Jaeger's page downloads it."""
    spans = [
        {
            "traceID": _TRACE,
            "spanID": span["id"],
            "operationName": "call",
            "references": [{"refType": "CHILD_OF", "traceID": _TRACE, "spanID": span["parent"]}]
            if "parent" in span
            else [],
            "startTime": 1_700_000_000_000_000 + span["start"],
            "duration": span["duration"],
            "tags": [{"key": "span.kind", "type": "string", "value": span["kind"]}],
            "logs": [],
            "processID": f"p-{span['service']}",
            "warnings": None,
        }
        for span in SPANS
    ]
    processes = {f"p-{span['service']}": {"serviceName": span["service"], "tags": []} for span in SPANS}
    trace = {"traceID": _TRACE, "spans": spans, "processes": processes, "warnings": None}
    return {"data": [trace], "total": 0, "limit": 0, "offset": 0, "errors": None}


def zipkin() -> list[dict[str, Any]]:
    """A trace as Zipkin's server answers."""
    return [
        {
            "traceId": _TRACE,
            "id": span["id"].rjust(16, "0"),
            **({"parentId": span["parent"].rjust(16, "0")} if "parent" in span else {}),
            "kind": span["kind"].upper(),
            "name": "call",
            "timestamp": 1_700_000_000_000_000 + span["start"],
            "duration": span["duration"],
            "localEndpoint": {"serviceName": span["service"]},
        }
        for span in SPANS
    ]


def otlp() -> dict[str, Any]:
    """A trace as OpenTelemetry's collector writes it."""
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": span["service"]}}]},
                "scopeSpans": [
                    {
                        "spans": [
                            {
                                "traceId": _TRACE,
                                "spanId": span["id"],
                                "parentSpanId": span.get("parent", ""),
                                "name": "call",
                                "kind": {"client": 3, "server": 2}[span["kind"]],
                                "startTimeUnixNano": str(1_700_000_000_000_000_000 + span["start"] * 1000),
                                "endTimeUnixNano": str(
                                    1_700_000_000_000_000_000 + (span["start"] + span["duration"]) * 1000
                                ),
                            }
                        ]
                    }
                ],
            }
            for span in SPANS
        ]
    }


LOGS = {
    "json lines": MadeUp(
        _lines(
            {"process": "a", "clock": {"a": 1}, "state": {}},
            {"process": "b", "clock": {"a": 1, "b": 1}, "state": {}},
        ),
        "jsonl",
        "events of processes",
    ),
    "shiviz with an expression": MadeUp(
        f'{EXPRESSION}\n\n[10:00] a {{"a": 1}} sent\n[10:01] b {{"a": 1, "b": 1}} got it\n',
        "shiviz",
        "an expression on its first line",
    ),
    "shiviz": MadeUp('sent\na {"a":1}\ngot it\nb {"a":1, "b":1}\n', "shiviz", "ShiViz's own expression"),
    "escaped quotes": MadeUp(
        'sent\na {"a":1}\ngot it\nb {"a":1, "b":1}\n'.replace('"', '\\"'), "shiviz", "ShiViz's own expression"
    ),
    "govector": MadeUp('a {"a":1}\nsent\nb {"a":1, "b":1}\ngot it\n', "shiviz", "GoVector's layout"),
    "clocks in lines": MadeUp(
        '[INFO] [10:00] [akka://demo/user/a] {"a" : 1} sent\n'
        '[INFO] [10:01] [akka://demo/user/b] {"a" : 1, "b" : 1} got it\n',
        "shiviz",
        "a clock in each line",
    ),
    "clocks at the ends": MadeUp(
        'sent a {"a":1}\ngot it b {"a":1, "b":1}\n', "shiviz", "a clock at the end of each line"
    ),
    "tlc": MadeUp(
        "TLC2 Version 2.16\nError: Invariant Inv is violated.\n"
        'State 1: <Init>\n/\\ clock = "none"\n\n'
        "State 2: <Send line 1, col 3 of module M>\n/\\ Host = a\n"
        '/\\ Clock = "{\\"a\\":1,\\"b\\":0}"\n/\\ x = <<1,\n  2>>\n\n'
        "State 3: <Receive line 2, col 3 of module M>\n/\\ Host = b\n"
        '/\\ Clock = "{\\"a\\":1,\\"b\\":1}"\n/\\ x = <<>>\n',
        "shiviz",
        "states of TLC",
    ),
    "tracing": MadeUp(
        _lines(
            {"TracerIdentity": "a", "VectorClock": {"a": 1}, "Tag": "Sent", "Body": {}},
            {"TracerIdentity": "b", "VectorClock": {"a": 1, "b": 1}, "Tag": "Got", "Body": {}},
        ),
        "tracing",
        "`TracerIdentity` and `VectorClock`",
    ),
    "tla": MadeUp(
        _lines(
            {"N": 2}, {"node": "a", "pkt": {"vc": {"a": 1, "b": 0}}}, {"node": "b", "pkt": {"vc": {"a": 1, "b": 1}}}
        ),
        "tla",
        "`node`, and `vc` in `pkt`",
    ),
    "poset": MadeUp("# two processes\n0:(1,0) sent\n1:(1,1) got it\n", "poset", "clocks in parentheses"),
    "steps": MadeUp(
        _lines({"process": "a", "order": 1, "sent": "m"}, {"process": "b", "order": 1, "received": "m"}),
        "steps",
        "`order` of a process, and no clock",
    ),
    "otlp": MadeUp(_lines(otlp()), "otlp", "`resourceSpans`"),
    "otlp, indented": MadeUp(json.dumps(otlp(), indent=2), "otlp", "`resourceSpans`"),
    "jaeger": MadeUp(_lines(jaeger()), "jaeger", "a trace with `spans`"),
    "jaeger, indented": MadeUp(json.dumps(jaeger(), indent=2), "jaeger", "traces in `data`"),
    "jaeger, one trace": MadeUp(json.dumps(jaeger()["data"][0], indent=2), "jaeger", "a trace with `spans`"),
    "zipkin": MadeUp(_lines(zipkin()), "zipkin", "spans with `traceId` and `id`"),
    "zipkin, indented": MadeUp(json.dumps(zipkin(), indent=2), "zipkin", "spans with `traceId` and `id`"),
    "zipkin, traces": MadeUp(json.dumps([zipkin()], indent=2), "zipkin", "spans with `traceId` and `id`"),
}
