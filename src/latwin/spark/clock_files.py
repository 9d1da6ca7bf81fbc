"""Files of steps or traces in, folders of events and problems out: what `latwin clocks` does on Spark."""

from __future__ import annotations

from typing import Literal

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from latwin.clocks import ClockMaker, JsonSteps
from latwin.clocks.traces import TRACE_FORMATS
from latwin.errors import InvalidInput
from latwin.events.decoding import is_json
from latwin.formats.endings import PARQUETS, StepFormat
from latwin.formats.recognise import step_format
from latwin.spark.causes import innermost_cause
from latwin.spark.clocks import DerivedClocks, derive_clocks, derive_line_clocks
from latwin.spark.files import Files

_SNIFFED_LINES = 20
#: so many problems make one file, however many partitions they come from
_PROBLEMS_PER_FILE = 100_000


def read_steps(session: SparkSession, path: str, format: StepFormat | None = None) -> tuple[StepFormat, DataFrame]:
    """What a file or folder is, unless given, and its rows (of Parquet), lines, or documents that fill a file."""
    names = Files(session).names(path)
    if not names:
        raise InvalidInput(f"the input {path} does not exist, or is empty")
    if format == "parquet" or (format is None and any(name.endswith(PARQUETS) for name in names)):
        try:
            return "parquet", session.read.parquet(path)
        except (PySparkException, Py4JError) as error:
            raise InvalidInput(f"the input {path} cannot be read as Parquet: {innermost_cause(error)}") from None
    lines = session.read.text(path, lineSep="\n")
    sample = [row["value"].encode(errors="replace") for row in lines.where("trim(value) != ''").take(_SNIFFED_LINES)]
    kind: StepFormat = format or step_format(b"\n".join(sample))
    fills_file = kind in TRACE_FORMATS and bool(sample) and not is_json(sample[0])
    return kind, session.read.text(path, wholetext=True) if fills_file else lines


def derive_steps(steps: DataFrame, kind: StepFormat, maker: ClockMaker) -> DerivedClocks:
    """The clocks of what `read_steps` read."""
    if kind == "parquet" and isinstance(maker.source, JsonSteps):
        return derive_clocks(steps, columns=maker.source.names, missing=maker.missing)
    return derive_line_clocks(steps, maker.source, missing=maker.missing)


def write_clocks(
    derived: DerivedClocks, events: str, problems: str, *, format: Literal["jsonl", "parquet"], problem_count: int
) -> None:
    """Events and problems into new folders; the latter only if there are any, and always as JSON lines."""
    if format == "parquet":
        derived.events.write.parquet(events)
    else:
        _write_lines(derived.event_lines, events)
    if problem_count:
        lines = derived.problem_lines
        _write_lines(lines.coalesce(1) if problem_count <= _PROBLEMS_PER_FILE else lines, problems)


def _write_lines(lines: DataFrame, folder: str) -> None:
    """As text, with the ending by which such files are known again."""
    lines.write.text(folder)
    files = Files(lines.sparkSession)
    for name in files.names(folder):
        if name.endswith(".txt"):
            files.rename(f"{folder}/{name}", f"{folder}/{name.removesuffix('.txt')}.jsonl")
