"""The explorer over a pipeline's input folder: which files are read, and in which order their events are taken."""

from __future__ import annotations

import gzip
import json
import os
import random
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from latwin import Spec
from latwin.cli.commands.serve import FollowingFolder
from latwin.explorer.arrivals import in_order
from latwin.explorer.outputs import OutputFeed, is_output

SEED = 11
NAMES = ["a", "b", "c"]


def rows(count: int) -> list[dict[str, Any]]:
    return [{"group": "g", "process": "a", "clock": [k], "state": {"x": k % 3 == 0}} for k in range(1, count + 1)]


def random_event(draw: random.Random) -> dict[str, Any]:
    """An event, or nearly one: any field may be missing, odd, or the same as another event's."""
    clock: Any = [draw.randrange(3) for _ in range(draw.choice((2, 3)))]
    event = {
        "process": draw.choice([*NAMES, "fax", None]),
        "clock": draw.choice([clock, dict(zip(NAMES, clock, strict=False)), "x", None, [1, "y"]]),
        "state": {"x": draw.random() < 0.5},
        "arrival": draw.choice([0, 1, 1.5, "1", "0", None, True]),
        "time": draw.choice([3, 3.5, "2026-01-01", None, [1]]),
        "group": draw.choice(["g", "h", "", 7, -1]),
        "order": draw.choice([1, "x"]),
        "x": draw.randrange(2),
    }
    chance = draw.choice((0.2, 0.5, 0.9))
    names = [name for name in event if draw.random() < chance]
    draw.shuffle(names)
    return {name: event[name] for name in names}


def test_events_are_taken_in_the_order_of_a_pipeline() -> None:
    from latwin.spark.lines import LineReader
    from latwin.spark.shard import ShardWorker

    print(f"seed {SEED}")
    draw = random.Random(SEED)
    spec = Spec.from_dict({"processes": NAMES, "window": 2, "properties": {}})
    worker = ShardWorker(spec, shards=1, order="arrival", every=False, observations=False)
    reader = LineReader(1)
    for _ in range(300):
        events = [{**random_event(draw), "id": k} for k in range(draw.randrange(2, 25))]
        if draw.random() < 0.5:  # without numbers, ties are told apart by content
            events = [{name: value for name, value in event.items() if name != "id"} for event in events]
        lines = [json.dumps(event).encode() for event in events]
        groups: dict[str | None, list[Any]] = {}
        for line in lines:
            group, text = reader.read(line)
            groups.setdefault(group, []).append(msgspec.json.decode(text))
        for found in groups.values():
            worker._sort(found)
        expected = [plain(event) for found in groups.values() for event in found]
        positions = {name: k for k, name in enumerate(NAMES)}
        assert [plain(event) for event in in_order(map(json.loads, lines), positions)] == expected


def plain(event: Any) -> dict[str, Any]:
    """Without what a pipeline adds or takes away."""
    return {**{name: value for name, value in event.items() if name != "order"}, "group": str(event.get("group", ""))}


def test_odd_events_do_not_stop_the_sorting() -> None:
    odd: list[dict[str, Any]] = [
        {"process": ["a"], "clock": {"a": 1}, "n": 1 << 80},
        {"process": ["a"], "clock": {"a": 1}, "n": 1 << 81},
        {"process": {}, "clock": 5},
        {},
    ]
    assert len(in_order(odd, {"a": 0})) == 4


def test_a_folder_of_json_lines_is_followed(tmp_path: Path) -> None:
    """Hidden and other files not at all, gzipped ones and those that appear later, too."""
    lines = [json.dumps(row) for row in rows(6)]
    for number, (name, begin) in enumerate((("b.jsonl", 2), ("a.jsonl", 0))):
        (tmp_path / name).write_text("\n".join(lines[begin : begin + 2]))
        os.utime(tmp_path / name, ns=(number, number))
    (tmp_path / ".hidden.jsonl").write_text("no")
    (tmp_path / "notes.txt").write_text("no")
    assert not is_output(tmp_path)
    followed = iter(FollowingFolder(tmp_path, ["a"]))
    assert list(islice(followed, 4)) == rows(4)  # by cause, whatever the files' order
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(("\n".join(lines[4:]) + "\n").encode()))
    assert list(islice(followed, 2)) == rows(6)[4:]


def test_arrival_comes_before_cause(tmp_path: Path) -> None:
    late, early = ({**row, "arrival": 9 - k} for k, row in enumerate(rows(2)))
    (tmp_path / "a.jsonl").write_text(f"{json.dumps(late)}\n{json.dumps(early)}\n")
    assert list(islice(FollowingFolder(tmp_path, ["a"]), 2)) == [early, late]


def test_lines_that_are_no_events_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = ["no event", "[1]", '{"group": null}', '{"group": [1]}']
    (tmp_path / "a.jsonl").write_text("\n".join([*bad, json.dumps(rows(1)[0])]))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(b"{}")[:-4])
    assert list(islice(FollowingFolder(tmp_path, ["a"]), 5)) == [None] * 4 + rows(1)
    told = "".join(capsys.readouterr().err.split("\n"))
    for number, reason in enumerate(
        ("not valid JSON", "must be a JSON object", "the group must", "the group must"), 1
    ):
        assert f"a.jsonl:{number}: " in told
        assert reason in told
    assert "b.jsonl.gz: cannot be read" in told


def test_files_and_folders_that_go_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a.jsonl", "b.jsonl", "c.jsonl"):
        (folder / name).write_text(json.dumps(rows(1)[0]))
    listed, read = Path.iterdir, Path.read_bytes

    def list_then_delete(path: Path) -> Any:
        found = list(listed(path))
        (folder / "a.jsonl").unlink(missing_ok=True)
        return iter(found)

    def delete_then_read(path: Path) -> bytes:
        (folder / "b.jsonl").unlink(missing_ok=True)
        return read(path)

    monkeypatch.setattr(Path, "iterdir", list_then_delete)
    monkeypatch.setattr(Path, "read_bytes", delete_then_read)
    followed = FollowingFolder(folder, ["a"])
    assert list(islice(followed, 1)) == rows(1)
    (folder / "c.jsonl").unlink()
    folder.rmdir()
    assert followed._new_files() == []


def test_an_output_folder_is_known(tmp_path: Path) -> None:
    assert not is_output(tmp_path)  # an empty one waits for events
    for name in ("verdicts", "metrics"):
        (tmp_path / name / name).mkdir(parents=True)
        assert is_output(tmp_path / name)
    (tmp_path / "_latwin.json").touch()
    assert is_output(tmp_path)
    spec = Spec.from_dict({"processes": ["a"], "window": 2, "properties": {}})
    feed = OutputFeed(spec, tmp_path)
    feed.look()
    assert feed.names("") == []
