"""Which files of an output count, however writer, compaction and readers are killed between any two steps."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from copying_store import CopyingStore, Killed
from latwin.errors import InvalidInput
from latwin.outputs import compaction
from latwin.outputs import manifest as manifests
from latwin.outputs.compaction import compact, parquet_bytes
from latwin.outputs.manifest import TABLES, DataFile, Manifest, Table, clear_unfinished, file_name
from latwin.outputs.store import LocalStore, Store

Row = tuple[Table, int, int]


def a_file(batch: int, table: Table = "verdicts", rows: int = 1, part: int | None = None) -> tuple[DataFile, bytes]:
    numbers = pa.table({"batch": pa.array([batch] * rows, pa.int64()), "row": pa.array(range(rows), pa.int64())})
    content = parquet_bytes(numbers)
    return DataFile(table, file_name(batch, part), batch, batch, rows, len(content), float(batch)), content


def write_batch(store: Store, manifest: Manifest, batch: int, rows: int = 2) -> None:
    """As a sink does it: staged parts are moved, small files are put, then the batch is committed."""
    files = []
    for table in TABLES:
        file, content = a_file(batch, table, rows, part=0 if table == "rejects" else None)
        if table == "rejects":
            store.put(f"{manifests.STAGING}/{batch}/part", content)
            store.move(f"{manifests.STAGING}/{batch}/part", file.path)
        else:
            store.put(file.path, content)
        files.append(file)
    manifest.commit(batch, files)


def rows_of(store: Store) -> list[Row]:
    """What a reader sees."""
    found: list[Row] = []
    for file in Manifest(store).files.values():
        rows = pq.read_table(io.BytesIO(store.read(file.path)))
        assert rows.num_rows == file.rows
        found += [(file.table, row["batch"], row["row"]) for row in rows.to_pylist()]
    return sorted(found)


def expected(batches: int) -> list[Row]:
    return sorted((table, batch, row) for table in TABLES for batch in range(batches) for row in range(2))


def run_pipeline(store: Store, batches: int) -> None:
    """A start of the pipeline: clear, then write what is not there."""
    manifest = Manifest(store)
    clear_unfinished(store, manifest)
    for batch in range(manifest.last + 1, batches):
        write_batch(store, manifest, batch)


def run_compaction(store: Store) -> None:
    compact(store, now_s=0.0)


@pytest.mark.slow
@pytest.mark.parametrize("torn", [False, True])
def test_every_row_counts_once_wherever_the_pipeline_is_killed(torn: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifests, "SNAPSHOT_EVERY", 3)
    _kill_everywhere(lambda store: run_pipeline(store, 8), CopyingStore(torn=torn), torn)


@pytest.mark.parametrize("torn", [False, True])
def test_every_row_counts_once_wherever_a_compaction_is_killed(torn: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifests, "SNAPSHOT_EVERY", 3)
    before = CopyingStore(torn=torn)
    run_pipeline(before, 7)

    def compact_then_go_on(store: Store) -> None:
        if Manifest(store).last < 7:
            run_compaction(store)
        run_pipeline(store, 8)

    _kill_everywhere(compact_then_go_on, before, torn)


def _kill_everywhere(work: Callable[[Store], None], before: CopyingStore, torn: bool) -> None:
    """Kill the work at each of its steps, then do it again, which may be killed at any step, too."""
    rng = random.Random(1)
    kill_at, is_done = 0, False
    while not is_done:
        kill_at += 1
        store = CopyingStore(torn=torn)
        store.files = dict(before.files)
        store.kill_at = kill_at
        try:
            work(store)
            is_done = True
        except Killed:
            batches = Manifest(store).last + 1
            assert rows_of(store) == expected(batches), f"killed at step {kill_at}: a reader sees it so"
            store.kill_at = store.steps + rng.randint(1, 60)
            try:
                work(store)
            except Killed:
                store.kill_at = None
                work(store)
        assert rows_of(store) == expected(8), f"killed at step {kill_at}"
    assert kill_at > 20
    store.kill_at = None
    run_compaction(store)
    left = [name for table in TABLES for name in store.names(table)]
    assert len(left) == len(TABLES), "one file a table is left, and nothing that does not count"


def test_a_reader_beside_a_pipeline_and_compactions(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that refreshes now and then agrees with one that begins anew."""
    monkeypatch.setattr(manifests, "SNAPSHOT_EVERY", 4)
    rng = random.Random(7)
    store = CopyingStore()
    writer, reader = Manifest(store), Manifest(store)
    for batch in range(60):
        write_batch(store, writer, batch)
        if rng.random() < 0.2:
            run_compaction(store)
        if rng.random() < 0.3:
            reader.refresh()
            assert dict(reader.files) == dict(Manifest(store).files)
            assert reader.last == batch
    assert rows_of(store) == expected(60)
    assert len(store.names(manifests.COMMITS)) <= 2 * 4 + 3
    assert len(store.names(manifests.REPLACED)) < 20


