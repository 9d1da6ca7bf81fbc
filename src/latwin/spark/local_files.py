"""Files of this machine by Python alone, for what needs no Spark."""

from __future__ import annotations

import shutil
from pathlib import Path

from latwin.errors import InvalidInput
from latwin.outputs.store import LocalStore


class LocalFiles:
    """What a lease needs of `latwin.spark.files.Files`, where no Java is started."""

    def make_folder(self, path: str) -> None:
        """Make sure that the folder is there, and those above it; InvalidInput if that cannot be."""
        try:
            Path(path).mkdir(parents=True, exist_ok=True)
        except PermissionError:
            raise InvalidInput(f"the folder {path} cannot be made: this user has no permission there") from None

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder."""
        return Path(path).exists()

    def read(self, path: str) -> bytes:
        """A file's content; FileNotFoundError if there is none."""
        return Path(path).read_bytes()

    def create(self, path: str, content: bytes) -> bool:
        """Write a small file unless there is one; False if there is."""
        try:
            with Path(path).open("xb") as file:
                file.write(content)
        except FileExistsError:
            return False
        return True

    def write(self, path: str, content: bytes) -> None:
        """Put a small file in its place in one step; a checksum that Hadoop kept of another one goes."""
        place = Path(path)
        place.with_name(f".{place.name}.crc").unlink(missing_ok=True)
        LocalStore(place.parent).put(place.name, content)

    def delete(self, path: str) -> None:
        """Remove a file, or a folder with all in it, if it is there."""
        place = Path(path)
        place.with_name(f".{place.name}.crc").unlink(missing_ok=True)
        if place.is_dir():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.unlink(missing_ok=True)


def local_folder(path: str) -> Path:
    """Where a path or a `file:` URI is on this machine, if it is there at all."""
    for begin in ("file://", "file:"):
        if path.startswith(begin):
            return Path(path.removeprefix(begin))
    return Path(path)
