"""The batches of an output folder, as they are committed; read by pyarrow alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import merge
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from latwin.errors import InvalidInput
from latwin.explorer.tables import MetricRow, VerdictRow, numbered_rows_of, rows_of
from latwin.outputs.manifest import HOME, Manifest, Table
from latwin.outputs.store import LocalStore

_Row = TypeVar("_Row", bound=msgspec.Struct)
#: so often files may vanish in the course of one reading; a compaction runs once a day
_LOOKS = 5


class NewBatch(NamedTuple):
    """A batch that was not taken before."""

    number: int
    #: when it was written, in seconds since 1970; of batches that were merged, when the last of them was
    written_s: float
    metrics: list[MetricRow]
    verdicts: list[VerdictRow]


class OutputBatches:
    """The batches of an output, each given once, in order. Those of older outputs have folders of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._manifest = Manifest(LocalStore(folder))
        self._through = -1
        self._old: set[int] = set()

    def new(self) -> Iterator[NewBatch]:
        """Those that are there and were not given before."""
        if not (self._folder / HOME).is_dir():
            yield from self._in_folders()
            return
        for look in range(_LOOKS):
            self._manifest.refresh()
            try:
                yield from self._committed()
            except FileNotFoundError as error:  # a compaction merged and removed what was to be read next
                if look == _LOOKS - 1:
                    raise InvalidInput(f"{self._folder}: a file that counts is missing: {error}") from None
            else:
                return

    def _committed(self) -> Iterator[NewBatch]:
        """Those of the files that count now."""
        if self._manifest.last <= self._through:
            return
        tables = merge(self._rows("metrics", MetricRow), self._rows("verdicts", VerdictRow), key=lambda row: row[0])
        for number, found in groupby(tables, key=lambda row: row[0]):
            batch = NewBatch(number, 0.0, [], [])
            for _, written_s, row in found:
                batch = batch._replace(written_s=written_s)
                (batch.metrics if isinstance(row, MetricRow) else batch.verdicts).append(row)  # type: ignore[arg-type]
            self._through = number
            yield batch
        self._through = max(self._through, self._manifest.last)

    def _rows(self, table: Table, kind: type[_Row]) -> Iterator[tuple[int, float, _Row]]:
        """A table's rows of new batches, in the order of batches; a file at a time."""
        after = self._through
        for file in self._manifest.of(table, after):
            for number, row in numbered_rows_of(self._folder / file.path, kind):
                if number > after:
                    yield number, file.written_s, row

    def _in_folders(self) -> Iterator[NewBatch]:
        """As older versions wrote them: a batch counts once its metrics are there, which were written last."""
        try:
            names = [path.name for path in self._folder.joinpath("metrics").iterdir()]
        except FileNotFoundError:  # no batch was written yet
            return
        found = (re.fullmatch(r"batch=(\d{1,18})", name) for name in names)
        for number in sorted({int(match[1]) for match in found if match} - self._old):
            place = f"batch={number}"
            metrics = list(rows_of(self._folder / "metrics" / place, MetricRow))
            verdicts = list(rows_of(self._folder / "verdicts" / place, VerdictRow))
            self._old.add(number)
            yield NewBatch(number, self._folder.joinpath("metrics", place).stat().st_mtime, metrics, verdicts)
