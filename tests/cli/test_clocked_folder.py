"""`latwin watch --clocks` on a folder that fills with spans or steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from documents import blocks
from latwin.cli import app
from otlp import request, span

PAGE = "docs/guides/live-opentelemetry.md"
TRACES = ["a" * 32, "b" * 32]


def watch(folder: Path, spec: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["watch", str(spec), str(folder), "--clocks", "--once", "--json", *options])


def printed(outcome: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in outcome.stdout.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "spans").mkdir()
    return tmp_path / "spans"


def lease_spec(folder: Path) -> Path:
    """The spec of a system in the guide."""
    (shown,) = (block for block in blocks(PAGE, "text") if "[roles]" in block.text)
    path = folder.parent / "leases.toml"
    path.write_text(shown.text)
    return path


def held(instance: str, trace: str, number: int, start: float, end: float, **more: Any) -> dict[str, Any]:
    return request("worker", span(number, start, end, "hold", trace=trace, lease="x", **more), instance=instance)


def write(folder: Path, name: str, *documents: dict[str, Any]) -> None:
    (folder / name).write_text("".join(json.dumps(each) + "\n" for each in documents))


def test_a_question_across_traces(folder: Path) -> None:
    """Two requests, of which no span names one of the other: nothing forbids that both hold the lease."""
    write(folder, "1.jsonl", held("a", TRACES[0], 1, 0, 5))
    write(folder, "2.jsonl", held("b", TRACES[1], 2, 100, 105))
    outcome = watch(folder, lease_spec(folder), "--group-by", "all", "--process", "instance")
    assert outcome.exit_code == 1, outcome.output
    verdicts = [row["verdict"] for row in printed(outcome) if "verdict" in row]
    assert [(row["property"], row["value"]) for row in verdicts][:1] == [("shared", True)]


def test_no_race_if_the_lease_was_handed_over(folder: Path) -> None:
    """The second worker begins because of a span that the first one began after it had let go."""
    after = request("worker", span(3, 6, 7, "release", trace=TRACES[0]), instance="a")
    write(folder, "1.jsonl", held("b", TRACES[1], 2, 100, 105, links=[(TRACES[0], 3)]), after)
    write(folder, "2.jsonl", held("a", TRACES[0], 1, 0, 5))
    outcome = watch(folder, lease_spec(folder), "--group-by", "all", "--process", "instance")
    assert outcome.exit_code == 0, outcome.output


def test_bad_lines_lost_causes_and_other_processes_are_told(folder: Path) -> None:
    spec = folder.parent / "spec.toml"
    spec.write_text('processes = ["a"]\nwindow = 4\n[properties]\nx = "possibly(a.open >= 1)"\n')
    write(folder, "1.jsonl", request("a", span(1, 0, 9, parent=77)), request("b", span(2, 0, 9)))
    (folder / "2.jsonl").write_text('{"resourceSpans": 1\n')
    outcome = watch(folder, spec)
    assert outcome.exit_code == 0, outcome.output
    assert "nobody sent the message 'start of span 000000000000004d'" in outcome.stderr
    assert "the process 'b' is not in the spec: its 2 steps count as causes of others" in outcome.stderr
    assert any("not valid JSON" in json.dumps(row) for row in printed(outcome))


def test_steps_are_recognised(folder: Path) -> None:
    spec = folder.parent / "spec.toml"
    spec.write_text('processes = ["a", "b"]\nwindow = 4\n[properties]\nx = "definitely(a.x and b.x)"\n')
    rows = [
        {"process": "b", "order": 1, "received": "m", "x": True},
        {"process": "a", "order": 1, "sent": "m", "x": True},
        {"process": "b", "order": 2, "sent": "n", "x": True},
        {"process": "a", "order": 2, "received": "n", "x": False},
    ]
    write(folder, "1.jsonl", *rows)
    outcome = watch(folder, spec, "--first-order", "1")
    assert outcome.exit_code == 0, outcome.output
    assert [row["verdict"]["value"] for row in printed(outcome) if "verdict" in row][:1] == [True]


def test_durations_are_checked(folder: Path) -> None:
    outcome = watch(folder, lease_spec(folder), "--max-wait", "soon")
    assert outcome.exit_code == 2
    assert "max_wait must be a duration with its unit" in outcome.stderr
