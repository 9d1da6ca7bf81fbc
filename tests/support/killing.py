"""Finding and killing the processes of a pipeline, and waiting for what it does."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

PATIENCE_S = 900.0


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
