"""Clocks of a system's spans while they come: one group whose processes run on over many traces.

A span comes when it has ended, so a span that started earlier may come later. For `max_wait_s` a span therefore waits
for others of its instance; then it takes its place in a chain (see `chains`), and the starts and ends of the chain
become steps (see `step_stream`). One that comes after later ones took their places is too late, and is rejected.

If none is, the clocks are those that `latwin clocks` derives from the same spans, if it names processes by instance.
"""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections import Counter, deque
from heapq import heapify, heappop, heappush
from typing import Any

import msgspec

from latwin.clocks.chains import Chain, Chains, Moment, in_order
from latwin.clocks.derive import ClockedStep
from latwin.clocks.moments import iso, state_of
from latwin.clocks.spans import Span
from latwin.clocks.step import Step, StepProblem
from latwin.clocks.step_state import StepState
from latwin.clocks.step_stream import StepStream
from latwin.clocks.traces import ANSWERED, TraceSpans, mended
from latwin.clocks.waits import Waits

_Key = tuple[str, str]


class _Arrived(msgspec.Struct, array_like=True):
    """A span that has come, and waits."""

    span: Span
    arrived: float


class _Chain(msgspec.Struct, array_like=True):
    """A chain as it is stored."""

    name: str
    thread: str | None
    open: list[Span]
    #: how many steps it has had
    steps: int


class _Instance(msgspec.Struct, array_like=True):
    """One instance of a service."""

    service: str
    instance: str
    waiting: list[_Arrived] = []
    chains: list[_Chain] = []
    #: the start of the last span that took its place, and the time of the last moment that was handed on
    last_start_ns: int = -1
    until_ns: int = 0


class _Placed(msgspec.Struct, array_like=True):
    """A span that took its place; without its attributes, but for those that tell of an answer."""

    span: Span
    instance: int
    chain: int
    depth: int
    arrived: float
    at: float
    has_ended: bool = False


class SpanState(msgspec.Struct, array_like=True):
    """All that a stream must remember; plain, to be stored."""

    instances: list[_Instance] = []
    placed: list[_Placed] = []
    #: spans, without attributes, for whose ends those of their parents may have to wait
    children: list[_Arrived] = []
    steps: StepState = msgspec.field(default_factory=StepState)


