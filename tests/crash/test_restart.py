"""A pipeline survives the loss of a Python worker that Spark gives up on, in one run."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from latwin import Spec
from shards import by_group, local_rows
from traffic import random_events, rows_of, write_file

SPEC = Spec.from_dict({"processes": ["p0", "p1"], "window": 3, "properties": {"possible": "possibly(p0.x and p1.x)"}})
SEED = 7
SCRIPT = Path(__file__).parents[1] / "support" / "crash_once.py"


@pytest.mark.soak
def test_a_killed_worker_costs_one_restart(spark: SparkSession, tmp_path: Path) -> None:
    print(f"seed={SEED} folder={tmp_path}")
    rng = random.Random(SEED)
    (tmp_path / "events").mkdir()
    (tmp_path / "spec.json").write_text(json.dumps(SPEC.to_dict()))
    events = [event for number in range(3) for event in random_events(rng, SPEC, f"group {number}", 20)]
    for arrival, event in enumerate(events):
        event |= {"arrival": arrival, "order": arrival}
    batches = [events[:30], events[30:]]
    for number, batch in enumerate(batches):
        write_file(tmp_path / "events", number, batch)
    script = Path(str(SCRIPT))
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-5000:]
    summary = json.loads(done.stdout.splitlines()[-1])
    assert (tmp_path / "killed").exists()
    assert summary["restarts"] == 1
    assert len(summary["told"]) == 1
    assert (summary["batches"], summary["events"]) == (2, len(events))
    verdicts = spark.read.parquet(str(tmp_path / "output" / "verdicts")).orderBy("slide").drop("batch")
    assert by_group(rows_of(verdicts)) == local_rows(SPEC, batches, every=True)
