"""Rules that change while a monitor runs: what `Monitor.change` promises."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finality import random_events
from latwin import Monitor, Spec
from latwin.errors import SpecError
from latwin.model import Verdict

NAMES = ["p0", "p1", "p2"]
PROPERTIES = {
    "both": "possibly(p0.n == 1 and p1.n == 1)",
    "mixed": "definitely(p0.n == p1.n or p2.n == 1)",
    "many": "definitely(count(all.n == 1) >= 2)",
    "order": "possibly(seq(p0.n == 1, p1.n == 1))",
}


def a_spec(window: int | dict[str, Any], *names: str, **fields: Any) -> Spec:
    return Spec.from_dict(
        {
            "processes": NAMES,
            "window": window,
            "roles": {"all": "p*"},
            "properties": {name: PROPERTIES[name] for name in names},
            **fields,
        }
    )


def forgetful(verdict: Verdict) -> tuple[Any, ...]:
    """What a verdict says of the window, whatever its history."""
    return verdict.property, verdict.value, verdict.least, verdict.greatest, verdict.witness, verdict.because


@given(st.integers(0, 2**32), st.integers(0, 60), st.integers(1, 5), st.integers(1, 5))
def test_a_changed_monitor_says_what_one_with_these_windows_would_say(
    seed: int, at: int, before: int, after: int
) -> None:
    """Windows that shrink are as those of a monitor that was always so; grown ones, too, once they are full."""
    events = random_events(random.Random(seed), 3, 60, lost=0)
    changed, other = Monitor(a_spec(before, "both", "order")), Monitor(a_spec(after, *PROPERTIES))
    changed.observe_many(events[:at])
    other.observe_many(events[:at])
    told = changed.change(a_spec(after, *PROPERTIES))
    assert all(verdict.kind == "rules" and verdict.rules == 2 and verdict.process is None for verdict in told)
    assert changed.rules == 2
    if after <= before:
        assert changed.values() == other.values()
        assert not changed._checker.judge.is_growing()
    for event in events[at:]:
        ours, theirs = changed.observe(event, every=True), other.observe(event, every=True)
        assert all(verdict.rules == 2 and verdict.kind == "state" for verdict in ours)
        assert len(ours) == len(theirs)
        for mine, full in zip(ours, theirs, strict=True):
            assert mine.growing or forgetful(mine) == forgetful(full)


@given(st.integers(0, 2**32), st.lists(st.tuples(st.integers(0, 60), st.integers(1, 5)), max_size=3))
def test_changes_mean_the_same_over_snapshots_and_in_batches(seed: int, changes: list[tuple[int, int]]) -> None:
    """One at a time, in batches, and from snapshots taken anywhere: the same verdicts."""
    events = random_events(random.Random(seed), 3, 60, lost=0)
    asked = [["both", "many"], list(PROPERTIES), ["mixed"]]
    specs = [a_spec(4, "both")] + [a_spec(size, *asked[k]) for k, (_, size) in enumerate(sorted(changes))]
    places = [0, *(at for at, _ in sorted(changes)), len(events)]
    single, batched, resumed = (Monitor(specs[0]) for _ in range(3))
    told: list[list[Verdict]] = [[], [], []]
    for k, spec in enumerate(specs):
        if k:
            told[0] += single.change(spec)
            told[1] += batched.change(spec)
            data, rules = resumed.snapshot(), resumed.rules
            resumed = Monitor.restore(spec, data, allow_other_rules=True)
            told[2] += resumed.renew(rules + 1)
        part = events[places[k] : places[k + 1]]
        for event in part:
            told[0] += single.observe(event)
            told[2] += resumed.observe(event)
            resumed = Monitor.restore(spec, resumed.snapshot())
        told[1] += batched.observe_many(part)
    assert told[0] == told[1] == told[2]
    assert single.snapshot() == batched.snapshot() == resumed.snapshot()


def test_a_grown_window_is_marked_until_it_is_full() -> None:
    monitor = Monitor(a_spec(2, "both"))
    events = [{"process": "p0", "clock": [k, 0, 0], "state": {"n": k % 2}} for k in range(1, 9)]
    monitor.observe_many(events[:4])
    assert not monitor.change(a_spec({"p0": 4, "p1": 2, "p2": 2}, "both"))
    marks = [monitor.observe(event, every=True)[0].growing for event in events[4:]]
    assert marks == [True, False, False, False]
    assert [len(monitor.states(k)) for k in range(3)] == [4, 1, 1]


def test_new_properties_are_answered_at_once() -> None:
    monitor = Monitor(a_spec(2))
    monitor.observe({"process": "p0", "clock": [1, 0, 0], "state": {"n": 1}})
    monitor.observe({"process": "p1", "clock": [0, 1, 0], "state": {"n": 1}})
    (verdict,) = monitor.change(a_spec(2, "both"), rules=7)
    assert (verdict.property, verdict.value, verdict.slide, verdict.rules) == ("both", True, 3, 7)
    assert (verdict.kind, verdict.process, verdict.index, verdict.time) == ("rules", None, None, None)
    assert monitor.counters.ticks == 1
    assert not monitor.change(a_spec(2, "both"))
    assert monitor.rules == 8


@pytest.mark.parametrize(
    "field",
    [{"delivery": "causal"}, {"synchrony": "1s"}, {"initial": {"p0": {"n": 1}}}, {"processes": ["p0", "p1", "p3"]}],
)
def test_what_must_stay_is_named_and_the_monitor_goes_on(field: dict[str, Any]) -> None:
    monitor = Monitor(a_spec(2, "both"))
    before = monitor.snapshot()
    with pytest.raises(SpecError, match=f"{next(iter(field))}.*may change"):
        monitor.change(a_spec(2, "both", **field))
    assert monitor.snapshot() == before


def test_waiting_states_live_on_under_a_smaller_bound() -> None:
    monitor = Monitor(a_spec(2, "both", max_waiting=5))
    for index in (3, 4, 5):
        monitor.observe({"process": "p0", "clock": [index, 0, 0], "state": {"n": 1}})
    monitor.change(a_spec(2, "both", max_waiting=1, waiting_policy="skip"))
    restored = Monitor.restore(monitor.spec, monitor.snapshot())
    told = restored.observe({"process": "p0", "clock": [6, 0, 0], "state": {"n": 1}})
    assert [notice.kind for notice in told.notices] == ["skipped"]
    assert restored.counters.waiting == 0
