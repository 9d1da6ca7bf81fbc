"""`latwin simulate`: the same events with and without Spark, in both formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from latwin import InvalidInput, Monitor, Spec
from latwin.cli import app
from latwin.sim import Offices

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OFFICES = Offices(groups=5, hours=6.0, seed=2, loss=0.05, duplication=0.05)


def simulate(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["simulate", *arguments])


def expected() -> list[str]:
    return sorted(json.dumps(event, sort_keys=True) for k in range(5) for event in OFFICES.events(k))


def test_offices_are_groups_and_differ() -> None:
    days = [OFFICES.events(k) for k in range(OFFICES.groups)]
    assert [{event["group"] for event in day} for day in days] == [{f"office-{k}"} for k in range(5)]
    assert len({json.dumps([event["arrival"] for event in day]) for day in days}) == 5
    assert all(day == sorted(day, key=lambda event: event["arrival"]) for day in days)
    assert Offices(groups=400, hours=100).expected_events == pytest.approx(400 * 2490, rel=0.05)


def test_json_lines_here(tmp_path: Path) -> None:
    out = tmp_path / "made"
    office = ["office", "--groups", "5", "--hours", "6", "--seed", "2", "--loss", "0.05", "--duplication", "0.05"]
    result = simulate(*office, "--out", str(out))
    assert result.exit_code == 0, result.output
    lines = (out / "events" / "part-00000.jsonl").read_text().splitlines()
    assert sorted(json.dumps(json.loads(line), sort_keys=True) for line in lines) == expected()
    assert f"{len(lines):,} events of 5 offices" in result.stdout
    told = json.loads(simulate(*office, "--out", str(tmp_path / "again"), "--json").stdout)
    assert (told["events"], told["groups"]) == (len(lines), 5)
    monitor = Monitor(Spec.load(out / "spec.toml"))
    monitor.observe_many([event for line in lines if (event := json.loads(line))["group"] == "office-3"])
    assert monitor.counters.delivered > 50
    assert monitor.counters.rejected == 0


def test_spark_writes_the_same(spark: SparkSession, tmp_path: Path) -> None:
    from latwin.spark.offices import simulate_events, write_offices, write_parquet

    count = write_offices(spark, OFFICES, str(tmp_path / "json"), "jsonl", lambda done, tasks: None)
    lines = [line for path in (tmp_path / "json").glob("*.json") for line in path.read_text().splitlines()]
    assert count == len(lines)
    assert sorted(json.dumps(json.loads(line), sort_keys=True) for line in lines) == expected()
    assert write_offices(spark, OFFICES, str(tmp_path / "parquet"), "parquet") == count
    (tmp_path / "here").mkdir()
    assert write_parquet(OFFICES, range(5), tmp_path / "here" / "all.parquet") == count
    texts = []
    for frame in (
        spark.read.parquet(str(tmp_path / "parquet")),
        spark.read.parquet(str(tmp_path / "here")),
        simulate_events(spark, OFFICES),
    ):
        rows = [row.asDict(recursive=True) for row in frame.collect()]
        texts.append(sorted(json.dumps(row, sort_keys=True) for row in rows))
    assert texts == [expected()] * 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["home"], "unknown scenario 'home'; there is one: office"),
        (["office", "--hours", "0"], "hours must be a finite number above 0; got hours=0"),
        (["office", "--delay", "-1"], "delay_s must be a finite number of at least 0; got delay_s=-1.0"),
        (["office", "--loss", "2"], "loss must be a finite number of at least 0 and at most 1; got loss=2.0"),
    ],
)
def test_wrong_arguments_are_told_and_leave_nothing(tmp_path: Path, arguments: list[str], words: str) -> None:
    out = tmp_path / "made"
    result = simulate(*arguments, "--out", str(out))
    assert (result.exit_code, out.exists()) == (2, False)
    assert words in result.stderr


def test_what_is_there_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("x")
    result = simulate("office", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert "--out must be a new or empty folder" in result.stderr
    with pytest.raises(InvalidInput, match="distribution must be one of exponential, fixed"):
        Offices(groups=1, hours=1, distribution="normal")  # type: ignore[arg-type]
