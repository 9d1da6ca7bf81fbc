"""Logs that people already have: text in, events out.

    log.py        what every reader yields
    readers.py    the readers by name
    regex.py      ShiViz: a regular expression with named groups; GoVector is one such expression
    lines.py      one event a line: JSON with configurable names, DistributedClocks tracing, TLA+, posets
    validate.py   what is wrong with a log's clocks

>>> from latwin.formats import read_log
>>> for event in read_log("a {'a': 1}\\nstarted\\n".replace("'", '"'), "govector"):
...     print(event.process, event.clock, event.text, event.line)
a {'a': 1} started 1
"""

from latwin.formats.log import LogEvent, Options
from latwin.formats.readers import FORMATS, read_log
from latwin.formats.validate import Problem, validate

__all__ = ["FORMATS", "LogEvent", "Options", "Problem", "read_log", "validate"]
