"""The readers by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from latwin.errors import InvalidInput
from latwin.formats import lines, regex
from latwin.formats.log import LogEvent, Options

Reader = Callable[[str, Options], Iterator[LogEvent]]

FORMATS: Mapping[str, Reader] = {
    "shiviz": regex.read_shiviz,
    "govector": regex.read_govector,
    "jsonl": lines.read_json,
    "tracing": lines.read_tracing,
    "tla": lines.read_tla,
    "poset": lines.read_poset,
}


def read_log(text: str, format: str, options: Options | None = None) -> list[LogEvent]:
    """All events of a log in the order of the file.

    Raises InvalidInput, with the line, for what cannot be read in this format; what the clocks say is judged by
    `validate`.
    """
    if format not in FORMATS:
        raise InvalidInput(f"unknown format {format!r}; formats are {', '.join(sorted(FORMATS))}")
    return list(FORMATS[format](text, options or Options()))
