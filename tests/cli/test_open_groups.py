"""The commands on a group that processes join and leave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import failure, run

SPEC = """
window = 3
never = ["two_leaders"]

[processes]
open = true
names = "pod-*"

[roles]
pod = "pod-*"

[properties]
two_leaders = "possibly(count(pod.leader) >= 2)"
"""
EVENTS = [
    {"process": "pod-1", "clock": {"pod-1": 1}, "state": {"leader": True}},
    {"process": "pod-2", "clock": {"pod-2": 1}, "state": {"leader": False}},
    {"process": "pod-2", "clock": {"pod-2": 2, "pod-1": 1}, "state": {"leader": True}},
    {"process": "pod-1", "clock": {"pod-1": 2}, "leave": True},
    {"process": "x", "clock": {"x": 1}, "state": {}},
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "spec.toml").write_text(SPEC)
    (tmp_path / "events.jsonl").write_text("".join(json.dumps(event) + "\n" for event in EVENTS))
    return str(tmp_path / "spec.toml"), str(tmp_path / "events.jsonl")


def test_check_names_the_members(files: tuple[str, str]) -> None:
    result = run("check", *files)
    assert result.exit_code == 1
    assert "pod-1 in state 1 (leader=true), pod-2 in state 2 (leader=true)" in " ".join(result.stdout.split())
    assert "unknown process 'x'; names must match pod-*" in " ".join(result.stderr.split())


def test_check_as_json(files: tuple[str, str]) -> None:
    verdict = json.loads(run("check", *files, "--json").stdout.splitlines()[0])["verdict"]
    assert (verdict["members"], verdict["witness"]) == (["pod-1", "pod-2"], [1, 2])


def test_explain_says_who_may_join(files: tuple[str, str]) -> None:
    out = run("explain", files[0]).stdout
    assert "whoever joins as pod-*, at most 500 at once" in " ".join(out.split())
    assert "sums" in out


def test_what_needs_a_list_says_so(files: tuple[str, str]) -> None:
    assert "needs a spec that lists its processes" in " ".join(failure("check", "--whole", *files).split())


def test_the_lattice_has_an_entry_for_each_member(files: tuple[str, str]) -> None:
    """And none for seats that nobody has; conditions read the members' roles."""
    shown = " ".join(run("lattice", *files, "--at", "3", "--property", "two_leaders").stdout.split())
    assert "5 cuts from (0,0) to (1,2)" in shown
    assert "first at (1,2): pod-1 in state 1 (leader=true), pod-2 in state 2 (leader=true)" in shown
    told = json.loads(run("lattice", *files, "--property", "two_leaders", "--json").stdout)
    assert told["processes"] == ["pod-1", "pod-2"]
    assert (told["least"], told["greatest"]) == ([0, 0], [2, 2])
    assert told["window"]["pod-2"][2]["clock"] == [1, 2]
    assert told["property"]["satisfying"] == [[1, 2]]
    path = str(Path(files[0]).with_name("lattice.svg"))
    assert run("lattice", *files, "--property", "two_leaders", "--svg", path).exit_code == 0
    assert "pod-2" in Path(path).read_text()
    assert "pod-2" in run("lattice", *files, "--dot").stdout
