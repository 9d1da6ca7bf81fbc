"""Where compiled code is kept if numba finds no place for it, or one that nobody else would find.

Compiling takes half a minute, so numba keeps what it compiled where NUMBA_CACHE_DIR says, else beside the source,
else below the home directory. Two things are missing there:

- Below NUMBA_CACHE_DIR, numba names the folder after the place of the source. An environment that Spark ships to its
  executors lies in another place for each of them, and each would compile anew. `SharedLocator` names it after the
  content of the kernels.
- Without any place, importing a compiled function fails: in a read-only installation for a user without a home, or
  with the package in a wheel that Spark ships to its workers (`--py-files`). `TemporaryLocator` is tried last: a
  folder of our own for temporary files, which the processes of a machine share.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from numba.core import caching, config

_ADVICE = "set NUMBA_CACHE_DIR to a folder that can be written"


class TemporaryLocator:
    """Tells numba where the compiled code of a function is kept, and of which source it is."""

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._line = function.__code__.co_firstlineno
        self._source = source

    @classmethod
    def from_function(cls, function: Callable[..., Any], source: str) -> TemporaryLocator | None:
        """For any function whose source is a file, or in one."""
        return cls(function, source) if _file_of(source) is not None else None

    def ensure_cache_path(self) -> None:
        """Make the folder; numba asks before it uses it."""
        os.makedirs(self.get_cache_path(), exist_ok=True)

    def get_cache_path(self) -> str:
        """The folder."""
        digest = hashlib.sha256(os.path.dirname(self._source).encode()).hexdigest()[:16]
        return os.path.join(temporary_folder(), digest)

    def get_source_stamp(self) -> tuple[float, int]:
        """What changes with the source: time and size of the file, or of the archive."""
        found = os.stat(str(_file_of(self._source)))
        return found.st_mtime, found.st_size

    def get_disambiguator(self) -> str:
        """What tells functions of the same name apart."""
        return str(self._line)


class SharedLocator:
    """A folder below NUMBA_CACHE_DIR for the kernels of this package, wherever it lies; tried first."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., Any], source: str) -> SharedLocator | None:
        """For our own kernels, if NUMBA_CACHE_DIR is set and can be written."""
        if not vars(config).get("CACHE_DIR") or os.path.dirname(source) != os.path.dirname(__file__):
            return None
        locator = cls(function)
        return locator if _is_writable(locator.get_cache_path()) else None

    def ensure_cache_path(self) -> None:
        """Make the folder; numba asks before it uses it."""
        os.makedirs(self.get_cache_path(), exist_ok=True)

    def get_cache_path(self) -> str:
        """The folder."""
        return os.path.join(str(vars(config)["CACHE_DIR"]), f"latwin-{_digest_of_kernels()}")

    def get_source_stamp(self) -> str:
        """What changes with any kernel: also with one that this one calls."""
        return _digest_of_kernels()

    def get_disambiguator(self) -> str:
        """What tells functions of the same name apart."""
        return str(self._line)


@cache
def _digest_of_kernels() -> str:
    """Of all files of this package, also in an archive."""
    files = [one for one in resources.files(__package__).iterdir() if one.name.endswith(".py")]
    content = b"".join(one.read_bytes() for one in sorted(files, key=lambda one: one.name))
    return hashlib.sha256(content).hexdigest()[:16]


def _file_of(source: str) -> Path | None:
    """The source, or the archive that it is in."""
    path = Path(source)
    return next((place for place in (path, *path.parents) if place.is_file()), None)


def _is_writable(folder: str) -> bool:
    """Whether the folder is there, or can be made, and a file in it."""
    try:
        os.makedirs(folder, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


@cache
def temporary_folder() -> str:
    """A folder that only this user can write, because what is in it will be executed; told once.

    NUMBA_CACHE_DIR is used by numba itself, but not for what is in an archive. If it cannot be written, as in an
    image whose file system is read-only, numba would fail only when it has compiled something.
    """
    if (given := vars(config).get("CACHE_DIR")) and _is_writable(str(given)):
        return str(given)
    owner = getattr(os, "getuid", lambda: "")()
    folder = os.path.join(tempfile.gettempdir(), f"latwin-compiled-{owner}")
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        found = os.lstat(folder)
        is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == owner and not found.st_mode & 0o077
        if not is_ours:
            folder = tempfile.mkdtemp(prefix="latwin-compiled-")
    warnings.warn(f"latwin keeps compiled code in {folder}, for want of another place; {_ADVICE}", stacklevel=2)
    return folder


def register() -> None:
    """Let numba try both, before and after the places that it knows."""
    known: list[Any] = caching.CacheImpl._locator_classes
    if TemporaryLocator not in known:
        known.insert(0, SharedLocator)
        known.append(TemporaryLocator)
