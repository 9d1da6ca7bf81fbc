"""Groups that observe together: whoever is done says exactly what a monitor says, and the others are left to one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damage import SPECS, damage_fields, fields_of, samples, with_checksum
from effort import examples
from latwin import Monitor, SnapshotError, Spec, TooManyWaiting, Verdict, many_groups
from latwin.events import EventBatch, read_batch
from latwin.many_groups import ManyGroups, Together
from mixed_properties import mixed_property

Event = dict[str, Any]


def batch_of(spec: Spec, groups: Sequence[Sequence[Event]]) -> tuple[EventBatch, list[tuple[int, int]]]:
    """The events of groups in one batch, and the rows of each."""
    positions = {name: k for k, name in enumerate(spec.processes)}
    batch = read_batch([event for some in groups for event in some], positions)
    assert batch is not None
    ends = np.cumsum([len(some) for some in groups]).tolist()
    return batch, list(zip([0, *ends], ends, strict=False))


def computation(rng: random.Random, spec: Spec, count: int, disorder: float) -> list[Event]:
    """The states of a random computation as they arrive; `disorder` is how late they may be."""
    names = spec.processes
    clocks = [[0] * len(names) for _ in names]
    placed = []
    for number in range(count):
        k = rng.randrange(len(names))
        heard = clocks[rng.randrange(len(names))] if rng.random() < 0.4 else clocks[k]
        clock = [max(mine, theirs) for mine, theirs in zip(clocks[k], heard, strict=True)]
        clock[k] += 1
        clocks[k] = clock
        state = rng.choice([{"n": rng.randrange(2)}, {"n": rng.randrange(2)}, {"n": 0.5, "m": "x"}, {}, None])
        event = {"process": names[k], "clock": clock, "state": state, "time": number}
        placed.append((number + disorder * rng.random(), event))
    return [event for _, event in sorted(placed, key=lambda pair: pair[0])]


def told(found: Together, number: int) -> list[tuple[Verdict, int]]:
    """The verdicts of a group, with their positions."""
    said = zip(found.verdicts.verdicts(), found.owners, found.positions, strict=True)
    return [(verdict, position) for verdict, owner, position in said if owner == number]


def compare(spec: Spec, groups: Sequence[Sequence[Event]], size: int) -> tuple[int, int]:
    """Let groups observe together and alone, `size` events at a time; how often one was done, and was not."""
    together = ManyGroups.of(spec, 1)
    assert together is not None
    monitors = [Monitor(spec) for _ in groups]
    done = left = 0
    for begin in range(0, max(map(len, groups)), size):
        events_of = [some[begin : begin + size] for some in groups]
        snapshots = [monitor.snapshot() for monitor in monitors]
        batch, parts = batch_of(spec, events_of)
        observed = together.observe(snapshots, batch, parts)
        for number, (monitor, events, found) in enumerate(zip(monitors, events_of, observed.groups, strict=True)):
            before = monitor.counters.delivered
            verdicts = monitor.observe_many(events)
            if found is None:
                left += 1
                assert not told(observed, number)
                continue
            done += 1
            assert told(observed, number) == list(zip(verdicts, verdicts.positions, strict=True))
            assert not verdicts.notices
            assert (found.before.delivered, found.counters) == (before, monitor.counters)
            assert (found.last_s, found.unseen) == (monitor.last_s, monitor.unseen())
            assert found.snapshot == monitor.snapshot()
    return done, left


def conjunctions(count: int, window: Any, **fields: Any) -> Spec:
    names = [f"p{k}" for k in range(count)]
    both = " and ".join(f"{name}.n == 1" for name in names)
    properties = {"sure": f"definitely({both})", "some": f"possibly({both})"}
    return Spec.from_dict({"processes": names, "window": window, "properties": properties, **fields})


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**40))
def test_conjunctions_are_told_as_monitors_tell_them(seed: int) -> None:
    print(f"seed={seed}")
    rng = random.Random(seed)
    count = rng.randint(1, 4)
    window = {f"p{k}": rng.randint(1, 5) for k in range(count)}
    waiting = {"max_waiting": rng.choice([1, 2, 1000]), "waiting_policy": "skip"}
    spec = conjunctions(count, window, delivery=rng.choice(["fifo", "fifo", "causal"]), **waiting)
    groups = [computation(rng, spec, rng.randint(6, 40), rng.choice([0.0, 0.0, 2.0])) for _ in range(6)]
    compare(spec, groups, rng.choice([1, 3, 10, 50]))


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**40))
def test_all_kinds_of_properties_are_told_as_monitors_tell_them(seed: int) -> None:
    print(f"seed={seed}")
    rng = random.Random(seed)
    names = [f"p{k}" for k in range(rng.randint(2, 3))]
    properties = {f"q{k}": mixed_property(rng, len(names)) for k in range(rng.randint(1, 3))}
    spec = Spec.from_dict({"processes": names, "window": rng.randint(2, 4), "properties": properties, "max_cuts": 40})
    if ManyGroups.of(spec, 1) is None:  # a property needs Python, or pairs of states
        return
    compare(spec, [computation(rng, spec, 25, rng.choice([0.0, 1.5])) for _ in range(4)], rng.choice([2, 8]))


@pytest.mark.parametrize(
    ("delivery", "disorder", "size", "left"),
    [
        ("fifo", 0.0, 10, 0),
        ("fifo", 3.0, 60, 0),  # every state leaves the buffer in the end
        ("fifo", 3.0, 10, 32),  # some wait for the next events
        ("causal", 0.0, 10, 0),
        ("causal", 3.0, 60, 20),
    ],
)
def test_groups_whose_states_all_leave_are_done(delivery: str, disorder: float, size: int, left: int) -> None:
    rng = random.Random(7)
    spec = conjunctions(3, 4, delivery=delivery)
    groups = [computation(rng, spec, 60, disorder) for _ in range(20)]
    assert compare(spec, groups, size) == (20 * 60 // size - left, left)


def test_room_that_is_too_small_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the windows of all groups nor what is told of them fits at once."""
    monkeypatch.setattr(many_groups, "_MOST_INDICES", 1)
    monkeypatch.setattr(many_groups, "_MOST_ENTRIES", 3 * 36)
    rng = random.Random(11)
    spec = conjunctions(3, 4)
    done, left = compare(spec, [computation(rng, spec, 60, 0.0) for _ in range(10)], 20)
    assert done > 0
    assert left > 0  # of some groups alone there is more to tell


