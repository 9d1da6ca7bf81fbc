"""The options of all commands: one name for one thing, help for everything, nothing cut off, completion."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from commands import SPEC, run
from latwin.cli import app

#: Options whose help differs between commands, and the one thing that they mean. All others have one help text.
MEANINGS = {
    "--clocks": "clocks are derived",
    "--every": "every property at every slide, not only changes",
    "--format": "the format of what is read",
    "--group": "one group of several",
    "--groups": "how many groups are simulated",
    "--host": "the address to listen on",
    "--hours": "how long is simulated",
    "--keep": "for how long something is kept",
    "--json": "JSON instead of text for people",
    "--master": "where Spark runs",
    "--name": "what the input calls one of our fields",
    "--no-spark": "whether Spark is used",
    "--observations": "observations beside false properties",
    "--order": "the order of arrival",
    "--out": "what is written, or where to",
    "--port": "the port to listen on",
    "--seconds": "how long something may go on",
    "--seed": "the seed of a simulation",
    "--spark": "whether Spark is used",
    "-o": "the short form of --out",
    "--output": "another name of --out, where Spark's users look for it",
}
#: other names for one of these
NEVER_USED = {"--to", "--names", "--output-format", "--overwrite"}


@cache
def commands() -> dict[str, Any]:
    return dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def options() -> dict[str, dict[str, set[str]]]:
    """For each option: its help texts, each with the commands that have it."""
    found: dict[str, dict[str, set[str]]] = {}
    for command, built in commands().items():
        for parameter in built.params:
            for name in (*parameter.opts, *parameter.secondary_opts):
                if name.startswith("-"):
                    found.setdefault(name, {}).setdefault(parameter.help, set()).add(command)
    return found


def test_an_option_means_one_thing() -> None:
    several = {name for name, helps in options().items() if len(helps) > 1}
    assert several == set(MEANINGS)


def test_a_thing_has_one_option() -> None:
    known = options()
    assert not NEVER_USED & set(known)
    names: dict[str, set[str]] = {}
    for name, helps in known.items():
        for text in helps:
            names.setdefault(text, set()).add(name)
    alone = {text: some for text, some in names.items() if len(some) > 1}
    assert all(
        some in ({"--spark", "--no-spark"}, {"--open", "--no-open"}) or some <= {"--out", "--output", "-o"}
        for some in alone.values()
    )


@pytest.mark.parametrize("command", sorted(commands()))
def test_every_option_and_argument_is_explained(command: str) -> None:
    for parameter in commands()[command].params:
        assert parameter.help, parameter.opts
        assert parameter.help.endswith("."), parameter.help
    assert commands()[command].help.partition("\n")[0].endswith(".")


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize("command", ["", *sorted(commands())])
def test_no_help_is_cut_off(command: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every word of every help text is there, and no line is too long."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERMINAL_WIDTH", str(columns))
    shown = run(*command.split(), "--help").stdout
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= columns
    words = " ".join(shown.split())
    if command:
        texts = [parameter.help for parameter in commands()[command].params]
    else:
        texts = [built.help.partition("\n\n")[0] for built in commands().values()]
    for text in texts:
        assert " ".join(text.split()) in words


def program(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "latwin", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_python_m_latwin_is_latwin() -> None:
    done = program("--help")
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: latwin ")
    assert program("check", "missing.toml").returncode == 2


@pytest.mark.slow
def test_bash_completes() -> None:
    script = program("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1").stdout
    assert "_LATWIN_COMPLETE=complete_bash" in script
    assert re.search(r"complete -o default -F \w+ latwin", script)  # where latwin knows nothing, files are completed
    assert completions("latwin ch") == ["check"]
    assert completions("latwin check --l") == ["--lenient"]
    assert completions("latwin check --format sh") == ["shiviz"]


def completions(line: str) -> list[str]:
    words = line.split(" ")
    answer = program(_LATWIN_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
    return answer.stdout.split()


def test_names_of_properties_are_completed(tmp_path: Path) -> None:
    assert completions(f"latwin lattice {SPEC} --property p") == ["perhaps"]
    assert completions(f"latwin lattice {tmp_path / 'none.toml'} --property p") == []
