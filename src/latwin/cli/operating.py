"""How a pipeline that runs for long is operated: what it tells, to whom, and how it ends."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from latwin.cli.option_groups import OptionGroup
from latwin.cli.run_log import JsonLog
from latwin.cli.spark import LiveLine
from latwin.cli.terminal import BAD_INPUT, describe, print_labelled
from latwin.errors import InvalidInput, LatwinError

if TYPE_CHECKING:
    from latwin.spark import Hooks
    from latwin.spark.metrics import PipelineMetrics
    from latwin.spec import Spec

T = TypeVar("T")


@dataclass(frozen=True)
class OperatingOptions(OptionGroup):
    """For supervisors, scrapers and collectors of logs."""

    metrics_port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65_535, metavar="N", help="Offer counters to Prometheus at this port, /metrics; 0: a free one."
        ),
    ] = None
    metrics_host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address of that port; only this machine reaches the default.")
    ] = "127.0.0.1"
    pipeline: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The pipeline's name, in Spark's UI and in its metrics; default: the checkpoint's."
        ),
    ] = None
    log_form: Annotated[
        Literal["text", "json"], typer.Option("--log", help="How batches are told of on stderr: json is a line each.")
    ] = "text"
    stop_within: Annotated[
        str,
        typer.Option(
            metavar="DURATION",
            help="At Ctrl-C or SIGTERM, wait this long for the running batch; then leave it to the next start.",
        ),
    ] = "60s"

    @property
    def stop_within_s(self) -> float:
        """How long a batch is waited for at the end."""
        return read_seconds("--stop-within", self.stop_within)


class Teller:
    """Tells a person, a log and a scraper what a pipeline does."""

    def __init__(self, line: LiveLine | JsonLog, metrics: PipelineMetrics | None) -> None:
        self.line = line
        self._metrics = metrics

    def hooks(self, **others: Any) -> Hooks:
        """For the pipeline."""
        from latwin.spark import Hooks

        line, metrics = self.line, self._metrics
        hooks = Hooks(
            on_start=line.started,
            on_batch=line.batch,
            on_restart=line.restart,
            on_progress=line.progress if isinstance(line, JsonLog) else None,
            on_rules=line.new_rules,
            on_refused=line.refused,
            **others,
        )
        if metrics is None:
            return hooks
        return replace(
            hooks,
            on_batch=_both(line.batch, metrics.batch),
            on_restart=_both(line.restart, metrics.restart),
            on_progress=_both(line.progress, metrics.progress),
        )


@contextmanager
def telling(options: OperatingOptions, spec: Spec, checkpoint: str) -> Iterator[Teller]:
    """Tell while a pipeline runs; of an error, too, if the log is JSON."""
    metrics = None
    if options.metrics_port is not None:
        from latwin.spark.metrics import PipelineMetrics

        name = options.pipeline or os.path.basename(checkpoint.rstrip("/")) or "latwin"
        metrics = PipelineMetrics(name, spec.never)
    log = JsonLog() if options.log_form == "json" else None
    try:
        with _serving(options, metrics), nullcontext(log) if log is not None else LiveLine() as line:
            yield Teller(line, metrics)
    except (LatwinError, OSError) as error:
        if log is None:
            raise
        log.failed(describe(error))
        raise typer.Exit(BAD_INPUT) from None


@contextmanager
def _serving(options: OperatingOptions, metrics: PipelineMetrics | None) -> Iterator[None]:
    if metrics is None or options.metrics_port is None:
        yield
        return
    from latwin.prometheus import serving_metrics

    with serving_metrics(metrics.text, host=options.metrics_host, port=options.metrics_port) as address:
        if options.log_form == "text":
            print_labelled("metrics: ", "bold", address)
        yield


def read_seconds(option: str, text: str) -> float:
    """A duration with its unit."""
    from latwin.events.times import read_duration

    seconds = read_duration(text)
    if seconds is None:
        raise InvalidInput(f"{option} must be a duration with its unit (ms, s, min, h), such as 10s; got {text!r}")
    return seconds


def _both(first: Callable[[T], object], second: Callable[[T], object]) -> Callable[[T], None]:
    def tell(what: T) -> None:
        first(what)
        second(what)

    return tell
