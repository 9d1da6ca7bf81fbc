"""One pipeline at a time on a checkpoint: its lease, `latwin.lock`, which the holder renews while it runs.

A second pipeline beside a running one would delete its unfinished folders and take it down. So a start looks at the
lease before it touches anything. It is refused if the holder lives, and takes the lease over if the holder is gone:
at once where that can be seen (a process of this machine that has ended), else after some seconds without a renewal.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Protocol
from uuid import uuid4

import msgspec
from py4j.protocol import Py4JError  # type: ignore[import-untyped]

from latwin.errors import InvalidInput

LOCK = "latwin.lock"
#: seconds between two renewals
RENEW_S = 5.0
#: seconds without a renewal, after which the holder counts as gone
PATIENCE_S = 20.0
_LOOK_S = 0.5
_LOOKS = 4
#: the holder of a lease that stays unreadable: whoever wrote it did not come to its end
_TORN = "torn"


class LeaseFiles(Protocol):
    """What a lease needs of files: `latwin.spark.files.Files`, or `LocalFiles` without Spark."""

    def make_folder(self, path: str) -> None:
        """Make sure that a folder is there."""

    def exists(self, path: str) -> bool:
        """Whether there is a file."""

    def read(self, path: str) -> bytes:
        """A file's content."""

    def create(self, path: str, content: bytes) -> bool:
        """Write a file unless there is one; False if there is."""

    def write(self, path: str, content: bytes) -> None:
        """Replace a file in one step."""

    def delete(self, path: str) -> None:
        """Remove a file."""


class Holder(msgspec.Struct, kw_only=True):
    """Who holds a lease."""

    id: str
    host: str
    pid: int
    #: tells this process from another one with its number; None where the system does not say
    started: str | None
    #: grows with each renewal
    renewed: int = 0

    @classmethod
    def own(cls) -> Holder:
        """This process."""
        pid = os.getpid()
        return cls(id=uuid4().hex, host=socket.gethostname(), pid=pid, started=_started(pid))

    def is_alive(self) -> bool | None:
        """Whether its process runs; None if that cannot be seen from here."""
        if self.host != socket.gethostname() or self.started is None:
            return None
        return _started(self.pid) == self.started


class Lease:
    """The lease of a checkpoint, while this process holds it."""

    def __init__(self, files: LeaseFiles, path: str, holder: Holder) -> None:
        self._files = files
        self._path = path
        self._holder = holder
        self._ended = threading.Event()
        #: whether another pipeline took it over, because this one was silent for too long
        self.is_lost = False

    def renew_until_ended(self) -> None:
        """Renew it again and again; for a thread of its own."""
        while not self._ended.wait(RENEW_S):
            try:
                self.renew()
            except (Py4JError, OSError):  # a file system that fails for a moment, or Spark on its way out
                continue

    def renew(self) -> None:
        """Say that this process lives, unless the lease is another's now."""
        there = _read(self._files, self._path)
        if there is not None and there.id not in (self._holder.id, _TORN):
            self.is_lost = True
            self._ended.set()
            return
        self._holder.renewed += 1
        self._files.write(self._path, msgspec.json.encode(self._holder))

    def end(self) -> None:
        """Renew it no more."""
        self._ended.set()

    def release(self) -> None:
        """Give it back; nobody may be renewing it any more, who would write it again."""
        self._ended.set()
        there = _read(self._files, self._path)
        if there is not None and there.id == self._holder.id:
            self._files.delete(self._path)


@contextmanager
def hold_lease(files: LeaseFiles, checkpoint: str, *, busy: str | None = None) -> Iterator[Lease]:
    """Hold the lease of a checkpoint; InvalidInput if another pipeline that lives holds it.

    `busy` says what else the folder is, and who holds its lease.
    """
    files.make_folder(checkpoint)
    path, own = f"{checkpoint.rstrip('/')}/{LOCK}", Holder.own()
    while not files.create(path, msgspec.json.encode(own)):
        there = _read(files, path)
        if there is None:  # it has just been given back
            continue
        if _lives(files, path, there):
            if busy is not None:
                raise InvalidInput(f"{busy} runs on {there.host}, process {there.pid}; wait until it has ended")
            raise InvalidInput(
                f"the checkpoint {checkpoint} is in use: a pipeline runs on {there.host}, process {there.pid}. Stop "
                "that one first, or use a checkpoint and an output of their own"
            )
        files.write(path, msgspec.json.encode(own))
        sleep(_LOOK_S)  # of several that take it over at once, the last one to write has it
        there = _read(files, path)
        if there is not None and there.id == own.id:
            break
    lease = Lease(files, path, own)
    renewing = threading.Thread(target=lease.renew_until_ended, name="latwin lease", daemon=True)
    renewing.start()
    try:
        yield lease
    finally:
        lease.end()
        renewing.join(PATIENCE_S)
        lease.release()


def _lives(files: LeaseFiles, path: str, holder: Holder) -> bool:
    """Whether a holder lives, as soon as that can be told; one that gives the lease back does not."""
    is_alive = holder.is_alive()
    waited_s = 0.0
    while is_alive is None and waited_s < PATIENCE_S:
        sleep(_LOOK_S)
        waited_s += _LOOK_S
        there = _read(files, path)
        if there is None:
            return False
        if there.id != holder.id or there.renewed != holder.renewed:
            return True
    return bool(is_alive)


def _read(files: LeaseFiles, path: str) -> Holder | None:
    """Who holds it; None if nobody does."""
    for _ in range(_LOOKS):
        if not files.exists(path):
            return None
        try:
            return msgspec.json.decode(files.read(path), type=Holder)
        except (msgspec.DecodeError, Py4JError, OSError):  # it is just being written, or given back
            sleep(_LOOK_S)
    return Holder(id=_TORN, host="an unknown machine", pid=0, started=None)


def _started(pid: int) -> str | None:
    """When a process was started, counted from when the system was; None if there is none, or nobody says."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return f"{boot} {status.rpartition(')')[2].split()[19]}"
