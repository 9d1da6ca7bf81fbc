"""Outputs of many batches are read without a task of Spark for each of their files."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

pytest.importorskip("pyspark")

from pyspark.sql import SparkSession

from latwin.outputs.compaction import compact, parquet_bytes
from latwin.outputs.manifest import DataFile, Manifest, file_name
from latwin.outputs.store import LocalStore
from latwin.spark import read_output

#: above this number of paths, Spark lists them in a job; each path would be a task of it
BATCHES = 60
_SETTING = "spark.sql.sources.parallelPartitionDiscovery.parallelism"


def test_many_files_are_listed_in_few_tasks(spark: SparkSession, tmp_path: Path) -> None:
    store = LocalStore(tmp_path)
    manifest = Manifest(store)
    for batch in range(BATCHES):
        content = parquet_bytes(pa.table({"batch": pa.array([batch], pa.int64()), "property": ["p"]}))
        file = DataFile("verdicts", file_name(batch), batch, batch, 1, len(content), 0.0)
        store.put(file.path, content)
        manifest.commit(batch, [file])
    before = spark.conf.get(_SETTING)
    context = spark.sparkContext
    context.setJobGroup("listing", "the files of an output")
    try:
        rows = read_output(spark, str(tmp_path), "verdicts")
    finally:
        context.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]
    tracker = context.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup("listing")]
    stages = [tracker.getStageInfo(stage) for job in jobs if job is not None for stage in job.stageIds]
    tasks = [stage.numTasks for stage in stages if stage is not None]
    assert tasks
    assert max(tasks) <= 4 * context.defaultParallelism < BATCHES
    assert spark.conf.get(_SETTING) == before
    assert sorted(row["batch"] for row in rows.select("batch").collect()) == list(range(BATCHES))
    compact(store, now_s=0.0)
    merged = read_output(spark, str(tmp_path), "verdicts")
    assert sorted(row["batch"] for row in merged.select("batch").collect()) == list(range(BATCHES))
