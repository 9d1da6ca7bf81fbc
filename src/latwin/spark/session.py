"""A Spark session with sensible defaults, for whoever has none; a user's own session is left as it is."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping
from typing import Any

from pyspark.sql import SparkSession

from latwin.spark.java import ensure_java

ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
_PROVIDER = "spark.sql.streaming.stateStore.providerClass"


def create_session(master: str | None = None, conf: Mapping[str, Any] | None = None) -> SparkSession:
    """A session with latwin's defaults, or the running one.

    `master` is `local[*]` unless given or set by spark-submit; `conf` overrides any default.
    """
    active = SparkSession.getActiveSession()
    if active is not None:
        warn_about(active)
        return active
    ensure_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers must have latwin too
    cores = os.cpu_count() or 2
    builder: Any = SparkSession.builder.appName("latwin")
    if master is not None:
        builder = builder.master(master)
    elif "SPARK_MASTER" not in os.environ and "PYSPARK_GATEWAY_PORT" not in os.environ:
        builder = builder.master("local[*]")
    defaults: dict[str, Any] = {
        _PROVIDER: ROCKSDB,
        "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
        "spark.sql.shuffle.partitions": str(cores),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "50000",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.memory": "2g",
        "spark.log.level": "ERROR",
    }
    for name, value in {**defaults, **(conf or {})}.items():
        builder = builder.config(name, str(value))
    session: SparkSession = builder.getOrCreate()
    session.sparkContext.setLogLevel(str((conf or {}).get("spark.log.level", "ERROR")))
    return session


def warn_about(session: SparkSession) -> None:
    """Name settings of a user's session that hurt; nothing is changed."""
    if session.conf.get(_PROVIDER, "") != ROCKSDB:
        warnings.warn(
            f"latwin: {_PROVIDER} is not RocksDB; transformWithState needs it: set it to {ROCKSDB}", stacklevel=3
        )
    partitions = int(session.conf.get("spark.sql.shuffle.partitions", "200") or 200)
    cores = session.sparkContext.defaultParallelism
    if partitions > 8 * cores:
        warnings.warn(
            f"latwin: spark.sql.shuffle.partitions is {partitions} on {cores} cores; every micro-batch pays for each "
            "partition. A small multiple of the cores is better (it is fixed at a query's first start)",
            stacklevel=3,
        )
