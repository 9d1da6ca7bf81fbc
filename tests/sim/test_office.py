"""The simulator: what it promises about seeds, clocks, delays, losses and physical truth.

The oracles here are deliberately naive: windows are lists, cuts are a full product, overlaps are every
choice of one interval for each process.
"""

from __future__ import annotations

import doctest
import importlib
import itertools
import json
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import latwin.sim
from latwin.sim import (
    Exponential,
    Fixed,
    Lognormal,
    Network,
    Office,
    Pareto,
    ReportedState,
    Simulation,
    random_computation,
    simulate_office,
)

Clock = tuple[int, ...]
PHASES: tuple[Literal["common", "own"], ...] = ("common", "own")


def clocks_by_state(states: Sequence[tuple[int, Clock]]) -> dict[tuple[int, int], Clock]:
    return {(process, clock[process]): clock for process, clock in states}


def reported(run: Simulation) -> list[tuple[int, Clock]]:
    return [(event.process, event.clock) for event in run.events]


def assert_canonical(processes: int, states: Sequence[tuple[int, Clock]]) -> None:
    """Indices are 1, 2, 3, ...; what a process knows only grows; whoever knows a state knows what it knew."""
    clock_of = clocks_by_state(states)
    assert len(clock_of) == len(states)
    for process in range(processes):
        indices = sorted(index for owner, index in clock_of if owner == process)
        assert indices == list(range(1, len(indices) + 1))
        previous: Clock = (0,) * processes
        for index in indices:
            clock = clock_of[process, index]
            assert all(before <= now for before, now in zip(previous, clock, strict=True))
            previous = clock
    for (process, _), clock in clock_of.items():
        for other, entry in enumerate(clock):
            if other != process and entry:
                known = clock_of[other, entry]
                assert all(theirs <= ours for theirs, ours in zip(known, clock, strict=True))
                assert known[process] < clock[process], "no state knows a state that knows it"


def changes(run: Simulation, process: int) -> list[float]:
    """The moments at which a process turned true or false."""
    return [now.start_s for before, now in itertools.pairwise(run.truth[process]) if before.on != now.on]


