"""The live office as a whole: three programs, a collector, a pipeline on Spark, and the way back to the phone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Lock, Thread, Timer
from time import monotonic
from typing import IO, Any, NamedTuple
from uuid import uuid4

import msgspec
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it

from latwin.demo.day import SPEC_TEXT
from latwin.demo.device import ROLES
from latwin.demo.device import Settings as DeviceSettings
from latwin.errors import LatwinError
from latwin.monitor import Monitor
from latwin.process.collector import Collector
from latwin.spark.checkpoint import Checkpoint
from latwin.spark.loop import RunSummary
from latwin.spark.run import Hooks, RunOptions, run
from latwin.spark.sinks import BatchSummary
from latwin.spark.sinks.folder import read_output
from latwin.spark.sources.files import Reading
from latwin.spec import Spec

GROUP = "office"
_END_S = 30.0


class Happening(NamedTuple):
    """Something a device says: `happens`, `hears`, `acts`, `rests` or `fails`."""

    seconds: float
    device: str
    kind: str
    text: Any


class LiveSummary(NamedTuple):
    """What came of it."""

    states: int
    messages: int
    verdicts: int
    #: how often the phone was told to mute itself, or to ring again; at rest it does so without a state
    acts: int
    #: whether the pipeline said what a local monitor says of the same events
    is_equal: bool
    was_interrupted: bool


class DeviceFailed(LatwinError):
    """A device ended before it should; the message is its own."""


class LiveOffice:
    """Runs the office for some seconds; `on_happening` hears of everything, from several threads.

    Everything is in `folder`: spec, journals, events, output, checkpoint. With `kafka` (host:port/topic) devices
    report to that topic instead of a collector, and the pipeline reads it.
    """

    def __init__(
        self,
        folder: Path,
        *,
        seconds: float,
        seed: int,
        kafka: str | None = None,
        on_happening: Callable[[Happening], object],
    ) -> None:
        self.folder = folder
        self.spec = Spec.load(_write(folder / "spec.toml", SPEC_TEXT))
        self._seconds = seconds
        self._seed = seed
        self._kafka = kafka
        #: a topic may hold the office of another time
        self._group = GROUP if kafka is None else f"{GROUP} {uuid4().hex[:8]}"
        self._tell = on_happening
        self._devices: dict[str, subprocess.Popen[str]] = {}
        self._listeners: list[Thread] = []
        self._counts = {"hears": 0, "acts": 0}
        #: of each device that rests, how many states it reported
        self._states: dict[str, int] = {}
        self._is_ending = False
        self._failure: str | None = None
        self._lock = Lock()
        self._batches = self._looked_at = 0
        self._began = monotonic()

    def run(self, session: SparkSession) -> LiveSummary:
        """Start all; let the devices come to rest; when the pipeline has said all, end the devices."""
        (self.folder / "events").mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            collector: Collector | None = None
            if self._kafka is None:
                collector = stack.enter_context(Collector(self.folder / "events", gather_s=0.2))
            stack.callback(self._end_devices)
            ports, verdict_port = self._start_devices(
                collector.url if collector is not None else f"kafka://{self._kafka}"
            )
            timer = Timer(self._seconds, self._let_rest)
            stack.callback(timer.cancel)

            def begin(_: Checkpoint) -> None:
                self._began = monotonic()
                for name, device in self._devices.items():
                    peers = {other: port for other, port in ports.items() if other != name}
                    _send(device, msgspec.json.encode(peers).decode())
                timer.start()

            summary = run(
                session,
                self.spec,
                input=f"kafka://{self._kafka}" if self._kafka is not None else str(self.folder / "events"),
                output=str(self.folder / "output"),
                checkpoint=str(self.folder / "checkpoint"),
                options=RunOptions(
                    reading=Reading(format=None if self._kafka is not None else "jsonl"),
                ),
                hooks=Hooks(
                    notify=f"http://127.0.0.1:{verdict_port}/",
                    on_start=begin,
                    on_batch=self._count_batch,
                    until=lambda: self._is_done(session),
                ),
            )
        if self._failure is not None:
            raise DeviceFailed(self._failure)
        return self._summary(summary, self._compare(session))

    # -- the devices -----------------------------------------------------------------------------

    def _start_devices(self, report_to: str) -> tuple[dict[str, int], int]:
        """Start the programs; where they listen for each other, and where the phone listens for verdicts."""
        ports: dict[str, int] = {}
        verdict_port = 0
        for name in ROLES:
            settings = DeviceSettings(
                name=name,
                group=self._group,
                report_to=report_to,
                journal=str(self.folder / f"{name}.journal"),
                seed=self._seed,
                false_mean_s=2.0,
                true_mean_s=5.0,
                delay_mean_s=0.5,
            )
            self._devices[name] = subprocess.Popen(
                [sys.executable, "-m", "latwin.demo.device", msgspec.json.encode(settings).decode()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,  # Ctrl-C is for this program, which then ends them
            )
        for name, device in self._devices.items():
            said: dict[str, Any] = next(_lines(device), {"fails": "it ended at once"})
            if "listens" not in said:
                raise DeviceFailed(f"the {name} could not start: {said.get('fails', said)}")
            ports[name] = said["listens"]
            verdict_port = said.get("verdicts") or verdict_port
            listener = Thread(target=self._listen, args=(name, device), daemon=True)
            listener.start()
            self._listeners.append(listener)
        return ports, verdict_port

    def _listen(self, name: str, device: subprocess.Popen[str]) -> None:
        """Hear what a device says, until it ends."""
        for said in _lines(device):
            kind = next(iter(said))
            with self._lock:
                if kind in self._counts:
                    self._counts[kind] += 1
                if kind == "rests":
                    self._states[name] = said[kind]
                if kind == "fails":
                    self._failure = f"the {name} failed: {said[kind]}"
            self._tell(Happening(monotonic() - self._began, name, kind, said[kind]))
        if name not in self._states and not self._is_ending:
            self._failure = self._failure or f"the {name} ended before it should"

    def _let_rest(self) -> None:
        for device in self._devices.values():
            _send(device, "rest")

    def _end_devices(self) -> None:
        """Let them report what they have to, and end."""
        self._is_ending = True
        for device in self._devices.values():
            with suppress(OSError):
                _input_of(device).close()
        for device in self._devices.values():
            try:
                device.wait(_END_S)
            except subprocess.TimeoutExpired:
                device.kill()
        for listener in self._listeners:
            listener.join(_END_S)

    # -- the pipeline ----------------------------------------------------------------------------

    def _count_batch(self, batch: BatchSummary) -> None:
        self._batches = batch.batch_id + 1

    def _is_done(self, session: SparkSession) -> bool:
        """When the devices rest and all that they reported has been through the pipeline, or when one failed."""
        if self._failure is not None:
            return True
        if len(self._states) < len(self._devices) or self._batches == self._looked_at:
            return False
        self._looked_at = self._batches
        metrics = read_output(session, str(self.folder / "output"), "metrics").where(F.col("group") == self._group)
        delivered = metrics.agg(F.max("delivered")).first()
        return delivered is not None and (delivered[0] or 0) >= sum(self._states.values())

    def _compare(self, session: SparkSession) -> bool:
        """Whether a local monitor says the same of the same events, in their order of arrival."""
        events = self._events_of_topic(session) if self._kafka is not None else self._events_of_folder()
        local = [(v.property, v.slide, v.value) for v in Monitor(self.spec).observe_many(events)]
        verdicts = read_output(session, str(self.folder / "output"), "verdicts").where(F.col("group") == self._group)
        return sorted(local) == sorted((row.property, row.slide, row.value) for row in verdicts.collect())

    def _events_of_folder(self) -> list[dict[str, Any]]:
        files = (self.folder / "events").glob("*.jsonl")
        lines = [line for path in files for line in path.read_bytes().split(b"\n") if line]
        return sorted(map(msgspec.json.decode, lines), key=lambda event: int(event["arrival"]))

    def _events_of_topic(self, session: SparkSession) -> list[dict[str, Any]]:
        assert self._kafka is not None
        servers, _, topic = self._kafka.partition("/")
        records = (
            session.read.format("kafka")
            .options(**{"kafka.bootstrap.servers": servers, "subscribe": topic})
            .load()
            .where(F.col("key") == F.lit(self._group).cast("binary"))
        )
        return [msgspec.json.decode(bytes(row.value)) for row in records.orderBy("partition", "offset").collect()]

    def _summary(self, done: RunSummary, is_equal: bool) -> LiveSummary:
        return LiveSummary(
            states=sum(self._states.values()),
            messages=self._counts["hears"],
            verdicts=done.verdicts,
            acts=self._counts["acts"],
            is_equal=is_equal,
            was_interrupted=done.interrupted,
        )


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _input_of(device: subprocess.Popen[str]) -> IO[str]:
    assert device.stdin is not None
    return device.stdin


def _send(device: subprocess.Popen[str], line: str) -> None:
    with suppress(OSError):  # one that ended is noticed by its silence
        _input_of(device).write(line + "\n")
        _input_of(device).flush()


def _lines(device: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    assert device.stdout is not None
    for line in device.stdout:
        yield msgspec.json.decode(line)
