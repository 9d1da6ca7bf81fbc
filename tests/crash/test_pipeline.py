"""Nothing lost and nothing twice when the driver, its JVM or a Python worker is killed at random moments.

LATWIN_KILLS sets how many kills (1 unless given), LATWIN_SEED the seed.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from pyarrow.dataset import dataset

import crash_pipeline
from killing import PATIENCE_S, descendants, kill, numbers_in, wait_until
from latwin import Spec
from shards import Event, Row, by_group, local_rows
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


#: what the command line of such a process has in it
_NAMES = {"worker": "pyspark.daemon", "jvm": "org.apache.spark.deploy.SparkSubmit"}


class Pipeline:
    """The pipeline's process, started again and again on the same folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.starts = 0
        #: whether this life of the process was disturbed, so that it may fail
        self.was_hit = False

    def start(self, master: str) -> None:
        script = Path(crash_pipeline.__file__)
        with self._log().open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, str(script), str(self._folder), master],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.starts += 1
        self.was_hit = False

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def has_workers(self) -> bool:
        """Whether it has come so far as to use Python workers."""
        assert self._process is not None
        return any(_NAMES["worker"] in command for _, command in descendants(self._process.pid))

    def kill_all(self) -> bool:
        """The driver, its JVM and the workers, at once."""
        assert self._process is not None
        below = descendants(self._process.pid)
        was_alive = kill(self._process.pid) if self.is_running() else False
        for pid, _ in below:
            kill(pid)
        self._process.wait()
        self.was_hit = was_alive
        return was_alive

    def kill_one(self, rng: random.Random, name: str) -> bool:
        """One of the processes below whose command has `name` in it."""
        assert self._process is not None
        found = [pid for pid, command in descendants(self._process.pid) if name in command]
        if not found or not self.is_running():
            return False
        is_hit = kill(rng.choice(found))
        self.was_hit = self.was_hit or is_hit
        return is_hit

    def check_end(self) -> bool:
        """Whether the process ended well; it may have failed only if it was hit."""
        assert self._process is not None
        code = self._process.wait(PATIENCE_S)
        if code != 0 and not self.was_hit:
            pytest.fail(f"the pipeline ended with {code}:\n{self._log().read_text(errors='replace')[-5000:]}")
        return code == 0

    def _log(self) -> Path:
        return self._folder / "log.txt"


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
    pipeline = Pipeline(tmp_path)
    kinds = ["all", "worker", "jvm"]
    hits: Counter[str] = Counter()
    began = time.monotonic()
    try:
        while hits.total() < KILLS:
            if not pipeline.is_running():
                if pipeline.starts:
                    pipeline.check_end()
                source.write(_committed(tmp_path) + FILES_AHEAD)
                # With retries a lost worker costs a task; without, the query.
                pipeline.start(rng.choice(["local[2,1]", "local[2,4]"]))
            kind = kinds[hits.total() % len(kinds)]
            if _wait_for_a_moment(rng, tmp_path, pipeline):
                committed = _committed(tmp_path)
                is_hit = pipeline.kill_all() if kind == "all" else pipeline.kill_one(rng, _NAMES[kind])
                hits[kind] += is_hit
                if is_hit:
                    after_s = time.monotonic() - began
                    print(f"kill {hits.total()}: {kind}, after {after_s:.1f} s, {committed} batches committed")
                    _wait_for_a_commit(tmp_path, pipeline, committed)  # it dies or recovers before the next one
        while True:
            pipeline.check_end()
            if _committed(tmp_path) == len(source.batches):
                break
            pipeline.start("local[2]")
    finally:
        if pipeline.is_running():
            pipeline.kill_all()
    took_s = time.monotonic() - began
    print(f"{took_s:.1f} s, {pipeline.starts} starts, {len(source.batches)} batches, kills {dict(hits)}")
    assert hits.total() == KILLS
    _compare(tmp_path / "output", source)


def _committed(folder: Path) -> int:
    return numbers_in(folder / "checkpoint" / "commits")


def _wait_for_a_moment(rng: random.Random, folder: Path, pipeline: Pipeline) -> bool:
    """Sleep into the middle of one of the next batches; False if the process ended before."""
    batches_on = rng.randint(0, 2)
    next_batch = _committed(folder) + batches_on
    delay_s = rng.random() * (1.5 if batches_on else 5.0)  # a process's first batch takes longer
    offsets = folder / "checkpoint" / "offsets"
    wait_until(lambda: not pipeline.is_running() or (numbers_in(offsets) > next_batch and pipeline.has_workers()))
    end = time.monotonic() + delay_s
    wait_until(lambda: not pipeline.is_running() or time.monotonic() > end)
    return pipeline.is_running()


def _wait_for_a_commit(folder: Path, pipeline: Pipeline, committed: int) -> None:
    wait_until(lambda: not pipeline.is_running() or _committed(folder) > committed)


def _rows(output: Path, table: str) -> list[Row]:
    """What a reader of the folder sees; without Spark, so that this worker needs no session of its own."""
    rows: list[Row] = dataset(output / table, format="parquet", partitioning="hive").to_table().to_pylist()
    return rows


def _compare(output: Path, source: Source) -> None:
    order = list(SPEC.properties)
    verdicts = [{name: row[name] for name in row if name != "batch"} for row in _rows(output, "verdicts")]
    found = by_group(sorted(verdicts, key=lambda row: (row["slide"], order.index(row["property"]))))
    expected = local_rows(SPEC, source.batches, every=True)
    assert {group: len(rows) for group, rows in found.items()} == {g: len(rows) for g, rows in expected.items()}
    assert found == expected
    rejects = _rows(output, "rejects")
    numbers = [json.loads(reject["event"])["state"]["bad"] for reject in rejects]
    assert sorted(numbers) == [event["state"]["bad"] for event in source.bad]
    metrics = _rows(output, "metrics")
    assert max(Counter((metric["batch"], metric["group"]) for metric in metrics).values()) == 1
    good = sum(map(len, source.batches))
    unknown = len(source.bad) // 2  # a row of an unknown process reaches its group
    assert sum(metric["events"] for metric in metrics) == good + unknown
    assert sum(metric["slides"] for metric in metrics) == sum(map(len, expected.values())) // len(order)
