"""From cells to the tables of the report; means over the seeds, of times their medians.

Prob_det is the paper's N_physical / N_LatWin. Perc_det is N_LatWin / N_LAT, and Perc_s the mean size of Lat-Win over
the size of LAT at the end of the lifetime.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

from latwin.events.times import read_duration
from latwin.experiments import published
from latwin.experiments.grids import COMPRESSED
from latwin.experiments.measure import BINS

Row = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """Rows under columns; `name` is the file's, without the ending."""

    name: str
    columns: tuple[str, ...]
    rows: list[Row]

    def write(self, folder: Path) -> Path:
        """Write it as CSV."""
        path = folder / f"{self.name}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, self.columns, extrasaction="ignore")
            writer.writeheader()
            writer.writerows({name: _plain(row.get(name)) for name in self.columns} for row in self.rows)
        return path


def tables_of(cells: Sequence[Row]) -> dict[str, Table]:
    """Every table that the measured cells allow."""
    made = (make([cell for cell in cells if cell["experiment"] == wanted]) for wanted, make in _TABLES)
    return {table.name: table for table in made if table.rows}


def theta(table: Table, window: int = 4) -> float:
    """The base of S = (theta * window)^n that fits the table's sizes best, on a logarithmic scale."""
    rows = [row for row in table.rows if row["S"] > 0]
    slope = sum(row["n"] * math.log(row["S"]) for row in rows) / sum(row["n"] ** 2 for row in rows)
    return math.exp(slope) / window


def _processes(cells: list[Row]) -> Table:
    rows = [
        {
            "n": n,
            "S": _mean(some, "S"),
            "S_paper": published.SIZES.get(n),
            "T_ms": _median(some, "T_ms"),
            "T_free_ms": _median(some, "T_free_ms"),
            "T_reference_ms": _median(some, "T_reference_ms"),
            "T_paper_ms": published.TIMES_MS.get(n),
            "prob_det": _prob_det(some),
            "reference_capped": any(cell.get("reference_capped") for cell in some),
            "worst": 4**n,
        }
        for n, some in _by(cells, "processes")
    ]
    columns = ("n", "S", "S_paper", "T_ms", "T_free_ms", "T_reference_ms", "T_paper_ms", "prob_det")
    return Table("table", columns, rows)


def _window(cells: list[Row]) -> Table:
    rows = [
        {
            "w": w,
            "perc_det": 100 * _total(some, "n_latwin") / _total(some, "n_lat"),
            "perc_s": 100 * _total(some, "S") / _total(some, "S_lat"),
            "S": _mean(some, "S"),
        }
        for w, some in _by(cells, "window")
    ]
    return Table("window", ("w", "perc_det", "perc_s", "S"), rows)


def _losses(cells: list[Row]) -> Table:
    kinds = ("lost_possible", "lost_gone", "lost_empty", "gained")
    rows = [
        {"w": w, **{kind: 100 * _total(some, kind) / _total(some, "slides") for kind in kinds}}
        for w, some in _by(cells, "window")
    ]
    return Table("losses", ("w", *kinds), rows)


def _delay(cells: list[Row]) -> Table:
    rows = [
        {
            "setting": "compressed" if speed == COMPRESSED else "literal",
            "delay_s": delay_s,
            "prob_det": _prob_det(some),
            "S": _mean(some, "S"),
            "T_ms": _median(some, "T_ms"),
        }
        for speed, same in _by(cells, "speed")
        for delay_s, some in _by(same, "delay_s")
    ]
    return Table("delay", ("setting", "delay_s", "prob_det", "S", "T_ms"), rows)


def _size(cells: list[Row]) -> Table:
    rows = [
        {"w": w, "prob_det": _prob_det(some), "S": _mean(some, "S"), "T_ms": _median(some, "T_ms"), "worst": w**3}
        for w, some in _by(cells, "window")
    ]
    return Table("size", ("w", "prob_det", "S", "T_ms"), rows)


def _many(cells: list[Row]) -> Table:
    rows = [
        {"n": n, "S": _mean(some, "S"), "T_ms": _median(some, "T_ms"), "T_free_ms": _median(some, "T_free_ms")}
        for n, some in _by(cells, "processes")
    ]
    return Table("many_processes", ("n", "S", "T_ms", "T_free_ms"), rows)


