"""Very many groups: those that rest go on exactly where they were, and take little memory."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from commands import TWO, run, write
from latwin import Monitor, Spec
from latwin.cli import many_groups
from latwin.cli.many_groups import GroupMonitors
from latwin.cli.sightings import Lookout

SPEC = Spec.loads(TWO)


def lookout() -> Lookout:
    return Lookout(SPEC, all_verdicts=True)


def events(seed: int, groups: int, count: int) -> list[dict[str, Any]]:
    """States of many groups between one another, some repeated and some out of order."""
    rng = random.Random(seed)
    indices: dict[tuple[str, str], int] = {}
    found = []
    for _ in range(count):
        group, process = f"g{rng.randrange(groups)}", rng.choice("ab")
        index = indices.get((group, process), 0) + rng.choice([0, 1, 1, 1, 2])
        indices[group, process] = index
        state = {"x": rng.random() < 0.5, "y": rng.random() < 0.5}
        found.append({"group": group, "process": process, "clock": {process: index}, "state": state})
    return found


@pytest.mark.parametrize("most_live", [1, 3, 1000])
def test_who_rests_says_the_same(most_live: int) -> None:
    monitors = GroupMonitors(SPEC, observations=True, lookout=lookout(), most_live=most_live)
    plain: dict[str, Monitor] = {}
    for event in events(5, 8, 400):
        group = event["group"]
        expected = plain.setdefault(group, Monitor(SPEC, observations=True)).observe(event, every=True)
        found = monitors.of(group).observe(event, every=True)
        assert (found, found.notices) == (expected, expected.notices)
        assert len(monitors._live) <= most_live
    for group, monitor in plain.items():
        assert monitors.counters_of(group) == monitor.counters


def test_a_group_without_a_monitor_has_counted_nothing() -> None:
    assert GroupMonitors(SPEC, observations=False, lookout=lookout()).counters_of("nobody").delivered == 0


def test_check_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = write(tmp_path / "spec.toml", TWO)
    rows = [*events(6, 5, 300), {"group": 1.5, "process": "a", "clock": {"a": 1}, "state": {}}]
    path = write(tmp_path / "events.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    expected = run("check", spec, path, "--json")
    monkeypatch.setattr("latwin.cli.commands.check._TOGETHER", 7)
    monkeypatch.setattr(many_groups.GroupMonitors.__init__, "__kwdefaults__", {"most_live": 2})
    assert run("check", spec, path, "--json").stdout == expected.stdout