class SpanStream:
    """The spans of one group.

    What is delivered, and in which order, follows from the order and times in which spans came, and from nothing
    else: every span takes its place at its own time, whenever somebody looks. A span costs O(chains of its instance),
    however many wait.
    """

    def __init__(self, group: str, source: TraceSpans, waits: Waits, state: SpanState | None = None) -> None:
        self._group = group
        self._source = source
        self._waits = waits
        state = state or SpanState()
        self._now = state.steps.now
        self._instances = state.instances
        self._waiting = [{each.span.key: each for each in instance.waiting} for instance in self._instances]
        #: of each instance, the starts of the spans that wait, in order
        self._starts = [sorted((each.span.start, key) for key, each in some.items()) for some in self._waiting]
        #: when each span that waits may take its place, and its instance
        self._dues = [(self._due(each), k) for k, some in enumerate(self._waiting) for each in some.values()]
        heapify(self._dues)
        self._positions = {(each.service, each.instance): k for k, each in enumerate(self._instances)}
        self._names = {chain.name for instance in self._instances for chain in instance.chains}
        self._placed = {each.span.key: each for each in state.placed}
        self._memory = deque((each.at, key) for key, each in self._placed.items())
        self._chains = self._restored()
        self._children: dict[_Key, list[_Arrived]] = {}
        #: when children came, and whose they are
        self._births: deque[tuple[float, _Key]] = deque()
        for child in state.children:
            self._add_child(child.span, child.arrived)
        # A process's own steps are told apart by its chain, so what comes later in it is no message.
        counted = Waits(waits.max_wait_s, waits.keep_s, first_order=1)
        known = [each.span for instance in self._instances for each in instance.waiting]
        known += [span for instance in self._instances for chain in instance.chains for span in chain.open]
        expected = [message for span in known for message in self._to_come(span)]
        self._steps = StepStream(counted, state.steps, ignores_own=True, expected=expected)
        self._events: list[ClockedStep] = []
        self._problems: list[StepProblem] = []

    @property
    def state(self) -> SpanState:
        """What the next stream must be given to go on; after `advance` only."""
        for instance, chains, waiting in zip(self._instances, self._chains, self._waiting, strict=True):
            instance.waiting = list(waiting.values())
            for stored, chain in zip(instance.chains, chains.chains, strict=True):
                stored.open = chain.open
        children = [child for some in self._children.values() for child in some]
        return SpanState(self._instances, list(self._placed.values()), children, self._steps.state)

    @property
    def waiting(self) -> int:
        """How many spans and steps wait."""
        return sum(map(len, self._waiting)) + self._steps.waiting

    @property
    def deadline(self) -> float:
        """When something may be delivered, or declared lost, without anything coming."""
        return min(self._dues[0][0] if self._dues else math.inf, self._steps.deadline)

    def push(self, span: Span, arrived: float) -> None:
        """Take a span that came at this time."""
        self._now = max(self._now, arrived)
        self._forget()
        if span.key in self._placed:
            self._reject("duplicate", f"the span {span.id} came before", span)
            return
        span = mended(self._group, span, self._problems)
        k = self._positions.setdefault((span.service, span.instance), len(self._instances))
        if k == len(self._instances):
            self._instances.append(_Instance(span.service, span.instance))
            self._chains.append(Chains())
            self._waiting.append({})
            self._starts.append([])
        if self._is_late(self._instances[k], span):
            reason = f"the span {span.id} came when later ones of its instance had been delivered; raise max_wait"
            self._reject("late", reason, span)
            return
        other = self._waiting[k].get(span.key)
        if other is not None:
            self._starts[k].remove((other.span.start, span.key))
            other.span = self._kept(other.span, span)
            insort(self._starts[k], (other.span.start, span.key))
            return
        entry = self._waiting[k][span.key] = _Arrived(span, arrived)
        insort(self._starts[k], (span.start, span.key))
        heappush(self._dues, (self._due(entry), k))
        for message in self._to_come(span):
            self._steps.expect(message)
        self._add_child(span, arrived)
        self._tell_unheard(span)

    def advance(self, now: float) -> tuple[list[ClockedStep], list[StepProblem]]:
        """The steps that can be delivered by this time, and what was wrong; the time never goes back."""
        while self._dues and self._dues[0][0] <= now:
            due = self._dues[0][0]
            self._advance_steps(due)
            overdue = set()
            while self._dues and self._dues[0][0] == due:
                overdue.add(heappop(self._dues)[1])
            for k in sorted(overdue):
                self._settle(k, self._instances[k])
        self._advance_steps(now)
        events, self._events = self._events, []
        problems, self._problems = self._problems, []
        return events, problems

    def _advance_steps(self, now: float) -> None:
        """Let it be this time, or later, and deliver what can be."""
        events, problems = self._steps.advance(now)
        self._events += events
        self._problems += problems
        if now < math.inf:
            self._now = max(self._now, now)
            self._forget()

    # -- spans that come -------------------------------------------------------------------------------

    def _is_late(self, instance: _Instance, span: Span) -> bool:
        """Whether it starts before something of its instance that was delivered."""
        return span.start < instance.until_ns or span.start <= instance.last_start_ns

    def _kept(self, one: Span, other: Span) -> Span:
        """One of two spans with the same id, the same whichever came first; the other is told."""
        contents = {msgspec.json.encode(each, order="deterministic"): each for each in (one, other)}
        if len(contents) == 1:
            self._reject("duplicate", f"the span {one.id} came before, with the same content", other)
            return one
        kept, rejected = (contents[content] for content in sorted(contents))
        self._reject("tie", f"another span has the id {one.id}, too; one of them was kept", rejected)
        return kept

    def _to_come(self, span: Span) -> list[str]:
        """What a span will send that has not become steps."""
        messages = [] if span.key in self._placed else [self._source.message(span.key, False)]
        if span.end is not None and not span.is_log:
            messages.append(self._source.message(span.key, True))
        return messages

    def _add_child(self, span: Span, arrived: float) -> None:
        if span.parent is not None and not span.is_log:
            lite = msgspec.structs.replace(span, attributes={}, links=(), flaws=())
            self._children.setdefault((span.trace, span.parent), []).append(_Arrived(lite, arrived))
            self._births.append((arrived, (span.trace, span.parent)))

    def _tell_unheard(self, span: Span) -> None:
        """Tell of an answer that came when the end that waits for it had been delivered."""
        parent = self._placed.get((span.trace, span.parent or ""))
        if parent is not None and parent.has_ended and self._source.answers(span, parent.span):
            reason = (
                f"the span {span.id} came when the end of its parent {span.parent} had been delivered, as if it had "
                "not answered; raise max_wait"
            )
            row = msgspec.to_builtins(span)
            self._problems.append(StepProblem("late", reason, group=self._group, row=row))

    def _reject(self, kind: Any, reason: str, span: Span) -> None:
        row = msgspec.to_builtins(span)
        self._problems.append(StepProblem(kind, reason, group=self._group, row=row, is_rejected=True))

    # -- spans that take their places ------------------------------------------------------------------

    def _due(self, entry: _Arrived) -> float:
        return entry.arrived + self._waits.max_wait_s

    def _settle(self, k: int, instance: _Instance) -> None:
        """Place the spans that waited long enough, and hand on what that makes steps."""
        waiting, starts, chains = self._waiting[k], self._starts[k], self._chains[k]
        is_overdue, has_placed = True, False
        while starts and is_overdue:
            first = starts[0][0]
            keys = [key for _, key in starts[: bisect_right(starts, first, key=_start)]]
            for span, depth in self._by_depth(k, keys):
                entry = waiting[span.key]
                is_overdue = self._due(entry) <= self._now
                if not is_overdue:
                    break
                self._place(k, instance, entry, depth)
                del waiting[span.key]
                starts.remove((first, span.key))  # one of the first
                has_placed = True
        if not has_placed:
            return
        chains.end_until(starts[0][0] if starts else None)
        for stored, chain in zip(instance.chains, chains.chains, strict=True):
            if chain.moments:
                self._hand_on(instance, stored, chain)

    def _by_depth(self, k: int, keys: list[_Key]) -> list[tuple[Span, int]]:
        """Spans of an instance that start at one time, parents first, and how deep they are."""
        waiting, spans, depths = self._waiting[k], {}, {}
        for key in keys:
            at = key
            while at in waiting and at not in spans:
                span = spans[at] = waiting[at].span
                at = (span.trace, span.parent or "")
            above = self._placed.get(at)
            if above is not None and above.instance == k:
                depths[at] = above.depth
        ordered = in_order(spans, depths)
        return [(span, depths[span.key]) for span in ordered if span.key in keys]

    def _place(self, k: int, instance: _Instance, entry: _Arrived, depth: int) -> None:
        span, chains = entry.span, self._chains[k]
        place = chains.place(span)
        if place == len(instance.chains):
            instance.chains.append(_Chain(self._new_name(instance), chains.chains[place].thread, [], 0))
        lite = msgspec.structs.replace(span, attributes=_telling(span), links=(), flaws=())
        self._placed[span.key] = _Placed(lite, k, place, depth, entry.arrived, self._now)
        self._memory.append((self._now, span.key))
        instance.last_start_ns = span.start

    def _new_name(self, instance: _Instance) -> str:
        base = self._source.process_of(instance.service, instance.instance)
        name, number = base, 1
        while name in self._names:
            number += 1
            name = f"{base}#{number}"
        self._names.add(name)
        return name

    def _hand_on(self, instance: _Instance, stored: _Chain, chain: Chain) -> None:
        for moment in chain.moments:
            stored.steps += 1
            instance.until_ns = max(instance.until_ns, moment.time_ns)
            placed = self._placed.get(moment.span.key)
            arrived = placed.arrived if placed is not None else self._now
            step = Step(
                stored.name,
                stored.steps,
                (self._source.message(moment.span.key, moment.is_end),),
                self._received(moment),
                state_of(moment),
                iso(moment.time_ns),
                self._group,
            )
            if moment.is_end and placed is not None:
                placed.has_ended = True
            self._steps.push(step, arrived)
        chain.moments.clear()

    def _received(self, moment: Moment) -> tuple[str, ...]:
        span, source = moment.span, self._source
        if not moment.is_end:
            return tuple(source.message(cause, False) for cause in source.causes(span, Counter()))
        oldest = self._now - self._waits.keep_s
        children = [child.span for child in self._children.pop(span.key, ()) if child.arrived >= oldest]
        return tuple(source.message(child.key, True) for child in children if source.answers(child, span))

    # -- memory ----------------------------------------------------------------------------------------

    def _forget(self) -> None:
        """Drop what is known of spans that took their places long ago; open ones are kept."""
        oldest = self._now - self._waits.keep_s
        while self._memory and self._memory[0][0] < oldest:
            _, key = self._memory.popleft()
            placed = self._placed.pop(key)
            self._chains[placed.instance].places.pop(key, None)
        while self._births and self._births[0][0] < oldest:
            _, parent = self._births.popleft()
            rest = [child for child in self._children.pop(parent, ()) if child.arrived >= oldest]
            if rest:
                self._children[parent] = rest

    def _restored(self) -> list[Chains]:
        """The instances' chains as they were stored."""
        chains = [Chains([Chain(one.thread, one.open) for one in each.chains]) for each in self._instances]
        for key, placed in self._placed.items():
            chains[placed.instance].places[key] = placed.chain
        return chains


def _start(entry: tuple[int, _Key]) -> int:
    return entry[0]


def _telling(span: Span) -> dict[str, Any]:
    """The attributes by which it is known whether a client got an answer."""
    return {name: span.attributes[name] for name in ANSWERED if name in span.attributes}
