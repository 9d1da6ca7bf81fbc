"""What strangers can send, as functions of bytes: each may raise its documented errors, and nothing else.

A target takes bytes that may hold anything. `TARGETS` has them by name, with seeds: right inputs to start from. The
tests try some mutations of the seeds; `make fuzz` goes on for as long as it is given.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from functools import cache
from io import BytesIO
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec

from latwin import InvalidInput, Monitor, PropertyError, SnapshotError, Spec, SpecError, TooManyWaiting
from latwin.clocks import ClockMaker, ClockTally, JsonSteps, TraceSpans
from latwin.clocks.clocked import event_line, problem_line
from latwin.clocks.live import Arrival, LiveClocks, storable
from latwin.clocks.waits import Waits
from latwin.events import EventReader, Origin, by_group, in_order
from latwin.events.lines import lines_of
from latwin.events.variables import Variables
from latwin.explorer.feed import EventFeed
from latwin.explorer.server import ExplorerServer
from latwin.explorer.server import _Handler as _PageHandler
from latwin.formats import FORMATS, Options, format_of, parse_log, to_events, usable
from latwin.formats.compression import PlainStream
from latwin.formats.readers import read_stream
from latwin.formats.recognise import is_told
from latwin.process import Stamp
from latwin.process.collector import _Handler, read_lines
from latwin.process.otlp import JSON, PROTOBUF, answer
from latwin.process.publisher import Counts
from latwin.properties import parse_property
from latwin.spark.container import VERSION, Container
from latwin.spark.kafka.address import parse_sink, parse_source
from latwin.spark.shard import ShardWorker
from latwin.spark.sources.kafka import RecordMapper
from made_up_logs import LOGS, jaeger, zipkin
from otlp import request, span

Target = Callable[[bytes], None]


class Fuzzed(NamedTuple):
    """A target and right inputs for it."""

    run: Target
    seeds: list[bytes]


SPEC_TEXT = """
processes = ["a", "b", "c"]
window = { a = 2, b = 3, c = "unlimited" }
delivery = "fifo"
max_waiting = 4
waiting_policy = "skip"
max_cuts = 1000
never = ["bad"]
[initial]
a = { x = 1, s = "on" }
[states]
ready = "a.x > 0 and not b.y"
[roles]
pair = ["a", "[bc]"]
[properties]
bad = "possibly(ready and c.z in (1, 'two', null))"
many = "possibly(count(pair.x) >= 2 and sum(*.y) < 3 or min(pair.x) == max(*.z)) and definitely(any(*.x))"
clash = "possibly(exists(p, q in pair: p != q and p.x == q.x)) or definitely(forall(p in *: p.x <= a.x))"
sure = "definitely(a.x + b.y * 2 >= 3 or c.z)"
order = "possibly(seq(ready, any*, b.y | c.z))"
tree = "AG(a.x implies EF(b.y))"
odds = "probability(a.x) >= 0.5"
"""
VARIABLES = '[variables]\ntext = ["x=(?<x>-?\\\\d+)"]\nfields = ["y", "deep.z"]\n'


def text_of(data: bytes) -> str:
    return data.decode(errors="surrogateescape")


@cache
def specs() -> list[Spec]:
    """With all kinds of questions; with variables; with synchrony and causal delivery."""
    skewed = SPEC_TEXT.replace('"fifo"', '"causal"').replace("max_cuts", 'synchrony = "5s"\nmax_cuts')
    return [Spec.loads(SPEC_TEXT), Spec.loads(SPEC_TEXT + VARIABLES), Spec.loads(skewed)]


def fuzz_events(data: bytes) -> None:
    """Lines through a reader, monitors of their groups, and a restart in between."""
    envelopes = []
    for raw in lines_of(BytesIO(data), 5000):
        reader = EventReader()
        envelope = reader.line(raw.text) if raw.size is None else reader.too_long(raw.text, raw.size)
        assert envelope is not None
        msgspec.json.encode(envelope)
        if envelope.problem is None:
            envelopes.append(envelope)
    spec = specs()[len(data) % 3]
    positions = {name: k for k, name in enumerate(spec.processes)}
    for some in by_group(envelopes).values():
        monitor = Monitor(spec, observations=True)
        for envelope in in_order(some, positions):
            out = monitor.observe(envelope.event)
            msgspec.json.encode([out, out.notices])
            again = Monitor.restore(spec, monitor.snapshot(), observations=True)
            assert again.values() == monitor.values()
            monitor = again


def fuzz_spec(data: bytes) -> None:
    try:
        spec = Spec.loads(text_of(data))
    except SpecError:
        return
    spec.explain()
    assert Spec.from_dict(spec.to_dict()) == spec


def fuzz_property(data: bytes) -> None:
    with suppress(PropertyError):
        parse_property(text_of(data), ["a", "b", "meeting room"], roles={"pair": ["a", "b"]})


def fuzz_log(data: bytes) -> None:
    """The first byte chooses the format."""
    formats = sorted(FORMATS)
    try:
        log = parse_log(
            data[1:].decode(errors="replace"), formats[data[0] % len(formats)] if data else "shiviz", Options()
        )
    except InvalidInput:
        return
    events, _ = usable(log, None, lenient=True)
    for envelope in to_events(events, Variables(), order="causal"):
        msgspec.json.encode(envelope, enc_hook=repr)


def fuzz_snapshot(data: bytes) -> None:
    """A snapshot as it is, and with its checksum made right, so that what is behind it is reached."""
    for bytes_of_it in (data, sealed(data)):
        try:
            monitor = Monitor.restore(specs()[0], bytes_of_it)
        except SnapshotError:
            continue
        feed(monitor)


def sealed(data: bytes) -> bytes:
    """A snapshot with the checksum that its fields have."""
    return data[:3] + zlib.crc32(data[7:]).to_bytes(4, "big") + data[7:]


def feed(monitor: Monitor) -> None:
    """A few events for a monitor that came back."""
    for process in monitor.spec.processes:
        for index in range(1, 6):
            with suppress(TooManyWaiting):
                monitor.observe({"process": process, "clock": {process: index}, "state": {"x": index}}, every=True)
    monitor.snapshot()


def fuzz_shard(data: bytes) -> None:
    """The state of a shard as it is, and with its checksum made right; the events are right."""
    payload = json.dumps({"group": "g", "event": {"process": "a", "clock": {"a": 1}, "state": {"x": 1}}})
    for stored in (data, resealed(data)):
        with suppress(SnapshotError):
            shard_worker().work(stored, [payload])


def resealed(data: bytes) -> bytes:
    """A shard's state with the version and the checksum of today, if it is one at all."""
    try:
        container = msgspec.msgpack.decode(data, type=Container)
    except (ValueError, TypeError, RecursionError):
        return data
    container.version = VERSION
    return container.encoded()


