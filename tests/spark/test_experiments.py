"""The evaluation: cells against brute force, tables, findings, figures and the page."""

from __future__ import annotations

import csv
import dataclasses
import json
import re
import sys
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from latwin import InvalidInput
from latwin.cli import app
from latwin.experiments.checks import checks_of
from latwin.experiments.grids import FULL, NAMES, QUICK, Extent, cells_of, named
from latwin.experiments.measure import BINS, Cell, delivered, measure
from latwin.experiments.runner import finished, row_of, run_cells, write_parquet
from latwin.experiments.tables import Table, tables_of, theta
from latwin.properties import parse_predicate
from latwin.sim import Interval, simulate_office
from observing import probability
from oracle import BruteForce

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TINY = Extent(
    seeds=(1, 2),
    hours=3.0,
    few_seeds=(1,),
    few_hours=2.0,
    delays_s=(0.0, 5.0),
    most_processes=3,
    most_reference=3,
    most_beyond=10,
    windows=(1, 4, 5),
)
CONTRACT = {
    "table": ["n", "S", "S_paper", "T_ms", "T_free_ms", "T_reference_ms", "T_paper_ms", "prob_det"],
    "window": ["w", "perc_det", "perc_s", "S"],
    "delay": ["setting", "delay_s", "prob_det", "S", "T_ms"],
    "size": ["w", "prob_det", "S", "T_ms"],
}


@pytest.mark.parametrize("delay_s", [0.5, 400.0])
def test_calibration_is_that_of_brute_force(delay_s: float) -> None:
    """Long delays let one event release several slides; each has a probability of its own."""
    cell = Cell("test", 3, 4, 3, 10.0, delay_s, delivery="causal", measures=("calibration",))
    run = simulate_office(3, hours=10.0, seed=3, delay_s=delay_s)
    all_on = parse_predicate("p0.on and p1.on and p2.on", ["p0", "p1", "p2"])
    slow = BruteForce(3, 4, initial=[{"on": False}] * 3)
    said = []
    for arrival in delivered(run, "causal"):
        slow.push(arrival.process, arrival.clock, {"on": arrival.state})
        said.append(float(probability(all_on, slow)))
    found = measure(cell)
    assert len(said) == len(run.events)
    for k in range(BINS + 1):
        own = [value for value in said if int(value * BINS) == k]
        assert found[f"said_{k}"] == len(own)
        assert found[f"sum_{k}"] == pytest.approx(sum(own))


def all_true_at_once(states: list[list[Interval]]) -> bool:
    """Whether some moment lies in a true state of every list; judged at every moment at which one begins."""
    moments = [state.start_s for some in states for state in some]
    return any(all(any(s.on and s.start_s <= t < s.end_s for s in some) for some in states) for t in moments)


@pytest.mark.slow
@pytest.mark.parametrize(("processes", "window", "delay_s"), [(2, 4, 0.5), (3, 3, 0.0), (3, 2, 400.0)])
@pytest.mark.parametrize("delivery", ["fifo", "causal"])
def test_counts_are_those_of_brute_force(processes: int, window: int, delay_s: float, delivery: str) -> None:
    cell = Cell("test", processes, window, 3, 6.0, delay_s, delivery=delivery, measures=("counts", "lat"))
    run = simulate_office(processes, hours=6.0, seed=3, delay_s=delay_s)
    slow, whole = BruteForce(processes, window), BruteForce(processes, None)
    sizes, holds, on_all, physical, lost = [], 0, 0, 0, 0
    for arrival in delivered(run, delivery):
        slow.push(arrival.process, arrival.clock, arrival.state)
        sizes.append(len(slow.cuts))
        is_definite = slow.definitely(lambda values: all(value is True for value in values))
        holds += is_definite
        kept = [[run.truth[k][state.index] for state in states] for k, states in enumerate(slow.windows)]
        physical += all_true_at_once(kept)
        if len(sizes) < 60:
            whole.push(arrival.process, arrival.clock, arrival.state)
            is_on_all = whole.definitely(lambda values: all(value is True for value in values))
            on_all += is_on_all
            lost += is_on_all and not is_definite
    found = measure(cell)
    assert found["slides"] == len(sizes) == len(run.events)
    assert found["S"] == pytest.approx(fmean(sizes))
    assert (found["n_latwin"], found["n_physical"]) == (holds, physical)
    assert on_all <= found["n_lat"] <= on_all + max(0, len(sizes) - 59)
    assert lost <= found["lost_empty"] + found["lost_possible"] + found["lost_gone"]


