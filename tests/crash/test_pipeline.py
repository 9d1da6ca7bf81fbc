"""Nothing lost and nothing twice when the driver, its JVM or a Python worker is killed at random moments.

LATWIN_KILLS sets how many kills (1 unless given), LATWIN_SEED the seed.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from pathlib import Path

import pytest

import crash_pipeline
from crashing import NAMES, Pipeline, committed, rows_in, wait_for_a_commit, wait_for_a_moment
from latwin import Spec
from shards import Event, by_group, local_rows
from traffic import random_events, write_file

KILLS = int(os.environ.get("LATWIN_KILLS", "1"))
SEED = int(os.environ.get("LATWIN_SEED", "20260131"))
GROUPS = 25
EVENTS_PER_FILE = 120
FILES_AHEAD = 4
SPEC = Spec.from_dict(
    {
        "processes": ["p0", "p1", "p2"],
        "window": 3,
        "properties": {
            "possible": "possibly(p0.x and p1.x and p2.x)",
            "general": "definitely((p0.x or p1.x) and not (p2.x and p2.y))",
        },
    }
)


# -- events --------------------------------------------------------------------------------------------------


class Source:
    """Writes files of events, the same for a seed however many are asked for."""

    def __init__(self, rng: random.Random, folder: Path) -> None:
        self._rng = rng
        self._folder = folder
        self.batches: list[list[Event]] = []
        self.bad: list[Event] = []
        groups = [random_events(rng, SPEC, f"group {number}", 1500) for number in range(GROUPS)]
        placed = [(place + rng.random() * 8, event) for group in groups for place, event in enumerate(group)]
        self._events = [event for _, event in sorted(placed, key=lambda pair: pair[0])]
        for arrival, event in enumerate(self._events):
            state = {name: int(value) for name, value in event["state"].items()}
            event |= {"state": state, "arrival": arrival, "order": arrival}

    def write(self, files: int) -> None:
        """Let there be so many files."""
        while len(self.batches) < files:
            number = len(self.batches)
            batch = self._events[number * EVENTS_PER_FILE : (number + 1) * EVENTS_PER_FILE]
            assert batch, "the events are used up"
            # Some come twice, in another file; some rows are bad.
            batch = batch + random.Random(number).sample([e for b in self.batches for e in b] or batch, 5)
            bad = [
                {**batch[0], "group": None, "state": {"bad": 2 * number}},
                {**batch[0], "process": "p9", "state": {"bad": 2 * number + 1}},
            ]
            self.batches.append(batch)
            self.bad += bad
            write_file(self._folder, number, [*bad, *batch])


# -- the test ------------------------------------------------------------------------------------------------


@pytest.mark.spark
def test_kills_at_random_moments(tmp_path: Path) -> None:
    print(f"seed={SEED} kills={KILLS} folder={tmp_path}")
    rng = random.Random(SEED)
    (tmp_path / "events").mkdir()
    (tmp_path / "spec.json").write_text(json.dumps(SPEC.to_dict()))
    source = Source(rng, tmp_path / "events")
    pipeline = Pipeline(tmp_path, Path(crash_pipeline.__file__))
    kinds = ["all", "worker", "jvm"]
    hits: Counter[str] = Counter()
    began = time.monotonic()
    try:
        while hits.total() < KILLS:
            if not pipeline.is_running():
                if pipeline.starts:
                    pipeline.check_end()
                source.write(committed(tmp_path) + FILES_AHEAD)
                # With retries a lost worker costs a task; without, the query.
                pipeline.start(rng.choice(["local[2,1]", "local[2,4]"]))
            kind = kinds[hits.total() % len(kinds)]
            if wait_for_a_moment(rng, tmp_path, pipeline):
                before = committed(tmp_path)
                is_hit = pipeline.kill_all() if kind == "all" else pipeline.kill_one(rng, NAMES[kind])
                hits[kind] += is_hit
                if is_hit:
                    after_s = time.monotonic() - began
                    print(f"kill {hits.total()}: {kind}, after {after_s:.1f} s, {before} batches committed")
                    wait_for_a_commit(tmp_path, pipeline, before)  # it dies or recovers before the next one
        while True:
            pipeline.check_end()
            if committed(tmp_path) == len(source.batches):
                break
            pipeline.start("local[2]")
    finally:
        if pipeline.is_running():
            pipeline.kill_all()
    took_s = time.monotonic() - began
    print(f"{took_s:.1f} s, {pipeline.starts} starts, {len(source.batches)} batches, kills {dict(hits)}")
    assert hits.total() == KILLS
    _compare(tmp_path / "output", source)


def _compare(output: Path, source: Source) -> None:
    order = list(SPEC.properties)
    verdicts = [{name: row[name] for name in row if name != "batch"} for row in rows_in(output, "verdicts")]
    found = by_group(sorted(verdicts, key=lambda row: (row["slide"], order.index(row["property"]))))
    expected = local_rows(SPEC, source.batches, every=True)
    assert {group: len(rows) for group, rows in found.items()} == {g: len(rows) for g, rows in expected.items()}
    assert found == expected
    rejects = rows_in(output, "rejects")
    numbers = [json.loads(reject["event"])["state"]["bad"] for reject in rejects]
    assert sorted(numbers) == [event["state"]["bad"] for event in source.bad]
    metrics = rows_in(output, "metrics")
    assert max(Counter((metric["batch"], metric["group"]) for metric in metrics).values()) == 1
    good = sum(map(len, source.batches))
    unknown = len(source.bad) // 2  # a row of an unknown process reaches its group
    assert sum(metric["events"] for metric in metrics) == good + unknown
    assert sum(metric["slides"] for metric in metrics) == sum(map(len, expected.values())) // len(order)
