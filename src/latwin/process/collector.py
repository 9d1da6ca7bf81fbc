"""The collector: what is posted over HTTP becomes whole files in a folder, which `latwin run` watches.

    POST /events   JSON lines, each an event with its clock
                   200 when they are in the folder, on disk, in a file that appeared whole
                   400 with the numbers of bad lines (nothing of the post is taken then); 411 without a length or
                   chunks, 413 too large, 415 of another content type than JSON's, or compressed
                   503 when too much waits, too many connections are open, the disk refuses, or the collector stops:
                   send it again later
    POST /v1/traces, /v1/logs
                   spans and log records, as exporters of OpenTelemetry send them: a line for each (see `otlp`)
    GET /health    200 and counts, 503 if the last file could not be written

What is answered with 200 is in the folder; the collector itself keeps nothing that a crash could lose. Posts that
come while a file is written, or within `gather_s` of the last, share the next file.

Programs may post, web pages may not, though a browser on this machine reaches the loopback for any of them. 403
answers what has an `Origin`, and on the loopback what asks for another host (a name of the page's that leads
here). The content type must be one for which a browser would ask first, and be refused.
"""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from io import BytesIO
from pathlib import Path
from threading import Condition, Thread
from typing import Any

import msgspec

from latwin.errors import InvalidEvent, InvalidInput
from latwin.events import EventReader
from latwin.events.lines import lines_of
from latwin.events.otlp import Signal
from latwin.events.plain import show
from latwin.events.reading import too_long
from latwin.process import otlp
from latwin.process.bodies import BodyRefused, read_body
from latwin.process.bounded import BoundedServer
from latwin.process.publisher import Counts, Publisher, Refused

