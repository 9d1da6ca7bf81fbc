"""Reporters to files: one that grows, or a folder in which whole files appear."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import msgspec

from latwin.errors import InvalidInput

try:
    import fcntl
except ImportError:  # not on this system: one writer a file, as the docstring says
    fcntl = None  # type: ignore[assignment]

#: how every event of a process begins; a last line that begins so and does not end was torn by a crash
_BEGINNING = b'{"group":'
_TAIL_BYTES = 1 << 20


class FileReporter:
    """Appends JSON lines to one file, for `latwin check` and `latwin inspect`; each batch is on disk when it is sent.

    Several programs may append to the same file, where the system can lock it. A line that a crash tore is removed
    before the next is written: it was not acknowledged, so it comes again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if self.path.is_dir():
            raise InvalidInput(f"{self.path} is a folder; use FolderReporter for files in it")
        self._lock = Lock()

    def send(self, events: Sequence[bytes]) -> None:
        """Append them; all, or, should the disk be full, none."""
        data = b"".join(event + b"\n" for event in events)
        with self._lock, _locked(self.path) as file:
            end = _mend(file)
            try:
                _write(file, data)
                os.fsync(file)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.ftruncate(file, end)
                raise
            if end == 0:
                _sync_folder(self.path.parent)  # the file may be new

    def close(self) -> None:
        """Nothing is held between batches."""


class FolderReporter:
    """Writes each batch as a whole file into a folder, for `latwin run`, which reads files once they are there.

    A file is written under a hidden name, synchronised, and renamed; so a reader sees all of it or nothing. Several
    programs may share the folder, which is made if it is missing.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise InvalidInput(f"{self.folder} is no folder; use FileReporter for one file")

    def send(self, events: Sequence[bytes]) -> None:
        """One more file."""
        publish(self.folder, events)

    def close(self) -> None:
        """Nothing is held between batches."""


def publish(folder: Path, lines: Iterable[bytes]) -> Path:
    """A new file of these lines, which appears whole or not at all; its name sorts by the time it was made."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{time.time_ns():019d}-{secrets.token_hex(4)}.jsonl"
    hidden, final = folder / f".{name}.tmp", folder / name
    try:
        with hidden.open("xb") as file:
            file.writelines(line + b"\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        hidden.rename(final)
    except BaseException:
        with contextlib.suppress(OSError):
            hidden.unlink(missing_ok=True)
        raise
    _sync_folder(folder)
    return final


def _sync_folder(folder: Path) -> None:
    """Put the new name on disk, where a folder can be opened for that."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """The file, open for appending, ours alone as long as the system can tell others."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file
    finally:
        os.close(file)


def _mend(file: int) -> int:
    """Make the file end with a whole line; its size then."""
    size = os.lseek(file, 0, os.SEEK_END)
    if size == 0:
        return 0
    begin = max(0, size - _TAIL_BYTES)
    os.lseek(file, size - 1, os.SEEK_SET)
    if os.read(file, 1) == b"\n":
        return size
    os.lseek(file, begin, os.SEEK_SET)
    tail = os.read(file, size - begin)
    last = tail[tail.rfind(b"\n") + 1 :]
    if _BEGINNING.startswith(last[: len(_BEGINNING)]) and not _is_whole(last):
        os.ftruncate(file, size - len(last))
        return size - len(last)
    os.write(file, b"\n")  # somebody else's last line, without its end
    return size + 1


def _is_whole(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
