"""Commands that would go on until somebody stops them, stopped where they would wait."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest


class NoServer:
    """Instead of the explorer's server, which takes a while to stop."""

    url = "http://127.0.0.1:0/"

    def __init__(self, *_: Any, **__: Any) -> None:
        """Take what the server takes."""

    def serve_forever(self) -> None:
        """Serve nobody."""

    shutdown = server_close = serve_forever


def interrupt_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever would wait for more of a file, or for the end, is interrupted, as by Ctrl-C: in the main thread only.

    Threads of other tests' Spark sleep, too, and must go on.
    """
    sleep = time.sleep

    def interrupt(seconds: float = 0.0) -> None:
        if threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt
        sleep(seconds)

    monkeypatch.setattr("time.sleep", interrupt)
    monkeypatch.setattr("latwin.cli.commands.serve.Event", lambda: SimpleNamespace(wait=interrupt))
    monkeypatch.setattr("latwin.explorer.server.ExplorerServer", NoServer)
