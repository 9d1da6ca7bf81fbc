"""A pipeline whose rules change is killed at random moments; every batch keeps the rules that it began with.

LATWIN_KILLS says how many kills (3 unless given), LATWIN_SEED the seed.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import msgspec
import pytest
from pyarrow.dataset import dataset

import crash_rules
from changing import expected_rows, in_slides
from crashing import Pipeline, committed
from killing import wait_until
from latwin import Spec
from latwin.spark.rules import Version
from shards import Event, Row, by_group
from traffic import random_events, write_file

KILLS = int(os.environ.get("LATWIN_KILLS", "3"))
SEED = int(os.environ.get("LATWIN_SEED", "20260216"))
FILES = 16
EVENTS_PER_FILE = 60
PROPERTIES = {
    "both": "possibly(p0.x and p1.x)",
    "sure": "definitely(p0.x and p1.x)",
    "general": "definitely((p0.x or p1.y) and not (p0.y and p1.x))",
}
ORDER = list(PROPERTIES)


def rules(rng: random.Random) -> str:
    asked = rng.sample(ORDER, rng.randint(1, len(ORDER)))
    lines = [f'processes = ["p0", "p1"]\nwindow = {rng.randint(1, 5)}\n[properties]']
    return "\n".join([*lines, *(f'{name} = "{PROPERTIES[name]}"' for name in ORDER if name in asked)]) + "\n"


@pytest.mark.soak
def test_kills_while_rules_change(tmp_path: Path) -> None:
    print(f"seed={SEED} kills={KILLS} folder={tmp_path}")
    rng = random.Random(SEED)
    batches = _write_events(rng, tmp_path / "events")
    spec = tmp_path / "spec.toml"
    spec.write_text(rules(rng))
    pipeline = Pipeline(tmp_path, Path(crash_rules.__file__))
    kills = 0
    try:
        while committed(tmp_path) < FILES:
            if not pipeline.is_running():
                if pipeline.starts:
                    pipeline.check_end()
                pipeline.start(rng.choice(["local[2,1]", "local[2,4]"]))
            _wait_for_a_commit(tmp_path, pipeline, committed(tmp_path))
            # Sometimes half of the file is there for a while, as an editor may leave it.
            text = rules(rng)
            spec.write_text(text[: len(text) // 2] if rng.random() < 0.3 else text)
            if kills < KILLS and pipeline.is_running():
                time.sleep(rng.random() * 3)  # into a change of rules, a start of the query, or a batch
                kills += pipeline.kill_all()
            spec.write_text(text)
        pipeline.check_end()
    finally:
        if pipeline.is_running():
            pipeline.kill_all()
    assert kills == KILLS
    versions = _versions(tmp_path)
    print(f"{pipeline.starts} starts, versions from batches {[v.from_batch for v in versions]}")
    rows = in_slides(_rows(tmp_path / "output"), ORDER.index)
    assert by_group(rows) == expected_rows(versions, batches, every=True)
    assert len({row["rules"] for row in rows}) > 1


def _wait_for_a_commit(folder: Path, pipeline: Pipeline, before: int) -> None:
    wait_until(lambda: not pipeline.is_running() or committed(folder) > before)


def _write_events(rng: random.Random, folder: Path) -> list[list[Event]]:
    folder.mkdir()
    asked = Spec.from_dict({"processes": ["p0", "p1"], "window": 1})
    groups = [random_events(rng, asked, f"group {number}", FILES * EVENTS_PER_FILE // 4) for number in range(4)]
    placed = [(place + rng.random() * 8, event) for group in groups for place, event in enumerate(group)]
    events = [event for _, event in sorted(placed, key=lambda pair: pair[0])]
    for arrival, event in enumerate(events):
        event |= {"arrival": arrival, "order": arrival}
    batches = [events[k * EVENTS_PER_FILE : (k + 1) * EVENTS_PER_FILE] for k in range(FILES)]
    for number, batch in enumerate(batches):
        write_file(folder, number, batch)
    return batches


def _versions(folder: Path) -> list[Version]:
    """Every version that was ever told; one that was told twice is the same both times."""
    lines = (folder / "versions.jsonl").read_bytes().splitlines()
    found: dict[int, Version] = {}
    for version in (msgspec.json.decode(line, type=Version) for line in lines):
        assert found.setdefault(version.number, version) == version
    return list(found.values())


def _rows(output: Path) -> list[Row]:
    rows: list[Row] = dataset(output / "verdicts", format="parquet", partitioning="hive").to_table().to_pylist()
    return rows
