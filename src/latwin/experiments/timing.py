"""How long the engines take and how much memory they hold, on offices and in the worst case.

Times are computing times of the process, so that other work on the same machine delays a slide without counting as a
part of it. Everything that is measured runs in one thread. On an office, slides of the second half of its lifetime
are timed: in the first hour of all processes, which begin false, lattices are smaller than later.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import process_time
from typing import Any

from latwin.events import Arrival
from latwin.experiments.cell import Cell, delivered, events
from latwin.experiments.lattice_alone import LatticeAlone
from latwin.monitor import Monitor
from latwin.reference.paper import PaperLatWin
from latwin.sim import Simulation
from latwin.spec import Spec

#: the bit lattice on its own; then a monitor's engines, each named after its form of the question in `Cell.questions`
ENGINES = ("lattice", "certificates", "sums", "free")
#: timing one engine on one office ends after so many seconds; the mean is then over the slides so far
_BUDGET_S = 3.0
#: but the paper's algorithms, which may take seconds for a slide, are timed on at least so many
_FEWEST_SLIDES = 50
#: the same in the worst case, where all slides are alike
_WORST_BUDGET_S = 1.0
_WORST_ROUNDS = 100


def on_office(engine: str, cell: Cell, run: Simulation) -> dict[str, float]:
    """Milliseconds of a slide, from the event to the answer, of an engine that is told one event after the other."""
    told = events(run)
    answering = _answering(engine, _asking(engine, cell))
    middle = len(told) // 2
    for event in told[:middle]:
        answering.observe(event)
    milliseconds, _ = _time_each(answering.observe, told[middle:], _BUDGET_S)
    return {f"T_{engine}_ms": milliseconds}


def reference(cell: Cell, run: Simulation) -> dict[str, float]:
    """Milliseconds a slide of the paper's algorithms as published; `reference_capped` if the budget was too small."""
    arrivals = list(delivered(run, cell.delivery))
    middle = len(arrivals) // 2
    lattice = reference_after(cell, arrivals[:middle])

    def slide(arrival: Arrival) -> None:
        lattice.push(arrival.process, arrival.clock, arrival.state)
        lattice.definitely(all)

    milliseconds, was_all = _time_each(slide, arrivals[middle:], _BUDGET_S, fewest=_FEWEST_SLIDES)
    return {"T_reference_ms": milliseconds, "reference_capped": float(not was_all)}


def reference_after(cell: Cell, past: Iterable[Arrival]) -> PaperLatWin:
    """The lattice of the paper's algorithms after these states, without the slides up to there.

    Lat-Win depends on nothing but the states in the windows, so these are pushed alone, one window after the other.
    There is no cut before the last window has its first state; so every cut is made once, and none is pruned.
    """
    n = cell.processes
    initial = ((0,) * n, False)
    windows = [deque[tuple[Sequence[int], Any]]([initial], maxlen=cell.window) for _ in range(n)]
    for arrival in past:
        windows[arrival.process].append((arrival.clock, arrival.state))
    lattice = PaperLatWin(n, cell.window, empty_start=True)
    for process, states in enumerate(windows):
        for clock, state in states:
            lattice.push(process, clock, state)
    return lattice


def in_worst_case(engine: str, cell: Cell, run: Simulation) -> dict[str, float]:
    """Milliseconds of a slide with full windows whose global states are all consistent."""
    del run  # the office is not the worst case
    told = _told(cell.processes, cell.window, cell.window + _WORST_ROUNDS)
    filled = _filled(engine, cell, _asking(engine, cell))
    milliseconds, _ = _time_each(filled.observe, told, _WORST_BUDGET_S)
    return {f"T_{engine}_ms": milliseconds}


def reference_in_worst_case(cell: Cell, run: Simulation) -> dict[str, float]:
    """The same for the paper's algorithms, without detection, which the paper's bound does not include."""
    del run
    push = _filled_reference(cell).push
    states = concurrent_states(cell.processes, cell.window, cell.window + _WORST_ROUNDS)
    milliseconds, _ = _time_each(lambda state: push(*state), states, _WORST_BUDGET_S)
    return {"T_reference_ms": milliseconds}


def memory(engine: str, cell: Cell, run: Simulation) -> dict[str, float]:
    """Bytes that an engine keeps in the worst case, with full windows, beside its specification."""
    del run
    spec = _asking(engine, cell)
    return {f"bytes_{engine}": _bytes_held(lambda: _filled(engine, cell, spec))}


def memory_of_reference(cell: Cell, run: Simulation) -> dict[str, float]:
    """Bytes that the lattice of the paper's algorithms keeps in the worst case, with full windows."""
    del run
    return {"bytes_reference": _bytes_held(lambda: _filled_reference(cell))}


def concurrent_states(n: int, begin: int, end: int) -> Iterator[tuple[int, tuple[int, ...], bool]]:
    """States in turn, without a message: all of the w^n global states are consistent (section 5.3)."""
    for index in range(begin + 1, end + 1):
        for process in range(n):
            yield process, tuple(index if k == process else 0 for k in range(n)), index % 3 > 0


def _told(n: int, begin: int, end: int) -> list[dict[str, Any]]:
    """The same states as a monitor is told them."""
    return [
        {"process": f"p{process}", "clock": list(clock), "state": {"on": on}}
        for process, clock, on in concurrent_states(n, begin, end)
    ]


def _asking(engine: str, cell: Cell) -> Spec:
    """The specification that asks the paper's question in the engine's form; the lattice alone is not asked."""
    return cell.spec(cell.questions.get(engine), cell.window)


def _answering(engine: str, spec: Spec) -> Monitor | LatticeAlone:
    """What answers the paper's question, at the start of the office."""
    return LatticeAlone(spec) if engine == "lattice" else Monitor(spec)


def _filled(engine: str, cell: Cell, spec: Spec) -> Monitor | LatticeAlone:
    """The same when its windows are full of concurrent states."""
    answering = _answering(engine, spec)
    for event in _told(cell.processes, 0, cell.window):
        answering.observe(event)
    return answering


def _filled_reference(cell: Cell) -> PaperLatWin:
    lattice = PaperLatWin(cell.processes, cell.window, initial=[False] * cell.processes)
    for state in concurrent_states(cell.processes, 0, cell.window):
        lattice.push(*state)
    return lattice


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


def _time_each(
    act: Callable[[Any], object], items: Iterable[Any], budget_s: float, *, fewest: int = 1
) -> tuple[float, bool]:
    """Mean milliseconds of `act`, and whether the budget sufficed for all items; `fewest` are timed beyond it."""
    begin = process_time()
    done = 0
    for item in items:
        act(item)
        done += 1
        if done >= fewest and process_time() - begin > budget_s:
            return 1000 * (process_time() - begin) / done, False
    return 1000 * (process_time() - begin) / max(done, 1), True