def test_the_whole_lattice_is_counted() -> None:
    run = simulate_office(2, hours=4.0, seed=5)
    slow = BruteForce(2, None)
    for arrival in delivered(run, "fifo"):
        slow.push(arrival.process, arrival.clock, arrival.state)
    cell = Cell("test", 2, 4, 5, 4.0, measures=("counts", "lat"))
    found = measure(cell)
    assert found["S_lat"] == len(slow.cuts)
    losses = found["lost_empty"] + found["lost_possible"] + found["lost_gone"]
    assert found["n_lat"] - losses + found["gained"] == found["n_latwin"]


@pytest.mark.slow
def test_the_compressed_office_is_the_same_office_with_longer_delays() -> None:
    slow = measure(Cell("test", 3, 4, 1, 20.0, 20.0))
    fast = measure(Cell("test", 3, 4, 1, 20.0, 0.5, speed=40.0))
    assert slow == fast


def test_grids() -> None:
    for extent in (FULL, QUICK):
        cells = cells_of(NAMES, extent)
        assert len({cell.key for cell in cells}) == len(cells)
    assert len(FULL.seeds) >= 10
    assert {cell.hours for cell in cells_of(("processes", "window", "delay", "size"), FULL)} == {100.0}
    assert max(cell.processes for cell in cells_of(("beyond",), FULL)) == 100
    assert named("table") == ("processes",)
    with pytest.raises(InvalidInput, match="unknown experiment 'tabel'; there are all, beyond, delay"):
        named("tabel")


def test_a_tiny_grid_through_spark(spark: SparkSession, tmp_path: Path) -> None:
    """Every figure's data has its shape, finished cells are not run again, and the page needs no other file."""
    from latwin.experiments.figures import draw_all
    from latwin.experiments.report import write_report

    cells = [dataclasses.replace(cell, hours=min(cell.hours, 3.0)) for cell in cells_of(NAMES, TINY)]
    some: list[dict[str, Any]] = []
    first = run_cells(spark, cells[::2], tmp_path, some.append)
    assert sorted(row["key"] for row in some) == sorted(cell.key for cell in cells[::2])
    with (tmp_path / "cells.jsonl").open("a") as file:
        file.write('{"key": "cut off')  # as a kill leaves it
    some.clear()
    rows = run_cells(spark, cells, tmp_path, some.append)
    assert len(some) == len(cells) - len(first)
    assert [row["key"] for row in rows] == [cell.key for cell in cells]
    assert rows[::2] == first == [finished(tmp_path)[cell.key] for cell in cells[::2]]
    write_parquet(rows, tmp_path / "cells.parquet")
    assert spark.read.parquet(str(tmp_path / "cells.parquet")).count() == len(cells)

    tables = tables_of(rows)
    for table in tables.values():
        with table.write(tmp_path).open(newline="") as file:
            lines = list(csv.reader(file))
        assert len(lines) == len(table.rows) + 1
        numbers = [entry for line in lines[1:] for entry in line if re.fullmatch(r"[\d.]+(e[+-]?\d+)?", entry)]
        assert all(float(number) >= 0 for number in numbers)
        assert lines[0] == CONTRACT.get(table.name, lines[0])
    assert tables.keys() > CONTRACT.keys()
    assert [row["n"] for row in tables["table"].rows] == [2, 3]
    assert [row["w"] for row in tables["window"].rows] == [1, 4, 5]
    assert [row["w"] for row in tables["size"].rows] == [4, 5]
    assert [(row["setting"], row["delay_s"]) for row in tables["delay"].rows] == [
        (setting, delay) for setting in ("literal", "compressed") for delay in (0.0, 5.0)
    ]
    sizes = [row["S"] for row in tables["window"].rows]
    assert sizes == sorted(sizes)

    figures = draw_all(tables, tmp_path)
    assert {
        "processes",
        "benefits",
        "delay",
        "size",
        "losses",
        "beyond",
        "delivery",
        "calibration",
        "skew",
    } == figures.keys()
    assert all(path.with_suffix(".png").stat().st_size > 10_000 for path in figures.values())
    page = tmp_path / "report.html"
    write_report(page, tables, figures, TINY)
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == len(figures)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert not re.search(r'(src|href)="(?!#)', text.replace('xmlns:xlink="http://www.w3.org/1999/xlink"', ""))
    assert "34,408" not in text  # no cell for nine processes, no claim about them
    assert all(check.finding in text.replace("&#x27;", "'") for check in checks_of(tables))


