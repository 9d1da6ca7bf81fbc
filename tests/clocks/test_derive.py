"""Clocks derived from message ids are those of happened-before, and what has none is told."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from computations import Computation, computations
from latwin import InvalidInput, Monitor, Spec
from latwin.clocks import Derivation, JsonSteps, Step, derive
from latwin.clocks.derive import Missing
from latwin.sim import random_computation

Place = tuple[str, int]


@st.composite
def any_steps(draw: st.DrawFn) -> list[Step]:
    """Steps of up to four processes with random messages, cycles among them, and some that nobody sent."""
    lengths = draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))
    ids = st.lists(st.integers(0, 12), max_size=2, unique=True)
    received = {(k, i): draw(ids) for k, length in enumerate(lengths) for i in range(length)}
    places = list(received)
    sender = {m: draw(st.sampled_from([*places, None])) for m in range(13)} if places else {}
    steps = [
        Step(
            f"p{k}",
            10 * i + 5,
            sent=tuple(f"m{m}" for m, place in sender.items() if place == (k, i)),
            received=tuple(f"m{m}" for m in messages),
            state={"at": i},
        )
        for (k, i), messages in received.items()
    ]
    return draw(st.permutations(steps))


def place_of(step: Step) -> Place:
    """Process and index, which `any_steps` makes of the order."""
    assert isinstance(step.order, int)
    return step.process, step.order // 10 + 1


def happened_before(steps: list[Step]) -> set[tuple[Place, Place]]:
    """All pairs, by transitive closure; on a cycle a step happened before itself."""
    pairs = {
        (place_of(a), place_of(b))
        for a in steps
        for b in steps
        if (a.process == b.process and place_of(a) < place_of(b)) or set(a.sent) & set(b.received)
    }
    for middle in map(place_of, steps):
        pairs |= {(a, c) for a, b in pairs if b == middle for m, c in pairs if m == middle}
    return pairs


@given(any_steps(), st.sampled_from(["report", "reject", "ignore"]))
def test_clocks_are_those_of_happened_before(steps: list[Step], missing: Missing) -> None:
    before = happened_before(steps)
    places = set(map(place_of, steps))
    sent = {message for step in steps for message in step.sent}
    wrong = {place for place in places if (place, place) in before}
    if missing == "reject":
        wrong |= {place_of(step) for step in steps if set(step.received) - sent}
    behind = {after for cause, after in before if cause in wrong}
    known = {place: [p for p in places if p == place or (p, place) in before] for place in places - wrong - behind}

    derived = derive(steps, missing=missing)

    clocks = {place_of(event.step): event.clock for event in derived.events}
    assert clocks == {place: Counter(name for name, _ in before_it) for place, before_it in known.items()}
    assert_complete(derived, steps)
    assert_topological(derived, before)
    lost = sum(len(set(step.received) - sent) for step in steps)
    assert derived.missing == lost
    reported = Counter(problem.kind for problem in derived.problems)["missing_send"]
    assert reported == (0 if missing == "ignore" else lost)
    assert derived.messages == sum(len(set(step.received) & sent) for step in steps)


def assert_complete(derived: Derivation, steps: list[Step]) -> None:
    """Every step is an event or rejected, and rejected once, but for as many messages as nobody sent."""
    rejected = {(p.process, p.order) for p in derived.problems if p.is_rejected}
    kept = [(e.step.process, e.step.order) for e in derived.events]
    assert not rejected & set(kept)
    assert len(rejected) + len(kept) == len(steps)
    told = [(p.process, p.order) for p in derived.problems if p.kind in ("cycle", "behind")]
    assert len(set(told)) == len(told)


def assert_topological(derived: Derivation, before: set[tuple[Place, Place]]) -> None:
    assert [event.arrival for event in derived.events] == list(range(1, len(derived.events) + 1))
    arrivals = {place_of(e.step): e.arrival for e in derived.events}
    for a, b in before:
        assert a not in arrivals or b not in arrivals or arrivals[a] < arrivals[b]


@given(any_steps())
def test_steps_on_a_cycle_are_told_from_those_behind(steps: list[Step]) -> None:
    before = happened_before(steps)
    for problem in derive(steps).problems:
        place = (problem.process, problem.order // 10 + 1)  # type: ignore[operator]
        if problem.kind == "cycle":
            assert (place, place) in before
        if problem.kind == "behind":
            assert any((cause, place) in before for cause, same in before if cause == same)


@given(any_steps(), st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(steps: list[Step], rng: random.Random) -> None:
    again = steps.copy()
    rng.shuffle(again)
    one, two = derive(steps), derive(again)
    assert one.events == two.events
    assert [p.as_dict() for p in one.problems] == [p.as_dict() for p in two.problems]


@given(computations(max_states=20))
def test_clocks_that_were_stripped_come_back(computation: Computation) -> None:
    steps = strip([(s.process, s.clock, s.value) for s in computation.states])
    derived = derive(steps)
    assert derived.problems == []
    clocks = {(f"p{s.process}", s.index): as_map(s.clock) for s in computation.states}
    assert {(e.step.process, e.step.order): e.clock for e in derived.events} == clocks


@pytest.mark.parametrize("seed", [1, 2])
def test_clocks_of_a_large_computation_come_back(seed: int) -> None:
    states = random_computation(7, 3000, 0.5, seed)
    derived = derive(strip(states))
    clocks = {(f"p{process}", clock[process]): as_map(clock) for process, clock, _ in states}
    assert {(e.step.process, e.step.order): e.clock for e in derived.events} == clocks, f"seed {seed}"


def strip(states: list[tuple[int, tuple[int, ...], Any]]) -> list[Step]:
    """Each state sends a message; whoever's clock says that it heard of something new received that one."""
    clocks = {(process, clock[process]): clock for process, clock, _ in states}
    steps = []
    for process, clock, value in states:
        before = clocks.get((process, clock[process] - 1), (0,) * len(clock))
        heard = [
            f"{other}.{entry}" for other, entry in enumerate(clock) if other != process and entry > before[other]
        ]
        index = clock[process]
        steps.append(Step(f"p{process}", index, (f"{process}.{index}",), tuple(heard), {"value": value}))
    return steps


