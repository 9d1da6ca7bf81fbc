"""The commands and the explorer's recorder on windows of time: time moves by events alone."""

from __future__ import annotations

import json
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from commands import objects, run, write
from latwin import Monitor, Spec
from latwin.explorer.columns import chunk_of
from latwin.explorer.recording import Recorder

SPEC = """
processes = ["a", "b"]
lateness = "2s"
max_jump = "1h"
[window]
a = "10s"
b = { time = "1m", states = 3 }
[properties]
both = "possibly(a.x and b.x)"
"""
EVENTS: list[dict[str, Any]] = [
    *({"process": "a", "clock": [k, 0], "state": {"x": k == 1}, "time": 4 * k} for k in range(1, 5)),
    {"process": "b", "clock": [0, 1], "state": {"x": True}, "time": 17},
    {"process": "a", "clock": [5, 0], "state": {"x": True}, "time": 99_999},
    {"process": "a", "clock": [6, 0], "state": {"x": False}, "time": 20},
    *({"process": "b", "clock": [0, k], "state": {"x": False}, "time": 20 + k} for k in range(2, 8)),
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    lines = "".join(json.dumps(event) + "\n" for event in EVENTS)
    return write(tmp_path / "spec.toml", SPEC), write(tmp_path / "events.jsonl", lines)


def test_check_tells_what_a_monitor_tells(files: tuple[str, str]) -> None:
    out = Monitor(Spec.loads(SPEC)).observe_many(EVENTS)
    result = run("check", *files, "--json", "--order", "file")
    verdicts = [line["verdict"] for line in objects(result.stdout) if "verdict" in line]
    assert [(told["slide"], told["value"], told["index"]) for told in verdicts] == [
        (told.slide, told.value, told.index) for told in out
    ]
    assert [told["value"] for told in verdicts] == [True, False]
    assert "ahead of the latest time of the group, which is more than max_jump=1h" in " ".join(result.stdout.split())


def test_the_lattice_after_a_slide(files: tuple[str, str]) -> None:
    (document,) = objects(run("lattice", *files, "--at", "5", "--json").stdout)
    assert document["least"] == [1, 0]  # at 17, a keeps its states from the last one begun at or before 5


def test_explain_says_how_time_goes_on(files: tuple[str, str]) -> None:
    shown = " ".join(run("explain", files[0]).stdout.split())
    assert "the last states of each process: a 10s, b 1m (at most 3 states)" in shown
    assert "the greatest time of the events so far minus 2s; an event more than 1h ahead of it is rejected" in shown


@pytest.mark.parametrize(
    ("window", "shown"),
    [
        ('"5m"', "the states of the last 5m of each process"),
        ('{ time = "5m", states = 7 }', "the states of the last 5m of each process, at most 7 states"),
    ],
)
def test_explain_says_what_one_window_for_all_holds(window: str, shown: str, tmp_path: Path) -> None:
    path = write(tmp_path / "spec.toml", f'processes = ["a", "b"]\nwindow = {window}\nmax_jump = "unlimited"')
    out = " ".join(run("explain", path).stdout.split())
    assert f"{shown} " in out
    assert "time the greatest time of the events so far " in out


def test_the_page_is_told_where_the_windows_begin() -> None:
    recorder = Recorder(Spec.loads(SPEC)).record(EVENTS)
    chunk = chunk_of(recorder)
    assert chunk is not None
    held = [list(accumulate(changes)) for changes in chunk["held"]]
    told = [tuple(slide.newest[k] - slide.oldest[k] + 1 for k in range(2)) for slide in recorder.slides]
    assert list(zip(*held, strict=True)) == told
    oldest = [slide.oldest[0] for slide in recorder.slides]
    assert oldest[4:] == [1, 2, 2, 2, 3, 3, 3, 3]
