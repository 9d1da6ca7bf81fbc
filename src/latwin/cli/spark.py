"""What the commands on Spark share: their options, a session for one command, the live line, the closing report."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latwin.cli.option_groups import OptionGroup
from latwin.cli.terminal import UNANSWERED, make_console, print_json, print_labelled
from latwin.errors import InvalidInput
from latwin.events.escaping import one_line
from latwin.formats.endings import FileFormat

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from latwin.spark.checkpoint import Checkpoint
    from latwin.spark.loop import Progress, Restart, RunSummary
    from latwin.spark.operators import Detection
    from latwin.spark.sinks import BatchSummary
    from latwin.spark.watching import Refused
    from latwin.spec import Spec

NEVER_CAME_TRUE = 1
INTERRUPTED = 130
#: the file of Spark's log is emptied when it is larger, which is looked at so often
_MOST_LOG_BYTES = 64 * 2**20
_LOOK_AT_LOG_S = 60.0
_WAY_OUT = "the order of the events is not an order of arrival; give them an `arrival`, or a log --order causal"

FormatOption = Annotated[
    FileFormat,
    typer.Option("--format", help="What the files are; told by their endings, else by the first file, unless given."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]


@dataclass(frozen=True)
class DetectionOptions(OptionGroup):
    """What is computed."""

    every: Annotated[
        bool, typer.Option("--every", help="Report every property at every slide, not only changes.")
    ] = False
    observations: Annotated[
        bool,
        typer.Option(
            "--observations", help="For a false `definitely`, add an observation that avoids the condition."
        ),
    ] = False

    def detection(self) -> Detection:
        """For the pipeline."""
        from latwin.spark.operators import Detection

        return Detection(self.every, self.observations)


@dataclass(frozen=True)
class SessionOptions(OptionGroup):
    """Where Spark runs, and how."""

    master: Annotated[
        str | None, typer.Option(metavar="URL", help="Spark master URL; default: this machine, all cores.")
    ] = None
    conf: Annotated[
        list[str] | None,
        typer.Option("--conf", metavar="KEY=VALUE", help="A Spark setting; may be repeated."),
    ] = None


@contextmanager
def spark_session(
    options: SessionOptions, *, kafka: bool = False, delta: bool = False, jars: Path | None = None
) -> Iterator[SparkSession]:
    """A session for one command; what Spark raises becomes one message, and what it logs goes to a file."""
    settings, master = _settings(options.conf or ()), options.master
    check_installed()
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    from latwin.spark.causes import Explained, QueryFailed, failure_of
    from latwin.spark.session import create_session

    is_ours = SparkSession.getActiveSession() is None
    session, log = None, None
    try:
        if is_ours:
            with _log_file() as log:
                session = create_session(master, settings, kafka=kafka, delta=delta, jars=jars)
        else:
            session = create_session(master, settings, kafka=kafka, delta=delta, jars=jars)
        with _bounded(log):
            yield session
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except (PySparkException, Py4JError, QueryFailed) as error:
        failed = error if isinstance(error, QueryFailed) else failure_of(error)
        if isinstance(failed, Explained):
            raise failed from error
        details = f"\n(Spark's log: {log})" if log is not None else ""
        log = None  # it is needed
        raise QueryFailed(f"Spark failed: {failed}{details}") from error
    finally:
        if session is not None and is_ours:
            session.stop()
        if log is not None:
            log.unlink(missing_ok=True)


@contextmanager
def _log_file() -> Iterator[Path]:
    """A file that programs started meanwhile have as their stderr: Spark and its workers are talkative."""
    descriptor, name = tempfile.mkstemp(prefix="latwin-spark-", suffix=".log")
    os.close(descriptor)
    descriptor = os.open(name, os.O_WRONLY | os.O_APPEND)  # so that it can be emptied, see `_bounded`
    before, original = sys.stderr, os.dup(2)
    try:
        is_real = sys.stderr.fileno() == 2
    except (OSError, AttributeError, ValueError):
        is_real = False
    if is_real:  # what this program says goes on to its own
        sys.stderr = os.fdopen(os.dup(2), "w", buffering=1, encoding=before.encoding, errors=before.errors)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    try:
        yield Path(name)
    finally:
        os.dup2(original, 2)
        os.close(original)
        sys.stderr = before


@contextmanager
def _bounded(log: Path | None) -> Iterator[None]:
    """Empty a log that has grown too large, again and again: workers write some lines to it in every batch."""
    ended = Event()

    def watch() -> None:
        while log is not None and not ended.wait(_LOOK_AT_LOG_S):
            with suppress(OSError):
                if log.stat().st_size > _MOST_LOG_BYTES:
                    os.truncate(log, 0)

    Thread(target=watch, name="latwin log", daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def _settings(conf: Sequence[str]) -> dict[str, str]:
    settings = {}
    for setting in conf:
        name, equals, value = setting.partition("=")
        if not name or not equals:
            raise InvalidInput(f"--conf must be KEY=VALUE; got {setting!r}")
        settings[name] = value
    return settings


def check_installed() -> None:
    """Raise InvalidInput unless there is a Spark to import."""
    from importlib.util import find_spec

    missing = [name for name in ("pyspark", "pyarrow", "pandas") if find_spec(name) is None]
    if missing:
        raise InvalidInput(f"this needs Spark ({', '.join(missing)} is missing): pip install 'latwin[spark]'")


class LiveLine:
    """What happens, on stderr: one line that changes on a terminal, else one line a batch."""

    def __init__(self) -> None:
        console = make_console(stderr=True)
        self._status = console.status("starting Spark") if console.is_terminal else None
        self._since = monotonic()
        self._verdicts = self._rejects = 0

    def __enter__(self) -> LiveLine:
        """Show that something happens."""
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line away."""
        if self._status is not None:
            self._status.stop()

    def started(self, checkpoint: Checkpoint) -> None:
        """The query begins, or goes on."""
        for change in checkpoint.changes:
            print_labelled("the spec changed: ", "bold yellow", change)
        self._tell("waiting for events" if checkpoint.is_new else "continuing from the checkpoint")
        self._since = monotonic()

    def batch(self, batch: BatchSummary) -> None:
        """A batch is done."""
        now = monotonic()
        rate = batch.events / max(now - self._since, 1e-3)
        self._since = now
        self._verdicts += batch.verdicts
        self._rejects += batch.rejects
        so_far = f"so far {_count(self._verdicts, 'verdict')}, {_count(self._rejects, 'reject')}"
        self._tell(
            f"batch {batch.batch_id}: {_count(batch.events, 'event')} ({rate:,.0f}/s), "
            f"{_count(batch.groups, 'group')}, {batch.waiting:,} waiting; {so_far}"
        )

    def progress(self, progress: Progress) -> None:
        """What Spark says of a batch is for logs and metrics."""

    def new_rules(self, checkpoint: Checkpoint) -> None:
        """Other rules count from the next batch on."""
        for change in checkpoint.changes:
            print_labelled("the spec changed: ", "bold yellow", change)
        latest = checkpoint.rules.latest
        self._tell(f"version {latest.number} of the rules counts from batch {latest.from_batch} on")

    def refused(self, refused: Refused) -> None:
        """New rules cannot be used."""
        print_labelled("the new rules are refused, those of before go on: ", "bold yellow", one_line(refused.reason))

    def restart(self, restart: Restart) -> None:
        """The query failed and is started again."""
        print_labelled("Spark gave up: ", "bold yellow", restart.cause)
        self._tell(f"starting the query again ({restart.number} of {restart.limit})")

    def _tell(self, text: str) -> None:
        if self._status is not None:
            self._status.update(text)
        else:
            sys.stderr.write(text + "\n")
            sys.stderr.flush()


