"""Windows of time: what they hold is what the definition says, for all engines and on every way through a monitor."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from computations import computations, windows
from effort import examples
from finality import MODALITIES, OTHERS, UNKNOWN, make_spec, random_events
from latwin import LatWin, Monitor, Spec, Verdict
from latwin.delivery import GroupTime
from latwin.errors import InvalidInput
from latwin.lattice.window import Window
from latwin.properties import Modal
from latwin.reference import PaperLatWin
from latwin.slide import Slide
from monitoring import expected_value
from oracle import BruteForce
from timed import Step, Timeline, random_settings, random_steps

KEPT = {"processes": ["a", "b"], "window": "10s", "properties": {"p": "possibly(a.n == 1 and b.n == 1)"}}


def seeds(few: int) -> list[Any]:
    """A few seeds, and more of them for `make soak`."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(few, 60))]


def report(process: str, clock: list[int], time: Any, n: int = 1) -> dict[str, Any]:
    return {"process": process, "clock": clock, "state": {"n": n}, "time": time}


def held(monitor: Monitor) -> list[list[int]]:
    """Per process the numbers of the states in its window."""
    return [list(monitor.window.states_of(k)) for k in range(monitor.window.processes)]


# -- against brute force --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", seeds(4))
def test_every_verdict_is_what_brute_force_says(seed: int) -> None:
    """Definition first: the windows of every slide, their cuts, and the values of conditions for each engine."""
    rng = random.Random(f"windows of time {seed}")
    processes = rng.choice([2, 2, 3])
    lost = rng.choice([0, 0.1])
    properties = {**MODALITIES, **OTHERS, **({} if lost else UNKNOWN)}
    spec = make_spec(rng, processes, properties, synchrony=None, **random_settings(rng, processes))
    steps = random_steps(rng, processes, 20 if lost else 14, lost=lost)
    timeline = Timeline(spec, steps)
    told = {(verdict.slide, verdict.property): verdict for verdict in take(Monitor(spec), steps, every=True)}
    assert len(told) == len(timeline.slides) * len(properties)
    for at, slide in enumerate(timeline.slides):
        is_exact = slide.through == tuple(timeline.states[k][n][0] for k, n in enumerate(slide.newest))
        for name, tree in spec.trees.items():
            verdict = told[slide.number, name]
            assert (verdict.process, verdict.index, verdict.time) == (slide.process, slide.index, slide.time)
            if name in UNKNOWN:
                if is_exact and not timeline.notices:
                    assert verdict.value is expected_value(tree, timeline.brute_force(at)), (name, at)
                continue
            assert verdict.value is timeline.value(tree, at), (name, at)
            if name in MODALITIES and isinstance(tree, Modal):
                assert verdict.final is (verdict.value and timeline.is_final(tree, at)), (name, at)
                assert verdict.because == (timeline.because(tree, at) if verdict.value else None), (name, at)


def take(monitor: Monitor, steps: list[Step], *, every: bool = False) -> list[Verdict]:
    """The verdicts of all steps, one by one."""
    return [
        verdict
        for step in steps
        for verdict in (monitor.advance(step, every) if isinstance(step, float) else monitor.observe(step, every))
    ]


def in_batches(monitor: Monitor, steps: list[Step], rng: random.Random) -> list[Verdict]:
    """The same, with the events between two ticks in batches of any size."""
    told: list[Verdict] = []
    batch: list[dict[str, Any]] = []
    for step in steps:
        if isinstance(step, float) or rng.random() < 0.1:
            told += monitor.observe_many(batch)
            batch = []
        if isinstance(step, float):
            told += monitor.advance(step)
        else:
            batch.append(step)
    return [*told, *monitor.observe_many(batch)]


@pytest.mark.parametrize(
    "properties",
    [
        MODALITIES,
        pytest.param({**OTHERS, **UNKNOWN}, marks=pytest.mark.slow),
        {"all": MODALITIES["everyone"]},
    ],
)
@pytest.mark.parametrize("seed", seeds(3))
def test_one_by_one_in_batches_watched_and_restarted(properties: dict[str, str], seed: int) -> None:
    rng = random.Random(f"ways {seed}")
    processes = rng.choice([2, 3, 5])
    settings = random_settings(rng, processes)
    synchrony = "60s" if rng.random() < 0.2 else None
    spec = make_spec(rng, processes, properties, **{**settings, "synchrony": synchrony})
    steps = random_steps(rng, processes, 60, lost=rng.choice([0, 0.05]))
    monitor, batched, watched = Monitor(spec), Monitor(spec), Monitor(spec, on_slide=lambda slide: None)
    expected = take(monitor, steps)
    assert in_batches(batched, steps, rng) == take(watched, steps) == expected
    restarted, told = Monitor(spec), []
    for step in steps:
        told += take(restarted, [step])
        restarted = Monitor.restore(spec, restarted.snapshot())
    assert told == expected
    assert monitor.snapshot() == batched.snapshot() == watched.snapshot() == restarted.snapshot()


