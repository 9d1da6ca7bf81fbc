"""Every PySpark that latwin supports gives the verdicts of local monitors, and passes the tests that use it most."""

from __future__ import annotations

import json
import os
import subprocess
from importlib.metadata import version as installed
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from any_spark import PARTITIONS
from spark_versions import RELEASES, ROOT, python_with

#: streams and batches, pipelines, timers, clocks that are made in the stream, states that are read from outside
FILES = ("test_equal.py", "test_run.py", "test_ticks.py", "test_clock_stream.py", "test_states.py")


pytestmark = pytest.mark.versions


@pytest.mark.parametrize("release", RELEASES)
def test_the_same_verdicts(release: str, tmp_path: Path) -> None:
    ran = _run(release, str(ROOT / "tests" / "support" / "any_spark.py"), str(tmp_path))
    assert ran.returncode == 0, ran.stderr[-10_000:]
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told["version"] == release
    assert (told["stream"], told["batch"], told["kept"]) == (True, True, True), told
    assert told["verdicts"] > 50
    can_rescale = tuple(map(int, release.split(".")[:2])) >= (4, 2)
    refused = f"PySpark {release} cannot repartition a state; 4.2 and later can"
    assert told["rescaled"] == (str(PARTITIONS) if can_rescale else refused)


@pytest.mark.soak
@pytest.mark.parametrize("release", [release for release in RELEASES if release != installed("pyspark")])
def test_the_tests_that_use_spark_most(release: str) -> None:
    files = [str(ROOT / "tests" / "spark" / name) for name in FILES]
    ran = _run(release, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files)
    assert ran.returncode == 0, ran.stdout[-5000:]


def _run(release: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    python = python_with(release)
    environment = {**os.environ, "PYSPARK_PYTHON": python}
    return subprocess.run([python, *arguments], env=environment, cwd=ROOT, capture_output=True, text=True)
