"""The commands of pages that need Spark run, one after another, on the session that all of Spark's tests share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from documents import PAGES, Command, run, shell_commands
from shown_commands import is_run, needs_spark, prepare_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.soak if page == "docs/spark.md" else [])  # the longest
        for page in PAGES
        if needs_spark(page)
    ],
)
def test_shown_commands_run(page: str, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And find something: a spec that does not fit its events would run as well, and say nothing."""
    prepare_folder(tmp_path, monkeypatch)
    for command in filter(is_run, shell_commands(page)):
        # Spark was started elsewhere, and relative paths are relative to that.
        words = [str(tmp_path / word) if "/" in word and not word.startswith("-") else word for word in command.words]
        printed = run(Command(command.where, words))
        if command.name in ("latwin run", "latwin replay"):
            counts = re.search(
                r"^done: ([\d,]+) events? in .*?, ([\d,]+) verdicts?, 0 rejects", printed, re.MULTILINE
            )
            assert counts, f"{command.where}: {printed}"
            assert "0" not in counts.groups(), f"{command.where}: {printed}"
