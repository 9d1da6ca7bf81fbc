"""Clocks made in a stream, for the groups of any source of steps: what has come in, what can be delivered out.

    LiveClocks.take(records, now)   records have come; what can be delivered by now
    LiveClocks.advance(now)         nothing has come; what can be delivered by now
    LiveClocks.finish()             nothing will come any more

A trace is one stream of a kind of its own, because it ends (see `trace_stream`); the spans of a whole system
(`span_stream`) and steps (`step_stream`) go on. Groups do not know each other. What a group gives depends only on its
records and their times of arrival, however they are divided into batches, as long as no record is older than `now`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

import msgspec

from latwin.clocks.clocked import GroupClocks
from latwin.clocks.derive import ClockedStep
from latwin.clocks.pausing import collector_paused
from latwin.clocks.records import Record, StepSource
from latwin.clocks.span_stream import SpanState, SpanStream
from latwin.clocks.spans import Span
from latwin.clocks.step import Step, StepProblem
from latwin.clocks.step_state import StepState
from latwin.clocks.step_stream import StepStream
from latwin.clocks.steps import JsonSteps
from latwin.clocks.trace_stream import TraceState, TraceStream
from latwin.clocks.traces import BY_TRACE, TraceSpans
from latwin.clocks.waits import Waits
from latwin.errors import InvalidInput

#: microseconds since 1970, at a line's end
_ARRIVAL = re.compile(rb',"arrival":(\d{15,17})\}\s*$')
_ARRIVAL_BYTES = 60


class Arrival(NamedTuple):
    """A record, and when it came, in seconds."""

    record: Record
    at: float


class GroupStream(Protocol):
    """The clocks of one group."""

    @property
    def state(self) -> Any:
        """What must be stored."""

    @property
    def waiting(self) -> int:
        """How much waits."""

    @property
    def deadline(self) -> float:
        """When to look again, if nothing comes."""

    def advance(self, now: float) -> tuple[list[ClockedStep], list[StepProblem]]:
        """What can be delivered by now."""


class StoredGroup(msgspec.Struct, array_like=True):
    """A group that is not being worked on."""

    deadline: float
    state: bytes


class LiveClocks:
    """Makes the clocks of many groups.

    `groups` holds them between two calls, as bytes, so that a group which nothing happens to costs nothing.
    """

    def __init__(self, source: StepSource, waits: Waits, groups: dict[str, StoredGroup] | None = None) -> None:
        self._source = source
        self._waits = waits
        self.groups: dict[str, StoredGroup] = {} if groups is None else groups
        self.forgotten: list[str] = []
        """Groups that were finished, and are not known any more; whoever takes them clears the list."""
        check_source(source)

    @property
    def deadline(self) -> float:
        """When `advance` may have something to deliver; infinite if nothing waits."""
        return min((group.deadline for group in self.groups.values()), default=math.inf)

    def take(self, arrivals: Iterable[Arrival], now: float) -> Iterator[GroupClocks]:
        """Take records, and give what can be delivered by now: of each group in turn, first what cannot be read."""
        by_group: dict[str, list[tuple[Any, float]]] = {}
        unread = []
        for record, at in sorted(arrivals, key=lambda arrival: arrival.at):
            if record.group is None:
                unread.append(
                    StepProblem("unreadable", record.row["reason"], row=record.row["row"], is_rejected=True)
                )
            else:
                by_group.setdefault(record.group, []).append((record.row, at))
        if unread:
            yield GroupClocks(None, [], unread)
        for group, rows in by_group.items():
            yield from self._run(group, rows, now)
        yield from self.advance(now)

    def advance(self, now: float) -> Iterator[GroupClocks]:
        """What can be delivered by now."""
        for group in [name for name, group in self.groups.items() if group.deadline <= now]:
            yield from self._run(group, (), now)

    def finish(self) -> Iterator[GroupClocks]:
        """Everything that waits, as if all waits were over."""
        return self.advance(math.inf)

    def _run(self, group: str, rows: Iterable[tuple[Any, float]], now: float) -> list[GroupClocks]:
        """What a group gives by now, if it gives anything."""
        with collector_paused():
            given = self._given(group, rows, now)
        return [given] if given.events or given.problems else []

    def _given(self, group: str, rows: Iterable[tuple[Any, float]], now: float) -> GroupClocks:
        stream, push = self._open(group)
        events: list[ClockedStep] = []
        problems: list[StepProblem] = []

        def advance(to: float) -> float:
            some, more = stream.advance(to)
            events.extend(some)
            problems.extend(more)
            return stream.deadline

        deadline = self.groups[group].deadline if group in self.groups else math.inf
        for row, at in rows:
            if at >= deadline:
                deadline = advance(at)
            problem = push(row, at)
            if problem is not None:
                problems.append(problem)
            deadline = min(deadline, at + self._waits.max_wait_s)
        deadline = advance(now)
        if isinstance(stream, TraceStream) and stream.forgotten <= now:
            self.groups.pop(group, None)
            self.forgotten.append(group)
        else:
            self.groups[group] = StoredGroup(deadline, msgspec.msgpack.encode(stream.state))
        return GroupClocks(group, events, problems)

    def _open(self, group: str) -> tuple[GroupStream, Any]:
        """A group's stream, and what takes a row for it."""
        stored = self.groups.get(group)
        source = self._source
        if isinstance(source, JsonSteps):
            steps = StepStream(self._waits, _decoded(stored, StepState))

            def push_step(row: Any, at: float) -> StepProblem | None:
                step = row if isinstance(row, Step) else source.step(group, row)
                if isinstance(step, StepProblem):
                    return step
                steps.push(step, at)
                return None

            return steps, push_step
        assert isinstance(source, TraceSpans)
        spans: TraceStream | SpanStream
        if source.group_by == BY_TRACE:
            spans = TraceStream(group, source, self._waits, _decoded(stored, TraceState))
        else:
            spans = SpanStream(group, source, self._waits, _decoded(stored, SpanState))

        def push_span(row: Any, at: float) -> None:
            spans.push(row if isinstance(row, Span) else msgspec.convert(row, Span), at)

        return spans, push_span


def arrival_of(line: bytes) -> float | None:
    """When a line of spans came, in seconds, as the collector wrote behind it; None if nobody did."""
    found = _ARRIVAL.search(line[-_ARRIVAL_BYTES:])
    return None if found is None else int(found[1]) / 1e6


def check_source(source: StepSource) -> None:
    """Raise InvalidInput for a source whose clocks cannot be made in a stream."""
    if isinstance(source, TraceSpans) and source.format == "zipkin":
        raise InvalidInput(
            "Zipkin's shared spans are told apart only when a trace is whole: derive its clocks with `latwin clocks`"
        )
    if not isinstance(source, (JsonSteps, TraceSpans)):
        raise InvalidInput(f"clocks are made of steps or spans; got {type(source).__name__}")


def storable(record: Record) -> Record:
    """The record, or, if it holds a number that no state can keep, a record that says so."""
    try:
        msgspec.msgpack.encode(record.row)
    except (OverflowError, ValueError, TypeError, RecursionError) as error:
        return Record(None, {"reason": f"it cannot be kept: {error}", "row": repr(record.row)[:1000]})
    return record


def _decoded(stored: StoredGroup | None, kind: Any) -> Any:
    return None if stored is None else msgspec.msgpack.decode(stored.state, type=kind)
