"""Damaged state: a monitor that is to go on from any bytes refuses them with SnapshotError, or works; it never hangs.

`tests/support/damage.py` changes real snapshots: bytes, and fields under a right checksum.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from damage import HEADER, damage_bytes, fields_of, outcome, samples, with_checksum
from effort import examples
from latwin import Monitor, SnapshotError, Spec

#: Nothing here takes long: after this, it hangs. Compiled code cannot be interrupted, so it is in another process.
PATIENCE_S = 120.0


@pytest.fixture(scope="module")
def worker() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        yield pool


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**40))
def test_a_damaged_snapshot_is_refused_or_works(worker: ProcessPoolExecutor, seed: int) -> None:
    print(f"seed={seed}")
    future = worker.submit(outcome, seed)
    try:
        assert future.result(PATIENCE_S) in ("refused", "works")
    except TookTooLong:
        for process in multiprocessing.active_children():
            process.kill()
        pytest.fail(f"hangs: damage.outcome({seed})")


@settings(max_examples=examples(200))
@given(st.randoms(use_true_random=False), st.integers(0, len(samples()) - 1), st.integers(0, len(samples()) - 1))
def test_the_checksum_finds_changed_bytes(rng: Any, one: int, other: int) -> None:
    sample = samples()[one]
    data = damage_bytes(rng, sample.data, samples()[other].data)
    if data in [sample.data for sample in samples()]:
        return
    with pytest.raises(SnapshotError):
        Monitor.restore(sample.spec, data)


@pytest.mark.parametrize("number", range(len(samples())))
def test_a_snapshot_that_was_not_damaged_is_restored(number: int) -> None:
    """And with it what a right checksum is."""
    sample = samples()[number]
    assert with_checksum(sample.data[HEADER:]) == sample.data
    assert Monitor.restore(sample.spec, sample.data).snapshot() == sample.data


SPEC = Spec.from_dict(
    {
        "processes": ["a", "b"],
        "window": 3,
        "max_waiting": 2,
        "waiting_policy": "skip",
        "properties": {
            "both": "possibly(a.x and b.x)",
            "surely": "definitely(a.x and b.x)",
            "formula": "EF(AG(a.x))",
            "none": "possibly(a.x == 9) or possibly(b.x == 9)",
        },
    }
)
TIMED = Spec.from_dict({**SPEC.to_dict(), "synchrony": "2s"})
#: expects a.x and that it equals 7, which it does not, and b.x
SEEKING = Spec.from_dict({**SPEC.to_dict(), "properties": {"both": "possibly(a.x == 7 and b.x)"}})
#: state 1 of a and the initial state of b have left its windows
IN_TIME = Spec.from_dict({**SPEC.to_dict(), "window": {"time": "100ms", "states": 9}})
CAUSAL = Spec.from_dict({**SPEC.to_dict(), "delivery": "causal"})


def make_fields(spec: Spec) -> Any:
    """The fields of a monitor with states 1 and 2 of a, 1 of b (which knows a's first) and 4 of a waiting."""
    monitor = Monitor(spec)
    for process, clock in (("a", [1, 0]), ("a", [2, 0]), ("b", [1, 1]), ("a", [4, 0])):
        monitor.observe({"process": process, "clock": clock, "state": {"x": 1}, "time": sum(clock) / 10})
    return fields_of(monitor.snapshot())


Change = Callable[[Any], Any]


def put(*path: Any) -> Change:
    """A change that puts the last of these at the place that the others name."""

    def change(fields: Any) -> None:
        for at in path[:-2]:
            fields = fields[at]
        fields[path[-2]] = path[-1]

    return change


PROCESSES, WAITING, VALUES, COUNTERS, FINAL, SEEN = 2, 3, 4, 5, 6, 7
TIME = 13


def both_know(second_of_a: list[int], first_of_b: list[int]) -> Change:
    """A change of two clocks."""

    def change(fields: Any) -> None:
        put(PROCESSES, 0, 2, 2, second_of_a)(fields)
        put(PROCESSES, 1, 2, 1, first_of_b)(fields)

    return change


@pytest.mark.parametrize(
    ("spec", "change", "message"),
    [
        (SPEC, lambda f: f[PROCESSES].pop(), "2 processes were expected; it has 1"),
        (SPEC, put(PROCESSES, 0, 0, -5), "the counter of delivered states is not their number"),
        (SPEC, put(PROCESSES, 0, 0, 2**63), "the counter of delivered states is not their number"),
        (SPEC, put(PROCESSES, 0, 1, 1), "process 'a': state 2 cannot be the newest, nor 1 the last"),
        (SPEC, put(PROCESSES, 0, 1, 2**62), "a state waits that was delivered or declared lost"),
        (SPEC, lambda f: (f[PROCESSES][0][2].pop(), f[PROCESSES][0][3].pop()), "3 states were expected; got 2"),
        (SPEC, put(PROCESSES, 0, 3, []), "process 'a' has 3 clocks, but 0 states"),
        (SPEC, put(PROCESSES, 0, 3, 1, [1]), "process 'a': a state must be a map; it is list"),
        (SPEC, put(PROCESSES, 0, 2, 1, [1]), "clocks must be lists of 2 integers below 2**62"),
        (SPEC, put(PROCESSES, 0, 2, 1, [1, 2**63]), "clocks must be lists of 2 integers below 2**62"),
        (SPEC, put(PROCESSES, 0, 2, 1, [1, 2**62]), "a clock's entry is out of range"),
        (SPEC, put(PROCESSES, 0, 2, 0, [0, 1]), "or an initial state's is not 0"),
        (SPEC, put(PROCESSES, 0, 2, 1, [2, 0]), "own entries are not the indices of states delivered"),
        (SPEC, put(PROCESSES, 0, 2, 2, [3, 0]), "own entries are not the indices of states delivered"),
        (SPEC, put(PROCESSES, 0, 2, 1, [1, 9]), "knows less than the state before it"),
        (CAUSAL, put(PROCESSES, 0, 2, 2, [2, 9]), "process 'a': a state knows one that was not delivered"),
        (SPEC, both_know([2, 1], [9, 1]), "process 'a': a state knows another one, but not all"),
        (SPEC, both_know([2, 1], [2, 1]), "process 'a': a state knows one that knows it"),
        (SPEC, put(PROCESSES, 0, 4, [0.0, 1.0, 2.0]), "has times, but the spec has no synchrony"),
        (TIMED, put(PROCESSES, 0, 4, None), "does not have one time for each state"),
        (TIMED, put(PROCESSES, 0, 4, 2, float("nan")), "has a time that is no time"),
        (TIMED, put(PROCESSES, 0, 4, 0, 0.0), "has a time that is no time"),
        (
            TIMED,
            put(WAITING, 0, 4, "soon"),
            "with `synchrony`, a window of time or `leave_after` an event needs its `time`",
        ),
        (SPEC, put(PROCESSES, 0, 5, [0.0, 1.0, 2.0]), "it says when states began, and has no window of time"),
        (SPEC, put(TIME, [0.3, 0.0, [0.2, 0.2]]), "it has the group's time, and needs none"),
        (IN_TIME, put(TIME, None), "it lacks the group's time"),
        (IN_TIME, put(TIME, 0, float("inf")), "the group's time is no time"),
        (IN_TIME, put(TIME, 0, 0.1), "the latest time of process 'a' is not that of its newest state"),
        (IN_TIME, put(TIME, 1, -1.0), "the group's time is no time"),
        (IN_TIME, put(TIME, 3, 0.1), "the time that it doubts is no time"),
        (IN_TIME, put(TIME, 3, 5.0), "the time that it doubts is no time"),
        (IN_TIME, put(TIME, 4, "a"), "the time that it doubts is no time"),
        (IN_TIME, put(TIME, 2, [0.2]), "it does not have one latest time for each process"),
        (IN_TIME, put(TIME, 2, 0, 0.1), "the latest time of process 'a' is not that of its newest state"),
        (IN_TIME, put(TIME, 0, 0.5), "process 'a' has a state that is too old for its window"),
        (IN_TIME, put(PROCESSES, 0, 5, None), "process 'a' does not have one begin for each state"),
        (IN_TIME, put(PROCESSES, 0, 5, [0.2]), "process 'a' does not have one begin for each state"),
        (IN_TIME, put(PROCESSES, 0, 5, 1, float("nan")), "process 'a' has a state whose begin is no time"),
        (IN_TIME, put(PROCESSES, 1, 5, 0, 0.0), "process 'b' has a state whose begin is no time"),
        (IN_TIME, put(PROCESSES, 0, 5, [0.3, 0.2]), "process 'a' has a state that began before the one before it"),
        (IN_TIME, put(PROCESSES, 0, 5, [0.15, 0.2]), "process 'a': 3 states were expected; got 2"),
        (SPEC, lambda f: f[WAITING].append(f[WAITING][0]), "a state waits twice"),
        (SPEC, put(WAITING, 0, 0, 2), "is none of its process's"),
        (SPEC, put(WAITING, 0, 0, -1), "is none of its process's"),
        (SPEC, put(WAITING, 0, 1, 5), "is none of its process's"),
        (SPEC, put(WAITING, 0, 2, [4, -1]), "has an entry out of range"),
        (SPEC, put(WAITING, 0, 3, "x"), "must be a map; it is str"),
        (SPEC, put(WAITING, 0, [0, 2, [2, 0], {}, None]), "a state waits that was delivered or declared lost"),
        (SPEC, put(WAITING, 0, [0, 3, [3, 9], {}, None]), "a state waits that can be delivered"),
        (CAUSAL, put(WAITING, 0, [0, 3, [3, 1], {}, None]), "a state waits that can be delivered"),
        (SPEC, put(VALUES, {}), "one value for each of its properties"),
        (SPEC, put(VALUES, "both", 1), "Expected `bool | null`, got `int`"),
        (SPEC, put(FINAL, None), "Expected `array`, got `None`"),
        (SPEC, put(FINAL, ["both", "both"]), "the properties that are final are none of its properties"),
        (SPEC, put(FINAL, ["both", "other"]), "the properties that are final are none of its properties"),
        (SPEC, put(FINAL, []), "property 'both' is true, so it must be final"),
        (SPEC, put(FINAL, ["both", "none"]), "property 'none' cannot be final with the value False"),
        (SPEC, put(VALUES, "both", False), "property 'both' cannot be final with the value False"),
        (SPEC, put(VALUES, "both", None), "property 'both' cannot be final with the value None"),
        (SPEC, put(COUNTERS, "late", -1), "a counter is out of range: Counters(delivered=3"),
        (SPEC, put(COUNTERS, "delivered", 4), "the counter of delivered states is not their number"),
        (SPEC, put(COUNTERS, "waiting", 0), "the counter of waiting states is not their number"),
        (SPEC, put(COUNTERS, "empty", 4), "the counter of slides without a cut is above that of slides"),
        (SEEKING, put(SEEN, 1, [0, 9]), "what was not seen is none of what the properties expect"),
        (SEEKING, put(SEEN, 1, [-1]), "what was not seen is none of what the properties expect"),
        (SEEKING, put(SEEN, 1, [2, 1]), "what was not seen is none of what the properties expect"),
        (SEEKING, put(SEEN, 1, [0]), "a variable was not seen, but a value of it was"),
        (SEEKING, put(SEEN, 2, {2: ["'a'"]}), "remembered beside nothing that was not seen"),
        (SEEKING, put(SEEN, 2, {7: ["'a'"]}), "remembered beside nothing that was not seen"),
        (SEEKING, put(SEEN, 2, {0: []}), "1 to 24 different names or values are remembered, or none"),
        (SEEKING, put(SEEN, 2, {0: ["1", "1"]}), "1 to 24 different names or values are remembered, or none"),
        (SEEKING, put(SEEN, 2, {0: list(map(str, range(25)))}), "1 to 24 different names or values"),
        (SEEKING, put(SEEN, 2, {0: ["x" * 61]}), "a remembered name or value has more than 60 characters"),
        (SEEKING, put(SEEN, 2, {0: [1]}), "Expected `str`, got `int`"),
    ],
)
def test_what_no_monitor_can_have_written_is_refused(spec: Spec, change: Change, message: str) -> None:
    """With a right checksum; and the monitor that was to go on from it is as it was."""
    fields = make_fields(spec)
    monitor = Monitor.restore(spec, with_checksum(fields))
    before = monitor.snapshot()
    change(fields)
    with pytest.raises(SnapshotError) as refused:
        monitor.resume(with_checksum(fields))
    assert "the snapshot is damaged: " in str(refused.value)
    assert message in str(refused.value)
    assert monitor.snapshot() == before
    assert not monitor.observe({"process": "b", "clock": [1, 2], "state": {}, "time": 0.4}).notices


def test_a_state_nested_too_deeply_is_refused() -> None:
    deep: Any = {}
    for _ in range(150):
        deep = {"x": deep}
    fields = make_fields(SPEC)
    fields[PROCESSES][0][3][1] = deep
    with pytest.raises(SnapshotError, match="nested in more than 100 levels"):
        Monitor.restore(SPEC, with_checksum(fields))
