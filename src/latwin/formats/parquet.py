"""Rows of a Parquet file as records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from latwin.errors import InvalidInput


def read_rows(path: Path) -> list[dict[str, Any]]:
    """A file's rows as plain data; pyarrow is imported only here, and only when it is needed."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InvalidInput("Parquet needs pyarrow: pip install 'latwin[spark]'") from None
    try:
        with path.open("rb") as file:  # opened here, because pyarrow knows no names that are not UTF-8
            rows: list[dict[str, Any]] = pq.read_table(file).to_pylist(maps_as_pydicts="strict")
    except (pa.ArrowException, OSError) as error:
        raise InvalidInput(f"{path}: cannot be read as Parquet: {error}") from None
    return [{name: _plain(value) for name, value in row.items()} for row in rows]


def _plain(value: Any) -> Any:
    """Values as JSON has them: what Arrow gives as dates and the like becomes text."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)