def report(done: RunSummary, output: str | None, spec: Spec, *, as_json: bool) -> None:
    """What was done, at the end."""
    from latwin.cli.doubts import print_warnings, say_empty
    from latwin.cli.report import say_unanswered

    warnings = done.unseen.warnings(spec.expectations)
    if as_json:
        fields: dict[str, Any] = {**done.as_dict(), "output": output, "warnings": warnings}
        print_json({"summary": fields})
        return
    stopped = "stopped after" if done.interrupted else "done:"
    parts = [
        f"{stopped} {_count(done.events, 'event')} in {_count(done.batches, 'batch', 'batches')}",
        _count(done.verdicts, "verdict"),
        _count(done.rejects, "reject"),
        f"{done.waiting:,} waiting",
    ]
    if done.rules > 1:
        parts.append(f"version {done.rules} of the rules")
    if done.given_up:
        parts.append("the running batch was left to the next start")
    if done.restarts:
        parts.append(f"started again {_count(done.restarts, 'time')}")
    console = make_console()
    console.print(", ".join(parts), soft_wrap=True)
    if output is not None and output.lower().startswith(("kafka:", "delta:", "table:")):
        console.print(f"  results: {output}", soft_wrap=True)
    elif output is not None:
        console.print(f"  results: {output.rstrip('/')}/verdicts, rejects, metrics (Parquet)", soft_wrap=True)
    if done.reordered:
        told = (
            f"{_count(done.reordered, 'group')} taken in causal order: in the order of the file most slides have no "
            "cut; --order file takes the order of the file"
        )
        console.print(f"  {told}", style="bold yellow", soft_wrap=True)
    if done.empty:
        console.print(f"  {say_empty(done.empty, done.slides, _WAY_OUT)}", style="bold yellow", soft_wrap=True)
    for name, count in done.violations.items():
        console.print(f"never: {name!r} came true {_count(count, 'time')}", style="bold red", soft_wrap=True)
    for name, slides in done.unanswered.items():
        console.print(f"never: {say_unanswered(name, slides)}", style="bold magenta", soft_wrap=True)
    for name in spec.never if done.groups_without_cuts > 0 else ():
        groups = _count(done.groups_without_cuts, "group")
        told = f"{name!r} could not be answered in {groups} without a cut at any slide"
        console.print(f"never: {told}", style="bold magenta", soft_wrap=True)
    print_warnings(warnings)


def exit_by(done: RunSummary, spec: Spec, *, allow_unanswered: bool) -> None:
    """End with the exit code for a property under `never` that came true, or could not be answered."""
    if done.violations:
        raise typer.Exit(NEVER_CAME_TRUE)
    is_unanswered = bool(done.unanswered or (spec.never and done.groups_without_cuts > 0))
    if is_unanswered and not allow_unanswered:
        raise typer.Exit(UNANSWERED)


def _count(number: int, noun: str, plural: str | None = None) -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
