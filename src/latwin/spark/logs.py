"""Logs of any format on Spark: a file becomes events, and then goes the way of JSON lines.

A log is read whole, because its variables keep their values from line to line and a regular expression may span
lines; so all of a group must be in one file. Where a format's records do not name their group, a file is one, or
several if it holds several executions. What is wrong with a log becomes a reject; the rest goes on (see
`latwin.formats.mend`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it

from latwin.errors import InvalidInput
from latwin.events.decoding import COMPRESSED
from latwin.events.variables import Variables
from latwin.formats import FORMATS, WITH_GROUPS, Options, Problem, parse_log, to_events, usable
from latwin.formats.states import Order
from latwin.spark.lines import shard_outputs
from latwin.spark.packing import SCHEMA, event_batch, pack
from latwin.spark.pipeline import DEFAULT_SHARDS, Outputs
from latwin.spec import Spec


def read_logs(session: SparkSession, path: str, max_files: int | None) -> DataFrame:
    """Whole files with their names, as a batch, or as a stream if `max_files` a batch is given."""
    if max_files is None:
        files = session.read.text(path, wholetext=True)
    else:
        files = session.readStream.option("maxFilesPerTrigger", max_files).text(path, wholetext=True)
    return files.select("value", F.col("_metadata.file_path").alias("path"))


def group_of_file(path: str, root: str) -> str:
    """The group that a log is: its path below the folder that is read, without its ending.

    >>> group_of_file("file:///logs/north/run.2.log.gz", "/logs")
    'north/run.2'
    """
    place, folder = unquote(urlsplit(path).path), urlsplit(root).path.rstrip("/")
    name = place.removeprefix(folder + "/") if place.startswith(folder + "/") else PurePosixPath(place).name
    for ending in COMPRESSED:
        name = name.removesuffix(ending)
    return name[: -len(suffix)] if (suffix := PurePosixPath(name).suffix) else name


def log_outputs(
    files: DataFrame,
    spec: Spec,
    format: str,
    options: Options | None = None,
    *,
    root: str = "",
    order: Order = "file",
    shards: int = DEFAULT_SHARDS,
    every: bool = False,
    observations: bool = False,
) -> Outputs:
    """The same as `latwin.spark.outputs` for whole logs, as `read_logs` gives them; `root` is their folder."""
    if format not in FORMATS:
        raise InvalidInput(f"unknown format {format!r}; formats are {', '.join(sorted(FORMATS))}")
    if options is not None and options.parser is not None:
        parse_log("", format, options)  # a wrong expression is told here, not by every file
    reader = LogReader(spec.to_dict(), shards, format, options or Options(), order, root)
    packed = files.mapInArrow(reader, SCHEMA)
    return shard_outputs(packed, spec, "arrival", shards, every=every, observations=observations)


@dataclass(frozen=True)
class LogReader:
    """For `mapInArrow`: whole logs to packed events."""

    spec: dict[str, Any]
    shards: int
    format: str
    options: Options
    order: Order
    root: str

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Packed (shard, payload) rows."""
        return pack(self._events(batches))

    def _events(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        spec = Spec.from_dict(self.spec)
        for batch in batches:
            for text, path in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                rows = [(group, msgspec.json.encode(event)) for group, event in self.read(text, path, spec)]
                if rows:
                    yield event_batch(rows, self.shards)

    def read(self, text: str, path: str, spec: Spec) -> Iterator[tuple[str | None, dict[str, Any]]]:
        """Each event with its group, and a reject without one for each problem."""
        name = unquote(PurePosixPath(path).name)
        try:
            log = parse_log(text, self.format, self.options)
        except InvalidInput as error:
            yield None, _reject(f"{name}: {error}", text.partition("\n")[0])
            return
        if not log.events and not log.problems and text.strip():
            yield None, _reject(f"{name}: no events found as {self.format}", text.partition("\n")[0])
        if self.format not in WITH_GROUPS and "group" not in self.options.names:
            prefix = group_of_file(path, self.root)
            log.events = [
                event._replace(group=f"{prefix}/{event.group}" if event.group else prefix) for event in log.events
            ]
        events, problems = usable(log, spec.processes, lenient=True)
        lines = text.split("\n") if problems else []
        for problem in problems:
            yield None, _reject(f"{name}:{problem}", _line_of(lines, problem))
        placed = to_events(events, Variables(spec.variables), order=self.order)
        for arrival, one in enumerate(placed):
            group = one.event.get("group", "")
            yield group, {**one.event, "group": group, "order": [0, arrival, ""]}


def _reject(reason: str, line: str) -> dict[str, Any]:
    return {"group": None, "unreadable": reason, "line": line}


def _line_of(lines: list[str], problem: Problem) -> str:
    return lines[problem.line - 1] if 0 < problem.line <= len(lines) else ""
