"""latwin on Apache Spark: one group on a laptop, very many on a cluster, the same code.

    from latwin.spark import detect, replay

    verdicts = detect(events, spec)    # streaming DataFrame -> streaming DataFrame of verdicts
    verdicts = replay(events, spec)    # the same on a batch DataFrame

All logic is in `latwin.Monitor`. This package carries rows to it, packed by shards of groups, and keeps the groups'
state in Spark's own state store.
"""

from latwin.spark.clocks import DerivedClocks, derive_clocks
from latwin.spark.notify import Notifier
from latwin.spark.pipeline import DEFAULT_SHARDS, Outputs, detect, outputs, replay
from latwin.spark.run import run
from latwin.spark.session import create_session
from latwin.spark.sinks import FolderSink, read_output

__all__ = [
    "DEFAULT_SHARDS",
    "DerivedClocks",
    "FolderSink",
    "Notifier",
    "Outputs",
    "create_session",
    "derive_clocks",
    "detect",
    "outputs",
    "read_output",
    "replay",
    "run",
]
