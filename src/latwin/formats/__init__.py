"""Logs that people already have: text in, events out.

    log.py        what every reader yields
    readers.py    the readers by name
    regex.py      ShiViz: a regular expression with named groups; GoVector is one such expression
    lines.py      one event a line: JSON with configurable names, DistributedClocks tracing, TLA+, posets
    validate.py   what is wrong with a log's clocks

Logs without clocks, but with ids of messages: clocks are derived.

    step.py         what clocks are derived from, and what can be wrong with it
    derive.py       the clocks; local_order.py before it, and knots.py for what has none
    records.py      what sources of steps share: steps.py (JSON lines) and otlp.py (OpenTelemetry)
    spans.py        OTLP/JSON; chains.py makes processes of overlapping spans
    clocked.py      many groups: events as latwin reads them, problems, counts

>>> from latwin.formats import read_log
>>> for event in read_log("a {'a': 1}\\nstarted\\n".replace("'", '"'), "govector"):
...     print(event.process, event.clock, event.text, event.line)
a {'a': 1} started 1
"""

from latwin.formats.clocked import ClockMaker, ClockTally, GroupClocks
from latwin.formats.derive import ClockedStep, Derivation, derive
from latwin.formats.log import LogEvent, Options
from latwin.formats.otlp import OtlpSpans
from latwin.formats.readers import FORMATS, read_log
from latwin.formats.records import StepSource
from latwin.formats.step import Step, StepProblem
from latwin.formats.steps import JsonSteps
from latwin.formats.validate import Problem, validate

__all__ = [
    "FORMATS",
    "ClockMaker",
    "ClockTally",
    "ClockedStep",
    "Derivation",
    "GroupClocks",
    "JsonSteps",
    "LogEvent",
    "Options",
    "OtlpSpans",
    "Problem",
    "Step",
    "StepProblem",
    "StepSource",
    "derive",
    "read_log",
    "validate",
]
