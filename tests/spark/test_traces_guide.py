"""The guide to traces and message ids is right: its commands, run one after the other, print what it says."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from documents import ROOT, assert_printed, blocks, run_python
from latwin import Spec
from latwin.cli import app

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PAGE = "docs/guides/opentelemetry.md"


def test_python_in_the_guide() -> None:
    run_python(PAGE)


def test_the_spec_in_the_guide_is_the_examples() -> None:
    (shown,) = blocks(PAGE, "toml")
    assert Spec.from_dict(tomllib.loads(shown.text)) == Spec.load(ROOT / "examples/traces/spec.toml")


def test_commands_in_the_guide(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    found = list(blocks(PAGE, "console"))
    assert len(found) == 3
    for block in found:
        command, _, expected = block.text.partition("\n")
        # Spark may have been started elsewhere, and relative paths are relative to that.
        words = [str(tmp_path / word) if word.startswith("out") else word for word in command.split()[2:]]
        outcome = CliRunner().invoke(app, words)
        assert outcome.exit_code == 0, outcome.output
        assert_printed(outcome.stdout.replace(f"{tmp_path}/", ""), expected, f"{PAGE}:{block.line}")
