"""Other versions of PySpark, each in an environment of its own that is made when it is first asked for.

Such an environment holds its PySpark alone; all other packages, and latwin, are those of the environment that runs
the tests, so that a version costs no more than its own download.
"""

from __future__ import annotations

import fcntl
import subprocess
import sys
import sysconfig
from importlib.metadata import version as installed
from pathlib import Path
from venv import EnvBuilder

ROOT = Path(__file__).parents[2]
#: the last release of each version that latwin supports, oldest first; the locked one is among them
RELEASES = ("4.0.5", "4.1.4", "4.2.0", "4.3.0")
#: environments are kept between runs
ENVIRONMENTS = ROOT / "build" / "venvs"


def python_with(release: str) -> str:
    """A Python with this release of PySpark, and with all else as it is here; its environment is made if need be."""
    if release == installed("pyspark"):
        return sys.executable
    place = ENVIRONMENTS / f"spark-{release}"
    python, ready = place / "bin" / "python", place / "ready"
    ENVIRONMENTS.mkdir(parents=True, exist_ok=True)
    with (ENVIRONMENTS / f"spark-{release}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests that run side by side ask for the same one
        if not ready.exists():
            _make(place, python, release)
            ready.touch()
    return str(python)


def _make(place: Path, python: Path, release: str) -> None:
    EnvBuilder(clear=True, symlinks=True).create(place)
    packages = sysconfig.get_path("purelib", "venv", vars={"base": str(place)})
    # Last on its path, after its own PySpark; `addsitedir` also follows the links of editable packages there.
    rest = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    (Path(packages) / "rest.pth").write_text(rest)
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*install, "--disable-pip-version-check", f"pyspark=={release}"], check=True)
