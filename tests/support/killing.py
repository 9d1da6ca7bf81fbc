"""Finding and killing the processes of a pipeline, and waiting for what it does."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

PATIENCE_S = 600.0


def descendants(pid: int) -> list[tuple[int, str]]:
    """The processes below `pid`, parents before children, each with its command line."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue  # it ended meanwhile
            children.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    for parent in (queue := [pid]):
        queue += children.get(parent, [])
        found += children.get(parent, [])
    return [(child, _command(child)) for child in found]


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def kill(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def end_session(leader: subprocess.Popen[bytes]) -> bool:
    """Kill a process that was started with `start_new_session`, and all that belong to it; whether it was alive.

    Orphans are found, too: a process keeps its session when its parent is gone.
    """
    was_alive = leader.poll() is None and kill(leader.pid)
    leader.wait()
    while left := _members(leader.pid):  # one that was just being started is found the next time
        for pid in left:
            kill(pid)
        time.sleep(0.05)
    return was_alive


def _members(session: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, _, of, *_ = (entry / "stat").read_text().rpartition(")")[2].split()
            except (OSError, ValueError):
                continue  # it ended meanwhile
            if int(of) == session and state not in "ZX":
                found.append(int(entry.name))
    return found


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > end:
            pytest.fail(f"nothing happened for {PATIENCE_S:.0f} s")
        time.sleep(0.05)


def numbers_in(folder: Path) -> int:
    """One more than the largest number that names a file of Spark's logs."""
    names = [path.name for path in folder.iterdir()] if folder.exists() else []
    return max((int(name) + 1 for name in names if name.isdigit()), default=0)