def fuzz_record(data: bytes) -> None:
    """A record of Kafka: value, key and stamp, divided by line feeds."""
    value, _, rest = data.partition(b"\n")
    key, _, stamp = rest.partition(b"\n")
    mapper = RecordMapper(EventReader())
    envelope = mapper.read(value or None, key or None, stamp or None, Origin(0, 1))
    shard_worker().work(None, [msgspec.json.encode(envelope).decode()])


@cache
def shard_worker() -> ShardWorker:
    return ShardWorker(specs()[0], every=True, observations=True)


def fuzz_post(data: bytes) -> None:
    """The body of a post to the collector."""
    lines, bad = read_lines(data)
    msgspec.json.encode(bad)
    for line in lines:
        assert line.strip()


class Connection:
    """What a handler needs of a socket: bytes that came, and those that went."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.sent = bytearray()

    def makefile(self, mode: str, _: int) -> BytesIO:
        assert mode == "rb"
        return BytesIO(self._data)

    def sendall(self, data: bytes) -> None:
        self.sent += data

    def settimeout(self, _: float) -> None:
        """It never waits."""

    def setsockopt(self, *_: int) -> None:
        """There is nothing to set."""


def fuzz_request(data: bytes) -> None:
    """All that comes on a connection to the collector, several requests perhaps."""
    publisher = SimpleNamespace(
        take=lambda lines, patience_s: None, counts=lambda: Counts(0, 0, 0, None), count_refused=lambda number: None
    )
    server = SimpleNamespace(
        begin=lambda connection: None,
        publisher=publisher,
        max_post_bytes=10_000,
        patience_s=1.0,
        is_loopback=True,
        is_stopping=False,
        answering=nullcontext(),
    )
    connection: Any = Connection(data)
    _Handler(connection, ("127.0.0.1", 1), server)  # type: ignore[arg-type]
    # To a request without a version, as in HTTP/0.9, the answer is the body alone.
    assert not connection.sent or connection.sent.startswith((b"HTTP/", b"<!DOCTYPE", b"{"))


def fuzz_page(data: bytes) -> None:
    """All that comes on a connection to the explorer's server."""
    server: Any = SimpleNamespace(
        host="127.0.0.1",
        feed=EventFeed(specs()[0], []),
        page=b"page",
        is_stopped=True,
        stream=lambda connection: None,
    )
    server.accepts = lambda host: ExplorerServer.accepts(server, host)
    connection: Any = Connection(data)
    _PageHandler(connection, ("127.0.0.1", 1), server)
    assert not connection.sent or connection.sent.startswith((b"HTTP/", b"<!DOCTYPE", b"page", b"[", b"th", b"retry"))


