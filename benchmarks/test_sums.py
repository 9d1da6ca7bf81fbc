"""How fast sums over processes are answered, without the lattice, and how much faster than on it."""

from __future__ import annotations

import time
from typing import Any

import pytest

from figures import Figure
from latwin import Monitor, Spec
from workloads import at_least, gossip, names, office, spec

WARM = 300


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


def test_against_the_lattice(benchmark: Any, figure: Figure) -> None:
    """The same question, written so that only the lattice can answer it: with an `or` that is never true."""
    events = office(9, 60)[: WARM + 3000]
    text = at_least(7, 9)
    on_lattice = f"{text[:-1]} or p0.on == 2 and p1.on == 2)"
    slow = seconds_a_slide(spec(9, 4, on_lattice), events, WARM, 3)
    fast = benchmark.pedantic(lambda: seconds_a_slide(spec(9, 4, text), events, WARM, 5), rounds=1)
    figure("n=9, w=4: definitely(seven of nine), times faster than on the lattice", slow / fast, "times", -10)


@pytest.mark.parametrize(
    ("processes", "window", "states", "limit_us"),
    [(50, 4, 4000, 60), (200, 4, 3000, 1000), (200, 10, 5000, 20000)],
    ids=["50x4", "200x4", "200x10"],
)
@pytest.mark.parametrize("modality", ["possibly", "definitely"])
def test_sums_of_many_processes(
    benchmark: Any, figure: Figure, processes: int, window: int, states: int, limit_us: float, modality: str
) -> None:
    """The dearest of several bounds, from nearly always true to never."""
    events = [
        {"process": f"p{process}", "clock": clock, "state": {"on": on}}
        for process, clock, on in gossip(processes, states, 0.3, 1)
    ]
    terms = [f"{name}.on" for name in names(processes)]
    half = processes // 2  # a chain of more than 200 operators is refused
    total = f"({' + '.join(terms[:half])}) + ({' + '.join(terms[half:])})"

    def dearest() -> float:
        bounds = (processes * 3 // 4, processes * 4 // 5, processes * 9 // 10, processes)
        return max(
            seconds_a_slide(spec(processes, window, f"{modality}({total} >= {bound})"), events, states // 2, 1)
            for bound in bounds
        )

    worst = benchmark.pedantic(dearest, rounds=1)
    figure(f"n={processes}, w={window}: {modality}(a sum >= k), a slide", worst * 1e6, "µs", limit_us)
