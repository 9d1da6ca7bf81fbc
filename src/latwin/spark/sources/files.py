"""A file or folder as a source: JSON lines, Parquet or logs, as a batch or as a stream of new files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from latwin.errors import InvalidInput
from latwin.formats import Options
from latwin.formats.endings import FORMAT_NAMES, STORED, Format, format_by_name, is_hidden
from latwin.formats.states import Order
from latwin.spark.causes import innermost_cause
from latwin.spark.files import Files
from latwin.spark.sources import Source
from latwin.spark.sources.columns import ColumnSource
from latwin.spark.sources.lines import LineSource
from latwin.spark.sources.logs import LogSource, read_logs
from latwin.spec import Spec

#: no batch takes more files than this at once
DEFAULT_MAX_FILES = 100


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How an input is read; what means nothing for its kind is left alone."""

    #: guessed from the files' endings unless given
    format: Format | None = None
    #: our names of fields to the input's, where they differ
    columns: Mapping[str, str] = field(default_factory=dict)
    #: for logs of other formats, and the order in which their events arrive
    log_options: Options = field(default_factory=Options)
    order: Order = "file"
    #: so many files a batch at most, where new ones are watched for
    max_files: int = DEFAULT_MAX_FILES
    #: settings of Kafka's client, for a topic
    kafka_config: Mapping[str, str] = field(default_factory=dict)


def file_source(
    session: SparkSession, spec: Spec, path: str, reading: Reading | None = None, *, streaming: bool = False
) -> Source:
    """The events in a file or folder; InvalidInput if it is not there, or not what it is said to be."""
    reading = reading or Reading()
    kind = reading.format or guess_format(session, path)
    if kind not in FORMAT_NAMES:
        raise InvalidInput(f"format must be one of {', '.join(FORMAT_NAMES)}; got {kind!r}")
    files = Files(session)
    if not files.exists(path):
        raise InvalidInput(f"the input {path} does not exist")
    if streaming and not files.is_folder(path):
        raise InvalidInput(f"the input {path} is a file; only folders are watched for new files: give its folder")
    max_files = reading.max_files if streaming else None
    if kind not in STORED:
        logs = read_logs(session, path, max_files)
        return LogSource(logs, spec, kind, reading.log_options, path, reading.order)
    if kind == "jsonl":
        return LineSource(_read_lines(session, path, max_files), reading.columns)
    try:
        return ColumnSource.of(_read_parquet(session, path, max_files), reading.columns)
    except InvalidInput as error:
        raise error if path in str(error) else InvalidInput(f"the input {path}: {error}") from None


def guess_format(session: SparkSession, path: str) -> Literal["jsonl", "parquet"]:
    """JSON lines or Parquet, by the endings of the files that are there."""
    files = Files(session)
    if not files.exists(path):
        raise InvalidInput(f"the input {path} does not exist")
    names = [name for name in files.names(path) if not is_hidden(name)]
    found = {kind for name in names if (kind := format_by_name(name))}
    if len(found) != 1:
        there = "files of both formats" if found else ", ".join(names[:3]) or "no files yet"
        raise InvalidInput(f"the input {path} has {there}: give the format, jsonl or parquet")
    return "jsonl" if found == {"jsonl"} else "parquet"


def _read_lines(session: SparkSession, path: str, max_files: int | None) -> DataFrame:
    # One definition of a line everywhere: by itself Spark would also end lines at carriage returns.
    if max_files is None:
        return session.read.text(path, lineSep="\n")
    return session.readStream.option("maxFilesPerTrigger", max_files).text(path, lineSep="\n")


def _read_parquet(session: SparkSession, path: str, max_files: int | None) -> DataFrame:
    try:
        batch = session.read.parquet(path)
    except (PySparkException, Py4JError) as error:
        if "UNABLE_TO_INFER_SCHEMA" in str(error):
            raise InvalidInput(
                f"the input {path} has no Parquet file yet, and the first one tells the columns"
            ) from None
        raise InvalidInput(f"the input {path} cannot be read as Parquet: {innermost_cause(error)}") from None
    if max_files is None:
        return batch
    return session.readStream.schema(batch.schema).option("maxFilesPerTrigger", max_files).parquet(path)
