"""Conditions on some of the processes: the part of the lattice that they read gives the answers of the whole one.

Everything is compared with the lattice of all processes and with brute force, on random computations with lost
states, uneven windows, clock skew, and states that are delivered before what they depend on.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

from effort import examples
from finality import Recording, random_events
from latwin import Monitor, Spec, Verdict
from latwin.detect.ctl import TemporalDetector
from latwin.detect.detector import Context
from latwin.detect.on_lattice import (
    DefinitelyOnLattice,
    PossiblyOnLattice,
    definitely_on_lattice,
    possibly_on_lattice,
)
from latwin.lattice.kernels import asking
from latwin.lattice.kernels.certificates import AVOIDED, UNDECIDED, walk
from latwin.lattice.kernels.final import find_open
from latwin.lattice.kernels.labels import Atoms
from latwin.lattice.kernels.part import count_positions, find_low, gather
from latwin.lattice.kernels.sweep import BEYOND, FINAL, HOLDS, TOO_LARGE, sweep
from latwin.properties import Modal, compile_condition
from latwin.properties.ctl import Formula, FormulaAnd, FormulaNot, FormulaOr, Temporal, Until
from latwin.properties.parser import parse_predicate
from latwin.properties.tree import TRUE
from latwin.slide import Slide


def random_condition(rng: random.Random, read: list[str]) -> str:
    """A condition on two or three processes that needs the lattice, of every shape."""
    a, b, *rest = rng.sample(read, len(read))
    c = rest[0] if rest else a
    shapes = [
        f"{a}.n + {b}.n == 2",
        f"{a}.n + {b}.n + {c}.n <= 1",
        f"{a}.n - {b}.n != 0",
        f"{a}.n == {b}.n",
        f"{a}.n == 1 and {b}.n == 0 or {a}.n == 0 and {c}.n == 1",
        f"not ({a}.n == {b}.n and {c}.n == 1)",
        f"{a}.n + {b}.n == 1 and ({c}.n == 1 or {a}.n != {b}.n)",
        f"{a}.n * {b}.n * {c}.n == 1",
        f"{a}.n * {b}.n + {c}.n > {rng.randrange(2)} + {b}.n * {c}.n",
    ]
    return rng.choice(shapes)


def random_spec(rng: random.Random, processes: int, properties: dict[str, str], **fields: Any) -> Spec:
    names = [f"p{k}" for k in range(processes)]
    settings: dict[str, Any] = {
        "window": {name: rng.choice([1, 2, 3, 4]) for name in names},
        "delivery": rng.choice(["fifo", "causal"]),
        "max_waiting": rng.choice([2, 6]),
        "waiting_policy": "skip",
        "initial": {name: {"n": rng.randrange(2)} for name in names if rng.random() < 0.7},
    }
    if rng.random() < 0.25:
        settings["synchrony"] = rng.choice(["3s", "9s"])
    return Spec.from_dict({"processes": names, "properties": properties, **settings, **fields})


def some_properties(rng: random.Random, processes: int) -> dict[str, str]:
    found = {}
    for number in range(4):
        read = rng.sample([f"p{k}" for k in range(processes)], rng.choice([2, min(3, processes)]))
        condition = random_condition(rng, read)
        found[f"possibly {number}"] = f"possibly({condition})"
        found[f"definitely {number}"] = f"definitely({condition})"
    return found


@pytest.mark.parametrize("seed", range(examples(48)))
def test_parts_answer_as_the_whole_lattice_and_brute_force_do(seed: int) -> None:
    rng = random.Random(f"projection {seed}")
    processes = rng.choice([3, 4, 4])
    spec = random_spec(rng, processes, some_properties(rng, processes))
    events = random_events(rng, processes, 24)
    recording = Recording(spec, events)
    monitor = Monitor(spec, observations=True)
    told = [verdict for event in events for verdict in monitor.observe(event, every=True)]
    at = {slide.number: number for number, slide in enumerate(recording.slides)}
    outcomes: Counter[Any] = Counter()
    for verdict in told:
        number = at[verdict.slide]
        tree, slide = spec.trees[verdict.property], recording.slides[number]
        assert isinstance(tree, Modal)
        assert verdict.value is recording.value(tree, number)
        cuts = recording.cuts(number, number)
        assert verdict.cuts in (None, len(cuts))
        outcomes[tree.kind, verdict.value] += 1
        if tree.kind == "definitely":
            assert verdict.final is (verdict.value and recording.is_final(tree, number))
        indices = [tuple(recording.states[k][state][0] for k, state in enumerate(cut)) for cut in cuts]
        fits = [recording.holds(tree.predicate, cut) for cut in cuts]
        if tree.kind == "possibly":
            expected = next((cut for cut, holds in zip(indices, fits, strict=True) if holds), None)
            assert verdict.witness == expected
        elif verdict.value or not cuts:
            assert verdict.witness is None
        else:
            path: Any = verdict.witness
            assert (path[0], path[-1]) == (indices[0], indices[-1])
            assert len(path) == 1 + sum(slide.greatest or ()) - sum(slide.least or ())
            assert all(sum(x != y for x, y in zip(*pair, strict=True)) == 1 for pair in pairwise(path))
            assert {cut for cut, holds in zip(indices, fits, strict=True) if not holds} >= set(path)
    assert {kind for kind, _ in outcomes} == {"possibly", "definitely"}


@pytest.mark.parametrize("seed", range(examples(40)))
def test_the_cuts_of_a_part_are_the_parts_of_the_cuts(seed: int) -> None:
    """And whatever is asked of both says the same, by whichever engine."""
    rng = random.Random(f"parts {seed}")
    processes = rng.choice([3, 4, 5])
    names = [f"p{k}" for k in range(processes)]
    spec = random_spec(rng, processes, some_properties(rng, processes))
    formulas = [random_formula(rng, rng.sample(names, 2), names, 3) for _ in range(4)]

    def look(slide: Slide) -> None:
        context = monitor._checker.context
        if slide.least is None:
            return
        whole = context.current_lattice()
        assert whole is not None
        cuts = whole.cut_numbers()
        for size in (1, 2, processes - 1):
            for members in combinations(range(processes), size):
                part = context.part(members).current_lattice()
                assert part is not None
                expected = np.unique(cuts[:, members], axis=0)
                assert (part.cut_numbers() == expected).all()
        for name in spec.trees:
            (detector,) = monitor.detectors(name)
            if isinstance(detector, (PossiblyOnLattice, DefinitelyOnLattice)):
                asked = possibly_on_lattice if isinstance(detector, PossiblyOnLattice) else definitely_on_lattice
                assert asked(detector._labels, context.whole) is slide.values[name]
                assert asked(detector._labels, detector._part) is slide.values[name]

    monitor = Monitor(spec, on_slide=look)
    temporal = [TemporalDetector(Temporal(formula), monitor._checker.context) for formula in formulas]
    monitor._checker.context.atoms.compile()
    for k, initial in enumerate(spec.initial):
        monitor._checker.context.atoms.push(k, 0, initial)
    for event in random_events(rng, processes, 30):
        monitor.observe(event)
        for detector in temporal:
            value = detector.evaluate()
            part, detector._part = detector._part, monitor._checker.context.whole
            assert detector.evaluate() is value
            detector._part = part
    assert any(not detector._part.is_whole for detector in temporal)


def random_formula(rng: random.Random, read: list[str], names: list[str], depth: int) -> Formula:
    """A formula of CTL without EX and AX."""
    if depth == 0:
        return parse_predicate(random_condition(rng, read), names)
    one, other = (random_formula(rng, read, names, rng.randrange(depth)) for _ in range(2))
    choices: list[Formula] = [
        FormulaNot(one),
        FormulaAnd((one, other)),
        FormulaOr((one, other)),
        Until("E", one, other),
        Until("A", one, other),
        Until("E", TRUE, one),
        Until("A", TRUE, FormulaNot(one)),
    ]
    return rng.choice(choices)


CONDITIONS = [
    # One sum alone would not go to the lattice.
    "p0.n + p1.n + p2.n + p3.n + p4.n + p5.n >= 4 or p0.n + p1.n < 0",
    "p0.n + p1.n + p2.n == p3.n + p4.n + p5.n and p0.n + p1.n >= 0",
    "p0.n == p5.n and (p1.n != p4.n or p2.n == 1 and p3.n == 0)",
    "p0.n == 1 and p1.n + p2.n >= 1 or p3.n + p4.n - p5.n < 0",
    "p1.n == p2.n and not p3.n == 1",
]


@pytest.mark.slow
@pytest.mark.parametrize("window", [2, 4, 9])
def test_walks_and_sweeps_equal_the_pass_over_the_tree(window: int) -> None:
    """On lattices of many words, with open ends inside and outside the part; every engine is asked by itself."""
    names = [f"p{k}" for k in range(6)]
    outcomes: Counter[str] = Counter()
    for seed in range(3):
        rng = random.Random(f"sweeps {seed}")
        texts = {f"{kind} {k}": f"{kind}({text})" for k, text in enumerate(CONDITIONS) for kind in KINDS}
        spec = Spec.from_dict({"processes": names, "window": window, "properties": texts, "delivery": "fifo"})
        monitor = Monitor(spec)
        for event in random_events(rng, 6, 40, lost=0):
            monitor.observe(event)
            if not monitor.window.is_empty:
                for name in texts:
                    (detector,) = monitor.detectors(name)
                    if isinstance(detector, PossiblyOnLattice | DefinitelyOnLattice):
                        compare_engines(monitor._checker.context, detector, outcomes)
    print(dict(outcomes))
    expected = [f"{kind} {value}" for kind in KINDS for value in ("true", "false")]
    expected += {2: ["final"], 4: ["final", "not final"], 9: ["not final", "walk undecided"]}[window]
    assert all(outcomes[each] for each in expected)


KINDS = ("possibly", "definitely")


def compare_engines(context: Context, detector: Any, outcomes: Counter[str]) -> None:
    window, part, labels = context.window, detector._part, detector._labels
    lattice = part.current_lattice()
    assert lattice is not None
    dims = count_positions(window.ends, part.members)
    condition = gather(window.ends, Atoms(*context.atoms.arrays), part.members, dims, *labels.rows())
    low = find_low(window.clocks, window.ends, part.members, dims)
    is_open, corners = find_open(window.clocks, window.ends, part.members)
    is_definitely = isinstance(detector, DefinitelyOnLattice)
    swept = sweep(dims, low, condition, is_definitely, is_open, corners, 10**7, np.empty_like(dims))
    assert sweep(dims, low, condition, True, is_open, corners, lattice.cuts - 1, np.empty_like(dims)) == TOO_LARGE
    expected = bool((definitely_on_lattice if is_definitely else possibly_on_lattice)(labels, part))
    outcomes[f"{'definitely' if is_definitely else 'possibly'} {str(expected).lower()}"] += 1
    assert swept & HOLDS == expected
    assert detector.evaluate() is expected
    if not is_definitely:
        return
    if expected:
        is_final = lattice.is_final()
        outcomes["final" if is_final else "not final"] += 1
        assert (swept & FINAL != 0) == is_final == detector.is_final()
    if not lattice.labels[0] & np.uint64(1):  # false at the least cut: where a walk begins
        for budget in (20, lattice.cuts):
            ended = walk(low, dims, condition, is_open, corners, True, budget)[0]
            if ended == UNDECIDED:
                assert budget < lattice.cuts
                outcomes["walk undecided"] += 1
            else:
                assert (ended == AVOIDED) == (not expected)


@pytest.mark.slow
def test_parts_beyond_the_sweep_are_answered_on_the_tree() -> None:
    names = ["a", "b", "c"]
    condition = "a.n + b.n == 2 and a.n + c.n != 1"
    spec = Spec.from_dict(
        {
            "processes": names,
            "window": 70,
            "properties": {kind: f"{kind}({condition})" for kind in KINDS},
            "initial": {name: {"n": 0} for name in names},
        }
    )
    monitor = Monitor(spec)
    rng = random.Random(3)
    clocks = [[0, 0, 0] for _ in names]
    is_beyond = False
    for _ in range(210):
        k, j = rng.sample(range(3), 2)
        if rng.random() < 0.9:
            clocks[k] = [max(pair) for pair in zip(clocks[k], clocks[j], strict=True)]
        clocks[k][k] += 1
        monitor.observe({"process": names[k], "clock": list(clocks[k]), "state": {"n": int(rng.random() < 0.2)}})
        window = monitor.window
        for kind in KINDS:
            (detector,) = monitor.detectors(kind)
            labels, part = detector._labels, detector._part  # type: ignore[attr-defined]
            on_lattice = possibly_on_lattice if kind == "possibly" else definitely_on_lattice
            assert monitor.values()[kind] is on_lattice(labels, part)
            atoms = monitor._checker.context.atoms.arrays
            if kind == "possibly":
                first, end = labels.rows()
                asked = first, end, False, False, 10**7, np.empty(3, np.int64)
                arguments: Any = (window.clocks, window.ends, atoms, part.members, *asked)
                is_beyond |= asking.ask_program(*arguments) == BEYOND
    assert is_beyond


@pytest.mark.slow
def test_a_condition_on_three_of_fifty_processes() -> None:
    """The lattice of all has 10^20 cuts and more; nothing is too large, one by one and in runs."""
    names = [f"p{k}" for k in range(50)]
    condition = "p3.n + p20.n + p41.n == 2 and p3.n + p41.n != 0"
    spec = Spec.from_dict(
        {
            "processes": names,
            "window": 4,
            "properties": {
                "possibly": f"possibly({condition})",
                "definitely": f"definitely({condition})",
                "both": f"possibly({condition}) and not definitely({condition}) or possibly(p3.n == 1 or p4.n == 1)",
                "always": f"AG(p3.n == 1 implies EF({condition}))",
            },
        }
    )
    few = {name: text for name, text in spec.properties.items() if name != "always"}
    in_runs = Spec.from_dict({**spec.to_dict(), "properties": few})
    assert Monitor(in_runs)._checker.judge.in_kernels is not None
    events = random_events(random.Random(5), 50, 600, lost=0)
    checked: list[Verdict] = []

    def check(verdict: Verdict, monitor: Monitor) -> None:
        if verdict.property == "definitely" and not verdict.value:
            check_observation(monitor, condition, verdict.witness)
            checked.append(verdict)

    one_by_one = Monitor(spec, observations=True, on_verdict=check)
    told = [verdict for event in events for verdict in one_by_one.observe(event)]
    assert {verdict.value for verdict in told} == {True, False}
    assert all(verdict.cuts is None for verdict in told if verdict.slide > 200)
    assert {verdict.property for verdict in told} == set(spec.trees)
    batched = Monitor(in_runs, observations=True).observe_many(events)
    assert batched == [verdict for verdict in told if verdict.property in few]
    assert not batched.notices
    assert checked


def check_observation(monitor: Monitor, condition: str, path: Any) -> None:
    """The path leads through cuts of all processes, a step apart, and the condition holds at none of them."""
    window, names = monitor.window, list(monitor.spec.processes)
    holds = compile_condition(parse_predicate(condition, names))
    assert (path[0], path[-1]) == (window.least, window.greatest)
    for before, after in pairwise(path):
        (moved,) = [k for k in range(len(names)) if before[k] != after[k]]
        numbers = [window.find(k, index) for k, index in enumerate(after)]
        assert all(entry <= after[k] for k, entry in enumerate(window.clock_of(moved, numbers[moved])))  # type: ignore[arg-type]
        assert not holds([monitor.state(k, number) for k, number in enumerate(numbers)])  # type: ignore[arg-type]


@pytest.mark.slow
def test_certificates_answer_where_the_lattice_is_too_large() -> None:
    """At the least and greatest cut, by bounds, and by a walk; the answers carry witnesses all the same."""
    names = [f"p{k}" for k in range(8)]
    total = " + ".join(f"{name}.n" for name in names)
    texts = {
        "first": f"{total} == 0",
        "last": f"{total} == 24",
        "never": f"{total} > 24",
        "rarely": f"{total} == 12 and {total} >= 0 and p0.n == 0",
        "halfway": f"{total} == 12 and {total} >= 0",
    }
    spec = Spec.from_dict(
        {
            "processes": names,
            "window": 4,
            "max_cuts": 1000,
            "properties": {f"{kind} {name}": f"{kind}({text})" for name, text in texts.items() for kind in KINDS},
            "initial": {name: {"n": 0} for name in names},
        }
    )
    monitor = Monitor(spec, observations=True)
    verdicts: dict[str, Any] = {}
    for index in (1, 2, 3):
        for k, name in enumerate(names):
            event = {"process": name, "clock": [index if j == k else 0 for j in range(8)], "state": {"n": index}}
            verdicts.update({verdict.property: verdict for verdict in monitor.observe(event, every=True)})
    assert {name: verdict.value for name, verdict in verdicts.items()} == {
        "possibly first": True,
        "definitely first": True,
        "possibly last": True,
        "definitely last": True,
        "possibly never": False,
        "definitely never": False,
        "possibly rarely": True,
        "definitely rarely": False,
        "possibly halfway": True,
        "definitely halfway": True,  # by decision diagrams
    }
    assert {name: verdict.cuts for name, verdict in verdicts.items() if verdict.cuts} == {"definitely halfway": 4**8}
    assert verdicts["possibly first"].witness == (0,) * 8
    assert verdicts["possibly last"].witness == (3,) * 8
    assert verdicts["possibly halfway"].witness == verdicts["possibly rarely"].witness == (0, 0, 0, 0, 3, 3, 3, 3)
    assert (verdicts["definitely first"].final, verdicts["definitely first"].because) == (True, "least")
    assert (verdicts["definitely last"].final, verdicts["definitely last"].because) == (False, "greatest")
    path = verdicts["definitely rarely"].witness
    assert (path[0], path[-1], len(path)) == ((0,) * 8, (3,) * 8, 25)
    assert not any(sum(cut) == 12 and cut[0] == 0 for cut in path)
    again = Monitor(spec, observations=True)
    again.observe_many(
        {"process": name, "clock": [index if j == k else 0 for j in range(8)], "state": {"n": index}}
        for index in (1, 2, 3)
        for k, name in enumerate(names)
    )
    assert again.values() == {name: verdict.value for name, verdict in verdicts.items()}
