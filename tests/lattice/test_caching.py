"""Compiled code finds a place, also for a package in an archive or without a home."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from latwin.lattice.kernels.caching import TemporaryLocator, register, temporary_folder

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


def test_it_is_tried_last() -> None:
    from numba.core.caching import CacheImpl

    register()
    assert CacheImpl._locator_classes.index(TemporaryLocator) == len(CacheImpl._locator_classes) - 1
    assert TemporaryLocator.from_function(test_it_is_tried_last, "<stdin>") is None
