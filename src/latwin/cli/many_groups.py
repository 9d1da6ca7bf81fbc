"""A monitor for each of very many groups, in little memory: whoever writes events also names their groups.

A monitor takes some 20 KB, its state a few hundred bytes. So only the groups that had events lately have a monitor;
the others rest as snapshots, and go on from them exactly where they were.
"""

from __future__ import annotations

from typing import NamedTuple

from latwin.cli.sightings import Lookout
from latwin.detect.unseen import Unseen
from latwin.model import Counters
from latwin.monitor import Monitor
from latwin.spec import Spec

#: so many groups have a monitor at once
MOST_LIVE = 1_000


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
        self._resting: dict[str, _Resting] = {}
        self._blank = Monitor(spec, observations=observations).snapshot()

    def of(self, group: str) -> Monitor:
        """The group's monitor, until another group's is asked for."""
        monitor = self._live.pop(group, None)
        if monitor is None:
            monitor = self._free()
            rested = self._resting.pop(group, None)
            monitor.resume(self._blank if rested is None else rested.snapshot)
        self._live[group] = monitor
        self.lookout.group = group
        return monitor

    def unseen(self) -> Unseen:
        """What no group has shown."""
        unseen = Unseen()
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
        if len(self._live) < self._most_live:
            return Monitor(self._spec, observations=self._observations, on_verdict=self.lookout)
        oldest = next(iter(self._live))
        monitor = self._live.pop(oldest)
        self._resting[oldest] = _Resting(monitor.snapshot(), monitor.counters, monitor.unseen())
        return monitor
