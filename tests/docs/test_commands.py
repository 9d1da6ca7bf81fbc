"""Every command that the documentation shows runs, or at least exists with the options it is given.

Commands of one page run one after another in one folder, which holds the examples. Pages that need Spark do so in
`tests/spark_commands/test_commands_on_spark.py`.
"""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from documents import PAGES, ROOT, Command, prose, run, shell_commands
from latwin.cli import app
from shown_commands import NOT_RUN, is_run, needs_spark, prepare_folder


@cache
def latwin() -> Any:
    """The command line, as an object."""
    return typer.main.get_command(app)


@pytest.mark.parametrize("page", PAGES)
def test_shown_commands_can_be_parsed(page: str) -> None:
    """The command exists, has these options, and is given all that it requires."""
    for command in shell_commands(page):
        if command.words[0] == "latwin":
            name, *arguments = command.words[1:]
            assert name in latwin().commands, command
            latwin().commands[name].make_context(name, arguments)


@pytest.mark.parametrize("page", PAGES)
def test_options_that_are_mentioned_exist(page: str) -> None:
    """`latwin run ... --once` in a sentence or a table, as far as it goes."""
    for text in re.findall(r"`latwin ([a-z][^`]*)`", " ".join(prose(page).split())):
        name, *words = text.split()
        assert name in latwin().commands, f"{page}: latwin {text}"
        known = {option for parameter in latwin().commands[name].params for option in parameter.opts}
        assert {word for word in words if word.startswith("-") and word != "-"} <= known, f"{page}: latwin {text}"


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if not needs_spark(page)])
def test_shown_commands_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare_folder(tmp_path, monkeypatch)
    for command in filter(is_run, shell_commands(page)):
        run(command)


def test_commands_that_are_not_run_have_a_reason() -> None:
    """Anything but `latwin` that is shown must be known; what it names must exist."""
    shown = [command for page in PAGES for command in shell_commands(page)]
    assert {command.name for command in shown if command.words[0] != "latwin"} <= set(NOT_RUN)
    for command in shown:
        if command.name in NAMES_SOMETHING:
            assert NAMES_SOMETHING[command.name](command) == [], command


def missing_targets(command: Command) -> list[str]:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    return [word for word in command.words[1:] if "=" not in word and word not in targets]


def missing_scripts(command: Command) -> list[str]:
    scripts = json.loads((ROOT / "explorer/package.json").read_text(encoding="utf-8"))["scripts"]
    return [word for word in command.words[1:] if word not in ("ci", "run", *scripts)]


def missing_extras(command: Command) -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = re.findall(r"\[(.*?)\]", " ".join(command.words))
    return [extra for extra in extras if extra not in project["optional-dependencies"]]


NAMES_SOMETHING = {"make": missing_targets, "npm": missing_scripts, "pip": missing_extras}
