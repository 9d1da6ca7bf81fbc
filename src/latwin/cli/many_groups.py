"""A monitor for each of very many groups, in little memory: whoever writes events also names their groups.

A monitor takes some 20 KB, its state a few hundred bytes. So only the groups that had events lately have a monitor;
the others rest as snapshots, and go on from them exactly where they were.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import nlargest
from operator import itemgetter
from typing import NamedTuple

from latwin.cli.sightings import Lookout
from latwin.delivery.silence import Past, is_remembered, silent, told_time
from latwin.detect.unseen import Unseen
from latwin.model import Counters, Notice
from latwin.monitor import Monitor
from latwin.spec import Spec

#: so many groups have a monitor at once
MOST_LIVE = 1_000
#: so often within `forget_after` silent groups are looked for
_LOOKS = 16


class _Resting(NamedTuple):
    snapshot: bytes
    counters: Counters
    unseen: dict[str, list[str]]


class GroupMonitors:
    """Monitors by group; `most_live` of them at once, the others as snapshots.

    The `lookout` sees the verdicts of all of them, and is told whose they are.
    """

    def __init__(self, spec: Spec, *, observations: bool, lookout: Lookout, most_live: int = MOST_LIVE) -> None:
        self._spec = spec
        self._observations = observations
        self.lookout = lookout
        self._most_live = most_live
        #: the one that was asked for last comes last
        self._live: dict[str, Monitor] = {}
        #: monitors of groups that ended
        self._spare: list[Monitor] = []
        self._resting: dict[str, _Resting] = {}
        #: with `forget_after`: when groups were last heard of, and what is kept of those that ended
        self._last_s: dict[str, float] = {}
        self._ended: dict[str, Past] = {}
        self._unseen_by_ended: list[dict[str, list[str]]] = []
        #: the two groups that have told the latest times, and the time at which silent groups are looked for
        self._latest: dict[str, float] = {}
        self._look_at_s: float | None = None
        self._blank = Monitor(spec, observations=observations).snapshot()

    def of(self, group: str) -> Monitor:
        """The group's monitor, until another group's is asked for."""
        monitor = self._live.pop(group, None)
        if monitor is None:
            monitor = self._free()
            rested = self._resting.pop(group, None)
            monitor.resume(self._blank if rested is None else rested.snapshot)
            past = self._ended.pop(group, None)
            if past is not None:
                monitor.follow(past)
        self._live[group] = monitor
        self.lookout.group = group
        return monitor

    def end_silent(self, heard: Iterable[str]) -> list[tuple[str, Notice]]:
        """End the groups that were silent for too long, by what the groups that were just `heard` of have told."""
        limit = self._spec.forget_after_s
        if limit is None:
            return []
        for group in heard:
            if group in self._live:  # else it rests again, and was heard when it went
                self._hear(group, self._live[group])
        self._latest = dict(nlargest(2, self._latest.items(), key=itemgetter(1)))
        now_s = told_time(self._latest.values())
        if now_s is None or (self._look_at_s is not None and now_s < self._look_at_s):
            return []
        self._look_at_s = now_s + limit / _LOOKS
        self._ended = {group: past for group, past in self._ended.items() if is_remembered(past.last_s, now_s, limit)}
        return [(group, notice) for group in silent(self._last_s, limit, now_s) for notice in self._end(group)]

    def _hear(self, group: str, monitor: Monitor) -> None:
        if monitor.last_s is not None:
            self._last_s[group] = self._latest[group] = monitor.last_s

    def _end(self, group: str) -> list[Notice]:
        del self._last_s[group]
        monitor = self.of(group)
        unseen = Unseen()
        for each in (*self._unseen_by_ended, monitor.unseen()):
            unseen.add(each)
        self._unseen_by_ended = [unseen.left]
        notices = monitor.end().notices
        assert monitor.past is not None
        self._ended[group] = monitor.past
        self._spare.append(self._live.pop(group))
        return notices

    def unseen(self) -> Unseen:
        """What no group has shown."""
        unseen = Unseen()
        for each in self._unseen_by_ended:
            unseen.add(each)
        for monitor in self._live.values():
            unseen.add(monitor.unseen())
        for rested in self._resting.values():
            unseen.add(rested.unseen)
        return unseen

    def counters_of(self, group: str) -> Counters:
        """What became of the events of a group; nothing, if it had none that a monitor could take."""
        if group in self._live:
            return self._live[group].counters
        return self._resting[group].counters if group in self._resting else Counters()

    def _free(self) -> Monitor:
        """A monitor that no group has: a new one, or that of the group which was not asked for the longest."""
        if self._spare:
            return self._spare.pop()
        if len(self._live) < self._most_live:
            return Monitor(self._spec, observations=self._observations, on_verdict=self.lookout)
        oldest = next(iter(self._live))
        monitor = self._live.pop(oldest)
        self._hear(oldest, monitor)
        self._resting[oldest] = _Resting(monitor.snapshot(), monitor.counters, monitor.unseen())
        return monitor
