"""The files of an output: a seam, so that the manifest works on local disks, on Hadoop's file systems, in tests."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Protocol
from uuid import uuid4


class Store(Protocol):
    """Files by their paths within an output, with `/` between folders.

    Nothing is asked of `move`: it may copy, and a copy may end half-way. What a killed `put` leaves at a path may be
    torn, where the file system cannot do better; the manifest recognises a torn record.
    """

    def names(self, folder: str) -> list[str]:
        """The names in a folder, also hidden ones; none if there is no such folder."""

    def read(self, path: str) -> bytes:
        """A file's content; FileNotFoundError if there is none."""

    def put(self, path: str, content: bytes) -> None:
        """Write a file, or replace it; the folders above it appear, too."""

    def move(self, old: str, new: str) -> None:
        """Give a file another path, replacing what is there."""

    def delete(self, path: str) -> None:
        """Remove a file, or a folder with all in it, if it is there."""


class LocalStore:
    """An output on a local disk, by Python alone: a file appears in one step."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def names(self, folder: str) -> list[str]:
        """The names in a folder; none if there is no such folder."""
        try:
            return sorted(os.listdir(self._root / folder))
        except (FileNotFoundError, NotADirectoryError):
            return []

    def read(self, path: str) -> bytes:
        """A file's content."""
        return (self._root / path).read_bytes()

    def put(self, path: str, content: bytes) -> None:
        """Write beside the path under a hidden name, then rename."""
        place = self._root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh = place.with_name(f".{place.name}.{uuid4().hex[:8]}")
        fresh.write_bytes(content)
        fresh.replace(place)

    def move(self, old: str, new: str) -> None:
        """Rename, in one step."""
        place = self._root / new
        place.parent.mkdir(parents=True, exist_ok=True)
        (self._root / old).replace(place)

    def delete(self, path: str) -> None:
        """Remove a file or a folder, if it is there."""
        place = self._root / path
        try:
            place.unlink(missing_ok=True)
        except (IsADirectoryError, PermissionError):  # which one a folder raises depends on the system
            if not place.is_dir():
                raise
            shutil.rmtree(place, ignore_errors=True)
