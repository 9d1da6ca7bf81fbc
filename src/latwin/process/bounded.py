"""An HTTP server that cannot be filled: so many connections, and so long for a request."""

from __future__ import annotations

import math
import socket
from contextlib import suppress
from http.server import ThreadingHTTPServer
from threading import Lock
from time import monotonic
from typing import Any

_REASON = b'{"error":"too many connections are open; try again later"}\n'
_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
    b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(_REASON), _REASON)
)


class BoundedServer(ThreadingHTTPServer):
    """A thread for each of at most `max_connections` connections; one more is answered with 503 at once, and closed.

    A handler calls `begin` where it begins to wait for another request. A connection on which a request then takes
    longer than `max_request_s`, however slowly its bytes come, is ended. A handler whose answer has no end calls
    `stream` first.
    """

    daemon_threads = True  # idle connections hold nobody up
    max_connections = 100
    max_request_s = 60.0

    def __init__(self, address: tuple[str, int], handler: Any) -> None:
        self._since: dict[socket.socket, float] = {}
        self._lock = Lock()
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Give the connection a thread, or refuse it."""
        with self._lock:
            is_full = len(self._since) >= self.max_connections
            if not is_full:
                self._since[request] = monotonic()
        if is_full:
            with suppress(OSError):
                request.settimeout(0.1)
                request.sendall(_REFUSAL)
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve the connection until it ends."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._since.pop(request, None)

    def begin(self, connection: socket.socket) -> None:
        """Note that a request may come on a connection from now on."""
        with self._lock:
            self._since[connection] = monotonic()

    def stream(self, connection: socket.socket) -> None:
        """Note that the answer on a connection may take as long as somebody reads it."""
        with self._lock:
            self._since[connection] = math.inf

    def service_actions(self) -> None:
        """End what takes too long; called several times a second."""
        with self._lock:
            late = [one for one, since in self._since.items() if monotonic() - since > self.max_request_s]
        for connection in late:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