SIZES: list[Any] = [
    1,
    3,
    "unlimited",
    "3s",
    "9s",
    "30s",
    {"time": "9s", "states": 2},
    {"p0": "5s", "p1": 2, "p2": "1m"},
]


@settings(max_examples=examples(32))
@given(st.integers(0, 2**32), st.integers(0, 40), st.sampled_from(SIZES), st.sampled_from(SIZES))
def test_windows_that_change_are_those_of_the_new_rules_once_they_are_full(
    seed: int, at: int, before: Any, after: Any
) -> None:
    ordered = sorted(random_events(random.Random(seed), 3, 60, lost=0), key=lambda event: float(event["time"]))
    events: list[Step] = list(ordered)
    both = "possibly(p0.n == 1 and p1.n == 1)"
    old, new = (Spec.from_dict({"processes": ["p0", "p1", "p2"], "window": size}) for size in (before, after))
    new = Spec.from_dict({**new.to_dict(), "properties": {"both": both, "mixed": "definitely(p0.n == p2.n)"}})
    changed, other = Monitor(old), Monitor(new)
    take(changed, events[:at])
    take(other, events[:at])
    changed.change(new)
    for event in events[at:]:
        changed = Monitor.restore(new, changed.snapshot())
        for mine, full in zip(take(changed, [event], every=True), take(other, [event], every=True), strict=True):
            assert mine.growing or (mine.value, mine.least, mine.greatest) == (full.value, full.least, full.greatest)


@settings(max_examples=examples(32))
@given(st.integers(0, 2**32), st.lists(st.tuples(st.integers(0, 60), st.sampled_from(SIZES)), max_size=3))
def test_changes_mean_the_same_over_snapshots_and_in_batches(seed: int, changes: list[tuple[int, Any]]) -> None:
    rng = random.Random(seed)
    steps = random_steps(rng, 3, 60, lost=0)
    fields = {"processes": ["p0", "p1", "p2"], "properties": {"both": "possibly(p0.n == 1 and p1.n == 1)"}}
    changes = sorted(changes, key=lambda change: change[0])
    specs = [Spec.from_dict({**fields, "window": size}) for size in [4, *(size for _, size in changes)]]
    places = [0, *(at for at, _ in changes), len(steps)]
    single, batched, resumed = (Monitor(specs[0]) for _ in range(3))
    told: list[list[Verdict]] = [[], [], []]
    for k, spec in enumerate(specs):
        if k:
            told[0] += single.change(spec)
            told[1] += batched.change(spec)
            rules = resumed.rules
            resumed = Monitor.restore(spec, resumed.snapshot(), allow_other_rules=True)
            told[2] += resumed.renew(rules + 1)
        for step in steps[places[k] : places[k + 1]]:
            told[0] += take(single, [step])
            told[2] += take(resumed, [step])
            resumed = Monitor.restore(spec, resumed.snapshot())
        told[1] += in_batches(batched, steps[places[k] : places[k + 1]], rng)
    assert told[0] == told[1] == told[2]
    assert single.snapshot() == batched.snapshot() == resumed.snapshot()


# -- by example -----------------------------------------------------------------------------------


def test_a_window_holds_the_state_that_lasted_into_it() -> None:
    """At 20, a window of 10 s holds the states of a begun at 8 and later: the one begun at 8 lasted until 12."""
    monitor = Monitor(Spec.from_dict(KEPT))
    for index, time in enumerate([5, 8, 12, 15, 20], 1):
        monitor.observe(report("a", [index, 0], time))
    assert held(monitor) == [[2, 3, 4, 5], [0]]


def test_a_silent_process_holds_nothing_open_and_loses_its_old_states() -> None:
    monitor = Monitor(Spec.from_dict(KEPT))
    for index, time in enumerate([0, 1, 2], 1):
        monitor.observe(report("a", [index, 0], time))
    assert held(monitor) == [[0, 1, 2, 3], [0]]
    monitor.observe(report("b", [0, 1], 11.5))
    assert held(monitor) == [[2, 3], [0, 1]]
    monitor.observe(report("b", [0, 2], 1000))
    assert held(monitor) == [[3], [1, 2]]
    assert monitor.counters.slides == monitor.counters.delivered == 5


