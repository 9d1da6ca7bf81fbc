"""What a batch held: found in one job of Spark, or from its rows where these are here already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it

from latwin.spark.results import REJECT_KINDS, PackedRows
from latwin.spark.schemas import SCHEMAS

#: numbers of a metrics row that are summed over a batch; see `latwin.spark.shard`
_TOTALS = ("events", "slides", "waiting", "empty_slides", "without_cuts", "reordered")


@dataclass(frozen=True)
class BatchSummary:
    """What one batch held."""

    batch_id: int
    verdicts: int = 0
    rejects: int = 0
    #: how many of them are of a kind, see REJECT_KINDS
    rejects_by_kind: Mapping[str, int] = field(default_factory=dict)
    #: events that reached a group; a line that is no event is only among the rejects
    events: int = 0
    #: groups that had events
    groups: int = 0
    #: states that wait for earlier ones, in these groups
    waiting: int = 0
    #: how often a property under `never` came true
    violations: Mapping[str, int] = field(default_factory=dict)
    #: at how many slides one of them was too large to be answered
    unanswered: Mapping[str, int] = field(default_factory=dict)
    #: slides, and those of them without a cut
    slides: int = 0
    empty: int = 0
    #: how many more groups than before have had slides, and none with a cut
    groups_without_cuts: int = 0
    #: groups from logs that are taken in causal order because the order of their lines cannot be right
    reordered: int = 0
    #: what none of these groups has seen so far, with what came instead; None if there was no group
    unseen: Mapping[str, Sequence[str]] | None = None


#: the properties that must never come true: the same for all batches, or told by a batch's number
Never = tuple[str, ...] | Callable[[int], tuple[str, ...]]


def summary_of(
    verdicts: pa.Table, rejects: PackedRows, metrics: PackedRows, batch_id: int, never: Never = ()
) -> BatchSummary:
    """What is in a batch, from its rows: the same as `summarize` finds."""
    never = never(batch_id) if callable(never) else never
    totals = {name: sum(filter(None, metrics.column(name))) for name in _TOTALS}
    news = verdicts.filter(pc.and_(verdicts["value"], verdicts["changed"]))
    hits = Counter(news["property"].to_pylist())
    unknown: Counter[str] = Counter()
    for unanswered in filter(None, metrics.column("unanswered")):
        unknown.update(unanswered)
    return BatchSummary(
        batch_id,
        verdicts=len(verdicts),
        rejects=len(rejects),
        rejects_by_kind=Counter(rejects.column("kind")),
        events=totals["events"],
        groups=len(metrics),
        waiting=totals["waiting"],
        slides=totals["slides"],
        empty=totals["empty_slides"],
        groups_without_cuts=totals["without_cuts"],
        reordered=totals["reordered"],
        unseen=_common([unseen or {} for unseen in metrics.column("unseen")]) if metrics else None,
        violations={name: hits[name] for name in never if hits[name]},
        unanswered={name: unknown[name] for name in never if unknown[name]},
    )


def _common(unseen: Sequence[Mapping[str, Sequence[str]]]) -> dict[str, list[str]]:
    """What is in all of them; what came instead is that of one."""
    return {text: list(unseen[0][text]) for text in sorted(set(unseen[0]).intersection(*unseen[1:]))}


def summarize(packed: DataFrame, batch_id: int, never: Never = ()) -> BatchSummary:
    """What is in a batch of packed results, found in one job."""
    never = never(batch_id) if callable(never) else never
    columns = [
        F.sum("count").alias("rows"),
        *(F.sum(_total(name)).alias(name) for name in _TOTALS),
        F.collect_set(_unseen_in_all()).alias("unseen in all"),
        F.min(_unseen_in_one()).alias("unseen in one"),
        *(F.sum(_of_kind(kind)).alias(f"reject {kind}") for kind in REJECT_KINDS),
        *(F.sum(_came_true(name)).alias(f"never {position}") for position, name in enumerate(never)),
        *(F.sum(_unanswered(name)).alias(f"unanswered {position}") for position, name in enumerate(never)),
    ]
    found = {row["kind"]: row for row in packed.groupBy("kind").agg(*columns).collect()}
    counts = {kind: int(found[kind]["rows"]) if kind in found else 0 for kind in SCHEMAS}
    metric, verdict, reject = found.get("metric"), found.get("verdict"), found.get("reject")
    kinds = {kind: int(reject[f"reject {kind}"] or 0) if reject else 0 for kind in REJECT_KINDS}
    hits = {name: int(verdict[f"never {k}"] or 0) if verdict else 0 for k, name in enumerate(never)}
    unknown = {name: int(metric[f"unanswered {k}"] or 0) if metric else 0 for k, name in enumerate(never)}
    totals = {name: int(metric[name] or 0) if metric else 0 for name in _TOTALS}
    return BatchSummary(
        batch_id,
        verdicts=counts["verdict"],
        rejects=counts["reject"],
        rejects_by_kind={kind: count for kind, count in kinds.items() if count},
        events=totals["events"],
        groups=counts["metric"],
        waiting=totals["waiting"],
        slides=totals["slides"],
        empty=totals["empty_slides"],
        groups_without_cuts=totals["without_cuts"],
        reordered=totals["reordered"],
        unseen=_gathered(metric["unseen in all"], metric["unseen in one"]) if metric else None,
        violations={name: count for name, count in hits.items() if count},
        unanswered={name: count for name, count in unknown.items() if count},
    )


def _column(name: str, kind: str) -> Column:
    """A column of the rows that are packed together, as an array; empty if it was left out."""
    return F.coalesce(F.from_json("payload", f"{name} array<{kind}>")[name], F.array().cast(f"array<{kind}>"))


def _total(name: str) -> Column:
    """The sum of a metric over the rows that are packed together."""
    return _sum_of(_column(name, "bigint"))


def _unanswered(name: str) -> Column:
    """At how many slides a property was too large; rows say so only if there are any."""
    return _sum_of(F.transform(_column("unanswered", "map<string,bigint>"), lambda counts: counts[name]))


def _sum_of(numbers: Column) -> Column:
    zero = F.lit(0).cast("bigint")
    total = F.aggregate(numbers, zero, lambda before, number: before + F.coalesce(number, zero))
    return F.when(F.col("kind") == "metric", total)


def _unseen_in_all() -> Column:
    """What no group has seen, of those whose rows are packed together, in a fixed order."""
    nothing = F.array().cast("array<string>")
    texts = F.transform(_unseen(), lambda unseen: F.coalesce(F.map_keys(unseen), nothing))
    common = F.aggregate(texts, F.get(texts, F.lit(0)), lambda before, some: F.array_intersect(before, some))
    return F.when(F.col("kind") == "metric", F.coalesce(F.array_sort(common), nothing))


def _unseen_in_one() -> Column:
    """What one of these groups has not seen, as JSON, with what came instead; null if it has seen all."""
    return F.when(F.col("kind") == "metric", F.to_json(F.get(_unseen(), F.lit(0))))


def _unseen() -> Column:
    return _column("unseen", "map<string,array<string>>")


def _gathered(in_all: list[list[str]], in_one: str | None) -> dict[str, list[str]]:
    """What no group has seen. What came instead is that of one group: all have in common what they have not seen."""
    common = set(in_all[0]).intersection(*in_all[1:])
    if not common:
        return {}
    instead = msgspec.json.decode(in_one or "{}", type=dict[str, list[str]])
    return {text: instead.get(text, []) for text in sorted(common)}


def _of_kind(kind: str) -> Column:
    found = F.filter(_column("kind", "string"), lambda each: each == kind)
    return F.when(F.col("kind") == "reject", F.size(found))


def _came_true(name: str) -> Column:
    columns = {"property": "string", "value": "boolean", "changed": "boolean"}
    rows = F.arrays_zip(*(_column(column, kind).alias(column) for column, kind in columns.items()))
    hits = F.filter(rows, lambda row: (row["property"] == name) & row["value"] & row["changed"])
    return F.when(F.col("kind") == "verdict", F.size(hits))
