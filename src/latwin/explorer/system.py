"""The whole system at a glance: which groups violate something now, and in how many groups properties were true."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from latwin.explorer.format import SystemView
from latwin.explorer.recording import COUNTERS
from latwin.spec import Spec

#: groups that are listed, the worst ones
MOST_LISTED = 200
#: batches whose counts are kept
MOST_BATCHES = 240
#: counters of events that did not become states
_REJECTS = [COUNTERS.index(name) for name in ("rejected", "late", "skipped")]


class GroupNow(NamedTuple):
    """What is known of a group."""

    #: per property one letter: 1, 0 or ?
    values: str
    slide: int
    #: in the order of `recording.COUNTERS`
    counters: tuple[int, ...]

    @property
    def rejects(self) -> int:
        """How many events were rejected, late or declared lost."""
        return sum(self.counters[k] for k in _REJECTS)


class History:
    """In how many groups each property is true, batch by batch, for the latest batches."""

    def __init__(self, spec: Spec) -> None:
        self._never = [name in spec.never for name in spec.properties]
        self.counts: list[deque[int]] = [deque(maxlen=MOST_BATCHES) for _ in spec.properties]
        self._values: dict[str, str] = {}
        self._now = [0] * len(self.counts)

    def note(self, changed: Mapping[str, GroupNow]) -> None:
        """Count after a batch; `changed` has the groups that it was about. The others cost nothing."""
        for name, group in changed.items():
            before = self._values.get(name, "")
            if group.values == before:
                continue
            for letters, sign in ((before, -1), (group.values, 1)):
                for k, letter in enumerate(letters):
                    self._now[k] += sign * (letter == "1")
            self._values[name] = group.values
        for counts, count in zip(self.counts, self._now, strict=True):
            counts.append(count)

    def view(self, groups: Mapping[str, GroupNow], search: str) -> SystemView:
        """The groups whose name contains a text: those that violate most come first, then those with most rejects."""
        wanted = search.casefold()
        found = [(name, group) for name, group in groups.items() if wanted in name.casefold()]
        found.sort(key=lambda pair: (-self._violations(pair[1]), -pair[1].rejects, pair[0]))
        totals = [sum(column) for column in zip(*(group.counters for group in groups.values()), strict=True)]
        return {
            "groups": len(groups),
            "found": len(found),
            "violating": sum(self._violations(group) > 0 for group in groups.values()),
            "lines": [
                {"name": name, "slide": group.slide, "values": group.values, "rejects": group.rejects}
                for name, group in found[:MOST_LISTED]
            ],
            "true_in": [list(counts) for counts in self.counts],
            "totals": dict(zip(COUNTERS, totals or [0] * len(COUNTERS), strict=True)),
        }

    def _violations(self, group: GroupNow) -> int:
        return sum(letter == "1" and never for letter, never in zip(group.values, self._never, strict=True))
