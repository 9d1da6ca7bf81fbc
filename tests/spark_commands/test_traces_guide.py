"""The guide to traces and message ids is right: its commands, run one after the other, print what it says."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from documents import ROOT, Command, assert_printed, blocks, console_commands, run, run_python
from latwin import Spec
from shown_commands import prepare_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PAGE = "docs/guides/opentelemetry.md"


def test_python_in_the_guide() -> None:
    run_python(PAGE)


def test_the_spec_in_the_guide_is_the_examples() -> None:
    (shown,) = blocks(PAGE, "toml")
    assert Spec.from_dict(tomllib.loads(shown.text)) == Spec.load(ROOT / "examples/traces/spec.toml")


def test_commands_in_the_guide(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare_folder(tmp_path, monkeypatch)
    shown = list(console_commands(PAGE))
    assert len(shown) == 5
    for command, expected in shown:
        # Spark was started elsewhere, and relative paths are relative to that.
        words = [str(tmp_path / word) if word.startswith("out") else word for word in command.words]
        printed = run(Command(command.where, words))
        assert_printed(printed.replace(f"{tmp_path}/", ""), expected, command.where)
