"""`latwin convert`: a log of any kind as events that every other command, and Spark, reads."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latwin.cli.inputs import load_spec
from latwin.cli.logs import ArrivalOptions, LogFormatOption, LogOptions, read_events
from latwin.cli.opening import ClocksOption
from latwin.cli.terminal import print_labelled
from latwin.errors import InvalidInput
from latwin.events.escaping import plain_json
from latwin.formats.endings import AUTO, PARQUETS

if TYPE_CHECKING:
    from collections.abc import Sequence

#: integers up to this one are the same as decimals of 64 bits
_LARGEST_EXACT = 2**53


def convert(
    path: Annotated[str, typer.Argument(metavar="LOG", help="A log, also a compressed one; - is standard input.")],
    file_format: LogFormatOption = AUTO,
    clocks: ClocksOption = False,
    to: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="JSON lines, or Parquet by its ending; standard output unless given."
        ),
    ] = None,
    spec: Annotated[
        Path | None,
        typer.Option(
            metavar="SPEC", help="Take processes and [variables] from this spec; default: use everything in the log."
        ),
    ] = None,
    *,
    log: LogOptions,
    arrival: ArrivalOptions,
) -> None:
    """Write a log's events as JSON lines or Parquet, each with its clock and its process's whole state.

    Exits with 2 if the log cannot be used; --lenient leaves out what is wrong with it.
    """
    checked = load_spec(spec) if spec is not None else None
    read = read_events(path, file_format, log.options(checked), arrival, checked, clocks=clocks)
    # `arrival` keeps the order where rows have none, as in a table.
    rows = [{**envelope.event, "arrival": place} for place, envelope in enumerate(read.envelopes)]
    if to is None:
        sys.stdout.write(_lines(rows))
        return
    if to.suffix.lower() in PARQUETS:
        _write_parquet(rows, to)
    else:
        to.write_text(_lines(rows), encoding="utf-8")
    left_out = f"; {read.left_out:,} problems passed over" if read.left_out else ""
    number = len({envelope.group for envelope in read.envelopes})
    groups = f" in {number:,} groups" if number > 1 else ""
    print_labelled("", "", f"{to}: {len(rows):,} events{groups}{left_out}")


def _lines(rows: Sequence[dict[str, Any]]) -> str:
    import msgspec

    return "".join(plain_json(msgspec.json.encode(row).decode()) + "\n" for row in rows)


def _write_parquet(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Clocks as maps, states as JSON text: what `latwin run` and `latwin replay` read."""
    import msgspec

    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InvalidInput("Parquet needs pyarrow: pip install 'latwin[spark]'") from None
    times = [row.get("time") for row in rows]
    columns = {
        "group": pa.array([row.get("group", "") for row in rows], pa.string()),
        "process": pa.array([row["process"] for row in rows], pa.string()),
        "clock": pa.array([list(row["clock"].items()) for row in rows], pa.map_(pa.string(), pa.int64())),
        "state": pa.array([msgspec.json.encode(row["state"]).decode() for row in rows], pa.string()),
        "arrival": pa.array([row["arrival"] for row in rows], pa.int64()),
    }
    if any(time is not None for time in times):
        are_numbers = all(time is None or _is_exact(time) for time in times)
        shown = times if are_numbers else [None if time is None else str(time) for time in times]
        columns["time"] = pa.array(shown, pa.float64() if are_numbers else pa.string())
    pq.write_table(pa.table(columns), path)


def _is_exact(time: Any) -> bool:
    """Whether a time is a number that a column of decimals holds as it is; nanoseconds since 1970 are none."""
    return type(time) is float or (type(time) is int and abs(time) <= _LARGEST_EXACT)
