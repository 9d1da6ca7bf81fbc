"""Events for pipelines that are killed at random moments, the killing, and what must come of it: every row once."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from crashing import NAMES, Pipeline, committed, wait_for_a_commit, wait_for_a_moment
from latwin import Spec
from shards import Event, Row, by_group, local_rows
from traffic import random_events, write_file

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


def kill_at_random_moments(rng: random.Random, folder: Path, script: Path, kills: int) -> Source:
    """Start the pipeline of a script on a folder until it was killed so often, then let it come to its end.

    The kills hit in turn the whole pipeline, a Python worker and Spark's Java. What the pipeline was given.
    """
    (folder / "events").mkdir()
    (folder / "spec.json").write_text(json.dumps(SPEC.to_dict()))
    source = Source(rng, folder / "events")
    pipeline = Pipeline(folder, script)
    kinds = ["all", "worker", "jvm"]
    hits: Counter[str] = Counter()
    began = time.monotonic()
    try:
        while hits.total() < kills:
            if not pipeline.is_running():
                if pipeline.starts:
                    pipeline.check_end()
                source.write(committed(folder) + FILES_AHEAD)
                # With retries a lost worker costs a task; without, the query.
                pipeline.start(rng.choice(["local[2,1]", "local[2,4]"]))
            kind = kinds[hits.total() % len(kinds)]
            if wait_for_a_moment(rng, folder, pipeline):
                before = committed(folder)
                is_hit = pipeline.kill_all() if kind == "all" else pipeline.kill_one(rng, NAMES[kind])
                hits[kind] += is_hit
                if is_hit:
                    after_s = time.monotonic() - began
                    print(f"kill {hits.total()}: {kind}, after {after_s:.1f} s, {before} batches committed")
                    wait_for_a_commit(folder, pipeline, before)  # it dies or recovers before the next one
        while not pipeline.check_end():  # all was there when it started, so a good end is the end
            pipeline.start("local[2]")
    finally:
        if pipeline.is_running():
            pipeline.kill_all()
    took_s = time.monotonic() - began
    print(
        f"{took_s:.1f} s, {pipeline.starts} starts, {len(source.batches)} files, kills {dict(hits)}, "
        f"lost {pipeline.lost} times without a kill"
    )
    assert hits.total() == kills
    assert committed(folder) >= len(source.batches)
    return source


def check_rows(rows_in: Callable[[str], list[Row]], source: Source) -> None:
    """Every row of every table once: those of local monitors."""
    order = list(SPEC.properties)
    verdicts = [{name: row[name] for name in row if name != "batch"} for row in rows_in("verdicts")]
    found = by_group(sorted(verdicts, key=lambda row: (row["slide"], order.index(row["property"]))))
    expected = local_rows(SPEC, source.batches, every=True)
    assert {group: len(rows) for group, rows in found.items()} == {g: len(rows) for g, rows in expected.items()}
    assert found == expected
    rejects = rows_in("rejects")
    numbers = [_rejected(reject)["state"]["bad"] for reject in rejects]
    assert sorted(numbers) == [event["state"]["bad"] for event in source.bad]
    metrics = rows_in("metrics")
    assert max(Counter((metric["batch"], metric["group"]) for metric in metrics).values()) == 1
    good = sum(map(len, source.batches))
    unknown = len(source.bad) // 2  # a row of an unknown process reaches its group
    assert sum(metric["events"] for metric in metrics) == good + unknown
    assert sum(metric["slides"] for metric in metrics) == sum(map(len, expected.values())) // len(order)


def _rejected(reject: Row) -> Event:
    """The event of a reject; of a line that `latwin run` read by itself and found no group in, the line is kept."""
    event: Event = json.loads(reject["event"])
    return json.loads(event["line"]) if "line" in event else event
