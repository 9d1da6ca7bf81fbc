"""From cells to the tables of the report: each quantity as its mean over the seeds, with a 95 % interval.

Prob_det is the paper's N_physical / N_LatWin, as its authors count N_physical; `prob_det_real` counts with the real
ends of states. Either may exceed 100 %, as N_physical also counts slides without a detection. Perc_det is N_LatWin /
N_LAT, and Perc_s the mean size of Lat-Win over the size of LAT at the end of the lifetime.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any

from latwin.events.times import read_duration
from latwin.experiments import published
from latwin.experiments.estimate import Estimate, exponent
from latwin.experiments.measure import BINS

Row = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """Rows under columns; `name` is the file's, without the ending."""

    name: str
    columns: tuple[str, ...]
    rows: list[Row]

    def write(self, folder: Path) -> Path:
        """Write it as CSV; an estimate gets a second column, its half width, called `..._ci`."""
        path = folder / f"{self.name}.csv"
        estimated = {name for name in self.columns for row in self.rows if isinstance(row.get(name), Estimate)}
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(head for name in self.columns for head in _heads(name, name in estimated))
            for row in self.rows:
                writer.writerow(
                    entry for name in self.columns for entry in _entries(row.get(name), name in estimated)
                )
        return path


def _heads(name: str, is_estimate: bool) -> tuple[str, ...]:
    return (name, f"{name}_ci") if is_estimate else (name,)


def _entries(value: Any, is_estimate: bool) -> tuple[Any, ...]:
    if isinstance(value, Estimate):
        return _plain(value.mean), _plain(value.half_width)
    return (_plain(value), "") if is_estimate else (_plain(value),)


def _plain(value: Any) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else value


def tables_of(cells: Sequence[Row]) -> dict[str, Table]:
    """Every table that the measured cells allow."""
    groups = dict(_by(cells, "experiment"))
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
            "S": _estimate(some, "S"),
            "S_paper": published.SIZES.get(n),
            "S_of_worst": _share(some, "S", 100 / 4**n),
            "T_ms": _estimate(some, "T_ms"),
            "T_free_ms": _estimate(some, "T_free_ms"),
            "T_reference_ms": _estimate(some, "T_reference_ms"),
            "T_paper_ms": published.TIMES_MS.get(n),
            **_prob_det(some),
            "reference_capped": any(cell.get("reference_capped") for cell in some),
            "worst": 4**n,
        }
        for n, some in _by(cells, "processes")
    ]
    times = ("T_ms", "T_free_ms", "T_reference_ms", "T_paper_ms")
    return Table("table", ("n", "S", "S_paper", "S_of_worst", *times, "prob_det", "prob_det_real"), rows)


def _readings(cells: list[Row]) -> Table:
    rows = []
    for reading, same in _by(cells, "reading"):
        by_n = dict(_by(same, "processes"))
        few, many = _prob_det(by_n[min(by_n)]), _prob_det(by_n[max(by_n)])
        row = {"reading": reading, "n_max": max(by_n)}
        if 3 in by_n:
            row |= {"S_at_3": _estimate(by_n[3], "S"), "perc_det": _perc_det(by_n[3])}
        row |= {
            "S_at_n_max": _estimate(by_n[max(by_n)], "S"),
            "fall": few["prob_det"] - many["prob_det"],
            "fall_real": few["prob_det_real"] - many["prob_det_real"],
        }
        rows.append(row)
    return Table("readings", ("reading", "perc_det", "S_at_3", "n_max", "S_at_n_max", "fall", "fall_real"), rows)


def _window(cells: list[Row]) -> Table:
    rows = [
        {
            "w": w,
            "perc_det": _perc_det(some),
            "perc_s": _ratio(some, "S", "S_lat"),
            "S": _estimate(some, "S"),
        }
        for w, some in _by(cells, "window")
    ]
    return Table("window", ("w", "perc_det", "perc_s", "S"), rows)


def _losses(cells: list[Row]) -> Table:
    kinds = ("lost_possible", "lost_gone", "lost_empty", "gained")
    rows = [{"w": w, **{kind: _ratio(some, kind, "slides") for kind in kinds}} for w, some in _by(cells, "window")]
    return Table("losses", ("w", *kinds), rows)