def test_lateness_keeps_states_longer() -> None:
    monitor = Monitor(Spec.from_dict({**KEPT, "lateness": "5s"}))
    for index, time in enumerate([0, 10, 14.9, 15, 20], 1):
        monitor.observe(report("a", [index, 0], time))
        assert held(monitor)[0] == [[0, 1], [0, 1, 2], [0, 1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]][index - 1]


def test_a_time_that_goes_back_counts_as_the_latest() -> None:
    """The second state of a says 1, but began after the first, at 9: at 19 both are as old as the window."""
    monitor = Monitor(Spec.from_dict(KEPT))
    monitor.observe(report("a", [1, 0], 9))
    monitor.observe(report("a", [2, 0], 1))
    monitor.observe(report("b", [0, 1], 18))
    assert held(monitor)[0] == [0, 1, 2]
    monitor.observe(report("b", [0, 2], 19))
    assert held(monitor)[0] == [2]


def test_a_jump_is_rejected_with_its_reason_and_the_monitor_goes_on() -> None:
    monitor = Monitor(Spec.from_dict({**KEPT, "max_jump": "1h"}))
    monitor.observe(report("a", [1, 0], 1_000_000))
    out = monitor.observe(report("b", [0, 1], 1_003_600.5))
    (notice,) = out.notices
    assert (notice.kind, notice.process, notice.index) == ("rejected", "b", 1)
    assert notice.reason == (
        "process 'b', state 1: its time is 1.00014h ahead of the latest time of the group, which is more than "
        "max_jump=1h; it is believed if the next event of another process tells such a time, too; the state is lost"
    )
    assert notice.event == report("b", [0, 1], 1_003_600.5)
    assert held(monitor) == [[0, 1], [0]]
    (notice,) = monitor.observe(report("b", [0, 1], 1_003_600)).notices
    assert notice.kind == "late"
    assert not monitor.observe(report("b", [0, 2], 1_003_600)).notices  # it is not waited for
    assert (monitor.counters.delivered, monitor.counters.rejected, monitor.counters.late) == (2, 1, 1)


def test_a_group_goes_on_after_a_rest_longer_than_the_largest_jump() -> None:
    """The first who reports again is doubted, until somebody else tells such a time."""
    day = 86400.0
    for at_once in (False, True):
        monitor = Monitor(Spec.from_dict({**KEPT, "delivery": "causal"}))
        events = [report("a", [1, 0], 0.0), report("b", [0, 1], 1.0)]
        events += [
            report("a", [2, 0], 30 * day),
            report("a", [3, 0], 30 * day + 5),
            report("b", [2, 2], 30 * day + 6),
        ]
        events += [report("a", [4, 0], 30 * day + 7)]
        if at_once:
            notices = monitor.observe_many(events).notices
        else:
            notices = [notice for event in events for notice in monitor.observe(event).notices]
        assert [(notice.kind, notice.process, notice.index) for notice in notices] == [
            ("rejected", "a", 2),
            ("rejected", "a", 3),
        ]
        assert monitor.counters.delivered == 4
        assert held(monitor) == [[1, 2], [1, 2]]


def test_one_wrong_clock_is_never_believed() -> None:
    """However often it tells its time, next to others or alone: milliseconds for seconds, say."""
    monitor = Monitor(Spec.from_dict(KEPT))
    out = monitor.observe_many(
        [
            report("a", [1, 0], 1000),
            report("b", [0, 1], 1000),
            *(report("b", [0, index], 1000_000 * 1000 + index) for index in range(2, 50)),
            report("a", [2, 0], 1001),
            report("b", [0, 50], 1000_000 * 1000 + 50),
        ]
    )
    assert len(out.notices) == monitor.counters.rejected == 49
    assert held(monitor) == [[0, 1, 2], [0, 1]]


def test_what_was_doubted_is_forgotten_when_somebody_tells_another_time() -> None:
    monitor = Monitor(Spec.from_dict({**KEPT, "max_jump": "60s"}))
    monitor.observe_many([report("a", [1, 0], 0), report("b", [0, 1], 0)])
    for event in (
        report("a", [2, 0], 1000),
        report("b", [0, 2], 5),  # it was not so
        report("b", [0, 3], 1001),
        report("a", [3, 0], 2000),  # neither tells what the other does
        {"time": 3000},
    ):
        assert bool(monitor.observe(event).notices) is (event["time"] != 5)
    assert not monitor.observe(report("b", [0, 4], 2950)).notices  # a heartbeat is another one, too
    assert monitor.counters.delivered == 4


