"""Few large files instead of many small ones, and an age at which results go; also beside a running pipeline.

Merged files are put beside the small ones; then one record lets them take their place (`Manifest.replace`), and the
small ones are removed after a while, so that whoever has just begun to read them can end. If a compaction is killed,
either set counts, never both; the next one removes what was left over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from latwin.outputs.manifest import TABLES, DataFile, Manifest, Table, batches_of, merged_name
from latwin.outputs.store import Store

#: a merged file is about this large, which Parquet readers like, and fits into memory when it is read
TARGET_BYTES = 64 << 20
TARGET_ROWS = 2_000_000
#: a merged file spans no more time, so that results can go by their age
LONGEST_SPAN_S = 86_400.0
#: so many small files are read before their rows are put together: a table of thousands of pieces takes much memory
_PIECES = 256


@dataclass(frozen=True)
class Compacted:
    """What a compaction did."""

    #: files that counted before, and that count now
    before: int
    after: int
    #: rows that were too old
    expired: int
    #: files that were removed from the store
    removed: int


def compact(
    store: Store, *, now_s: float, keep_s: float | None = None, pause: Callable[[], object] = lambda: None
) -> Compacted:
    """Merge small files of each table, and let go what is older than `keep_s` seconds; all other rows count on.

    `pause` is called before files that do not count any more are removed: readers that began before need them. Only
    one compaction may run on an output at a time.
    """
    there = [f"{table}/{name}" for table in TABLES for name in store.names(table)]
    manifest = Manifest(
        store
    )  # after looking: what was there and is not committed by now is left over, or unfinished
    before = manifest.files
    gone = [path for path in there if path not in before and _is_left_over(path, manifest)]
    old = [] if keep_s is None else [file for file in before.values() if file.written_s < now_s - keep_s]
    if old:
        manifest.replace([], [file.path for file in old])
        gone += [file.path for file in old]
    for table in TABLES:
        for files in _groups(manifest.of(table)):
            merged = _merge(store, table, files)
            paths = [file.path for file in files]
            manifest.replace([merged], paths)
            gone += paths
    if gone:
        pause()
    for path in gone:
        store.delete(path)
    return Compacted(len(before), len(manifest.files), sum(file.rows for file in old), len(gone))


def _is_left_over(path: str, manifest: Manifest) -> bool:
    """Whether a file that does not count is of a batch that does: the running pipeline writes later ones only."""
    batches = batches_of(path)
    return batches is not None and batches[1] <= manifest.last


def _groups(files: list[DataFile]) -> Iterator[list[DataFile]]:
    """Files to be merged, neighbours in the order of batches; at least two at a time."""
    group: list[DataFile] = []
    size = rows = 0
    for file in files:
        if file.size > TARGET_BYTES // 2:
            continue
        size, rows = size + file.size, rows + file.rows
        is_full = size > TARGET_BYTES or rows > TARGET_ROWS
        if group and (is_full or file.written_s - group[0].written_s > LONGEST_SPAN_S):
            if len(group) > 1:
                yield group
            group, size, rows = [], file.size, file.rows
        group.append(file)
    if len(group) > 1:
        yield group


def _merge(store: Store, table: Table, files: list[DataFile]) -> DataFile:
    """One file with the rows of several, in their order."""
    import pyarrow as pa

    parts = []
    for begin in range(0, len(files), _PIECES):
        pieces = [_read(store.read(file.path)) for file in files[begin : begin + _PIECES]]
        parts.append(pa.concat_tables(pieces, promote_options="default").combine_chunks())
    rows = pa.concat_tables(parts, promote_options="default")
    content = parquet_bytes(rows)
    first, last = min(file.first for file in files), max(file.last for file in files)
    merged = DataFile(
        table, merged_name(first, last), first, last, rows.num_rows, len(content), max(f.written_s for f in files)
    )
    store.put(merged.path, content)
    return merged


def _read(content: bytes) -> Any:
    """The rows of a file. Spark writes instants as 96-bit integers, which have no unit; here all have the same."""
    import pyarrow as pa
    from pyarrow import parquet

    # In one thread: to share out a small file takes longer than to read it.
    file = parquet.ParquetFile(pa.BufferReader(content), coerce_int96_timestamp_unit="us", pre_buffer=False)
    rows = file.read(use_threads=False)
    physical = {file.schema.column(k).path: file.schema.column(k).physical_type for k in range(len(file.schema))}
    for position, field in enumerate(rows.schema):
        if physical.get(field.name) == "INT96":
            rows = rows.set_column(
                position, field.name, rows.column(position).cast(pa.timestamp("us")).cast(pa.timestamp("us", "UTC"))
            )
    return rows.replace_schema_metadata(None)


def parquet_bytes(rows: Any) -> bytes:
    """A table as a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    sink = pa.BufferOutputStream()
    parquet.write_table(rows, sink)
    return bytes(sink.getvalue())
