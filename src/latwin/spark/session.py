"""A Spark session with sensible defaults, for whoever has none; a user's own session is left as it is."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Mapping
from typing import Any

from py4j.java_gateway import JavaClass  # type: ignore[import-untyped]
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession

from latwin.spark.delta import delta_settings, require_delta
from latwin.spark.java import ensure_java
from latwin.spark.packages import JarsMissing, connector_of, kafka_settings, merged

ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
#: a master in this process that says nothing of failures
_LOCAL = re.compile(r"local(?:\[\s*(\*|\d+)\s*\])?")
#: as spark.task.maxFailures, which Spark does not read for a local master
_ATTEMPTS = 4
_PROVIDER = "spark.sql.streaming.stateStore.providerClass"


def create_session(
    master: str | None = None,
    conf: Mapping[str, Any] | None = None,
    *,
    kafka: bool = False,
    delta: bool = False,
    jars: str | os.PathLike[str] | None = None,
) -> SparkSession:
    """A session with latwin's defaults, or the running one.

    `master` is `local[*]` unless given or set by spark-submit; a local one that says nothing of failures gets four
    attempts for each task, as a cluster's. `conf` overrides any default. With `kafka`, Spark's
    Kafka connector comes along, with `delta` Delta: from the folder `jars` if given, else as `latwin.spark.packages`
    finds it. Raises JarsMissing if it cannot be had, or if the running session lacks it.
    """
    active = SparkSession.getActiveSession()
    if active is not None:
        warn_about(active)
        if kafka:
            require_connector(active)
        if delta:
            require_delta(active)
        return active
    ensure_java()
    given = {name: str(value) for name, value in (conf or {}).items()}
    if "spark.master" in given:
        given["spark.master"] = with_attempts(given["spark.master"])
    connector = kafka_settings(jars) if kafka and not _brings_connector(given) else {}
    if delta:
        connector = merged(connector, delta_settings(jars))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers must have latwin too
    cores = os.cpu_count() or 2
    builder: Any = SparkSession.builder.appName("latwin")
    if master is not None:
        builder = builder.master(with_attempts(master))
    elif "SPARK_MASTER" not in os.environ and "PYSPARK_GATEWAY_PORT" not in os.environ:
        builder = builder.master(with_attempts("local[*]"))
    defaults: dict[str, str] = {
        _PROVIDER: ROCKSDB,
        "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
        "spark.sql.shuffle.partitions": str(cores),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "50000",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.memory": "2g",
        "spark.log.level": "ERROR",
        # How long Java and a Python worker wait for each other when they connect; 15 s are little on a busy machine.
        "spark.python.authenticate.socketTimeout": "120s",
    }
    for name, value in merged({**defaults, **given}, connector).items():
        builder = builder.config(name, value)
    try:
        session: SparkSession = builder.getOrCreate()
    except PySparkRuntimeError as error:
        if "spark.jars.packages" in connector:  # the likeliest reason for a Java that ends at once
            raise JarsMissing(
                f"Spark could not start, probably as it could not fetch {connector_of()}: install Maven, or where "
                "there is a network run `latwin jars --out DIR` and set LATWIN_JARS=DIR here"
            ) from error
        raise
    if kafka:
        require_connector(session)
    if delta:
        require_delta(session)
    session.sparkContext.setLogLevel(str((conf or {}).get("spark.log.level", "ERROR")))
    return session


def with_attempts(master: str) -> str:
    """A local master that gives each task as many attempts as a cluster does, unless it says how many.

    Without, Spark gives up at the first hiccup of a machine, such as a Python worker that starts too slowly.

    >>> with_attempts("local[2]"), with_attempts("local[2,1]"), with_attempts("spark://host:7077")
    ('local[2,4]', 'local[2,1]', 'spark://host:7077')
    """
    found = _LOCAL.fullmatch(master)
    return f"local[{found[1] or 1},{_ATTEMPTS}]" if found else master


def _brings_connector(conf: Mapping[str, str]) -> bool:
    """Whether the caller's own settings name the Kafka connector."""
    return any("spark-sql-kafka-0-10" in conf.get(name, "") for name in ("spark.jars", "spark.jars.packages"))


def require_connector(session: SparkSession) -> None:
    """Raise JarsMissing unless the session has Spark's Kafka connector."""
    jvm: Any = session._jvm
    if not isinstance(jvm.org.apache.spark.sql.kafka010.KafkaSourceProvider, JavaClass):
        raise JarsMissing(
            "this Spark session has no Kafka connector, and a running one cannot get it: start it with "
            f"latwin.spark.create_session(kafka=True), or with --packages {connector_of()}"
        )


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
