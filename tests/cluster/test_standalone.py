"""A real cluster: a standalone master with two workers; executors, then a worker are killed midway.

LATWIN_KILLS sets how many executors are killed (1 unless given), LATWIN_SEED the seed.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from pyarrow.dataset import dataset

import cluster_driver
from cluster import ENVIRONMENT, Cluster, pack_environment
from crashing import committed
from killing import PATIENCE_S, end_session, wait_until
from latwin import Spec
from shards import Row, by_group, local_rows
from traffic import random_events, write_file

SPEC = Spec.from_dict({"processes": ["p0", "p1"], "window": 3, "properties": {"possible": "possibly(p0.x and p1.x)"}})
SEED = int(os.environ.get("LATWIN_SEED", "17"))
KILLS = int(os.environ.get("LATWIN_KILLS", "1"))
#: some batches for each kill, and some for what remains of the cluster
FILES, EVENTS_PER_FILE = 4 + 3 * KILLS, 96
GROUPS = 6


@pytest.fixture
def shipped(tmp_path: Path) -> Iterator[Path]:
    """A folder with the environment, packed and unpacked, of which nothing large is left at the end."""
    pack_environment(tmp_path)
    yield tmp_path
    (tmp_path / f"{ENVIRONMENT}.tar.gz").unlink()


@pytest.mark.soak
def test_verdicts_of_a_cluster_that_loses_executors_and_a_worker(shipped: Path) -> None:
    tmp_path = shipped
    print(f"seed={SEED} kills={KILLS} folder={tmp_path}")
    rng = random.Random(SEED)
    (tmp_path / "events").mkdir()
    (tmp_path / "cluster").mkdir()
    (tmp_path / "spec.json").write_text(json.dumps(SPEC.to_dict()))
    each = FILES * EVENTS_PER_FILE // GROUPS
    events = [event for number in range(GROUPS) for event in random_events(rng, SPEC, f"group {number}", each)]
    rng.shuffle(events)
    for arrival, event in enumerate(events):
        event |= {"arrival": arrival, "order": arrival}
    batches = [events[k * EVENTS_PER_FILE : (k + 1) * EVENTS_PER_FILE] for k in range(FILES)]
    for number, batch in enumerate(batches):
        write_file(tmp_path / "events", number, batch)
    with Cluster(tmp_path / "cluster") as cluster, (tmp_path / "driver.log").open("wb") as log:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "SPARK_LOCAL_IP": "127.0.0.1"}
        driver = subprocess.Popen(
            [sys.executable, cluster_driver.__file__, str(tmp_path), cluster.url],
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=tmp_path,
            env=env,
            start_new_session=True,
        )
        try:
            for number in range(1, KILLS + 1):
                _wait_for(tmp_path, driver, committed(tmp_path) + 1)
                time.sleep(rng.random())  # into the middle of the next batch
                assert cluster.kill_executor()
                print(f"killed executor {number}, {committed(tmp_path)} batches committed", flush=True)
            _wait_for(tmp_path, driver, committed(tmp_path) + 1)
            assert cluster.kill_worker()
            out, _ = driver.communicate(timeout=PATIENCE_S)
        finally:
            end_session(driver)
        said = (tmp_path / "driver.log").read_text(errors="replace")[-5000:]
        assert driver.returncode == 0, f"{said}\n{cluster.log()}"
    summary = json.loads(out.splitlines()[-1])
    # What workers ran was shipped to them: each executor unpacked the archive in its own folder.
    assert summary["places"]
    assert all("/worker-" in place and f"/{ENVIRONMENT}/lib/" in place for place in summary["places"])
    assert (summary["batches"], summary["events"]) == (FILES, sum(map(len, batches)))
    assert by_group(_rows(tmp_path / "output")) == local_rows(SPEC, batches, every=True)


def _wait_for(folder: Path, driver: subprocess.Popen[bytes], batches: int) -> None:
    """Until so many batches are committed."""
    wait_until(lambda: committed(folder) >= batches or driver.poll() is not None)
    said = (folder / "driver.log").read_text(errors="replace")[-5000:]
    assert driver.poll() is None, f"the driver ended:\n{said}"


def _rows(output: Path) -> list[Row]:
    rows: list[Row] = dataset(output / "verdicts", format="parquet", partitioning="hive").to_table().to_pylist()
    rows = [{name: value for name, value in row.items() if name != "batch"} for row in rows]
    return sorted(rows, key=lambda row: row["slide"])
