"""Bad files of every kind through the commands that read them with Spark, on one session.

Lines that are no events are rejects, and stop nothing. A file that cannot be read at all ends the command with a
message that names it, and exit code 2.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import Result

from bad_files import HARMLESS, TEXTS, make_compressed, make_tables, make_texts
from commands import run, write
from latwin import cli

pytestmark = pytest.mark.usefixtures("spark", "plain")


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.delenv(cli.TRACEBACK, raising=False)
    return write(tmp_path / "spec.toml", HARMLESS)


def check_outcome(result: Result, *names: str) -> None:
    """No traceback and no bug; if it failed, the file is named."""
    assert result.exit_code in (0, 2), (result.exit_code, result.stderr)
    assert "Traceback" not in result.stderr
    assert "\x1b" not in result.stdout + result.stderr
    if names:
        assert result.exit_code == 2, result.stdout
        assert any(name in result.stderr for name in names), result.stderr


@pytest.mark.soak
def test_bad_lines_are_rejects(spec: str, tmp_path: Path) -> None:
    """All bad texts in one folder: replayed at once, and streamed, with the same count of rejects."""
    make_texts(tmp_path / "in")
    make_compressed(tmp_path / "more")
    for name in ("bomb", "nothing"):
        shutil.move(tmp_path / "more" / f"{name}.jsonl.gz", tmp_path / "in")
    replayed = run("replay", spec, str(tmp_path / "in"))
    check_outcome(replayed)
    places = ("--output", str(tmp_path / "out"), "--checkpoint", str(tmp_path / "state"))
    streamed = run("run", spec, "--input", str(tmp_path / "in"), *places, "--once")
    check_outcome(streamed)
    rejects = [result.stdout.partition(" rejects")[0].rpartition(" ")[2] for result in (replayed, streamed)]
    assert rejects[0] == rejects[1] != "0"


@pytest.mark.soak
def test_bad_logs_are_rejects(spec: str, tmp_path: Path) -> None:
    make_texts(tmp_path / "in")
    result = run("replay", spec, str(tmp_path / "in"), "--format", "shiviz")
    check_outcome(result)
    assert " 0 rejects" not in result.stdout


@pytest.mark.parametrize(
    "command", [pytest.param("run", marks=pytest.mark.soak), "replay", pytest.param("clocks", marks=pytest.mark.soak)]
)
def test_compressed_files_that_are_none(spec: str, tmp_path: Path, command: str) -> None:
    name = {"run": "truncated.gz", "replay": "damaged.gz", "clocks": "no-gzip.gz"}[command]
    file = make_compressed(tmp_path / "all")[name]
    (tmp_path / "in").mkdir()
    shutil.move(file, tmp_path / "in")
    there, out = str(tmp_path / "in"), str(tmp_path / "out")
    arguments = {
        "run": [spec, "--input", there, "--out", out, "--checkpoint", f"{out}/state", "--once"],
        "replay": [spec, there],
        "clocks": [there, "--out", out],
    }
    check_outcome(run(command, *arguments[command]), file.name)


@pytest.mark.parametrize(
    "name",
    [
        "cut",
        "rowless",
        *(pytest.param(name, marks=pytest.mark.soak) for name in ("hollow", "foreign", "nothing", "odd")),
    ],
)
def test_tables_that_are_none(spec: str, tmp_path: Path, name: str) -> None:
    file = make_tables(tmp_path / "all")[f"{name}.parquet"]
    result = run("replay", spec, str(file))
    check_outcome(result, *(() if name == "rowless" else (str(file),)))
    if name in ("cut", "foreign"):
        check_outcome(run("clocks", str(file), "--out", str(tmp_path / "clocks")), str(file))


def test_what_is_no_place_for_files(spec: str, tmp_path: Path) -> None:
    """Nothing there, a file where a folder is watched, a spec for events, and events for a spec."""
    texts = make_texts(tmp_path / "in")
    missing = str(tmp_path / "missing")
    places = ("--output", str(tmp_path / "out"), "--checkpoint", str(tmp_path / "state"), "--once")
    check_outcome(run("replay", spec, missing), missing)
    check_outcome(run("run", spec, "--input", missing, *places), missing)
    check_outcome(run("clocks", missing, "--out", str(tmp_path / "clocks")), missing)
    check_outcome(run("run", spec, "--input", str(texts["events"]), *places), str(texts["events"]))
    check_outcome(run("replay", spec, spec), spec)
    check_outcome(run("replay", str(texts["events"]), str(texts["events"])), str(texts["events"]))
    (tmp_path / "empty").mkdir()
    check_outcome(run("run", spec, "--input", str(tmp_path / "empty"), *places), str(tmp_path / "empty"))


@pytest.mark.soak
def test_steps_of_every_bad_text(tmp_path: Path) -> None:
    """Problems are told by 1, as `latwin clocks` documents; a folder of nothing but bad lines is one of them."""
    make_texts(tmp_path / "in")
    result = run("clocks", str(tmp_path / "in"), "--out", str(tmp_path / "clocks"), "--format", "jsonl")
    assert result.exit_code in (1, 2), result.stderr
    assert "Traceback" not in result.stderr
    assert len(TEXTS) > 20
