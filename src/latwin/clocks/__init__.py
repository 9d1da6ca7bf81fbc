"""Clocks for logs that have none: from the ids of messages, or from the spans of OpenTelemetry.

step.py         what clocks are derived from, and what can be wrong with it
derive.py       the clocks; local_order.py before it, and cycles.py for what has none
records.py      what sources of steps share: steps.py (JSON lines) and otlp.py (OpenTelemetry)
spans.py        OTLP/JSON; chains.py makes processes of overlapping spans
clocked.py      many groups: events as latwin reads them, problems, counts
"""

from latwin.clocks.clocked import ClockMaker, ClockTally, GroupClocks
from latwin.clocks.derive import ClockedStep, Derivation, derive
from latwin.clocks.otlp import OtlpSpans
from latwin.clocks.records import StepSource
from latwin.clocks.step import Step, StepProblem
from latwin.clocks.steps import JsonSteps

__all__ = [
    "ClockMaker",
    "ClockTally",
    "ClockedStep",
    "Derivation",
    "GroupClocks",
    "JsonSteps",
    "OtlpSpans",
    "Step",
    "StepProblem",
    "StepSource",
    "derive",
]
