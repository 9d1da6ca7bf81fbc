"""A pipeline in a process of its own that is killed and started again."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from pyarrow.dataset import dataset

from killing import PATIENCE_S, descendants, kill, numbers_in, wait_until
from latwin.spark.causes import may_pass

#: what the command line of such a process has in it
NAMES = {"worker": "pyspark.daemon", "jvm": "org.apache.spark.deploy.SparkSubmit"}


class Pipeline:
    """The pipeline's process, started again and again on the same folder."""

    def __init__(self, folder: Path, script: Path) -> None:
        self._folder = folder
        self._script = script
        self._process: subprocess.Popen[bytes] | None = None
        self.starts = 0
        #: whether this life of the process was disturbed, so that it may fail
        self.was_hit = False
        #: how often it failed though nobody had hit it
        self.lost = 0
        #: where its log begins
        self._logged = 0

    def start(self, master: str, python: str = sys.executable) -> None:
        with self._log().open("ab") as log:
            self._logged = log.tell()
            self._process = subprocess.Popen(
                [python, str(self._script), str(self._folder), master],
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
        return any(NAMES["worker"] in command for _, command in descendants(self._process.pid))

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
        """Whether the process ended well; it may have failed only if it was hit, by us or by a busy machine.

        There Spark gives up Python workers that take long to start; `latwin run` would start the query again.
        """
        assert self._process is not None
        code = self._process.wait(PATIENCE_S)
        log = self._log().read_bytes()[self._logged :].decode(errors="replace")
        if code != 0 and not self.was_hit:
            if not may_pass(RuntimeError(log)):
                pytest.fail(f"the pipeline ended with {code}:\n{log[-5000:]}")
            self.lost += 1
        return code == 0

    def _log(self) -> Path:
        return self._folder / "log.txt"


def committed(folder: Path) -> int:
    """How many batches are committed."""
    return numbers_in(folder / "checkpoint" / "commits")


def wait_for_a_moment(rng: random.Random, folder: Path, pipeline: Pipeline) -> bool:
    """Sleep into the middle of one of the next batches; False if the process ended before."""
    batches_on = rng.randint(0, 2)
    next_batch = committed(folder) + batches_on
    delay_s = rng.random() * (1.5 if batches_on else 5.0)  # a process's first batch takes longer
    offsets = folder / "checkpoint" / "offsets"
    wait_until(lambda: not pipeline.is_running() or (numbers_in(offsets) > next_batch and pipeline.has_workers()))
    end = time.monotonic() + delay_s
    wait_until(lambda: not pipeline.is_running() or time.monotonic() > end)
    return pipeline.is_running()


def wait_for_a_commit(folder: Path, pipeline: Pipeline, before: int) -> None:
    wait_until(lambda: not pipeline.is_running() or committed(folder) > before)


def rows_in(output: Path, table: str) -> list[dict[str, Any]]:
    """What a reader of the folder sees; without Spark, so that this worker needs no session of its own."""
    rows: list[dict[str, Any]] = dataset(output / table, format="parquet", partitioning="hive").to_table().to_pylist()
    return rows
