"""A first window for some events: the largest of a few sizes that keeps every lattice small, found by trying them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from latwin.monitor import Monitor
from latwin.slide import Slide
from latwin.spec import Spec

SIZES = (2, 3, 4, 8, 16)
#: a lattice of so many cuts is answered in well under a millisecond
SMALL = 1000
#: events that are tried
MOST_EVENTS = 2000
#: the part of slides without any cut from which on the order of arrival is no order to check in
_EMPTY_PART = 0.1

Delivery = Literal["fifo", "causal"]


class Trial(NamedTuple):
    """What a window made of the events."""

    size: int
    slides: int
    #: slides without any consistent cut
    empty: int
    #: cuts of all slides together
    cuts: int
    #: cuts of the largest lattice; None if it was not small
    largest: int | None

    @property
    def mean(self) -> float:
        """Cuts of a slide, on average."""
        return self.cuts / max(self.slides, 1)


class Choice(NamedTuple):
    """A window and a delivery for a spec, and why."""

    size: int
    delivery: Delivery
    #: the tried sizes, from the smallest; the last may be too large
    trials: tuple[Trial, ...]
    #: the trial by which `fifo` was given up
    refused: Trial | None

    @property
    def is_small(self) -> bool:
        """Whether the chosen window kept every lattice small."""
        return self.trials[0].largest is not None


def choose_window(processes: Sequence[str], events: Sequence[Any]) -> Choice:
    """The window for events of one group in their order of arrival; only the first MOST_EVENTS are tried.

    If too many slides would have no cut, because states come long before others that they know of, the delivery is
    causal.
    """
    tried = events[:MOST_EVENTS]
    trials = _try_all(processes, tried, "fifo")
    chosen = _largest_small(trials)
    if chosen.empty < _EMPTY_PART * chosen.slides:
        return Choice(chosen.size, "fifo", trials, None)
    causal = _try_all(processes, tried, "causal")
    return Choice(_largest_small(causal).size, "causal", causal, chosen)


def _largest_small(trials: Sequence[Trial]) -> Trial:
    """The last trial that stayed small; the first of all if none did."""
    return next((trial for trial in reversed(trials) if trial.largest is not None), trials[0])


def _try_all(processes: Sequence[str], events: Sequence[Any], delivery: Delivery) -> tuple[Trial, ...]:
    """The sizes one after another, until one is too large, or holds all states there are."""
    own = [event["process"] for event in events]
    longest = max(own.count(name) for name in set(own)) + 1  # with the initial state
    trials: list[Trial] = []
    for size in SIZES:
        trials.append(_try(processes, events, delivery, size))
        if trials[-1].largest is None or size >= longest:
            break
    return tuple(trials)


def _try(processes: Sequence[str], events: Sequence[Any], delivery: Delivery, size: int) -> Trial:
    spec = Spec.from_dict(
        {
            "processes": list(processes),
            "window": size,
            "delivery": delivery,
            "max_cuts": SMALL,
            "max_waiting": len(events),
        }
    )
    sizes: list[int | None] = []

    def look(slide: Slide) -> None:
        sizes.append(0 if slide.least is None else slide.count_cuts())

    monitor = Monitor(spec, on_slide=look)
    for event in events:
        monitor.observe(event)
        if None in sizes[-1:]:
            break
    known = [cuts for cuts in sizes if cuts is not None]
    largest = max(known, default=0) if len(known) == len(sizes) else None
    return Trial(size, len(sizes), known.count(0), sum(known), largest)
