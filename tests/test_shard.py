"""What a worker does with the events of one shard, and how events are packed for it; no Spark here."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from computations import arrival_orders, computations, windows
from latwin import Monitor, Spec
from latwin.errors import SnapshotError
from latwin.spark import packing
from latwin.spark.shard import VERSION, Order, Results, ShardWorker
from monitoring import event as event_of
from monitoring import names

Event = dict[str, Any]
Row = dict[str, Any]

SPEC = Spec.from_dict(
    {
        "processes": ["p0", "p1"],
        "window": 3,
        "properties": {"both": "possibly(p0.x and p1.x)", "sure": "definitely(p0.x and p1.x)"},
    }
)


def verdict_rows(group: str, verdicts: Iterable[Any]) -> list[Row]:
    """A monitor's verdicts as the rows of the verdicts table, as JSON carries them."""
    rows = []
    for verdict in verdicts:
        row = msgspec.structs.asdict(verdict)
        witness = row["witness"]
        if witness is not None and not isinstance(witness[0], tuple):
            row["witness"] = [witness]
        rows.append({"group": group, **row})
    plain: list[Row] = json.loads(json.dumps(rows))
    return plain


def local_rows(
    spec: Spec, batches: Iterable[Sequence[Event]], *, every: bool = False, observations: bool = False
) -> dict[str, list[Row]]:
    """What local monitors say, one per group: each batch in order of arrival, the batches as they come."""
    monitors: dict[str, Monitor] = {}
    rows: dict[str, list[Row]] = {}
    for batch in batches:
        for event in sorted(batch, key=lambda event: event["order"]):
            group = event["group"]
            monitor = monitors.setdefault(group, Monitor(spec, observations=observations))
            rows.setdefault(group, []).extend(verdict_rows(group, monitor.observe(event, every=every)))
    return rows


