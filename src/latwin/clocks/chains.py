"""Spans of one service instance as sequences of starts and ends, in which only a child lies inside another span.

    instance   [ request A            ]      chain 1:  start A, start A's child, end of it, end A
                   [ A's child ]             chain 2:  start B, end B
                      [ request B  ]

A thread does one thing after the other, so spans that name their thread are one chain for each thread, however they
overlap. Without threads a chain is built as if it were one: a span goes inside its parent if the parent is the
innermost open span of its chain and lasts at least as long; else it takes the first chain that is idle, or a new one.

Times are compared within an instance only: they come from one clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from latwin.clocks.spans import Span

_Key = tuple[str, str]


class Moment(NamedTuple):
    """A span's start or end."""

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
    moments: list[Moment] = field(default_factory=list)
    _open: list[Span] = field(default_factory=list)

    @property
    def is_idle(self) -> bool:
        """Whether no span is open."""
        return not self._open

    def takes_inside(self, span: Span, parent: Span) -> bool:
        """Whether the span can lie inside its parent."""
        is_innermost = bool(self._open) and self._open[-1] is parent
        return is_innermost and (parent.end is None or (span.end is not None and span.end <= parent.end))

    def start(self, span: Span) -> None:
        """Open a span; spans start in the order of their times."""
        self._open.append(span)
        self.moments.append(Moment(span, False, tuple(self._open)))

    def end_until(self, time_ns: int | None) -> None:
        """End all spans that end by then (None: at any time), the inner ones first."""
        while True:
            ended = [
                (span.end, -position)
                for position, span in enumerate(self._open)
                if span.end is not None and (time_ns is None or span.end <= time_ns)
            ]
            if not ended:
                return
            _, position = min(ended)
            span = self._open.pop(-position)
            self.moments.append(Moment(span, True, tuple(self._open)))


def chains_of(spans: Iterable[Span]) -> list[Chain]:
    """The chains of one instance's spans, in the order in which they begin; the same for any order of the spans."""
    by_key = {span.key: span for span in spans}
    depths: dict[_Key, int] = {}
    for key in sorted(by_key):
        _find_depth(key, by_key, depths)
    chains: list[Chain] = []
    threads: dict[str, Chain] = {}
    places: dict[_Key, Chain] = {}
    for span in sorted(by_key.values(), key=lambda span: (span.start, depths[span.key], span.key)):
        if span.thread is not None:
            chain = threads.get(span.thread)
            if chain is None:
                chain = threads[span.thread] = Chain(span.thread)
                chains.append(chain)
            chain.end_until(span.start)
        else:
            parent = by_key.get((span.trace, span.parent or ""))
            chain = _free_chain(span, parent, chains, places)
        places[span.key] = chain
        chain.start(span)
    for chain in chains:
        chain.end_until(None)
    return chains


def _free_chain(span: Span, parent: Span | None, chains: list[Chain], places: Mapping[_Key, Chain]) -> Chain:
    """Where a span goes that names no thread."""
    candidates = [chain for chain in chains if chain.thread is None]
    beside = places.get(parent.key) if parent is not None else None
    if parent is not None and beside is not None:
        beside.end_until(span.start)
        if beside.takes_inside(span, parent):
            return beside
        if beside.thread is None:
            candidates.insert(0, beside)
    for chain in candidates:
        chain.end_until(span.start)
        if chain.is_idle:
            return chain
    chains.append(Chain())
    return chains[-1]


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
