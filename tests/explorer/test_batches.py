"""The batches of an output folder, as `latwin serve` takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from latwin.explorer.batches import OutputBatches
from latwin.outputs.compaction import compact, parquet_bytes
from latwin.outputs.manifest import DataFile, Manifest, file_name
from latwin.outputs.store import LocalStore


def test_batches_that_are_committed_and_then_merged(tmp_path: Path) -> None:
    """A feed takes each batch once, also if files are merged while it looks."""
    store = LocalStore(tmp_path)
    manifest = Manifest(store)

    def write_batch(number: int, is_committed: bool = True) -> None:
        files = []
        for table in ("verdicts", "metrics"):
            row: dict[str, Any] = {"group": "g", "batch": number}
            if table == "verdicts":
                row |= {"property": "both", "value": number % 2 == 0, "slide": number + 1, "final": None}
                row |= {"least": [0, 0], "greatest": [1, 1], "cuts": 4}
            else:
                row |= dict.fromkeys(["waiting", "duplicates", "rejected", "late", "skipped", "too_large"], 0)
                row |= {"delivered": number + 1, "empty": 0, "ticks": 0}
            content = parquet_bytes(pa.Table.from_pylist([row]))
            file = DataFile(table, file_name(number), number, number, 1, len(content), 100.0 + number)
            store.put(file.path, content)
            files.append(file)
        if is_committed:
            manifest.commit(number, files)

    batches = OutputBatches(tmp_path)
    assert list(batches.new()) == []
    write_batch(0)
    write_batch(1)
    found = list(batches.new())
    compact(store, now_s=0.0)
    write_batch(2)
    write_batch(3, is_committed=False)
    found += batches.new()
    assert [batch.number for batch in found] == [0, 1, 2]
    assert [batch.written_s for batch in found] == [100.0, 101.0, 102.0]
    assert [row.slide for batch in found for row in batch.verdicts] == [1, 2, 3]
    assert [row.delivered for batch in found for row in batch.metrics] == [1, 2, 3]
    assert [batch.number for batch in OutputBatches(tmp_path).new()] == [0, 1, 2]
