"""How fast sums over processes are answered, without the lattice, and how much faster than by a pass over it."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import pytest

from figures import Figure
from latwin import Monitor, Spec
from latwin.lattice.kernels.reachability import avoids_program
from workloads import at_least, gossip, names, office, spec

WARM = 300
#: slides of many processes, and how many of them are not measured
SLIDES, SLIDES_BEFORE = 350, 50


def seconds_a_slide(checked: Spec, events: list[dict[str, Any]], warm: int, rounds: int) -> float:
    """The best of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        monitor = Monitor(checked)
        monitor.observe_many(events[:warm])
        begin = time.perf_counter()
        monitor.observe_many(events[warm:])
        best = min(best, (time.perf_counter() - begin) / (len(events) - warm))
    return best


def test_against_the_pass(benchmark: Any, figure: Figure) -> None:
    """From event to answer, beside the pass over the lattice alone, on the same slides."""
    events = office(9, 60)[: WARM + 1000]
    text = at_least(7, 9)
    # An `or` that is never true keeps it from the engine of sums.
    monitor = Monitor(spec(9, 4, f"{text[:-1]} or p0.on == 2 and p1.on == 2)"))
    (detector,) = monitor.detectors("p")
    first, end = detector._labels.rows()  # type: ignore[attr-defined]
    arrays, lattice = monitor._checker.context.atoms.arrays, monitor._checker.context.whole.lattice
    passes = 0.0
    slides = 0
    for number, event in enumerate(events):
        monitor.observe(event)
        if monitor.window.is_empty:
            continue
        begin = time.perf_counter()
        lattice.build()
        avoids_program(lattice.arrays, arrays, first, end, lattice.marks)
        if number >= WARM:
            passes, slides = passes + time.perf_counter() - begin, slides + 1
    fast = benchmark.pedantic(lambda: seconds_a_slide(spec(9, 4, text), events, WARM, 5), rounds=1)
    figure("n=9, w=4: definitely(seven of nine), times faster than the pass", passes / slides / fast, "times", -10)


@cache
def filled(processes: int, window: int) -> tuple[bytes, list[dict[str, Any]]]:
    """A snapshot with windows that are full, and some events that come next."""
    warm = processes * window * 3 // 2
    events = [
        {"process": f"p{process}", "clock": clock, "state": {"on": on}}
        for process, clock, on in gossip(processes, warm + SLIDES, 0.3, 1)
    ]
    monitor = Monitor(spec(processes, window, "possibly(p0.on)"))
    monitor.observe_many(events[:warm])
    return monitor.snapshot(), events[warm:]


@pytest.mark.parametrize(
    ("processes", "window", "limit_us"),
    [(50, 4, 60), (200, 4, 1000), (200, 10, 20000)],
    ids=["50x4", "200x4", "200x10"],
)
@pytest.mark.parametrize("modality", ["possibly", "definitely"])
def test_sums_of_many_processes(
    benchmark: Any, figure: Figure, processes: int, window: int, limit_us: float, modality: str
) -> None:
    """The dearest of several bounds, from nearly always true to never."""
    snapshot, events = filled(processes, window)
    terms = [f"{name}.on" for name in names(processes)]
    half = processes // 2  # a chain of more than 200 operators is refused
    total = f"({' + '.join(terms[:half])}) + ({' + '.join(terms[half:])})"

    def seconds(bound: int) -> float:
        checked = spec(processes, window, f"{modality}({total} >= {bound})")
        monitor = Monitor.restore(checked, snapshot, allow_other_rules=True)
        monitor.observe_many(events[:SLIDES_BEFORE])
        begin = time.perf_counter()
        monitor.observe_many(events[SLIDES_BEFORE:])
        return (time.perf_counter() - begin) / (SLIDES - SLIDES_BEFORE)

    def dearest() -> float:
        bounds = (processes * 3 // 4, processes * 4 // 5, processes * 9 // 10, processes)
        return max(min(seconds(bound) for _ in range(2)) for bound in bounds)

    worst = benchmark.pedantic(dearest, rounds=1)
    figure(f"n={processes}, w={window}: {modality}(a sum >= k), a slide", worst * 1e6, "µs", limit_us)