def test_who_is_alone_needs_nobody_else() -> None:
    """The windows of others are not at stake, and nobody else could tell."""
    monitor = Monitor(Spec.from_dict(KEPT))
    monitor.observe(report("a", [1, 0], 0))
    year = 365 * 86400
    assert monitor.observe(report("a", [2, 0], year)).notices
    assert not monitor.observe(report("a", [3, 0], year + 1)).notices


def believed(events: list[dict[str, Any]], most_s: float) -> list[bool]:
    """Which times are believed, by the definition: of all that was believed before, and of the last that was not."""
    outcome: list[bool] = []
    for at, event in enumerate(events):
        before = [earlier for earlier, is_told in zip(events, outcome, strict=False) if is_told]
        now = max((earlier["time"] for earlier in before), default=math.inf)
        is_believed = event["time"] <= now + most_s
        if not is_believed and not outcome[-1]:
            last = events[at - 1]
            is_alone = all(earlier["process"] == event["process"] for earlier in before)
            is_confirmed = last["process"] != event["process"] or is_alone
            is_believed = is_confirmed and abs(last["time"] - event["time"]) <= most_s
        outcome.append(is_believed)
    return outcome


@settings(max_examples=examples(100))
@given(st.integers(0, 2**32), st.booleans())
def test_which_times_are_believed(seed: int, at_once: bool) -> None:
    rng = random.Random(seed)
    count = [0, 0, 0]
    events, now = [], 0.0
    wrong, rests = rng.choice([0.0, 0.3]), rng.choice([0.0, 0.2])
    for _ in range(30):
        process = rng.randrange(rng.choice([1, 3]))
        count[process] += 1
        now += rng.random() * 5 + (rng.choice([9, 11, 100]) if rng.random() < rests else 0)
        clock = {f"p{k}": count[k] if k == process else 0 for k in range(3)}
        time = now + (rng.choice([50.0, 55.0, 1000.0]) if rng.random() < wrong else 0)
        events.append({"process": f"p{process}", "clock": clock, "state": {"n": 1}, "time": time})
    properties = {"both": "possibly(p0.n == 1 and p1.n == 1)"}
    spec = {"processes": ["p0", "p1", "p2"], "window": "20s", "max_jump": "10s", "properties": properties}
    monitor = Monitor(Spec.from_dict(spec))
    if at_once:
        rejected = monitor.observe_many(events).notice_positions
    else:
        rejected = []
        for at, event in enumerate(events):
            rejected += [at] * len(monitor.observe(event).notices)
            monitor = Monitor.restore(monitor.spec, monitor.snapshot())
    assert rejected == [at for at, is_believed in enumerate(believed(events, 10.0)) if not is_believed]


@pytest.mark.parametrize(("jump", "is_rejected"), [(None, True), ("unlimited", False), ("30d", False), ("0", True)])
def test_how_far_a_jump_may_go(jump: str | None, is_rejected: bool) -> None:
    eight_days = 8 * 86400
    monitor = Monitor(Spec.from_dict({**KEPT, "max_jump": jump}))
    out = monitor.observe_many([report("a", [1, 0], 0), report("b", [0, 1], eight_days)])
    assert bool(out.notices) is is_rejected


def test_a_state_that_waited_is_judged_when_it_is_delivered() -> None:
    """A waiting state may be far ahead of what is known; when its turn comes, those before it have told the time."""
    monitor = Monitor(Spec.from_dict({**KEPT, "max_jump": "10s"}))
    events = [report("a", [index, 0], 8 * index) for index in range(1, 6)]
    out = monitor.observe_many([*events[1:], events[0]])
    assert not out.notices
    assert monitor.counters.delivered == 5


def test_an_event_without_a_time_is_rejected() -> None:
    for wrong in (None, "soon", math.nan, True, 10**400):
        monitor = Monitor(Spec.from_dict(KEPT))
        right = [report("a", [index, 0], index) for index in range(1, 40)]
        out = monitor.observe_many([*right, report("b", [0, 1], wrong)])
        (notice,) = out.notices
        assert notice.kind == "rejected"
        assert "a window of time or `leave_after` an event needs its `time`" in notice.reason
        assert monitor.counters.delivered == len(right)


