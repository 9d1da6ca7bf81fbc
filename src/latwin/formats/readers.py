"""The readers by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from latwin.errors import InvalidInput
from latwin.formats import lines, regex
from latwin.formats.log import Log, LogEvent, Options, Problem
from latwin.formats.parquet import read_rows

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
    """All that a log's text holds, what cannot be read included; what the clocks say is judged by `validate`."""
    if format not in FORMATS:
        raise InvalidInput(f"unknown format {format!r}; formats are {', '.join(sorted([*FORMATS, PARQUET]))}")
    return FORMATS[format](text, options or Options())


def parse_bytes(data: bytes, format: str, options: Options | None = None) -> Log:
    """The same of a log's bytes, which may be no UTF-8.

    Of JSON, a line that is no UTF-8 is a problem, as it is everywhere; in other texts, other bytes are replaced.
    """
    return parse_log(data.decode(errors="replace" if format in regex.FORMATS else "surrogateescape"), format, options)


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
    """All that a file holds, a Parquet file included: its rows are records as those of JSON lines."""
    if format != PARQUET:
        # Not as text: that would end lines at carriage returns, too.
        return parse_bytes(path.read_bytes(), format, options)
    log = Log([], [])
    for line, row in enumerate(read_rows(path), start=1):
        try:
            log.events.append(lines.read_row(row, line, options or Options()))
        except InvalidInput as error:
            log.problems.append(Problem(line, "", 0, str(error)))
    return log
