"""Spans of one service instance as sequences of starts and ends, in which only a child lies inside another span.

    instance   [ request A            ]      chain 1:  start A, start A's child, end of it, end A
                   [ A's child ]             chain 2:  start B, end B
                      [ request B  ]

A thread does one thing after the other, so spans that name their thread are one chain for each thread, however they
overlap. Without threads a chain is built as if it were one: a span goes inside its parent if the parent is the
innermost open span of its chain and lasts at least as long; else it takes the first chain that is idle, or a new one.

A log record is a moment of the chain that has its span.

Times are compared within an instance only: they come from one clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from latwin.clocks.spans import Span

_Key = tuple[str, str]


class Moment(NamedTuple):
    """A span's start or end, or a log record."""

    span: Span
    is_end: bool
    #: the spans of the chain that are open after it, the innermost last
    open: tuple[Span, ...]

    @property
    def time_ns(self) -> int:
        """By the instance's clock."""
        return (self.span.end or 0) if self.is_end else self.span.start


@dataclass
class Chain:
    """What one thread of an instance did, or what could have been done by one."""

    thread: str | None = None
    #: the spans that are open, the innermost last
    open: list[Span] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)

    def takes_inside(self, span: Span, parent: _Key) -> bool:
        """Whether the span can lie inside its parent."""
        if not self.open or self.open[-1].key != parent:
            return False
        end = self.open[-1].end
        return end is None or (span.end is not None and span.end <= end)

    def take(self, span: Span) -> None:
        """Open a span, or note a log record, which opens nothing; they come in the order of their times."""
        if not span.is_log:
            self.open.append(span)
        self.moments.append(Moment(span, False, tuple(self.open)))

    def end_until(self, time_ns: int | None) -> None:
        """End all spans that end by then (None: at any time), the inner ones first."""
        while True:
            ended = [
                (span.end, -position)
                for position, span in enumerate(self.open)
                if span.end is not None and (time_ns is None or span.end <= time_ns)
            ]
            if not ended:
                return
            _, position = min(ended)
            span = self.open.pop(-position)
            self.moments.append(Moment(span, True, tuple(self.open)))


@dataclass
class Chains:
    """The chains of one instance, in the order in which they begin."""

    chains: list[Chain] = field(default_factory=list)
    #: where each span is, by its key
    places: dict[_Key, int] = field(default_factory=dict)

    def place(self, span: Span) -> int:
        """Put a span into a chain, and say into which; spans must come in the order of `in_order`."""
        place = self._place_of(span)
        self.chains[place].take(span)
        self.places[span.key] = place
        return place

    def end_until(self, time_ns: int | None) -> None:
        """End all spans that end by then; None: at any time."""
        for chain in self.chains:
            chain.end_until(time_ns)

    def _place_of(self, span: Span) -> int:
        if span.thread is not None:
            for place, chain in enumerate(self.chains):
                if chain.thread == span.thread:
                    chain.end_until(span.start)
                    return place
            return self._new(Chain(span.thread))
        candidates = [place for place, chain in enumerate(self.chains) if chain.thread is None]
        parent = (span.trace, span.parent or "")
        beside = self.places.get(parent)
        if beside is not None:
            chain = self.chains[beside]
            chain.end_until(span.start)
            if span.is_log or chain.takes_inside(span, parent):
                return beside
            if chain.thread is None:
                candidates.insert(0, beside)
        for place in candidates:
            self.chains[place].end_until(span.start)
            if not self.chains[place].open:
                return place
        return self._new(Chain())

    def _new(self, chain: Chain) -> int:
        self.chains.append(chain)
        return len(self.chains) - 1


def chains_of(spans: Iterable[Span]) -> list[Chain]:
    """The chains of one instance's spans, in the order in which they begin; the same for any order of the spans."""
    found = Chains()
    for span in in_order({span.key: span for span in spans}, {}):
        found.place(span)
    found.end_until(None)
    return found.chains


def in_order(spans: Mapping[_Key, Span], depths: dict[_Key, int]) -> list[Span]:
    """The spans of one instance by their starts, and where these are the same, parents before their children.

    `depths` says how deep spans are that came before, and gets those of these.
    """
    for key in sorted(spans):
        _find_depth(key, spans, depths)
    return sorted(spans.values(), key=lambda span: (span.start, depths[span.key], span.key))


def _find_depth(key: _Key, spans: Mapping[_Key, Span], depths: dict[_Key, int]) -> None:
    """How many spans of the instance a span lies below; where spans are each other's parents, from the first key."""
    path: list[_Key] = []
    at: _Key | None = key
    while at is not None and at in spans and at not in depths and at not in path:
        path.append(at)
        at = (at[0], spans[at].parent or "")
    depth = depths.get(at, -1) if at is not None else -1
    for each in reversed(path):
        depth += 1
        depths[each] = depth
