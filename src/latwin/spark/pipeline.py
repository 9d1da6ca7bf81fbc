"""`detect` and `replay`: a DataFrame of events in, DataFrames of verdicts, rejects and metrics out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType

from pyspark.sql import DataFrame
from pyspark.sql.types import DataType, TimestampType

from latwin.errors import InvalidInput
from latwin.spark.columns import EventColumns
from latwin.spark.operators import ShardProcessor, Work, replay_shards
from latwin.spark.packing import SCHEMA, pack
from latwin.spark.schemas import PACKED, unpack
from latwin.spec import Spec

#: Groups are spread over this many entries of the state store unless told otherwise.
DEFAULT_SHARDS = 1024
#: Rows whose JSON is longer are rejected, not decoded.
DEFAULT_MAX_ROW_BYTES = 262_144


@dataclass(frozen=True)
class Outputs:
    """All that comes of a DataFrame of events, from one query and one state.

    `packed` holds the results of every kind (see `schemas.PACKED`); a streaming query that wants more than
    one kind writes it in `foreachBatch` and unpacks there, as `latwin.spark.sinks` does.
    """

    packed: DataFrame
    time: DataType | None = None
    #: how a group's events of one batch are ordered: "arrival", "time" or "causal"
    order: str = "causal"

    @property
    def verdicts(self) -> DataFrame:
        """`group, property, value, changed, slide, process, index, least, greatest, cuts, witness, time`."""
        return unpack(self.packed, "verdict", self.time)

    @property
    def rejects(self) -> DataFrame:
        """`group, kind, reason, process, index, through, event`."""
        return unpack(self.packed, "reject")

    @property
    def metrics(self) -> DataFrame:
        """Per group and batch: `events, slides`, and counters since the group began."""
        return unpack(self.packed, "metric")

    def of(self, packed: DataFrame) -> Outputs:
        """The same view on another DataFrame of packed results, such as one micro-batch."""
        return Outputs(packed, self.time, self.order)


def detect(events: DataFrame, spec: Spec, **options: object) -> DataFrame:
    """A streaming DataFrame of verdicts for a streaming DataFrame of events.

    Takes the options of `outputs`, which also gives access to rejects and metrics.
    """
    if not events.isStreaming:
        raise InvalidInput("detect: the events are no streaming DataFrame; use replay for a batch")
    return outputs(events, spec, **options).verdicts  # type: ignore[arg-type]


def replay(events: DataFrame, spec: Spec, **options: object) -> DataFrame:
    """The verdicts for a batch DataFrame of events: those that `detect` gives when they come as one batch."""
    if events.isStreaming:
        raise InvalidInput("replay: the events are a streaming DataFrame; use detect")
    return outputs(events, spec, **options).verdicts  # type: ignore[arg-type]


def outputs(
    events: DataFrame,
    spec: Spec,
    *,
    columns: Mapping[str, str] | None = None,
    shards: int = DEFAULT_SHARDS,
    every: bool = False,
    observations: bool = False,
    max_row_bytes: int = DEFAULT_MAX_ROW_BYTES,
) -> Outputs:
    """Verdicts, rejects and metrics of a streaming or batch DataFrame of events.

    Input columns: `group` (string; without it all events are one group), `process`, `clock` (map<string, bigint>,
    or array<bigint> in the spec's order), `state` (map, struct, JSON string or variant), optional `time`, optional
    `arrival` (bigint or timestamp). `columns` maps these names to the DataFrame's where they differ.

    Within a group and batch, events are taken in the order of `arrival` if there is that column, else of `time`,
    else in a causal order (sum of the clock, then process, then index); across micro-batches, as the batches come.

    `shards` is the number of entries in the state store that groups are spread over. It is fixed at a
    query's first start. More shards make a batch that touches few of very many groups cheaper.
    """
    if not isinstance(spec, Spec):
        raise InvalidInput(f"spec must be a latwin.Spec; got {type(spec).__name__}")
    if isinstance(shards, bool) or not isinstance(shards, int) or shards < 1:
        raise InvalidInput(f"shards must be an integer from 1 up; got {shards!r}")
    checked = EventColumns.of(events, columns)
    if spec.synchrony_s is not None and isinstance(checked.types.get("time"), (NoneType, TimestampType)):
        there = checked.types["time"].simpleString() if "time" in checked.types else "no such column"
        raise InvalidInput(
            f"the spec has synchrony={spec.synchrony!r}, so `time` must be a column of seconds (cast a timestamp to "
            f"double) or of texts in ISO 8601; there is {there}"
        )
    work = Work(spec.to_dict(), shards, checked.order, every, observations)
    packed = checked.packed_events(events, shards, max_row_bytes).mapInArrow(pack, SCHEMA)
    if events.isStreaming:
        results = packed.groupBy("shard").transformWithState(ShardProcessor(work), PACKED, "Append", "None")
    else:
        # Not `repartition` by default count: results must not depend on it, and adaptive execution may merge.
        results = packed.repartition("shard").sortWithinPartitions("shard").mapInArrow(replay_shards(work), PACKED)
    return Outputs(results, checked.types.get("time"), checked.order)
