"""A file or folder as a source: JSON lines, Parquet or logs, as a batch or as a stream of new files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from latwin.errors import InvalidInput
from latwin.formats import Options, format_of
from latwin.formats.endings import FORMAT_NAMES, STORED, UNCLOCKED, Format, format_by_name, is_hidden
from latwin.formats.recognise import BEGINNING, step_format
from latwin.order_choice import LogOrder
from latwin.spark.causes import innermost_cause
from latwin.spark.clocked import Clocking
from latwin.spark.files import Files
from latwin.spark.rules import Rules
from latwin.spark.sources import Source
from latwin.spark.sources.columns import ColumnSource
from latwin.spark.sources.lines import LineSource
from latwin.spark.sources.logs import Limit, LogSource, read_logs
from latwin.spark.sources.steps import StepSourceFrame
from latwin.spec import Spec

#: no batch takes more files than this at once
DEFAULT_MAX_FILES = 100
_FIRST_LINES = 200


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How an input is read; what means nothing for its kind is left alone."""

    #: guessed from the files' endings, or from the first lines of the first file, unless given
    format: Format | None = None
    #: our names of fields to the input's, where they differ
    columns: Mapping[str, str] = field(default_factory=dict)
    #: for logs of other formats, and the order in which their events arrive
    log_options: Options = field(default_factory=Options)
    order: LogOrder = "auto"
    #: so many files a batch at most, where new ones are watched for
    max_files: int = DEFAULT_MAX_FILES
    #: instead, files of about so many bytes a batch, and one file at least
    max_bytes: int | None = None
    #: settings of Kafka's client, for a topic
    kafka_config: Mapping[str, str] = field(default_factory=dict)
    #: the input has steps or spans, whose clocks are made so; None: events that have clocks
    clocking: Clocking | None = None

    @property
    def limit(self) -> dict[str, int]:
        """How much a batch takes at most, as Spark has it, which takes one limit only: of files, or of bytes."""
        if self.max_bytes is not None:
            return {"maxBytesPerTrigger": self.max_bytes}
        return {"maxFilesPerTrigger": self.max_files}


def file_source(
    session: SparkSession, spec: Spec, path: str, reading: Reading | None = None, *, streaming: bool = False
) -> Source:
    """The events in a file or folder; InvalidInput if it is not there, or not what it is said to be."""
    reading = reading or Reading()
    if reading.clocking is not None:
        return _step_source(session, path, reading.clocking, reading.limit if streaming else None)
    kind = reading.format or guess_format(session, path, reading.log_options)
    if kind not in FORMAT_NAMES:
        raise InvalidInput(f"format must be one of {', '.join(FORMAT_NAMES)}; got {kind!r}")
    if kind in STORED and reading.format is None and (reading.order == "causal" or reading.log_options.delimiter):
        raise InvalidInput(
            f"an order and a delimiter are for logs; the input {path} has {kind}, which is taken by `arrival`, else "
            "`time`, else causally"
        )
    files = Files(session)
    if not files.exists(path):
        raise InvalidInput(f"the input {path} does not exist")
    if streaming and not files.is_folder(path):
        raise InvalidInput(f"the input {path} is a file; only folders are watched for new files: give its folder")
    limit = reading.limit if streaming else None
    if kind not in STORED:
        logs = read_logs(session, path, limit)
        return LogSource(logs, Rules.of(spec), kind, reading.log_options, path, reading.order)
    if kind == "jsonl":
        return LineSource(_read_lines(session, path, limit), reading.columns)
    try:
        return ColumnSource.of(_read_parquet(session, path, limit), reading.columns)
    except InvalidInput as error:
        raise error if path in str(error) else InvalidInput(f"the input {path}: {error}") from None


def guess_format(session: SparkSession, path: str, options: Options | None = None) -> str:
    """The format of the files that are there: by their endings, else by the first lines of the first of them."""
    files = Files(session)
    if not files.exists(path):
        raise InvalidInput(f"the input {path} does not exist")
    names = [name for name in files.names(path) if not is_hidden(name)]
    found = {kind for name in names if (kind := format_by_name(name))}
    if len(found) == 1:
        return found.pop()
    if found:
        raise InvalidInput(f"the input {path} has files of both formats: give the format, jsonl or parquet")
    if not names:
        raise InvalidInput(f"the input {path} has no files yet: give the format")
    first = f"{path.rstrip('/')}/{names[0]}" if files.is_folder(path) else path
    try:
        told = format_of(_beginning(session, first), first, options)
    except InvalidInput as error:
        raise InvalidInput(f"the input {path} has {', '.join(names[:3])}: give the format; {error}") from None
    if told in UNCLOCKED:
        raise InvalidInput(
            f"the input {path} has {told}, which have no clocks; derive them first: latwin clocks {path} --out "
            "FOLDER; or, in a stream, add --clocks"
        )
    return told


def guess_steps(session: SparkSession, path: str) -> str:
    """What the steps or spans of a folder are, by the first lines of its first file; OTLP if there is none yet."""
    files = Files(session)
    names = [name for name in files.names(path) if not is_hidden(name)] if files.exists(path) else []
    return step_format(_beginning(session, f"{path.rstrip('/')}/{names[0]}")) if names else "otlp"


def _step_source(session: SparkSession, path: str, clocking: Clocking, limit: Limit) -> Source:
    files = Files(session)
    if not files.exists(path) or (limit is not None and not files.is_folder(path)):
        raise InvalidInput(f"the input {path} must be a folder of JSON lines that is there")
    return StepSourceFrame(_read_lines(session, path, limit), clocking)


def _beginning(session: SparkSession, path: str) -> bytes:
    """The first lines of a file, decompressed as its ending says."""
    rows = session.read.text(path, lineSep="\n").take(_FIRST_LINES)
    return "\n".join(row["value"] for row in rows).encode(errors="replace")[:BEGINNING]


def _read_lines(session: SparkSession, path: str, limit: Limit) -> DataFrame:
    # One definition of a line everywhere: by itself Spark would also end lines at carriage returns.
    if limit is None:
        return session.read.text(path, lineSep="\n")
    return session.readStream.options(**limit).text(path, lineSep="\n")


def _read_parquet(session: SparkSession, path: str, limit: Limit) -> DataFrame:
    try:
        batch = session.read.parquet(path)
    except (PySparkException, Py4JError) as error:
        if "UNABLE_TO_INFER_SCHEMA" in str(error):
            raise InvalidInput(
                f"the input {path} has no Parquet file yet, and the first one tells the columns"
            ) from None
        raise InvalidInput(f"the input {path} cannot be read as Parquet: {innermost_cause(error)}") from None
    if limit is None:
        return batch
    return session.readStream.schema(batch.schema).options(**limit).parquet(path)
