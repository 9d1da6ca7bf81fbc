"""Groups that end after a silence, and groups that come back: in one monitor, whoever tells the time."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from latwin import Monitor, Spec
from latwin.delivery.silence import REMEMBERED, Past
from latwin.errors import SpecError
from latwin.model import Counters, Notice, Verdict, Verdicts

DAY = 86_400.0


def spec_of(**fields: Any) -> Spec:
    properties = {"both": "possibly(a.x and b.x)", "sure": "definitely(a.x and b.x)"}
    return Spec.from_dict(
        {"processes": ["a", "b"], "window": 3, "properties": properties, "forget_after": "7d", **fields}
    )


def report(process: str, clock: list[int], time: Any, x: bool = True) -> dict[str, Any]:
    return {"process": process, "clock": clock, "state": {"x": x}, "time": time}


def kinds(out: Verdicts) -> list[str]:
    return [notice.kind for notice in out.notices]


def began(monitor: Monitor) -> None:
    """Two states of each process, and both properties hold."""
    events = [report("a", [1, 0], 0), report("b", [0, 1], 1), report("a", [2, 1], 2), report("b", [2, 2], 3)]
    assert monitor.observe_many(events).notices == []
    assert monitor.values() == {"both": True, "sure": True}


def test_a_group_that_comes_back_begins_anew_and_goes_on_with_its_clocks() -> None:
    monitor = Monitor(spec_of())
    began(monitor)
    out = monitor.observe(report("a", [3, 2], 3 + 8 * DAY))
    assert kinds(out) == ["ended", "returned"]
    ended, returned = out.notices
    assert ended.reason == ("silent for more than forget_after=7d: forgotten after 4 states; at last both, sure held")
    assert ended.event["values"] == {"both": True, "sure": True}
    assert ended.event["counters"]["delivered"] == 4
    assert ended.event["time"] == 3
    assert returned.reason == ("came back after 8d of silence: its windows begin anew, its clocks go on after [2, 2]")
    assert monitor.counters == Counters(delivered=1)
    assert monitor.values() == {"both": False, "sure": False}  # b.x is not known any more
    (verdict, _) = monitor.observe(report("b", [3, 3], 4 + 8 * DAY))
    assert (verdict.property, verdict.value, verdict.slide) == ("both", True, 2)
    assert kinds(monitor.observe(report("b", [0, 1], 5 + 8 * DAY))) == ["late"]  # nothing disappears


def test_a_program_that_began_again_may_begin_its_clocks_again() -> None:
    monitor = Monitor(spec_of())
    began(monitor)
    out = monitor.observe(report("a", [1, 0], 30 * DAY))
    assert kinds(out) == ["ended", "returned"]
    assert out.notices[1].reason.endswith("its windows begin anew, its clocks begin again, too")
    assert monitor.observe(report("b", [0, 1], 30 * DAY))[0].value


def test_after_a_much_longer_silence_it_is_a_group_as_any_other() -> None:
    monitor = Monitor(spec_of())
    began(monitor)
    out = monitor.observe(report("a", [3, 2], 4 + 7 * REMEMBERED * DAY))
    assert kinds(out) == ["ended"]
    assert monitor.counters == Counters(waiting=1)


def test_silence_is_longer_than_forget_after() -> None:
    monitor = Monitor(spec_of())
    began(monitor)
    assert kinds(monitor.observe(report("a", [3, 2], 3 + 7 * DAY))) == []
    assert kinds(monitor.observe(report("a", [4, 2], "1970-01-01T00:00:05Z"))) == []  # time does not go back
    assert monitor.last_s == 3 + 7 * DAY
    assert kinds(monitor.observe({"process": "a", "clock": [5, 2], "state": {}})) == []  # it tells no time


def test_what_cannot_be_used_is_not_heard() -> None:
    monitor = Monitor(spec_of())
    began(monitor)
    for bad in (report("nobody", [1, 0], 9 * DAY), {"process": "a", "time": 9 * DAY}):
        assert kinds(monitor.observe(bad)) == ["rejected"]
        assert kinds(monitor.observe_many([bad])) == ["rejected"]
    assert monitor.last_s == 3


def test_heartbeats_and_advance_tell_that_it_is_over() -> None:
    ways: tuple[Callable[[Monitor], Verdicts], ...] = (
        lambda monitor: monitor.observe({"time": 9 * DAY}),
        lambda monitor: monitor.observe_many([{"time": 9 * DAY}]),
        lambda monitor: monitor.advance(9 * DAY),
    )
    for tell in ways:
        monitor = Monitor(spec_of())
        began(monitor)
        assert kinds(monitor.advance(6 * DAY)) == []
        assert kinds(tell(monitor)) == ["ended"]
        assert monitor.past == Past(3.0, [2, 2])
        assert kinds(tell(monitor)) == []
        restored = Monitor.restore(monitor.spec, monitor.snapshot())
        for each in (monitor, restored):
            assert kinds(each.observe(report("a", [3, 2], 10 * DAY))) == ["returned"]


def test_states_that_waited_are_told() -> None:
    monitor = Monitor(spec_of())
    monitor.observe(report("a", [2, 0], 0))
    assert "forgotten after 0 states, 1 waited; at last no property held" in monitor.end().notices[0].reason


def test_processes_that_join_and_leave() -> None:
    monitor = Monitor(
        Spec.from_dict(
            {
                "processes": "open",
                "window": 3,
                "roles": {"all": "*"},
                "properties": {"x": "possibly(count(all.x) >= 2)"},
                "forget_after": "1h",
            }
        )
    )
    for first, time in ((1, 0), (2, 10_000), (1, 20_000), (2, 20_001)):
        events = [
            {"process": name, "clock": {name: first}, "state": {"x": True}, "time": time} for name in ("p", "q")
        ]
        out = monitor.observe_many(events)
        assert [verdict.value for verdict in out] == [True] * (time != 20_001), out.notices
    assert monitor.counters.delivered == 4


def test_rules_may_change_it() -> None:
    monitor = Monitor(spec_of(forget_after="1h"))
    began(monitor)
    monitor.change(spec_of())
    assert kinds(monitor.observe(report("a", [3, 2], 7200))) == []
    monitor.change(spec_of(forget_after="1h"))
    out = monitor.observe(report("a", [4, 2], 20_000))
    assert kinds(out) == ["ended", "returned"]
    assert monitor.rules == 3


@pytest.mark.parametrize(("given", "message"), [("0", "longer than 0"), ("soon", "must be a duration")])
def test_mistakes(given: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        spec_of(forget_after=given)


@pytest.mark.parametrize("seed", range(20))
def test_it_does_not_matter_who_tells_first_nor_how_events_come(seed: int) -> None:
    """One by one, in batches with snapshots between them, and ended from outside in every silence: the same."""
    print(f"seed={seed}")
    rng = random.Random(seed)
    spec = spec_of(forget_after="10s", delivery=rng.choice(["fifo", "causal"]), max_waiting=5, waiting_policy="skip")
    events, clocks, now = [], {"a": [0, 0], "b": [0, 0]}, 0.0
    for _ in range(60):
        now += rng.choice([0.0, 1.0, 5.0, 11.0, 120.0])
        if rng.random() < 0.1:
            clocks = {"a": [0, 0], "b": [0, 0]}
        me, other = rng.choice([("a", "b"), ("b", "a")])
        seat = "ab".index(me)
        if rng.random() < 0.5:
            clocks[me][1 - seat] = clocks[other][1 - seat]
        clocks[me][seat] += 1
        events.append(report(me, list(clocks[me]), now - rng.choice([0.0, 3.0]), rng.random() < 0.6))
    for _ in range(3):
        k = rng.randrange(len(events) - 1)
        events[k], events[k + 1] = events[k + 1], events[k]

    plain = Monitor(spec)
    expected = [plain.observe(event) for event in events]
    verdicts = [verdict for out in expected for verdict in out]
    notices = [notice for out in expected for notice in out.notices]

    found: list[Verdict] = []
    said: list[Notice] = []
    batched = Monitor(spec)
    at = 0
    while at < len(events):
        size = rng.randint(1, 9)
        out = batched.observe_many(events[at : at + size])
        found, said, at = found + list(out), said + out.notices, at + size
        batched = Monitor.restore(spec, batched.snapshot())
    assert (found, said) == (verdicts, notices)

    swept, found, said = Monitor(spec), [], []
    for event in events:
        if swept.last_s is not None and event["time"] - swept.last_s > 10:
            said += swept.end().notices
            past = swept.past
            assert past is not None
            swept = Monitor(spec)
            swept.follow(past)
        out = swept.observe(event)
        found, said = found + list(out), said + out.notices
    assert (found, said) == (verdicts, notices)
