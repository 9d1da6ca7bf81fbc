"""A tiny evaluation, and cells of any evaluation that nobody measured."""

from __future__ import annotations

import dataclasses
from typing import Any

from latwin.experiments.cell import Cell
from latwin.experiments.grids import Extent
from latwin.experiments.measure import BINS
from latwin.experiments.timing import ENGINES

TINY = Extent(
    seeds=(1, 2),
    hours=3.0,
    few_hours=2.0,
    delays_s=(0.0, 5.0),
    most_processes=3,
    most_reference=3,
    most_beyond=10,
    most_worst=3,
    offices=3,
    windows=(1, 4, 5),
)
#: how the tables of the paper's own experiments begin as CSV files
CONTRACT = {
    "table": "n,S,S_ci,S_paper,S_of_worst,S_of_worst_ci,T_lattice_ms,T_lattice_ms_ci,T_certificates_ms,"
    "T_certificates_ms_ci,T_sums_ms,T_sums_ms_ci,T_free_ms,T_free_ms_ci,T_reference_ms,T_reference_ms_ci,T_paper_ms,"
    "prob_det,prob_det_ci,prob_det_real,prob_det_real_ci",
    "window": "w,perc_det,perc_det_ci,perc_s,perc_s_ci,S,S_ci,prob_det,prob_det_ci,prob_det_real,prob_det_real_ci",
    "delay": "delay_s,prob_det,prob_det_ci,prob_det_real,prob_det_real_ci,S,S_ci,T_lattice_ms,T_lattice_ms_ci",
    "size": "w,prob_det,prob_det_ci,prob_det_real,prob_det_real_ci,S,S_ci,T_lattice_ms,T_lattice_ms_ci",
}
FIGURES = {
    "benefits",
    "delay",
    "size",
    "processes",
    "losses",
    "beyond",
    "complexity",
    "skew",
    "finality",
    "hurried",
    "calibration",
}


def made_up(cell: Cell) -> dict[str, Any]:
    """A row for a cell without measuring anything; only the size depends on the cell."""
    numbers = {"slides": 100, "S": 3.0**cell.processes, "n_latwin": 90, "n_physical": 80, "n_physical_real": 89}
    numbers |= {"n_lat": 95, "seconds": 0.1}
    numbers |= {"n_final": 60, "n_inside": 50, "right": 80, "right_final": 55, "right_inside": 50}
    numbers |= {"S_lat": 5000, "lost_empty": 1, "lost_possible": 3, "lost_gone": 2, "gained": 1, "agree": 97}
    numbers |= {"T_reference_ms": 7.0, "bytes_reference": 900.0, "reference_capped": 1.0}
    for number, engine in enumerate(ENGINES):
        numbers |= {f"T_{engine}_ms": 0.1 + number, f"bytes_{engine}": 90.0 + number}
    in_bins = {"said": 10, "sum": 10 * 0.05, "physical": 2, "real": 3}
    bins = {f"{name}_{k}": value + (name == "sum") * k for k in range(BINS + 1) for name, value in in_bins.items()}
    return {"key": cell.key, **dataclasses.asdict(cell), **numbers, **bins}
