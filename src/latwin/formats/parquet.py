"""Rows of a Parquet file as records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from latwin.errors import InvalidInput

#: so many rows are in memory at once: a small file can hold very many equal ones
_ROWS_TOGETHER = 1024


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """A file's rows as plain data, some at a time; pyarrow is imported only here, and only when it is needed.

    Raises InvalidInput with the file's name where it cannot be read, which may be after some rows.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InvalidInput("Parquet needs pyarrow: pip install 'latwin[spark]'") from None
    try:
        with path.open("rb") as file:  # opened here, because pyarrow knows no names that are not UTF-8
            for batch in pq.ParquetFile(file).iter_batches(_ROWS_TOGETHER):
                for row in batch.to_pylist(maps_as_pydicts="strict"):
                    yield {name: _plain(value) for name, value in row.items()}
    # Of its own: damage. Of Python's: names that repeat in a map, texts that are no UTF-8, times of no calendar.
    except (pa.ArrowException, OSError, KeyError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInput(f"{path}: cannot be read as Parquet: {error}") from None


def _plain(value: Any) -> Any:
    """Values as JSON has them: what Arrow gives as dates and the like becomes text."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)
