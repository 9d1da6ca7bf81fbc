"""The tables of a pipeline's output folder, as typed rows: what is in a file is believed only if it can be so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from latwin.errors import InvalidInput

_Count = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]
_Row = TypeVar("_Row", bound=msgspec.Struct)


class VerdictRow(msgspec.Struct, frozen=True):
    """A row of `verdicts`, as far as the page shows it."""

    group: str | None
    property: str
    value: bool | None
    slide: Annotated[int, msgspec.Meta(ge=1, lt=2**62)]
    least: list[int] | None
    greatest: list[int] | None
    cuts: _Count | None
    #: older outputs have no such column
    final: bool | None = None


class MetricRow(msgspec.Struct, frozen=True):
    """A row of `metrics`: the counters of a group, in the order of `recording.COUNTERS`."""

    group: str | None
    delivered: _Count
    waiting: _Count
    duplicates: _Count
    rejected: _Count
    late: _Count
    skipped: _Count
    too_large: _Count
    #: older outputs do not have these columns
    empty: _Count = 0
    ticks: _Count = 0
    unseen: list[tuple[str, list[str]]] | None = None

    @property
    def slides(self) -> int:
        """The number of the group's latest slide."""
        return self.delivered + self.ticks

    def counters(self) -> tuple[int, ...]:
        """All but the group and what is unseen."""
        counts: tuple[int, ...] = msgspec.structs.astuple(self)[1:-1]
        return counts


def rows_of(folder: Path, kind: type[_Row]) -> Iterator[_Row]:
    """The rows of all Parquet files in a folder; InvalidInput, with the file, for what no pipeline wrote."""
    for path in sorted(folder.glob("*.parquet")):
        yield from _read(path, kind)[0]


def numbered_rows_of(path: Path, kind: type[_Row]) -> Iterator[tuple[int, _Row]]:
    """The rows of a Parquet file, each with its batch; InvalidInput for what no pipeline wrote.

    FileNotFoundError if the file is not there (any more).
    """
    rows, batches = _read(path, kind, "batch")
    try:
        return zip(msgspec.convert(batches, list[_Count]), rows, strict=True)
    except (msgspec.ValidationError, TypeError) as error:
        raise InvalidInput(f"{path}: is no table of a pipeline's output: {error}") from None


def _read(path: Path, kind: type[_Row], more: str | None = None) -> tuple[list[_Row], list[object] | None]:
    """The rows of a file, and one more column of it."""
    import pyarrow as pa
    from pyarrow import parquet

    columns = list(kind.__struct_fields__)
    try:
        # A file alone: the folder's name would become a column. In one thread: most files are small.
        file = parquet.ParquetFile(path, pre_buffer=False)
        table = file.read(columns=columns if more is None else [*columns, more], use_threads=False)
        column = table.column(more).to_pylist() if more is not None and more in table.column_names else None
        found = table.select([name for name in table.column_names if name != more]) if more is not None else table
        return msgspec.convert(found.to_pylist(), list[kind]), column  # type: ignore[valid-type]
    except FileNotFoundError:  # a compaction removed it
        raise
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InvalidInput(f"{path}: is no table of a pipeline's output: {error}") from None
