"""The output tables, one schema each, and how packed results become their rows."""

from __future__ import annotations

from typing import Any, Literal

from pyspark.sql import Column, DataFrame, Row
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


def columns_in(payload: str, fields: StructType) -> dict[str, Column]:
    """The columns of packed rows by their names, each an array with an entry for every row, or none at all."""
    types = _schema(*((field.name, ArrayType(field.dataType)) for field in fields.fields))
    found = F.from_json(payload, types, {"mode": "FAILFAST", "timestampFormat": TIMESTAMPS})
    return {
        field.name: F.coalesce(found[field.name], F.array().cast(ArrayType(field.dataType)))
        for field in fields.fields
    }


def unpack(packed: DataFrame, kind: Kind, time: DataType | None = None, kept: StructType | None = None) -> DataFrame:
    """The rows of one kind; `time` is the type of the events' time column, which verdicts keep, as they do `kept`."""
    fields = SCHEMAS[kind].fields
    schema = _schema(*((RECORDED.get(field.name, field.name), field.dataType) for field in fields))
    if kept is not None:
        schema = StructType([*schema.fields, StructField("kept", kept)])
    given = columns_in("payload", schema)
    # Columns that are left out are empty, and shorter than the others: their rows get nulls.
    zipped = F.arrays_zip(*(column.alias(name) for name, column in given.items()))
    rows = packed.where(F.col("kind") == kind).select(F.explode(zipped).alias("row"))
    columns: list[Column] = []
    for field in fields:
        column = F.col(f"row.`{RECORDED.get(field.name, field.name)}`")
        if kind == "verdict" and field.name in USUAL:
            column = F.coalesce(column, F.lit(USUAL[field.name]).cast(field.dataType))
        columns.append(column.alias(field.name))
    if kind == "verdict":
        columns[-1] = _time(F.col("row.time"), time).alias("time")
    if kept is not None:
        columns += [F.col(f"row.kept.`{name}`").alias(name) for name in kept.names]
    return rows.select(*columns)


def _time(column: Column, kind: DataType | None) -> Column:
    """The events' time back from the text that `columns` made of it."""
    if kind is None:
        return column
    return F.timestamp_micros(column.cast("bigint")) if isinstance(kind, TimestampType) else column.cast(kind)
