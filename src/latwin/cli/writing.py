"""Files that a command writes: whole, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4


@contextmanager
def writing_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which appears at `path` once all went well; after an error, what was there stays.

    A path that is no plain file, such as `/dev/stdout` or a pipe, is written to as it is.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    place = path.resolve()  # a link stays a link
    fresh = place.with_name(f".{place.name}.{uuid4().hex[:8]}")
    try:
        with fresh.open("wb") as file:
            yield file
        fresh.replace(place)
    finally:
        fresh.unlink(missing_ok=True)
