"""What a Python worker does with the steps or spans of one shard: clocks, then monitors; no Spark here.

    stored bytes, packed records  ->  ClockedShardWorker.work  ->  new bytes, verdicts, rejects, metrics

Both stages are one operator, because a group's clocks are made where its monitor is: that needs one shuffle and one
state, and the events reach the monitor in the order in which their clocks were made.

The time of a shard is that of its latest record's arrival. While nothing comes it goes on as fast as the query's own
clock does, so that a query that catches up with old records does not take them for lost.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from latwin.clocks import GroupClocks, JsonSteps, StepSource, TraceSpans
from latwin.clocks.listed import left_out_reason, listed
from latwin.clocks.live import Arrival, LiveClocks, StoredGroup
from latwin.clocks.pausing import collector_paused
from latwin.clocks.records import Record
from latwin.clocks.spans import Span
from latwin.clocks.step import Step, StepProblem
from latwin.clocks.waits import Waits
from latwin.errors import SnapshotError
from latwin.events import Envelope, Place
from latwin.spark.kept_groups import WAY_ON
from latwin.spark.results import Results
from latwin.spark.shard import ShardWorker

VERSION = 1


@dataclass(frozen=True)
class Clocking:
    """How clocks are made of a stream; plain data, sent to workers with the query."""

    source: StepSource = field(default_factory=TraceSpans)
    waits: Waits = field(default_factory=Waits)

    @property
    def name(self) -> str:
        """What must stay the same while the state lives on."""
        source = self.source
        if isinstance(source, TraceSpans):
            return f"{source.format} by {source.group_by}, processes by {source.naming}, responses {source.responses}"
        assert isinstance(source, JsonSteps)
        names = ", ".join(f"{ours}={theirs}" for ours, theirs in sorted(source.names.items()))
        return f"steps ({names})" if names else "steps"


class Entry(msgspec.Struct, array_like=True, gc=False):
    """A record on its way to the shard of its group, or, without a group, why there is none."""

    group: str | None
    #: when it came, in seconds; None if only the batch tells
    at: float | None
    row: Any
    unread: dict[str, Any] | None = None

    @property
    def record(self) -> Record:
        """The record as `LiveClocks` takes it."""
        return Record(self.group, self.row if self.unread is None else self.unread)


class StepEntry(Entry, array_like=True, gc=False):
    """A step, or a row that is none: its group tells."""

    row: Step | dict[str, Any] | None


class SpanEntry(Entry, array_like=True, gc=False):
    """A span."""

    row: Span | None


class _Stored(msgspec.Struct, array_like=True):
    """A shard's clocks: the time, the query's own time at the last input, and the groups."""

    version: int = VERSION
    now: float = -math.inf
    seen_ms: int = 0
    #: when the query looks again
    timer_ms: int | None = None
    groups: dict[str, StoredGroup] = {}


class Worked(NamedTuple):
    """What came of a shard's work."""

    groups: bytes
    clocks: bytes
    results: Results
    #: when to look again, by the query's clock, if another look than the one that was asked for is needed
    timer_ms: int | None


