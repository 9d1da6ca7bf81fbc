"""`latwin demo`: a day in an office, and whether it is told rightly."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from commands import OFFICE, failure, objects, run, write
from latwin import Spec
from latwin.demo.day import SPEC_TEXT, Demo, clock_time

pytestmark = pytest.mark.usefixtures("plain")


def test_the_demo_shows_a_day_and_writes_it(tmp_path: Path) -> None:
    result = run("demo", "--out", str(tmp_path / "day"))
    assert result.exit_code == 0
    assert result.stderr == ""
    head, commands = result.stdout.split("Look closer\n")
    assert all(len(line) <= 100 for line in head.splitlines())
    assert all(line == line.rstrip() for line in head.splitlines())
    assert "  08:52     12  Bob enters the meeting room        .      true     true" in head.splitlines()
    assert "latwin said definitely at 123 of these (95%), and possibly at all of them." in " ".join(head.split())
    assert len(commands.splitlines()) == 3
    for command in commands.splitlines():
        assert run(*command.split()[1:]).exit_code == 0


def test_the_example_is_the_demo(tmp_path: Path) -> None:
    Demo(seed=15, hours=10.0).write(tmp_path)
    for name in ("spec.toml", "events.jsonl"):
        assert (tmp_path / name).read_text() == (OFFICE / name).read_text()
    assert Spec.load(OFFICE / "spec.toml") == Demo(seed=1, hours=1.0).spec


def test_the_demo_as_json_is_stable(tmp_path: Path) -> None:
    documents = []
    for _ in range(2):
        (document,) = objects(run("demo", "--json", "--seed", "3", "--hours", "2", "--out", str(tmp_path)).stdout)
        assert document.pop("events_per_second") > 0
        documents.append(document)
    assert documents[0] == documents[1]
    document = documents[0]
    assert document["seed"] == 3
    assert document["files"] == [str(tmp_path / "spec.toml"), str(tmp_path / "events.jsonl")]
    assert document["truth"]["possibly_and_physical_slides"] == document["truth"]["physical_slides"]
    assert all(row["changed"] for row in document["timeline"])


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "hours"), [(0, 0.01), (1, 0.5), (2, 40), (5, 3)])
def test_the_demo_of_other_days(tmp_path: Path, seed: int, hours: float) -> None:
    result = run("demo", "--seed", str(seed), "--hours", str(hours), "--out", str(tmp_path))
    assert result.exit_code == 0
    for command in result.stdout.split("Look closer\n")[1].splitlines():
        assert run(*command.split()[1:]).exit_code == 0


def test_the_demo_is_told_of_mistakes(tmp_path: Path) -> None:
    assert failure("demo", "--hours", "0", "--out", str(tmp_path)).startswith("hours must be a finite number above 0")
    assert run("demo", "--seed", "-1").exit_code == 2
    file = write(tmp_path / "file", "")
    assert failure("demo", "--out", file) == f"{file}: File exists"
    own = write(tmp_path / "spec.toml", "# mine\n")
    assert "is left as it is" in failure("demo", "--out", str(tmp_path))
    assert Path(own).read_text() == "# mine\n"
    Path(own).write_text(SPEC_TEXT)
    assert run("demo", "--out", str(tmp_path), "--hours", "1").exit_code == 0


def test_the_truth_is_told_rightly() -> None:
    demo = Demo(seed=4, hours=30.0)
    seconds = [0.5 + second for second in range(0, 30 * 3600, 7)]
    together = [
        all(
            next(state.on for state in states if state.start_s <= at < state.end_s)
            for states in demo.simulation.truth
        )
        for at in seconds
    ]
    meetings = demo.meetings()
    assert together == [any(begin <= at < end for begin, end in meetings) for at in seconds]
    assert all(first[1] < second[0] for first, second in pairwise(meetings))
    assert clock_time(0) == "08:00"
    assert clock_time(16 * 3600 + 61, seconds=True) == "day 2 00:01:01"
