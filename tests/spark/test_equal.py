"""The same verdicts everywhere: streams cut anywhere, batches, and the local monitor, on a real local Spark."""

from __future__ import annotations

import datetime
import itertools
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it

from latwin.errors import InvalidInput
from latwin.spark import detect, outputs, replay
from shards import SPEC, Event, Row, by_group, local_rows
from traffic import drain, put_in_order, random_arrivals, random_events, random_spec, rows_of, setting, write_file

PARTITIONS = "spark.sql.shuffle.partitions"
BASE = "group string, process string, clock array<bigint>, state map<string, boolean>"


# -- the same verdicts everywhere ------------------------------------------------------------------------


def test_a_stream_a_batch_and_local_monitors_say_the_same(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert_the_same_everywhere(spark, tmp_path_factory, seed=4, order="causal", partitions=6, every=True)


@pytest.mark.soak
@settings(max_examples=3, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 2**32 - 1),
    order=st.sampled_from(["arrival", "time", "causal"]),
    partitions=st.integers(1, 8),
    every=st.booleans(),
)
def test_streams_batches_and_local_monitors_say_the_same(
    spark: SparkSession,
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    order: str,
    partitions: int,
    every: bool,
) -> None:
    assert_the_same_everywhere(spark, tmp_path_factory, seed=seed, order=order, partitions=partitions, every=every)


def assert_the_same_everywhere(
    spark: SparkSession,
    folders: pytest.TempPathFactory,
    *,
    seed: int,
    order: str,
    partitions: int,
    every: bool,
) -> None:
    """A stream that is cut anywhere and restarted, a batch, and local monitors give the same rows."""
    print(f"seed={seed} order={order} partitions={partitions} every={every}")
    rng = random.Random(seed)
    spec = random_spec(rng)
    events = random_arrivals(rng, spec, groups=rng.choice([1, 20, 60]))
    put_in_order(spec, events, order)
    options: dict[str, Any] = {"every": every, "observations": rng.random() < 0.5}

    # Files are batches, cut anywhere; what comes later may have arrived earlier.
    events.sort(key=lambda event: event["group"] if rng.random() < 0.1 else "")
    places = sorted(rng.randint(0, len(events)) for _ in range(rng.randint(1, 3)))
    batches = [events[a:b] for a, b in itertools.pairwise([0, *places, len(events)])]
    for batch in batches:
        rng.shuffle(batch)
    restart = rng.randint(1, len(batches) - 1)
    folder = folders.mktemp("events")
    checkpoint = folders.mktemp("checkpoint")
    schema = BASE if order == "causal" else f"{BASE}, {order} bigint"

    def run() -> list[Row]:
        stream = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).json(str(folder))
        return drain(detect(stream, spec, **options), checkpoint)

    streamed: list[Row] = []
    with setting(spark, PARTITIONS, partitions):
        for number, batch in enumerate(batches):
            if number == restart:
                streamed += run()
            write_file(folder, number, batch)
        streamed += run()
    assert by_group(streamed) == _told(local_rows(spec, batches, **_monitor(options)))

    with setting(spark, PARTITIONS, rng.randint(1, 8)):
        frame = spark.read.schema(schema).json(str(folder)).repartition(rng.randint(1, 8))
        replayed = rows_of(replay(frame, spec, **options))
    assert by_group(replayed) == _told(local_rows(spec, [events], **_monitor(options)))


def _monitor(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("every", "observations")}


