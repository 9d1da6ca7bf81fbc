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
    import pyarrow as pa
    from pyarrow import parquet

    columns = list(kind.__struct_fields__)
    for path in sorted(folder.glob("*.parquet")):
        try:
            # A file alone: the folder's name would become a column.
            rows = parquet.ParquetFile(path).read(columns=columns).to_pylist()
            yield from msgspec.convert(rows, list[kind])  # type: ignore[valid-type]
        except (pa.ArrowException, OSError, ValueError) as error:
            raise InvalidInput(f"{path}: is no table of a pipeline's output: {error}") from None
