"""Groups that end in `latwin check`: each life has its own notices, slides and summary."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from latwin.cli import app

SPEC = """
processes = ["a"]
window = 2
forget_after = "1h"
never = ["x"]

[properties]
x = "possibly(a.x)"
"""


def event(group: str, index: int, time: float, x: bool = False) -> dict[str, Any]:
    return {"group": group, "process": "a", "clock": [index], "state": {"x": x}, "time": time}


def check(folder: Path, events: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    (folder / "spec.toml").write_text(SPEC)
    (folder / "events.jsonl").write_text("".join(json.dumps(row) + "\n" for row in events))
    done = CliRunner().invoke(app, ["check", str(folder / "spec.toml"), str(folder / "events.jsonl"), "--json"])
    return [json.loads(line) for line in done.stdout.splitlines()], done.exit_code


def test_each_life_has_a_summary(tmp_path: Path) -> None:
    events = [event("g", 1, 0, x=True), event("g", 2, 10), event("g", 3, 8000), event("g", 4, 8001)]
    lines, code = check(tmp_path, events)
    assert [line["notice"]["kind"] for line in lines if "notice" in line] == ["ended", "returned"]
    summaries = [line["summary"] for line in lines if "summary" in line]
    assert [(each["events"], each["delivered"], len(each["violations"])) for each in summaries] == [
        (2, 2, 1),
        (2, 2, 0),
    ]
    assert code == 1  # what came true in a life that ended counts


@pytest.mark.parametrize("others", [1, 2])
def test_a_silent_group_ends_by_the_times_of_two_others(tmp_path: Path, others: int) -> None:
    events = [event("quiet", 1, 0), *(event(f"g{k}", 1, 0) for k in range(others))]
    for index in range(2, 1200):
        events += [event(f"g{k}", index, index * 60) for k in range(others)]
    lines, code = check(tmp_path, events)
    ended = [line for line in lines if line.get("notice", {}).get("kind") == "ended"]
    assert [line["group"] for line in ended] == ["quiet"] * (others == 2)
    assert len([line for line in lines if "summary" in line]) == 1 + others
    assert code == 0
