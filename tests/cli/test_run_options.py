"""Options of `latwin run` that cannot be together are refused before Spark is started."""

from __future__ import annotations

import pytest

pytest.importorskip("pyspark")

from commands import SPEC, failure

PLACES = ("--out", "out", "--checkpoint", "state")


def test_one_limit_of_a_batch() -> None:
    """Spark's source of files refuses two, deep within a query."""
    said = failure("run", SPEC, "--input", "in", *PLACES, "--max-files", "2", "--max-bytes", "1000")
    assert said == "--max-files and --max-bytes exclude each other, as Spark limits a batch by one; give one"


@pytest.mark.parametrize("option", ["--max-files", "--max-bytes"])
def test_limits_of_files_and_a_topic(option: str) -> None:
    said = failure("run", SPEC, "--input", "kafka://127.0.0.1:9/events", *PLACES, option, "2")
    assert said.startswith(f"{option} is for files; limit the records of a batch in the topic's address")
    assert said.endswith("?maxOffsetsPerTrigger=N")
