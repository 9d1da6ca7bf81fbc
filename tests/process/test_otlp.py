"""OTLP over HTTP: what exporters send is in the folder; bad requests get the protocol's own answers."""

from __future__ import annotations

import gzip
import http.client
import json
import tracemalloc
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from google.protobuf.json_format import MessageToDict
from google.rpc.status_pb2 import Status
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from latwin.clocks import ClockMaker, ClockTally, TraceSpans
from latwin.events.otlp import decode_request, is_json_request, take_request
from latwin.process import otlp as protocol
from latwin.process.bodies import BodyRefused, read_body
from latwin.process.collector import Collector
from otlp import TRACE, request, span
from otlp_messages import fill, protobuf_of

PROTOBUF, JSON = protocol.PROTOBUF, protocol.JSON


@pytest.fixture
def collector(tmp_path: Path) -> Iterator[Collector]:
    with Collector(tmp_path / "spans", gather_s=0.0, max_post_bytes=1 << 20) as running:
        yield running


def post(collector: Collector, path: str, body: bytes, **headers: str) -> tuple[int, str, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", collector.port, timeout=30)
    try:
        connection.request("POST", path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, response.headers["Content-Type"], response.read()
    finally:
        connection.close()


def collected(collector: Collector) -> list[dict[str, Any]]:
    files = sorted(collector.folder.glob("*.jsonl"))
    return [msgspec.json.decode(line) for path in files for line in path.read_bytes().splitlines()]


CALL = request(
    "shop",
    span(1, 0, 9, kind="client", http__status=200, tags=["x", 2.5, True], inner={"a": {"b": 1}}),
    span(2, 3, None, parent=1, links=[(TRACE, 1)], status=2),
    instance="i1",
)


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
@pytest.mark.parametrize("kind", [PROTOBUF, JSON])
def test_spans_are_in_the_folder_however_they_are_sent(collector: Collector, kind: str, encoding: str) -> None:
    body = protobuf_of(CALL).SerializeToString() if kind == PROTOBUF else json.dumps(CALL).encode()
    if encoding == "gzip":
        body = gzip.compress(body, mtime=0)
    answer = post(collector, "/v1/traces", body, Content_Type=kind, Content_Encoding=encoding)
    assert answer == (200, kind, b"" if kind == PROTOBUF else b"{}")
    lines = collected(collector)
    arrivals = [line.pop("arrival") for line in lines]
    assert arrivals[0] < arrivals[1]
    assert [spans_in(line) for line in lines] == [spans_in(CALL)[:1], spans_in(CALL)[1:]]
    assert collector.counts.events == 2


def spans_in(document: Any) -> list[Any]:
    """What is read of a document in the end."""
    source = TraceSpans()
    return list(source.records(json.dumps(document).encode()))


@given(st.randoms(use_true_random=False))
def test_protobuf_and_json_say_the_same(rng: Any) -> None:
    from made_up_traces import made_up_requests

    for document in made_up_requests(rng, traces=1):
        decoded = decode_request(protobuf_of(document).SerializeToString(), "traces", is_protobuf=True)
        assert spans_in(decoded) == spans_in(document)


def test_log_records(collector: Collector) -> None:
    message = ExportLogsServiceRequest()
    of_resource = message.resource_logs.add()
    fill(of_resource.resource.attributes, [{"key": "service.name", "value": {"stringValue": "shop"}}])
    records = of_resource.scope_logs.add().log_records
    good = records.add(
        time_unix_nano=5, trace_id=bytes.fromhex(TRACE), span_id=bytes(7) + b"\1", severity_text="WARN"
    )
    good.body.string_value = "lease lost"
    records.add(time_unix_nano=5)
    status, kind, body = post(collector, "/v1/logs", message.SerializeToString(), Content_Type=PROTOBUF)
    partial = ExportLogsServiceResponse.FromString(body).partial_success
    assert (status, kind, partial.rejected_log_records) == (200, PROTOBUF, 1)
    assert partial.error_message == (
        "1 log record refused: the log record belongs to no span: it has no traceId and spanId"
    )
    (line,) = collected(collector)
    (found,) = spans_in(line)
    assert (found.group, found.row["name"], found.row["is_log"]) == (TRACE, "lease lost", True)


@pytest.mark.parametrize("kind", [PROTOBUF, JSON])
def test_bad_spans_are_refused_and_the_others_taken(collector: Collector, kind: str) -> None:
    document = request("a", span(1, 0, 1), {**span(2, 0, 1), "traceId": "00" * 16}, span(0, 0, 1))
    body = protobuf_of(document).SerializeToString() if kind == PROTOBUF else json.dumps(document).encode()
    status, _, answer = post(collector, "/v1/traces", body, Content_Type=kind)
    message = ExportTraceServiceResponse.FromString(answer) if kind == PROTOBUF else None
    partial = (MessageToDict(message) if message is not None else json.loads(answer))["partialSuccess"]
    assert (status, partial["rejectedSpans"]) == (200, "2")
    assert partial["errorMessage"].startswith("2 spans refused: the span's traceId must be hexadecimal and not zero")
    assert len(collected(collector)) == 1
    assert (collector.counts.events, collector.counts.refused) == (1, 2)


def test_a_span_that_is_too_large_or_too_deep_is_refused(collector: Collector) -> None:
    deep: Any = "x"
    for _ in range(35):
        deep = [deep]
    document = request("a", span(1, 0, 1, text="x" * 300_000), span(2, 0, 1, deep=deep))
    status, _, answer = post(collector, "/v1/traces", json.dumps(document).encode(), Content_Type=JSON)
    assert status == 400
    assert "nested too deeply" in json.loads(answer)["message"]
    body = protobuf_of(document).SerializeToString()
    assert body
    document["resourceSpans"][0]["scopeSpans"][0]["spans"].pop()
    status, _, answer = post(collector, "/v1/traces", json.dumps(document).encode(), Content_Type=JSON)
    assert "at most 262,144 are read" in json.loads(answer)["partialSuccess"]["errorMessage"]
    taken = take_request(decode_request(body, "traces", is_protobuf=True), "traces")
    assert (taken.lines, len(taken.refused)) == ([], 2)


@pytest.mark.parametrize(
    ("body", "headers", "status", "reason"),
    [
        (b"\xff\xff", {"Content-Type": PROTOBUF}, 400, "not an OTLP request in protobuf"),
        (b"{", {"Content-Type": JSON}, 400, "not valid JSON"),
        (b"[]", {"Content-Type": JSON}, 400, "must be an object with `resourceSpans`"),
        (b'{"resourceLogs": []}', {"Content-Type": JSON}, 400, "with `resourceSpans`; this one has resourceLogs"),
        (b"\n\xff", {"Content-Type": JSON}, 400, "then its content type must be application/x-protobuf"),
        (b'{"resourceSpans": []}', {"Content-Type": PROTOBUF}, 400, "then its content type must be application/json"),
        (gzip.compress(b"{}", mtime=0), {"Content-Type": JSON}, 400, "it needs the header Content-Encoding: gzip"),
        (
            b"0" * (2 << 20),
            {"Content-Type": PROTOBUF},
            413,
            "a post may have 1,048,576 bytes; this one has 2,097,152",
        ),
        (b'{"resourceSpans": 1}', {"Content-Type": JSON}, 400, "`resourceSpans` must be a list in an object"),
        (b'{"resourceSpans": [1]}', {"Content-Type": JSON}, 400, "`scopeSpans` must be a list in an object; got 1"),
        (b"{}", {"Content-Type": "text/plain"}, 415, "the content type must be application/x-protobuf or"),
        (b"{}", {}, 415, "the content type must be"),
        (b"{}", {"Content-Type": JSON, "Content-Encoding": "br"}, 415, "must be gzip, or none; got 'br'"),
        (b"{}", {"Content-Type": JSON, "Content-Encoding": "gzip"}, 400, "the request is not gzip"),
        (
            gzip.compress(b"{}", mtime=0)[:-5],
            {"Content-Type": PROTOBUF, "Content-Encoding": "gzip"},
            400,
            "ends too early",
        ),
    ],
)
def test_bad_requests(collector: Collector, body: bytes, headers: dict[str, str], status: int, reason: str) -> None:
    found, kind, answer = post(collector, "/v1/traces", body, **headers)
    assert found == status
    if kind == PROTOBUF:
        told = Status.FromString(answer)
        code, message = told.code, told.message
    else:
        code, message = json.loads(answer)["code"], json.loads(answer)["message"]
    assert code == 3
    assert reason in message
    assert collected(collector) == []


def test_requests_of_web_pages_and_to_other_places(collector: Collector) -> None:
    headers = {"Content-Type": JSON, "Origin": "https://example.org"}
    assert post(collector, "/v1/traces", b"{}", **headers)[0] == 403
    status, _, answer = post(collector, "/v1/metrics", b"", Content_Type=PROTOBUF)
    assert (status, Status.FromString(answer).message[:21]) == (404, "metrics are not taken")
    # The variable of one signal, such as OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, must have the path in it.
    status, _, answer = post(collector, "/", json.dumps(CALL).encode(), Content_Type=JSON)
    assert (status, json.loads(answer)["error"]) == (
        400,
        "1 bad line; none was taken; OTLP goes to /v1/traces and /v1/logs",
    )
    status, _, answer = post(collector, "/", protobuf_of(CALL).SerializeToString(), Content_Type=PROTOBUF)
    assert status == 415
    assert json.loads(answer)["error"].endswith("; OTLP goes to /v1/traces and /v1/logs")
    assert collector.otlp_endpoint == f"http://127.0.0.1:{collector.port}"


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_a_body_may_come_in_chunks(collector: Collector, size: int) -> None:
    """As exporters send it that compress on the way."""
    body = gzip.compress(json.dumps(CALL).encode())
    connection = http.client.HTTPConnection("127.0.0.1", collector.port, timeout=30)
    headers = {"Content-Type": JSON, "Content-Encoding": "gzip", "Transfer-Encoding": "chunked"}
    try:
        for _ in range(2):  # the connection is good for another
            chunks = (body[first : first + size] for first in range(0, len(body), size))
            connection.request("POST", "/v1/traces", chunks, headers, encode_chunked=True)
            response = connection.getresponse()
            assert (response.status, response.read()) == (200, b"{}")
    finally:
        connection.close()
    assert len(collected(collector)) == 4


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"5;a=b\r\nhello\r\n0\r\nx: y\r\n\r\n", b"hello"),
        (b"5\r\nhel", None),
        (b"", None),
        (b"5\r\nhello", None),
        (b"5\r\nhelloX\r\n", (400, "a chunk of the body must end with a line's end")),
        (b"-1\r\n", (400, "a chunk of the body must begin with its size")),
        (b"f" * 2000, (400, "a chunk of the body must begin with its size")),
        (b"b\r\nhello world\r\n0\r\n\r\n", (413, "a post may have 10 bytes; this one has more")),
        (b"ffff\r\n", (413, "a post may have 10 bytes; this one has more")),
    ],
)
def test_chunks_are_read_and_bounded(body: bytes, expected: Any) -> None:
    try:
        found: Any = read_body(BytesIO(body), {"Transfer-Encoding": "chunked"}, 10)
    except BodyRefused as error:
        found = error.status, str(error)
    assert found == expected


