"""A standalone Spark cluster on this machine: a master and workers, each a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import tarfile
from pathlib import Path
from types import TracebackType

import pyspark

import latwin
from killing import descendants, kill, wait_until
from latwin.spark.java import ensure_java

_SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"
_MASTER = "org.apache.spark.deploy.master.Master"
_WORKER = "org.apache.spark.deploy.worker.Worker"
#: what the command line of an executor has in it
EXECUTOR = "CoarseGrainedExecutorBackend"
#: the name under which the docs ship the environment
ENVIRONMENT = "environment"

_PYTHON = """#!/bin/sh
# Stands for the Python of a packed environment: it finds latwin beside itself, wherever it was unpacked.
here=$(cd "$(dirname "$0")/.." && pwd)
PYTHONPATH="$here/site${{PYTHONPATH:+:$PYTHONPATH}}" exec "{python}" "$@"
"""


class Cluster:
    """A master and two workers with one core each, up between `with` and its end."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self._folder = folder
        self._count = workers
        self._processes: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        self.url = ""

    def __enter__(self) -> Cluster:
        ensure_java()
        try:
            self._start_master()
            for number in range(self._count):
                self._start_worker(number)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def executors(self) -> list[int]:
        """The processes of executors, of all workers that live."""
        return [
            pid
            for worker in self.workers
            if worker.poll() is None
            for pid, command in descendants(worker.pid)
            if EXECUTOR in command
        ]

    def kill_executor(self) -> bool:
        """One of them, with nobody asked."""
        found = self.executors()
        return bool(found) and kill(found[0])

    def kill_worker(self) -> bool:
        """A worker and its executors, as if its machine were gone."""
        worker = self.workers.pop()
        below = [pid for pid, _ in descendants(worker.pid)]
        was_alive = kill(worker.pid)
        for pid in below:
            kill(pid)
        worker.wait()
        return was_alive

    def log(self) -> str:
        return "\n".join(path.read_text(errors="replace")[-3000:] for path in sorted(self._folder.glob("*.log")))

    def stop(self) -> None:
        """End all processes, those below workers, too."""
        for process in reversed(self._processes):
            below = [pid for pid, _ in descendants(process.pid)]
            process.kill()
            for pid in below:
                kill(pid)
            process.wait()

    def _start_master(self) -> None:
        log = self._start("master", _MASTER, "--port", "0")
        pattern = re.compile(r"Starting Spark master at (spark://\S+)")
        wait_until(lambda: bool(pattern.search(log.read_text(errors="replace"))) or self._has_ended("master"))
        found = pattern.search(log.read_text(errors="replace"))
        assert found is not None, self.log()
        self.url = found[1]

    def _start_worker(self, number: int) -> None:
        place = self._folder / f"worker-{number}"
        place.mkdir()
        log = self._start(f"worker-{number}", _WORKER, "-c", "1", "-m", "1g", "-d", str(place), self.url)
        self.workers.append(self._processes[-1])
        done = "Successfully registered with master"
        wait_until(lambda: done in log.read_text(errors="replace") or self._has_ended(f"worker {number}"))

    def _start(self, name: str, main: str, *arguments: str) -> Path:
        log = self._folder / f"{name}.log"
        command = [str(_SPARK_CLASS), main, "--host", "127.0.0.1", "--webui-port", "0", *arguments]
        # Workers must not find the sources of this checkout: what they run is what was shipped to them.
        hidden = ("PYTHONPATH", "PYSPARK_PYTHON", "NUMBA_CACHE_DIR")
        env = {key: value for key, value in os.environ.items() if key not in hidden}
        env |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m", "SPARK_LOCAL_DIRS": str(self._folder)}
        env |= {"SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
        with log.open("ab") as out:
            self._processes.append(
                subprocess.Popen(command, stdout=out, stderr=out, env=env, cwd=self._folder, start_new_session=True)
            )
        return log

    def _has_ended(self, name: str) -> bool:
        if self._processes[-1].poll() is not None:
            raise RuntimeError(f"the {name} did not start:\n{self.log()}")
        return False


def pack_environment(folder: Path, python: str) -> Path:
    """An archive as the docs have it, with `bin/python` and latwin; its other packages are those of `python`.

    It is unpacked beside the driver, too, as the docs say for client mode.
    """
    place = folder / ENVIRONMENT
    (place / "bin").mkdir(parents=True)
    program = place / "bin" / "python"
    program.write_text(_PYTHON.format(python=python))
    program.chmod(0o755)
    archive = folder / f"{ENVIRONMENT}.tar.gz"
    source = Path(latwin.__file__).parent
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(place, arcname=".")
        packed.add(source, arcname="./site/latwin", filter=lambda one: None if "__pycache__" in one.name else one)
    with tarfile.open(archive) as packed:
        packed.extractall(place, filter="fully_trusted")
    return archive
