"""The order in which a file's events are taken if nobody chooses one: the file's own, unless it cannot be right.

What the windows hold depends on the order of arrival. A log that lists one host after the other tells no such order:
taken as one, it leaves most slides without a cut, and every property is false there. The causal order of the same
events has cuts. Which of the two a file needs is found from its clocks alone, by monitors without properties.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Literal, NamedTuple

from latwin.errors import TooManyWaiting
from latwin.events import Envelope, by_group
from latwin.monitor import Monitor
from latwin.spec import Spec

#: events that are looked at together
_TOGETHER = 1024
#: all that the clocks of a window depend on
_FIELDS = ("processes", "window", "delivery", "synchrony", "lateness", "max_jump", "max_waiting", "waiting_policy")
_LAST = 1 << 62

Used = Literal["file", "causal", "arrival"]
#: the orders of a log that may be asked for
LogOrder = Literal["auto", "file", "causal"]


class Order(NamedTuple):
    """The order that was taken, and why."""

    used: Used
    why: str


class EmptySlides(NamedTuple):
    """How many slides some events make, and how many of them have no cut."""

    slides: int
    empty: int
    #: whether an event has the field `arrival`: then its order is known, and is not to be guessed
    has_arrival: bool = False

    @property
    def most(self) -> bool:
        """Whether more than half of the slides have no cut."""
        return 2 * self.empty > self.slides

    def __str__(self) -> str:
        """For messages."""
        return f"{self.empty:,} of {self.slides:,} slides"


def can_be_empty(spec: Spec) -> bool:
    """Whether an order of arrival can leave the windows of a spec without a cut.

    After causal delivery the newest states are a cut; windows that never forget hold the initial one.
    """
    forgets = spec.has_time_windows or any(size is not None for size in spec.window)
    return spec.delivery == "fifo" and len(spec.processes) > 1 and forgets


def count_empty(envelopes: Iterable[Envelope], spec: Spec) -> EmptySlides:
    """What the events' clocks make of the windows, group by group; envelopes that hold no event are passed over.

    It takes the envelopes one by one and keeps one window for each group, so its memory does not grow with the file.
    """
    fields = spec.to_dict()
    bare = Spec.from_dict({name: fields[name] for name in _FIELDS if name in fields})
    monitors: dict[str, Monitor] = {}
    refused: set[str] = set()
    has_arrival = False
    remaining = (envelope for envelope in envelopes if envelope.problem is None)
    while some := list(islice(remaining, _TOGETHER)):
        has_arrival = has_arrival or any(envelope.event.get("arrival") is not None for envelope in some)
        for group, own in by_group(some).items():
            if group in refused:
                continue
            if group not in monitors:
                monitors[group] = Monitor(bare)
            try:
                monitors[group].observe_many(_clocks(own, spec))
            except TooManyWaiting:  # as the check itself will say, at this event
                refused.add(group)
    counters = [monitor.counters for monitor in monitors.values()]
    return EmptySlides(sum(c.delivered for c in counters), sum(c.empty for c in counters), has_arrival)


def in_causal_order(envelopes: Iterable[Envelope]) -> list[Envelope]:
    """The events group by group, each after all that it knows; before them what is no event."""
    every = list(envelopes)
    problems = [envelope for envelope in every if envelope.problem is not None]
    groups = by_group(envelope for envelope in every if envelope.problem is None)
    return [*problems, *(envelope for some in groups.values() for envelope in sorted(some, key=_causal_place))]


class Choice(NamedTuple):
    """Events in the order that was chosen for them."""

    envelopes: list[Envelope]
    order: Order


def choose(envelopes: list[Envelope], spec: Spec, in_file_order: EmptySlides | None = None) -> Choice:
    """The events in the file's order, or in a causal one if that has cuts where the file's order has few.

    `in_file_order` is what `count_empty` said of them, if that is known already.
    """
    if not can_be_empty(spec):
        return Choice(envelopes, NEVER_EMPTY)
    there = in_file_order or count_empty(envelopes, spec)
    if is_right(there):
        return Choice(envelopes, file_order(there))
    causal = in_causal_order(envelopes)
    better = count_empty(causal, spec)
    if better.empty >= there.empty:
        why = f"the lattice is empty at {there}, and in causal order at {better.empty:,}"
        return Choice(envelopes, Order("file", why))
    why = (
        f"in the order of the file the lattice is empty at {there}, in causal order at {better.empty:,}; "
        "--order file takes the order of the file"
    )
    return Choice(causal, Order("causal", why))


AS_ASKED = "it was asked for"
LIVE = Order("file", "the events come live")
NEVER_EMPTY = Order("file", "with this spec no order leaves the lattice empty")


def is_right(there: EmptySlides) -> bool:
    """Whether the order of a file is to be kept."""
    return there.has_arrival or not there.most


def file_order(there: EmptySlides) -> Order:
    """Why the order of a file is kept."""
    if there.has_arrival and there.most:
        return Order("file", f"the lattice is empty at {there}, but the events have `arrival`; try --order arrival")
    return Order("file", f"the lattice is empty at {there}")


def _clocks(envelopes: Iterable[Envelope], spec: Spec) -> Iterator[dict[str, Any]]:
    """The events without their states."""
    for envelope in envelopes:
        event = envelope.event
        if "state" not in event and spec.variables is None:
            continue  # it will be rejected
        bare = {"process": event.get("process"), "clock": event.get("clock"), "state": None}
        yield {**bare, "time": event.get("time")} if spec.needs_times else bare


def _causal_place(envelope: Envelope) -> tuple[Any, str]:
    """As `--order causal` sorts a log (`formats.states`); what has no clock comes last."""
    clock, process = envelope.event.get("clock"), str(envelope.event.get("process"))
    try:
        return sum(clock.values() if isinstance(clock, dict) else clock), process
    except (TypeError, OverflowError):
        return _LAST, process