def test_a_body_has_one_length() -> None:
    with pytest.raises(BodyRefused, match="a Content-Length, or come in chunks; got 'chunked'"):
        read_body(BytesIO(), {"Transfer-Encoding": "chunked", "Content-Length": "3"}, 10)
    with pytest.raises(BodyRefused, match="got 'gzip'"):
        read_body(BytesIO(), {"Transfer-Encoding": "gzip"}, 10)


def test_a_gzip_bomb_costs_no_memory(collector: Collector) -> None:
    bomb = gzip.compress(bytes(200 << 20), 9, mtime=0)
    assert len(bomb) < 1 << 20
    tracemalloc.start()
    try:
        status, _, answer = post(collector, "/v1/traces", bomb, Content_Type=JSON, Content_Encoding="gzip")
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
    assert status == 413
    assert "a request may have 1,048,576 bytes after decompression" in json.loads(answer)["message"]
    halves = gzip.compress(b'{"resource', mtime=0) + gzip.compress(b'Spans": []}')  # several members are one text
    assert post(collector, "/v1/traces", halves, Content_Type=JSON, Content_Encoding="gzip")[0] == 200


def test_when_the_collector_cannot_take_it_the_exporter_is_to_try_again(collector: Collector) -> None:
    collector._publisher.close()
    status, kind, answer = post(collector, "/v1/traces", protobuf_of(CALL).SerializeToString(), Content_Type=PROTOBUF)
    assert (status, kind) == (503, PROTOBUF)
    told = Status.FromString(answer)
    assert (told.code, told.message) == (14, "the collector stops; send it again later")