def test_times_as_text_and_as_numbers_make_the_same_windows() -> None:
    moments = [f"2026-01-01T00:00:{second:02}Z" for second in range(40)]
    by_text, by_number = Monitor(Spec.from_dict(KEPT)), Monitor(Spec.from_dict(KEPT))
    by_text.observe_many([report("a", [k + 1, 0], text) for k, text in enumerate(moments)])
    by_number.observe_many([report("a", [k + 1, 0], 1767225600 + k) for k in range(40)])
    assert held(by_text) == held(by_number) == [list(range(30, 41)), [0]]
    assert by_text.snapshot() == by_number.snapshot()


# -- time that goes on without events -------------------------------------------------------------


def test_a_tick_is_a_slide_of_its_own_kind() -> None:
    slides: list[Slide] = []
    monitor = Monitor(Spec.from_dict(KEPT), on_slide=slides.append)
    (told,) = monitor.observe_many([report("a", [1, 0], 0), report("b", [0, 1], 1), report("a", [2, 0], 2, n=0)])
    assert (told.slide, told.value) == (2, True)
    assert not monitor.advance(11)  # a keeps its state 1, which lasted until 2; only initial states leave
    (told,) = monitor.advance("12")
    assert (told.value, told.changed, told.slide) == (False, True, 5)
    assert (told.process, told.index, told.time) == (None, None, "12")
    assert (told.least, told.greatest) == ((2, 1), (2, 1))
    assert held(monitor) == [[2], [1]]
    assert (slides[-1].number, slides[-1].process, slides[-1].clock, slides[-1].state) == (5, None, None, None)
    assert (monitor.slide, monitor.counters.delivered, monitor.counters.ticks) == (5, 3, 2)
    (again,) = monitor.observe(report("a", [3, 0], 12))
    assert (again.slide, again.value) == (6, True)


def test_time_that_went_on_is_remembered_also_if_nothing_was_too_old() -> None:
    spec = Spec.from_dict({**KEPT, "max_jump": "60s"})
    monitor = Monitor(spec)
    monitor.observe(report("a", [1, 0], 0))
    assert not monitor.advance(9)
    assert not monitor.advance(3)  # it never goes back
    monitor = Monitor.restore(spec, monitor.snapshot())
    assert not monitor.observe(report("b", [0, 1], 69)).notices
    assert monitor.counters.ticks == 0


def test_every_verdict_of_a_tick() -> None:
    monitor = Monitor(Spec.from_dict({**KEPT, "properties": {}}))
    monitor.observe_many([report("a", [1, 0], 0), report("a", [2, 0], 1)])
    assert not monitor.advance(100, every=True)
    assert monitor.counters.ticks == 1
    assert not monitor.advance(200, every=True)
    assert monitor.counters.ticks == 1


@pytest.mark.parametrize("wrong", [None, "soon", math.inf, math.nan, True, [1]])
def test_what_is_no_time(wrong: Any) -> None:
    monitor = Monitor(Spec.from_dict(KEPT))
    before = monitor.snapshot()
    with pytest.raises(InvalidInput, match="time must be in seconds, or a date and time of ISO 8601; got"):
        monitor.advance(wrong)
    assert monitor.snapshot() == before


def test_without_windows_of_time_it_has_no_effect() -> None:
    monitor = Monitor(Spec.from_dict({**KEPT, "window": 2}))
    monitor.observe_many([report("a", [index, 0], index) for index in range(1, 4)])
    before = monitor.snapshot()
    assert not monitor.advance(10**9, every=True)
    assert monitor.snapshot() == before


def test_a_state_that_waits_from_before_times_were_needed_is_rejected() -> None:
    untimed = Spec.from_dict({**KEPT, "window": 4})
    monitor = Monitor(untimed)
    monitor.observe({"process": "a", "clock": [2, 0], "state": {"n": 1}})
    monitor.change(Spec.from_dict(KEPT))
    monitor = Monitor.restore(Spec.from_dict(KEPT), monitor.snapshot())
    out = monitor.observe(report("a", [1, 0], 5))
    assert ["needs its `time`" in notice.reason for notice in out.notices] == [True]
    assert monitor.counters.delivered == 1