def test_few_records_are_read_after_very_many_batches() -> None:
    store = CopyingStore()
    writer = Manifest(store)
    for batch in range(3_000):
        writer.commit(batch, [DataFile(table, file_name(batch), batch, batch, 5, 2000, 0.0) for table in TABLES])
    reads: list[str] = []
    read = store.read
    store.read = lambda path: reads.append(path) or read(path)  # type: ignore[func-returns-value,method-assign]
    assert Manifest(store).rows() == dict.fromkeys(TABLES, 15_000)
    assert len(reads) <= manifests.SNAPSHOT_EVERY + 1
    assert len(store.names(manifests.COMMITS)) <= 2 * manifests.SNAPSHOT_EVERY + 2


@pytest.mark.parametrize("seed", range(20))
def test_what_is_merged_together(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a slow definition has it, which adds up the whole group for each file."""
    monkeypatch.setattr(compaction, "TARGET_BYTES", 1000)
    monkeypatch.setattr(compaction, "TARGET_ROWS", 50)
    monkeypatch.setattr(compaction, "LONGEST_SPAN_S", 20.0)
    rng = random.Random(seed)
    sizes = rng.choice([(0, 100), (0, 700), (300, 1200)])
    files, now_s = [], 0.0
    for batch in range(80):
        now_s += rng.choice([0.0, 1.0, 5.0])
        size, rows = rng.randint(*sizes), rng.randint(0, 10)
        files.append(DataFile("verdicts", file_name(batch), batch, batch, rows, size, now_s))
    slow: list[list[DataFile]] = [[]]
    for file in (file for file in files if file.size <= 500):
        group = [*slow[-1], file]
        fits = sum(f.size for f in group) <= 1000 and sum(f.rows for f in group) <= 50
        if slow[-1] and not (fits and file.written_s - group[0].written_s <= 20.0):
            slow.append([file])
        else:
            slow[-1].append(file)
    assert list(compaction._groups(files)) == [group for group in slow if len(group) > 1], f"seed={seed}"


def test_a_merge_of_more_files_than_are_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compaction, "_PIECES", 3)
    store = CopyingStore()
    run_pipeline(store, 8)
    compact(store, now_s=0.0)
    assert rows_of(store) == expected(8)
    assert [len(store.names(table)) for table in TABLES] == [1, 1, 1]


def test_what_is_old_goes(tmp_path: Path) -> None:
    store = LocalStore(tmp_path)
    run_pipeline(store, 10)  # batch k is written at second k
    done = compact(store, now_s=10.0, keep_s=4.0)
    assert (done.before, done.after, done.expired) == (30, 3, 3 * 6 * 2)
    assert rows_of(store) == [row for row in expected(10) if row[1] >= 6]
    assert pq.read_table(tmp_path / "verdicts").num_rows == 8  # also for a reader of plain Parquet
    assert Manifest(store).last == 9
    run_pipeline(store, 10)
    assert compact(store, now_s=10.0) == type(done)(3, 3, 0, 0)


def test_readers_have_time_to_end(tmp_path: Path) -> None:
    store = LocalStore(tmp_path)
    run_pipeline(store, 3)
    begun = Manifest(store)
    compact(store, now_s=0.0, pause=lambda: [store.read(path) for path in begun.files])
    with pytest.raises(FileNotFoundError):
        store.read(next(iter(begun.files)))


@pytest.mark.parametrize("name", ["../x.parquet", "batch-1.parquet", "batch-000000000001.parquet/../y"])
def test_a_record_cannot_lead_to_other_files(tmp_path: Path, name: str) -> None:
    folder = tmp_path / manifests.COMMITS
    folder.mkdir(parents=True)
    record = f'{{"type":"commit","batch":0,"files":[["verdicts","{name}",0,0,1,1,0.0]]}}'
    (folder / "000000000000.json").write_text(record)
    with pytest.raises(InvalidInput, match="is no record of an output"):
        Manifest(LocalStore(tmp_path))