class TestOffice:
    @given(st.integers(0, 2**40))
    def test_the_same_seed_gives_the_same_run(self, seed: int) -> None:
        run = simulate_office(2, hours=2, seed=seed)
        assert run == simulate_office(2, hours=2, seed=seed)
        assert run != simulate_office(2, hours=2, seed=seed + 1)

    @pytest.mark.parametrize("broadcast", ["rising", "both"])
    @pytest.mark.parametrize("delay_s", [0.0, 0.5, 600.0])
    @pytest.mark.parametrize("processes", [1, 2, 3, 5])
    def test_clocks_are_canonical(self, processes: int, delay_s: float, broadcast: Any) -> None:
        run = simulate_office(processes, hours=20, seed=11, delay_s=delay_s, office=Office(broadcast=broadcast))
        assert_canonical(processes, reported(run))

    def test_nothing_is_known_before_it_happened(self) -> None:
        run = simulate_office(4, hours=20, seed=5, delay_s=120.0)
        for event in run.events:
            assert event.time < event.arrival
            for process, entry in enumerate(event.clock):
                assert run.truth[process][entry].start_s <= event.time

    @pytest.mark.parametrize("broadcast", ["rising", "both"])
    def test_every_broadcast_is_received_once_by_every_other_process(self, broadcast: Any) -> None:
        run = simulate_office(
            3,
            hours=30,
            seed=2,
            office=Office(phases="common", broadcast=broadcast),
            network=Network(message_delay=Fixed(7.0), report_delay=Fixed(0.0)),
        )
        sent: dict[int, list[float]] = defaultdict(list)
        received: dict[int, list[float]] = defaultdict(list)
        for process, states in enumerate(run.truth):
            for before, now in itertools.pairwise(states):
                if before.on == now.on:
                    received[process].append(now.start_s)
                elif now.on or broadcast == "both":
                    sent[process].append(now.start_s)
        for process in range(3):
            others = [moment for other in range(3) if other != process for moment in sent[other]]
            due = sorted(moment + 7.0 for moment in others if moment + 7.0 < run.lifetime_s)
            assert received[process] == due
            assert len(due) > 50

    def test_a_message_carries_the_clock_of_the_state_it_was_sent_on(self) -> None:
        run = simulate_office(2, hours=30, seed=4, network=Network(Fixed(1.0)))
        clock_of = clocks_by_state(reported(run))
        checked = 0
        for (process, index), clock in clock_of.items():
            before = run.truth[process][index - 1]
            now = run.truth[process][index]
            if before.on == now.on:  # a receipt
                other = 1 - process
                source = run.truth[other][clock[other]]
                assert source.on
                assert not run.truth[other][clock[other] - 1].on
                assert source.start_s + 1.0 == now.start_s
                checked += 1
        assert checked > 50

    def test_truth_tiles_the_lifetime_and_starts_false(self) -> None:
        run = simulate_office(4, hours=50, seed=8)
        assert run.lifetime_s == 50 * 3600.0
        for states in run.truth:
            assert (states[0].start_s, states[0].on) == (0.0, False)
            assert states[-1].end_s == run.lifetime_s
            assert [state.state_index for state in states] == list(range(len(states)))
            for before, now in itertools.pairwise(states):
                assert before.end_s == now.start_s
                assert before.start_s < before.end_s
        for event in run.events:
            state = run.truth[event.process][event.clock[event.process]]
            assert (event.time, event.state) == (state.start_s, {"on": state.on})

    def test_sensors_tick_together_unless_each_has_its_phase(self) -> None:
        together, apart = (simulate_office(3, hours=50, seed=8, office=Office(phases=phases)) for phases in PHASES)
        for process in range(3):
            assert all(moment % 60.0 == 0.0 for moment in changes(together, process))
            moved = [moment - changes(apart, process)[0] for moment in changes(apart, process)]
            assert moved == pytest.approx([m - changes(together, process)[0] for m in changes(together, process)])

    def test_changes_fall_on_the_tick_of_each_process(self) -> None:
        run = simulate_office(3, hours=50, seed=8)
        phases = []
        for process in range(3):
            moments = changes(run, process)
            phase = moments[0] % 60.0
            phases.append(phase)
            assert moments[0] >= 60.0
            for before, now in itertools.pairwise(moments):
                assert (now - before) / 60.0 == pytest.approx(round((now - before) / 60.0), abs=1e-6)
                assert now - before > 59.0
        assert len(set(phases)) == 3

    def test_durations_and_rates_are_the_scenarios(self) -> None:
        processes, hours = 5, 1000.0
        run = simulate_office(processes, hours=hours, seed=6)
        durations: dict[bool, list[float]] = {False: [], True: []}
        for process in range(processes):
            on = True
            for before, now in itertools.pairwise(changes(run, process)):
                durations[on].append((now - before) / 60.0)
                on = not on
        expected = {}
        for on, mean in ((False, 5.0), (True, 25.0)):
            # E max(1, floor(X)) for exponential X: the floor is geometric, plus one tick for each floor of 0.
            expected[on] = 1 / math.expm1(1 / mean) - math.expm1(-1 / mean)
            assert fmean(durations[on]) == pytest.approx(expected[on], rel=0.05)
        # A cycle has two changes of its own and one receipt from each other process.
        states_per_hour = (2 + processes - 1) * 60.0 / (expected[False] + expected[True])
        assert len(run.events) / processes / hours == pytest.approx(states_per_hour, rel=0.05)

    def test_reports_arrive_in_order_of_arrival_not_of_index(self) -> None:
        run = simulate_office(3, hours=100, seed=1, network=Network(report_delay=Exponential(600.0)))
        arrivals = [event.arrival for event in run.events]
        assert arrivals == sorted(arrivals)
        indices = [event.clock[0] for event in run.events if event.process == 0]
        assert indices != sorted(indices)
        assert sorted(indices) == list(range(1, len(indices) + 1))

    def test_with_no_delay_at_all_arrival_is_a_causal_order(self) -> None:
        run = simulate_office(3, hours=20, seed=1, delay_s=0.0)
        known = [0, 0, 0]
        for event in run.events:
            known[event.process] += 1
            assert event.clock[event.process] == known[event.process]
            assert all(entry <= have for entry, have in zip(event.clock, known, strict=True))

    def test_channels_may_differ(self) -> None:
        run = simulate_office(
            3,
            hours=20,
            seed=3,
            office=Office(phases="common"),
            network=Network({(0, 1): Fixed(20.0)}, {2: Fixed(9.0)}),
        )
        for event in run.events:
            if event.process == 2:
                assert event.arrival == event.time + 9.0
        rises = [now.start_s for before, now in itertools.pairwise(run.truth[0]) if now.on and not before.on]
        receipts = {now.start_s for before, now in itertools.pairwise(run.truth[1]) if before.on == now.on}
        assert {moment + 20.0 for moment in rises} <= receipts
        assert not {moment + 20.0 for moment in rises} & {state.start_s for state in run.truth[2]}