_MOST_BAD_LINES = 20
_IDLE_S = 60.0
_POLL_S = 0.05
_RETRY_AFTER_S = 1
#: what a connection may wait for a request and take for it, all in all
_REQUEST_S = 120.0
_MOST_CONNECTIONS = 100
#: hosts of requests to this machine alone
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_CONTENT_TYPES = ("application/x-ndjson", "application/json")
_ABOUT_BODY = ("Content-Type", "Content-Encoding", "Content-Length", "Transfer-Encoding")
_OTLP_GOES = f"OTLP goes to {' and '.join(otlp.PATHS)}"


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: _Server
    protocol_version = "HTTP/1.1"  # connections are kept
    server_version = "latwin"
    sys_version = ""
    timeout = _IDLE_S
    disable_nagle_algorithm = True

    def handle_one_request(self) -> None:
        """Wait for a request, and answer it, in limited time."""
        self.server.begin(self.connection)
        super().handle_one_request()

    def do_POST(self) -> None:
        """Take events, spans or log records."""
        path = self.path.partition("?")[0]
        signal = otlp.PATHS.get(path)
        is_otlp = path.startswith("/v1/")
        if signal is None and path not in ("/", "/events"):
            places = ", ".join(("/events", *otlp.PATHS))
            about = "metrics are not taken (OTEL_METRICS_EXPORTER=none); " if path == "/v1/metrics" else ""
            self._refuse(404, f"{about}post to one of {places}", is_otlp=is_otlp)
            return
        refusal = self._refusal() if signal is None else self._foreign_refusal()
        if refusal is not None:
            self._refuse(*refusal, is_otlp=is_otlp)
            return
        with self.server.answering:
            try:
                body = read_body(self.rfile, self._told, self.server.max_post_bytes)
            except BodyRefused as error:
                self._refuse(error.status, str(error), is_otlp=is_otlp)
                return
            if body is None:
                self.close_connection = True  # whoever sent it went away; nothing is taken
                return
            if signal is not None:
                self._take_otlp(signal, body)
                return
            lines, bad = read_lines(body)
            if bad:
                count = f"{len(bad)} bad line{'s' * (len(bad) > 1)}{' or more' * (len(bad) == _MOST_BAD_LINES)}"
                where = f"; {_OTLP_GOES}" if otlp.is_json_request(body) else ""
                self._answer(400, {"error": f"{count}; none was taken{where}", "lines": bad})
                return
            try:
                if lines:
                    self.server.publisher.take(lines, self.server.patience_s)
            except Refused as error:
                self._answer(503, {"error": f"{error}; send it again later"})
            else:
                self._answer(200, {"events": len(lines)})

    @property
    def _told(self) -> dict[str, str]:
        """What the request says of its body."""
        return {name: self.headers[name] for name in _ABOUT_BODY if name in self.headers}

    def _take_otlp(self, signal: Signal, body: bytes) -> None:
        """Take the spans or log records of a request, and answer as its protocol wants."""
        server = self.server
        told = otlp.answer(
            signal,
            self._told,
            body,
            lambda lines: server.publisher.take(lines, server.patience_s),
            server.max_post_bytes,
        )
        server.publisher.count_refused(told.refused)
        self._send(told.status, told.content_type, told.body)

    def do_GET(self) -> None:
        """Tell how it is."""
        refusal = self._foreign()
        if refusal is not None:
            self._answer(403, {"error": refusal}, close=True)
            return
        if self.path.partition("?")[0] != "/health":
            self._answer(404, {"error": f"GET /health, or POST {', '.join(('/events', *otlp.PATHS))}"})
            return
        counts = self.server.publisher.counts()
        status = "ok" if counts.trouble is None else "cannot write"
        self._answer(200 if counts.trouble is None else 503, {"status": status, **counts._asdict()})

    def _refuse(self, status: int, reason: str, *, is_otlp: bool) -> None:
        """Take nothing, and say why, in the form of OTLP's errors if that was spoken."""
        if is_otlp:
            told = otlp.failure(status, otlp.content_type(self._told), reason)
            self._send(told.status, told.content_type, told.body, close=True)
        else:
            self._answer(status, {"error": reason}, close=True)

    def _refusal(self) -> tuple[int, str] | None:
        """The answer to a post that a web page may have made a browser send; None if none can have."""
        refusal = self._foreign_refusal()
        if refusal is not None:
            return refusal
        encoding = self.headers.get("Content-Encoding", "identity")
        if encoding.strip().lower() != "identity":
            return 415, f"send the lines as they are, without a Content-Encoding; got {encoding!r}"
        given = self.headers.get("Content-Type")
        if given is None or given.partition(";")[0].strip().lower() in _CONTENT_TYPES:
            return None
        where = f"; {_OTLP_GOES}" if otlp.content_type(self._told) == otlp.PROTOBUF else ""
        return 415, f"the content type must be {' or '.join(_CONTENT_TYPES)}, or left out; got {given!r}{where}"

    def _foreign_refusal(self) -> tuple[int, str] | None:
        foreign = self._foreign()
        return None if foreign is None else (403, foreign)

    def _foreign(self) -> str | None:
        """Why this is no request of a program that means this collector; None if it may be one."""
        origin, host = self.headers.get("Origin"), self.headers.get("Host")
        if origin is not None:
            return f"requests from web pages are refused; this one has the Origin {origin!r}"
        if self.server.is_loopback and host is not None and host_name(host) not in LOOPBACK:
            return f"this collector listens as {', '.join(LOOPBACK)}; the request asks for the Host {host!r}"
        return None

    def _answer(self, status: int, document: dict[str, Any], *, close: bool = False) -> None:
        self._send(status, otlp.JSON, msgspec.json.encode(document) + b"\n", close=close)

    def _send(self, status: int, content_type: str, body: bytes, *, close: bool = False) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        if status == 503:
            self.send_header("Retry-After", str(_RETRY_AFTER_S))
        if close or self.server.is_stopping:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """No line a request."""


class _Answering:
    """Counts requests that are being answered, so that a stop can wait for them."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._number = 0

    def __enter__(self) -> None:
        with self._changed:
            self._number += 1

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._number -= 1
            self._changed.notify_all()

    def wait_until_none(self, timeout_s: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._number, timeout_s)


class _Server(BoundedServer):
    request_queue_size = 128
    max_connections = _MOST_CONNECTIONS
    max_request_s = _REQUEST_S

    def __init__(
        self, address: tuple[str, int], publisher: Publisher, max_post_bytes: int, patience_s: float
    ) -> None:
        self.publisher = publisher
        self.max_post_bytes = max_post_bytes
        self.patience_s = patience_s
        self.answering = _Answering()
        self.is_stopping = False
        self.is_loopback = address[0] in LOOPBACK
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that broke is the sender's to mend: it sends again."""