class ClockedShardWorker:
    """Makes the clocks of many groups, and runs their monitors on the events."""

    def __init__(self, worker: ShardWorker, clocking: Clocking, processes: Iterable[str] | None) -> None:
        """`processes` are those that the spec lists; None if it takes all."""
        self._worker = worker
        self._clocking = clocking
        self._processes = None if processes is None else frozenset(processes)
        kind: Any = list[SpanEntry] if isinstance(clocking.source, TraceSpans) else list[StepEntry]
        self._decode: Callable[[str], list[Entry]] = msgspec.json.Decoder(kind).decode

    def work(
        self, groups: bytes | None, clocks: bytes | None, payloads: Iterable[str], time_ms: int, *, shard: int
    ) -> Worked:
        """Take a shard's packed records, which came by the query's time; its new state, and what came of them."""
        with collector_paused():
            results = Results()
            stored = self._open(clocks, shard, results)
            arrivals = [
                Arrival(entry.record, time_ms / 1000 if entry.at is None else entry.at)
                for payload in payloads
                for entry in self._decode(f"[{payload}]")
            ]
            stored.now = max(stored.now, max((arrival.at for arrival in arrivals), default=-math.inf))
            stored.seen_ms = time_ms
            live = LiveClocks(self._clocking.source, self._clocking.waits, stored.groups)
            return self._done(groups, stored, live, live.take(arrivals, stored.now), results, shard)

    def look(self, groups: bytes | None, clocks: bytes | None, time_ms: int, *, shard: int) -> Worked:
        """Nothing came until the query's time: what waited long enough."""
        results = Results()
        stored = self._open(clocks, shard, results)
        stored.timer_ms = None
        live = LiveClocks(self._clocking.source, self._clocking.waits, stored.groups)
        now = stored.now + (time_ms - stored.seen_ms) / 1000
        return self._done(groups, stored, live, live.advance(now), results, shard)

    def _done(
        self,
        groups: bytes | None,
        stored: _Stored,
        live: LiveClocks,
        found: Iterable[GroupClocks],
        results: Results,
        shard: int,
    ) -> Worked:
        envelopes = list(self._envelopes(found, results))
        observed = self._worker.observe(groups, envelopes, results, shard=shard, forget=live.forgotten)
        timer: int | None = None
        if live.deadline < math.inf:
            wait_ms = (live.deadline - stored.now) * 1000
            wanted = stored.seen_ms + max(1, math.ceil(wait_ms))
            # One that is set later is of no use, as after a start with a shorter max_wait.
            if stored.timer_ms is None or wanted < stored.timer_ms:
                timer = stored.timer_ms = wanted
        stored.groups = live.groups
        return Worked(observed, _encode(stored), results, timer)

    def _envelopes(self, found: Iterable[GroupClocks], results: Results) -> Iterator[Envelope]:
        """The events of listed processes, in order; the rest becomes rejects."""
        for group, steps, problems in found:
            results.rejects += map(_reject, problems)
            events, left_out = listed(steps, self._processes)
            results.rejects += _left_out(group, left_out)
            for place, event in enumerate(events):
                yield Envelope(group=group, order=Place(number=place), event=event)

    def _open(self, clocks: bytes | None, shard: int, results: Results) -> _Stored:
        if clocks is None:
            return _Stored()
        try:
            return _decode(clocks)
        except ValueError as error:
            problem = f"shard {shard}: the state of its clocks is damaged: {error}"
            if not self._worker.quarantines:
                raise SnapshotError(f"{problem}. {WAY_ON}") from None
            reason = f"{problem}. The clocks of all groups of the shard begin again; what waited is lost"
            results.rejects.append({"group": None, "kind": "rejected", "reason": reason, "event": None})
            return _Stored()


def _reject(problem: StepProblem) -> dict[str, Any]:
    kind = "late" if problem.kind == "late" else "rejected" if problem.is_rejected else "skipped"
    event = None if problem.row is None else msgspec.json.encode(problem.row, enc_hook=repr).decode()
    row = {"group": problem.group, "kind": kind, "reason": problem.reason, "event": event}
    return row if problem.process is None else {**row, "process": problem.process}


def _left_out(group: str | None, left_out: Counter[str]) -> list[dict[str, Any]]:
    return [
        {
            "group": group,
            "kind": "skipped",
            "reason": left_out_reason(process, number),
            "event": None,
            "process": process,
        }
        for process, number in sorted(left_out.items())
    ]


def _encode(stored: _Stored) -> bytes:
    content = msgspec.msgpack.encode(stored)
    return zlib.crc32(content).to_bytes(4, "big") + content


def _decode(clocks: bytes) -> _Stored:
    """ValueError if it is not what a worker wrote; SnapshotError if it is of another version."""
    content = clocks[4:]
    if zlib.crc32(content).to_bytes(4, "big") != clocks[:4]:
        raise ValueError("its checksum is wrong")
    version = msgspec.msgpack.decode(content)[0]
    if version != VERSION:
        raise SnapshotError(
            f"the state of the clocks has version {version}; this latwin reads version {VERSION}. Use the latwin "
            "that wrote it, or a new checkpoint"
        )
    return msgspec.msgpack.decode(content, type=_Stored)
