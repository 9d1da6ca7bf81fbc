"""Gathers lines from many threads into files that appear whole in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from pathlib import Path
from threading import Condition, Thread
from time import monotonic, time_ns
from typing import Any, NamedTuple

import msgspec

from latwin.process.files import publish


class Counts(NamedTuple):
    """What a collector did so far."""

    events: int
    files: int
    waiting_bytes: int
    #: why the last file could not be written; None if it was
    trouble: str | None
    #: spans and log records that could not be used; their senders were told why
    refused: int = 0


class Refused(Exception):
    """A post that cannot be taken now; it may be sent again later."""


class Publisher:
    """Gathers posts into files; thread-safe. `take` returns when the lines are in the folder."""

    def __init__(self, folder: Path, *, gather_s: float, max_waiting_bytes: int) -> None:
        self.folder = folder
        self._gather_s = gather_s
        self._max_waiting_bytes = max_waiting_bytes
        self._changed = Condition()
        self._waiting: list[tuple[Sequence[bytes], Future[None]]] = []
        self._waiting_bytes = 0
        self._events = self._files = self._refused = 0
        self._trouble: str | None = None
        self._arrival = 0
        self._is_closing = False
        self._thread = Thread(target=self._run, name="latwin-publisher", daemon=True)
        self._thread.start()

    def take(self, lines: Sequence[bytes], timeout_s: float) -> None:
        """Have these lines published; Refused if they were not, so that they must be sent again."""
        size, done = sum(map(len, lines)), Future[None]()
        with self._changed:
            if self._is_closing:
                raise Refused("the collector stops")
            if self._waiting and self._waiting_bytes + size > self._max_waiting_bytes:
                raise Refused(f"{self._waiting_bytes:,} bytes wait to be written already")
            self._waiting.append(([self._numbered(line) for line in lines], done))
            self._waiting_bytes += size
            self._changed.notify_all()
        try:
            done.result(timeout_s)
        except FutureTimeout:
            raise Refused(f"not written within {timeout_s:g} s") from None
        except OSError as error:
            raise Refused(f"cannot write into {self.folder}: {error.strerror or error}") from None

    def counts(self) -> Counts:
        """What was done so far."""
        with self._changed:
            return Counts(self._events, self._files, self._waiting_bytes, self._trouble, self._refused)

    def count_refused(self, number: int) -> None:
        """Count what could not be used."""
        with self._changed:
            self._refused += number

    def close(self) -> None:
        """Take no more, and return when all that was taken is published."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        self._thread.join()

    def _numbered(self, line: bytes) -> bytes:
        """The line with our `arrival`: microseconds, more with each line, so that no sender's clock orders them.

        One that the sender gave is replaced.
        """
        self._arrival = max(self._arrival + 1, time_ns() // 1000)
        if b"arrival" in line or b"\\u" in line:  # which a name can be written with, too
            event: dict[str, Any] = msgspec.json.decode(line, type=dict[str, msgspec.Raw])  # values as they are
            if "arrival" in event:
                return msgspec.json.encode({**event, "arrival": self._arrival})
        return line[:-1] + b',"arrival":%d}' % self._arrival

    def _run(self) -> None:
        last = -self._gather_s
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closing)
                rest = last + self._gather_s - monotonic()
                if rest > 0:
                    self._changed.wait_for(lambda: self._is_closing, rest)
                posts, self._waiting, self._waiting_bytes = self._waiting, [], 0
            if not posts:
                return
            lines = [line for some, _ in posts for line in some]
            trouble: OSError | None = None
            try:
                publish(self.folder, lines)
            except OSError as error:
                trouble = error
            last = monotonic()
            with self._changed:
                self._trouble = None if trouble is None else str(trouble)
                self._events += 0 if trouble else len(lines)
                self._files += 0 if trouble else 1
            for _, done in posts:
                if trouble is None:
                    done.set_result(None)
                else:
                    done.set_exception(trouble)
