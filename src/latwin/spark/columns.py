"""From a user's DataFrame to packed events: which column is what, checked when the query is built."""

from __future__ import annotations

from collections.abc import Mapping
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
    StructType,
    TimestampNTZType,
    TimestampType,
    VariantType,
)

from latwin.errors import InvalidInput
from latwin.spark.shard import Order

_INTEGERS = (ByteType, ShortType, IntegerType, LongType)
_INSTANTS = (TimestampType, TimestampNTZType, DateType)
FIELDS = ("group", "process", "clock", "state", "time", "arrival")
_REQUIRED = ("process", "clock", "state")


@dataclass(frozen=True)
class EventColumns:
    """The checked columns of an events DataFrame.

    `order` says how a group's events are ordered within a batch: by `arrival` if there is such a column, else
    by `time`, else in a causal order.
    """

    names: Mapping[str, str]
    types: Mapping[str, DataType]
    order: Order

    @classmethod
    def of(cls, events: DataFrame, columns: Mapping[str, str] | None = None) -> EventColumns:
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
        order: Order = "arrival" if "arrival" in names else "time" if "time" in names else "causal"
        return cls(names, checked, order)

    def column(self, field: str) -> Column:
        """The DataFrame's column for a field; a null literal if there is none."""
        return F.col(f"`{self.names[field]}`") if field in self.names else F.lit(None)

    def packed_events(self, events: DataFrame, shards: int, max_row_bytes: int) -> DataFrame:
        """(shard, event): every row as one JSON text, with the number of its group's shard."""
        group = self.column("group").cast("string") if "group" in self.names else F.lit("")
        fields = [
            group.alias("group"),
            self.column("process").cast("string").alias("process"),
            self.column("clock").alias("clock"),
            *self._state(),
        ]
        if "time" in self.names:
            fields.append(_plain(self.column("time"), self.types["time"]).cast("string").alias("time"))
        if self.order != "causal":
            fields.append(_plain(self.column(self.order), self.types[self.order]).alias("order"))
        text = F.to_json(F.struct(*fields), {"ignoreNullFields": "false"})
        shard = F.coalesce(F.pmod(F.xxhash64(group), F.lit(shards)), F.lit(0)).cast("int")
        # Names of ours, as the user's columns may be called anything.
        rows = events.select(
            shard.alias("_latwin_shard"),
            text.alias("_latwin_event"),
            group.alias("_latwin_group"),
            self.column("process").cast("string").alias("_latwin_process"),
        )
        cut_off = F.to_json(
            F.struct(
                F.col("_latwin_group").alias("group"),
                F.col("_latwin_process").alias("process"),
                F.octet_length("_latwin_event").alias("oversize"),
                F.substring("_latwin_event", 1, 1000).alias("state"),
            )
        )
        is_too_long = F.octet_length("_latwin_event") > max_row_bytes
        event = F.when(is_too_long, cut_off).otherwise(F.col("_latwin_event"))
        return rows.select(F.col("_latwin_shard").alias("shard"), event.alias("event"))

    def _state(self) -> list[Column]:
        state, kind = self.column("state"), self.types["state"]
        if isinstance(kind, StringType):
            return [F.lit(None).alias("state"), state.alias("state_json")]
        if isinstance(kind, VariantType):
            return [F.lit(None).alias("state"), F.to_json(state).alias("state_json")]
        return [state.alias("state")]


def _plain(column: Column, kind: DataType) -> Column:
    """Instants as microseconds, local times and dates as text that sorts alike; everything else as it is."""
    if isinstance(kind, TimestampType):
        return F.unix_micros(column)
    return column.cast("string") if isinstance(kind, (TimestampNTZType, DateType)) else column


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
        "time": isinstance(kind, (*_INSTANTS, *_INTEGERS, DoubleType, FloatType, StringType)),
        "arrival": isinstance(kind, (*_INTEGERS, *_INSTANTS)),
    }[field]
    if not is_right:
        raise InvalidInput(f"the column {name!r} for {field!r} must be {needed}; it is {kind.simpleString()}")
