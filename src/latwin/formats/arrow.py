"""What pyarrow reads for us: rows of a Parquet file, and zstd. It is imported only here, and only when needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any

from latwin.errors import InvalidInput


def read_rows(file: IO[bytes]) -> list[dict[str, Any]]:
    """A Parquet file's rows as plain data."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InvalidInput("Parquet needs pyarrow: pip install 'latwin[spark]'") from None
    try:
        rows: list[dict[str, Any]] = pq.read_table(file).to_pylist(maps_as_pydicts="strict")
    except (pa.ArrowException, OSError) as error:
        raise InvalidInput(f"it cannot be read as Parquet: {error}") from None
    return [{name: _plain(value) for name, value in row.items()} for row in rows]


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
