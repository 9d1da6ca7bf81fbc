"""Which cells each experiment has: parameters x seeds.

The parameters are the paper's: sensing every minute, activities of 25 minutes on average, 5 minutes between them, 100
hours, mean delay 0.5 s, window 4, three processes, unless the experiment varies them. What goes beyond the paper
takes fewer hours and seeds, as its lattices are large; the report says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from latwin.errors import InvalidInput
from latwin.experiments.measure import Cell

Name = Literal["processes", "window", "delay", "size", "beyond"]
NAMES: tuple[Name, ...] = ("processes", "window", "delay", "size", "beyond")
#: `table` is the table of the experiment that varies the processes
ALIASES: dict[str, tuple[Name, ...]] = {"table": ("processes",), "all": NAMES, **{name: (name,) for name in NAMES}}

#: In the compressed setting a minute of the office takes 1.5 s, while delays stay what they are.
COMPRESSED = 40.0
_ALL_SEEDS = 6
_MOST_ON_LAT = 3
#: bounds on clock skew; None is pure causality
_BOUNDS = ("0", "1s", "10s", "30s", "1min", "2min", "3min", "4min", "5min", None)


@dataclass(frozen=True)
class Extent:
    """How much of everything: the whole evaluation, or a quick look."""

    seeds: tuple[int, ...]
    hours: float
    few_seeds: tuple[int, ...]
    few_hours: float
    delays_s: tuple[float, ...]
    most_processes: int
    most_reference: int
    most_beyond: int
    windows: tuple[int, ...] = tuple(range(1, 11))


FULL = Extent(
    seeds=tuple(range(1, 11)),
    hours=100.0,
    few_seeds=(1, 2, 3),
    few_hours=20.0,
    delays_s=tuple(step / 2 for step in range(11)),
    most_processes=9,
    most_reference=9,
    most_beyond=14,
)
QUICK = Extent(
    seeds=(1, 2),
    hours=25.0,
    few_seeds=(1,),
    few_hours=2.0,
    delays_s=(0.0, 0.5, 2.0, 5.0),
    most_processes=9,
    most_reference=7,
    most_beyond=12,
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
        for seed in extent.seeds:
            # The published algorithms take seconds a slide on large lattices: there, one seed must do.
            with_reference = n <= extent.most_reference and (n <= _ALL_SEEDS or seed == extent.seeds[0])
            measures = ("counts", "bits", "free", *(("reference",) if with_reference else ()))
            cells.append(Cell("processes", n, 4, seed, extent.hours, measures=measures))
    return cells


def _window(extent: Extent) -> list[Cell]:
    return [
        Cell("window", 3, w, seed, extent.hours, measures=("counts", "lat"))
        for w in extent.windows
        for seed in extent.seeds
    ]


def _delay(extent: Extent) -> list[Cell]:
    return [
        Cell("delay", 3, 4, seed, extent.hours, delay_s, speed, measures=("counts", "bits"))
        for speed in (1.0, COMPRESSED)
        for delay_s in extent.delays_s
        for seed in extent.seeds
    ]


def _size(extent: Extent) -> list[Cell]:
    return [
        Cell("size", 3, w, seed, extent.hours, measures=("counts", "bits"))
        for w in extent.windows
        if w >= 2
        for seed in extent.seeds
    ]


def _beyond(extent: Extent) -> list[Cell]:
    hours = {10: extent.few_hours / 4, 11: extent.few_hours / 8, 12: extent.few_hours / 20}
    many = [
        Cell("many processes", n, 4, seed, hours.get(n, extent.few_hours / 40), measures=("counts", "bits", "free"))
        for n in range(10, extent.most_beyond + 1)
        for seed in extent.few_seeds
    ]
    wide = [
        Cell("wide windows", 6, w, seed, extent.few_hours, measures=("counts", "bits", "free"))
        for w in extent.windows
        if w >= 4
        for seed in extent.few_seeds
    ]
    delivery = [
        Cell("delivery", 3, 4, seed, extent.hours, delay_s, COMPRESSED, order, measures=("counts", "free"))
        for order in ("fifo", "causal")
        for delay_s in extent.delays_s
        for seed in extent.few_seeds
    ]
    compressed = [
        Cell("compressed processes", n, 4, seed, extent.hours / 4, 0.5, COMPRESSED, measures=("counts",))
        for n in range(2, extent.most_processes + 1)
        for seed in extent.seeds
    ]
    phases = [
        Cell(
            "own phases",
            n,
            4,
            seed,
            extent.hours,
            phases="own",
            measures=("counts", "lat") if n <= _MOST_ON_LAT else ("counts",),
        )
        for n in range(2, extent.most_processes + 1)
        for seed in extent.seeds
    ]
    calibration = [
        Cell("calibration", n, 4, seed, extent.few_hours, 0.5, COMPRESSED, measures=("calibration",))
        for n in (3, 5)
        for seed in extent.seeds
    ]
    skew = [
        Cell("skew", 3, 4, seed, extent.few_hours, phases="own", synchrony=bound, measures=("skew",))
        for bound in _BOUNDS
        for seed in extent.seeds
    ]
    alone = [
        Cell("conjunctive alone", n, 4, seed, 40.0 / n, measures=("free",))
        for n in (2, 5, 10, 20, 50, 100)
        for seed in extent.few_seeds
    ]
    return many + wide + delivery + compressed + phases + calibration + skew + alone


_GRIDS = {"processes": _processes, "window": _window, "delay": _delay, "size": _size, "beyond": _beyond}
