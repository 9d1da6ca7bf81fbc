"""Logs that people already have: text in, events out.

    log.py        what every reader gives
    recognise.py  what a file is, by its first bytes and its name; shape.py: the names in a JSON document
    compression.py  plain bytes of a file, also of one that gzip or zstd compressed
    readers.py    the readers by name
    regex.py      ShiViz: a regular expression with named groups; GoVector is one such expression
    layouts.py    the expressions that are tried where a log brings none
    lines.py      one event a line: JSON with configurable names, DistributedClocks tracing, TLA+, posets
    arrow.py      a table's rows as records
    executions.py executions that follow each other in one file
    validate.py   what is wrong with a log's clocks, and how to go on without it
    states.py     from events to states: variables keep their values until they change

>>> from latwin.formats import read_log
>>> for event in read_log("a {'a': 1}\\nstarted\\n".replace("'", '"'), "govector"):
...     print(event.process, event.clock, event.text, event.line)
a {'a': 1} started 1
"""

from latwin.formats.log import Log, LogEvent, Options, Problem
from latwin.formats.readers import (
    FORMATS,
    PARQUET,
    WITH_GROUPS,
    format_of,
    parse_bytes,
    parse_log,
    read_file,
    read_log,
)
from latwin.formats.states import to_events
from latwin.formats.validate import mend, usable, validate

__all__ = [
    "FORMATS",
    "PARQUET",
    "WITH_GROUPS",
    "Log",
    "LogEvent",
    "Options",
    "Problem",
    "format_of",
    "mend",
    "parse_bytes",
    "parse_log",
    "read_file",
    "read_log",
    "to_events",
    "usable",
    "validate",
]
