"""A real Kafka for tests: one broker in KRaft mode on loopback, from its Maven artifacts, in a folder of its own.

Also Spark's connector for it. Both are fetched by Maven, once, into the project's build folder.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from uuid import uuid4

from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from latwin.spark.delta import delta_of
from latwin.spark.java import ensure_java
from latwin.spark.packages import JarsMissing, cache_folder, connector_of, copy_with_maven, fetch_jars

VERSION = "4.1.1"
#: the newest connector and token provider that were tried on other versions of Spark than their own
_STAND_INS = (connector_of("4.2.0"), "org.apache.spark:spark-token-provider-kafka-0-10_2.13:4.1.0-preview1")
_CACHE = Path(__file__).parents[2] / "build" / "jars"
_PATIENCE_S = 120.0
_MOST_STARTS = 5
_CLUSTER = "bGF0d2luLXRlc3RzLTAwMQ"  # any 16 bytes in base64

_SETTINGS = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{broker},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{broker}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={folder}/logs
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
log.flush.interval.messages=9223372036854775807
num.network.threads=2
num.io.threads=2
"""
_LOGGING = """
status = warn
appender.file.type = Console
appender.file.name = out
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d %p %m (%c)%n
rootLogger.level = warn
rootLogger.appenderRefs = out
rootLogger.appenderRef.out.ref = out
"""


def broker_jars() -> list[Path]:
    """Kafka's jars, fetched once into the project's build folder."""
    folder = _CACHE / f"kafka-{VERSION}"
    main = folder / f"kafka_2.13-{VERSION}.jar"
    if not main.exists():
        copy_with_maven([f"org.apache.kafka:kafka_2.13:{VERSION}"], folder)
    return sorted(folder.glob("*.jar"))


def connector_jars() -> Path:
    """The folder of the connector: of the installed pyspark's version if the repository has all of it.

    A repository can lag behind PyPI. Then jars of neighbouring versions stand in, which is said on the terminal:
    the tests are to tell about latwin, and Spark's promise that versions match is for `latwin jars` to keep.
    """
    exact, stand_in = _CACHE / f"connector-{cache_folder().name}", _CACHE / "connector-stand-in"
    if _has_connector(exact):
        return exact
    if not _has_connector(stand_in):
        try:
            fetch_jars(exact)
        except JarsMissing as error:
            print(f"Kafka's connector of pyspark's version is missing: {error}")
            copy_with_maven(_STAND_INS, stand_in, beside_spark=True)
        else:
            return exact
    print(f"Kafka's connector is not of pyspark's version: {', '.join(_STAND_INS)}")
    return stand_in


def delta_jars() -> Path:
    """The folder of Delta's jars, fetched once; JarsMissing if there are none for the installed pyspark."""
    coordinate = delta_of()
    folder = _CACHE / coordinate.replace(":", "-")
    if not any(folder.glob("delta-spark_*.jar")):
        copy_with_maven([coordinate], folder, beside_spark=True)
    return folder


def _has_connector(folder: Path) -> bool:
    return any(folder.glob("spark-sql-kafka-0-10_*.jar"))


class Broker:
    """A broker that is up between `with` and its end. `server` is `host:port`."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="latwin-kafka-"))
        self._log = self.folder / "log.txt"
        self._process: subprocess.Popen[bytes] | None = None
        self._command: list[str] = []
        self.server = ""

    def __enter__(self) -> Broker:
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def create(self, topic: str, partitions: int = 1) -> str:
        """A new topic; its name with something random behind it, so that tests do not meet."""
        name = f"{topic}-{uuid4().hex[:8]}"
        self.create_named(name, partitions)
        return name

    def create_named(self, topic: str, partitions: int = 1) -> None:
        client = AdminClient({"bootstrap.servers": self.server})  # it must outlive what it was asked for
        client.create_topics([NewTopic(topic, partitions, 1)])[topic].result(_PATIENCE_S)

    def crash(self) -> None:
        """Kill it; what it took is still on its disk."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def come_back(self) -> None:
        """Start it again where it was, after a crash."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        self._wait()

    def stop(self) -> None:
        """End the broker and remove its folder."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self) -> None:
        """On ports that are free; if another program gets one before the broker does, on others."""
        for number in range(1, _MOST_STARTS + 1):
            try:
                self._start_in(self.folder / f"{number}")
            except RuntimeError as error:
                if "Address already in use" not in str(error) or number == _MOST_STARTS:
                    raise
            else:
                return

    def _start_in(self, folder: Path) -> None:
        folder.mkdir()
        self._log = folder / "log.txt"
        ensure_java()
        home = os.environ.get("JAVA_HOME")
        java = str(Path(home) / "bin" / "java") if home else "java"
        broker, controller = _free_ports(2)
        settings = folder / "server.properties"
        settings.write_text(_SETTINGS.format(broker=broker, controller=controller, folder=folder))
        logging = folder / "log4j2.properties"
        logging.write_text(_LOGGING)
        run = [
            java,
            "-Xmx384m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            f"-Dlog4j2.configurationFile={logging}",
        ]
        run += ["-cp", ":".join(map(str, broker_jars()))]
        with self._log.open("ab") as log:
            formatting = [*run, "kafka.tools.StorageTool", "format", "-t", _CLUSTER, "-c", str(settings)]
            done = subprocess.run(formatting, stdout=log, stderr=log, check=False)
            if done.returncode:
                raise RuntimeError(f"the broker's storage could not be formatted:\n{self.log()}")
            self._command = [*run, "kafka.Kafka", str(settings)]
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        self.server = f"127.0.0.1:{broker}"
        self._wait()

    def _wait(self) -> None:
        """Until it answers."""
        assert self._process is not None
        client = AdminClient({"bootstrap.servers": self.server, "log_level": 0})
        end = time.monotonic() + _PATIENCE_S
        while True:
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the broker did not start:\n{self.log()}")
            try:
                if client.list_topics(timeout=1).brokers:
                    return
            except Exception:  # noqa: BLE001 - not yet
                time.sleep(0.1)

    def log(self) -> str:
        return self._log.read_text(errors="replace")[-10_000:]


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in sockets]
    finally:
        for one in sockets:
            one.close()