@pytest.mark.parametrize(
    "fields",
    [
        {"window": None},
        {"window": "3s"},
        {"synchrony": "1s"},
        {"variables": {"fields": ["n"]}},
        {"properties": {"pair": "possibly(p0.n == p1.n)"}},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_what_needs_a_monitor_is_left_to_it(fields: dict[str, Any]) -> None:
    spec = Spec.from_dict({**conjunctions(2, 3).to_dict(), **fields})
    assert ManyGroups.of(spec, 1) is None


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**40))
def test_groups_that_may_end_are_told_as_monitors_tell_them(seed: int) -> None:
    """Times go on by a second, at times by more than a group lives, at times there are none."""
    print(f"seed={seed}")
    rng = random.Random(seed)
    spec = conjunctions(2, 3, forget_after="30s")
    groups = []
    for _ in range(5):
        events, now = computation(rng, spec, 30, 0.0), 1_700_000_000.0
        for event in events:
            now += rng.choice([1, 1, 1, 1, 1, 20, 40 if rng.random() < 0.2 else 1])
            event["time"] = rng.choice([now, now, now, now - 10, None, "no time"])
        groups.append(events)
    compare(spec, groups, rng.choice([1, 4, 10]))


@settings(max_examples=examples(400), deadline=None)
@given(st.integers(0, 2**40))
def test_a_damaged_snapshot_is_left_to_a_monitor_or_read_as_it_reads_it(seed: int) -> None:
    print(f"seed={seed}")
    rng = random.Random(seed)
    spec = rng.choice([conjunctions(2, 3), conjunctions(3, 4, delivery="causal")])
    events = computation(rng, spec, 20, 0.0)
    before = Monitor(spec)
    before.observe_many(events[:14])
    fields = fields_of(before.snapshot())
    data = with_checksum(damage_fields(rng, fields, fields_of(rng.choice(samples()).data)))
    together = ManyGroups.of(spec, 1)
    assert together is not None
    batch, parts = batch_of(spec, [events[14:]])
    observed = together.observe([data], batch, parts)
    [found] = observed.groups
    if found is None:
        return
    monitor = Monitor.restore(spec, data)
    assert list(monitor.observe_many(events[14:])) == observed.verdicts.verdicts()
    assert monitor.snapshot() == found.snapshot


def test_real_snapshots_of_other_specs_are_left_to_monitors() -> None:
    spec = conjunctions(2, 3)
    together = ManyGroups.of(spec, 1)
    assert together is not None
    batch, parts = batch_of(spec, [computation(random.Random(1), spec, 4, 0.0)])
    for sample in samples()[: len(SPECS)]:
        assert together.observe([sample.data], batch, parts).groups == [None]
        with pytest.raises((SnapshotError, TooManyWaiting)):
            Monitor.restore(spec, sample.data)
