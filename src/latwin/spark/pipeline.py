"""`detect` and `replay`: a DataFrame of events in, DataFrames of verdicts, rejects and metrics out.

    source ── packed envelopes ──► shuffle by shard ──► ShardWorker ──► packed results ──► tables

Every source goes this way (`source_outputs`), as a stream or as a batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import NoneType

from pyspark.sql import DataFrame
from pyspark.sql.types import DataType, StructType, TimestampType

from latwin.errors import InvalidInput
from latwin.events.clocks import LARGEST_ENTRY
from latwin.events.decoding import MAX_EVENT_BYTES
from latwin.spark.clock_operator import ClockedShardProcessor, ClockedWork
from latwin.spark.operators import Detection, ShardProcessor, Work, replay_shards
from latwin.spark.packing import SHARDS
from latwin.spark.rules import FIRST, Rules
from latwin.spark.schemas import PACKED, unpack
from latwin.spark.session import warn_about_query
from latwin.spark.sources import Source
from latwin.spark.sources.columns import ColumnSource
from latwin.spark.sources.steps import StepSourceFrame
from latwin.spark.stateful import NO_TIMERS, WALL_CLOCK, with_state
from latwin.spark.sweep import Sweep
from latwin.spark.watermarks import Watermark
from latwin.spec import Spec


@dataclass(frozen=True)
class Outputs:
    """All that comes of a DataFrame of events, from one query and one state.

    `packed` holds the results of every kind (see `schemas.PACKED`); a streaming query that wants more than
    one kind writes it in `foreachBatch` and unpacks there, as `latwin.spark.sinks` does.
    """

    packed: DataFrame
    time: DataType | None = None
    #: columns that verdicts take along
    kept: StructType | None = None
    #: the column of verdicts that has a watermark
    watermark: Watermark | None = None
    #: whether the operator has timers of the wall clock
    has_timers: bool = False

    @property
    def verdicts(self) -> DataFrame:
        """Values of properties by group and slide; `schemas.VERDICTS` has the columns."""
        rows = unpack(self.packed, "verdict", self.time, self.kept)
        return rows if self.watermark is None else self.watermark.on(rows, has_timers=self.has_timers)

    @property
    def rejects(self) -> DataFrame:
        """`group, kind, reason, process, state_index, through, event`."""
        return unpack(self.packed, "reject")

    @property
    def metrics(self) -> DataFrame:
        """Per group and batch: `events, slides`; since the group began, counters, and what is still `unseen`."""
        return unpack(self.packed, "metric")

    def of(self, packed: DataFrame) -> Outputs:
        """The same view on another DataFrame of packed results, such as one micro-batch."""
        return replace(self, packed=packed)


def detect(
    events: DataFrame,
    spec: Spec,
    *,
    columns: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    every: bool = False,
    observations: bool = False,
    max_row_bytes: int = MAX_EVENT_BYTES,
    rules: int = FIRST,
) -> DataFrame:
    """A streaming DataFrame of verdicts for a streaming DataFrame of events.

    `outputs` explains the options, and also gives access to rejects and metrics.
    """
    if not events.isStreaming:
        raise InvalidInput("detect: the events are no streaming DataFrame; use replay for a batch")
    return outputs(
        events,
        spec,
        columns=columns,
        keep=keep,
        every=every,
        observations=observations,
        max_row_bytes=max_row_bytes,
        rules=rules,
    ).verdicts


def replay(
    events: DataFrame,
    spec: Spec,
    *,
    columns: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    every: bool = False,
    observations: bool = False,
    max_row_bytes: int = MAX_EVENT_BYTES,
    rules: int = FIRST,
) -> DataFrame:
    """The verdicts for a batch DataFrame of events: the same as those of `detect` if all come as one batch."""
    if events.isStreaming:
        raise InvalidInput("replay: the events are a streaming DataFrame; use detect")
    return outputs(
        events,
        spec,
        columns=columns,
        keep=keep,
        every=every,
        observations=observations,
        max_row_bytes=max_row_bytes,
        rules=rules,
    ).verdicts


def outputs(
    events: DataFrame,
    spec: Spec,
    *,
    columns: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    every: bool = False,
    observations: bool = False,
    max_row_bytes: int = MAX_EVENT_BYTES,
    rules: int = FIRST,
) -> Outputs:
    """Verdicts, rejects and metrics of a streaming or batch DataFrame of events.

    Input columns: `group` (string; without it all events are one group), `process`, `clock` (map<string, bigint>,
    or array<bigint> in the spec's order), `state` (map, struct, JSON string or variant), optional `time`, optional
    `arrival` (bigint or timestamp), and `leave` (boolean) if processes leave. `columns` maps these names to the
    DataFrame's where they differ.

    Within a group and batch, events are taken in the order of `arrival` if they have it, else of `time`, else in a
    causal order (sum of the clock, then process, then index); across micro-batches, as the batches come.

    `keep` names columns that verdicts take along: those of the event that brought the slide about. That is the event
    of the delivered state, or, if this had waited, the one that it waited for; at a tick they are null. A watermark
    on such a column, or on a timestamp that is the `time`, goes on in the verdicts of a stream.

    `every` gives each property at each slide, not only changes; `observations` adds an observation that avoids a
    false `definitely`. Rows whose JSON has more than `max_row_bytes` are rejected, not decoded.

    `rules` is the version of the spec's rules, which verdicts carry. Between two starts of a query the fields in
    `latwin.spec.FREE_FIELDS` may change. With a higher version than before, each group evaluates the new rules before
    its next event, as a slide of its own; with the same version they count from its next event on.
    """
    if not isinstance(spec, Spec):
        raise InvalidInput(f"spec must be a latwin.Spec; got {type(spec).__name__}")
    if isinstance(rules, bool) or not isinstance(rules, int) or not FIRST <= rules < LARGEST_ENTRY:
        raise InvalidInput(f"rules must be an integer from {FIRST} up; got {rules!r}")
    source = ColumnSource.of(events, columns, max_row_bytes, keep)
    if events.isStreaming:
        warn_about_query(events.sparkSession)
    return source_outputs(source, Rules.of(spec, rules), Detection(every, observations))


def source_outputs(source: Source, rules: Spec | Rules, detection: Detection | None = None) -> Outputs:
    """Verdicts, rejects and metrics of any source, under one spec or under one that changes from batch to batch."""
    rules = Rules.of(rules) if isinstance(rules, Spec) else rules
    require_seconds(source, rules.latest.checked())
    detection = detection or Detection()
    work = Work(rules, detection)
    packed = source.packed(Sweep(rules, SHARDS))
    time_mode = NO_TIMERS
    if isinstance(source, StepSourceFrame):
        if not packed.isStreaming:
            raise InvalidInput("clocks are made in a stream; derive those of a batch with derive_clocks, then replay")
        clocked = ClockedShardProcessor(ClockedWork(work, source.clocking))
        time_mode = WALL_CLOCK
        results = with_state(packed, clocked, time_mode)
    elif packed.isStreaming:
        processor = ShardProcessor(work)
        time_mode = processor.time_mode
        results = with_state(packed, processor, time_mode)
    else:
        # Not `repartition` by default count: results must not depend on it, and adaptive execution may merge.
        results = packed.repartition("shard").sortWithinPartitions("shard").mapInArrow(replay_shards(work), PACKED)
    if not isinstance(source, ColumnSource):
        return Outputs(results, source.time)
    return Outputs(results, source.time, source.kept, source.watermark, has_timers=time_mode != NO_TIMERS)


def require_seconds(source: Source, spec: Spec) -> None:
    """Raise InvalidInput unless a time column, where the spec needs times, is one that the monitor can read."""
    if spec.forget_after is not None and isinstance(source, StepSourceFrame):
        raise InvalidInput(
            f"the spec has forget_after={spec.forget_after!r}, which is for events that bring their clocks; clocks "
            "that are made in the stream would begin again in the middle"
        )
    if not isinstance(source, ColumnSource):
        return
    unusable: tuple[type, ...] = (NoneType, TimestampType) if spec.needs_times else ()
    if spec.forget_after is not None:  # where events have no time, the wall clock tells it
        unusable = unusable or (TimestampType,)
    if isinstance(source.time, unusable):
        there = source.time.simpleString() if source.time is not None else "no such column"
        why = f"synchrony={spec.synchrony!r}" if spec.synchrony_s is not None else "a window of time"
        why = why if spec.needs_times else f"forget_after={spec.forget_after!r}"
        raise InvalidInput(
            f"the spec has {why}, so `time` must be a column of seconds (cast a timestamp to "
            f"double) or of texts in ISO 8601; there is {there}"
        )
