"""From cells to the tables of the report: each quantity as its mean over the seeds, with a 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from latwin.experiments import own_tables, published
from latwin.experiments.estimate import Estimate
from latwin.experiments.table import TIME, TIMES, Row, Table, by, estimate, perc_det, prob_det, ratio, share


def tables_of(cells: Sequence[Row]) -> dict[str, Table]:
    """Every table that the measured cells allow."""
    groups = dict(by(cells, "experiment"))
    made = (make(groups[wanted]) for wanted, make in _TABLES if wanted in groups)
    return {table.name: table for table in made if table.rows}


def theta(table: Table, window: int = 4) -> Estimate:
    """The base of S = (theta * window)^n that fits the table's sizes best, on a logarithmic scale, seed by seed."""
    sizes: list[tuple[int, Estimate]] = [(row["n"], row["S"]) for row in table.rows if row["S"].mean > 0]
    seeds = range(min(len(size.values) for _, size in sizes))
    return Estimate(tuple(fit_theta([(n, size.values[k]) for n, size in sizes], window) for k in seeds))


def fit_theta(sizes: Iterable[tuple[int, float]], window: int = 4) -> float:
    """The same for one list of sizes by number of processes.

    >>> round(fit_theta(published.SIZES.items()), 3)
    0.775
    """
    known = [(n, size) for n, size in sizes if size > 0]
    slope = sum(n * math.log(size) for n, size in known) / sum(n * n for n, _ in known)
    return math.exp(slope) / window


def _processes(cells: list[Row]) -> Table:
    rows = [
        {
            "n": n,
            "S": estimate(some, "S"),
            "S_paper": published.SIZES.get(n),
            "S_of_worst": share(some, "S", 100 / 4**n),
            **{name: estimate(some, name) for name in TIMES},
            "T_paper_ms": published.TIMES_MS.get(n),
            **prob_det(some),
            "reference_capped": any(cell.get("reference_capped") for cell in some),
            "worst": 4**n,
        }
        for n, some in by(cells, "processes")
    ]
    times = (*TIMES, "T_paper_ms")
    return Table("table", ("n", "S", "S_paper", "S_of_worst", *times, "prob_det", "prob_det_real"), rows)


def _window(cells: list[Row]) -> Table:
    rows = [
        {
            "w": w,
            "perc_det": perc_det(some),
            "perc_s": ratio(some, "S", "S_lat"),
            "S": estimate(some, "S"),
            **prob_det(some),
        }
        for w, some in by(cells, "window")
    ]
    return Table("window", ("w", "perc_det", "perc_s", "S", "prob_det", "prob_det_real"), rows)


def _delay(cells: list[Row]) -> Table:
    rows = [
        {"delay_s": delay_s, **prob_det(some), "S": estimate(some, "S"), TIME: estimate(some, TIME)}
        for delay_s, some in by(cells, "delay_s")
    ]
    return Table("delay", ("delay_s", "prob_det", "prob_det_real", "S", TIME), rows)


def _size(cells: list[Row]) -> Table:
    rows = [
        {"w": w, **prob_det(some), "S": estimate(some, "S"), TIME: estimate(some, TIME), "worst": w**3}
        for w, some in by(cells, "window")
    ]
    return Table("size", ("w", "prob_det", "prob_det_real", "S", TIME), rows)


_TABLES: tuple[tuple[str, Callable[[list[Row]], Table]], ...] = (
    ("window", _window),
    ("delay", _delay),
    ("size", _size),
    ("processes", _processes),
    ("readings", own_tables.readings),
    ("window", own_tables.losses),
    ("many processes", own_tables.sizes_and_times("many_processes", "processes", "n")),
    ("wide windows", own_tables.sizes_and_times("wide_windows", "window", "w")),
    ("conjunctive alone", own_tables.alone),
    ("complexity", own_tables.complexity),
    ("complexity", own_tables.memory),
    ("complexity", own_tables.exponents),
    ("skew", own_tables.skew),
    ("finality", own_tables.final_verdicts),
    ("hurried delay", own_tables.hurried),
    ("calibration", own_tables.calibration),
    ("offices", own_tables.offices),
)
