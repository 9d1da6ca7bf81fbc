"""The readers by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path

from latwin.errors import InvalidInput
from latwin.formats import lines, regex
from latwin.formats.arrow import read_rows
from latwin.formats.compression import PlainStream
from latwin.formats.endings import AUTO
from latwin.formats.executions import split_executions
from latwin.formats.log import Log, LogEvent, Options, Problem
from latwin.formats.recognise import BEGINNING, recognise, unrecognised

Reader = Callable[[str, Options], Log]

#: Readers of texts. A Parquet file is read by `read_file`.
FORMATS: Mapping[str, Reader] = {
    **regex.FORMATS,
    "jsonl": lines.read_json,
    "tracing": lines.read_tracing,
    "tla": lines.read_tla,
    "poset": lines.read_poset,
}
PARQUET = "parquet"
#: Formats whose records name their group themselves; in the others a group is part of a file.
WITH_GROUPS = frozenset({"jsonl", PARQUET})


def parse_log(text: str, format: str, options: Options | None = None) -> Log:
    """All that a log's text holds, what cannot be read included; what the clocks say is judged by `validate`.

    The format `auto` is what the text tells. Executions that follow each other become groups.
    """
    options = options or Options()
    if format == AUTO:
        format = format_of(text[:BEGINNING].encode(errors="replace"), options=options)
    if format not in FORMATS:
        raise InvalidInput(f"unknown format {format!r}; formats are {', '.join(sorted([*FORMATS, PARQUET, AUTO]))}")
    log = FORMATS[format](text, options)
    if format not in WITH_GROUPS:
        log.events = split_executions(log.events)
    return log


def parse_bytes(data: bytes, format: str, options: Options | None = None) -> Log:
    """The same of a log's bytes, which may be no UTF-8.

    Of JSON, a line that is no UTF-8 is a problem, as it is everywhere; in other texts, other bytes are replaced.
    """
    if format == AUTO:
        format = format_of(data[:BEGINNING], options=options)
    return parse_log(data.decode(errors="replace" if format in regex.FORMATS else "surrogateescape"), format, options)


def format_of(beginning: bytes, name: str = "", options: Options | None = None) -> str:
    """The format that the beginning of a file tells, and its name, and what is known of it.

    Raises InvalidInput if it cannot be told; the error names a command that would work.
    """
    options = options or Options()
    if options.parser is not None:
        return "shiviz"
    found = recognise(beginning, name, options.names)
    if found is None:
        raise unrecognised(beginning, name or "LOG")
    return found.format


def read_log(text: str, format: str, options: Options | None = None) -> list[LogEvent]:
    """All events of a log in the order of the file.

    Raises InvalidInput, with the line, for what cannot be read in this format.
    """
    log = parse_log(text, format, options)
    if log.problems:
        first = log.problems[0]
        raise InvalidInput(f"line {first.line}: {first.reason}")
    return log.events


def read_file(path: Path, format: str, options: Options | None = None) -> Log:
    """All that a file holds, also a Parquet file, and one that gzip or zstd compressed.

    The format `auto` is what the file's first bytes tell, and its name.
    """
    with path.open("rb") as file:
        stream = PlainStream(file)
        if format == AUTO:
            format = format_of(stream.beginning(BEGINNING), str(path), options)
        return read_stream(stream, format, options)


def read_stream(stream: PlainStream, format: str, options: Options | None = None) -> Log:
    """All that a stream holds."""
    content = stream.read_whole()
    if format != PARQUET:
        # Not as text: that would end lines at carriage returns, too.
        return parse_bytes(content, format, options)
    log = Log([], [])
    for line, row in enumerate(read_rows(BytesIO(content)), start=1):
        try:
            log.events.append(lines.read_row(row, line, options or Options()))
        except InvalidInput as error:
            log.problems.append(Problem(line, "", 0, str(error)))
    return log
