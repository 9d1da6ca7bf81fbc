"""The seam towards the checker: what reports states, and the one for tests."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any, Protocol

import msgspec


class Reporter(Protocol):
    """Brings events, each a line of JSON without its end, to where a checker reads them.

    One reporter may serve several processes, so both methods are called from several threads.
    """

    def send(self, events: Sequence[bytes]) -> None:
        """Return when all of them are safe; whatever is raised means that they must be sent again.

        Some may then arrive twice, which a checker notices and drops.
        """
        ...

    def close(self) -> None:
        """Let go of files and connections; a later `send` opens them again."""
        ...


class MemoryReporter:
    """Keeps events in a list; for tests.

    >>> from latwin.process import MemoryReporter, Process
    >>> with Process("phone", reporter := MemoryReporter(), clock_source=lambda: 0.0) as phone:
    ...     phone.update(ap="office")
    1
    >>> reporter.events
    [{'group': '', 'process': 'phone', 'clock': {'phone': 1}, 'state': {'ap': 'office'}, 'time': 0.0}]
    """

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._lock = Lock()

    def send(self, events: Sequence[bytes]) -> None:
        """Keep them."""
        with self._lock:
            self._lines.extend(events)

    def close(self) -> None:
        """Nothing to let go of."""

    @property
    def lines(self) -> list[bytes]:
        """What was sent, as it was written, in order."""
        with self._lock:
            return list(self._lines)

    @property
    def events(self) -> list[dict[str, Any]]:
        """What was sent, decoded, in order."""
        return [msgspec.json.decode(line) for line in self.lines]