def _told(rows: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """Only groups that something was said about."""
    return {group: said for group, said in rows.items() if said}


# -- columns ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def events() -> list[Event]:
    seed = 20260101
    print(f"seed={seed}")
    rng = random.Random(seed)
    found = [event for group in ("a", "b", "ü") for event in random_events(rng, SPEC, group, 12)]
    rng.shuffle(found)
    put_in_order(SPEC, found, "arrival")
    return found


@pytest.fixture(scope="module")
def frame(spark: SparkSession, events: list[Event]) -> DataFrame:
    rows = [(event["group"], event["process"], event["clock"], event["state"], event["arrival"]) for event in events]
    return spark.createDataFrame(rows, f"{BASE}, arrival bigint")


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"clock": "map_from_arrays(array('p0', 'p1'), clock)"}, marks=pytest.mark.soak),
        {"clock": "map_filter(map_from_arrays(array('p0', 'p1'), clock), (name, entry) -> entry > 0)"},
        pytest.param({"clock": "cast(clock as array<int>)"}, marks=pytest.mark.soak),
        {"state": "named_struct('x', state['x'], 'y', state['y'])"},
        pytest.param({"state": "to_json(state)"}, marks=pytest.mark.soak),
        {"state": "parse_json(to_json(state))", "clock": "map_from_arrays(array('p0', 'p1'), clock)"},
        pytest.param({"state": "map('x', cast(state['x'] as int), 'z', null)"}, marks=pytest.mark.soak),
        pytest.param({"arrival": "cast(arrival as int)"}, marks=pytest.mark.soak),
        {"arrival": "timestamp_micros(arrival)"},
        pytest.param({"arrival": "cast(timestamp_micros(arrival) as timestamp_ntz)"}, marks=pytest.mark.soak),
    ],
    ids=lambda changed: " ".join(f"{name}={text[:30]}" for name, text in changed.items()),
)
def test_columns_of_every_kind(frame: DataFrame, events: list[Event], changed: dict[str, str]) -> None:
    written = frame.withColumns({name: F.expr(text) for name, text in changed.items()})
    assert by_group(rows_of(replay(written, SPEC, every=True))) == local_rows(SPEC, [events], every=True)


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param(
            {"group": "room", "process": "device", "clock": "seen", "state": "values", "arrival": "n"},
            marks=pytest.mark.soak,
        ),
        {"group": "the room", "process": "a.b", "clock": "VC[]", "state": "Wert", "arrival": "ä"},
        pytest.param(
            {"group": "event", "process": "shard", "clock": "payload", "state": "order", "arrival": "kind"},
            marks=pytest.mark.soak,
        ),
        {"group": "shard", "process": "event", "clock": "state", "state": "clock", "arrival": "time"},
        {"group": "process", "process": "group"},
    ],
    ids=lambda columns: " ".join(columns.values()),
)
def test_mapped_column_names(frame: DataFrame, events: list[Event], columns: dict[str, str]) -> None:
    renamed = frame.select(*(F.col(name).alias(columns.get(name, name)) for name in frame.columns))
    rows = rows_of(replay(renamed, SPEC, columns=columns, every=True))
    assert by_group(rows) == local_rows(SPEC, [events], every=True)


def test_columns_that_nobody_asks_for_are_left_alone(frame: DataFrame, events: list[Event]) -> None:
    more = frame.withColumns({name: F.lit(1) for name in ("shard", "event", "payload", "kind", "order", "a.b")})
    assert by_group(rows_of(replay(more, SPEC, every=True))) == local_rows(SPEC, [events], every=True)


def test_without_a_group_column_there_is_one_group(frame: DataFrame, events: list[Event]) -> None:
    alone = frame.where("group = 'a'").drop("group")
    mine = [{**event, "group": ""} for event in events if event["group"] == "a"]
    assert by_group(rows_of(replay(alone, SPEC))) == _told(local_rows(SPEC, [mine]))


def test_groups_may_be_numbers(frame: DataFrame, events: list[Event]) -> None:
    numbered = frame.withColumn("group", F.expr("ascii(group)"))
    mine = [{**event, "group": str(ord(event["group"]))} for event in events]
    assert by_group(rows_of(replay(numbered, SPEC))) == _told(local_rows(SPEC, [mine]))


def test_no_events_at_all(frame: DataFrame) -> None:
    nothing = outputs(frame.limit(0), SPEC)
    assert [rows_of(nothing.verdicts), rows_of(nothing.rejects), rows_of(nothing.metrics)] == [[], [], []]


NOON = datetime.datetime(2026, 1, 1, 12, 0, 0, 123456)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("timestamp", NOON),
        pytest.param("timestamp_ntz", NOON, marks=pytest.mark.soak),
        pytest.param("date", NOON.date(), marks=pytest.mark.soak),
        ("bigint", 1 << 60),
        pytest.param("int", 1 << 30, marks=pytest.mark.soak),
        pytest.param("smallint", 1 << 10, marks=pytest.mark.soak),
        pytest.param("tinyint", 7, marks=pytest.mark.soak),
        ("double", 0.1),
        pytest.param("float", 0.5, marks=pytest.mark.soak),
        ("string", "noon"),
    ],
)
def test_times_come_back_as_they_were(spark: SparkSession, kind: str, value: Any) -> None:
    rows = [("g", "p0", [1, 0], {"x": True}, value), ("g", "p1", [0, 1], {"x": True}, None)]
    verdicts = replay(spark.createDataFrame(rows, f"{BASE}, time {kind}"), SPEC, every=True)
    assert verdicts.schema["time"].dataType.simpleString() == kind
    # Rows without a time come last.
    assert [(row["slide"], row["time"]) for row in rows_of(verdicts.where("property = 'both'"))] == [
        (1, value),
        (2, None),
    ]


