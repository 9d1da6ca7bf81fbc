"""A standalone Spark cluster on this machine: a master and workers, each a process of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import TracebackType

import pyspark

from killing import descendants, end_session, kill, wait_until
from latwin.spark.java import ensure_java

_ROOT = Path(__file__).parents[2]
#: the environment is kept between runs: only latwin is installed anew
_ENVIRONMENTS = _ROOT / "build" / "venvs" / "cluster"
_SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"
_MASTER = "org.apache.spark.deploy.master.Master"
_WORKER = "org.apache.spark.deploy.worker.Worker"
#: what the command line of an executor has in it
EXECUTOR = "CoarseGrainedExecutorBackend"
#: the name under which the docs ship the environment
ENVIRONMENT = "environment"


class Cluster:
    """A master and two workers with one core each, up between `with` and its end.

    Each is the leader of a session: whatever belongs to it is found at the end, also if it is an orphan by then.
    """

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
        wait_until(lambda: bool(self.executors()))
        return kill(self.executors()[0])

    def kill_worker(self) -> bool:
        """A worker and its executors, as if its machine were gone."""
        return end_session(self.workers.pop())

    def log(self) -> str:
        return "\n".join(path.read_text(errors="replace")[-3000:] for path in sorted(self._folder.glob("*.log")))

    def stop(self) -> None:
        """End all processes, those below workers, too; of their folders the logs are left."""
        for process in reversed(self._processes):
            end_session(process)
        for place in self._folder.iterdir():
            if place.is_dir():
                shutil.rmtree(place)

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
        options = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dspark.master.rest.enabled=false"
        env |= {"SPARK_DAEMON_JAVA_OPTS": options}
        with log.open("ab") as out:
            self._processes.append(
                subprocess.Popen(command, stdout=out, stderr=out, env=env, cwd=self._folder, start_new_session=True)
            )
        return log

    def _has_ended(self, name: str) -> bool:
        if self._processes[-1].poll() is not None:
            raise RuntimeError(f"the {name} did not start:\n{self.log()}")
        return False


def pack_environment(folder: Path) -> None:
    """Make `environment.tar.gz` in `folder` as the docs say, and `environment` beside it, as client mode needs it."""
    place = _ENVIRONMENTS / ENVIRONMENT
    python = place / "bin" / "python"
    locked = ["-c", str(_ROOT / "constraints.txt")]
    if not (_ENVIRONMENTS / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(place)], check=True)
        _install(python, *locked, f"{_ROOT}[spark]", "venv-pack")
        (_ENVIRONMENTS / "ready").touch()
    _install(python, "--force-reinstall", "--no-deps", str(_ROOT))
    (folder / ENVIRONMENT).symlink_to(place)
    command = [str(place / "bin" / "venv-pack"), "--quiet", "--prefix", str(place), "--compress-level", "1"]
    subprocess.run([*command, "--output", str(folder / f"{ENVIRONMENT}.tar.gz")], check=True)


def _install(python: Path, *what: str) -> None:
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", *what], check=True)