def fuzz_steps(data: bytes) -> None:
    derive(ClockMaker(JsonSteps()), data.split(b"\n"))


def fuzz_otlp(data: bytes) -> None:
    derive(ClockMaker(TraceSpans("trace", "service", "rpc")), [data])


def fuzz_jaeger(data: bytes) -> None:
    derive(ClockMaker(TraceSpans(format="jaeger")), [data])


def fuzz_zipkin(data: bytes) -> None:
    derive(ClockMaker(TraceSpans(format="zipkin")), [data])


def fuzz_exported(data: bytes) -> None:
    """A request of OTLP: the first byte tells its signal, content type and encoding."""
    first = data[0] if data else 0
    headers = {
        "Content-Type": PROTOBUF if first & 1 else JSON,
        "Content-Encoding": "gzip" if first & 2 else "identity",
    }
    lines: list[bytes] = []
    told = answer("logs" if first & 4 else "traces", headers, data[1:], lines.extend, 100_000)
    assert told.status in (200, 400, 413)
    assert all(record.group is not None for line in lines for record in TraceSpans().records(line))


def fuzz_live(data: bytes) -> None:
    """Steps and spans in a stream, which is stored and goes on after each line."""
    for source in (JsonSteps(), TraceSpans(), TraceSpans("all", "instance", "nested")):
        live = LiveClocks(source, Waits(1, 3, first_order=1))
        for at, line in enumerate(data.split(b"\n")):
            records = [Arrival(storable(record), float(at)) for record in source.records(line)]
            for some in (*live.take(records, float(at)), *(live.finish() if at % 7 == 6 else ())):
                for event in some.events:
                    event_line(event)
                for problem in some.problems:
                    problem_line(problem)
            live = LiveClocks(source, Waits(1, 3, first_order=1), live.groups)


def fuzz_file(data: bytes) -> None:
    """A file of any kind, compressed or not: told by its beginning, and read as what it was told to be."""
    is_told(data)
    with suppress(InvalidInput):
        stream = PlainStream(BytesIO(data))
        read_stream(stream, format_of(stream.beginning(1000)))


def derive(maker: ClockMaker, texts: list[bytes]) -> None:
    records: Iterator[Any] = (record for text in texts for record in maker.source.records(text))
    for clocks in maker.make(records, ClockTally()):
        for event in clocks.events:
            event_line(event)
        for problem in clocks.problems:
            problem_line(problem)


def fuzz_stamp(data: bytes) -> None:
    with suppress(InvalidInput):
        Stamp.from_text(data)


def fuzz_address(data: bytes) -> None:
    for parse in (parse_source, parse_sink):
        with suppress(InvalidInput):
            parse(text_of(data))


def lines(*events: Any) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


EVENTS = lines(
    {"process": "a", "clock": {"a": 1}, "state": {"x": 1, "s": "on"}, "time": 1.5},
    {"process": "b", "clock": [1, 1, 0], "state": {"y": True}, "time": "2026-01-01T00:00:00Z", "group": "g"},
    {"process": "c", "clock": {"a": 1, "c": 1}, "state": {"z": [1, {"w": None}]}, "arrival": 3, "event": "x=3"},
    {"process": "a", "clock": {"a": 3}, "state": None, "group": 7},
    {"process": "a", "clock": {"a": 2, "b": 1}, "state": {}, "y": 4, "deep": {"z": "two"}},
)


