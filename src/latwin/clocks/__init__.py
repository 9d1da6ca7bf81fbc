"""Clocks for logs that have none: from the ids of messages, or from the spans of traces.

step.py         what clocks are derived from, and what can be wrong with it
derive.py       the clocks; local_order.py before it, and cycles.py for what has none
records.py      what sources of steps share: steps.py (JSON lines), traces.py (spans), stamped.py (other clocks)
spans.py        a span; otlp.py, jaeger.py and zipkin.py read it; chains.py makes processes of overlapping spans, and
                moments.py states of them
clocked.py      many groups: events as latwin reads them, problems, counts
live.py         the same in a stream: step_stream.py for steps (what it remembers is in step_state.py), span_stream.py
                for the spans of a system, and trace_stream.py for a trace; waits.py says how long, and listed.py what
                a spec sees of it
pausing.py      keeps Python's cycle collector out of the way meanwhile
hlc.py          hybrid logical clocks; stamps.py has dotted version vectors and interval tree clocks
"""

from latwin.clocks.clocked import ClockMaker, ClockTally, GroupClocks
from latwin.clocks.derive import ClockedStep, Derivation, derive
from latwin.clocks.live import LiveClocks
from latwin.clocks.records import StepSource
from latwin.clocks.stamped import StampedSteps
from latwin.clocks.step import Step, StepProblem
from latwin.clocks.steps import JsonSteps
from latwin.clocks.traces import TraceSpans
from latwin.clocks.waits import Waits

__all__ = [
    "ClockMaker",
    "ClockTally",
    "ClockedStep",
    "Derivation",
    "GroupClocks",
    "JsonSteps",
    "LiveClocks",
    "StampedSteps",
    "Step",
    "StepProblem",
    "StepSource",
    "TraceSpans",
    "Waits",
    "derive",
]
