"""Whole logs of any format as a source: a file becomes events.

A log is read whole, because its variables keep their values from line to line and a regular expression may span
lines; so all of a group must be in one file. Where a format's records do not name their group, a file is one, or
several if it holds several executions. What is wrong with a log becomes a reject; the rest goes on (see
`latwin.formats.mend`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.types import DataType

from latwin.errors import InvalidInput
from latwin.events import Envelope
from latwin.events.decoding import trimmed
from latwin.events.reading import not_an_event
from latwin.events.variables import Variables
from latwin.formats import FORMATS, WITH_GROUPS, LogEvent, Options, Problem, parse_bytes, parse_log, to_events, usable
from latwin.formats.endings import stem_of
from latwin.order_choice import LogOrder, choose
from latwin.spark.packing import SCHEMA, Row, RowMapper, row_of
from latwin.spark.rules import Rules, running_batch
from latwin.spark.sweep import Sweep
from latwin.spec import Spec

#: how much a batch of a stream takes at most, as options of Spark's source of files; None: it is no stream
Limit = Mapping[str, int] | None


def read_logs(session: SparkSession, path: str, limit: Limit) -> DataFrame:
    """Whole files with their names, as a batch, or as a stream if there is a limit."""
    if limit is None:
        files = session.read.text(path, wholetext=True)
    else:
        files = session.readStream.options(**limit).text(path, wholetext=True)
    # As bytes: a text that is no UTF-8 would end the task.
    return files.select(F.col("value").cast("binary").alias("value"), F.col("_metadata.file_path").alias("path"))


def group_of_file(path: str, root: str) -> str:
    """The group that a log is: its path below the folder that is read, without its ending.

    >>> group_of_file("file:///logs/north/run.2.log.gz", "/logs")
    'north/run.2'
    """
    place, folder = unquote(urlsplit(path).path), urlsplit(root).path.rstrip("/")
    name = place.removeprefix(folder + "/") if place.startswith(folder + "/") else PurePosixPath(place).name
    return stem_of(name)


@dataclass(frozen=True)
class LogSource:
    """Whole logs, as `read_logs` gives them; `root` is their folder."""

    files: DataFrame
    #: by whose windows the order of a log's events is chosen
    rules: Rules
    format: str
    options: Options = field(default_factory=Options)
    root: str = ""
    order: LogOrder = "auto"
    time: DataType | None = None

    def __post_init__(self) -> None:
        """Check the format, and the expression: a wrong one is told here, not by every file."""
        if self.format not in FORMATS:
            raise InvalidInput(f"unknown format {self.format!r}; formats are {', '.join(sorted(FORMATS))}")
        if self.options.parser is not None:
            parse_log("", self.format, self.options)

    def packed(self, sweep: Sweep | None = None) -> DataFrame:
        """(shard, payload) of all events in the logs."""
        mapper = LogMapper(self.rules, self.format, self.options, self.order, self.root, sweep=sweep)
        return self.files.mapInArrow(mapper, SCHEMA)


@dataclass(frozen=True)
class LogMapper(RowMapper):
    """Whole logs to packed envelopes."""

    rules: Rules
    format: str
    options: Options
    order: LogOrder
    root: str

    def rows(self, batch: pa.RecordBatch) -> Iterator[Row]:
        """The events of all logs, and what is wrong with them."""
        spec = self.rules.at(running_batch()).checked()
        for content, path in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            yield from map(row_of, self.read(content, path, spec))

    def read(self, content: bytes, path: str, spec: Spec) -> Iterator[Envelope]:
        """Each event, and a reject without a group for each problem."""
        name = unquote(PurePosixPath(path).name)
        try:
            log = parse_bytes(content, self.format, self.options)
        except InvalidInput as error:
            yield not_an_event(content.partition(b"\n")[0], f"{name}: {error}")
            return
        if not log.events and not log.problems and trimmed(content):
            yield not_an_event(content.partition(b"\n")[0], f"{name}: no events found as {self.format}")
        if self.format not in WITH_GROUPS and "group" not in self.options.names:
            prefix = group_of_file(path, self.root)
            log.events = [
                event._replace(group=f"{prefix}/{event.group}" if event.group else prefix) for event in log.events
            ]
        events, problems = usable(log, spec.listed, lenient=True)
        lines = content.split(b"\n") if problems else []
        for problem in problems:
            yield not_an_event(_line_of(lines, problem), f"{name}:{problem}")
        yield from self._in_order(events, spec)

    def _in_order(self, events: list[LogEvent], spec: Spec) -> list[Envelope]:
        """The events in the order that was asked for, or that the file needs; as `check` would take them."""
        variables = Variables(spec.variables)
        found = to_events(events, variables, order="causal" if self.order == "causal" else "file")
        if self.order != "auto" or choose(found, spec).order.used != "causal":
            return found
        reordered = to_events(events, variables, order="causal")
        for envelope in reordered:
            envelope.is_reordered = True
        return reordered


def _line_of(lines: list[bytes], problem: Problem) -> bytes:
    return lines[problem.line - 1] if 0 < problem.line <= len(lines) else b""
