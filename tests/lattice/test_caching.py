"""Compiled code finds a place, also for a package in an archive or without a home."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import latwin
from latwin.lattice.kernels import words
from latwin.lattice.kernels.caching import SharedLocator, TemporaryLocator, register, temporary_folder

KERNEL = """
from numba import njit

@njit(cache=True)
def twice(x):
    return 2 * x
"""
PROGRAM = """
import sys, warnings
from latwin.lattice.kernels import caching
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    from shipped import kernel
    assert kernel.twice(21) == 42
print(len(told), len(kernel.twice.stats.cache_hits), kernel.twice.stats.cache_path)
"""


@pytest.mark.slow
@pytest.mark.parametrize("given", [False, True], ids=["nowhere", "NUMBA_CACHE_DIR"])
def test_kernels_in_a_wheel(tmp_path: Path, given: bool) -> None:
    """The first process compiles, the second one finds it; both are told once where, unless they were told to."""
    wheel = tmp_path / "shipped.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("shipped/__init__.py", "")
        archive.writestr("shipped/kernel.py", KERNEL)
    own = tmp_path / "own"
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment |= {"TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join([str(wheel), *sys.path])}
    environment |= {"NUMBA_CACHE_DIR": str(own)} if given else {}
    place = own if given else tmp_path / f"latwin-compiled-{os.getuid()}"
    for hits in (0, 1):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr
        told, found, path = done.stdout.split()
        assert (int(told), int(found)) == (0 if given else 1, hits)
        assert path.startswith(f"{place}{os.sep}")


def test_a_folder_that_others_can_write_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in it will be executed."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("numba.core.config.CACHE_DIR", "")
    planted = tmp_path / f"latwin-compiled-{os.getuid()}"
    planted.mkdir()
    planted.chmod(0o777)
    with pytest.warns(UserWarning, match="for want of another place; set NUMBA_CACHE_DIR"):
        folder = Path(temporary_folder.__wrapped__())
    assert folder != planted
    assert folder.stat().st_mode & 0o077 == 0


def test_a_given_folder_that_cannot_be_written_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an image whose file system is read-only; here a file is in the way, which stops root as well."""
    (tmp_path / "file").touch()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.warns(UserWarning, match="set NUMBA_CACHE_DIR to a folder that can be written"):
        folder = temporary_folder.__wrapped__()
    assert folder == str(tmp_path / f"latwin-compiled-{os.getuid()}")
    assert SharedLocator.from_function(register, words.__file__) is None


@pytest.mark.slow
def test_a_shipped_package_shares_its_compiled_code_wherever_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As executors of Spark do, each of which unpacks an archive in a folder of its own."""
    program = "from latwin.lattice.kernels import words; print(words.__file__, words.{name}._cache.cache_path)"
    name = next(name for name, one in vars(words).items() if hasattr(one, "_cache"))
    places = set()
    for executor in ("one", "two"):
        shutil.copytree(
            Path(latwin.__file__).parent, tmp_path / executor / "latwin", ignore=shutil.ignore_patterns("__pycache__")
        )
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path / executor), *sys.path])
        done = subprocess.run(
            [sys.executable, "-c", program.format(name=name)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        source, place = done.stdout.split()
        assert source.startswith(str(tmp_path / executor))
        places.add(place)
    assert len(places) == 1
    assert places.pop().startswith(str(tmp_path / "cache"))
    monkeypatch.setattr("numba.core.config.CACHE_DIR", "")
    assert SharedLocator.from_function(register, words.__file__) is None


def test_they_are_tried_first_and_last() -> None:
    from numba.core.caching import CacheImpl

    register()
    tried: list[Any] = CacheImpl._locator_classes
    assert (tried[0], tried[-1]) == (SharedLocator, TemporaryLocator)
    assert TemporaryLocator.from_function(test_they_are_tried_first_and_last, "<stdin>") is None
