"""A table of the report, and how the cells of some seeds become its entries.

Prob_det is the paper's N_physical / N_LatWin, as its authors count N_physical; `prob_det_real` counts with the real
ends of states. Either may exceed 100 %, as N_physical also counts slides without a detection. `right` cannot: it is
the share of detections at which all processes were physically true. Perc_det is N_LatWin / N_LAT, and Perc_s the mean
size of Lat-Win over the size of LAT at the end of the lifetime.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from latwin.experiments.estimate import Estimate
from latwin.experiments.timing import ENGINES

Row = dict[str, Any]
#: the time of a slide on the whole bit lattice
TIME = "T_lattice_ms"
#: the same for all engines, and for the paper's algorithms
TIMES = (*(f"T_{engine}_ms" for engine in ENGINES), "T_reference_ms")


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


def by(cells: Iterable[Row], name: str) -> list[tuple[Any, list[Row]]]:
    """The cells by the value of a parameter, in its order; the cells of a value by seed."""
    groups: dict[Any, list[Row]] = {}
    for cell in sorted(cells, key=lambda cell: cell["seed"]):
        groups.setdefault(cell[name], []).append(cell)
    return sorted(groups.items(), key=lambda item: item[0])


def estimate(cells: list[Row], name: str) -> Estimate:
    """Over the cells that measured it."""
    return Estimate(tuple(cell[name] for cell in cells if name in cell), cells[0]["hours"])


def share(cells: list[Row], name: str, factor: float) -> Estimate:
    """A multiple of what the cells measured."""
    return Estimate(tuple(cell[name] * factor for cell in cells if name in cell), cells[0]["hours"])


def ratio(cells: list[Row], part: str, whole: str) -> Estimate:
    """The one in percent of the other."""
    shares = (100 * cell[part] / cell[whole] if cell[whole] else math.nan for cell in cells)
    return Estimate(tuple(shares), cells[0]["hours"])


def perc_det(cells: list[Row]) -> Estimate:
    """N_LatWin of N_LAT."""
    return ratio(cells, "n_latwin", "n_lat")


def prob_det(cells: list[Row]) -> dict[str, Estimate]:
    """N_physical of N_LatWin, in both meanings."""
    return {
        "prob_det": ratio(cells, "n_physical", "n_latwin"),
        "prob_det_real": ratio(cells, "n_physical_real", "n_latwin"),
    }


def finality(cells: list[Row]) -> dict[str, Estimate]:
    """Which detections are final, or not at the least cut; how many of each kind are physically right.

    `inside` are the detections at whose slide the condition does not hold at the least cut, before which the window
    has forgotten everything.
    """
    return {
        "prob_det_final": ratio(cells, "n_physical", "n_final"),
        "final": ratio(cells, "n_final", "n_latwin"),
        "right": ratio(cells, "right", "n_latwin"),
        "right_final": ratio(cells, "right_final", "n_final"),
        "inside": ratio(cells, "n_inside", "n_latwin"),
        "right_inside": ratio(cells, "right_inside", "n_inside"),
        "agreement": ratio(cells, "agree", "slides"),
    }