def test_windows_of_time_begin_anew_after_windows_by_number() -> None:
    """Nobody noted when the states began; with `synchrony`, their times are there."""
    events = [report("a", [index, 0], index) for index in range(1, 6)]
    for synchrony, expected in ((None, [[5, 6], [0]]), ("1s", [[2, 3, 4, 5, 6], [0]])):
        monitor = Monitor(Spec.from_dict({**KEPT, "window": 4, "synchrony": synchrony}))
        monitor.observe_many(events)
        monitor.change(Spec.from_dict({**KEPT, "synchrony": synchrony}))
        (verdict,) = monitor.observe(report("a", [6, 0], 6), every=True)
        assert verdict.growing
        assert held(monitor) == expected


# -- the parts ------------------------------------------------------------------------------------


def test_rings_grow_with_what_a_window_of_time_holds() -> None:
    """Many states in a short time, one by one and in a run, then as few as before."""
    spec = Spec.from_dict(KEPT)
    burst = [report("a", [index, 0], 100 + index / 1000) for index in range(1, 501)]
    calm = [report("a", [500 + index, 0], 200 + index) for index in range(1, 101)]
    one_by_one, at_once = Monitor(spec), Monitor(spec)
    for event in burst:
        one_by_one.observe(event)
    at_once.observe_many(burst)
    assert held(one_by_one) == held(at_once) == [list(range(501)), [0]]
    for event in calm:
        one_by_one.observe(event)
    at_once.observe_many(calm)
    assert held(one_by_one) == held(at_once) == [list(range(590, 601)), [0]]
    assert one_by_one.snapshot() == at_once.snapshot()
    assert Monitor.restore(spec, at_once.snapshot()).snapshot() == at_once.snapshot()


def test_a_bound_on_the_states_bounds_the_ring() -> None:
    monitor = Monitor(Spec.from_dict({**KEPT, "window": {"time": "10s", "states": 5}}))
    capacity = monitor.window.capacity
    monitor.observe_many([report("a", [index, 0], 100 + index / 1000) for index in range(1, 501)])
    assert monitor.window.capacity == capacity
    assert held(monitor)[0] == list(range(496, 501))


def test_a_window_alone() -> None:
    window = Window(2, None, lengths_s=[10.0, None])
    for index, begin_s in enumerate([0.0, 5.0, 20.0], 1):
        window.push(0, [index, 0], begin_s)
        window.push(1, [0, index], begin_s)
    assert not window.forget_before(9.0)
    assert window.forget_before(15.0)
    assert (list(window.states_of(0)), list(window.states_of(1))) == ([2, 3], [0, 1, 2, 3])
    assert window.begins_of(0) == [5.0, 20.0]
    assert window.least == (2, 0)
    assert window.forget_before(1e9)
    assert list(window.states_of(0)) == [3]


@settings(max_examples=examples(32))
@given(st.data())
def test_states_that_leave_at_any_time(data: st.DataObject) -> None:
    """Lat-Win, the paper's algorithms and brute force, where windows forget more than their size demands."""
    computation = data.draw(computations(max_processes=3))
    n, sizes = computation.processes, data.draw(windows(computation.processes))
    fast, paper, slow = LatWin(n, sizes), PaperLatWin(n, sizes), BruteForce(n, sizes)
    for state in computation.states:
        for lattice in (fast, paper, slow):
            lattice.push(state.process, state.clock, state.value)
        process = data.draw(st.integers(0, n - 1))
        index = data.draw(st.sampled_from([one.index for one in slow.windows[process]]))
        for lattice in (fast, paper):
            lattice.forget(process, index)
        slow.windows[process] = [one for one in slow.windows[process] if one.index >= index]
        slow.update()
        assert list(fast) == list(paper) == list(slow)
        assert fast.edges() == paper.edges() == slow.edges()
        assert (fast.least, fast.greatest) == (paper.least, paper.greatest) == (slow.least, slow.greatest)
        assert fast.definitely_all(bool) == paper.definitely(all) == slow.definitely(all)
        assert fast.possibly_all(bool) == paper.possibly(all) == slow.possibly(all)
        assert [value for _, _, value in fast.states(process)] == [one.value for one in slow.windows[process]]
    for lattice in (fast, paper):
        with pytest.raises(InvalidInput, match="state 99 of process 0 is not in its window"):
            lattice.forget(0, 99)


def test_silence_is_counted_from_the_latest_event() -> None:
    time = GroupTime(3)
    assert time.silence_of(0) == math.inf
    time.see(0, 10.0)
    time.see(1, 4.0)
    time.advance(25.0)
    assert [time.silence_of(k) for k in range(3)] == [15.0, 21.0, math.inf]
    again = GroupTime(3)
    again.load(time.state())
    assert (again.now_s, again.latest.tolist()) == (25.0, [10.0, 4.0, -math.inf])
