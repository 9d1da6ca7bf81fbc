"""A Spark Connect server on this machine, in a process of its own, from pyspark's jars."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from types import TracebackType

import pyspark

from killing import end_session, wait_until
from latwin.spark.java import ensure_java
from latwin.spark.session import ROCKSDB

_SUBMIT = Path(pyspark.__file__).parent / "bin" / "spark-submit"
_CLASS = "org.apache.spark.sql.connect.service.SparkConnectServer"
_STARTED = re.compile(r"Spark Connect server started at: \S+:(\d+)")


class ConnectServer:
    """A server that is up between `with` and its end, on a port that the system gave it; `url` is for clients."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "connect-server.log"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""

    def __enter__(self) -> ConnectServer:
        ensure_java()
        settings = {
            "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.connect.grpc.binding.port": "0",
            "spark.sql.streaming.stateStore.providerClass": ROCKSDB,
            "spark.sql.shuffle.partitions": "2",
            "spark.ui.enabled": "false",
            "spark.driver.memory": "1g",
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        }
        command = [str(_SUBMIT), "--master", "local[2]", "--class", _CLASS]
        command += [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
        env = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": os.pathsep.join(sys.path)}
        env |= {"SPARK_LOCAL_IP": "127.0.0.1"}
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*command, "spark-internal"],
                stdout=log,
                stderr=log,
                env=env,
                cwd=self._folder,
                start_new_session=True,
            )
        try:
            wait_until(self._has_started)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the server, and its workers."""
        assert self._process is not None
        end_session(self._process)

    def log(self) -> str:
        return self._log.read_text(errors="replace")[-5000:]

    def _has_started(self) -> bool:
        assert self._process is not None
        if self._process.poll() is not None:
            raise RuntimeError(f"the server did not start:\n{self.log()}")
        found = _STARTED.search(self._log.read_text(errors="replace"))
        if found is not None:
            self.url = f"sc://127.0.0.1:{found[1]}"
        return found is not None
