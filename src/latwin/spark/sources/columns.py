"""A user's DataFrame as a source: which column is what, checked when the query is built.

Spark's own functions make the envelopes, so that typed columns need no Python before the shuffle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.types import (
    ArrayType,
    ByteType,
    DataType,
    DateType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    ShortType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
    VariantType,
)

from latwin.errors import InvalidInput
from latwin.events.decoding import MAX_EVENT_BYTES, SHOWN_BYTES
from latwin.events.order import RANKS
from latwin.events.reading import too_long
from latwin.spark.packing import SCHEMA, SHARDS, pack
from latwin.spark.schemas import TIMESTAMPS, VERDICTS

_INTEGERS = (ByteType, ShortType, IntegerType, LongType)
_INSTANTS = (TimestampType, TimestampNTZType, DateType)
_FRACTIONS = (DoubleType, FloatType)
FIELDS = ("group", "process", "clock", "state", "time", "arrival")
_REQUIRED = ("process", "clock", "state")


@dataclass(frozen=True)
class ColumnSource:
    """The checked columns of a DataFrame of events; rows whose JSON is longer are rejected, not decoded."""

    events: DataFrame
    names: Mapping[str, str]
    types: Mapping[str, DataType]
    max_row_bytes: int = MAX_EVENT_BYTES
    #: columns that verdicts take along
    keep: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        events: DataFrame,
        columns: Mapping[str, str] | None = None,
        max_row_bytes: int = MAX_EVENT_BYTES,
        keep: Sequence[str] = (),
    ) -> ColumnSource:
        """Find and check the columns; `columns` maps our names to the DataFrame's where they differ."""
        given = dict(columns or {})
        for field in given:
            if field not in FIELDS:
                raise InvalidInput(f"columns: unknown field {field!r}; fields are {', '.join(FIELDS)}")
        types = {field.name: field.dataType for field in events.schema.fields}
        names: dict[str, str] = {}
        for field in FIELDS:
            name = given.get(field, field)
            # A column that was said to be another field's does not also serve the field of its name.
            is_free = field in given or name not in given.values()
            if name in types and is_free:
                names[field] = name
            elif field in given or field in _REQUIRED:
                there = ", ".join(f"{n} {t.simpleString()}" for n, t in types.items()) or "no columns"
                raise InvalidInput(f"the events lack the column {name!r} for {field!r}; there are: {there}")
        checked = {field: types[name] for field, name in names.items()}
        for field, kind in checked.items():
            _check_type(field, names[field], kind)
        _check_kept(keep, types)
        return cls(events, names, checked, max_row_bytes, tuple(keep))

    @property
    def time(self) -> DataType | None:
        """The type of the column `time`."""
        return self.types.get("time")

    @property
    def kept(self) -> StructType | None:
        """The columns that verdicts take along, with their types."""
        kinds = {field.name: field.dataType for field in self.events.schema.fields}
        return StructType([StructField(name, kinds[name]) for name in self.keep]) if self.keep else None

    def packed(self) -> DataFrame:
        """(shard, payload) of all rows."""
        return self.envelopes().mapInArrow(pack, SCHEMA)

    def envelopes(self) -> DataFrame:
        """(shard, event): every row's envelope as JSON, with the number of its group's shard."""
        group = self._column("group").cast("string") if "group" in self.names else F.lit("")
        process = self._column("process").cast("string").alias("process")
        fields = [process, self._column("clock").alias("clock")]
        head = [group.alias("group")]
        if isinstance(self.types["state"], (StringType, VariantType)):
            is_text = isinstance(self.types["state"], StringType)
            state = self._column("state")
            head.append((state if is_text else F.to_json(state)).alias("state_text"))
            fields.append(F.lit(None).alias("state"))
        else:
            fields.append(self._column("state").alias("state"))
        if self.keep:
            head.append(F.struct(*(F.col(f"`{name}`").alias(name) for name in self.keep)).alias("kept"))
        if "time" in self.names:
            fields.append(_plain(self._column("time"), self.types["time"]).cast("string").alias("time"))
        event = _json(*fields)
        # Names of ours, as the user's columns may be called anything.
        rows = self.events.select(
            _shard_of(group).alias("_latwin_shard"),
            _envelope(_json(*head, timestamps=TIMESTAMPS), self._order(), event).alias("_latwin_event"),
            group.alias("_latwin_group"),
            process.alias("_latwin_process"),
        )
        size = F.octet_length("_latwin_event")
        event = F.when(size > self.max_row_bytes, self._cut_off(size)).otherwise(F.col("_latwin_event"))
        return rows.select(F.col("_latwin_shard").alias("shard"), event.alias("event"))

    def _column(self, field: str) -> Column:
        return F.col(f"`{self.names[field]}`")

    def _order(self) -> Column:
        """The place in the order of arrival, as JSON; the rule is that of `latwin.events.order`."""
        places = [
            _place(self._column(name), self.types[name], rank) for name, rank in RANKS.items() if name in self.names
        ]
        return F.coalesce(*places, F.lit("null"))

    def _cut_off(self, size: Column) -> Column:
        before, after = too_long("\0", self.max_row_bytes).split("\0")
        problem = F.concat(F.lit(before), F.format_number(size, 0), F.lit(after))
        head = _json(F.col("_latwin_group").alias("group"), problem.alias("problem"))
        beginning = F.substring("_latwin_event", 1, SHOWN_BYTES)
        event = _json(F.col("_latwin_process").alias("process"), beginning.alias("line"))
        return _envelope(head, F.lit("null"), event)