class TestOptionsOfTheAuthorsGenerator:
    def test_sensors_of_one_activity_see_the_same_changes_each_at_its_phase(self) -> None:
        run = simulate_office(4, hours=50, seed=8, office=Office(sensors_per_activity=2))
        alone = simulate_office(4, hours=50, seed=8)
        seen = [[moment - changes(run, k)[0] for moment in changes(run, k)] for k in range(4)]
        assert seen[0] == pytest.approx(seen[1])
        assert seen[2] == pytest.approx(seen[3])
        assert seen[0][:5] != pytest.approx(seen[2][:5])
        assert len({changes(run, k)[0] % 60.0 for k in range(4)}) == 4, "phases are their own"
        assert changes(run, 0) == changes(alone, 0)

    def test_a_binary_logarithm_stretches_what_is_exponential(self) -> None:
        fine = Office(tick_s=0.01, phases="common")
        natural = simulate_office(2, hours=100, seed=5, office=fine)
        binary = simulate_office(2, hours=200, seed=5, office=replace(fine, logarithm="binary"))
        for process in range(2):
            both = zip(changes(natural, process), changes(binary, process), strict=False)
            assert all(long == pytest.approx(short / math.log(2.0), abs=5.0) for short, long in both)
        latencies = [fmean(e.arrival - e.time for e in run.events) for run in (natural, binary)]
        assert latencies == pytest.approx([0.5, 0.5 / math.log(2.0)], rel=0.1)

    def test_a_faster_office_is_the_same_office_in_less_time(self) -> None:
        slow = simulate_office(3, hours=40, seed=2, delay_s=20.0)
        fast = simulate_office(3, hours=1, seed=2, office=Office().faster(40))
        assert [event.clock for event in slow.events] == [event.clock for event in fast.events]
        assert [e.arrival for e in slow.events] == pytest.approx([40 * e.arrival for e in fast.events])


class TestRandomStreams:
    """Changing one thing leaves the others where they were."""

    def test_delays_do_not_move_the_sensors(self) -> None:
        near = simulate_office(3, hours=50, seed=9)
        far = simulate_office(3, hours=50, seed=9, network=Network(Pareto(90.0), Lognormal(5.0)))
        for process in range(3):
            assert changes(near, process) == changes(far, process)

    def test_a_further_process_does_not_move_the_sensors(self) -> None:
        small, large = simulate_office(3, hours=50, seed=9), simulate_office(5, hours=50, seed=9)
        for process in range(3):
            assert changes(small, process) == changes(large, process)

    def test_report_delays_do_not_move_the_truth(self) -> None:
        near, far = (
            simulate_office(3, hours=50, seed=9, network=Network(report_delay=Fixed(s))) for s in (0.1, 99.0)
        )
        assert near.truth == far.truth

    def test_the_past_does_not_know_how_long_the_run_will_be(self) -> None:
        short, long = simulate_office(3, hours=10, seed=9), simulate_office(3, hours=20, seed=9)
        seen = [event for event in short.events if event.arrival < short.lifetime_s]
        assert seen == [event for event in long.events if event.arrival < short.lifetime_s]
        assert len(seen) > 100

    def test_processes_and_channels_do_not_share_a_stream(self) -> None:
        run = simulate_office(4, hours=20, seed=9)
        starts = [state.start_s for states in run.truth for state in states[1:]]
        assert len(set(starts)) == len(starts), "no two states of any processes begin together"
        latencies = [event.arrival - event.time for event in run.events]
        for event in run.events:
            before, now = run.truth[event.process][event.clock[event.process] - 1 :][:2]
            if before.on == now.on:  # a receipt, most likely of the newest of the states it knows
                known = [run.truth[other][i].start_s for other, i in enumerate(event.clock) if other != event.process]
                latencies.append(event.time - max(known))
        assert len(latencies) > len(run.events)
        assert len({round(latency, 6) for latency in latencies}) > 0.99 * len(latencies)


