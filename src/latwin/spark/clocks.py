"""Clocks from message ids as a Spark job: records are packed by shards of groups, a shard's clocks derived at once.

All logic is in `latwin.clocks.ClockMaker`. A group must fit into the memory of one worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import msgspec
import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.types import StructType, TimestampNTZType, TimestampType

from latwin.clocks import ClockMaker, ClockTally, JsonSteps, StepSource
from latwin.clocks.clocked import event_head, problem_line
from latwin.clocks.derive import Missing
from latwin.clocks.records import Record
from latwin.clocks.steps import FIELDS
from latwin.errors import InvalidInput
from latwin.spark.packing import SCHEMA, by_shard, pack, sharded

#: What workers yield: events (their JSON without the state, and the state), problems, and a tally for each shard.
_RESULTS = "kind string, value string, state string"
_HEAD = "group string, process string, clock map<string, bigint>, time string, arrival bigint"
_PROBLEM = (
    "group string, kind string, reason string, process string, order string, message string, rejected boolean, "
    "row string"
)
_ROWS_PER_BATCH = 10_000


@dataclass(frozen=True)
class DerivedClocks:
    """What comes of steps; both tables are views of `results`, which is worth keeping if more than one is read."""

    results: DataFrame

    @property
    def events(self) -> DataFrame:
        """`group, process, clock, time, arrival, state` (as JSON): what `latwin.spark.replay` takes."""
        rows = self.results.where("kind = 'event'")
        head = F.from_json("value", _HEAD, {"mode": "FAILFAST"})
        return rows.select(head.alias("head"), "state").select("head.*", "state")

    @property
    def problems(self) -> DataFrame:
        """`group, kind, reason, process, order, message, rejected, row`; order and row as JSON."""
        rows = self.results.where("kind = 'problem'")
        return rows.select(F.from_json("value", _PROBLEM, {"mode": "FAILFAST"}).alias("problem")).select("problem.*")

    @property
    def event_lines(self) -> DataFrame:
        """The events as JSON lines, in the column `value`."""
        head = F.expr("substring(value, 1, length(value) - 1)")
        line = F.concat(head, F.lit(',"state":'), F.col("state"), F.lit("}"))
        return self.results.where("kind = 'event'").select(line.alias("value"))

    @property
    def problem_lines(self) -> DataFrame:
        """The problems as JSON lines, in the column `value`."""
        return self.results.where("kind = 'problem'").select("value")

    def tally(self) -> ClockTally:
        """How much there is of what; runs the job."""
        total = ClockTally()
        for row in self.results.where("kind = 'tally'").select("value").toLocalIterator():
            total.add(msgspec.json.decode(row["value"], type=ClockTally))
        return total


def derive_clocks(
    steps: DataFrame,
    *,
    columns: Mapping[str, str] | None = None,
    missing: Missing = "report",
) -> DerivedClocks:
    """Events with canonical clocks for a batch DataFrame of steps.

    Columns: `process`; `order`, a number, text or timestamp that orders the steps of a process; `sent` and
    `received`, each the id of a message or an array of ids; optional `group`, `time`, and `state` (a map or struct;
    without it, all other columns are the state). `columns` maps these names to the DataFrame's where they differ. See
    `latwin.clocks.derive` for what is promised of the clocks.
    """
    if steps.isStreaming:
        raise InvalidInput("derive_clocks: the steps are a streaming DataFrame; clocks need all steps of a group")
    names = dict(columns or {})
    source = JsonSteps(names)
    for field in ("process", "order"):
        if names.get(field, field) not in steps.columns:
            raise InvalidInput(
                f"the steps lack the column {names.get(field, field)!r} for {field!r}; fields are "
                f"{', '.join(FIELDS)}, columns {', '.join(steps.columns)}"
            )
    row = F.struct(*_plain_columns(steps.schema))
    return derive_line_clocks(steps.select(F.to_json(row).alias("value")), source, missing=missing)


def derive_line_clocks(lines: DataFrame, source: StepSource, *, missing: Missing = "report") -> DerivedClocks:
    """The same for lines, or whole documents, of a source; `lines` has the one column `value`."""
    texts = lines.select(F.col("value").cast("binary").alias("value"))
    packed = texts.mapInArrow(_read_lines(source), SCHEMA)
    by_group = packed.repartition("shard").sortWithinPartitions("shard")
    return DerivedClocks(by_group.mapInArrow(_derive_shards(ClockMaker(source, missing)), _RESULTS))


def _plain_columns(schema: StructType) -> list[Column]:
    """Timestamps as microseconds, or as texts where there is no time zone; JSON would cut them off."""
    columns = []
    for field in schema.fields:
        column = F.col(f"`{field.name}`")
        if isinstance(field.dataType, TimestampType):
            column = F.unix_micros(column)
        elif isinstance(field.dataType, TimestampNTZType):
            column = column.cast("string")
        columns.append(column.alias(field.name))
    return columns


def _read_lines(source: StepSource) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """For `mapInArrow`: lines to packed (group, row) pairs."""

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows = [
                (record.group, msgspec.json.encode(record))
                for line in batch.column(0).to_pylist()
                for record in source.records(line or b"")
            ]
            if rows:
                yield sharded(rows)

    return lambda batches: pack(read(batches))


def _derive_shards(maker: ClockMaker) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """For `mapInArrow` on packed records sorted by shard: all groups of a shard, one after the other."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for payloads in by_shard(batches):
            tally = ClockTally()
            rows: list[tuple[str, bytes, bytes | None]] = []
            records = (
                record for payload in payloads for record in msgspec.json.decode(f"[{payload}]", type=list[Record])
            )
            for clocks in maker.make(records, tally):
                rows += [("event", event_head(e), msgspec.json.encode(dict(e.step.state))) for e in clocks.events]
                rows += [("problem", problem_line(problem), None) for problem in clocks.problems]
                while len(rows) >= _ROWS_PER_BATCH:
                    yield _batch(rows[:_ROWS_PER_BATCH])
                    del rows[:_ROWS_PER_BATCH]
            yield _batch([*rows, ("tally", msgspec.json.encode(tally.as_dict()), None)])

    return run


def _batch(rows: list[tuple[str, bytes, bytes | None]]) -> pa.RecordBatch:
    kinds, values, states = zip(*rows, strict=True)
    texts = [pa.array(column, pa.binary()).cast(pa.string()) for column in (values, states)]
    return pa.RecordBatch.from_arrays([pa.array(kinds, pa.string()), *texts], names=["kind", "value", "state"])
