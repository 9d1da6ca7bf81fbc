"""`latwin experiment`: the paper's evaluation on Spark, with a report beside the published numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from latwin.cli.spark import JsonOption, SessionOptions, spark_session
from latwin.cli.terminal import make_console, print_json
from latwin.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from latwin.experiments.cell import Cell
    from latwin.experiments.checks import Check
    from latwin.experiments.runner import Row


def experiment(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="table, processes, window, delay, size, beyond, complexity, offices, or all."
        ),
    ] = "all",
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where tables, figures and the report go.")] = Path(
        "latwin-experiments"
    ),
    quick: Annotated[bool, typer.Option("--quick", help="Ten seeds, fewer delays, smaller lattices.")] = False,
    offices: Annotated[
        int | None,
        typer.Option("--groups", min=2, metavar="N", help="How many offices the experiment `offices` has."),
    ] = None,
    as_json: JsonOption = False,
    *,
    session_options: SessionOptions,
) -> None:
    """Reproduce the paper's evaluation: tables (CSV, Parquet), figures (SVG, PNG), report.html and report.pdf.

    Finished cells are kept in the folder, and are not run again when the command is repeated.
    """
    from latwin.experiments.grids import FULL, QUICK, cells_of, named

    extent = QUICK if quick else FULL
    if offices is not None:
        extent = replace(extent, offices=offices)
    cells = cells_of(named(name), extent)
    _check_installed()
    if out.exists() and not out.is_dir():
        raise InvalidInput(f"--out must be a folder; {out} is a file")
    began = monotonic()
    rows = _run(cells, out, session_options)

    from latwin.experiments.checks import checks_of
    from latwin.experiments.figures import draw_all
    from latwin.experiments.page import write_page
    from latwin.experiments.report import write_report
    from latwin.experiments.runner import write_parquet
    from latwin.experiments.tables import tables_of

    write_parquet(rows, out / "cells.parquet")
    tables = tables_of(rows)
    for table in tables.values():
        table.write(out)
    figures = draw_all(tables, out)
    page = out / "report.html"
    write_report(page, tables, figures, extent)
    checks = checks_of(tables)
    write_page(page.with_suffix(".pdf"), tables, checks, extent)
    if as_json:
        print_json({"report": str(page), "findings": [vars(check) for check in checks]})
        return
    _tell(checks, page, len(cells), monotonic() - began)


def _run(cells: Sequence[Cell], out: Path, session_options: SessionOptions) -> list[Row]:
    """All cells, with a bar on stderr."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from latwin.experiments.runner import finished, joined, left_of, run_cells

    known = finished(out)
    left = sum(len(cell.measures) for cell in left_of(cells, known))
    if not left:
        return joined(cells, known)
    console = make_console(stderr=True)
    if known:
        console.print(f"{len(known)} results are there already; {left} are to come", soft_wrap=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("starting Spark", total=left)
        with spark_session(session_options) as session:
            progress.update(task, description="results")
            return run_cells(session, cells, out, lambda row: progress.advance(task))


def _tell(checks: Sequence[Check], page: Path, cells: int, seconds: float) -> None:
    from rich.table import Table
    from rich.text import Text

    from latwin.cli.terminal import print_page

    shown = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("finding", "published", "met if", "measured", ""):
        shown.add_column(head)
    for check in checks:
        met = Text("met", "green") if check.is_met else Text("not met", "bold yellow")
        shown.add_row(check.finding, check.paper, check.expected, check.measured, met)
    parts = [shown] if checks else []
    print_page(*parts, Text(f"\n{cells} cells in {seconds:.0f} s; report: {page}", no_wrap=True))


def _check_installed() -> None:
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        raise InvalidInput("the figures need matplotlib: pip install 'latwin[experiments]'")
