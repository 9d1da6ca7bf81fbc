"""An event as the checker takes it: typed, checked, by positions instead of names."""

from __future__ import annotations

from typing import Any

import msgspec


class Arrival(msgspec.Struct, array_like=True, frozen=True):
    """A state on its way to delivery."""

    process: int
    index: int
    clock: list[int]
    state: Any
    time: Any
