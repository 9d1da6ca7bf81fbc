"""A store in memory as an object store is: no rename, and a writer that can be killed at any step of its work."""

from __future__ import annotations


class Killed(BaseException):
    """The process ended here; nothing may catch it."""


class CopyingStore:
    """Files by path. `kill_at` ends the process at that step; a copy that is killed leaves half a file.

    With `torn`, a killed `put` leaves half a file, too, as on a file system that writes in place.
    """

    def __init__(self, *, torn: bool = False) -> None:
        self.files: dict[str, bytes] = {}
        self.steps = 0
        self.kill_at: int | None = None
        self._torn = torn

    def names(self, folder: str) -> list[str]:
        begin = f"{folder}/"
        return sorted({path.removeprefix(begin).split("/")[0] for path in self.files if path.startswith(begin)})

    def read(self, path: str) -> bytes:
        try:
            return self.files[path]
        except KeyError:
            raise FileNotFoundError(path) from None

    def put(self, path: str, content: bytes) -> None:
        self._step(path if self._torn else None, content)
        self.files[path] = content
        self._step()

    def move(self, old: str, new: str) -> None:
        self._step(new, self.read(old))
        self.files[new] = self.files[old]
        self._step()
        del self.files[old]
        self._step()

    def delete(self, path: str) -> None:
        for name in [name for name in self.files if name == path or name.startswith(f"{path}/")]:
            del self.files[name]
            self._step()

    def _step(self, path: str | None = None, content: bytes = b"") -> None:
        """One thing was done; it may be the last, and then half of a file may be there."""
        self.steps += 1
        if self.steps == self.kill_at:
            if path is not None:
                self.files[path] = content[: len(content) // 2]
            raise Killed
