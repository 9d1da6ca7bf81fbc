"""A user's DataFrame as a source: which column is what, checked when the query is built.

Rows travel as typed columns. Where that cannot be, Spark's own functions make envelopes of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
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
from latwin.spark.column_packing import pack_columns
from latwin.spark.column_payloads import SCHEMA as COLUMN_SCHEMA
from latwin.spark.packing import SCHEMA, SHARDS, pack
from latwin.spark.schemas import TIMESTAMPS, VERDICTS
from latwin.spark.sweep import Sweep
from latwin.spark.watermarks import Watermark, delay_of

_INTEGERS = (ByteType, ShortType, IntegerType, LongType)
_INSTANTS = (TimestampType, TimestampNTZType, DateType)
_FRACTIONS = (DoubleType, FloatType)
FIELDS = ("group", "process", "clock", "state", "time", "arrival", "leave")
_REQUIRED = ("process", "clock", "state")
#: so many bytes of JSON are at most an envelope without its values, an entry of a clock, and a byte of a text
_FRAME_BYTES, _ENTRY_BYTES, _ESCAPED_BYTES = 400, 32, 6


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

    @property
    def watermark(self) -> Watermark | None:
        """The column of verdicts that comes from the events' column with a watermark: a kept one before `time`.

        Only one, as Spark wants one column of event time in a stream.
        """
        columns = {name: name for name in self.keep}
        if "time" in self.names:
            columns.setdefault(self.names["time"], "time")
        delays = {field.name: delay_of(field) for field in self.events.schema.fields}
        found = (Watermark(ours, delay) for name, ours in columns.items() if (delay := delays[name]) is not None)
        return next(found, None)

    def packed(self, sweep: Sweep | None = None) -> DataFrame:
        """(shard, payload) of all rows."""
        if self.keep or not self.has_typed_order:
            return self.envelopes().mapInArrow(partial(pack, sweep=sweep), SCHEMA)
        field = self._order_field
        mapper = pack_columns(None if field is None else RANKS[field], are_given=self._has_texts, sweep=sweep)
        return self.typed().mapInArrow(mapper, COLUMN_SCHEMA)

    @property
    def has_typed_order(self) -> bool:
        """Whether what orders events is a number, or their clocks; then they can travel as columns."""
        field = self._order_field
        return field is None or isinstance(self.types[field], (TimestampType, DoubleType, *_INTEGERS))

    @property
    def _order_field(self) -> str | None:
        return next((name for name in RANKS if name in self.names), None)

    @property
    def _has_texts(self) -> bool:
        return isinstance(self.types["state"], (StringType, VariantType))

    def typed(self) -> DataFrame:
        """(shard, event, group, process, clock, state, number, time): typed columns, and `event` is null.

        Or there is an envelope in `event`: where something is missing, or where the row may be too long. `number` is
        what orders events. It and `time` are there only if the events have them.
        """
        is_list = isinstance(self.types["clock"], ArrayType)
        clock = self._column("clock").cast("array<bigint>" if is_list else "map<string,bigint>")
        state, texts = self._typed_state()
        columns = {"group": self._group(), "process": self._process(), "clock": clock, "state": state}
        texts += [columns["group"], columns["process"]]
        if not is_list:
            texts.append(F.array_join(F.map_keys(clock), ""))
        needed = ["group", "process", "clock"]
        field = self._order_field
        if field is not None:
            is_fraction = isinstance(self.types[field], DoubleType)
            number = _plain(self._column(field), self.types[field]).cast("double" if is_fraction else "bigint")
            columns["number"] = F.when(_is_finite(number), number) if is_fraction else number
            needed.append("number")
        if "time" in self.names:
            is_number = isinstance(self.types["time"], (TimestampType, *_INTEGERS))
            time = _plain(self._column("time"), self.types["time"]).cast("bigint" if is_number else "string")
            columns["time"] = time
            if is_number:
                needed.append("time")
            else:
                texts.append(time)
        longest = F.lit(_FRAME_BYTES) + _ENTRY_BYTES * F.size(clock)
        for text in texts:
            longest += _ESCAPED_BYTES * F.coalesce(F.octet_length(text), F.lit(0))
        is_odd = longest > self.max_row_bytes
        for name in needed:
            is_odd = columns[name].isNull() | is_odd
        if "leave" in self.names:
            is_odd = self._column("leave").isNotNull() | is_odd
        return self._select(F.when(is_odd, self._envelope()), columns)

    def _typed_state(self) -> tuple[Column, list[Column]]:
        """The state as it travels: as a struct of values that Arrow has, else as JSON; and all texts in it."""
        state, kind = self._column("state"), self.types["state"]
        if isinstance(kind, StringType):
            return state, [state]
        if isinstance(kind, StructType) and _is_flat(kind):
            texts = [state.getField(each.name) for each in kind if isinstance(each.dataType, StringType)]
            names = F.lit("".join(f"{each.name} and a number" for each in kind))
            return state, [*texts, names]
        text = F.to_json(state) if isinstance(kind, VariantType) else F.to_json(state, {"ignoreNullFields": "false"})
        return text, [text]

    def envelopes(self) -> DataFrame:
        """(shard, event): every row's envelope as JSON, with the number of its group's shard."""
        return self._select(self._envelope(), {})

    def _envelope(self) -> Column:
        """A row's envelope as JSON."""
        fields = [self._process().alias("process"), self._column("clock").alias("clock")]
        head = [self._group().alias("group")]
        if self._has_texts:
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
        if "leave" in self.names:  # of any type: only a monitor whose processes leave reads it
            fields.append(self._column("leave").alias("leave"))
        return _envelope(_json(*head, timestamps=TIMESTAMPS), self._order(), _json(*fields))

    def _select(self, event: Column, columns: Mapping[str, Column]) -> DataFrame:
        """(shard, event) and these columns; events that are too long are cut off."""
        # Names of ours, as the user's columns may be called anything.
        ours = {name: f"_latwin_typed_{name}" for name in columns}
        rows = self.events.select(
            _shard_of(self._group()).alias("_latwin_shard"),
            event.alias("_latwin_event"),
            self._group().alias("_latwin_group"),
            self._process().alias("_latwin_process"),
            *(column.alias(ours[name]) for name, column in columns.items()),
        )
        size = F.octet_length("_latwin_event")
        event = F.when(size > self.max_row_bytes, self._cut_off(size)).otherwise(F.col("_latwin_event"))
        return rows.select(
            F.col("_latwin_shard").alias("shard"),
            event.alias("event"),
            *(F.col(ours[name]).alias(name) for name in columns),
        )

    def _group(self) -> Column:
        return self._column("group").cast("string") if "group" in self.names else F.lit("")

    def _process(self) -> Column:
        return self._column("process").cast("string")

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
        return F.when(plain.isNotNull(), F.when(_is_finite(plain), number).otherwise(as_text))
    return number


def _is_flat(kind: StructType) -> bool:
    """Whether all values in it mean the same as columns of Arrow and as JSON, but for numbers that are none."""
    return 0 < len({each.name for each in kind}) == len(kind) and all(
        isinstance(each.dataType, (BooleanType, DoubleType, StringType, *_INTEGERS)) for each in kind
    )


def _is_finite(number: Column) -> Column:
    return ~F.isnan(number) & (F.abs(number) != F.lit(float("inf")))


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
    if field == "leave":
        return
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
