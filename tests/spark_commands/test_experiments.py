"""The evaluation as a Spark job."""

from __future__ import annotations

import csv
import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from latwin.experiments.cell import READINGS
from latwin.experiments.checks import checks_of
from latwin.experiments.grids import NAMES, cells_of
from latwin.experiments.measure import COUNTING
from latwin.experiments.runner import finished, joined, run_cells, write_parquet
from latwin.experiments.tables import tables_of
from made_up_cells import CONTRACT, FIGURES, TINY

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.soak
def test_a_tiny_grid_through_spark(spark: SparkSession, tmp_path: Path) -> None:
    """Every figure's data has its shape, and finished cells are not run again."""
    from latwin.experiments.figures import draw_all
    from latwin.experiments.page import write_page
    from latwin.experiments.report import write_report

    small = [cell for cell in cells_of(NAMES, TINY) if cell.experiment != "complexity" or cell.window <= 4]
    cells = [dataclasses.replace(cell, hours=min(cell.hours, 3.0)) for cell in small]
    some: list[dict[str, Any]] = []
    first = run_cells(spark, cells[::2], tmp_path, some.append)
    wanted = {(cell.key, name) for cell in cells[::2] for name in cell.measures}
    assert sorted((row["key"], row["measure"]) for row in some) == sorted(wanted)
    timed = {row["key"] for row in some if row["measure"] not in COUNTING}
    is_timed = [row["key"] in timed for row in some]
    assert is_timed == sorted(is_timed), "what is timed comes last"
    with (tmp_path / "cells.jsonl").open("a") as file:
        file.write('{"key": "cut off')  # as a kill leaves it
    some.clear()
    rows = run_cells(spark, cells, tmp_path, some.append)
    assert len(some) == len({(cell.key, name) for cell in cells for name in cell.measures}) - len(wanted)
    assert [(row["experiment"], row["key"]) for row in rows] == [(cell.experiment, cell.key) for cell in cells]
    assert rows[::2] == first == joined(cells[::2], finished(tmp_path))
    write_parquet(rows, tmp_path / "cells.parquet")
    assert spark.read.parquet(str(tmp_path / "cells.parquet")).count() == len(cells)

    tables = tables_of(rows)
    for table in tables.values():
        with table.write(tmp_path).open(newline="") as file:
            lines = list(csv.reader(file))
        assert len(lines) == len(table.rows) + 1
        numbers = [entry for line in lines[1:] for entry in line if re.fullmatch(r"[\d.]+(e[+-]?\d+)?", entry)]
        assert all(float(number) >= 0 for number in numbers)
        assert lines[0] == CONTRACT.get(table.name, ",".join(lines[0])).split(",")
    assert tables.keys() > CONTRACT.keys()
    assert [row["n"] for row in tables["table"].rows] == [2, 3]
    assert [row["w"] for row in tables["window"].rows] == [1, 4, 5]
    assert [row["w"] for row in tables["size"].rows] == [4, 5]
    assert [row["delay_s"] for row in tables["delay"].rows] == [0.0, 5.0]
    assert len(tables["readings"].columns) == 2 + len(READINGS.keys() - {"hurried"})
    assert {row["offices"] for row in tables["offices"].rows} == {3}
    sizes = [row["S"].mean for row in tables["window"].rows]
    assert sizes == sorted(sizes)

    figures = draw_all(tables, tmp_path)
    assert figures.keys() == FIGURES
    assert all(path.with_suffix(".png").stat().st_size > 10_000 for path in figures.values())
    page = tmp_path / "report.html"
    write_report(page, tables, figures, TINY)
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == len(figures)
    assert "34,408" not in text  # no cell for nine processes, no claim about them
    write_page(tmp_path / "report.pdf", tables, checks_of(tables), TINY)
    assert (tmp_path / "report.pdf").read_bytes().count(b"/Type /Page ") == 1
    assert all(check.finding in text.replace("&#x27;", "'") for check in checks_of(tables))
