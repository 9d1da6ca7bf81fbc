"""A pipeline is stopped, PySpark is exchanged for another version, and the pipeline goes on or says why not."""

from __future__ import annotations

import os
import random
import subprocess
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from pyarrow.dataset import dataset

from latwin import Spec
from shards import Event, Row, by_group, local_rows
from short_lived import SETTINGS
from spark_versions import RELEASES, python_with
from traffic import random_events, write_file

pytestmark = [pytest.mark.soak, pytest.mark.versions]

SEED = int(os.environ.get("LATWIN_SEED", "20260401"))
SPEC_TEXT = """
processes = ["p0", "p1"]
window = 3

[properties]
possible = "possibly(p0.x and p1.x)"
"""
SPEC = Spec.from_dict(tomllib.loads(SPEC_TEXT))
#: its stateful operator is another one than that of all later ones
FIRST, *LATER = RELEASES
EVENTS_PER_FILE = 40


def test_a_pipeline_goes_on_under_each_later_version(tmp_path: Path) -> None:
    pipeline = Pipeline(tmp_path, len(LATER))
    for release in LATER:
        pipeline.add_file()
        pipeline.run(release)
    pipeline.check()


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (FIRST, LATER[0], "the checkpoint was begun on PySpark 4.0, and Spark does not let a later version go on"),
        (LATER[0], FIRST, "the checkpoint was begun on PySpark 4.1 or later, and Spark does not let 4.0 go on"),
    ],
)
def test_a_version_that_spark_refuses(before: str, after: str, sentence: str, tmp_path: Path) -> None:
    """One sentence says so, and the version of before goes on as if nothing had happened."""
    pipeline = Pipeline(tmp_path, 2)
    pipeline.add_file()
    pipeline.run(before)
    pipeline.add_file()
    said = pipeline.run(after, code=2)
    assert sentence in " ".join(said.split())
    assert "Traceback" not in said
    pipeline.run(before)
    pipeline.check()


class Pipeline:
    """`latwin run`, each time in a new process, over a folder that gets a file more each time."""

    def __init__(self, folder: Path, files: int) -> None:
        print(f"seed={SEED} folder={folder}")
        self._folder = folder
        self._batches = _batches(random.Random(SEED), files)
        self._written = 0
        (folder / "events").mkdir()
        (folder / "spec.toml").write_text(SPEC_TEXT)

    def add_file(self) -> None:
        write_file(self._folder / "events", self._written, self._batches[self._written])
        self._written += 1

    def run(self, release: str, code: int = 0) -> str:
        """Until all is read; what was said."""
        python, at = python_with(release), self._folder
        places = ["--input", str(at / "events"), "--out", str(at / "output"), "--checkpoint", str(at / "checkpoint")]
        command = [python, "-m", "latwin", "run", str(at / "spec.toml"), *places]
        command += ["--format", "jsonl", "--once", "--every", "--master", "local[2]"]
        command += [part for name, value in SETTINGS.items() for part in ("--conf", f"{name}={value}")]
        environment = {**os.environ, "PYSPARK_PYTHON": python, "COLUMNS": "1000"}
        ran = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert ran.returncode == code, f"PySpark {release} ended with {ran.returncode}: {ran.stdout}{ran.stderr}"
        return ran.stdout + ran.stderr

    def check(self) -> None:
        """Every row is there once, and is that of local monitors."""
        table = dataset(self._folder / "output" / "verdicts", format="parquet", partitioning="hive").to_table()
        rows: list[Row] = [{name: row[name] for name in row if name != "batch"} for row in table.to_pylist()]
        expected = local_rows(SPEC, self._batches, every=True)
        assert by_group(sorted(rows, key=lambda row: row["slide"])) == expected


def _batches(rng: random.Random, files: int) -> list[list[Event]]:
    """Four groups between one another, displaced, in files of the same size."""
    groups = [random_events(rng, SPEC, f"group {number}", files * EVENTS_PER_FILE // 4) for number in range(4)]
    placed = [(place + rng.random() * 8, event) for group in groups for place, event in enumerate(group)]
    events = [event for _, event in sorted(placed, key=lambda pair: pair[0])]
    for arrival, event in enumerate(events):
        event |= {"arrival": arrival, "order": arrival}
    return [events[k * EVENTS_PER_FILE : (k + 1) * EVENTS_PER_FILE] for k in range(files)]
