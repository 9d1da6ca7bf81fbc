"""An event as the checker takes it: typed, checked, by positions instead of names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec


class Arrival(msgspec.Struct, array_like=True, frozen=True):
    """A state on its way to delivery."""

    process: int
    index: int
    clock: list[int]
    state: Any
    time: Any


@dataclass(frozen=True, slots=True)
class Tick:
    """What makes a slide instead of an arrival where time goes on without events."""

    time: Any
    process: None = None
    index: None = None
