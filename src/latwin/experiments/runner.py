"""All cells as one Spark job, one task each if there are not very many; results are kept the moment their task ends.

Results come back through an accumulator, which Spark brings up to date on the driver with every finished task, not
only at the end of the job. They are appended to `cells.jsonl`, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import msgspec

from latwin.experiments.cell import Cell
from latwin.experiments.measure import measure

if TYPE_CHECKING:
    from pyspark import Accumulator, SparkContext
    from pyspark.sql import SparkSession

Row = dict[str, Any]
_FILE = "cells.jsonl"
_POLL_S = 0.2
#: above so many cells a task takes several, as starting it would take longer than measuring a small cell
_MOST_TASKS = 2000


def finished(out: Path) -> dict[str, Row]:
    """The results that are there, by their cell's key; a line that was cut off is not."""
    path = out / _FILE
    rows: dict[str, Row] = {}
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            row = msgspec.json.decode(line)
            rows[row["key"]] = row
        except (msgspec.DecodeError, KeyError, TypeError):
            continue
    return rows


def run_cells(
    session: SparkSession, cells: Sequence[Cell], out: Path, on_result: Callable[[Row], object] | None = None
) -> list[Row]:
    """Measure the cells that are not finished; the rows of all of them, in the cells' order."""
    from pyspark.accumulators import AddingAccumulatorParam

    out.mkdir(parents=True, exist_ok=True)
    done = finished(out)
    todo = [cell for cell in cells if cell.key not in done]
    context = session.sparkContext
    arrived: Accumulator[list[Row]] = context.accumulator([], AddingAccumulatorParam([]))
    seen = 0
    _end_last_line(out / _FILE)
    with (out / _FILE).open("ab") as file, ThreadPoolExecutor(1) as pool:
        job = pool.submit(_run_all, context, todo, arrived)
        while True:
            is_over = bool(wait([job], timeout=_POLL_S).done)
            for row in arrived.value[seen:]:
                file.write(msgspec.json.encode(row) + b"\n")
                file.flush()
                seen += 1
                done[row["key"]] = row
                if on_result is not None:
                    on_result(row)
            if is_over:
                break
        job.result()
    return [done[cell.key] for cell in cells]


def _end_last_line(path: Path) -> None:
    """A run that was killed may have left half a line; what comes next must not be joined to it."""
    text = path.read_bytes() if path.exists() else b""
    if text and not text.endswith(b"\n"):
        with path.open("ab") as file:
            file.write(b"\n")


def _run_all(context: SparkContext, cells: Sequence[Cell], arrived: Accumulator[list[Row]]) -> None:
    if cells:
        context.parallelize(cells, min(len(cells), _MOST_TASKS)).foreach(lambda cell: arrived.add([row_of(cell)]))


def row_of(cell: Cell) -> Row:
    """A cell with what was measured, and the computing time that took."""
    begin = process_time()
    found = measure(cell)
    seconds = process_time() - begin
    return {"key": cell.key, **asdict(cell), "measures": list(cell.measures), **found, "seconds": seconds}


def write_parquet(rows: Sequence[Row], path: Path) -> None:
    """All rows as one Parquet file; what a cell did not measure is null."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = list(dict.fromkeys(name for row in rows for name in row))
    pq.write_table(pa.table({name: pa.array([row.get(name) for row in rows]) for name in names}), path)