REQUEST = (
    b"POST /events HTTP/1.1\r\nHost: localhost:8765\r\nContent-Type: application/x-ndjson\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(EVENTS), EVENTS)
)


PAGE = b"GET /slides?group=g HTTP/1.1\r\nHost: localhost:8765\r\nAccept: text/event-stream\r\n\r\n"


@cache
def snapshots() -> list[bytes]:
    """Of a monitor that has seen, kept waiting and lost some."""
    monitor, found = Monitor(specs()[0]), []
    for line in EVENTS.splitlines():
        monitor.observe(json.loads(line))
        found.append(monitor.snapshot())
    return found


def targets() -> dict[str, Fuzzed]:
    """All targets by name."""
    shard = shard_worker().work(None, [json.dumps({"group": "g", "event": json.loads(EVENTS.splitlines()[0])})])[0]
    logs = [
        b'\x00a {"a": 1}\nstarted\nb {"a": 1, "b": 1}\nheard\n',
        b'\x01{"process": "a", "clock": {"a": 1}, "event": "x=1"}\n',
        b"\x020:(1,0)\n1:(1,1) heard\n",
        b'\x03(?<host>\\S+) (?<clock>{.*})\\n(?<event>.*)\na {"a":1}\ngo\n',
        b'\x04{"node": "a", "pkt": {"vc": {"a": 1}}}\n',
        b'\x05{"TracerIdentity": "a", "VectorClock": {"a": 1}, "Tag": "T", "Body": {"x": 1}}\n',
    ]
    steps = lines({"process": "a", "order": 1, "sent": "m"}, {"process": "b", "order": 1, "received": ["m"], "x": 1})
    spans = span(1, 0, 10, kind="client", links=[("f" * 32, 3)]), span(2, 1, 9, parent=1, kind="server", room="a")
    traces = json.dumps(request("shop", *spans, instance="i1")).encode()
    made_up = [log.text.encode() for log in LOGS.values()]
    return {
        "events": Fuzzed(fuzz_events, [EVENTS, *EVENTS.splitlines()]),
        "spec": Fuzzed(fuzz_spec, [SPEC_TEXT.encode(), (SPEC_TEXT + VARIABLES).encode()]),
        "property": Fuzzed(fuzz_property, [line.partition(b'"')[2][:-1] for line in SPEC_TEXT.encode().splitlines()]),
        "log": Fuzzed(fuzz_log, logs),
        "snapshot": Fuzzed(fuzz_snapshot, snapshots()),
        "shard": Fuzzed(fuzz_shard, [shard]),
        "record": Fuzzed(fuzz_record, [EVENTS.splitlines()[0] + b"\ng\n" + Stamp({"a": 1}, "g").text.encode()]),
        "post": Fuzzed(fuzz_post, [EVENTS]),
        "request": Fuzzed(fuzz_request, [REQUEST, REQUEST * 2, b"GET /health HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"]),
        "page": Fuzzed(
            fuzz_page, [PAGE, PAGE.replace(b"/slides?group=g", b"/groups?search=%C3%A9"), b"HEAD / HTTP/1.0\r\n\r\n"]
        ),
        "steps": Fuzzed(fuzz_steps, [steps]),
        "otlp": Fuzzed(fuzz_otlp, [traces]),
        "exported": Fuzzed(fuzz_exported, [b"\0" + traces, b"\2" + gzip.compress(traces), b"\1\n\0", b"\5\n\0"]),
        "live": Fuzzed(fuzz_live, [steps, traces + b"\n" + traces]),
        "jaeger": Fuzzed(fuzz_jaeger, [json.dumps(jaeger()).encode()]),
        "zipkin": Fuzzed(fuzz_zipkin, [json.dumps(zipkin()).encode()]),
        "file": Fuzzed(fuzz_file, [*made_up, *map(gzip.compress, made_up)]),
        "stamp": Fuzzed(fuzz_stamp, [Stamp({"a": 1, "b": 2}, "g").text.encode()]),
        "address": Fuzzed(fuzz_address, [b"kafka://a:1,[::1]:2/topic?startingOffsets=latest&rejects=r"]),
    }
