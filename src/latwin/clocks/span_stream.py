"""Clocks of a system's spans while they come: one group whose processes run on over many traces.

A span comes when it has ended, so a span that started earlier may come later. For `max_wait_s` a span therefore waits
for others of its instance; then it takes its place in a chain (see `chains`), and the starts and ends of the chain
become steps (see `step_stream`). One that comes after later ones took their places is too late, and is rejected.

If none is, the clocks are those that `latwin clocks` derives from the same spans, if it names processes by instance.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import msgspec

from latwin.clocks.chains import Chain, Chains, Moment, in_order
from latwin.clocks.derive import ClockedStep
from latwin.clocks.moments import iso, state_of
from latwin.clocks.spans import Span
from latwin.clocks.step import Step, StepProblem
from latwin.clocks.step_stream import StepState, StepStream
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
    """The spans of one group."""

    def __init__(self, group: str, source: TraceSpans, waits: Waits, state: SpanState | None = None) -> None:
        self._group = group
        self._source = source
        self._waits = waits
        self._now = -math.inf
        state = state or SpanState()
        self._instances = state.instances
        self._waiting = [{each.span.key: each for each in instance.waiting} for instance in self._instances]
        self._positions = {(each.service, each.instance): k for k, each in enumerate(self._instances)}
        self._names = {chain.name for instance in self._instances for chain in instance.chains}
        self._placed = {each.span.key: each for each in state.placed}
        self._chains = [self._restored(k) for k in range(len(self._instances))]
        self._children: dict[_Key, list[_Arrived]] = {}
        for child in state.children:
            self._add_child(child.span, child.arrived)
        # A process's own steps are told apart by its chain, so what comes later in it is no message.
        counted = Waits(waits.max_wait_s, waits.keep_s, first_order=1)
        self._steps = StepStream(counted, state.steps, ignores_own=True)
        for instance in self._instances:
            for each in instance.waiting:
                self._expect(each.span)
            for chain in instance.chains:
                for span in chain.open:
                    self._expect(span)
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
        arrived = (each.arrived for waiting in self._waiting for each in waiting.values())
        return min(min(arrived, default=math.inf) + self._waits.max_wait_s, self._steps.deadline)

    def push(self, span: Span, arrived: float) -> None:
        """Take a span that came at this time."""
        if span.key in self._placed:
            self._reject("duplicate", f"the span {span.id} came before", span)
            return
        span = mended(self._group, span, self._problems)
        k = self._positions.setdefault((span.service, span.instance), len(self._instances))
        if k == len(self._instances):
            self._instances.append(_Instance(span.service, span.instance))
            self._chains.append(Chains())
            self._waiting.append({})
        if self._is_late(self._instances[k], span):
            reason = f"the span {span.id} came when later ones of its instance had been delivered; raise max_wait"
            self._reject("late", reason, span)
            return
        other = self._waiting[k].get(span.key)
        if other is not None:
            other.span = self._kept(other.span, span)
            return
        self._waiting[k][span.key] = _Arrived(span, arrived)
        self._expect(span)
        self._add_child(span, arrived)
        self._tell_unheard(span)

    def advance(self, now: float) -> tuple[list[ClockedStep], list[StepProblem]]:
        """The steps that can be delivered at this time, and what was wrong; the time never goes back."""
        self._now = max(self._now, now)
        if self._now < math.inf:
            self._forget()
        for k, instance in enumerate(self._instances):
            self._settle(k, instance)
        events, problems = self._steps.advance(self._now)
        told, self._problems = self._problems, []
        return events, told + problems

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

    def _expect(self, span: Span) -> None:
        if span.key not in self._placed:
            self._steps.expect(self._source.message(span.key, False))
        if span.end is not None and not span.is_log:
            self._steps.expect(self._source.message(span.key, True))

    def _add_child(self, span: Span, arrived: float) -> None:
        if span.parent is not None and not span.is_log:
            lite = msgspec.structs.replace(span, attributes={}, links=(), flaws=())
            self._children.setdefault((span.trace, span.parent), []).append(_Arrived(lite, arrived))

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

    def _settle(self, k: int, instance: _Instance) -> None:
        """Place the spans that waited long enough, and hand on what that makes steps."""
        overdue, waiting = self._now - self._waits.max_wait_s, self._waiting[k]
        if not any(each.arrived <= overdue for each in waiting.values()):
            return
        # A parent that is in its place already is above its children.
        above = ((each.span.trace, each.span.parent or "") for each in waiting.values())
        depths = {key: self._placed[key].depth for key in above if key in self._placed}
        chains, rest = self._chains[k], None
        for span in in_order({key: each.span for key, each in waiting.items()}, depths):
            arrived = waiting[span.key].arrived
            if arrived > overdue:
                rest = span.start
                break
            del waiting[span.key]
            place = chains.place(span)
            if place == len(instance.chains):
                instance.chains.append(_Chain(self._new_name(instance), chains.chains[place].thread, [], 0))
            lite = msgspec.structs.replace(span, attributes=_telling(span), links=(), flaws=())
            self._placed[span.key] = _Placed(lite, k, place, depths[span.key], arrived, self._now)
            instance.last_start_ns = span.start
        chains.end_until(rest)
        for stored, chain in zip(instance.chains, chains.chains, strict=True):
            self._hand_on(instance, stored, chain)

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
        children = [child.span for child in self._children.pop(span.key, ())]
        return tuple(source.message(child.key, True) for child in children if source.answers(child, span))

    # -- memory ----------------------------------------------------------------------------------------

    def _forget(self) -> None:
        """Drop what is known of spans that took their places long ago; open ones are kept."""
        before = self._now - self._waits.keep_s
        old = []
        for key, placed in self._placed.items():
            if placed.at >= before:
                break
            old.append(key)
        for key in old:
            placed = self._placed.pop(key)
            self._chains[placed.instance].places.pop(key, None)
        for key in [key for key, some in self._children.items() if some[0].arrived < before]:
            rest = [child for child in self._children.pop(key) if child.arrived >= before]
            if rest:
                self._children[key] = rest

    def _restored(self, k: int) -> Chains:
        """An instance's chains as they were stored."""
        chains = [Chain(chain.thread, chain.open) for chain in self._instances[k].chains]
        return Chains(chains, {key: each.chain for key, each in self._placed.items() if each.instance == k})


def _telling(span: Span) -> dict[str, Any]:
    """The attributes by which it is known whether a client got an answer."""
    return {name: span.attributes[name] for name in ANSWERED if name in span.attributes}
