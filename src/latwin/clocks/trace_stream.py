"""Clocks of one trace whose spans come late and out of order: derived when it is finished.

Nobody says how many spans a trace has, or that a service has sent all of its own. So a trace counts as finished when
nothing of it has come for `max_wait_s`, or `keep_s` after its first span. Then its clocks are those of `latwin
clocks`. A span that comes later is rejected, as long as the trace is remembered.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import msgspec

from latwin.clocks.derive import ClockedStep, derive
from latwin.clocks.spans import Span
from latwin.clocks.step import StepProblem
from latwin.clocks.traces import TraceSpans
from latwin.clocks.waits import MAX_SPANS, Waits


class TraceState(msgspec.Struct, array_like=True):
    """All that a stream must remember; plain, to be stored."""

    spans: list[Span] = []
    first: float = math.inf
    last: float = -math.inf
    #: when it was; None before
    finished: float | None = None


class TraceStream:
    """The spans of one trace."""

    def __init__(self, group: str, source: TraceSpans, waits: Waits, state: TraceState | None = None) -> None:
        self._group = group
        self._source = source
        self._waits = waits
        self._state = state or TraceState()
        self._problems: list[StepProblem] = []
        self.ignored: Counter[str] = Counter()

    @property
    def state(self) -> TraceState:
        """What the next stream must be given to go on; after `advance` only."""
        return self._state

    @property
    def waiting(self) -> int:
        """How many spans wait."""
        return len(self._state.spans)

    @property
    def deadline(self) -> float:
        """When it is finished if nothing else comes, or, when it is, forgotten."""
        if self._state.finished is not None:
            return self.forgotten
        if len(self._state.spans) >= MAX_SPANS:
            return -math.inf
        return min(self._state.last + self._waits.max_wait_s, self._state.first + self._waits.keep_s)

    @property
    def forgotten(self) -> float:
        """When it may be forgotten."""
        return math.inf if self._state.finished is None else self._state.finished + self._waits.keep_s

    def push(self, span: Span, arrived: float) -> None:
        """Take a span that came at this time."""
        state = self._state
        if state.finished is not None:
            reason = f"the span {span.id} came when its trace had been finished; raise max_wait"
            row: Any = msgspec.to_builtins(span)
            self._problems.append(StepProblem("late", reason, group=self._group, row=row, is_rejected=True))
            return
        state.spans.append(span)
        state.first, state.last = min(state.first, arrived), max(state.last, arrived)

    def advance(self, now: float) -> tuple[list[ClockedStep], list[StepProblem]]:
        """The steps of the trace, once it is finished, and what was wrong."""
        state = self._state
        problems, self._problems = self._problems, []
        if state.finished is not None or not state.spans or now < self.deadline:
            return [], problems
        reading = self._source.read_spans(self._group, state.spans)
        derived = derive(reading.steps)
        state.finished = max(self.deadline, state.last)  # and not now, which depends on when somebody looked
        state.spans = []
        self.ignored += reading.ignored
        return derived.events, [*problems, *reading.problems, *derived.problems]
