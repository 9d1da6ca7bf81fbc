"""The command line as a whole: wrong input of every kind, the program and its exit codes, and terminals."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import EVENTS, SOME_EVENTS, SPEC, failure, run, write
from latwin import __version__
from latwin.cli import terminal

pytestmark = pytest.mark.usefixtures("plain")

COMMANDS = [["check"], ["explain"], ["lattice"]]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_spec_that_cannot_be_read(tmp_path: Path, command: list[str]) -> None:
    missing = str(tmp_path / "missing.toml")
    assert failure(*command, missing) == f"{missing}: cannot be read: No such file or directory"
    assert failure(*command, str(tmp_path)) == f"{tmp_path}: cannot be read: Is a directory"
    broken = write(tmp_path / "broken.toml", 'processes = ["a"\n')
    assert failure(*command, broken).startswith(f"{broken}: line 2, column 1: expected `,` or `]`")
    binary = write(tmp_path / "binary.toml", b"\xff\xfe\x00junk")
    assert failure(*command, binary).startswith(f"{binary}: must be UTF-8 text: ")
    sizeless = write(tmp_path / "sizeless.toml", 'processes = ["a"]\n')
    assert failure(*command, sizeless).startswith(f"{sizeless}: `window` is missing")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_property_with_a_typo_shows_the_place(tmp_path: Path, command: list[str]) -> None:
    text = 'processes = ["a", "b"]\nwindow = 2\n[properties]\np = "possibly(a.x and bb.y)"\n'
    spec = write(tmp_path / ("long" * 25 + ".toml"), text)  # nothing must be wrapped
    assert failure(*command, spec).splitlines() == [
        f"{spec}: property 'p', line 1, column 18: unknown process 'bb'",
        "    possibly(a.x and bb.y)",
        " " * 21 + "^",
        "hint: did you mean b? the processes are: a, b",
    ]


@pytest.mark.parametrize("command", ["check", "lattice"])
def test_events_that_cannot_be_read(tmp_path: Path, command: str) -> None:
    missing = str(tmp_path / "missing.jsonl")
    assert failure(command, SPEC, missing) == f"{missing}: No such file or directory"
    assert failure(command, SPEC, str(tmp_path)) == f"{tmp_path}: Is a directory"


def test_usage() -> None:
    assert run("--version").stdout == f"latwin {__version__}\n"
    for arguments in (["--help"], ["-h"]):
        result = run(*arguments)
        assert result.exit_code == 0
        assert re.findall(r"(?m)^  ([a-z]+)  ", result.stdout) == [
            "init",
            "check",
            "watch",
            "explain",
            "advise",
            "lattice",
            "explore",
            "serve",
            "demo",
            "offices",
            "run",
            "compact",
            "groups",
            "rescale",
            "jars",
            "replay",
            "simulate",
            "experiment",
            "inspect",
            "convert",
            "clocks",
            "collect",
            "schema",
        ]
    assert run().exit_code == 2
    wrong = run("chek")
    assert wrong.exit_code == 2
    assert "Did you mean 'check'" in wrong.stderr
    assert run("check").exit_code == 2
    assert run("check", SPEC, "--nonsense").exit_code == 2


# -- as a program ----------------------------------------------------------------------------------


PROGRAM = [sys.executable, "-m", "latwin.cli"]


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PROGRAM, *arguments],
        env=os.environ.copy(),  # without what C libraries put into the environment, such as COLUMNS
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_heed_interrupts,
    )


def _heed_interrupts() -> None:
    """Whoever runs the tests in the background has interrupts ignored, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
def test_the_program_exits_with_the_same_codes(two: str, some: str, tmp_path: Path) -> None:
    for arguments, code in ((["explain", two], 0), (["check", two, some], 1), (["check", str(tmp_path)], 2)):
        done = subprocess.run(
            [*PROGRAM, *arguments], env=os.environ.copy(), capture_output=True, text=True, check=False
        )
        inside = run(*arguments)
        assert (done.returncode, done.stdout, done.stderr) == (code, inside.stdout, inside.stderr)


def test_help_and_explain_load_nothing_heavy() -> None:
    script = """
import sys
from latwin.cli import app
for arguments in (["--help"], ["check", "--help"], ["explain", sys.argv[1]]):
    try:
        app(arguments)
    except SystemExit as end:
        assert end.code == 0, end.code
heavy = {"numba", "pandas", "pyspark", "latwin.monitor", "latwin.sim"} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", script, SPEC], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_verdicts_come_at_once_and_an_interrupt_sums_up(two: str) -> None:
    process = start("check", two, "--json", "--every")
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write(SOME_EVENTS)
        process.stdin.flush()
        lines: Iterator[str] = iter(process.stdout.readline, "")
        while json.loads(next(lines))["verdict"]["slide"] < 2:  # although more may come
            pass
        process.send_signal(signal.SIGINT)
        last = [json.loads(line) for line in lines][-1]
    assert last["summary"]["delivered"] == 2
    assert process.returncode == 130


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_reader_who_has_seen_enough_is_no_error(two: str) -> None:
    process = start("check", two, "-")
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stdin.write(SOME_EVENTS)
    process.stdin.close()
    assert process.stderr.read() == ""
    assert process.wait() == 141


# -- on a terminal ---------------------------------------------------------------------------------


def test_a_bar_appears_only_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with terminal.Patience("quick", 10) as patience:
        patience.reach(10)
    assert not patience._progress.live.is_started
    monkeypatch.setattr(terminal.Patience, "_AFTER_S", 0.0)
    with terminal.Patience("slow", 10) as patience:
        deadline = time.monotonic() + 10
        while not patience._progress.live.is_started and time.monotonic() < deadline:
            time.sleep(0.01)
        patience.reach(5)
        assert patience._progress.live.is_started
        assert patience._progress.tasks[0].completed == 5
        assert patience._progress.tasks[0].description == "slow"
    assert not patience._progress.live.is_started


def test_colours_on_a_terminal(monkeypatch: pytest.MonkeyPatch, two: str, some: str) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    plain = re.compile(r"\x1b\[[\d;]*m")
    for arguments in (
        ["check", two, some],
        ["explain", two],
        ["lattice", SPEC, EVENTS, "--property", "mute"],
    ):
        coloured = run(*arguments).stdout
        assert "\x1b[" in coloured
        monkeypatch.delenv("FORCE_COLOR")
        expected = run(*arguments).stdout
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert [line.rstrip() for line in plain.sub("", coloured).splitlines()] == expected.splitlines()
