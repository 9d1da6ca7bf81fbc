"""Clocks made in a stream are those of the batch, in any order, in any batches, with restarts; losses are told."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from computations import Computation, computations
from effort import examples
from latwin import InvalidInput
from latwin.clocks import ClockMaker, ClockTally, JsonSteps, TraceSpans
from latwin.clocks.live import Arrival, LiveClocks, StoredGroup, storable
from latwin.clocks.records import Record, StepSource
from latwin.clocks.step import StepProblem
from latwin.clocks.waits import Waits
from made_up_traces import made_up_requests
from otlp import TRACE, request, span

Found = dict[tuple[str, str, str], dict[str, int]]
WAITS = Waits(max_wait_s=10, keep_s=100)
SYSTEM = TraceSpans("all", "instance", "nested")


class Fed:
    """What came of records that were fed in batches; the clocks are stored and read again between any two."""

    def __init__(self, source: StepSource, waits: Waits = WAITS) -> None:
        self.source, self.waits = source, waits
        self.clocks: Found = {}
        self.order: dict[str, list[dict[str, int]]] = {}
        self.problems: list[StepProblem] = []
        self.groups: dict[str, StoredGroup] = {}
        self.sequence: list[tuple[str, str, str, dict[str, int], int]] = []

    def take(self, records: list[tuple[Record, float]], now: float | None) -> Fed:
        """Feed a batch; at the end of time, if no time is given."""
        stored = msgspec.msgpack.decode(msgspec.msgpack.encode(self.groups), type=dict[str, StoredGroup])
        live = LiveClocks(self.source, self.waits, stored)
        arrivals = [Arrival(storable(record), at) for record, at in records]
        for some in live.finish() if now is None else live.take(arrivals, now):
            self.problems += some.problems
            for event in some.events:
                step = event.step
                name = step.group, step.process, str(step.order)
                assert name not in self.clocks
                self.clocks[name] = event.clock
                self.sequence.append((*name, event.clock, event.arrival))
                self.order.setdefault(step.group, []).append(event.clock)
        self.groups = live.groups
        return self

    def finish(self) -> Fed:
        return self.take([], None)


def in_batches(fed: Fed, records: list[Record], rng: random.Random, span_s: float = 9.0) -> Fed:
    """All records in a random order within `span_s` seconds, in random batches."""
    times = sorted(rng.uniform(0, span_s) for _ in records)
    arrivals = list(zip(rng.sample(records, len(records)), times, strict=True))
    while arrivals:
        count = rng.randint(1, 1 + len(arrivals))
        batch, arrivals = arrivals[:count], arrivals[count:]
        fed.take(rng.sample(batch, len(batch)), batch[-1][1])
    return fed


def sequence(fed: Fed) -> list[Any]:
    """What was delivered, in order, and what was told."""
    return [*fed.sequence, sorted(json.dumps(problem.as_dict(), default=str) for problem in fed.problems)]


def assert_same_in_any_batches(
    source: StepSource, waits: Waits, arrivals: list[tuple[Record, float]], rng: random.Random
) -> None:
    """One batch, batches of one record, and random batches, with looks between them, give the same in one order."""
    last = arrivals[-1][1] if arrivals else 0.0
    whole = Fed(source, waits).take(arrivals, last).finish()
    single, parts = Fed(source, waits), Fed(source, waits)
    for record, at in arrivals:
        single.take([(record, at)], at)
    rest = arrivals
    while rest:
        count = rng.randint(1, 1 + len(rest))
        batch, rest = rest[:count], rest[count:]
        parts.take(batch, batch[-1][1])
        if rest and rest[0][1] > batch[-1][1]:
            parts.take([], rng.uniform(batch[-1][1], rest[0][1]))
    assert sequence(whole) == sequence(single.finish()) == sequence(parts.finish())


def records_of(source: StepSource, documents: list[dict[str, Any]]) -> list[Record]:
    return [record for document in documents for record in source.records(json.dumps(document).encode())]


def batch_of(source: StepSource, records: list[Record]) -> tuple[Found, list[StepProblem]]:
    """What `latwin clocks` makes of the same records."""
    clocks: Found = {}
    problems: list[StepProblem] = []
    for some in ClockMaker(source).make(records, ClockTally()):
        problems += some.problems
        clocks |= {(e.step.group, e.step.process, str(e.step.order)): e.clock for e in some.events}
    return clocks, problems


def assert_causal(fed: Fed) -> None:
    """Nothing was delivered before what it knows of."""
    for clocks in fed.order.values():
        known: Counter[str] = Counter()
        for clock in clocks:
            known |= Counter(clock)
            assert sum(known.values()) == len(clocks[: clocks.index(clock) + 1]) or Counter(clock) <= known
        assert known.total() == len(clocks)


def steps_of(computation: Computation, first: int) -> list[dict[str, Any]]:
    """Every state sends a message, and receives those of which its clock is the first to know."""
    clocks = {(s.process, s.index): s.clock for s in computation.states}
    rows = []
    for s in computation.states:
        before = clocks.get((s.process, s.index - 1), (0,) * len(s.clock))
        heard = [f"{j}.{e}" for j, e in enumerate(s.clock) if j != s.process and e > before[j]]
        order = s.index - 1 + first
        rows.append({"process": f"p{s.process}", "order": order, "sent": f"{s.process}.{s.index}", "received": heard})
    return rows


@settings(max_examples=examples(200))
@given(computations(max_states=16), st.randoms(use_true_random=False), st.booleans())
def test_steps_have_the_clocks_of_the_batch(computation: Computation, rng: random.Random, counted: bool) -> None:
    source = JsonSteps()
    rows = steps_of(computation, first=1)
    if not counted:  # orders with gaps: only waiting tells that there is nothing in between
        rows = [row | {"order": row["order"] * 3} for row in rows]
    records = records_of(source, rows)
    fed = in_batches(Fed(source, Waits(10, 100, first_order=1 if counted else None)), records, rng)
    if not counted:
        fed.finish()
    assert fed.problems == []
    assert fed.clocks == batch_of(source, records)[0]
    assert_causal(fed)


@settings(max_examples=examples(150), deadline=None)
@given(computations(max_states=14), st.randoms(use_true_random=False), st.booleans())
def test_batches_do_not_change_the_order_of_steps(
    computation: Computation, rng: random.Random, counted: bool
) -> None:
    """Also if some are lost, come too late or twice, are on cycles, or wait for what is forgotten."""
    source = JsonSteps()
    rows = [row for row in steps_of(computation, first=1) if rng.random() < 0.9]
    for row in rng.sample(rows, len(rows) // 4):
        row["received"] = [*row["received"], rng.choice(rows)["sent"]]
    records = records_of(source, rows + rng.sample(rows, len(rows) // 5))
    times = sorted(rng.choice([rng.uniform(0, 40), float(rng.randint(0, 8))]) for _ in records)
    arrivals = list(zip(rng.sample(records, len(records)), times, strict=True))
    assert_same_in_any_batches(source, Waits(3, 10, first_order=1 if counted else None), arrivals, rng)


@settings(max_examples=examples(60), deadline=None)
@given(st.randoms(use_true_random=False))
def test_batches_do_not_change_the_order_of_a_system(rng: random.Random) -> None:
    records = [record for record in records_of(SYSTEM, made_up_requests(rng)) if rng.random() < 0.9]
    times = sorted(rng.uniform(0, 30) for _ in records)
    arrivals = list(zip(rng.sample(records, len(records)), times, strict=True))
    assert_same_in_any_batches(SYSTEM, Waits(5, 20), arrivals, rng)


@settings(max_examples=examples(120), deadline=None)
@given(st.randoms(use_true_random=False))
def test_spans_of_a_system_have_the_clocks_of_the_batch(rng: random.Random) -> None:
    records = records_of(SYSTEM, made_up_requests(rng))
    expected, flaws = batch_of(SYSTEM, records)
    fed = in_batches(Fed(SYSTEM), records, rng).finish()
    if any(problem.kind == "cycle" for problem in flaws):  # the batch rejects it; a stream must go on
        assert any(problem.kind == "cycle" for problem in fed.problems)
    else:
        assert told(fed.problems) == told(flaws)
        assert fed.clocks == expected
    assert_causal(fed)


def told(problems: list[StepProblem]) -> Counter[tuple[str, str | None]]:
    return Counter((problem.kind, problem.message) for problem in problems)


@settings(max_examples=examples(60), deadline=None)
@given(st.randoms(use_true_random=False))
def test_traces_have_the_clocks_of_the_batch(rng: random.Random) -> None:
    source = TraceSpans()
    records = records_of(source, made_up_requests(rng))
    expected, flaws = batch_of(source, records)
    fed = in_batches(Fed(source), records, rng)
    assert not fed.clocks
    fed.take([], 100)
    assert fed.clocks == expected
    assert [p.as_dict() for p in fed.problems] == [p.as_dict() for p in flaws]


def test_a_step_is_delivered_as_soon_as_its_causes_are_known() -> None:
    fed = Fed(JsonSteps(), Waits(10, 100, first_order=1))
    receipt, sending, later = (
        Record("g", row)
        for row in (
            {"process": "b", "order": 1, "received": "m"},
            {"process": "a", "order": 2, "sent": "m"},
            {"process": "a", "order": 1},
        )
    )
    fed.take([(receipt, 1.0)], 1.0).take([(sending, 2.0)], 2.0)
    assert fed.clocks == {}
    fed.take([(later, 3.0)], 3.0)
    assert fed.clocks[("g", "b", "1")] == {"a": 2, "b": 1}
    assert fed.problems == []


def test_a_cause_that_does_not_come_is_declared_lost() -> None:
    fed = Fed(JsonSteps(), Waits(10, 100, first_order=1))
    rows = [{"process": "b", "order": 1, "received": "m"}, {"process": "b", "order": 3}]
    fed.take([(Record("g", rows[0]), 1.0), (Record("g", rows[1]), 2.0)], 10.9)
    assert (fed.clocks, fed.problems) == ({}, [])
    fed.take([], 11.0)
    assert list(fed.clocks.values()) == [{"b": 1}]
    fed.take([], 12.0)
    assert list(fed.clocks.values()) == [{"b": 1}, {"b": 2}]
    assert [(p.kind, p.is_rejected) for p in fed.problems] == [("missing_send", False), ("gap", False)]
    assert "nobody sent the message 'm', which it received, within 10 s" in fed.problems[0].reason
    assert "steps of 'b' between 1 and 3 did not come" in fed.problems[1].reason
    fed.take([(Record("g", {"process": "b", "order": 2}), 13.0)], 13.0)
    assert (fed.problems[-1].kind, fed.problems[-1].is_rejected) == ("late", True)


def test_the_time_of_arrival_decides_and_not_the_batch() -> None:
    rows = [
        (Record("g", {"process": "b", "order": 1, "received": "m"}), 1.0),
        (Record("g", {"process": "a", "order": 1, "sent": "m"}), 11.5),
    ]
    waits = Waits(10, 100, first_order=1)
    at_once = Fed(JsonSteps(), waits).take(rows, 20.0)
    one_by_one = Fed(JsonSteps(), waits).take(rows[:1], 1.0).take(rows[1:], 11.5)
    assert at_once.clocks == one_by_one.clocks == {("g", "a", "1"): {"a": 1}, ("g", "b", "1"): {"b": 1}}
    assert [p.kind for p in at_once.problems] == [p.kind for p in one_by_one.problems] == ["missing_send"]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_cycle_is_told_and_the_system_goes_on(size: int) -> None:
    rows = [{"process": f"p{k}", "order": 1, "received": f"m{(k + 1) % size}"} for k in range(size)] + [
        {"process": f"p{k}", "order": 2, "sent": f"m{k}"} for k in range(size)
    ]
    fed = Fed(JsonSteps(), Waits(10, 100, first_order=1))
    fed.take([(Record("g", row), 1.0) for row in rows], 1.0)
    assert [(p.kind, p.process, p.is_rejected) for p in fed.problems] == [("cycle", "p0", False)]
    assert len(fed.clocks) == 2 * size


def test_steps_that_come_twice_and_messages_that_are_sent_twice() -> None:
    fed = Fed(JsonSteps(), Waits(10, 100, first_order=1))
    one, same_place = {"process": "a", "order": 2, "x": 1}, {"process": "a", "order": 2, "x": 2}
    fed.take([(Record("g", row), 1.0) for row in (one, one, same_place)], 1.0)
    assert sorted(p.kind for p in fed.problems) == ["duplicate", "tie"]
    fed.problems.clear()
    rows = [{"process": name, "order": 1, "sent": "m"} for name in "bc"]
    fed.take([(Record("g", row), 2.0) for row in rows], 2.0)
    assert [p.kind for p in fed.problems] == ["sent_twice"]
    fed.take([(Record("g", {"process": "d", "order": "x" * 3, "n": None}), 3.0)], 13.0)
    assert ("g", "d", "xxx") in fed.clocks


def test_what_cannot_be_read_or_kept_is_told() -> None:
    fed = Fed(JsonSteps())
    rows = records_of(JsonSteps(), [{"process": "a"}]) + list(JsonSteps().records(b"{"))
    rows.append(Record("g", {"process": "a", "order": 1, "x": 10**30}))
    fed.take([(row, 1.0) for row in rows], 1.0).finish()
    assert (fed.clocks, len(fed.problems)) == ({}, 3)
    assert {p.kind for p in fed.problems} == {"unreadable"}


# -- spans ------------------------------------------------------------------------------------------------


def taken(fed: Fed, at: float, *requests: dict[str, Any]) -> Fed:
    return fed.take([(record, at) for record in records_of(fed.source, list(requests))], at)


def test_a_span_that_comes_too_late_is_rejected() -> None:
    fed = Fed(TraceSpans("all", "instance"))
    taken(fed, 1, request("a", span(1, 100, 200)))
    taken(fed, 12, request("a", span(2, 150, 160)), request("a", span(1, 100, 200)))
    assert [(p.kind, p.is_rejected) for p in fed.problems] == [("late", True), ("duplicate", True)]
    assert "came when later ones of its instance had been delivered; raise max_wait" in fed.problems[0].reason
    taken(fed, 13, request("a", span(3, 200, 210))).take([], 23)
    assert list(fed.clocks.values()) == [{"a": n} for n in (1, 2, 3, 4)]


def test_an_answer_that_comes_too_late_is_told() -> None:
    fed = Fed(TraceSpans("all", "instance"))
    taken(fed, 1, request("a", span(1, 0, 9, kind="client")))
    fed.take([], 11)
    taken(fed, 12, request("b", span(2, 2, 7, parent=1, kind="server"))).take([], 22)
    assert [(p.kind, p.is_rejected) for p in fed.problems] == [("late", False)]
    assert "had been delivered, as if it had not answered" in fed.problems[0].reason
    assert len(fed.clocks) == 4


def test_spans_wait_for_a_parent_that_is_on_its_way() -> None:
    """The parent comes last, as parents do; it waits itself, and its child waits for it without a limit."""
    fed = Fed(TraceSpans("all", "instance"))
    taken(fed, 1, request("b", span(2, 2, 7, parent=1, kind="server")))
    taken(fed, 10, request("a", span(1, 0, 9, kind="client")))
    fed.take([], 15)
    assert fed.clocks == {}
    fed.take([], 20)
    assert list(fed.clocks.values()) == [{"a": 1}, {"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}]
    assert fed.problems == []


def test_a_finished_trace_is_forgotten_after_keep() -> None:
    source = TraceSpans()
    live = LiveClocks(source, WAITS)
    (record,) = records_of(source, [request("a", span(1, 0, 1))])
    assert list(live.take([Arrival(record, 1.0)], 1.0)) == []
    assert live.deadline == 11
    (done,) = live.advance(11)
    assert (done.group, len(done.events)) == (TRACE, 2)
    (late,) = live.take([Arrival(record, 12.0)], 12.0)
    assert [(p.kind, p.is_rejected) for p in late.problems] == [("late", True)]
    assert (live.deadline, live.forgotten) == (111, [])
    assert list(live.advance(111)) == []
    assert (live.groups, live.forgotten) == ({}, [TRACE])


def test_memory_of_a_system_is_bounded_by_keep() -> None:
    """The state of a system that goes on does not grow: what is older than `keep` is not in it."""
    fed = Fed(TraceSpans("all", "instance"), Waits(1, 5))
    sizes = []
    for second in range(40):
        calls = [
            request("a", span(3 * second + 1, 1000 * second, 1000 * second + 9, kind="client")),
            request(
                "b", span(3 * second + 2, 1000 * second + 2, 1000 * second + 7, parent=3 * second + 1, kind="server")
            ),
            request("b", span(3 * second + 3, 1000 * second + 3, 1000 * second + 4, parent=99999)),
        ]
        taken(fed, float(second), *calls)
        sizes.append(len(fed.groups[""].state))
    assert max(sizes[20:]) < 1.2 * sizes[15]
    assert {p.kind for p in fed.problems} == {"missing_send"}


def test_threads_and_log_records_keep_their_places() -> None:
    about = {
        "attributes": [],
        "traceId": TRACE,
        "spanId": f"{1:016x}",
        "timeUnixNano": str(1_700_000_000_003_000_000),
    }
    log = {**about, "severityText": "WARN", "body": {"stringValue": "lease lost"}}
    logs = request("a", instance="x")
    resource = logs["resourceSpans"][0]["resource"]
    logged = {"resourceLogs": [{"resource": resource, "scopeLogs": [{"logRecords": [log]}]}]}
    documents = [
        request("a", span(1, 0, 9, thread__id=7), instance="x"),
        request("a", span(2, 2, 5, thread__id=8), instance="x"),
        logged,
    ]
    for source in (SYSTEM, TraceSpans(naming="instance")):
        records = records_of(source, documents)
        expected, _ = batch_of(source, records)
        fed = in_batches(Fed(source), records, random.Random(1)).finish()
        assert fed.clocks == expected
        assert len(expected) == 5


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"max_wait_s": -1}, "max_wait_s must be a number of seconds from 0 up; got -1"),
        ({"keep_s": float("nan")}, "keep_s must be a number of seconds"),
        ({"max_wait_s": 5, "keep_s": 1}, "keep_s must not be less than max_wait_s=5"),
        ({"first_order": 1.5}, "first_order must be an integer; got 1.5"),
    ],
)
def test_waits_are_checked(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason.replace("(", r"\(")):
        Waits(**given)
    with pytest.raises(InvalidInput, match="max_wait must be a duration with its unit"):
        Waits.of_texts("soon", "1h")


def test_zipkin_is_left_to_the_batch() -> None:
    with pytest.raises(InvalidInput, match="derive its clocks with `latwin clocks`"):
        LiveClocks(TraceSpans(format="zipkin"), WAITS)
