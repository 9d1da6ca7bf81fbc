"""Clocks made in the stream, and verdicts on them, in one query that is killed at random moments.

LATWIN_KILLS sets how many kills (2 unless given), LATWIN_SEED the seed.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

import crash_pipeline
from crash_pipeline import CLOCKING
from crashing import NAMES, Pipeline, committed, rows_in, wait_for_a_commit, wait_for_a_moment
from latwin import Spec
from latwin.clocks import ClockMaker, ClockTally, LiveClocks
from latwin.clocks.listed import listed
from latwin.clocks.live import Arrival, arrival_of
from shards import by_group, local_rows
from traffic import random_events

KILLS = int(os.environ.get("LATWIN_KILLS", "2"))
SEED = int(os.environ.get("LATWIN_SEED", "20260218"))
GROUPS = 12
STATES = 60
FILES = 8
BEGIN_US = 1_700_000_000_000_000
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


def write_steps(rng: random.Random, folder: Path) -> list[bytes]:
    """The lines of all files: steps out of order, far over the borders of files; some twice, some no steps."""
    placed: list[tuple[float, dict[str, Any]]] = []
    for number in range(GROUPS):
        before: dict[str, list[int]] = {}
        for place, event in enumerate(random_events(rng, SPEC, f"group {number}", STATES)):
            k = SPEC.processes.index(event["process"])
            known, clock = before.get(event["process"], [0, 0, 0]), event["clock"]
            heard = [f"{j}.{n}" for j, n in enumerate(clock) if j != k and n > known[j]]
            before[event["process"]] = clock
            step = {
                "group": event["group"],
                "process": event["process"],
                "order": clock[k],
                "sent": f"{k}.{clock[k]}",
            }
            row = {**step, "received": heard, "state": event["state"]}
            placed += [(place + rng.random() * 12, row) for _ in range(2 if rng.random() < 0.05 else 1)]
    rows: list[dict[str, Any]] = [row for _, row in sorted(placed, key=lambda pair: pair[0])]
    for number in range(FILES):
        rows.insert(rng.randrange(len(rows)), {"group": f"group {number}", "order": number})
    lines = [
        json.dumps(row, separators=(",", ":"))[:-1].encode() + f',"arrival":{BEGIN_US + number * 1000}}}'.encode()
        for number, row in enumerate(rows)
    ]
    folder.mkdir()
    for number in range(FILES):
        path = folder / f"{number}.jsonl"
        some = lines[number * len(lines) // FILES : (number + 1) * len(lines) // FILES]
        path.write_bytes(b"\n".join(some) + b"\n")
        os.utime(path, (1_700_000_000 + number,) * 2)
    return lines


@pytest.mark.soak
@pytest.mark.spark
def test_kills_change_no_clock_and_no_verdict(tmp_path: Path) -> None:
    print(f"seed={SEED} kills={KILLS} folder={tmp_path}")
    rng = random.Random(SEED)
    lines = write_steps(rng, tmp_path / "steps")
    (tmp_path / "spec.json").write_text(json.dumps(SPEC.to_dict()))
    pipeline = Pipeline(tmp_path, Path(crash_pipeline.__file__))
    kinds = ["all", "worker", "jvm"]
    kills = 0
    try:
        while committed(tmp_path) < FILES:
            if not pipeline.is_running():
                if pipeline.starts:
                    pipeline.check_end()
                pipeline.start("local[2,1]")
            if kills < KILLS and wait_for_a_moment(rng, tmp_path, pipeline):
                before, kind = committed(tmp_path), kinds[kills % len(kinds)]
                if pipeline.kill_all() if kind == "all" else pipeline.kill_one(rng, NAMES[kind]):
                    kills += 1
                    print(f"kill {kills}: {kind}, {before} batches committed")
                    wait_for_a_commit(tmp_path, pipeline, before)
            else:
                pipeline.check_end()
    finally:
        if pipeline.is_running():
            pipeline.kill_all()
    print(f"{pipeline.starts} starts, {committed(tmp_path)} batches")
    assert kills > 0
    _compare(tmp_path / "output", lines)


def _compare(output: Path, lines: list[bytes]) -> None:
    """Verdicts and rejects are those of one process that took everything at once; its clocks are the batch's."""
    source = CLOCKING.source
    arrivals = [Arrival(record, arrival_of(line) or 0.0) for line in lines for record in source.records(line)]
    live = list(LiveClocks(source, CLOCKING.waits).take(arrivals, arrivals[-1].at))
    batch = ClockMaker(source).make([arrival.record for arrival in arrivals], ClockTally())
    assert clocks_of(live) == clocks_of(batch)
    events = [
        {"group": some.group, "order": place, **event}
        for some in live
        for place, event in enumerate(listed(some.events, None).events)
    ]
    order = list(SPEC.properties)
    verdicts = [{name: row[name] for name in row if name != "batch"} for row in rows_in(output, "verdicts")]
    found = by_group(sorted(verdicts, key=lambda row: (row["slide"], order.index(row["property"]))))
    assert found == local_rows(SPEC, [events], every=True)
    problems = [problem for some in live for problem in some.problems]
    rejects = rows_in(output, "rejects")
    assert sorted(row["reason"] for row in rejects) == sorted(problem.reason for problem in problems)
    assert {problem.kind for problem in problems} == {"late", "unreadable", "duplicate"}
    metrics = rows_in(output, "metrics")
    assert sum(row["events"] for row in metrics) == len(events) == GROUPS * STATES


def clocks_of(found: Any) -> dict[tuple[str, str, Any], dict[str, int]]:
    return {(e.step.group, e.step.process, e.step.order): e.clock for some in found for e in some.events}
