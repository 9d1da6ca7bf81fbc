"""Clocked steps as events for a spec, which may list only some of the processes.

What happened before what, among the processes that are listed, does not change if the others' entries are left out of
the clocks: what went through another process is in the clocks already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from latwin.clocks.derive import ClockedStep


class Listed(NamedTuple):
    """The events of processes that are listed, in order, and how many of each other process there are."""

    events: list[dict[str, Any]]
    left_out: Counter[str]


def listed(steps: Iterable[ClockedStep], processes: frozenset[str] | None) -> Listed:
    """The events of these processes, their clocks with the entries of these processes; None: of all processes."""
    found = Listed([], Counter())
    for step, clock, _ in steps:
        if processes is not None and step.process not in processes:
            found.left_out[step.process] += 1
            continue
        if processes is not None and not clock.keys() <= processes:
            clock = {name: count for name, count in clock.items() if name in processes}
        event = {"process": step.process, "clock": clock, "state": step.state}
        if step.time is not None:
            event["time"] = step.time
        found.events.append(event)
    return found


def left_out_reason(process: str, number: int) -> str:
    """Why the steps of a process are no events."""
    steps = f"{number:,} step{'s' * (number != 1)}"
    return f"the process {process!r} is not in the spec: its {steps} count as causes of others, and are no events"