def as_map(clock: tuple[int, ...]) -> dict[str, int]:
    return {f"p{k}": entry for k, entry in enumerate(clock) if entry}


@given(computations(max_states=12))
def test_a_monitor_takes_the_events_as_they_arrive(computation: Computation) -> None:
    names = [f"p{k}" for k in range(computation.processes)]
    monitor = Monitor(Spec.from_dict({"processes": names, "window": 3, "delivery": "causal"}))
    derived = derive(strip([(s.process, s.clock, s.value) for s in computation.states]))
    for event in derived.events:
        taken = {"process": event.step.process, "clock": event.clock, "state": dict(event.step.state)}
        assert monitor.observe(taken).notices == []
        assert monitor.counters.waiting == 0


def test_times_order_the_arrival_and_nothing_else() -> None:
    steps = [
        Step("a", 1, time=30.0, sent=("m",)),
        Step("b", 1, time=10.0),
        Step("b", 2, time=20.0, received=("m",)),  # by its clock before it was sent
        Step("b", 3, time=21.0),
        Step("c", 1, time=29.0),
        Step("c", 2, time=31.0),
    ]
    derived = derive(steps)
    assert [(e.step.process, e.step.order) for e in derived.events] == [
        ("b", 1),
        ("c", 1),
        ("a", 1),
        ("b", 2),
        ("b", 3),
        ("c", 2),
    ]
    texts = [s._replace(time=f"2026-01-01T00:00:{s.time:04}") for s in steps]
    assert [e.step.order for e in derive(texts).events] == [e.step.order for e in derived.events]
    untimed = derive([*steps[:-1], steps[-1]._replace(time=None)])
    assert [(e.step.process, e.step.order) for e in untimed.events][:3] == [("a", 1), ("b", 1), ("c", 1)]


def test_a_cycle_is_named() -> None:
    derived = derive(
        [
            Step("a", 1),
            Step("a", 2, received=("x",)),
            Step("a", 3, sent=("y",)),
            Step("b", 1, received=("y",)),
            Step("b", 2, sent=("x",)),
            Step("b", 3, group=""),
            Step("c", 1),
            Step("c", 2, received=("y",)),
        ]
    )
    assert [(e.step.process, e.step.order) for e in derived.events] == [("a", 1), ("c", 1)]
    told = "'a' at 2 received 'x' of 'b' at 2, 'b' at 1 received 'y' of 'a' at 3"
    assert [(p.process, p.order, p.kind) for p in derived.problems] == [
        ("a", 2, "cycle"),
        ("a", 3, "cycle"),
        ("b", 1, "cycle"),
        ("b", 2, "cycle"),
        ("b", 3, "behind"),
        ("c", 2, "behind"),
    ]
    assert {p.reason for p in derived.problems} == {f"on a cycle: {told}", f"it comes after a cycle: {told}"}


def test_a_long_cycle_is_named_by_some_of_it() -> None:
    steps = [Step(f"p{k:02}", 1, sent=(f"{k}",), received=(f"{(k + 1) % 20}",)) for k in range(20)]
    (reason,) = {problem.reason for problem in derive(steps).problems}
    assert ", 14 more, 'p19' at 1 received '0' of 'p00' at 1" in reason
    alone = derive([Step("a", 1, sent=("m",), received=("m",))])
    assert alone.problems[0].reason == "on a cycle: 'a' at 1 received 'm' of 'a' at 1"