class Collector:
    """A small HTTP server on this machine that turns posts into files in `folder`.

    It listens when it is made (`port` 0 picks a free one, `url` tells), and serves in threads of its own until
    `close`, which first publishes and answers what was taken. There is no authentication: leave `host` at the
    loopback, or let only those reach it who may report.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        gather_s: float = 0.5,
        max_waiting_bytes: int = 64 << 20,
        max_post_bytes: int = 16 << 20,
        patience_s: float = 20.0,
    ) -> None:
        for name, value in (("max_waiting_bytes", max_waiting_bytes), ("max_post_bytes", max_post_bytes)):
            if type(value) is not int or value < 1:
                raise InvalidInput(f"{name} must be an integer from 1 up; got {value!r}")
        if not 0 <= gather_s < patience_s:
            raise InvalidInput(f"gather_s must be from 0 up, and less than patience_s={patience_s}; got {gather_s!r}")
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise InvalidInput(f"{self.folder} is no folder")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._publisher = Publisher(self.folder, gather_s=gather_s, max_waiting_bytes=max_waiting_bytes)
        try:
            self._server = _Server((host, port), self._publisher, max_post_bytes, patience_s)
        except (OSError, OverflowError) as error:
            self._publisher.close()
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise InvalidInput(f"cannot listen on {host} port {port}: {reason}") from None
        self._host = host
        self._thread = Thread(
            target=self._server.serve_forever, args=(_POLL_S,), name="latwin-collector", daemon=True
        )
        self._thread.start()

    @property
    def port(self) -> int:
        """The port on which it listens."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """Where to post."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self.port}/events"

    @property
    def otlp_endpoint(self) -> str:
        """What OTEL_EXPORTER_OTLP_ENDPOINT must be; exporters add the path."""
        return self.url.removesuffix("/events")

    @property
    def counts(self) -> Counts:
        """What was done so far."""
        return self._publisher.counts()

    def close(self) -> None:
        """Listen no more, publish what was taken, answer it."""
        self._server.is_stopping = True
        self._server.shutdown()
        self._server.server_close()
        self._publisher.close()
        self._server.answering.wait_until_none(self._server.patience_s)

    def __enter__(self) -> Collector:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()


def host_name(host: str) -> str:
    """What a Host header names, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.rpartition(":")[0].lower() if host.count(":") == 1 else host.lower()


def read_lines(body: bytes) -> tuple[list[bytes], list[dict[str, Any]]]:
    """The lines of a post, and the bad ones among them, each with its number from 1 and a reason.

    It stops at the twentieth bad line: nothing is taken then, and whoever sent it has enough to look at.
    """
    lines, bad = [], []
    for line in lines_of(BytesIO(body)):
        try:
            check_event(line.text, line.size)
        except InvalidEvent as error:
            bad.append({"line": line.number, "reason": str(error)})
            if len(bad) == _MOST_BAD_LINES:
                break
        else:
            lines.append(line.text)
    return lines, bad


def check_event(line: bytes, size: int | None = None) -> None:
    """Raise InvalidEvent unless the line is an object with a process and a clock; a spec judges the rest.

    `size` is that of a line of which only the beginning was read.
    """
    reader = EventReader()
    if size is not None:
        raise InvalidEvent(too_long(f"{size:,}", reader.max_bytes))
    envelope = reader.line(line)
    if envelope is None or envelope.problem is not None:
        raise InvalidEvent(envelope.problem if envelope is not None else "the line is blank")
    event = envelope.event
    missing = [name for name in ("process", "clock") if name not in event]
    if missing:
        raise InvalidEvent(f"the event lacks {', '.join(map(repr, missing))}")
    if not isinstance(event["process"], str):
        raise InvalidEvent(f"`process` must be a text; got {show(event['process'])}")
    if not isinstance(event["clock"], (dict, list)):
        raise InvalidEvent(f"`clock` must be a map or a list; got {show(event['clock'])}")
    if not isinstance(event.get("state"), dict | None):
        raise InvalidEvent(f"`state` must be a map; got {show(event['state'])}")
