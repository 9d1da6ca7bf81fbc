"""No command prints a traceback: what nobody expected is told in two lines, with an exit code of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperCommand

from commands import EVENTS, SPEC, run
from latwin import cli

COMMANDS = sorted(typer.main.get_command(cli.app).commands)  # type: ignore[attr-defined]


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Let every command fail before it does anything."""

    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(TyperCommand, "make_context", fail)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("a \x1b[31mred one"), r"latwin failed, which is a bug: RuntimeError: a \x1b[31mred one"),
        (RecursionError(), "latwin failed, which is a bug: RecursionError"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), "latwin failed, which is a bug: UnicodeDecodeError: "),
        (MemoryError(), "there is not enough memory"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_a_bug_is_told(monkeypatch: pytest.MonkeyPatch, command: str, error: BaseException, said: str) -> None:
    monkeypatch.delenv(cli.TRACEBACK, raising=False)
    failing(monkeypatch, error)
    result = run(command)
    assert result.exit_code == 70
    first, second = result.stderr.splitlines()
    assert first.startswith(f"error: {said}")
    assert "LATWIN_TRACEBACK=1" in second


@pytest.mark.parametrize("command", COMMANDS)
def test_an_interrupt(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    failing(monkeypatch, KeyboardInterrupt())
    result = run(command)
    assert result.exit_code == 130
    assert result.stderr == ""


@pytest.mark.parametrize(("value", "lines"), [("", 2), ("1", None)])
def test_the_traceback_can_be_had(value: str, lines: int | None) -> None:
    program = (
        "import latwin.cli.inputs, sys\n"
        "from latwin import cli\n"
        "def fail(*_): raise RuntimeError('oh')\n"
        "sys.modules['latwin.cli.commands.explain'].load_spec = fail\n"
        f"sys.argv = ['latwin', 'explain', {SPEC!r}]\n"
        "cli.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, cli.TRACEBACK: value}
    )
    assert done.returncode == 70
    assert ("Traceback" in done.stderr) == bool(value)
    assert lines is None or len(done.stderr.splitlines()) == lines


def test_wrong_usage_is_no_bug() -> None:
    for command in COMMANDS:
        assert run(command, "--no-such-option").exit_code == 2


#: commands that read files and need no Spark; the place of the file is named
READERS = [
    ["check", "FILE"],
    ["check", SPEC, "FILE"],
    ["explain", "FILE"],
    ["lattice", SPEC, "FILE"],
    ["explore", SPEC, "FILE", "--no-open", "--out", "OUT"],
    ["explore", SPEC, EVENTS, "--no-open", "--out", "FILE"],
    ["clocks", "FILE", "--out", "OUT", "--no-spark"],
    *(["inspect", "FILE", "--format", kind] for kind in ("jsonl", "shiviz", "govector", "tla", "poset", "parquet")),
    *(["convert", "FILE", "--format", kind] for kind in ("jsonl", "shiviz", "tracing", "parquet")),
    *(["check", SPEC, "FILE", "--format", kind] for kind in ("jsonl", "shiviz", "parquet")),
]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", READERS, ids=" ".join)
def test_files_that_may_not_be_read(tmp_path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("{}")
    secret, opened = str(tmp_path / "file"), open

    def refuse(path: Any, *rest: Any, **options: Any) -> Any:
        if os.fspath(path) == secret if not isinstance(path, int) else False:
            raise PermissionError(13, "Permission denied", secret)
        return opened(path, *rest, **options)

    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr("io.open", refuse)
    words = (secret if word == "FILE" else str(tmp_path / "out") if word == "OUT" else word for word in arguments)
    result = run(*words)
    assert result.exit_code == 2
    assert f"{secret}: " in result.stderr
    assert "Permission denied" in result.stderr
    assert "Traceback" not in result.stderr