def made_up(cell: Cell) -> dict[str, Any]:
    """A row for a cell without measuring anything."""
    numbers = {"slides": 100, "S": 3.0**cell.processes, "n_latwin": 90, "n_physical": 80, "n_both": 79, "n_lat": 95}
    numbers |= {"S_lat": 5000, "lost_empty": 1, "lost_possible": 3, "lost_gone": 2, "gained": 1, "agree": 97}
    numbers |= {"T_ms": 0.1, "T_free_ms": 0.01, "T_reference_ms": 7.0, "reference_capped": 1.0}
    bins = {f"{name}_{k}": value for k in range(11) for name, value in (("said", 10), ("sum", k), ("true", 2))}
    return {"key": cell.key, **dataclasses.asdict(cell), **numbers, **bins}


def test_a_report_of_made_up_cells(tmp_path: Path) -> None:
    from latwin.experiments.figures import draw_all
    from latwin.experiments.report import write_report

    tables = tables_of([made_up(cell) for cell in cells_of(NAMES, FULL)])
    figures = draw_all(tables, tmp_path)
    write_report(tmp_path / "report.html", tables, figures, FULL)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert text.count("<svg") == len(figures) == 9
    assert "34,408" in text
    assert "not met" in text
    assert "7.000*" in text  # capped, and marked so
    assert {table.name for table in tables.values()} >= CONTRACT.keys()
    checks = checks_of(tables)
    assert len([check for check in checks if check.finding.startswith("S at")]) == 8
    assert next(check for check in checks if check.finding == "Perc_det at w=4").measured == "94.74 %"
    assert tables["skew"].rows[-1]["bound"] == "none"


def test_findings_that_are_not_met_say_why() -> None:
    rows = [{"n": n, "S": 10.0**n, "S_paper": 9, "prob_det": 99.0} for n in (2, 9)]
    checks = checks_of({"table": Table("table", (), rows)})
    assert [check.is_met for check in checks] == [False, False, False, False]
    assert all(check.why for check in checks if not check.finding.startswith("theta"))


def test_theta_is_the_base_of_the_growth() -> None:
    table = Table("table", ("n", "S"), [{"n": n, "S": 3.0**n} for n in range(2, 10)])
    assert theta(table) == pytest.approx(0.75)


def test_wrong_names_are_told(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["experiment", "tabel", "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "unknown experiment 'tabel'" in result.stderr
    file = tmp_path / "file"
    file.write_text("")
    result = CliRunner().invoke(app, ["experiment", "table", "--out", str(file)])
    assert result.exit_code == 2
    assert "--out must be a folder" in result.stderr


def test_a_finished_experiment_needs_no_spark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latwin.experiments.grids.QUICK", dataclasses.replace(TINY, windows=(1, 4)))
    rows = [row_of(cell) for cell in cells_of(("size",), dataclasses.replace(TINY, windows=(1, 4)))]
    (tmp_path / "cells.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setattr(sys.modules["latwin.cli.commands.experiment"], "spark_session", None)
    result = CliRunner().invoke(app, ["experiment", "size", "--quick", "--out", str(tmp_path), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == {"report": str(tmp_path / "report.html"), "findings": []}
    assert (tmp_path / "size.csv").read_text().startswith("w,prob_det,S,T_ms\n4,")
