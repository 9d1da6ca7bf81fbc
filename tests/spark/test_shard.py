"""What a worker does with the events of one shard; no Spark here."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from computations import arrival_orders, computations, windows
from latwin import Spec
from latwin.errors import SnapshotError
from latwin.spark.container import VERSION
from monitoring import event as event_of
from monitoring import names
from shards import SPEC, Event, Row, by_group, local_rows, make_event, make_worker, payload, work

#: where a shard's state has its groups
GROUPS = 4

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
    assert packed["verdict"][1]["group"] == ["ä", "ä"]
    assert not {"kind", "rules", "growing", "members"} & packed["verdict"][1].keys()  # they are usual, or null
    counters = ("waiting", "duplicates", "rejected", "late", "skipped", "too_large", "empty", "ticks")
    counted = {"group": ["ä"], "events": [2], "slides": [2], "delivered": [2], **{name: [0] for name in counters}}
    assert packed["metric"][1] == counted
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
            "empty": 0,
            "ticks": 0,
            "unseen": {"p1": [], "p1.x": []},
        }
    ]


def test_metrics_tell_where_a_never_could_not_be_answered() -> None:
    """Slide by slide, also in later batches without a change; of other properties nothing is said."""
    fields = {
        "properties": {"sum": "EX(p0.x + p1.x == 9)", "other": "EX(p0.x + p1.x == 8)"},
        "never": ["sum"],
        "max_cuts": 1,
    }
    worker = make_worker(Spec.from_dict({**SPEC.to_dict(), **fields}))
    stored, results = worker.work(None, [payload(make_event("g", 0, 1), make_event("g", 0, 2, order=1))])
    assert [row["unanswered"] for row in results.metrics] == [{"sum": 2}]
    assert [(row["property"], row["value"]) for row in results.verdicts] == [("sum", None), ("other", None)]
    assert results.metrics[0]["too_large"] == 4
    _, results = worker.work(stored, [payload(make_event("g", 0, 3))])
    assert results.verdicts == []
    assert [row["unanswered"] for row in results.metrics] == [{"sum": 1}]


def test_metrics_count_slides_without_a_cut() -> None:
    """Those of the batch, for its summary, and since the beginning; and groups that have had none with a cut."""
    worker = make_worker(Spec.from_dict({**SPEC.to_dict(), "window": 1}))
    knowing = {"group": "g", "process": "p0", "clock": [1, 2], "state": {"x": True}, "order": 0}
    stored, results = worker.work(None, [payload(knowing, {**knowing, "clock": [2, 2], "order": 1})])
    (row,) = results.metrics
    assert (row["slides"], row["empty"], row["empty_slides"], row["without_cuts"]) == (2, 2, 2, 1)
    own = [make_event("g", 1, index, order=index) for index in (1, 2)]
    _, results = worker.work(stored, [payload(*own)])
    (row,) = results.metrics
    assert (row["slides"], row["empty"], row["empty_slides"], row["without_cuts"]) == (2, 3, 1, -1)


def test_metrics_tell_what_is_unseen_until_it_comes() -> None:
    fields = {"properties": {"both": "possibly(p0.x == 7 and p1.y)"}, "states": {"sum": "p0.x / p0.z > 1"}}
    worker = make_worker(Spec.from_dict({**SPEC.to_dict(), **fields}))
    stored, results = worker.work(None, [payload(make_event("g", 0, 1, x="6"))])
    assert results.metrics[0]["unseen"] == {
        "p1": [],
        "p0.x == 7": ["'6'"],
        "p1.y": [],
        "p0.x / p0.z > 1": [],
        "p0.z": ["x"],
    }
    own = [make_event("g", 1, 1), make_event("g", 0, 2, x=7, order=1)]
    stored, results = worker.work(stored, [payload(*own)])
    assert results.metrics[0]["unseen"] == {"p1.y": ["x"], "p0.x / p0.z > 1": [], "p0.z": ["x"]}
    last = [make_event("g", 1, 2, state={"y": 0}), make_event("g", 0, 3, state={"x": 1, "z": 1}, order=1)]
    stored, results = worker.work(stored, [payload(*last)])
    assert "unseen" not in results.metrics[0]


# -- order ---------------------------------------------------------------------------------------------


def slides_of(events: Sequence[Event]) -> list[tuple[str, int]]:
    """Which states a worker delivers one after the other."""
    results = work(make_worker(every=True), *events)
    return [(row["process"], row["index"]) for row in results.verdicts if row["property"] == "both"]


def test_order_by_arrival_and_by_time() -> None:
    events = [make_event("g", 1, 1, order=30), make_event("g", 0, 1, order=20), make_event("g", 1, 2, order=10)]
    # p1's second state comes first and waits for its first.
    assert slides_of(events) == [("p0", 1), ("p1", 1), ("p1", 2)]
    texts = [{**event, "order": f"2026-01-{event['order']}"} for event in events]
    assert slides_of(texts) == [("p0", 1), ("p1", 1), ("p1", 2)]


def test_causal_order() -> None:
    events = [
        make_event("g", 0, 2, clock=[2, 1], order=None),
        make_event("g", 1, 1, order=None),
        make_event("g", 1, 2, order=None),
        make_event("g", 0, 1, clock={"p0": 1}, order=None),
    ]
    for arrived in itertools.permutations(events):
        assert slides_of(arrived) == [("p0", 1), ("p1", 1), ("p1", 2), ("p0", 2)]


@pytest.mark.parametrize("order", [5, "noon", None])
def test_ties_do_not_depend_on_the_way_rows_came(order: Any) -> None:
    tied = [
        make_event("g", 0, 1, order=order),
        make_event("g", 0, 1, False, order=order),  # the same state with other content: one of them is rejected
        make_event("g", 0, 2, order=order),
        make_event("g", 1, 1, order=order),
        make_event("g", 1, 1, order=order, clock={"p1": 1}),  # the same content, written otherwise
    ]
    outcomes = set()
    for arrived in itertools.permutations(tied):
        results = make_worker(every=True).work(None, [payload(*arrived[:2]), payload(*arrived[2:])])[1]
        outcomes.add(json.dumps([results.verdicts, results.rejects, results.metrics]))
    assert len(outcomes) == 1


@pytest.mark.parametrize("nothing", [None, "absent"])
def test_rows_without_what_the_order_needs_come_last(nothing: str | None) -> None:
    unordered = make_event("g", 0, 1, order=None)
    if nothing == "absent":
        del unordered["order"]
    events = [unordered, make_event("g", 1, 2, order=2), make_event("g", 1, 1, order=1)]
    for arrived in itertools.permutations(events):
        assert slides_of(arrived) == [("p1", 1), ("p1", 2), ("p0", 1)]


def test_causal_order_survives_clocks_that_are_none() -> None:
    bad = [
        make_event("g", 0, 1, clock=clock, order=None)
        for clock in (None, [], [1], [1, None], {"p0": None}, {"p1": 1}, {"p9": 1}, [-1, 0], "x", 7)
    ]
    bad += [make_event("g", 0, 1, order=None) | {"process": process} for process in (None, "p9")]
    for shift in range(len(bad)):
        events = [*bad[shift:], make_event("g", 0, 1, order=None), *bad[:shift]]
        results = work(make_worker(every=True), *events)
        assert {(row["process"], row["index"]) for row in results.verdicts} == {("p0", 1)}
        assert len(results.rejects) == len(bad)
        assert {row["kind"] for row in results.rejects} == {"rejected"}


# -- state of other queries ------------------------------------------------------------------------------


def test_another_version_is_refused() -> None:
    stored, _ = make_worker().work(None, [payload(make_event("g", 0, 1))])
    fields = msgspec.msgpack.decode(stored)
    fields[:2] = VERSION + 1, fields[1] ^ 1  # the checksum covers the version
    with pytest.raises(SnapshotError, match=rf"version {VERSION + 1}; this latwin reads version {VERSION}"):
        make_worker().work(msgspec.msgpack.encode(fields), [payload(make_event("g", 0, 2))])


def test_the_first_version_is_refused_by_name() -> None:
    """It had no `system`, so it does not even have the fields of today."""
    stored, _ = make_worker().work(None, [payload(make_event("g", 0, 1))])
    _, _, _, _, groups, *_ = msgspec.msgpack.decode(stored)
    old = msgspec.msgpack.encode([1, 4, groups])
    with pytest.raises(SnapshotError, match=rf"version 1; this latwin reads version {VERSION}.*or a new checkpoint"):
        make_worker().work(old, [payload(make_event("g", 0, 2))])


def test_another_system_is_refused() -> None:
    stored, _ = make_worker().work(None, [payload(make_event("g", 0, 1))])
    other = Spec.from_dict({**SPEC.to_dict(), "delivery": "causal"})
    with pytest.raises(
        SnapshotError,
        match=r"begun with another spec: delivery: \"fifo\" -> \"causal\"\. Only window, ",
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
    before = msgspec.msgpack.decode(stored)[GROUPS]
    stored, _ = worker.work(stored, [payload(make_event("a", 0, 2))])
    after = msgspec.msgpack.decode(stored)[GROUPS]
    assert after["b"] == before["b"]
    assert after["a"] != before["a"]


def test_variables_are_taken_from_events_without_states() -> None:
    """As everywhere: what `[variables]` says is done by the monitor."""
    spec = Spec.from_dict({**SPEC.to_dict(), "variables": {"text": "x=(?<x>\\w+)"}})
    rows = [{**make_event("g", k, 1, order=k), "event": "x=true"} for k in range(2)]
    for row in rows:
        del row["state"]
    results = work(make_worker(spec), *rows)
    assert results.rejects == []
    assert results.verdicts
