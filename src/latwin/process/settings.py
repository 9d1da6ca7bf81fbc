"""How a process keeps and reports its states; what most programs can leave as it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from latwin.errors import InvalidInput
from latwin.process.journal import Durability


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of a `Process`; checked when they are made."""

    #: what the journal withstands: "power", the machine losing power (each state waits for the disk), or "kill", the
    #: program being killed (faster; a power cut may lose the newest states, whose indices are then used again)
    durability: Durability = "power"
    #: states that may be unacknowledged; beyond them `update` and `receive` wait
    max_unsent: int = 10_000
    #: how long they wait, and how long `flush` and `close` try; None: for ever
    timeout_s: float | None = 30.0
    #: how long states are gathered before they are sent together
    gather_s: float = 0.2
    #: what is sent together at most
    max_batch: int = 1_000
    max_batch_bytes: int = 1 << 20
    #: how long to wait after a failed send, doubled after each further one up to the second number
    retry_s: tuple[float, float] = (0.1, 10.0)
    #: a larger state is refused; pipelines reject rows beyond 256 KiB
    max_event_bytes: int = 256 << 10
    #: a received message without a stamp: an error, or a state that learns of no other process
    unstamped: Literal["refuse", "accept"] = "refuse"

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        _one_of("durability", self.durability, ("power", "kill"))
        _one_of("unstamped", self.unstamped, ("refuse", "accept"))
        for name in ("max_unsent", "max_batch", "max_batch_bytes", "max_event_bytes"):
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise InvalidInput(f"{name} must be an integer from 1 up; got {value!r}")
        _seconds("gather_s", self.gather_s)
        if self.timeout_s is not None:
            _seconds("timeout_s", self.timeout_s)
        if not isinstance(self.retry_s, tuple) or len(self.retry_s) != 2:
            raise InvalidInput(f"retry_s must be the first and the longest wait in seconds; got {self.retry_s!r}")
        for wait in self.retry_s:
            _seconds("retry_s", wait)


def _seconds(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not (math.isfinite(value) and value >= 0):
        raise InvalidInput(f"{name} must be a number of seconds from 0 up; got {value!r}")


def _one_of(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidInput(f"{name} must be {' or '.join(map(repr, allowed))}; got {value!r}")
