"""The sink for an output's address: a folder, topics or tables."""

from __future__ import annotations

from collections.abc import Mapping

from latwin.spark.files import Files
from latwin.spark.kafka.address import is_kafka, parse_sink
from latwin.spark.pipeline import Outputs
from latwin.spark.sinks.folder import FolderSink
from latwin.spark.sinks.kafka import KafkaSink
from latwin.spark.sinks.sink import Sink
from latwin.spark.sinks.summary import Never
from latwin.spark.sinks.tables import TableSink
from latwin.spark.tables import is_table, parse_table


def open_sink(
    output: str,
    results: Outputs,
    *,
    checkpoint: str,
    owner: str,
    never: Never = (),
    kafka_config: Mapping[str, str] | None = None,
) -> Sink:
    """A sink that writes each batch exactly once; `owner` is the id of the query's checkpoint.

    Raises InvalidInput if the output cannot be used, or is another checkpoint's.
    """
    if is_kafka(output):
        return KafkaSink(
            parse_sink(output), results, checkpoint=checkpoint, owner=owner, never=never, config=kafka_config
        )
    if is_table(output):
        return TableSink(parse_table(output), results, owner=owner, never=never)
    return FolderSink(output, results, owner=owner, never=never)


def name_of(files: Files, output: str) -> str:
    """An output by a name that stays the same from wherever it is given."""
    if is_kafka(output):
        return f"kafka:{','.join(sorted(parse_sink(output).topics))}"
    if is_table(output):
        address = parse_table(output)
        return output if address.kind == "table" else f"delta:{files.qualified(address.name)}"
    return files.qualified(output)
