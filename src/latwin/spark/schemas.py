"""The output tables, one schema each, and how packed results become their rows."""

from __future__ import annotations

from typing import Any, Literal

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from latwin.spark.results import USUAL

Kind = Literal["verdict", "reject", "metric"]

#: What operators yield: for each shard and kind, the columns of its rows as one JSON object (see `results`).
PACKED = "kind string, count bigint, payload string"
PACKED_COLUMNS = ["kind", "count", "payload"]

#: timestamps in JSON, to the microsecond
TIMESTAMPS = "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"

_CUT = ArrayType(LongType())


def _schema(*fields: tuple[str, DataType]) -> StructType:
    return StructType([StructField(name, kind) for name, kind in fields])


VERDICTS = _schema(
    ("group", StringType()),
    ("property", StringType()),
    ("value", BooleanType()),  # null: the lattice exceeded max_cuts at this slide
    ("changed", BooleanType()),
    ("slide", LongType()),  # the group's delivered states and ticks, counted from 1
    ("kind", StringType()),  # what made the slide: state, tick, rules
    ("process", StringType()),  # of the delivered state; null where there is none
    ("state_index", LongType()),
    ("least", _CUT),
    ("greatest", _CUT),
    ("cuts", LongType()),
    ("witness", ArrayType(_CUT)),  # one cut (possibly), or an observation (definitely, if asked for)
    ("stretch", _CUT),  # of a sequence: where in the witness it occurs
    ("final", BooleanType()),  # no later event can overturn the value for this window; null: unknown
    ("because", StringType()),  # of a true definitely: least, greatest, inside
    ("rules", LongType()),  # the version of the rules
    ("growing", BooleanType()),  # a window that the rules made larger is not full yet
    ("members", ArrayType(StringType())),  # whose states the entries of cuts are, where processes join and leave
    ("time", StringType()),  # the last one; see `unpack`
)
REJECTS = _schema(
    ("group", StringType()),
    ("kind", StringType()),  # rejected, late, skipped, left, ended, returned
    ("reason", StringType()),
    ("process", StringType()),
    ("state_index", LongType()),
    ("through", LongType()),
    ("event", StringType()),  # the row as it came, as JSON
)
METRICS = _schema(
    ("group", StringType()),
    ("events", LongType()),  # in this batch
    ("slides", LongType()),  # in this batch
    ("delivered", LongType()),  # from here on: since the group began
    ("waiting", LongType()),
    ("duplicates", LongType()),
    ("rejected", LongType()),
    ("late", LongType()),
    ("skipped", LongType()),
    ("too_large", LongType()),
    ("empty", LongType()),  # slides without a cut
    ("ticks", LongType()),  # slides without a delivered state
    # what the properties expect and no state has shown, with names or values that came instead; null if there is none
    ("unseen", MapType(StringType(), ArrayType(StringType()))),
)
#: columns that have another name in records, and had it in older outputs: `Row.index` is a method of every row
RECORDED = {"state_index": "index"}
SCHEMAS: dict[str, StructType] = {"verdict": VERDICTS, "reject": REJECTS, "metric": METRICS}
#: the tables that an output has
Table = Literal["verdicts", "rejects", "metrics"]
TABLES: dict[str, StructType] = {"verdicts": VERDICTS, "rejects": REJECTS, "metrics": METRICS}

#: what columns hold in outputs that were written before they were added
_ADDED: dict[str, dict[str, Any]] = {
    "verdicts": {**USUAL, "members": None},
    "metrics": {"ticks": 0},
}


def with_added_columns(rows: DataFrame, table: str) -> DataFrame:
    """Rows of a table as older outputs have them, with the columns that were added since."""
    types, there = TABLES[table], set(rows.columns)
    for name, old in RECORDED.items():
        if old in there:
            known = F.coalesce(name, old) if name in there else F.col(old)
            rows = rows.withColumn(name, known).drop(old)
    for name, value in _ADDED.get(table, {}).items():
        added = F.lit(value).cast(types[name].dataType)
        rows = rows.withColumn(name, F.coalesce(name, added) if name in there else added)
    return rows


def as_record(row: Row) -> dict[str, Any]:
    """A row as plain data, with the names of records."""
    return {RECORDED.get(name, name): value for name, value in row.asDict(recursive=True).items()}


def stored_schema(table: str) -> StructType:
    """What rows of a table may have where they were written as JSON, by this latwin or an older one."""
    fields = TABLES[table].fields
    old = [(RECORDED[field.name], field.dataType) for field in fields if field.name in RECORDED]
    return StructType([*fields, *_schema(*old).fields])


def unpack(packed: DataFrame, kind: Kind, time: DataType | None = None, kept: StructType | None = None) -> DataFrame:
    """The rows of one kind; `time` is the type of the events' time column, which verdicts keep, as they do `kept`."""
    fields = {RECORDED.get(field.name, field.name): field for field in SCHEMAS[kind].fields}
    types = {name: field.dataType for name, field in fields.items()}
    if kept is not None:
        types["kept"] = kept
    arrays = _schema(*((name, ArrayType(each)) for name, each in types.items()))
    found = F.from_json("payload", arrays, {"mode": "FAILFAST", "timestampFormat": TIMESTAMPS})
    # As texts: a query is built for every batch, and each function that is called from Python costs a round trip.
    # A column that was left out is null. An empty one in its place is shorter than the others: its rows get nulls.
    zipped = ", ".join(f"coalesce(found.`{name}`, array())" for name in types)
    names = ", ".join(f"`{name}`" for name in types)
    rows = packed.where(f"kind = '{kind}'").select(found.alias("found"))
    rows = rows.selectExpr(f"inline(arrays_zip({zipped})) as ({names})")
    columns = {field.name: f"`{name}`" for name, field in fields.items()}
    if kind == "verdict":
        columns |= {name: f"coalesce(`{name}`, {value!r})" for name, value in USUAL.items()}
        columns["time"] = _time(time)
    if kept is not None:
        quoted = {name: name.replace("`", "``") for name in kept.names}
        columns |= {each: f"kept.`{each}`" for each in quoted.values()}
    return rows.selectExpr(*(f"{column} as `{name}`" for name, column in columns.items()))


def _time(kind: DataType | None) -> str:
    """The events' time back from the text that `columns` made of it."""
    if kind is None:
        return "time"
    if isinstance(kind, TimestampType):
        return "timestamp_micros(cast(time as bigint))"
    return f"cast(time as {kind.simpleString()})"
