"""latwin on Apache Spark: one group on a laptop, very many on a cluster, the same code.

    from latwin.spark import detect, replay

    verdicts = detect(events, spec)    # streaming DataFrame -> streaming DataFrame of verdicts
    verdicts = replay(events, spec)    # the same on a batch DataFrame

All logic is in `latwin.Monitor`. This package carries rows to it, packed by shards of groups, and keeps the groups'
state in Spark's own state store.
"""

from latwin.spark.clocked import Clocking
from latwin.spark.clocks import DerivedClocks, derive_clocks
from latwin.spark.notify import Notifier
from latwin.spark.operators import Detection
from latwin.spark.pipeline import Outputs, detect, outputs, replay, source_outputs
from latwin.spark.run import Hooks, RunOptions, run
from latwin.spark.session import create_session
from latwin.spark.sinks.folder import FolderSink, count_output, read_output
from latwin.spark.sources.files import Reading, file_source
from latwin.spark.watching import Refused, RulesSource, SpecFile, SpecTopic
from latwin.spark.write import write

__all__ = [
    "Clocking",
    "DerivedClocks",
    "Detection",
    "FolderSink",
    "Hooks",
    "Notifier",
    "Outputs",
    "Reading",
    "Refused",
    "RulesSource",
    "RunOptions",
    "SpecFile",
    "SpecTopic",
    "count_output",
    "create_session",
    "derive_clocks",
    "detect",
    "file_source",
    "outputs",
    "read_output",
    "replay",
    "run",
    "source_outputs",
    "write",
]
