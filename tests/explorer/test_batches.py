"""The batches of an output folder, as `latwin serve` takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from latwin.errors import InvalidInput
from latwin.explorer.batches import OutputBatches
from latwin.outputs.compaction import compact, parquet_bytes
from latwin.outputs.manifest import DataFile, Manifest, Table, file_name
from latwin.outputs.store import LocalStore


class Output:
    """An output folder, written as a pipeline does."""

    def __init__(self, folder: Path) -> None:
        self.store = LocalStore(folder)
        self._manifest = Manifest(self.store)

    def write_batch(self, number: int, *, is_committed: bool = True) -> None:
        files = []
        tables: tuple[Table, ...] = ("verdicts", "metrics")
        for table in tables:
            row: dict[str, Any] = {"group": "g", "batch": number}
            if table == "verdicts":
                row |= {"property": "both", "value": number % 2 == 0, "slide": number + 1, "final": None}
                row |= {"least": [0, 0], "greatest": [1, 1], "cuts": 4}
            else:
                row |= dict.fromkeys(["waiting", "duplicates", "rejected", "late", "skipped", "too_large"], 0)
                row |= {"delivered": number + 1, "empty": 0, "ticks": 0}
            content = parquet_bytes(pa.Table.from_pylist([row]))
            file = DataFile(table, file_name(number), number, number, 1, len(content), 100.0 + number)
            self.store.put(file.path, content)
            files.append(file)
        if is_committed:
            self._manifest.commit(number, files)


def test_batches_that_are_committed_and_then_merged(tmp_path: Path) -> None:
    """A feed takes each batch once, also if files are merged while it looks."""
    output = Output(tmp_path)
    batches = OutputBatches(tmp_path)
    assert list(batches.new()) == []
    output.write_batch(0)
    output.write_batch(1)
    found = list(batches.new())
    compact(output.store, now_s=0.0)
    output.write_batch(2)
    output.write_batch(3, is_committed=False)
    found += batches.new()
    assert [batch.number for batch in found] == [0, 1, 2]
    assert [batch.written_s for batch in found] == [100.0, 101.0, 102.0]
    assert [row.slide for batch in found for row in batch.verdicts] == [1, 2, 3]
    assert [row.delivered for batch in found for row in batch.metrics] == [1, 2, 3]
    assert [batch.number for batch in OutputBatches(tmp_path).new()] == [0, 1, 2]


def test_files_that_a_compaction_removes_while_they_are_read(tmp_path: Path) -> None:
    """A first look at a long output may take longer than a compaction waits: it goes on with what was merged."""
    output = Output(tmp_path)
    for number in range(6):
        output.write_batch(number)
    found = []
    for batch in OutputBatches(tmp_path).new():
        found.append(batch)
        if batch.number == 2:
            compact(output.store, now_s=0.0)
    assert [batch.number for batch in found] == [0, 1, 2, 3, 4, 5]
    assert [row.slide for batch in found for row in batch.verdicts] == [1, 2, 3, 4, 5, 6]
    assert [row.delivered for batch in found for row in batch.metrics] == [1, 2, 3, 4, 5, 6]


def test_a_file_that_counts_and_is_not_there(tmp_path: Path) -> None:
    output = Output(tmp_path)
    for number in range(3):
        output.write_batch(number)
    (tmp_path / "metrics" / file_name(1)).unlink()
    with pytest.raises(InvalidInput, match=r"a file that counts is missing: .*batch-000000000001\.parquet"):
        list(OutputBatches(tmp_path).new())