def _delay(cells: list[Row]) -> Table:
    rows = [
        {"delay_s": delay_s, **_prob_det(some), "S": _estimate(some, "S"), "T_ms": _estimate(some, "T_ms")}
        for delay_s, some in _by(cells, "delay_s")
    ]
    return Table("delay", ("delay_s", "prob_det", "prob_det_real", "S", "T_ms"), rows)


def _size(cells: list[Row]) -> Table:
    rows = [
        {"w": w, **_prob_det(some), "S": _estimate(some, "S"), "T_ms": _estimate(some, "T_ms"), "worst": w**3}
        for w, some in _by(cells, "window")
    ]
    return Table("size", ("w", "prob_det", "prob_det_real", "S", "T_ms"), rows)


def _sizes_and_times(name: str, parameter: str, short: str) -> Callable[[list[Row]], Table]:
    names = ("S", "T_ms", "T_free_ms")

    def make(cells: list[Row]) -> Table:
        rows = [{short: x, **{k: _estimate(some, k) for k in names}} for x, some in _by(cells, parameter)]
        return Table(name, (short, *names), rows)

    return make


def _hurried(cells: list[Row]) -> Table:
    rows = [
        {"delivery": order, "delay_s": delay_s, **_prob_det(some), "S": _estimate(some, "S")}
        for order, same in _by(cells, "delivery")
        for delay_s, some in _by(same, "delay_s")
    ]
    return Table("hurried_delay", ("delivery", "delay_s", "prob_det", "prob_det_real", "S"), rows)


def _calibration(cells: list[Row]) -> Table:
    rows = []
    for n, some in _by(cells, "processes"):
        for k in range(BINS + 1):
            said = sum(cell[f"said_{k}"] for cell in some)
            if said:
                mean, true = sum(cell[f"sum_{k}"] for cell in some) / said, _ratio(some, f"true_{k}", f"said_{k}")
                rows.append({"n": n, "probability": mean, "physically_true": true, "slides": int(said)})
    return Table("calibration", ("n", "probability", "physically_true", "slides"), rows)


def _skew(cells: list[Row]) -> Table:
    bounds = {cell["synchrony"]: read_duration(cell["synchrony"]) for cell in cells}
    rows = []
    for bound, bound_s in sorted(bounds.items(), key=lambda item: math.inf if item[1] is None else item[1]):
        some = [cell for cell in cells if cell["synchrony"] == bound]
        row = {"bound": bound or "none", "bound_s": bound_s, "S": _estimate(some, "S"), **_prob_det(some)}
        rows.append(row | {"agreement": _ratio(some, "agree", "slides")})
    return Table("skew", ("bound", "S", "prob_det", "prob_det_real", "agreement"), rows)


def _alone(cells: list[Row]) -> Table:
    rows = [{"n": n, "T_free_ms": _estimate(some, "T_free_ms")} for n, some in _by(cells, "processes")]
    return Table("conjunctive", ("n", "T_free_ms"), rows)


_ENGINES = (
    ("paper's algorithms", "T_reference_ms", "bytes_reference"),
    ("bit lattice", "T_ms", "bytes_bits"),
    ("lattice-free", "T_free_ms", "bytes_free"),
)
_KINDS = ("time", "memory")


def _complexity(cells: list[Row]) -> Table:
    names = tuple(name for _, time, size in _ENGINES for name in (time, size))
    rows = []
    for n, same in _by(cells, "processes"):
        for w, some in _by(same, "window"):
            new = w ** (n - 1)
            row = {"n": n, "w": w, "cuts": w**n, "new_cuts": new, **{name: _estimate(some, name) for name in names}}
            rows.append(row | {"us_per_new_cut": _share(some, "T_reference_ms", 1000 / new)})
    return Table("complexity", ("n", "w", "cuts", "new_cuts", *names, "us_per_new_cut"), rows)


