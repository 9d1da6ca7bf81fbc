"""The explorer over a pipeline's input folder: which files are read, and in which order their events are taken."""

from __future__ import annotations

import gzip
import json
import os
import tracemalloc
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from latwin import Spec
from latwin.cli.following import FollowingFolder
from latwin.events import Envelope
from latwin.explorer.outputs import OutputFeed, is_output


def rows(count: int) -> list[dict[str, Any]]:
    return [{"group": "g", "process": "a", "clock": [k], "state": {"x": k % 3 == 0}} for k in range(1, count + 1)]


def events_of(envelopes: Iterable[Envelope]) -> list[Any]:
    return [envelope.event for envelope in envelopes]


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
    assert events_of(islice(followed, 4)) == rows(4)  # by cause, whatever the files' order
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(("\n".join(lines[4:]) + "\n").encode()))
    assert events_of(islice(followed, 2)) == rows(6)[4:]


def test_arrival_comes_before_cause(tmp_path: Path) -> None:
    late, early = ({**row, "arrival": 9 - k} for k, row in enumerate(rows(2)))
    (tmp_path / "a.jsonl").write_text(f"{json.dumps(late)}\n{json.dumps(early)}\n")
    assert events_of(islice(FollowingFolder(tmp_path, ["a"]), 2)) == [early, late]


def test_lines_that_are_no_events_are_told(tmp_path: Path) -> None:
    bad = ["no event", "[1]", '{"group": null}', '{"group": [1]}']
    (tmp_path / "a.jsonl").write_text("\n".join([*bad, json.dumps(rows(1)[0])]))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(b"{}")[:-4])
    *problems, event = islice(FollowingFolder(tmp_path, ["a"]), 6)
    assert event.event == rows(1)[0]
    reasons = [
        "a.jsonl:1: not valid JSON: ",
        "a.jsonl:2: expected a JSON object; it is an array",
        "a.jsonl:3: the group must be a string or an integer; it is null",
        "a.jsonl:4: the group must be a string or an integer; it is an array",
        "b.jsonl.gz cannot be read: ",
    ]
    for envelope, reason in zip(problems, reasons, strict=True):
        assert envelope.problem is not None
        assert envelope.problem.startswith(reason)


def test_files_and_folders_that_go_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a.jsonl", "b.jsonl", "c.jsonl"):
        (folder / name).write_text(json.dumps(rows(1)[0]))
    listed, opened = Path.iterdir, Path.open

    def list_then_delete(path: Path) -> Any:
        found = list(listed(path))
        (folder / "a.jsonl").unlink(missing_ok=True)
        return iter(found)

    def delete_then_open(path: Path, *mode: str) -> Any:
        (folder / "b.jsonl").unlink(missing_ok=True)
        return opened(path, *mode)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "iterdir", list_then_delete)
    monkeypatch.setattr(Path, "open", delete_then_open)
    followed = FollowingFolder(folder, ["a"])
    assert events_of(islice(followed, 1)) == rows(1)
    (folder / "c.jsonl").unlink()
    folder.rmdir()
    assert followed._files.new() == []


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


@pytest.mark.soak
def test_a_small_file_that_inflates_does_not_fill_the_memory(tmp_path: Path) -> None:
    """Blank lines, one long line, and lines that are no events: 120 MB in some hundred kilobytes."""
    with gzip.open(tmp_path / "a.jsonl.gz", "wb", 1) as file:
        for block in (b" " * 65_535 + b"\n", b"x" * 65_536):
            for _ in range(900):
                file.write(block)
        file.write(b"\n" + json.dumps(rows(1)[0]).encode() + b"\n" + b"1\n" * 50_000)
    tracemalloc.start()
    try:
        for number, _ in enumerate(FollowingFolder(tmp_path, ["a"]), start=1):
            if number == 50_002:
                break
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 64 << 20
