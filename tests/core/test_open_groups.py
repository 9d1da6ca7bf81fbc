"""Processes that join and leave: an open group says what a group says that lists everyone from the beginning.

That is the oracle: a process that is not there has its one state, and whoever left stays in its last one. So the
values must be the same at every slide, whichever dimensions were added or dropped in between.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from joining import (
    QUESTIONS,
    ROLLING,
    a_listed_spec,
    an_open_spec,
    as_listed,
    rolling,
)
from latwin import Monitor, Spec
from latwin.errors import SnapshotError, SpecError
from latwin.process import MemoryReporter, Process
from open_computations import an_open_computation


@given(st.integers(0, 2**32), st.integers(1, 4))
# Somebody hears of a process that left, before that process is back itself.
@example(52, 3)
@example(85, 2)
@example(435, 2)
def test_an_open_group_says_what_a_listed_one_says(seed: int, window: int) -> None:
    rng = random.Random(seed)
    names = ["w1", "d1", "w2", "w3", "d2"][: rng.randint(2, 5)]
    events = an_open_computation(rng, names, 40)
    opened, listed = Monitor(an_open_spec(window)), Monitor(a_listed_spec(names, window))
    for event in events:
        opened.observe(event)
        listed.observe(as_listed(event))
        assert opened.values() == listed.values()
        assert opened.counters == listed.counters


@given(st.integers(0, 2**32), st.integers(0, 40))
def test_batches_and_restarts_change_nothing(seed: int, at: int) -> None:
    rng = random.Random(seed)
    events = an_open_computation(rng, ["w1", "d1", "w2", "w3"], 40)
    single, batched = Monitor(an_open_spec()), Monitor(an_open_spec())
    one_by_one = [verdict for event in events for verdict in single.observe(event)]
    told = list(batched.observe_many(events[:at]))
    other = Monitor(an_open_spec())
    other.observe_many(events[: at // 2])  # a monitor that held another group
    other.resume(batched.snapshot())
    assert other.snapshot() == batched.snapshot()
    told += other.observe_many(events[at:])
    assert told == one_by_one
    assert other.snapshot() == single.snapshot()


@given(st.integers(0, 2**32), st.sampled_from([2, 3, 12]))
def test_kept_seats_change_no_verdict(seed: int, most: int) -> None:
    """As drawings have it: everyone has a lane, in the order of joining; who left does not count any more."""
    processes = {"open": True, "max": most}
    events = an_open_computation(random.Random(seed), ["w1", "d1", "w2", "w3", "d2"], 40)
    spec = an_open_spec(processes=processes)
    usual, first = Monitor(spec), Monitor(an_open_spec(properties={}, processes=processes), seats=1)
    first.observe_many(events)
    drawn = Monitor(spec, seats=max(1, len(first.members())))
    for event in events:
        assert [notice.kind for notice in usual.observe(event).notices] == [
            notice.kind for notice in drawn.observe(event).notices
        ]
        assert drawn.values() == usual.values()
    assert drawn.members() == first.members() == tuple(drawn.spec.processes)[: len(first.members())]


def test_a_rolling_restart_keeps_enough_pods_ready() -> None:
    monitor = Monitor(ROLLING)
    seats = []
    for event in rolling(40):
        told = monitor.observe(event)
        assert not told.notices
        seats.append(len(monitor.spec.processes))
        if monitor.slide > 100:
            assert not monitor.values()["short"]
    assert seats[-1] == 32  # of sixty-one processes
    assert monitor.counters.rejected == 0


def test_a_rolling_restart_of_live_processes() -> None:
    """The same with real processes, which stamp their messages; clocks and times are theirs."""
    reporter = MemoryReporter()
    ticks = itertools.count(1.0)

    def made(name: str) -> Process:
        return Process(name, reporter, clock_source=lambda: next(ticks))

    balancer, there = made("lb"), [made(f"pod-{k}") for k in range(20)]

    def step(pod: Process, **variables: Any) -> None:
        pod.receive(balancer.stamp(), variables)
        balancer.receive(pod.stamp())

    for pod in there:
        step(pod, ready=True)
    for number in range(20):
        old, new = there.pop(0), made(f"pod-{20 + number}")
        step(new, ready=False)
        step(new, ready=True)
        step(old, ready=False)
        old.leave()
        balancer.receive(old.stamp())
        old.close()
        there.append(new)
        for pod in there[::5]:
            step(pod)
    for process in (balancer, *there):
        process.close()
    spec = Spec.from_dict(
        {**ROLLING.to_dict(), "processes": {**ROLLING.to_dict()["processes"], "leave_after": "1h"}, "window": "60s"}
    )
    monitor = Monitor(spec)
    events = sorted(reporter.events, key=lambda event: event["time"])
    for event in events:
        assert not monitor.observe(event).notices
        assert not monitor.values()["short"] or monitor.slide < 200
    assert not {f"pod-{k}" for k in range(10)} & set(monitor.members())


def test_members_join_and_leave_in_verdicts() -> None:
    monitor = Monitor(an_open_spec(2, properties={"two": "possibly(count(web.n == 1) >= 2)"}))

    def observe(name: str, clock: dict[str, int], **fields: Any) -> list[Any]:
        return [(each.members, each.least, each.greatest) for each in monitor.observe(
            {"process": name, "clock": clock, "state": {"n": 1}, **fields}, every=True
        )]  # fmt: skip

    assert observe("w1", {"w1": 1}) == [(("w1",), (0,), (1,))]
    assert observe("d1", {"d1": 1, "w1": 1}) == [(("w1", "d1"), (0, 0), (1, 1))]
    assert observe("w1", {"w1": 2}, leave=True) == [(("w1", "d1"), (1, 0), (2, 1))]
    assert observe("d1", {"d1": 2, "w1": 2}) == [(("w1", "d1"), (1, 1), (2, 2))]
    assert observe("d1", {"d1": 3, "w1": 2}) == [(("w1", "d1"), (2, 2), (2, 3))]
    # Every cut has passed w1's last state.
    assert observe("d1", {"d1": 4, "w1": 2}) == [(("d1",), (3,), (4,))]
    # It comes back and goes on with its clock; what it said before is known.
    assert observe("w1", {"w1": 3, "d1": 4}) == [(("d1", "w1"), (3, 0), (4, 3))]


def test_a_process_that_begins_again_is_another_incarnation() -> None:
    monitor = Monitor(an_open_spec(2, properties={"two": "possibly(count(web.n == 1) >= 2)"}))

    def observe(name: str, clock: dict[str, int], **fields: Any) -> Any:
        return monitor.observe({"process": name, "clock": clock, "state": {"n": 1}, **fields}, every=True)

    observe("w1", {"w1": 1})
    observe("w1", {"w1": 2}, leave=True)
    (verdict,) = observe("w1", {"w1": 1})
    assert (verdict.process, verdict.members) == ("w1#2", ("w1", "w1#2"))
    (verdict,) = observe("w1", {"w1": 2})
    assert (verdict.process, verdict.index) == ("w1#2", 2)
    observe("w1", {"w1": 3}, leave=True)
    (verdict,) = observe("w1", {"w1": 1})
    assert verdict.process == "w1#3"
    (verdict,) = observe("d1", {"d1": 1, "w1": 1, "w1#2": 3})
    assert verdict.members[-2:] == ("w1#3", "d1")
    assert monitor.window.clock_of(verdict.members.index("d1"), 1) is not None


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ({"process": "x", "clock": {"x": 1}, "state": {}}, "unknown process 'x'; names must match w[*], d[*]"),
        ({"process": "w1", "clock": {"w1": 1, "x": 2}, "state": {}}, "unknown process 'x'"),
        ({"process": "w1", "clock": [1], "state": {}}, "a clock must be a map from their names; got"),
        ({"process": "w1", "clock": {"w1": 1}, "leave": "yes"}, "`leave` must be true or false; got 'yes'"),
        ({"process": "w1", "clock": {"w1": 0}, "state": {}}, "own entry is the state's index"),
        ({"process": "w1", "clock": {"w1": -1}, "state": {}}, "clock entries must be integers"),
        ({"process": "", "clock": {"": 1}, "state": {}}, "`process` must be a name"),
        ({"process": "w\0", "clock": {"w\0": 1}, "state": {}}, "`process` must be a name"),
        ({"clock": {"w1": 1}, "state": {}}, "`process` must be a name"),
        ({"process": "w1", "state": {}}, "the event lacks 'clock'"),
        (7, "an event must be a map"),
    ],
)
def test_what_cannot_join_is_rejected_and_takes_no_seat(event: Any, reason: str) -> None:
    monitor = Monitor(an_open_spec(processes={"open": True, "names": ["w*", "d*"]}))
    before = monitor.snapshot()
    (notice,) = monitor.observe(event).notices
    assert notice.kind == "rejected"
    assert re.search(reason, notice.reason), notice.reason
    monitor.counters.rejected = 0
    assert monitor.snapshot() == before


def test_no_more_than_may_be_there() -> None:
    monitor = Monitor(an_open_spec(processes={"open": True, "max": 3}))
    for name in ("w1", "w2", "d1"):
        assert not monitor.observe({"process": name, "clock": {name: 1}, "state": {}}).notices
    (notice,) = monitor.observe({"process": "w4", "clock": {"w4": 1}, "state": {}}).notices
    assert notice.reason.startswith("process 'w4' cannot join: there must be at most 3 processes at once")


def test_a_process_that_never_came_gives_its_seat_back() -> None:
    """A clock that cannot be is refused when it is delivered, and then nobody knows whom it named."""
    monitor = Monitor(an_open_spec())
    monitor.observe({"process": "w1", "clock": {"w1": 1, "d1": 1}, "state": {}})
    (notice,) = monitor.observe({"process": "w1", "clock": {"w1": 2, "d7": 4}, "state": {}}).notices
    assert "must not go backwards" in notice.reason
    assert sorted(monitor.spec.processes)[-2:] == ["d1", "w1"]


def test_a_changed_spec_keeps_who_is_there() -> None:
    monitor = Monitor(an_open_spec(2, properties={}))
    for name in ("w1", "w2", "w3", "w4", "w5"):
        monitor.observe({"process": name, "clock": {name: 1}, "state": {"n": 1}})
    (verdict,) = monitor.change(an_open_spec(2, properties={"two": QUESTIONS["two"][0]}))
    assert (verdict.value, verdict.members) == (True, ("w1", "w2", "w3", "w4", "w5"))
    with pytest.raises(SpecError, match="processes"):
        monitor.change(an_open_spec(2, processes={"open": True, "max": 13}))


def test_a_snapshot_of_a_listed_group_is_none_of_an_open_one() -> None:
    monitor = Monitor(an_open_spec())
    before = monitor.snapshot()
    with pytest.raises(SnapshotError, match="another spec"):
        monitor.resume(Monitor(a_listed_spec(["w1", "d1"])).snapshot())
    assert monitor.snapshot() == before


SILENT: dict[str, Any] = {"processes": {"open": True, "leave_after": "60s"}, "window": "30s"}


def observe_at(monitor: Monitor, name: str, index: int, time: float, **fields: Any) -> Any:
    return monitor.observe({"process": name, "clock": {name: index}, "state": {"n": 1}, "time": time, **fields})


def test_a_silent_process_has_left_and_may_come_back() -> None:
    monitor = Monitor(an_open_spec(properties={"two": QUESTIONS["two"][0]}, **SILENT))
    observe_at(monitor, "w1", 1, 0.0)
    observe_at(monitor, "w2", 1, 0.0)
    assert monitor.values() == {"two": True}
    for second in range(10, 61, 10):
        assert not observe_at(monitor, "w2", 1 + second // 10, second).notices
    told = observe_at(monitor, "w2", 8, 70.0)
    (notice,) = told.notices
    assert (notice.kind, notice.process, notice.index) == ("left", "w1", 2)
    assert "silent for more than 60s" in notice.reason
    # w1 is gone, but when that was nobody knows: while its last states are in the window, both may have been there.
    assert monitor.values() == {"two": True}
    assert [verdict.kind for verdict in monitor.advance(101.0)] == ["tick"]
    assert monitor.values() == {"two": False}
    assert [name for name in monitor.spec.processes if "\0" not in name] == ["w2"]
    assert not observe_at(monitor, "w1", 2, 102.0).notices  # it goes on with its clock
    assert monitor.values() == {"two": True}
    restored = Monitor.restore(monitor.spec, monitor.snapshot())
    assert restored.snapshot() == monitor.snapshot()


def test_a_silent_process_that_others_know_of_does_not_hold_them_up() -> None:
    """Its states were lost on the way, one that waits included; after the silence they are declared lost."""
    monitor = Monitor(an_open_spec(properties={"any": "possibly(any(web.n == 1))"}, **SILENT))
    monitor.observe({"process": "w1", "clock": {"w1": 1, "d1": 7}, "state": {"n": 1}, "time": 1.0})
    observe_at(monitor, "w2", 3, 2.0)  # its first two are lost
    assert monitor.window.least is not None
    told = []
    for second in range(20, 141, 20):
        event = {"process": "w1", "clock": {"w1": 1 + second // 20, "d1": 7}, "state": {"n": 1}, "time": second}
        told += [(notice.kind, notice.process, notice.index) for notice in monitor.observe(event).notices]
    assert told == [
        ("skipped", "d1", 1),
        ("left", "d1", 8),
        ("skipped", "w2", 1),
        ("left", "w2", 4),
    ]
    assert monitor.window.greatest is not None
    assert [name for name in monitor.spec.processes if "\0" not in name] == ["w1"]


def test_who_was_heard_to_be_back_and_stays_silent_is_declared_to_have_left() -> None:
    monitor = Monitor(an_open_spec(properties={"any": "possibly(any(web.n == 1))"}, **SILENT))
    observe_at(monitor, "w1", 1, 0.0)
    monitor.observe({"process": "w1", "clock": {"w1": 2}, "leave": True, "time": 1.0})
    told = []
    for second in range(20, 141, 20):
        event = {"process": "d1", "clock": {"d1": second // 20, "w1": 3}, "state": {"n": 1}, "time": second}
        told += [(notice.kind, notice.process, notice.index) for notice in monitor.observe(event).notices]
        assert Monitor.restore(monitor.spec, monitor.snapshot()).snapshot() == monitor.snapshot()
    assert told == [("skipped", "w1", 3), ("left", "w1", 4)]
    assert monitor.window.greatest is not None
    assert [name for name in monitor.spec.processes if "\0" not in name] == ["d1"]


@given(st.integers(0, 2**32), st.integers(0, 60))
def test_silence_means_the_same_over_snapshots(seed: int, at: int) -> None:
    rng = random.Random(seed)
    events = an_open_computation(rng, ["w1", "d1", "w2", "w3"], 60)
    time = 0.0
    for event in events:
        time += rng.choice([1.0, 5.0, 30.0])
        event["time"] = time
    single, other = Monitor(an_open_spec(**SILENT)), Monitor(an_open_spec(**SILENT))
    one_by_one = [verdict for event in events for verdict in single.observe(event)]
    told = list(other.observe_many(events[:at]))
    other = Monitor.restore(an_open_spec(**SILENT), other.snapshot())
    told += other.observe_many(events[at:])
    assert told == one_by_one
    assert other.snapshot() == single.snapshot()


def test_silence_ends_a_process_also_where_windows_count_states() -> None:
    """Its states leave together with it, as no time lets them go."""
    fields = {**SILENT, "window": 3, "properties": {"two": QUESTIONS["two"][0]}}
    monitor = Monitor(an_open_spec(**fields))
    for name in ("w1", "w2"):
        for index in (1, 2):
            observe_at(monitor, name, index, float(index))
    assert monitor.values() == {"two": True}
    told = observe_at(monitor, "w2", 3, 63.0)
    assert [(notice.kind, notice.process, notice.index) for notice in told.notices] == [("left", "w1", 3)]
    assert (monitor.values(), monitor.members()) == ({"two": False}, ("w2",))
    assert [notice.process for notice in monitor.advance(124.0).notices] == ["w2"]
    assert monitor.members() == ()
    assert not observe_at(monitor, "w1", 3, 125.0).notices
    timed = monitor.change(an_open_spec(**{**fields, "window": "30s"}), every=True)
    assert [verdict.growing for verdict in timed] == [True]  # when its states began nobody noted
    assert Monitor.restore(monitor.spec, monitor.snapshot()).snapshot() == monitor.snapshot()
    (notice,) = monitor.observe({"process": "w1", "clock": {"w1": 4}, "state": {}}).notices
    assert "needs its `time`" in notice.reason


def test_a_doubted_first_state_takes_no_seat_and_holds_nobody_up() -> None:
    monitor = Monitor(an_open_spec(properties={}, window="30s"))
    observe_at(monitor, "w1", 1, 0.0)
    observe_at(monitor, "w2", 1, 0.0)
    far = 1e9
    assert [each.kind for each in observe_at(monitor, "w3", 1, far).notices] == ["rejected"]
    assert monitor.members() == ("w1", "w2")
    monitor = Monitor.restore(monitor.spec, monitor.snapshot())
    assert not observe_at(monitor, "w3", 2, 1.0).notices
    assert monitor.members() == ("w1", "w2", "w3")
    # Others come after a rest: names that nobody knew tell the time to one another.
    assert [each.kind for each in observe_at(monitor, "w4", 1, far).notices] == ["rejected"]
    monitor = Monitor.restore(monitor.spec, monitor.snapshot())
    assert not observe_at(monitor, "w5", 1, far).notices
    assert not observe_at(monitor, "w4", 2, far).notices


def test_who_leaves_is_gone_where_events_tell_changes() -> None:
    """With `variables` what is not told keeps its value, but not of who left."""
    two = {"two": QUESTIONS["two"][0]}
    monitor = Monitor(an_open_spec(1, properties=two, variables={}))
    for event in (
        {"process": "w1", "clock": {"w1": 1}, "state": {"n": 1}},
        {"process": "w2", "clock": {"w2": 1}, "state": {"n": 1}},
        {"process": "w2", "clock": {"w2": 2}, "state": {"m": 1}},
    ):
        assert not monitor.observe({**event, "leave": None}).notices
    assert monitor.values() == {"two": True}
    monitor.observe({"process": "w1", "clock": {"w1": 2}, "leave": True})
    assert monitor.values() == {"two": False}


@settings(max_examples=examples(24))
@given(st.integers(0, 2**32), st.integers(0, 60))
def test_batches_restarts_and_rules_of_every_kind(seed: int, at: int) -> None:
    """Silences, times that are wrong, and windows that change: one by one, in batches, and from snapshots."""
    rng = random.Random(seed)
    events = an_open_computation(rng, ["w1", "d1", "w2", "w3"], 60)
    time = 0.0
    for event in events:
        time += rng.choice([1.0, 5.0, 30.0, 30.0, 200.0])
        event["time"] = time + (1e6 if rng.random() < 0.1 else 0.0)
    asked = {name: QUESTIONS[name][0] for name in ("two", "least", "pair", "order")}
    kept = {**SILENT, "max_jump": "100s", "properties": asked}
    first, second = [an_open_spec(**{**kept, "window": rng.choice([1, 3, "30s", "unlimited"])}) for _ in range(2)]
    single, other = Monitor(first), Monitor(first)
    one_by_one = [verdict for event in events[:at] for verdict in single.observe(event)]
    one_by_one += single.change(second)
    one_by_one += [verdict for event in events[at:] for verdict in single.observe(event)]
    told = list(other.observe_many(events[:at]))
    rules = other.rules
    other = Monitor.restore(second, other.snapshot(), allow_other_rules=True)
    told += other.renew(rules + 1)
    for event in events[at:]:
        told += other.observe(event)
        other.resume(other.snapshot())
    assert told == one_by_one
    assert other.snapshot() == single.snapshot()


def short_lives(number: int) -> Iterator[dict[str, Any]]:
    """Jobs that join and leave, and a hub that hears of each; clocks know only the latest of them."""
    hub: dict[str, int] = {}
    for k in range(number):
        name = f"job-{k}"
        yield {"process": name, "clock": {name: 1, **hub}, "state": {"busy": True}}
        yield {"process": name, "clock": {name: 2, **hub}, "leave": True}
        hub = {"hub": hub.get("hub", 0) + 1, name: 2, **{f"job-{j}": 2 for j in range(max(0, k - 4), k)}}
        yield {"process": "hub", "clock": hub, "state": {}}


JOBS = Spec.from_dict(
    {
        "processes": {"open": True, "max": 20},
        "window": 3,
        "roles": {"job": "job-*"},
        "properties": {"two": "possibly(count(job.busy) >= 2)"},
    }
)


@pytest.mark.parametrize("number", [500, pytest.param(1_000_000, marks=pytest.mark.soak)])
def test_joins_and_leaves_leave_nothing_behind(number: int) -> None:
    monitor = Monitor(JOBS)
    largest = 0
    for place, event in enumerate(short_lives(number)):
        assert not monitor.observe(event).notices
        if place % 1_000 == 999 or place < 200:
            largest = max(largest, len(monitor.snapshot()))
    assert len(monitor.spec.processes) <= 8
    assert largest < 16_384
    assert monitor.counters.delivered == 3 * number
