"""The summary of a check: how many events met which fate, and what became of each property."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from latwin.cli.sightings import Sighting
from latwin.model import Counters, Verdict
from latwin.spec import Spec

if TYPE_CHECKING:
    from latwin.order_choice import Order


@dataclass(slots=True)
class PropertyTally:
    """One property over all slides, kept from its changes alone."""

    value: bool | None = False
    true_slides: int = 0
    too_large_slides: int = 0
    became_true: int = 0
    last_changed: int | None = None
    _since: int = 1

    def change(self, verdict: Verdict) -> None:
        """Take a verdict that differs from the one before."""
        self._close(verdict.slide)
        self.value = verdict.value
        self.last_changed = verdict.slide
        self.became_true += verdict.value is True

    def _close(self, slide: int) -> None:
        """Count the slides up to but without `slide` for the present value."""
        lasted = slide - self._since
        self._since = slide
        if self.value:
            self.true_slides += lasted
        elif self.value is None:
            self.too_large_slides += lasted

    def finish(self, slides: int) -> None:
        """Count the slides since the last change."""
        self._close(slides + 1)

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "value": self.value,
            "true_slides": self.true_slides,
            "too_large_slides": self.too_large_slides,
            "became_true": self.became_true,
            "last_changed": self.last_changed,
        }


@dataclass(frozen=True, slots=True)
class Violation:
    """The first time a property came true that never should."""

    verdict: Verdict
    line: int
    #: a cut at which the property's condition held, if there is one to show
    seen: Sighting | None = None

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        verdict = self.verdict
        seen = {"witness": None, "states": {}} if self.seen is None else self.seen.as_dict()
        return {
            "property": verdict.property,
            "slide": verdict.slide,
            "process": verdict.process,
            "index": verdict.index,
            "line": self.line,
            "time": verdict.time,
            **seen,
        }


class Tally:
    """Counts along while events are checked; complete after `finish`."""

    def __init__(self, spec: Spec) -> None:
        """Open an account for each of the spec's properties."""
        self.events = 0
        self.properties = {name: PropertyTally() for name in spec.properties}
        self.violations: dict[str, Violation] = {}
        self.counters = Counters()
        #: the order in which the events were taken, and what no group has seen; known at the end
        self.order: Order | None = None
        self.warnings: list[str] = []
        self._never = frozenset(spec.never)
        self._unreadable = 0

    def count(self, *, readable: bool) -> None:
        """Take note of an event that came."""
        self.events += 1
        self._unreadable += not readable

    def add(self, verdict: Verdict, line: int, seen: Sighting | None = None) -> None:
        """Take a verdict, the line of the event that caused it, and the states of its witness."""
        if not verdict.changed:
            return
        self.properties[verdict.property].change(verdict)
        if verdict.value and verdict.property in self._never and verdict.property not in self.violations:
            self.violations[verdict.property] = Violation(verdict, line, seen)

    def finish(self, counters: Counters) -> None:
        """Take the monitor's counters and close the properties' accounts."""
        self.counters = counters
        for tally in self.properties.values():
            tally.finish(counters.slides)

    @property
    def unanswered(self) -> dict[str, int]:
        """At how many slides a property that never should come true may have: the lattice was too large, or empty.

        An empty lattice counts if there was never another: some slides without a cut are usual.
        """
        if self.is_empty_throughout:
            return {name: self.counters.slides for name in self.properties if name in self._never}
        slides = {name: tally.too_large_slides for name, tally in self.properties.items() if name in self._never}
        return {name: count for name, count in slides.items() if count}

    @property
    def is_empty_throughout(self) -> bool:
        """Whether there were slides, and none of them had a cut."""
        return 0 < self.counters.slides == self.counters.empty

    @property
    def rejected(self) -> int:
        """Events that the monitor refused, and lines that were no JSON."""
        return self.counters.rejected + self._unreadable

    def as_dict(self) -> dict[str, Any]:
        """The summary for JSON."""
        return {
            "events": self.events,
            **msgspec.structs.asdict(self.counters),
            "rejected": self.rejected,
            "properties": {name: tally.as_dict() for name, tally in self.properties.items()},
            "violations": [violation.as_dict() for violation in self.violations.values()],
            "unanswered": self.unanswered,
            "order": self.order._asdict() if self.order is not None else None,
            "warnings": self.warnings,
        }
