"""How long the engines take and how much memory they hold, on offices and in the worst case.

Times are computing times of the process, so that other work on the same machine delays a slide without counting as a
part of it.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from time import process_time
from typing import Any

from latwin.events import Arrival
from latwin.experiments.cell import Cell, delivered, events
from latwin.monitor import Monitor
from latwin.reference.paper import PaperLatWin
from latwin.sim import Simulation

#: timing one engine in one cell ends after so long; the mean is then over the slides so far
BUDGET_S = 3.0
_WORST_ROUNDS = 100


def bits(cell: Cell, run: Simulation) -> dict[str, float]:
    """Milliseconds a slide on the bit lattice: the condition in a form that needs all cuts."""
    return {"T_ms": _time_monitor(cell, events(run), cell.all_true_on_lattice)}


def free(cell: Cell, run: Simulation) -> dict[str, float]:
    """Milliseconds a slide on the path that needs no lattice."""
    return {"T_free_ms": _time_monitor(cell, events(run), cell.all_true)}


def reference(cell: Cell, run: Simulation) -> dict[str, float]:
    """Milliseconds a slide of the paper's algorithms as published, over as many slides as the budget allows."""
    lattice = PaperLatWin(cell.processes, cell.window, initial=[False] * cell.processes)

    def slide(arrival: Arrival) -> None:
        lattice.push(arrival.process, arrival.clock, arrival.state)
        lattice.definitely(all)

    arrivals = list(delivered(run, cell.delivery))
    newest = [0] * cell.processes
    warm = 0
    while warm < len(arrivals) - 1 and min(newest) < cell.window:  # small lattices at the start would mislead
        newest[arrivals[warm].process] += 1
        slide(arrivals[warm])
        warm += 1
    milliseconds, was_all = _time_each(slide, arrivals[warm:])
    return {"T_reference_ms": milliseconds, "reference_capped": float(not was_all)}


def worst_reference(cell: Cell, run: Simulation) -> dict[str, float]:
    """The paper's algorithms in the worst case, without detection, which the paper's bound does not include."""
    del run  # the office is not the worst case
    n, w = cell.processes, cell.window

    def fill() -> PaperLatWin:
        lattice = PaperLatWin(n, w, initial=[False] * n)
        for state in concurrent_states(n, 0, w):
            lattice.push(*state)
        return lattice

    push = fill().push
    milliseconds, _ = _time_each(lambda state: push(*state), concurrent_states(n, w, w + _WORST_ROUNDS))
    return {"T_reference_ms": milliseconds, "bytes_reference": _bytes_held(fill)}


def worst_bits(cell: Cell, run: Simulation) -> dict[str, float]:
    """The bit lattice in the worst case."""
    del run
    milliseconds, held = _monitor_in_worst_case(cell, cell.all_true_on_lattice)
    return {"T_ms": milliseconds, "bytes_bits": held}


def worst_free(cell: Cell, run: Simulation) -> dict[str, float]:
    """The path without a lattice in the worst case for lattices."""
    del run
    milliseconds, held = _monitor_in_worst_case(cell, cell.all_true)
    return {"T_free_ms": milliseconds, "bytes_free": held}


def concurrent_states(n: int, begin: int, end: int) -> Iterator[tuple[int, tuple[int, ...], bool]]:
    """States in turn, without a message: all of the w^n global states are consistent (section 5.3)."""
    for index in range(begin + 1, end + 1):
        for process in range(n):
            yield process, tuple(index if k == process else 0 for k in range(n)), index % 3 > 0


def _monitor_in_worst_case(cell: Cell, condition: str) -> tuple[float, float]:
    """Milliseconds of a slide with full windows, and the bytes that a monitor then keeps."""
    n, w = cell.processes, cell.window
    spec = cell.spec(f"definitely({condition})", w)
    told = [
        {"process": f"p{process}", "clock": list(clock), "state": {"on": on}}
        for process, clock, on in concurrent_states(n, 0, w + _WORST_ROUNDS)
    ]

    def fill() -> Monitor:
        monitor = Monitor(spec)
        monitor.observe_many(told[: n * w])
        return monitor

    milliseconds, _ = _time_each(fill().observe, told[n * w :])
    return milliseconds, _bytes_held(fill)


def _bytes_held(make: Callable[[], object]) -> float:
    """Bytes that what `make` returns keeps, as Python and numpy allocate them; compiled code keeps none."""
    make()  # once without counting: what is cached for all is not its own
    tracemalloc.start()
    try:
        kept = make()
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
        del kept
    finally:
        tracemalloc.stop()
    return float(held)


def _time_monitor(cell: Cell, told: list[dict[str, Any]], condition: str) -> float:
    monitor = Monitor(cell.spec(f"definitely({condition})", cell.window))
    warm = len(told) // 20
    monitor.observe_many(told[:warm])
    milliseconds, _ = _time_each(monitor.observe, told[warm:])
    return milliseconds


def _time_each(act: Callable[[Any], object], items: Iterable[Any]) -> tuple[float, bool]:
    """Mean milliseconds of `act`, and whether the budget sufficed for all items."""
    begin = process_time()
    done = 0
    for item in items:
        act(item)
        done += 1
        if process_time() - begin > BUDGET_S:
            return 1000 * (process_time() - begin) / done, False
    return 1000 * (process_time() - begin) / max(done, 1), True
