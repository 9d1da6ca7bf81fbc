"""What is said about states that are not delivered as they come; `processes` are the names in the spec's order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from latwin.delivery.reorder import Gap
from latwin.errors import TooManyWaiting
from latwin.events import Arrival
from latwin.model import Notice, Seats


def event_of(arrival: Arrival, processes: Sequence[str]) -> dict[str, Any]:
    """An arrival as the event it came as."""
    clock: Any = arrival.clock
    if isinstance(processes, Seats):
        clock = {name: entry for name, entry in zip(processes, clock, strict=True) if entry}
    event = {"process": processes[arrival.process], "clock": clock, "state": arrival.state}
    return event if arrival.time is None else {**event, "time": arrival.time}


def duplicate(arrival: Arrival, processes: Sequence[str]) -> Notice:
    """A state that came before."""
    reason = f"{_title(arrival, processes)}: came before"
    return Notice(kind="duplicate", reason=reason, process=processes[arrival.process], index=arrival.index)


def contradicting(arrival: Arrival, processes: Sequence[str], known: tuple[list[int], Any]) -> Notice:
    """A state that came before with another clock or other variables, which are `known`."""
    return rejected(
        arrival,
        processes,
        f"{_title(arrival, processes)}: came before with other content: clock {known[0]} and state {known[1]!r}; "
        f"now clock {arrival.clock} and state {arrival.state!r}",
    )


def circular(arrival: Arrival, processes: Sequence[str]) -> Notice:
    """A state that no order can deliver."""
    return rejected(arrival, processes, f"{_title(arrival, processes)}: it waits for states that wait for it")


def doubted(arrival: Arrival, processes: Sequence[str], why: str) -> str:
    """The reason for refusing a state whose time is not believed."""
    return f"{_title(arrival, processes)}: {why}; the state is lost"


def too_large(name: str, process: str | None, index: int | None, product: int, max_cuts: int) -> Notice:
    """A property that got no answer at a slide; `product` counts the global states in the window."""
    reason = (
        f"property {name!r} needs more than max_cuts={max_cuts:,} cuts "
        f"(window product {product:,}); use smaller windows or raise max_cuts"
    )
    return Notice(kind="too_large", reason=reason, process=process, index=index, property=name)


def rejected(arrival: Arrival, processes: Sequence[str], reason: str) -> Notice:
    """A state that cannot be used."""
    name, event = processes[arrival.process], event_of(arrival, processes)
    return Notice(kind="rejected", reason=reason, process=name, index=arrival.index, event=event)


def left(name: str, index: int, silence: str) -> Notice:
    """A process that was silent for so long that it has left."""
    reason = f"process {name!r}: left, as it was silent for more than {silence}; its state {index} was declared"
    return Notice(kind="left", reason=reason, process=name, index=index)


def late(arrival: Arrival, processes: Sequence[str]) -> Notice:
    """A state that had been given up."""
    reason = f"{_title(arrival, processes)}: came after it had been declared lost"
    name, event = processes[arrival.process], event_of(arrival, processes)
    return Notice(kind="late", reason=reason, process=name, index=arrival.index, event=event)


def skipped(gap: Gap, processes: Sequence[str], max_waiting: int) -> Notice:
    """States that are given up, because more than `max_waiting` waited for them."""
    name = processes[gap.process]
    reason = (
        f"process {name!r}: states {gap.first} to {gap.last} declared lost: "
        f"more than max_waiting={max_waiting} states waited"
    )
    return Notice(kind="skipped", reason=reason, process=name, index=gap.first, through=gap.last)


def too_many_waiting(arrival: Arrival, processes: Sequence[str], max_waiting: int, gap: Gap | None) -> TooManyWaiting:
    """The error for a state too many; `gap` is what the states wait for."""
    missing = f"; first missing: state {gap.first} of process {processes[gap.process]!r}" if gap else ""
    return TooManyWaiting(
        f"state {arrival.index} of process {processes[arrival.process]!r} would have to wait, and "
        f"max_waiting={max_waiting} states wait already{missing}; "
        'raise max_waiting, or set waiting_policy = "skip" to give up missing states'
    )


def _title(arrival: Arrival, processes: Sequence[str]) -> str:
    return f"process {processes[arrival.process]!r}, state {arrival.index}"
