"""Which cells each experiment has: parameters x seeds.

The parameters are the paper's: sensing every minute, activities of 25 minutes on average, 5 minutes between them, 100
hours, mean delay 0.5 s, window 4, three processes, unless the experiment varies them. Where the lattices are large,
experiments beyond the paper take fewer hours; the report says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from latwin.errors import InvalidInput
from latwin.experiments.cell import READINGS, Cell
from latwin.experiments.timing import ENGINES

Name = Literal["processes", "window", "delay", "size", "beyond", "complexity", "offices"]
NAMES: tuple[Name, ...] = ("processes", "window", "delay", "size", "beyond", "complexity", "offices")
#: `table` is the table of the experiment that varies the processes
ALIASES: dict[str, tuple[Name, ...]] = {"table": ("processes",), "all": NAMES, **{name: (name,) for name in NAMES}}

#: LAT of more processes takes too long to count
_MOST_ON_LAT = 3
#: bounds on clock skew; None is pure causality
_BOUNDS = ("0", "1s", "10s", "30s", "1min", "2min", "3min", "4min", "5min", None)
#: the same for the office that hurries, in which a tick takes 1.5 s
_HURRIED_BOUNDS = ("0", "1s", None)
#: an office of the experiment with very many of them is watched for a day
_OFFICE_HOURS = 24.0


@dataclass(frozen=True)
class Extent:
    """How much of everything: the whole evaluation, or a quick look.

    Seeds and hours are the same in both, and so are the processes of the paper's own experiments: both count the same
    and agree on what is met. They differ in how many delays there are, in how large a lattice may be beyond the paper
    and for its own algorithms, and in the number of offices.
    """

    seeds: tuple[int, ...]
    delays_s: tuple[float, ...]
    most_reference: int
    most_beyond: int
    most_worst: int
    offices: int
    hours: float = 100.0
    #: of large lattices; the largest ones get a part of them
    few_hours: float = 20.0
    most_processes: int = 9
    windows: tuple[int, ...] = tuple(range(1, 11))


_SEEDS = tuple(range(1, 11))
FULL = Extent(
    seeds=_SEEDS,
    delays_s=tuple(step / 2 for step in range(11)),
    most_reference=9,
    most_beyond=14,
    most_worst=7,
    offices=10_000,
)
QUICK = Extent(
    seeds=_SEEDS,
    delays_s=(0.0, 0.5, 2.0, 5.0),
    most_reference=7,
    most_beyond=12,
    most_worst=6,
    offices=100,
)


def cells_of(experiments: tuple[Name, ...], extent: Extent) -> list[Cell]:
    """All cells, the longest first so that the last ones end together."""
    cells = [cell for name in experiments for cell in _GRIDS[name](extent)]
    return sorted(cells, key=lambda cell: (-cell.processes, -cell.window, cell.key))


def named(name: str) -> tuple[Name, ...]:
    """The experiments a word stands for."""
    if name not in ALIASES:
        raise InvalidInput(f"unknown experiment {name!r}; there are {', '.join(sorted(ALIASES))}")
    return ALIASES[name]


def _processes(extent: Extent) -> list[Cell]:
    cells = []
    for n in range(2, extent.most_processes + 1):
        measures = ("counts", *ENGINES, *(("reference",) if n <= extent.most_reference else ()))
        cells += [Cell("processes", n, 4, seed, extent.hours, measures=measures) for seed in extent.seeds]
    return cells + _readings(extent)


def _readings(extent: Extent) -> list[Cell]:
    """What the paper leaves open, at the settings that its numbers are for."""
    return [
        Cell(
            "readings",
            n,
            4,
            seed,
            extent.hours,
            reading=reading,
            measures=("counts", "lat") if n <= _MOST_ON_LAT else ("counts",),
        )
        for reading in READINGS
        if reading != "hurried"
        for n in sorted({2, 3, extent.most_processes})
        for seed in extent.seeds
    ]


def _window(extent: Extent) -> list[Cell]:
    return [
        Cell("window", 3, w, seed, extent.hours, measures=("counts", "lat"))
        for w in extent.windows
        for seed in extent.seeds
    ]


def _delay(extent: Extent) -> list[Cell]:
    return [
        Cell("delay", 3, 4, seed, extent.hours, delay_s, measures=("counts", "lattice"))
        for delay_s in extent.delays_s
        for seed in extent.seeds
    ]


def _size(extent: Extent) -> list[Cell]:
    return [
        Cell("size", 3, w, seed, extent.hours, measures=("counts", "lattice"))
        for w in extent.windows
        if w >= 2
        for seed in extent.seeds
    ]


def _beyond(extent: Extent) -> list[Cell]:
    hours = {10: extent.few_hours / 4, 11: extent.few_hours / 8, 12: extent.few_hours / 20}
    many = [
        Cell("many processes", n, 4, seed, hours.get(n, extent.few_hours / 40), measures=("counts", *ENGINES))
        for n in range(10, extent.most_beyond + 1)
        for seed in extent.seeds
    ]
    wide = [
        Cell("wide windows", 6, w, seed, extent.few_hours, measures=("counts", *ENGINES))
        for w in extent.windows
        if w >= 4
        for seed in extent.seeds
    ]
    skew = [Cell("skew", 3, 4, seed, extent.hours, synchrony=bound) for bound in _BOUNDS for seed in extent.seeds]
    alone = [
        Cell("conjunctive alone", n, 4, seed, 40.0 / n, measures=("free",))
        for n in (2, 5, 10, 20, 50, 100)
        for seed in extent.seeds
    ]
    return many + wide + skew + alone + _hurried(extent)


def _hurried(extent: Extent) -> list[Cell]:
    """Experiments of our own with delays that are long beside the sensing period."""
    delays = [
        Cell("hurried delay", 3, 4, seed, extent.hours, delay_s, "hurried", order, measures=("counts",))
        for order in ("fifo", "causal")
        for delay_s in extent.delays_s
        for seed in extent.seeds
    ]
    finality = [
        Cell("finality", 3, 4, seed, extent.hours, delay_s, "hurried", synchrony=bound)
        for bound in _HURRIED_BOUNDS
        for delay_s in extent.delays_s
        for seed in extent.seeds
    ]
    calibration = [
        Cell("calibration", n, 4, seed, extent.hours / 4, 0.5, "hurried", measures=("calibration",))
        for n in (3, 5)
        for seed in extent.seeds
    ]
    return delays + finality + calibration


def _complexity(extent: Extent) -> list[Cell]:
    """The worst case of section 5.3: against n at one window size, and against w at one number of processes."""
    large = [(n, 4) for n in range(extent.most_worst + 1, extent.most_worst + 4)]
    small = [(n, 4) for n in range(2, extent.most_worst + 1)] + [(4, w) for w in (2, 3, 5, 6, 7, 8)]
    return [
        Cell("complexity", n, w, seed, hours=0.1, measures=_in_worst_case(engines, is_first=seed == extent.seeds[0]))
        for settings, engines in ((small, ("reference", *ENGINES)), (large, ENGINES))
        for n, w in settings
        for seed in extent.seeds  # nothing is random here; each one measures again
    ]


def _in_worst_case(engines: tuple[str, ...], *, is_first: bool) -> tuple[str, ...]:
    """Times in every repetition; memory, which is the same in all, in the first one."""
    times = tuple(f"worst {engine}" for engine in engines)
    return (*times, *(f"memory {engine}" for engine in engines)) if is_first else times


def _offices(extent: Extent) -> list[Cell]:
    return [
        Cell("offices", 3, 4, seed, _OFFICE_HOURS, measures=("counts", "lat"))
        for seed in range(1_000_000, 1_000_000 + extent.offices)
    ]


_GRIDS: dict[Name, Callable[[Extent], list[Cell]]] = {
    "processes": _processes,
    "window": _window,
    "delay": _delay,
    "size": _size,
    "beyond": _beyond,
    "complexity": _complexity,
    "offices": _offices,
}