class TestTrouble:
    def test_losses_take_reports_away_and_move_nothing_else(self) -> None:
        clean = simulate_office(3, hours=200, seed=4)
        lossy = simulate_office(3, hours=200, seed=4, network=Network(loss=0.2))
        assert lossy.truth == clean.truth
        kept = {event[:3] for event in lossy.events}
        assert lossy.events == tuple(event for event in clean.events if event[:3] in kept)
        assert lossy.lost == len(clean.events) - len(lossy.events)
        assert lossy.lost / len(clean.events) == pytest.approx(0.2, abs=0.03)
        assert (clean.lost, clean.duplicated, lossy.duplicated) == (0, 0, 0)

    def test_duplicates_are_second_arrivals_of_the_same_state(self) -> None:
        clean = simulate_office(3, hours=200, seed=4)
        doubled = simulate_office(3, hours=200, seed=4, network=Network(duplication=0.3))
        arrivals: dict[tuple[int, str, Clock], list[ReportedState]] = defaultdict(list)
        for event in doubled.events:
            arrivals[event[:3]].append(event)
        counts = Counter(map(len, arrivals.values()))
        assert set(counts) == {1, 2}
        assert counts[2] == doubled.duplicated
        assert doubled.duplicated / len(clean.events) == pytest.approx(0.3, abs=0.03)
        for event in clean.events:
            copies = arrivals[event[:3]]
            assert event in copies
            assert all(copy.time == event.time and copy.state == event.state for copy in copies)
            assert len({copy.arrival for copy in copies}) == len(copies)

    def test_all_lost_or_all_doubled(self) -> None:
        clean = simulate_office(2, hours=10, seed=4)
        gone = simulate_office(2, hours=10, seed=4, network=Network(loss=1.0, duplication=1.0))
        assert (gone.events, gone.lost, gone.duplicated) == ((), len(clean.events), 0)
        twice = simulate_office(2, hours=10, seed=4, network=Network(duplication=1.0))
        assert len(twice.events) == 2 * len(clean.events) == 2 * twice.duplicated


class TestWhatTheCheckerSees:
    def test_events_hold_the_documented_fields_and_plain_values_only(self) -> None:
        run = simulate_office(3, hours=20, seed=1)
        assert ReportedState._fields == ("process", "name", "clock", "state", "time", "arrival")
        for event in run.events:
            assert list(map(type, event)) == [int, str, tuple, dict, float, float]
            assert set(map(type, event.clock)) == {int}
            assert list(event.state) == ["on"]
            assert type(event.state["on"]) is bool
            assert event.name == run.names[event.process]

    def test_no_event_tells_when_its_state_ended(self) -> None:
        run = simulate_office(3, hours=20, seed=1, network=Network(report_delay=Exponential(300.0)))
        for event in run.events:
            end_s = run.truth[event.process][event.clock[event.process]].end_s
            assert end_s not in (event.time, event.arrival)

    def test_as_dicts_is_json_and_fresh(self) -> None:
        run = simulate_office(4, hours=5, seed=1)
        rows = run.as_dicts()
        assert json.loads(json.dumps(rows)) == rows
        for event, row in zip(run.events, rows, strict=True):
            assert [row["clock"].get(name, 0) for name in run.names] == list(event.clock)
            assert 0 not in row["clock"].values()
            assert (row["process"], row["time"], row["arrival"]) == (event.name, event.time, event.arrival)
        assert [row["clock"] for row in run.as_dicts(clock="list")] == [list(event.clock) for event in run.events]
        rows[0]["state"]["on"] = None
        assert run.events[0].state["on"] is not None

    def test_names(self) -> None:
        assert simulate_office(2, hours=1).names == ("phone", "rfid")
        assert simulate_office(5, hours=1).names == ("phone", "rfid", "projector", "sensor4", "sensor5")
        assert simulate_office(2, hours=1, names=["a", "b"]).names == ("a", "b")