def by_group(rows: Iterable[Row]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in json.loads(json.dumps(list(rows))):
        groups.setdefault(row["group"], []).append(row)
    return groups


def make_worker(spec: Spec = SPEC, **options: Any) -> ShardWorker:
    defaults: dict[str, Any] = {"shards": 4, "order": "arrival", "every": False, "observations": False}
    return ShardWorker(spec, **{**defaults, **options})


def payload(*events: Any) -> str:
    return ",".join(json.dumps(event) for event in events)


def make_event(group: str | None, process: int, index: int, x: Any = True, *, order: Any = 0, **fields: Any) -> Event:
    """A state of p0 or p1 that knows nothing of the other."""
    clock = [0, 0]
    clock[process] = index
    return {"group": group, "process": f"p{process}", "clock": clock, "state": {"x": x}, "order": order} | fields


def work(worker: ShardWorker, *events: Any, stored: bytes | None = None) -> Results:
    return worker.work(stored, [payload(*events)])[1]


# -- the same as local monitors --------------------------------------------------------------------


@st.composite
def traffic(draw: st.DrawFn) -> tuple[Spec, list[list[list[Event]]]]:
    """A spec and events of several groups: calls of payloads of events, cut anywhere, in any order."""
    processes = draw(st.integers(1, 3))
    window = draw(windows(processes))
    every_process = " and ".join(f"{name}.x" for name in names(processes))
    spec = Spec.from_dict(
        {
            "processes": names(processes),
            "window": dict(zip(names(processes), window, strict=True)) if isinstance(window, list) else window,
            "properties": {
                "possible": f"possibly({every_process})",
                "certain": f"definitely({every_process})",
                "odd": "possibly(p0.x) and not definitely(p0.x)",
            },
            "delivery": draw(st.sampled_from(["fifo", "causal"])),
        }
    )
    values = st.fixed_dictionaries({"x": st.booleans()})
    events: list[Event] = []
    for group in range(draw(st.integers(1, 4))):
        computation = draw(computations(processes, processes, max_states=8, values=values))
        arrived = draw(arrival_orders(computation, duplicates=True))
        events += [{"group": f"g{group}", **event_of(state)} for state in arrived]
    seed = draw(st.integers(0, 1 << 30))
    print(f"seed={seed}")
    rng = random.Random(seed)
    rng.shuffle(events)
    for arrival, event in enumerate(events):
        event["order"] = arrival
    calls = [cut(rng, call) for call in cut(rng, events)]
    for call in calls:
        rng.shuffle(call)  # the payloads of a shard come in any order
    return spec, calls


def cut(rng: random.Random, events: list[Event]) -> list[list[Event]]:
    """The list in random pieces, some of them empty."""
    places = sorted(rng.randint(0, len(events)) for _ in range(rng.randint(0, 4)))
    return [events[a:b] for a, b in itertools.pairwise([0, *places, len(events)])]


@given(traffic(), st.booleans(), st.booleans())
def test_a_shard_says_what_local_monitors_say(
    drawn: tuple[Spec, list[list[list[Event]]]], every: bool, observations: bool
) -> None:
    spec, calls = drawn
    stored: bytes | None = None
    rows: list[Row] = []
    for call in calls:
        # A new worker each time: nothing but the bytes goes from call to call.
        worker = make_worker(spec, every=every, observations=observations)
        stored, results = worker.work(stored, [payload(*events) for events in call])
        assert isinstance(stored, bytes)
        rows += results.verdicts
    flat = [[event for events in call for event in events] for call in calls]
    expected = local_rows(spec, flat, every=every, observations=observations)
    assert by_group(rows) == {group: rows for group, rows in expected.items() if rows}


@given(traffic())
def test_one_worker_keeps_shards_apart(drawn: tuple[Spec, list[list[list[Event]]]]) -> None:
    spec, calls = drawn
    worker = make_worker(spec)
    worker.warm_up()
    stored: dict[str, bytes] = {}
    rows: list[Row] = []
    for call in calls:
        for group in ("g3", "g1", "g0", "g2"):
            packed = [payload(*(e for e in events if e["group"] == group)) for events in call]
            stored[group], results = worker.work(stored.get(group), packed)
            rows += results.verdicts
    expected = local_rows(spec, [[event for events in call for event in events] for call in calls])
    assert by_group(rows) == {group: rows for group, rows in expected.items() if rows}


def test_results_are_packed_by_kind() -> None:
    results = work(make_worker(), make_event("ä", 0, 1), make_event("ä", 1, 1, order=1), make_event(None, 0, 1))
    packed = {kind: (count, json.loads(text)) for kind, count, text in results.packed()}
    assert {kind: count for kind, (count, _) in packed.items()} == {"verdict": 2, "reject": 1, "metric": 1}
    assert packed["verdict"][1][0]["group"] == "ä"
    assert packed["metric"][1] == [
        {
            "group": "ä",
            "events": 2,
            "slides": 2,
            "delivered": 2,
            "waiting": 0,
            "duplicates": 0,
            "rejected": 0,
            "late": 0,
            "skipped": 0,
            "too_large": 0,
        }
    ]
    assert make_worker().work(None, [])[1].packed() == []


def test_metrics_count_the_batch_and_since_the_beginning() -> None:
    worker = make_worker()
    stored, _ = worker.work(None, [payload(make_event("a", 0, 1), make_event("a", 0, 1), make_event("b", 0, 1))])
    _, results = worker.work(stored, [payload(make_event("a", 0, 2), make_event("a", 0, 9, order=1))])
    assert results.metrics == [
        {
            "group": "a",
            "events": 2,
            "slides": 1,
            "delivered": 2,
            "waiting": 1,
            "duplicates": 1,
            "rejected": 0,
            "late": 0,
            "skipped": 0,
            "too_large": 0,
        }
    ]


# -- order ---------------------------------------------------------------------------------------------


def slides_of(order: Order, events: Sequence[Event]) -> list[tuple[str, int]]:
    """Which states a worker delivers one after the other."""
    results = work(make_worker(order=order, every=True), *events)
    return [(row["process"], row["index"]) for row in results.verdicts if row["property"] == "both"]


def test_order_by_arrival_and_by_time() -> None:
    events = [make_event("g", 1, 1, order=30), make_event("g", 0, 1, order=20), make_event("g", 1, 2, order=10)]
    # p1's second state comes first and waits for its first.
    assert slides_of("arrival", events) == [("p0", 1), ("p1", 1), ("p1", 2)]
    assert slides_of("time", events) == [("p0", 1), ("p1", 1), ("p1", 2)]
    texts = [{**event, "order": f"2026-01-{event['order']}"} for event in events]
    assert slides_of("time", texts) == [("p0", 1), ("p1", 1), ("p1", 2)]


def test_causal_order() -> None:
    events = [
        make_event("g", 0, 2, clock=[2, 1]),
        make_event("g", 1, 1),
        make_event("g", 1, 2),
        make_event("g", 0, 1, clock={"p0": 1}),
    ]
    for arrived in itertools.permutations(events):
        assert slides_of("causal", arrived) == [("p0", 1), ("p1", 1), ("p1", 2), ("p0", 2)]


@pytest.mark.parametrize("order", ["arrival", "time", "causal"])
def test_ties_do_not_depend_on_the_way_rows_came(order: Order) -> None:
    tied = [
        make_event("g", 0, 1, order=5),
        make_event("g", 0, 1, False, order=5),  # the same state with other content: one of them is rejected
        make_event("g", 0, 2, order=5),
        make_event("g", 1, 1, order=5),
        make_event("g", 1, 1, order=5, clock={"p1": 1}),  # the same content, written otherwise
    ]
    outcomes = set()
    for arrived in itertools.permutations(tied):
        results = make_worker(order=order, every=True).work(None, [payload(*arrived[:2]), payload(*arrived[2:])])[1]
        outcomes.add(json.dumps([results.verdicts, results.rejects, results.metrics]))
    assert len(outcomes) == 1


@pytest.mark.parametrize("nothing", [None, "absent"])
def test_rows_without_what_the_order_needs_come_last(nothing: str | None) -> None:
    unordered = make_event("g", 0, 1, order=None)
    if nothing == "absent":
        del unordered["order"]
    events = [unordered, make_event("g", 1, 2, order=2), make_event("g", 1, 1, order=1)]
    for arrived in itertools.permutations(events):
        assert slides_of("arrival", arrived) == [("p1", 1), ("p1", 2), ("p0", 1)]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_writes_as_text_do_not_stop_the_others(number: str) -> None:
    # A column of doubles may hold them; Spark's JSON has them as strings between numbers.
    events = [make_event("g", 0, 1, order=number), make_event("g", 1, 1, order=1.5), make_event("h", 0, 1, order=1)]
    results = work(make_worker(order="time", every=True), *events)
    assert {row["group"] for row in results.verdicts} == {"g", "h"}
    assert ("p1", 1) in {(row["process"], row["index"]) for row in results.verdicts}


def test_causal_order_survives_clocks_that_are_none() -> None:
    bad = [
        make_event("g", 0, 1, clock=clock)
        for clock in (None, [], [1], [1, None], {"p0": None}, {"p1": 1}, {"p9": 1}, [-1, 0], "x", 7)
    ]
    bad += [make_event("g", 0, 1) | {"process": process} for process in (None, "p9")]
    for shift in range(len(bad)):
        events = [*bad[shift:], make_event("g", 0, 1), *bad[:shift]]
        results = work(make_worker(order="causal", every=True), *events)
        assert {(row["process"], row["index"]) for row in results.verdicts} == {("p0", 1)}
        assert len(results.rejects) == len(bad)
        assert {row["kind"] for row in results.rejects} == {"rejected"}


# -- rows that are no events ---------------------------------------------------------------------------


def reject_of(*events: Any, spec: Spec = SPEC, kind: str = "rejected") -> Row:
    """The one reject of these rows, beside a good group that is not touched."""
    good = [make_event("good", 0, 1), make_event("good", 1, 1, order=1)]
    results = work(make_worker(spec), *events, *good)
    assert [(row["property"], row["value"]) for row in results.verdicts if row["group"] == "good"] == [
        (name, True) for name in spec.properties
    ]
    assert len(results.rejects) == 1
    assert results.rejects[0]["kind"] == kind
    return results.rejects[0]


def test_null_group() -> None:
    row = reject_of(make_event(None, 0, 1))
    assert row["group"] is None
    assert row["reason"] == "the group is null"
    assert json.loads(row["event"])["process"] == "p0"


@pytest.mark.parametrize("text", ['{"x": tru', "", "nothing", '{"x": NaN}', '{"x": "\\ud800"}', "1" * 5000])
def test_state_that_is_no_json(text: str) -> None:
    row = reject_of(make_event("bad", 0, 1, state=None, state_json=text))
    assert row["group"] == "bad"
    assert row["reason"].startswith("the state is no valid JSON: ")
    assert json.loads(row["event"])["state"] == text


@pytest.mark.parametrize(("text", "found"), [("[1]", "list"), ("7", "int"), ('"x"', "str"), ("true", "bool")])
def test_state_that_is_json_but_no_map(text: str, found: str) -> None:
    row = reject_of(make_event("bad", 0, 1, state=None, state_json=text))
    assert row["reason"] == f"process 'p0': the state must be a map; got {found}"


def test_state_as_json_is_read() -> None:
    first = make_event("g", 0, 1, state=None, state_json='{"x": true}')
    second = make_event("g", 1, 1, state=None, state_json=' {"x":\n1, "y": 123456789012345678901234567890} ')
    third = make_event("g", 1, 2, state=None, state_json=None)
    results = work(make_worker(), first, second, {**third, "order": 9})
    assert results.rejects == []
    assert results.metrics[0]["delivered"] == 3


def test_oversize_rows() -> None:
    row = reject_of({"group": "bad", "process": "p0", "oversize": 1048576, "state": '{"group":"bad"'})
    assert row["group"] == "bad"
    assert "1,048,576 bytes" in row["reason"]
    assert "max_row_bytes" in row["reason"]
    assert json.loads(row["event"])["state"] == '{"group":"bad"'


def test_events_that_the_monitor_rejects() -> None:
    for fields, reason in (
        ({"process": "p9"}, "unknown process 'p9'"),
        ({"process": None}, "unknown process None"),
        ({"clock": None}, "the clock must be a list of 2 integers or a map"),
        ({"clock": [-1, 0]}, "clock entries must be integers from 0"),
        ({"clock": [0, 1]}, "the clock's own entry is the state's index"),
        ({"clock": {"p1": 1}}, "the clock's own entry is the state's index"),
        ({"clock": {"p0": 1, "p9": 1}}, "the clock names the unknown process 'p9'"),
        ({"clock": [1, 0, 0]}, "the clock must have 2 entries; got 3"),
        ({"clock": [1, None]}, "clock entries must be integers"),
        ({"state": [1]}, "the state must be a map; got list"),
    ):
        row = reject_of(make_event("bad", 0, 1) | fields)
        assert row["group"] == "bad"
        assert reason in row["reason"]
        event = json.loads(row["event"])
        assert {name: event[name] for name in fields} == fields


def test_conflicting_duplicate() -> None:
    row = reject_of(make_event("bad", 0, 1, order=1), make_event("bad", 0, 1, False, order=2, time="noon"))
    assert (row["process"], row["index"]) == ("p0", 1)
    assert "came before with other content" in row["reason"]
    assert json.loads(row["event"]) == {"process": "p0", "clock": [1, 0], "state": {"x": False}, "time": "noon"}


def test_conflicting_duplicate_in_a_later_call() -> None:
    worker = make_worker()
    stored, _ = worker.work(None, [payload(make_event("g", 0, 1))])
    _, results = worker.work(stored, [payload(make_event("g", 0, 1, False))])
    assert [row["kind"] for row in results.rejects] == ["rejected"]


def test_deep_states_are_taken_or_rejected() -> None:
    # Somewhere near the interpreter's limit reading succeeds and writing does not.
    worker = make_worker()
    for depth in (*range(100, 900, 100), *range(900, 1100)):
        text = '{"x":' * depth + "1" + "}" * depth
        deep = make_event("deep", 0, 1, state=None, state_json=text)
        stored, results = worker.work(None, [payload(deep, make_event("good", 0, 1))])
        metric = next(row for row in results.metrics if row["group"] == "good")
        assert metric["delivered"] == 1
        delivered = sum(row["delivered"] for row in results.metrics if row["group"] == "deep")
        assert delivered + len(results.rejects) == 1
        other = make_event("deep", 0, 1, False)
        _, results = worker.work(stored, [payload(other, make_event("good", 1, 1))])
        assert ("good", True) in {(row["group"], row["value"]) for row in results.verdicts}


POISONED = {**SPEC.to_dict(), "max_waiting": 2}


def test_too_many_waiting_rejects_the_event_and_goes_on() -> None:
    spec = Spec.from_dict(POISONED)
    poison = [make_event("bad", 0, index, order=index) for index in (2, 3, 4)]
    row = reject_of(*poison, spec=spec)
    assert row["group"] == "bad"
    assert "state 4 of process 'p0' would have to wait, and max_waiting=2" in row["reason"]
    assert "first missing: state 1 of process 'p0'" in row["reason"]
    assert json.loads(row["event"])["clock"] == [4, 0]


def test_a_poisoned_group_goes_on_when_what_was_missing_comes() -> None:
    worker = make_worker(Spec.from_dict(POISONED), every=True)
    early = [make_event("g", 0, index, order=index) for index in (2, 3, 4, 5)]
    stored, results = worker.work(None, [payload(*early, make_event("g", 1, 1, order=9))])
    assert [json.loads(row["event"])["clock"][0] for row in results.rejects] == [4, 5]
    assert results.metrics[0]["rejected"] == 2
    assert results.metrics[0]["waiting"] == 2
    assert {(row["process"], row["slide"]) for row in results.verdicts} == {("p1", 1)}
    stored, results = worker.work(stored, [payload(make_event("g", 0, 1), make_event("g", 0, 4, order=1))])
    assert results.rejects == []
    assert [row["slide"] for row in results.verdicts if row["property"] == "both"] == [2, 3, 4, 5]
    assert results.metrics[0]["waiting"] == 0


def test_too_many_waiting_under_skip() -> None:
    spec = Spec.from_dict({**POISONED, "max_waiting": 1, "waiting_policy": "skip"})
    poison = [make_event("bad", 0, index, order=index) for index in (3, 4)]
    row = reject_of(*poison, spec=spec, kind="skipped")
    assert (row["process"], row["index"], row["through"]) == ("p0", 1, 2)
    assert row["event"] is None
    worker = make_worker(spec)
    stored, results = worker.work(None, [payload(*poison)])
    assert results.metrics[0]["skipped"] == 2
    assert results.metrics[0]["delivered"] == 2
    _, results = worker.work(stored, [payload(make_event("bad", 0, 2))])
    assert [(row["kind"], row["process"], row["index"]) for row in results.rejects] == [("late", "p0", 2)]


# -- state of other queries ------------------------------------------------------------------------------


def test_another_number_of_shards_is_refused() -> None:
    stored, _ = make_worker(shards=4).work(None, [payload(make_event("g", 0, 1))])
    with pytest.raises(SnapshotError, match=r"begun with shards=4; the query has shards=5.*use the old number"):
        make_worker(shards=5).work(stored, [payload(make_event("g", 0, 2))])


def test_another_version_is_refused() -> None:
    stored, _ = make_worker().work(None, [payload(make_event("g", 0, 1))])
    fields = msgspec.msgpack.decode(stored)
    fields[0] = VERSION + 1
    with pytest.raises(SnapshotError, match=rf"version {VERSION + 1}; this latwin reads version {VERSION}"):
        make_worker().work(msgspec.msgpack.encode(fields), [payload(make_event("g", 0, 2))])


def test_the_first_version_is_refused_by_name() -> None:
    """It had no `system`, so it does not even have the fields of today."""
    assert VERSION == 2
    stored, _ = make_worker().work(None, [payload(make_event("g", 0, 1))])
    _, shards, _, groups = msgspec.msgpack.decode(stored)
    old = msgspec.msgpack.encode([1, shards, groups])
    with pytest.raises(SnapshotError, match=r"version 1; this latwin reads version 2.*or a new checkpoint"):
        make_worker().work(old, [payload(make_event("g", 0, 2))])


@pytest.mark.parametrize("damage", [b"", b"\x90", b"\x00", b"\x91\x02", b"\xc1"])
def test_damaged_state_is_noticed(damage: bytes) -> None:
    with pytest.raises(SnapshotError, match="the shard's state is damaged: "):
        make_worker().work(damage, [payload(make_event("g", 0, 1))])


def test_another_system_is_refused() -> None:
    stored, _ = make_worker().work(None, [payload(make_event("g", 0, 1))])
    other = Spec.from_dict({**SPEC.to_dict(), "window": 4})
    with pytest.raises(
        SnapshotError,
        match=r"begun with another spec: window.p0: 3 -> 4; .* Only states, properties, never, max_cuts",
    ):
        make_worker(other).work(stored, [payload(make_event("g", 0, 2))])


def test_properties_added_and_removed_go_on() -> None:
    first, second = make_event("g", 0, 1), make_event("g", 1, 1)
    stored, results = make_worker().work(None, [payload(first)])
    texts = {"both": SPEC.properties["both"], "new": "possibly(p1.x)", "old": "possibly(p0.x)"}
    other = Spec.from_dict({**SPEC.to_dict(), "properties": texts})
    _, results = make_worker(other).work(stored, [payload(second)])
    # `old` held before already, but nobody had asked; `sure` is gone.
    assert [(row["property"], row["slide"]) for row in results.verdicts] == [("both", 2), ("new", 2), ("old", 2)]


def test_groups_that_are_not_touched_keep_their_bytes() -> None:
    worker = make_worker()
    stored, _ = worker.work(None, [payload(make_event("a", 0, 1), make_event("b", 0, 1))])
    before = msgspec.msgpack.decode(stored)[3]
    stored, _ = worker.work(stored, [payload(make_event("a", 0, 2))])
    after = msgspec.msgpack.decode(stored)[3]
    assert after["b"] == before["b"]
    assert after["a"] != before["a"]


# -- packing --------------------------------------------------------------------------------------------


def unpacked(batches: Iterator[pa.RecordBatch]) -> dict[int, list[Any]]:
    """The events of each shard, in order."""
    shards: dict[int, list[Any]] = {}
    for batch in batches:
        assert batch.schema.names == ["shard", "payload"]
        assert batch.schema.types == [pa.int32(), pa.string()]
        numbers = batch.column(0).to_pylist()
        assert len(set(numbers)) == len(numbers)  # one row per shard and chunk
        for shard, text in zip(numbers, batch.column(1).to_pylist(), strict=True):
            shards.setdefault(shard, []).extend(json.loads(f"[{text}]"))
    return shards


def record_batch(rows: Sequence[tuple[int, Any]]) -> pa.RecordBatch:
    shards = pa.array([shard for shard, _ in rows], pa.int32())
    texts = pa.array([json.dumps(event, ensure_ascii=False) for _, event in rows], pa.string())
    return pa.RecordBatch.from_arrays([shards, texts], names=["shard", "event"])


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 5), st.text(max_size=5) | st.integers()), max_size=8), max_size=6),
    st.integers(1, 12),
)
def test_packing_keeps_the_order_within_a_shard(batches: list[list[tuple[int, Any]]], chunk: int) -> None:
    expected: dict[int, list[Any]] = {}
    for shard, event in itertools.chain.from_iterable(batches):
        expected.setdefault(shard, []).append(event)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(packing, "_CHUNK_ROWS", chunk)
        packed = list(packing.pack(record_batch(rows) for rows in batches))
    assert unpacked(iter(packed)) == expected
    rows = sum(map(len, batches))
    assert (len(packed) == 0) == (rows == 0)
    assert all(batch.num_rows for batch in packed)


def test_packing_in_one_chunk_and_in_many(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(n % 3, {"n": n, "name": "büro ☕ 😀, [1]"}) for n in range(100)]
    batches = [record_batch(rows[a : a + 10]) for a in range(0, 100, 10)]
    expected = {shard: [event for s, event in rows if s == shard] for shard in range(3)}
    packed = list(packing.pack(iter(batches)))
    assert len(packed) == 1
    assert unpacked(iter(packed)) == expected
    monkeypatch.setattr(packing, "_CHUNK_ROWS", 10)
    packed = list(packing.pack(iter(batches)))
    assert len(packed) == 10
    assert unpacked(iter(packed)) == expected


def test_packing_nothing() -> None:
    assert list(packing.pack(iter([]))) == []
    assert list(packing.pack(iter([record_batch([])]))) == []


def test_packed_events_reach_the_worker() -> None:
    events = [make_event("büro", process, 1, order=process) for process in (0, 1)]
    (batch,) = packing.pack(iter([record_batch([(0, event) for event in events])]))
    results = make_worker().work(None, batch.column(1).to_pylist())[1]
    assert by_group(results.verdicts) == local_rows(SPEC, [events])