def _wide(cells: list[Row]) -> Table:
    rows = [
        {"w": w, "S": _mean(some, "S"), "T_ms": _median(some, "T_ms"), "T_free_ms": _median(some, "T_free_ms")}
        for w, some in _by(cells, "window")
    ]
    return Table("wide_windows", ("w", "S", "T_ms", "T_free_ms"), rows)


def _delivery(cells: list[Row]) -> Table:
    rows = [
        {
            "delivery": order,
            "delay_s": delay_s,
            "S": _mean(some, "S"),
            "prob_det": _prob_det(some),
            "T_free_ms": _median(some, "T_free_ms"),
        }
        for order, same in _by(cells, "delivery")
        for delay_s, some in _by(same, "delay_s")
    ]
    return Table("delivery", ("delivery", "delay_s", "S", "prob_det", "T_free_ms"), rows)


def _compressed(cells: list[Row]) -> Table:
    rows = [{"n": n, "S": _mean(some, "S"), "prob_det": _prob_det(some)} for n, some in _by(cells, "processes")]
    return Table("compressed_processes", ("n", "S", "prob_det"), rows)


def _own_phases(cells: list[Row]) -> Table:
    rows = [
        {
            "n": n,
            "S": _mean(some, "S"),
            "prob_det": _prob_det(some),
            "perc_det": 100 * _total(some, "n_latwin") / _total(some, "n_lat") if "n_lat" in some[0] else None,
        }
        for n, some in _by(cells, "processes")
    ]
    return Table("own_phases", ("n", "S", "prob_det", "perc_det"), rows)


def _calibration(cells: list[Row]) -> Table:
    rows = []
    for n, some in _by(cells, "processes"):
        for k in range(BINS + 1):
            said = _total(some, f"said_{k}")
            if said:
                mean, true = _total(some, f"sum_{k}") / said, _total(some, f"true_{k}") / said
                rows.append({"n": n, "probability": mean, "physically_true": 100 * true, "slides": int(said)})
    return Table("calibration", ("n", "probability", "physically_true", "slides"), rows)


def _skew(cells: list[Row]) -> Table:
    bounds = {cell["synchrony"]: read_duration(cell["synchrony"]) for cell in cells}
    rows = []
    for bound, bound_s in sorted(bounds.items(), key=lambda item: math.inf if item[1] is None else item[1]):
        some = [cell for cell in cells if cell["synchrony"] == bound]
        agreement = 100 * _total(some, "agree") / _total(some, "slides")
        rows.append({"bound": bound or "none", "bound_s": bound_s, "S": _mean(some, "S"), "agreement": agreement})
    return Table("skew", ("bound", "S", "agreement"), rows)


def _alone(cells: list[Row]) -> Table:
    rows = [{"n": n, "T_free_ms": _median(some, "T_free_ms")} for n, some in _by(cells, "processes")]
    return Table("conjunctive", ("n", "T_free_ms"), rows)


_TABLES: tuple[tuple[str, Callable[[list[Row]], Table]], ...] = (
    ("processes", _processes),
    ("window", _window),
    ("window", _losses),
    ("delay", _delay),
    ("size", _size),
    ("many processes", _many),
    ("wide windows", _wide),
    ("delivery", _delivery),
    ("compressed processes", _compressed),
    ("own phases", _own_phases),
    ("calibration", _calibration),
    ("skew", _skew),
    ("conjunctive alone", _alone),
)


def _by(cells: Iterable[Row], name: str) -> list[tuple[Any, list[Row]]]:
    """The cells by the value of a parameter, in its order."""
    groups: dict[Any, list[Row]] = {}
    for cell in cells:
        groups.setdefault(cell[name], []).append(cell)
    return sorted(groups.items(), key=lambda item: item[0])


def _mean(cells: list[Row], name: str) -> float | None:
    """Over the cells that measured it; None if none did."""
    values = [cell[name] for cell in cells if name in cell]
    return fmean(values) if values else None


def _median(cells: list[Row], name: str) -> float | None:
    """For times, which other work on the machine disturbs."""
    values = [cell[name] for cell in cells if name in cell]
    return median(values) if values else None


def _total(cells: list[Row], name: str) -> float:
    return float(sum(cell[name] for cell in cells))


def _prob_det(cells: list[Row]) -> float:
    holds = _total(cells, "n_latwin")
    return 100 * _total(cells, "n_physical") / holds if holds else math.nan


def _plain(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else "" if value is None else value
