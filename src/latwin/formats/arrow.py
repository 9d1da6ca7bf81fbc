"""What pyarrow reads for us: rows of a Parquet file, and zstd. It is imported only here, and only when needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, Any

from latwin.errors import InvalidInput

#: so many rows are in memory at once: a small file can hold very many equal ones
_ROWS_TOGETHER = 1024


def read_rows(file: IO[bytes]) -> Iterator[dict[str, Any]]:
    """A Parquet file's rows as plain data, some at a time.

    Raises InvalidInput where it cannot be read, which may be after some rows.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InvalidInput("Parquet needs pyarrow: pip install 'latwin[spark]'") from None
    try:
        for batch in pq.ParquetFile(file).iter_batches(_ROWS_TOGETHER):
            for row in batch.to_pylist(maps_as_pydicts="strict"):
                yield {name: _plain(value) for name, value in row.items()}
    # Of its own: damage. Of Python's: names that repeat in a map, texts that are no UTF-8, times of no calendar.
    except (pa.ArrowException, OSError, KeyError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInput(f"it cannot be read as Parquet: {error}") from None


def zstd_reader(file: IO[bytes]) -> Callable[[int], bytes] | None:
    """A function that gives the next bytes of what a zstd file holds, at most so many; None without pyarrow.

    It raises OSError for data that are no zstd, or damaged.
    """
    try:
        import pyarrow as pa
    except ImportError:
        return None
    stream = pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd")

    def read(most: int) -> bytes:
        try:
            return bytes(stream.read(most))
        except pa.ArrowException as error:
            raise OSError(str(error)) from None

    return read


def _plain(value: Any) -> Any:
    """Values as JSON has them: what Arrow gives as dates and the like becomes text."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)
