"""A Spark session with sensible defaults, for whoever has none; a user's own session is left as it is."""

from __future__ import annotations

import os
import re
import socket
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from py4j.java_gateway import JavaClass  # type: ignore[import-untyped]
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession

from latwin.errors import InvalidInput
from latwin.spark.delta import delta_settings, require_delta
from latwin.spark.java import ensure_java
from latwin.spark.packages import JarsMissing, connector_of, kafka_settings, merged
from latwin.spark.starting import leaving_no_java

ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
#: a master in this process that says nothing of failures
_LOCAL = re.compile(r"local(?:\[\s*(\*|\d+)\s*\])?")
#: as spark.task.maxFailures, which Spark does not read for a local master
_ATTEMPTS = 4
#: sessions whose workers were asked for latwin
_ASKED: list[SparkSession] = []
_PROVIDER = "spark.sql.streaming.stateStore.providerClass"
_CONNECT = "detect, replay and outputs work there, with Spark's own sources and sinks"
_JAVA_OPTIONS = "spark.driver.extraJavaOptions"
_LOGGING = Path(__file__).with_name("log4j2.properties")


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
    finds it. Raises JarsMissing if it cannot be had, or if the running session lacks it, and InvalidInput for Spark
    Connect.
    """
    if master is not None and master.startswith("sc:"):
        raise InvalidInput(
            f"{master} is a server of Spark Connect, for which there is SparkSession.builder.remote; {_CONNECT}"
        )
    active = SparkSession.getActiveSession()
    if active is not None:
        require_classic(active, "create_session")
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
        # How long Java and a Python worker wait for each other when they connect; 15 s are little on a busy machine.
        "spark.python.authenticate.socketTimeout": "120s",
        # A query that does not end when it is stopped must not hold up the end of the pipeline.
        "spark.sql.streaming.stopTimeout": "30s",
        # Delta reads the log of each of three tables in every batch: in 50 tasks unless told, most of them empty.
        "spark.databricks.delta.snapshotPartitions": str(cores),
    }
    quiet = {} if "spark.log.level" in given else quiet_logging(given.get(_JAVA_OPTIONS, ""))
    for name, value in merged({**defaults, **given, **quiet}, connector).items():
        builder = builder.config(name, value)
    try:
        with leaving_no_java():
            session: SparkSession = builder.getOrCreate()
    except PySparkRuntimeError as error:
        require_own_address()
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


def require_own_address() -> None:
    """Raise InvalidInput if this machine cannot find itself by its name, without which no Java of Spark starts."""
    name = socket.gethostname()
    if "SPARK_LOCAL_IP" in os.environ:
        return
    try:
        socket.getaddrinfo(name, None)
    except OSError:
        raise InvalidInput(
            f"Spark could not start: the name of this machine, {name!r}, has no address; add it to /etc/hosts, or "
            "set SPARK_LOCAL_IP to 127.0.0.1 (on a cluster, to the address at which others reach this machine)"
        ) from None


def require_classic(session: SparkSession, what: str) -> None:
    """Raise InvalidInput for a session of Spark Connect, which has no Java that this process could ask."""
    if type(session).__module__.startswith("pyspark.sql.connect"):
        raise InvalidInput(f"{what} needs a classic Spark session, and this is one of Spark Connect; {_CONNECT}")


def quiet_logging(java_options: str = "") -> dict[str, str]:
    """Settings with which Spark logs errors only, also while it starts; none if logging is configured elsewhere.

    Elsewhere is in the options of Java, or in a file `log4j2.*` of Spark's folder of settings.
    """
    homes = [os.environ.get("SPARK_CONF_DIR"), os.path.join(os.environ.get("SPARK_HOME", ""), "conf")]
    is_configured = any(home and any(Path(home).glob("log4j2.*")) for home in homes)
    if is_configured or "log4j" in java_options or not _LOGGING.is_file():  # no file: the package is in an archive
        return {}
    return {_JAVA_OPTIONS: f"{java_options} -Dlog4j2.configurationFile={_LOGGING.as_uri()}".strip()}


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


def warn_about_query(session: SparkSession) -> threading.Thread | None:
    """Say in a sentence each why a streaming query will fail in this session: no RocksDB, or workers without latwin.

    Workers are asked once a session, by a job of one task that nobody waits for; the thread that asks is returned.
    """
    _warn_about_store(session, stacklevel=5)
    if any(session is known for known in _ASKED):
        return None
    _ASKED.append(session)
    thread = threading.Thread(target=_ask_workers, args=[session], name="latwin-ask-workers", daemon=True)
    thread.start()
    return thread


def _warn_about_store(session: SparkSession, stacklevel: int) -> None:
    if session.conf.get(_PROVIDER, "") != ROCKSDB:
        warnings.warn(
            f"latwin: {_PROVIDER} is not RocksDB, and a streaming query needs it: set it to {ROCKSDB}",
            stacklevel=stacklevel,
        )


def _ask_workers(session: SparkSession) -> None:
    try:
        session.range(0, 1, 1, 1).mapInArrow(_same, "id bigint").collect()
    except Exception as error:  # noqa: BLE001 - whatever else is wrong, the query will say
        if "No module named 'latwin'" in str(error):
            warnings.warn(
                "latwin: the Python workers of this Spark session cannot import latwin: install it where they run, "
                "and name that Python by PYSPARK_PYTHON or spark.pyspark.python",
                stacklevel=1,
            )


def _same(batches: Iterator[Any]) -> Iterator[Any]:
    """Workers find this by its name, so only if they have latwin."""
    return batches


def warn_about(session: SparkSession) -> None:
    """Name settings of a user's session that hurt; nothing is changed."""
    _warn_about_store(session, stacklevel=4)
    partitions = int(session.conf.get("spark.sql.shuffle.partitions", "200") or 200)
    cores = session.sparkContext.defaultParallelism
    if partitions > 8 * cores:
        warnings.warn(
            f"latwin: spark.sql.shuffle.partitions is {partitions} on {cores} cores; every micro-batch pays for each "
            "partition. A small multiple of the cores is better (it is fixed at a query's first start)",
            stacklevel=3,
        )
