"""Clocks that people have besides vector clocks: each gives back the order that it came from."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from computations import Computation, computations
from effort import examples
from interval_trees import event, ids, join
from latwin import InvalidInput, Monitor, Spec
from latwin.cli import app
from latwin.clocks import ClockMaker, ClockTally, StampedSteps
from latwin.clocks.hlc import HybridTime, read_hlc
from latwin.clocks.stamped import StampKind
from latwin.clocks.stamps import read_dotted, read_interval_tree

Row = dict[str, Any]


def derived(kind: StampKind, rows: list[Row], **names: str) -> tuple[list[Any], list[Any]]:
    source = StampedSteps(kind, names)
    records = [record for row in rows for record in source.records(json.dumps(row).encode())]
    found = list(ClockMaker(source).make(records, ClockTally()))
    return [event for some in found for event in some.events], [p for some in found for p in some.problems]


def dotted_rows(computation: Computation) -> list[Row]:
    rows = []
    for state in computation.states:
        context = {f"n{j}": count - (j == state.process) for j, count in enumerate(state.clock)}
        stamp = {"dot": [f"n{state.process}", state.index], "context": {k: v for k, v in context.items() if v}}
        rows.append({"process": f"p{state.process}", "stamp": stamp, "index": state.index})
    return rows


def tree_rows(computation: Computation) -> list[Row]:
    """Each process keeps a stamp; what it hears of, it joins; then it has an event of its own."""
    owned = ids(len(computation.states[0].clock)) if computation.states else []
    known: dict[tuple[int, int], Any] = {}
    rows = []
    for state in sorted(computation.states, key=lambda state: sum(state.clock)):
        tree: Any = known.get((state.process, state.index - 1), 0)
        for j, count in enumerate(state.clock):
            if j != state.process and count:
                tree = join(tree, known[j, count])
        tree = known[state.process, state.index] = event(owned[state.process], tree)
        stamp: Any = [owned[state.process], tree]
        if state.index % 2:  # as the paper writes it
            stamp = json.dumps(stamp).replace("[", "(").replace("]", ")")
        rows.append({"process": f"p{state.process}", "stamp": stamp, "index": state.index})
    return rows


@settings(max_examples=examples(200))
@given(computations(max_states=14), st.sampled_from(["dotted", "itc"]), st.randoms(use_true_random=False))
def test_the_order_comes_back(computation: Computation, kind: StampKind, rng: random.Random) -> None:
    rows = dotted_rows(computation) if kind == "dotted" else tree_rows(computation)
    rng.shuffle(rows)
    events, problems = derived(kind, rows)
    assert problems == []
    expected = {
        (f"p{s.process}", s.index): {f"p{j}": count for j, count in enumerate(s.clock) if count}
        for s in computation.states
    }
    assert {(e.step.process, e.step.state["index"]): e.clock for e in events} == expected


MAX_OFFSET_NS = 500_000_000


def hybrid_run(rng: random.Random, processes: int, states: int) -> list[tuple[int, int, HybridTime, set[int]]]:
    """A run of machines whose clocks differ by up to the offset: (process, real time, clock, states before it)."""
    skew = [rng.randint(0, MAX_OFFSET_NS) for _ in range(processes)]
    last: list[tuple[HybridTime, set[int]]] = [(HybridTime(0, 0), set()) for _ in range(processes)]
    real, run = 10**18, []
    for number in range(states):
        real += rng.choice([1, 1000, 200_000_000, 900_000_000])
        k = rng.randrange(processes)
        heard = [last[k]] + ([last[rng.randrange(processes)]] if rng.random() < 0.5 else [])
        before = set().union(*(known for _, known in heard))
        newest = max(clock for clock, _ in heard)
        wall = real + skew[k]
        clock = HybridTime(wall, 0) if wall > newest.wall_ns else HybridTime(newest.wall_ns, newest.counter + 1)
        run.append((k, real, clock, before))
        last[k] = clock, before | {number}
    return run


@settings(max_examples=examples(100))
@given(st.randoms(use_true_random=False))
def test_hybrid_clocks_order_only_what_is_ordered(rng: random.Random) -> None:
    """What is later by more than the offset was later; and of two states of which one knows the other, none is."""
    run = hybrid_run(rng, 3, 15)
    for number, (_, real, clock, before) in enumerate(run):
        for other in before:
            assert run[other][2] < clock
        for _, other_real, other_clock, _ in run[:number]:
            assert other_real <= real
            assert other_clock.wall_ns - clock.wall_ns <= MAX_OFFSET_NS
    forms = [
        lambda clock: f"{clock.wall_ns}.{clock.counter:010}",
        lambda clock: f"{clock.wall_ns // 10**9}.{clock.wall_ns % 10**9:09},{clock.counter}",
    ]
    rows = [{"process": f"p{k}", "stamp": rng.choice(forms)(clock), "n": n} for n, (k, _, clock, _) in enumerate(run)]
    events, problems = derived("hlc", rng.sample(rows, len(rows)))
    assert problems == []
    for process in range(3):
        own = [e.step.state["n"] for e in events if e.step.process == f"p{process}"]
        assert own == [n for n, (k, *_) in enumerate(run) if k == process]
    document = {"processes": ["p0", "p1", "p2"], "window": 20, "synchrony": "500ms"}
    spec = Spec.from_dict({**document, "properties": {"together": "possibly(p0.n >= 0 and p1.n >= 0)"}})
    monitor = Monitor(spec)
    for each in sorted(events, key=lambda e: e.step.state["n"]):
        row = {"process": each.step.process, "clock": each.clock, "time": each.step.time, "state": each.step.state}
        monitor.observe(row)
    assert (monitor.counters.rejected, monitor.counters.delivered) == (0, len(run))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1451635200000000000.0000000001", (1451635200_000000000, 1)),
        ("1451635200000000000", (1451635200_000000000, 0)),
        (1451635200000000000, (1451635200_000000000, 0)),
        ("1451635200.000000007,12", (1451635200_000000007, 12)),
        ("1451635200.000000007,12?", (1451635200_000000007, 12)),
        ("Timestamp(1451635200, 3)", (1451635200_000000000, 3)),
        ("Timestamp({ t: 1451635200, i: 3 })", (1451635200_000000000, 3)),
        ({"$timestamp": {"t": 1451635200, "i": 3}}, (1451635200_000000000, 3)),
    ],
)
def test_hybrid_clocks_as_databases_write_them(value: Any, expected: tuple[int, int]) -> None:
    assert read_hlc(value) == expected


@pytest.mark.parametrize(
    "value", [None, "", "soon", 5, 1.5, True, "9" * 40, {"$timestamp": {"t": -1, "i": 0}}, {"$timestamp": 1}, []]
)
def test_what_is_no_hybrid_clock(value: Any) -> None:
    with pytest.raises(InvalidInput, match="a hybrid logical clock must be"):
        read_hlc(value)


@pytest.mark.parametrize(
    "value",
    [None, {}, {"dot": ["a"]}, {"dot": ["a", -1]}, {"dot": ["a", 1], "context": {"b": 1.5}}, {"dot": [1, 1]}, "x"],
)
def test_what_is_no_dotted_version_vector(value: Any) -> None:
    with pytest.raises(InvalidInput, match="a dotted version vector must be"):
        read_dotted(value)


@pytest.mark.parametrize(
    "value", [None, 1, [1], [1, [1, 2]], [2, 1], "(1, ", [1, -1], ["1", 1], "(1, (0, 1, (1, 2)))"]
)
def test_what_is_no_interval_tree_clock(value: Any) -> None:
    with pytest.raises(InvalidInput, match="an interval tree clock must be"):
        read_interval_tree(value)


def test_bad_stamps_are_told_and_the_others_used() -> None:
    rows: list[Row] = [
        {"device": "a", "vv": {"dot": ["a", 1], "context": {}}, "on": True},
        {"device": "b", "vv": {"dot": ["b", 1], "context": {"a": 1}}},
        {"device": "b", "vv": None},
        {"vv": {"dot": ["c", 1]}},
    ]
    events, problems = derived("dotted", rows, process="device", stamp="vv")
    assert [(e.step.process, e.clock, e.step.state) for e in events] == [
        ("a", {"a": 1}, {"on": True}),
        ("b", {"a": 1, "b": 1}, {}),
    ]
    assert [p.kind for p in problems] == ["unreadable", "unreadable"]
    with pytest.raises(InvalidInput, match="the kind of a stamp must be one of hlc, dotted, itc; got 'vc'"):
        StampedSteps("vc")  # type: ignore[arg-type]


def test_states_with_the_same_stamp_are_a_duplicate_or_concurrent() -> None:
    stamp = {"dot": ["a", 1], "context": {}}
    events, _ = derived("dotted", [{"process": name, "stamp": stamp} for name in "ab"])
    assert [e.clock for e in events] == [{"a": 1}, {"b": 1}]


def test_the_command(tmp_path: Path) -> None:
    path, out = tmp_path / "log.jsonl", tmp_path / "events.jsonl"
    rows = [
        {"node": "a", "ts": "1451635200000000000.0000000001"},
        {"node": "b", "ts": "1451635201000000000.0000000000"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    names = ["--name", "process=node", "--name", "stamp=ts"]
    outcome = CliRunner().invoke(app, ["clocks", str(path), "--out", str(out), "--stamp", "hlc", *names])
    assert outcome.exit_code == 0, outcome.output
    events = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(event["process"], event["clock"], event["time"]) for event in events] == [
        ("a", {"a": 1}, 1451635200.0),
        ("b", {"b": 1}, 1451635201.0),
    ]
