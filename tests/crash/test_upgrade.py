"""A pipeline is stopped, Spark is exchanged for another version, and the pipeline goes on.

LATWIN_PYTHONS names interpreters with other versions of pyspark, oldest first, separated as in PATH; each of them
does a part of the batches, then the one that runs the tests does the rest.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from pyarrow.dataset import dataset

import crash_pipeline
from crashing import Pipeline, committed
from latwin import Spec
from shards import Row, by_group, local_rows
from traffic import random_events, write_file

PYTHONS = [python for python in os.environ.get("LATWIN_PYTHONS", "").split(os.pathsep) if python]
SEED = int(os.environ.get("LATWIN_SEED", "20260401"))
SPEC = Spec.from_dict({"processes": ["p0", "p1"], "window": 3, "properties": {"possible": "possibly(p0.x and p1.x)"}})
FILES_EACH, EVENTS_PER_FILE = 2, 40


@pytest.mark.soak
@pytest.mark.skipif(not PYTHONS, reason="LATWIN_PYTHONS names no interpreter with another pyspark")
def test_a_pipeline_goes_on_under_another_spark(tmp_path: Path) -> None:
    pythons = [*PYTHONS, sys.executable]
    versions = [_version(python) for python in pythons]
    print(f"seed={SEED} versions={versions} folder={tmp_path}")
    rng = random.Random(SEED)
    (tmp_path / "events").mkdir()
    (tmp_path / "spec.json").write_text(json.dumps(SPEC.to_dict()))
    files = FILES_EACH * len(pythons)
    groups = [random_events(rng, SPEC, f"group {number}", files * EVENTS_PER_FILE // 4) for number in range(4)]
    placed = [(place + rng.random() * 8, event) for group in groups for place, event in enumerate(group)]
    events = [event for _, event in sorted(placed, key=lambda pair: pair[0])]
    for arrival, event in enumerate(events):
        state = {name: int(value) for name, value in event["state"].items()}
        event |= {"state": state, "arrival": arrival, "order": arrival}
    batches = [events[k * EVENTS_PER_FILE : (k + 1) * EVENTS_PER_FILE] for k in range(files)]
    pipeline = Pipeline(tmp_path, Path(crash_pipeline.__file__))
    for number, python in enumerate(pythons):
        for file in range(number * FILES_EACH, (number + 1) * FILES_EACH):
            write_file(tmp_path / "events", file, batches[file])
        pipeline.start("local[2]", python)
        pipeline.check_end()
        assert committed(tmp_path) == (number + 1) * FILES_EACH
    table = dataset(tmp_path / "output" / "verdicts", format="parquet", partitioning="hive").to_table()
    rows: list[Row] = [{name: row[name] for name in row if name != "batch"} for row in table.to_pylist()]
    assert by_group(sorted(rows, key=lambda row: row["slide"])) == local_rows(SPEC, batches, every=True)


def _version(python: str) -> str:
    asking = [python, "-c", "import pyspark; print(pyspark.__version__)"]
    return subprocess.run(asking, capture_output=True, text=True, check=True).stdout.strip()
