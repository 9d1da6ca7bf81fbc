"""What a stream of steps remembers between two batches; plain, to be stored."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from latwin.clocks.step import Step

Order = int | float | str


class WaitingStep(msgspec.Struct, array_like=True, gc=False):
    """A step that has come, and waits."""

    arrived: float
    step: Step

    @property
    def rank(self) -> tuple[int, Any]:
        """Numbers before texts."""
        return rank_of(self.step.order)


class ProcessState(msgspec.Struct, array_like=True):
    """One process: how far it has come, and its steps that wait, by their order."""

    name: str
    count: int = 0
    #: after its last step, by the positions of processes; those that came later are absent
    clock: list[int] = []
    last: Order | None = None
    waiting: list[WaitingStep] = []


class SentMessage(msgspec.Struct, array_like=True, gc=False):
    """What a message tells whoever receives it."""

    process: int
    clock: list[int]
    at: float


class StepState(msgspec.Struct, array_like=True):
    """All that a stream of steps must remember."""

    processes: list[ProcessState] = []
    messages: dict[str, SentMessage] = {}
    delivered: int = 0
    now: float = -math.inf


def rank_of(order: Order) -> tuple[int, Any]:
    """How steps of one process are ordered: numbers before texts."""
    return (1, order) if isinstance(order, str) else (0, order)
