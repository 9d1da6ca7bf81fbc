"""The page over HTTP, for one's own machine: read-only, live by server-sent events, nothing but the standard library.

GET /                     the page
GET /groups?search=TEXT   names of groups, as JSON
GET /system?search=TEXT   all groups at a glance, as JSON, where the feed can tell
GET /metrics              the counters of all groups for Prometheus, likewise
GET /slides?group=NAME    a stream of events: `slides` with a chunk, `restart` to begin anew, `notes` for the reader
"""

from __future__ import annotations

from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from threading import Event
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, urlsplit

from latwin import __version__
from latwin.explorer.columns import encode
from latwin.explorer.feed import Feed
from latwin.explorer.format import Header
from latwin.explorer.page import content_security_policy, render_page
from latwin.process.bounded import BoundedServer
from latwin.prometheus import CONTENT_TYPE

#: how long a stream may be silent
_KEEP_ALIVE_S = 15.0
#: slides that come faster are sent together
_PAUSE_S = 0.1
#: how long a reader may send or take nothing
_SILENT_S = 60.0
#: what a request may take until it is answered, however slowly its bytes come; streams have no end
_REQUEST_S = 60.0
_LOCAL = ("127.0.0.1", "localhost", "::1")


class ExplorerServer(BoundedServer):
    """Serves a feed; `serve_forever` in one thread, the feed's `run` in another, then `shutdown`.

    Bound to this machine, it answers only requests that name it (`Host`), so that no web page elsewhere can reach it
    under a name of its own. A hundred connections may be open; who reads nothing for a minute, or takes longer for a
    request, is left.
    """

    max_request_s = _REQUEST_S

    def __init__(self, feed: Feed, header: Header, *, host: str, port: int) -> None:
        self.feed = feed
        self.page = render_page(header).encode()
        self._stopped = Event()
        super().__init__((host, port), _Handler)
        self.host = host
        self.port = int(self.server_address[1])

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}/"

    def shutdown(self) -> None:
        """End the streams, and stop to serve."""
        self._stopped.set()
        super().shutdown()

    @property
    def is_stopped(self) -> bool:
        """Whether the streams are to end."""
        return self._stopped.is_set()

    def pause(self) -> None:
        """Let slides gather for a moment, unless the server stops."""
        self._stopped.wait(_PAUSE_S)

    def accepts(self, host: str | None) -> bool:
        """Whether a request's `Host` may be answered."""
        if self.host not in _LOCAL:
            return True
        try:
            return urlsplit(f"//{host or ''}").hostname in _LOCAL
        except ValueError:  # such as a bracket that is not closed
            return False


class _Handler(BaseHTTPRequestHandler):
    server: ExplorerServer
    timeout = _SILENT_S
    server_version = f"latwin/{__version__}"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer, or say why not."""
        if not self.server.accepts(self.headers.get("Host")):
            self._answer(HTTPStatus.MISDIRECTED_REQUEST, "text/plain", b"this is not the server of that name\n")
            return
        try:
            url = urlsplit(self.path)
        except ValueError:
            self._answer(HTTPStatus.BAD_REQUEST, "text/plain", b"this is no address\n")
            return
        query = {name: values[-1] for name, values in parse_qs(url.query, keep_blank_values=True).items()}
        if url.path == "/":
            self._answer(HTTPStatus.OK, "text/html; charset=utf-8", self.server.page)
        elif url.path == "/groups":
            self._answer(HTTPStatus.OK, "application/json", encode(self.server.feed.names(query.get("search", ""))))
        elif url.path == "/system" and (view := self.server.feed.system(query.get("search", ""))) is not None:
            self._answer(HTTPStatus.OK, "application/json", encode(view))
        elif url.path == "/metrics" and (text := self.server.feed.metrics()) is not None:
            self._answer(HTTPStatus.OK, CONTENT_TYPE, text.encode(errors="replace"))
        elif url.path == "/slides":
            self._stream(query.get("group", ""))
        else:
            self._answer(
                HTTPStatus.NOT_FOUND,
                "text/plain",
                b"there is /, /groups, /slides, and over a pipeline's output /system and /metrics\n",
            )

    do_HEAD = do_GET  # noqa: N815 - as the library calls it

    def _refuse(self) -> None:
        self._answer(HTTPStatus.METHOD_NOT_ALLOWED, "text/plain", b"this server is only to be looked at\n")

    do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _refuse  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: whoever serves a page to himself needs no log of it."""

    def _answer(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self._head(status, kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _head(self, status: HTTPStatus, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", f"{content_security_policy(live=True)}; frame-ancestors 'none'")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        if status is HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "GET, HEAD")

    def _stream(self, group: str) -> None:
        """A group's slides, all that are kept first, then as they come, until the reader leaves."""
        self._head(HTTPStatus.OK, "text/event-stream")
        self.end_headers()
        if self.command == "HEAD":
            return
        self.server.stream(self.connection)
        try:
            self.wfile.write(b"retry: 1000\n\n")
            self._send(group)
        except (BrokenPipeError, ConnectionResetError, TimeoutError):  # the reader left
            self.close_connection = True

    def _send(self, group: str) -> None:
        server, feed = self.server, self.server.feed
        sent: int | None = None
        told: list[str] = []
        silent_since = monotonic()
        while not server.is_stopped:
            news, notes = feed.read(group, sent), feed.notes()
            if notes != told:
                told = notes
                self.wfile.write(b"event: notes\ndata: " + encode(notes) + b"\n\n")
            if news.chunk is not None:
                if news.restart:
                    self.wfile.write(b"event: restart\ndata:\n\n")
                self.wfile.write(b"event: slides\ndata: " + encode(news.chunk) + b"\n\n")
                sent = news.chunk["first"] + len(news.chunk["process"]) - 1
                silent_since = monotonic()
            server.pause()
            # Other groups' events wake this reader too, so its own silence is measured, not the wait alone.
            rest_s = silent_since + _KEEP_ALIVE_S - monotonic()
            if not feed.wait(news.changes, max(0.0, rest_s)) or rest_s <= 0:
                self.wfile.write(b": still here\n\n")
                silent_since = monotonic()
