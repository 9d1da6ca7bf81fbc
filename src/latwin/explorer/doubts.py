"""What may mislead about the answers that a page shows, in words."""

from __future__ import annotations

from collections.abc import Iterable

from latwin.detect.unseen import Unseen
from latwin.model import Counters
from latwin.monitor import Monitor
from latwin.spec import Spec


def doubts_about(spec: Spec, counters: Iterable[Counters], unseen: Unseen) -> list[str]:
    """Slides without a cut, and what no group has seen; `counters` are those of all groups."""
    totals = list(counters)
    empty, slides = sum(each.empty for each in totals), sum(each.slides for each in totals)
    told = [f"no cut at {empty:,} of {slides:,} slides, where every property is false"] if empty else []
    return [*told, *(f"warning: {warning}" for warning in unseen.warnings(spec.expectations))]


def doubts_of(spec: Spec, monitors: Iterable[Monitor]) -> list[str]:
    """The same of the groups' monitors."""
    every = list(monitors)
    unseen = Unseen()
    for monitor in every:
        unseen.add(monitor.unseen())
    return doubts_about(spec, [monitor.counters for monitor in every], unseen)