def test_without_the_package_protobuf_is_refused_and_json_taken(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "opentelemetry.proto.collector.trace.v1.trace_service_pb2", None)
    status, _, answer = post(collector, "/v1/traces", b"", Content_Type=PROTOBUF)
    assert status == 415
    assert "pip install 'latwin[otlp]'" in Status.FromString(answer).message
    assert post(collector, "/v1/traces", json.dumps(CALL).encode(), Content_Type=JSON)[0] == 200


def mangled(rng: Any, row: Any) -> Any:
    """A span with one field made wrong, or left out."""
    name = rng.choice(["traceId", "spanId", "startTimeUnixNano", "endTimeUnixNano", "parentSpanId", "links", "kind"])
    wrong: list[Any] = [None, "", 0, -1, "zz", "0" * 16, 2**70, "9" * 25, [], {}, True, 1.5]
    return {**row, name: rng.choice(wrong)} if rng.random() < 0.9 else rng.choice([1, None, [row]])


@given(st.randoms(use_true_random=False))
def test_what_is_taken_can_be_used_and_what_is_refused_could_not(rng: Any) -> None:
    document = request("a", mangled(rng, span(1, 0, 1)), mangled(rng, span(2, 0, 1, parent=1)))
    try:
        taken = take_request(document, "traces")
    except OverflowError:
        pytest.fail("nothing but a refusal may come of a wrong number")
    source = TraceSpans()
    usable = [record for line in taken.lines for record in source.records(line)]
    assert all(record.group is not None for record in usable)
    both = list(source.records(json.dumps(document).encode()))
    assert len(usable) + len(taken.refused) == len(both)
    assert [record for record in both if record.group is not None] == usable
    list(ClockMaker(source).make(usable, ClockTally()))


def test_records_of_kafka_are_told_apart() -> None:
    assert is_json_request(b' {"resourceSpans": []}')
    assert is_json_request(b"{}")
    assert not is_json_request(protobuf_of(CALL).SerializeToString())
    assert not is_json_request(b"\n {")
