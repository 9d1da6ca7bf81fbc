"""Folders for programs and archives that Spark will run: nobody else may have made them, or may write into them.

On a shared machine a predictable name under /tmp can be taken by somebody else first, with a program of theirs in it.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
from pathlib import Path

_OWNER_ONLY = 0o700
_ROOT = 0


def cache_root() -> Path:
    """The folder of latwin in the user's cache: in `XDG_CACHE_HOME`, or ~/.cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "latwin"


def private_cache(name: str) -> Path | None:
    """A folder of the user's cache that is the user's alone, made if need be; None if there cannot be one.

    It must be a folder, no link to one, belong to the user and have the mode 0700, in a folder into which nobody else
    writes. One that is otherwise is left as it is.
    """
    try:
        root = cache_root()
        folder = root / name
        root.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        folder.mkdir(mode=_OWNER_ONLY, exist_ok=True)
        found = os.lstat(folder)
    except (OSError, RuntimeError):  # not writable, a file in the way, or no home
        return None
    private = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return folder if private and stat.S_IMODE(found.st_mode) == _OWNER_ONLY and is_safe(root) else None


def private_folder(name: str) -> Path:
    """A folder of the user's alone: in the cache, or else a fresh temporary one that goes with this program."""
    cached = private_cache(name)
    if cached is not None:
        return cached
    fresh = Path(tempfile.mkdtemp(prefix=f"{name}-"))
    atexit.register(_remove, fresh, os.getpid())
    return fresh


def is_safe(folder: Path) -> bool:
    """Whether only the user, or the administrator, can have put something into a folder."""
    try:
        found = os.stat(folder)
    except OSError:
        return False
    return found.st_uid in (os.getuid(), _ROOT) and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _remove(folder: Path, owner: int) -> None:
    """Remove a folder, unless this is a copy of the program that made it."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
