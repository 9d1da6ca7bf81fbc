"""Where results go: each sink writes the packed results of a batch so that every row is seen exactly once.

summary.py   what a batch held
batch.py     a batch, whose rows are here if they are few
sink.py      what all sinks share
folder.py    folders of Parquet files
kafka.py     topics
tables.py    Delta tables
opening.py   the sink for an address
"""

from latwin.spark.sinks.batch import Batch, kept
from latwin.spark.sinks.sink import Sink
from latwin.spark.sinks.summary import BatchSummary, Never, summarize

__all__ = ["Batch", "BatchSummary", "Never", "Sink", "kept", "summarize"]
