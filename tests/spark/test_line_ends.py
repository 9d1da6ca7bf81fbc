"""On Spark a line is what it is elsewhere: the same bytes are the same number of events, steps and rejects."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from latwin import Spec
from latwin.clocks import ClockMaker, JsonSteps
from latwin.events import Envelope
from latwin.spark import Reading, file_source
from latwin.spark.clock_files import derive_steps, read_steps
from line_ends import PIECES, Found, as_tla, by_definition

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SEED = 20261117
SPEC = Spec.from_dict({"processes": ["a"], "window": 1})


@pytest.fixture
def files(tmp_path: Path) -> list[bytes]:
    """The contents of many small files in the folder `in`."""
    print(f"seed {SEED}")
    draw = random.Random(SEED)
    (tmp_path / "in").mkdir()
    contents = [b"".join(draw.choices(PIECES, k=draw.randrange(20))) for _ in range(60)]
    for number, content in enumerate(contents):
        (tmp_path / "in" / f"{number:03}.jsonl").write_bytes(content)
    return contents


def total(found: list[Found]) -> Found:
    return Found(sum(one.events for one in found), sum(one.others for one in found))


def test_the_lines_of_events(spark: SparkSession, tmp_path: Path, files: list[bytes]) -> None:
    packed = file_source(spark, SPEC, str(tmp_path / "in")).packed().coalesce(1).collect()
    assert counted(packed) == total([by_definition(content) for content in files])


def test_the_lines_of_steps(spark: SparkSession, tmp_path: Path, files: list[bytes]) -> None:
    kind, lines = read_steps(spark, str(tmp_path / "in"), "jsonl")
    tally = derive_steps(lines, kind, ClockMaker(JsonSteps())).tally()
    expected = total([by_definition(content) for content in files])
    # All are the same step: the first is one, and the others repeat it.
    unreadable = tally.problems.get("unreadable", 0)
    assert unreadable == expected.others
    assert tally.events + sum(tally.problems.values()) - unreadable == expected.events


def test_the_lines_of_logs(spark: SparkSession, tmp_path: Path, files: list[bytes]) -> None:
    """A log is read whole, also if it is no UTF-8; each of its lines is an event or a reject."""
    (tmp_path / "logs").mkdir()
    for number, content in enumerate(files):
        (tmp_path / "logs" / f"{number:03}.log").write_bytes(as_tla(content))
    packed = file_source(spark, SPEC, str(tmp_path / "logs"), Reading(format="tla")).packed().coalesce(1).collect()
    found, expected = counted(packed), total([by_definition(content) for content in files])
    assert sum(found) == sum(expected)
    # In each log all are the same event: one of them is taken, and the others are rejected.
    assert found.events == sum(by_definition(content).events > 0 for content in files)


def counted(packed: list[Any]) -> Found:
    envelopes = [
        envelope for row in packed for envelope in msgspec.json.decode(f"[{row['payload']}]", type=list[Envelope])
    ]
    problems = [envelope.problem is not None for envelope in envelopes]
    return Found(problems.count(False), problems.count(True))