def test_mistakes_about_messages_and_orders() -> None:
    derived = derive(
        [
            Step("a", 1, sent=("m", "m", "to myself")),
            Step("a", 2, sent=("m",), received=("to myself", "nowhere")),
            Step("b", 1, sent=("n",), received=("m",)),
            Step("c", 1, sent=("n",)),
            Step("d", 1, received=("n",)),
            Step("d", 2, state={"x": 1}),
            Step("d", 2.0, state={"x": 2}),
            Step("d", 3),
            Step("d", 3),
        ]
    )
    assert [(p.kind, p.process, p.order, p.is_rejected) for p in derived.problems] == [
        ("tie", "d", 2.0, True),
        ("duplicate", "d", 3, True),
        ("sent_twice", "a", 2, False),
        ("sent_twice", "c", 1, False),
        ("missing_send", "a", 2, False),
        ("missing_send", "d", 1, False),
    ]
    clocks = {(e.step.process, e.step.order): e.clock for e in derived.events}
    assert clocks["b", 1] == {"a": 1, "b": 1}  # the first sending counts
    assert clocks["d", 1] == {"d": 1}  # nobody knows which of the two it was
    assert len(clocks) == 7
    assert derive([]).events == []
    with pytest.raises(InvalidInput, match="missing must be one of report, reject, ignore; got 'drop'"):
        derive([], missing="drop")  # type: ignore[arg-type]


def test_rejecting_what_received_from_nobody() -> None:
    steps = [
        Step("a", 1),
        Step("a", 2, received=("lost",), sent=("m",)),
        Step("a", 3),
        Step("b", 1, received=("m",)),
    ]
    derived = derive(steps, missing="reject")
    assert [e.step.order for e in derived.events] == [1]
    assert [(p.process, p.order, p.kind, p.reason) for p in derived.problems] == [
        ("a", 2, "missing_send", "nobody sent the message 'lost', which it received"),
        ("a", 3, "behind", "it comes after 'a' at 2, which was rejected"),
        ("b", 1, "behind", "it comes after 'a' at 2, which was rejected"),
    ]


@pytest.mark.parametrize(
    ("orders", "sorted_orders"),
    [
        (["10", "9", 8], [8, 9, 10]),
        (["2026-01-02", "2026-01-01", 3], [3, "2026-01-01", "2026-01-02"]),
        ([1.5, 1, -2], [-2, 1, 1.5]),
    ],
)
def test_orders_of_all_kinds(orders: list[Any], sorted_orders: list[Any]) -> None:
    reading = JsonSteps().read("g", [{"process": 1, "order": order} for order in orders])
    events = derive(reading.steps).events
    assert [event.step.order for event in events] == sorted_orders
    assert all(a.clock["1"] + 1 == b.clock["1"] for a, b in pairwise(events))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"order": 1}, "`svc` must name the process; got None"),
        ({"svc": "a"}, "`order` must be a number or a text that orders the steps of a process; got None"),
        ({"svc": "a", "order": True}, "`order` must be a number"),
        (
            {"svc": "a", "order": 1, "sent": {"id": 1}},
            "`sent` must be the id of a message, or a list of ids; got {'id'",
        ),
        ({"svc": "a", "order": 1, "received": [None]}, "`received` must be the id of a message"),
        ({"svc": "a", "order": 1, "state": 3}, "`state` must be an object of variables; got 3"),
    ],
)
def test_rows_that_are_no_steps(row: dict[str, Any], reason: str) -> None:
    reading = JsonSteps({"process": "svc"}).read("g", [row])
    (problem,) = reading.problems
    assert reading.steps == []
    assert reason in problem.reason
    assert (problem.kind, problem.group, problem.row) == ("unreadable", "g", row)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not valid JSON: Input data was truncated"),
        (b"[1]", "expected a JSON object"),
        (b'{"group": [1]}', "the group must be a string or an integer; it is an array"),
        (b'{"a": "\xff"}', "not valid JSON: not UTF-8"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    ],
)
def test_lines_that_are_no_rows(line: bytes, reason: str) -> None:
    (record,) = JsonSteps().records(line)
    assert record.group is None
    assert reason in record.row["reason"]
    assert len(record.row["row"]) <= 1003


def test_rows_with_names_of_their_own() -> None:
    source = JsonSteps({"process": "svc", "order": "ts", "sent": "out", "received": "in", "group": "run"})
    line = b'{"svc": "a", "ts": 5, "out": 7, "in": ["x", 2], "run": 3, "level": "info", "time": 1.5}'
    (record,) = source.records(line)
    assert record.group == "3"
    (step,) = source.read("3", [record.row]).steps
    assert step == Step("a", 5, ("7",), ("x", "2"), {"level": "info"}, 1.5, "3")
    assert list(source.records(b"  ")) == []
    with pytest.raises(InvalidInput, match="names: unknown field 'clock'; fields are group, process, order"):
        JsonSteps({"clock": "vc"})
