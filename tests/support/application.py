"""An application that is told of verdicts by HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


@contextmanager
def application(answers: Callable[[int], int]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """An HTTP server on this machine: its URL, and what was POSTed; `answers` maps a request's number to a status."""
    received: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            assert self.headers["Idempotency-Key"] == body["id"]
            received.append(body)
            self.send_response(answers(len(received)))
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/verdicts", received
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
