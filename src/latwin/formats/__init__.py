"""Logs that people already have: text in, events out.

    log.py        what every reader gives
    readers.py    the readers by name
    regex.py      ShiViz: a regular expression with named groups; GoVector is one such expression
    lines.py      one event a line: JSON with configurable names, DistributedClocks tracing, TLA+, posets
    parquet.py    a table's rows as records
    validate.py   what is wrong with a log's clocks, and how to go on without it
    states.py     from events to states: variables keep their values until they change

>>> from latwin.formats import read_log
>>> for event in read_log("a {'a': 1}\\nstarted\\n".replace("'", '"'), "govector"):
...     print(event.process, event.clock, event.text, event.line)
a {'a': 1} started 1
"""

from latwin.formats.log import Log, LogEvent, Options, Problem
from latwin.formats.readers import FORMATS, PARQUET, WITH_GROUPS, parse_bytes, parse_log, read_file, read_log
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
    "mend",
    "parse_bytes",
    "parse_log",
    "read_file",
    "read_log",
    "to_events",
    "usable",
    "validate",
]
