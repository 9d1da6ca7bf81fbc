"""What files are called: the endings of formats and of compressions, each listed once."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Literal, get_args

Format = Literal["jsonl", "parquet", "shiviz", "govector", "tracing", "tla", "poset"]
FORMAT_NAMES: tuple[str, ...] = get_args(Format)
#: How traces are written, as `latwin.clocks.traces` has it.
TraceFormat = Literal["otlp", "jaeger", "zipkin"]
#: Steps and spans, whose clocks must be derived first.
Unclocked = Literal["steps", TraceFormat]
UNCLOCKED: tuple[str, ...] = get_args(Unclocked)
#: What clocks are derived from; steps are JSON lines or a table.
StepFormat = Literal["jsonl", "parquet", TraceFormat]
#: By what is in the file.
AUTO: Literal["auto"] = "auto"
#: What the command line takes for a folder, for a log, and for steps.
FileFormat = Literal["auto", Format]
LogFormat = Literal["auto", Format, Unclocked]
StepFormatOrAuto = Literal["auto", StepFormat]
#: Formats of events as latwin writes them; the others are logs.
STORED = ("jsonl", "parquet")
LINES = (".jsonl", ".ndjson", ".json")
PARQUETS = (".parquet", ".parq")
GZIP = ".gz"
#: what latwin itself decompresses
PACKED = (GZIP, ".zst")
#: endings of compressed files, all of which Spark opens
COMPRESSED = (GZIP, ".bz2", ".zst", ".lz4", ".snappy", ".deflate")


def is_hidden(name: str) -> bool:
    """Whether a file is not meant to be read: one that is still being written, or a mark."""
    return name.startswith((".", "_"))


def format_by_name(name: str) -> Format | None:
    """JSON lines or Parquet, by a file's ending; None if it tells neither.

    >>> format_by_name("events.jsonl.gz"), format_by_name("run.log")
    ('jsonl', None)
    """
    ending = PurePosixPath(_without_compression(name)).suffix.lower()
    return "jsonl" if ending in LINES else "parquet" if ending in PARQUETS else None


def stem_of(name: str) -> str:
    """A file's name without its endings.

    >>> stem_of("north/run.2.log.gz")
    'north/run.2'
    """
    plain = _without_compression(name)
    return plain[: -len(suffix)] if (suffix := PurePosixPath(plain).suffix) else plain


def _without_compression(name: str) -> str:
    for ending in COMPRESSED:
        name = name.removesuffix(ending)
    return name