def test_times_without_a_zone_survive_a_change_of_clocks(spark: SparkSession) -> None:
    skipped = datetime.datetime(2026, 3, 29, 2, 30)  # no clock in Berlin showed this
    rows = [("g", "p0", [1, 0], {"x": True}, skipped)]
    with setting(spark, "spark.sql.session.timeZone", "Europe/Berlin"):
        frame = spark.createDataFrame(rows, f"{BASE}, time timestamp_ntz")
        assert [row["time"] for row in rows_of(replay(frame, SPEC, every=True))] == [skipped] * 2


def test_order_by_time_if_there_is_no_arrival(spark: SparkSession) -> None:
    rows = [
        ("g", "p1", [0, 1], {"x": True}, NOON + datetime.timedelta(seconds=1)),
        ("g", "p0", [1, 0], {"x": True}, NOON),
    ]
    frame = spark.createDataFrame(rows, f"{BASE}, time timestamp")
    found = rows_of(replay(frame, SPEC))
    assert [(row["process"], row["time"]) for row in found] == [("p1", NOON + datetime.timedelta(seconds=1))] * 2
    arrival = frame.withColumn("arrival", F.expr("int(process = 'p0')"))
    assert [(row["process"], row["time"]) for row in rows_of(replay(arrival, SPEC))] == [("p0", NOON)] * 2


# -- mistakes that are found when the query is built --------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "kind", "needed"),
    [
        ("group", "double", "a string"),
        ("process", "bigint", "a string"),
        ("clock", "string", "map<string, bigint> or array<bigint>"),
        ("clock", "map<string,string>", "map<string, bigint> or array<bigint>"),
        ("clock", "map<int,bigint>", "map<string, bigint> or array<bigint>"),
        ("clock", "array<double>", "map<string, bigint> or array<bigint>"),
        ("state", "array<int>", "a map with string keys, a struct, a JSON string or a variant"),
        ("state", "bigint", "a map with string keys, a struct, a JSON string or a variant"),
        ("state", "map<int,int>", "a map with string keys, a struct, a JSON string or a variant"),
        ("time", "boolean", "a timestamp, date, number or string"),
        ("time", "array<int>", "a timestamp, date, number or string"),
        ("arrival", "string", "a bigint or timestamp"),
        ("arrival", "double", "a bigint or timestamp"),
    ],
)
def test_wrong_types_are_told(spark: SparkSession, column: str, kind: str, needed: str) -> None:
    schema = spark.createDataFrame([], f"{BASE}, time timestamp, arrival bigint").schema
    fields = {field.name: field.dataType.simpleString() for field in schema.fields} | {column: kind}
    frame = spark.createDataFrame([], ", ".join(f"`my {name}` {text}" for name, text in fields.items()))
    with pytest.raises(InvalidInput) as told:
        replay(frame, SPEC, columns={name: f"my {name}" for name in fields})
    message = str(told.value)
    assert f"'my {column}'" in message
    assert needed in message
    assert message.endswith(f"it is {kind}")


@pytest.mark.parametrize("column", ["process", "clock", "state"])
def test_missing_columns_are_told(frame: DataFrame, column: str) -> None:
    with pytest.raises(InvalidInput, match=rf"lack the column '{column}'.*there are: group string"):
        replay(frame.drop(column), SPEC)


def test_other_mistakes_are_told(spark: SparkSession, frame: DataFrame, tmp_path: Path) -> None:
    stream = spark.readStream.schema(BASE).json(str(tmp_path))
    with pytest.raises(InvalidInput, match="lack the column 'room' for 'group'; there are: group string"):
        replay(frame, SPEC, columns={"group": "room"})
    with pytest.raises(InvalidInput, match="unknown field 'room'; fields are group, process"):
        replay(frame, SPEC, columns={"room": "group"})
    with pytest.raises(InvalidInput, match="no streaming DataFrame; use replay"):
        detect(frame, SPEC)
    with pytest.raises(InvalidInput, match="streaming DataFrame; use detect"):
        replay(stream, SPEC)
    with pytest.raises(InvalidInput, match=r"spec must be a latwin\.Spec; got dict"):
        replay(frame, SPEC.to_dict())  # type: ignore[arg-type]


def test_verdicts_have_the_documented_columns(spark: SparkSession, frame: DataFrame, tmp_path: Path) -> None:
    columns = [
        "group",
        "property",
        "value",
        "changed",
        "slide",
        "kind",
        "process",
        "state_index",
        "least",
        "greatest",
    ]
    columns += ["cuts", "witness", "stretch", "final", "because", "rules", "growing", "members", "time"]
    stream = spark.readStream.schema(frame.schema).json(str(tmp_path))
    assert detect(stream, SPEC).columns == columns
    assert detect(stream, SPEC).isStreaming
    assert replay(frame, SPEC).columns == columns
