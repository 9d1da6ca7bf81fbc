"""The explorer's server while a test asks it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from latwin import Spec
from latwin.explorer.page import header_of
from latwin.explorer.server import ExplorerServer

SPEC = Spec.from_dict({"processes": ["a"], "window": 2, "properties": {"p": "possibly(a.x)"}})


@contextmanager
def serving(feed: Any, host: str = "127.0.0.1") -> Iterator[ExplorerServer]:
    """Serves a feed of SPEC's events on a free port."""
    server = ExplorerServer(feed, header_of(SPEC, source="test", live=True), host=host, port=0)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
