"""The reporter to a collector, over HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from latwin.errors import InvalidInput

if TYPE_CHECKING:
    from http.client import HTTPConnection

_SHOWN_BYTES = 300
_OK = range(200, 300)
#: what a post over a kept connection meets if the other side has ended it (RemoteDisconnected is a reset)
_ENDED = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError)


class HttpReporter:
    """Posts batches as JSON lines to a collector (`latwin collect`), over a connection that is kept.

    A batch is acknowledged by an answer of 2xx; anything else, or none within `timeout_s`, is raised, and the batch
    is sent again later. It is sent again at once only if the kept connection turns out to have ended.
    `headers` go with each request, say for authorisation. Raises ConnectionError and other OSErrors.
    """

    def __init__(self, url: str, *, headers: Mapping[str, str] | None = None, timeout_s: float = 30.0) -> None:
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError:
            port = -1
        if parts.scheme not in ("http", "https") or not parts.hostname or port == -1:
            raise InvalidInput(f"the URL must be like http://127.0.0.1:8090/events; got {url!r}")
        self.url = url
        self._is_secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, port
        self._target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._headers = {"Content-Type": "application/x-ndjson", **(headers or {})}
        self._timeout_s = timeout_s
        self._lock = Lock()
        self._connection: HTTPConnection | None = None

    def send(self, events: Sequence[bytes]) -> None:
        """Post them; ConnectionError with the answer if it is none of success."""
        body = b"".join(event + b"\n" for event in events)
        with self._lock:
            is_kept = self._connection is not None
            try:
                status, answer = self._post(body)
            except _ENDED:
                if not is_kept:
                    raise
                status, answer = self._post(body)  # only then at once; who did not answer needs time, not more
        if status not in _OK:
            text = answer[:_SHOWN_BYTES].decode(errors="replace").strip()
            raise ConnectionError(f"{self.url} answered {status}: {text}")

    def close(self) -> None:
        """End the connection."""
        with self._lock:
            self._drop()

    def _post(self, body: bytes) -> tuple[int, bytes]:
        from http.client import HTTPConnection, HTTPException, HTTPSConnection

        if self._connection is None:
            kind = HTTPSConnection if self._is_secure else HTTPConnection
            self._connection = kind(self._host, self._port, timeout=self._timeout_s)
        try:
            self._connection.request("POST", self._target, body, self._headers)
            response = self._connection.getresponse()
            answer = response.read()
        except ConnectionError:
            self._drop()
            raise
        except OSError as error:
            self._drop()
            raise ConnectionError(f"{self.url}: {error}") from error
        except HTTPException as error:
            self._drop()
            raise ConnectionError(f"{self.url}: no answer of HTTP: {type(error).__name__}: {error}") from error
        if response.will_close:
            self._drop()
        return response.status, answer

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