def mean_lattice_size(run: Simulation, window: int) -> float:
    """The mean number of consistent cuts in the window after every delivered state, counted one by one."""
    processes = len(run.names)
    windows: list[list[Clock]] = [[(0,) * processes] for _ in range(processes)]
    waiting: dict[tuple[int, int], Clock] = {}
    sizes = []
    for event in run.events:
        waiting[event.process, event.clock[event.process]] = event.clock
        own = windows[event.process]
        while (ready := (event.process, own[-1][event.process] + 1)) in waiting:
            own.append(waiting.pop(ready))
            del own[:-window]
            sizes.append(
                sum(
                    all(clock[j] <= cut[j][j] for clock in cut for j in range(processes))
                    for cut in itertools.product(*windows)
                )
            )
    assert not waiting
    return fmean(sizes)


@pytest.mark.parametrize(("processes", "published"), [(2, 9), (3, 25)])
def test_lattices_are_as_large_as_published(processes: int, published: int) -> None:
    """Within 15 % of the paper's table (section 6.3.2: window 4, mean delay 0.5 s)."""
    sizes = [mean_lattice_size(simulate_office(processes, hours=50, seed=seed), window=4) for seed in (1, 2, 3)]
    assert fmean(sizes) == pytest.approx(published, rel=0.15), sizes


class TestRandomComputation:
    @given(st.integers(1, 5), st.integers(0, 40), st.floats(0, 1), st.integers(0, 2**32))
    def test_is_canonical_in_causal_order_and_repeatable(
        self, processes: int, events: int, message_rate: float, seed: int
    ) -> None:
        computation = random_computation(processes, events, message_rate, seed)
        assert computation == random_computation(processes, events, message_rate, seed)
        assert len(computation) == events
        assert_canonical(processes, [(process, clock) for process, clock, _ in computation])
        known = [0] * processes
        for process, clock, value in computation:
            known[process] += 1
            assert all(entry <= have for entry, have in zip(clock, known, strict=True))
            assert value in (0, 1)

    def test_more_messages_are_more_knowledge(self) -> None:
        def foreign_entries(rate: float) -> int:
            states = random_computation(10, 300, rate, seed=1)
            return sum(sum(clock) - clock[process] for process, clock, _ in states)

        assert 0 == foreign_entries(0.0) < foreign_entries(0.1) < foreign_entries(0.9)

    def test_everyone_hears_of_everyone(self) -> None:
        states = random_computation(10, 600, 0.5, seed=1)
        last = {process: clock for process, clock, _ in states}
        assert all(entry > 0 for clock in last.values() for entry in clock)

    def test_values(self) -> None:
        assert {value for _, _, value in random_computation(2, 300, 0.5, seed=1, values=5)} == set(range(5))


@pytest.mark.parametrize(
    "module", ["", ".delays", ".engine", ".office", ".random_computation", ".settings", ".truth"]
)
def test_documented_examples_run(module: str) -> None:
    result = doctest.testmod(importlib.import_module("latwin.sim" + module))
    assert result.failed == 0
    assert result.attempted > 0


def test_exported_names_exist() -> None:
    assert sorted(latwin.sim.__all__) == latwin.sim.__all__
    assert all(hasattr(latwin.sim, name) for name in latwin.sim.__all__)
