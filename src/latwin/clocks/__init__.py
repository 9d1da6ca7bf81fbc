"""Clocks for logs that have none: from the ids of messages, or from the spans of traces.

step.py         what clocks are derived from, and what can be wrong with it
derive.py       the clocks; local_order.py before it, and cycles.py for what has none
records.py      what sources of steps share: steps.py (JSON lines) and traces.py (spans)
spans.py        a span; otlp.py, jaeger.py and zipkin.py read it; chains.py makes processes of overlapping spans
clocked.py      many groups: events as latwin reads them, problems, counts
"""

from latwin.clocks.clocked import ClockMaker, ClockTally, GroupClocks
from latwin.clocks.derive import ClockedStep, Derivation, derive
from latwin.clocks.records import StepSource
from latwin.clocks.step import Step, StepProblem
from latwin.clocks.steps import JsonSteps
from latwin.clocks.traces import TraceSpans

__all__ = [
    "ClockMaker",
    "ClockTally",
    "ClockedStep",
    "Derivation",
    "GroupClocks",
    "JsonSteps",
    "Step",
    "StepProblem",
    "StepSource",
    "TraceSpans",
    "derive",
]