def _envelope(head: Column, order: Column, event: Column) -> Column:
    """`latwin.events.Envelope` as JSON, from an object of its other fields, its place and its event."""
    opened = F.substring(head, F.lit(1), F.length(head) - 1)
    return F.concat(opened, F.lit(',"order":'), order, F.lit(',"event":'), event, F.lit("}"))


def _json(*fields: Column, timestamps: str | None = None) -> Column:
    given = {} if timestamps is None else {"timestampFormat": timestamps}
    return F.to_json(F.struct(*fields), {"ignoreNullFields": "false", **given})


def _shard_of(group: Column) -> Column:
    """`latwin.spark.packing.shard_of` in Spark's functions."""
    return F.coalesce(F.crc32(group.cast("binary")) % SHARDS, F.lit(0)).cast("int")


def _place(column: Column, kind: DataType, rank: int) -> Column:
    """A place as JSON; null where the column is."""
    plain = _plain(column, kind)
    as_text = F.to_json(F.struct(F.lit(rank + 1).alias("rank"), plain.cast("string").alias("text")))
    if isinstance(kind, (StringType, TimestampNTZType, DateType)):
        return F.when(plain.isNotNull(), as_text)
    number = F.concat(F.lit(f'{{"rank":{rank},"number":'), plain.cast("string"), F.lit("}"))
    if isinstance(kind, _FRACTIONS):  # JSON has no NaN and no infinity
        is_finite = ~F.isnan(plain) & (F.abs(plain) != F.lit(float("inf")))
        return F.when(plain.isNotNull(), F.when(is_finite, number).otherwise(as_text))
    return number


def _plain(column: Column, kind: DataType) -> Column:
    """Instants as microseconds, local times and dates as text that sorts alike; everything else as it is."""
    if isinstance(kind, TimestampType):
        return F.unix_micros(column)
    return column.cast("string") if isinstance(kind, (TimestampNTZType, DateType)) else column


def _check_kept(keep: Sequence[str], types: Mapping[str, DataType]) -> None:
    """Raise InvalidInput for columns that verdicts cannot take along."""
    if isinstance(keep, str):
        raise InvalidInput(f"keep must be a list of columns; got the text {keep!r}")
    for name in keep:
        if name not in types:
            raise InvalidInput(f"keep: the events have no column {name!r}; there are {', '.join(types)}")
        if name in VERDICTS.names:
            raise InvalidInput(f"keep: verdicts have a column {name!r} of their own; give yours another name")
    if len(set(keep)) != len(keep):
        raise InvalidInput(f"keep names a column twice: {', '.join(keep)}")


def _check_type(field: str, name: str, kind: DataType) -> None:
    """Raise unless the column's type can serve as this field."""
    needed = {
        "group": "a string (or an integer)",
        "process": "a string",
        "clock": "map<string, bigint> or array<bigint> in the spec's order of processes",
        "state": "a map with string keys, a struct, a JSON string or a variant",
        "time": "a timestamp, date, number or string",
        "arrival": "a bigint or timestamp",
    }[field]
    is_right = {
        "group": isinstance(kind, (StringType, *_INTEGERS)),
        "process": isinstance(kind, StringType),
        "clock": (isinstance(kind, ArrayType) and isinstance(kind.elementType, _INTEGERS))
        or (
            isinstance(kind, MapType)
            and isinstance(kind.keyType, StringType)
            and isinstance(kind.valueType, _INTEGERS)
        ),
        "state": isinstance(kind, (StringType, StructType, VariantType))
        or (isinstance(kind, MapType) and isinstance(kind.keyType, StringType)),
        "time": isinstance(kind, (*_INSTANTS, *_INTEGERS, *_FRACTIONS, StringType)),
        "arrival": isinstance(kind, (*_INTEGERS, *_INSTANTS)),
    }[field]
    if not is_right:
        raise InvalidInput(f"the column {name!r} for {field!r} must be {needed}; it is {kind.simpleString()}")
