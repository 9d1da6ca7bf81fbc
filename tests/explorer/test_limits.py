"""The explorer's server cannot be filled: so many connections, so long for a request, and only streams may last."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from envelopes import envelopes
from latwin.explorer.feed import EventFeed
from latwin.explorer.server import ExplorerServer
from serving import SPEC, serving

MOST = 100


def connect(server: ExplorerServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), 60)


def ask(server: ExplorerServer, path: str) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def wait_until(holds: Callable[[], bool]) -> None:
    while not holds():
        time.sleep(0.01)


def event(index: int) -> dict[str, Any]:
    return {"group": "g", "process": "a", "clock": [index], "state": {"x": True}}


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("sent", [pytest.param(b"", marks=pytest.mark.soak), b"GET /groups HT"])
def test_a_hundred_connections_and_no_more(sent: bytes) -> None:
    """Of those that say nothing, or only begin to. The next is refused at once; when they end, there is room."""
    others = set(threading.enumerate())  # of other tests' servers, perhaps
    with serving(EventFeed(SPEC, [])) as server:
        assert server.max_connections == MOST
        with ExitStack() as stack:
            for _ in range(MOST):
                idle = stack.enter_context(connect(server))
                idle.sendall(sent)
            wait_until(lambda: len(server._since) == MOST)
            for _ in range(3):
                refused = stack.enter_context(connect(server))
                answer = b"".join(iter(lambda: refused.recv(1000), b""))  # noqa: B023 - used at once
                assert answer.startswith(b"HTTP/1.1 503 ")
                assert b"too many connections are open; try again later" in answer
            assert len(server._since) == MOST
            assert (
                sum("process_request_thread" in thread.name for thread in set(threading.enumerate()) - others) <= MOST
            )
        wait_until(lambda: not server._since)
        assert ask(server, "/groups") == (200, [])


@pytest.mark.parametrize("sent", [b"", b"GET /gr", b"GET /groups HTTP/1.1\r\nHost: localhost\r\nX-Slow: "])
def test_a_request_that_takes_too_long_is_ended(sent: bytes) -> None:
    with serving(EventFeed(SPEC, [])) as server:
        assert 0 < server.max_request_s < 3600
        with connect(server) as slow:
            slow.sendall(sent)
            wait_until(lambda: len(server._since) == 1)
            server.max_request_s = 0.0
            while slow.recv(1000):
                pass
        wait_until(lambda: not server._since)


def test_a_stream_lasts_as_long_as_somebody_reads() -> None:
    feed = EventFeed(SPEC, envelopes([event(1)]))
    feed.run()
    with serving(feed) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request("GET", "/slides?group=g")
        answer = connection.getresponse()
        assert answer.fp is not None
        lines = iter(answer.fp.readline, b"")
        assert first_slide(lines) == 1
        server.max_request_s = 0.0  # from now on every request takes too long
        with connect(server) as idle:
            assert idle.recv(1000) == b""
        feed._envelopes = envelopes([event(2)])
        feed.run()
        assert first_slide(lines) == 2
        connection.close()


def first_slide(lines: Iterator[bytes]) -> int:
    """The number of the first slide of the next chunk."""
    data = next(line for line in lines if line.startswith(b"data: {"))
    return int(json.loads(data.removeprefix(b"data: "))["first"])
