"""All settings on Spark: first those that only count, then those that are timed. Results are kept when a task ends.

Experiments share settings, so what is measured at a setting is measured once for all cells that have it. Results come
back through an accumulator, which Spark brings up to date on the driver with every finished task, not only at the end
of the job. They are appended to `cells.jsonl`, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from latwin.experiments.cell import Cell
from latwin.experiments.measure import COUNTING, measure_each

if TYPE_CHECKING:
    from pyspark import Accumulator, SparkContext
    from pyspark.sql import SparkSession

Row = dict[str, Any]
#: a setting's key and a measure -> what was found
Results = dict[tuple[str, str], Row]
_FILE = "cells.jsonl"
_POLL_S = 0.2
#: above so many settings that count, a task takes several: starting it takes longer than counting a small office
_MOST_TASKS = 1000


def finished(out: Path) -> Results:
    """The results that are there; a line that was cut off is not."""
    path = out / _FILE
    results: Results = {}
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            row = msgspec.json.decode(line)
            results[row["key"], row["measure"]] = row
        except (msgspec.DecodeError, KeyError, TypeError):
            continue
    return results


def left_of(cells: Sequence[Cell], results: Results) -> list[Cell]:
    """What is still to be measured: each setting once, with the measures that it lacks."""
    left: dict[str, Cell] = {}
    for cell in cells:
        known = left.get(cell.key, replace(cell, experiment="", measures=()))
        lacks = [name for name in cell.measures if name not in known.measures and (cell.key, name) not in results]
        if lacks:
            left[cell.key] = replace(known, measures=(*known.measures, *lacks))
    return list(left.values())


def joined(cells: Sequence[Cell], results: Results) -> list[Row]:
    """For each cell its parameters and all that it asked for, which must have been measured."""
    rows = []
    for cell in cells:
        found = [results[cell.key, name] for name in cell.measures]
        row: Row = {"experiment": cell.experiment}
        for part in found:
            row |= part
        del row["measure"]
        rows.append(row | {"measures": list(cell.measures), "seconds": sum(part["seconds"] for part in found)})
    return rows


def run_cells(
    session: SparkSession, cells: Sequence[Cell], out: Path, on_result: Callable[[Row], object] | None = None
) -> list[Row]:
    """Measure what is not finished; the rows of all cells, in their order. `on_result` gets each new result."""
    from pyspark.accumulators import AddingAccumulatorParam

    out.mkdir(parents=True, exist_ok=True)
    results = finished(out)
    context = session.sparkContext
    arrived: Accumulator[list[Row]] = context.accumulator([], AddingAccumulatorParam([]))
    seen = 0
    _end_last_line(out / _FILE)
    with (out / _FILE).open("ab") as file, ThreadPoolExecutor(1) as pool:
        job = pool.submit(_run_all, context, left_of(cells, results), arrived)
        while True:
            is_over = bool(wait([job], timeout=_POLL_S).done)
            for row in arrived.value[seen:]:
                file.write(msgspec.json.encode(row) + b"\n")
                file.flush()
                seen += 1
                results[row["key"], row["measure"]] = row
                if on_result is not None:
                    on_result(row)
            if is_over:
                break
        job.result()
    return joined(cells, results)


def _end_last_line(path: Path) -> None:
    """A run that was killed may have left half a line; what comes next must not be joined to it."""
    text = path.read_bytes() if path.exists() else b""
    if text and not text.endswith(b"\n"):
        with path.open("ab") as file:
            file.write(b"\n")


def _run_all(context: SparkContext, cells: Sequence[Cell], arrived: Accumulator[list[Row]]) -> None:
    """What is timed comes last, all of it together, so that ten thousand offices are not counted beside it."""
    timed = [cell for cell in cells if not COUNTING.issuperset(cell.measures)]
    counted = [cell for cell in cells if COUNTING.issuperset(cell.measures)]
    for some, tasks in ((counted, min(len(counted), _MOST_TASKS)), (timed, len(timed))):
        if some:
            context.parallelize(some, tasks).foreach(lambda cell: arrived.add(results_of(cell)))


def results_of(cell: Cell) -> list[Row]:
    """What was measured at a setting: a row for each measure, with the computing time that it took."""
    return [
        {"key": cell.key, "measure": name, **cell.setting, **found, "seconds": seconds}
        for name, found, seconds in measure_each(cell)
    ]


def write_parquet(rows: Sequence[Row], path: Path) -> None:
    """All rows as one Parquet file; what a cell did not measure is null."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = list(dict.fromkeys(name for row in rows for name in row))
    pq.write_table(pa.table({name: pa.array([row.get(name) for row in rows]) for name in names}), path)