def _exponents(cells: list[Row]) -> Table:
    """The b of y = a x^b in the worst case, for each engine's time and memory.

    Against cuts it is fitted to the half of the settings with most cuts, as on small lattices what all slides have in
    common weighs most. Against n the window is 4, against w there are four processes.
    """
    rows = _complexity(cells).rows
    quantities = [
        (engine, quantity, name) for engine, *both in _ENGINES for quantity, name in zip(_KINDS, both, strict=True)
    ]
    quantities.append((_ENGINES[0][0], "time for a new cut", "us_per_new_cut"))
    made: list[Row] = []
    for engine, quantity, name in quantities:
        known = sorted((row for row in rows if row[name].known), key=lambda row: row["cuts"])
        by_n, by_w = [row for row in known if row["w"] == 4], [row for row in known if row["n"] == 4]
        if min(len(by_n), len(by_w)) < 2:
            return Table("exponents", (), [])
        of_cuts = None if name == "us_per_new_cut" else _exponent(known[len(known) // 2 :], "cuts", name)
        fits = {"in_cuts": of_cuts, "in_n": _exponent(by_n, "n", name), "in_w": _exponent(by_w, "w", name)}
        made.append({"engine": engine, "quantity": quantity, **fits})
    return Table("exponents", ("engine", "quantity", "in_cuts", "in_n", "in_w"), made)


def _exponent(rows: list[Row], parameter: str, name: str) -> float:
    return exponent((row[parameter], row[name].mean) for row in rows)


def _offices(cells: list[Row]) -> Table:
    """How much single days differ from each other."""
    rows = []
    for name, estimate in (
        ("S", _estimate(cells, "S")),
        ("Perc_det (%)", _perc_det(cells)),
        ("Prob_det (%)", _prob_det(cells)["prob_det"]),
        ("Prob_det, real ends (%)", _prob_det(cells)["prob_det_real"]),
        ("seconds of computing", _estimate(cells, "seconds")),
    ):
        if len(estimate.known) >= 2:
            marks = quantiles(estimate.known, n=20, method="inclusive")
            few = {"low_5": marks[0], "median": marks[9], "high_95": marks[-1]}
            rows.append({"quantity": name, "offices": len(cells), "mean": estimate, **few})
    return Table("offices", ("quantity", "offices", "mean", "low_5", "median", "high_95"), rows)


_TABLES: tuple[tuple[str, Callable[[list[Row]], Table]], ...] = (
    ("window", _window),
    ("delay", _delay),
    ("size", _size),
    ("processes", _processes),
    ("readings", _readings),
    ("window", _losses),
    ("many processes", _sizes_and_times("many_processes", "processes", "n")),
    ("wide windows", _sizes_and_times("wide_windows", "window", "w")),
    ("conjunctive alone", _alone),
    ("complexity", _complexity),
    ("complexity", _exponents),
    ("skew", _skew),
    ("hurried delay", _hurried),
    ("calibration", _calibration),
    ("offices", _offices),
)


def _by(cells: Iterable[Row], name: str) -> list[tuple[Any, list[Row]]]:
    """The cells by the value of a parameter, in its order; the cells of a value by seed."""
    groups: dict[Any, list[Row]] = {}
    for cell in sorted(cells, key=lambda cell: cell["seed"]):
        groups.setdefault(cell[name], []).append(cell)
    return sorted(groups.items(), key=lambda item: item[0])


def _estimate(cells: list[Row], name: str) -> Estimate:
    """Over the cells that measured it."""
    return Estimate(tuple(cell[name] for cell in cells if name in cell), cells[0]["hours"])


def _share(cells: list[Row], name: str, factor: float) -> Estimate:
    return Estimate(tuple(cell[name] * factor for cell in cells if name in cell), cells[0]["hours"])


def _ratio(cells: list[Row], part: str, whole: str) -> Estimate:
    """In percent."""
    shares = (100 * cell[part] / cell[whole] if cell[whole] else math.nan for cell in cells)
    return Estimate(tuple(shares), cells[0]["hours"])


def _perc_det(cells: list[Row]) -> Estimate:
    return _ratio(cells, "n_latwin", "n_lat")


def _prob_det(cells: list[Row]) -> dict[str, Estimate]:
    return {
        "prob_det": _ratio(cells, "n_physical", "n_latwin"),
        "prob_det_real": _ratio(cells, "n_physical_real", "n_latwin"),
    }
