"""Sums over processes without the lattice, against brute force and against the bit lattice."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise, permutations
from typing import Any, cast

import numpy as np
import pytest

from effort import examples
from finality import Cut, Recording, random_events
from latwin import Monitor, Spec, Verdict
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels import low_paths, sums
from latwin.lattice.kernels.arrays import plain
from latwin.lattice.kernels.weights import find_needs
from latwin.lattice.kernels.window import GREATEST, LEAST
from latwin.lattice.window import Window
from latwin.properties import Modal

OPERATORS = (">=", "<=", "==", "!=", ">", "<")


def random_questions(rng: random.Random, names: list[str], is_steep: bool) -> dict[str, str]:
    """Sums over some of the processes, compared in every way, negated, and with a condition on one process."""
    members = [name for name in names if rng.random() < 0.8]
    if len(members) < 2:
        members = names[:2]
    texts = {}
    for modality in ("possibly", "definitely"):
        for op in OPERATORS:
            factors = ["", "", "-", "2 * ", "3 * "] if is_steep else [""]
            total = " + ".join(f"{rng.choice(factors)}{name}.n" for name in members)
            text = f"{total} {op} {rng.choice(['0', '1', '2', '1.5', str(len(members))])}"
            form = rng.random()
            if form < 0.15:
                text = f"not ({text})"
            elif form < 0.4:
                text = f"{text} and {rng.choice(names)}.m > 0"
            texts[f"{modality} {op}"] = f"{modality}({text})"
    return texts


def random_case(seed: str) -> tuple[Spec, list[dict[str, Any]]]:
    """A few processes with uneven windows, lost states, bounded skew, nulls, fractions and larger steps."""
    rng = random.Random(seed)
    processes = rng.choice([2, 3, 3, 4])
    names = [f"p{k}" for k in range(processes)]
    is_steep, nulls, fractions = rng.random() < 0.5, rng.choice([0, 0, 0.1]), rng.choice([0, 0, 0, 0.1])
    events = random_events(rng, processes, 12, lost=rng.choice([0, 0.1]))
    for event in events:
        state = event["state"]
        state["m"] = rng.choice([0, 1, 1, 1])
        if rng.random() < nulls:
            del state["n"]
        elif rng.random() < fractions:
            state["n"] = 0.5
        elif is_steep and rng.random() < 0.3:
            state["n"] = rng.choice([-2, 2, 3])
    settings: dict[str, Any] = {
        "window": {name: rng.choice([1, 2, 3, 4] if processes < 4 else [2, 3]) for name in names},
        "delivery": rng.choice(["fifo", "causal"]),
        "max_waiting": rng.choice([2, 6]),
        "waiting_policy": "skip",
        "initial": {name: {"n": rng.randrange(2), "m": 1} for name in names if rng.random() < 0.8},
    }
    if rng.random() < 0.2:
        settings["synchrony"] = rng.choice(["3s", "9s"])
    questions = random_questions(rng, names, is_steep)
    return Spec.from_dict({"processes": names, "properties": questions, **settings}), events


def check_verdict(recording: Recording, at: int, verdict: Verdict) -> None:
    """Value, witness, finality and reason are those of brute force."""
    tree = recording.spec.trees[verdict.property]
    assert isinstance(tree, Modal)
    value, cuts = recording.value(tree, at), recording.cuts(at, at)
    assert verdict.value is value

    def indices(cut: Cut) -> Cut:
        return tuple(recording.states[k][number][0] for k, number in enumerate(cut))

    if tree.kind == "possibly":
        satisfying = (indices(cut) for cut in cuts if recording.holds(tree.predicate, cut))
        assert verdict.witness == next(satisfying, None)
        assert verdict.final is value
    elif value:
        assert verdict.final is recording.is_final(tree, at)
        assert verdict.because == recording.because(tree, at)
    elif cuts:
        path, numbers = cast(tuple[Cut, ...], verdict.witness), {indices(cut): cut for cut in cuts}
        assert (path[0], path[-1]) == (indices(cuts[0]), indices(cuts[-1]))
        for before, after in pairwise(path):
            step = [new - old for old, new in zip(numbers[before], numbers[after], strict=True)]
            assert sorted(step) == [0] * (len(step) - 1) + [1]
        assert not any(recording.holds(tree.predicate, numbers[cut]) for cut in path)


def check_case(seed: str) -> Counter[tuple[str, bool | None, bool]]:
    """All verdicts of a random case; how many of each kind there were, and whether a lattice was needed."""
    spec, events = random_case(seed)
    recording, monitor = Recording(spec, events), Monitor(spec, observations=True)
    verdicts = [verdict for event in events for verdict in monitor.observe(event, every=True)]
    slide_at = {slide.number: at for at, slide in enumerate(recording.slides)}
    outcomes: Counter[tuple[str, bool | None, bool]] = Counter()
    for verdict in verdicts:
        check_verdict(recording, slide_at[verdict.slide], verdict)
        outcomes[verdict.property, verdict.value, verdict.cuts is not None] += 1
    alone = Monitor(spec)
    one_by_one = [verdict for event in events for verdict in alone.observe(event)]
    assert list(Monitor(spec).observe_many(events)) == one_by_one
    return outcomes


#: where `==` of a sum that jumps was true at the greatest cut, and told that one instead of the least
JUMPS = ("soak 19", "soak 182", "soak 246", "soak 252", "soak 266")


@pytest.mark.parametrize("seed", [*map(str, range(examples(40))), *JUMPS])
def test_sums_are_what_brute_force_says(seed: str) -> None:
    check_case(seed)


@pytest.mark.soak
@pytest.mark.slow
def test_thousands_of_sums_are_what_brute_force_says() -> None:
    outcomes: Counter[tuple[str, bool | None, bool]] = Counter()
    for seed in range(400):
        outcomes += check_case(f"soak {seed}")
    for modality in ("possibly", "definitely"):
        for op in OPERATORS:
            for value in (True, False):
                assert outcomes[f"{modality} {op}", value, False] > 0, "answered without a lattice"


def random_window(rng: random.Random) -> tuple[Window, Any]:
    """A window of up to six processes, and one number for each of its states."""
    processes = rng.choice([2, 3, 4, 5, 6])
    size = rng.choice([3, 4, 5, 6]) if processes < 5 else rng.choice([3, 4])
    window, largest = Window(processes, size), rng.choice([1, 1, 2, 4, 8])
    terms = np.zeros((1, processes, window.capacity))
    clocks = [[0] * processes for _ in range(processes)]
    talks = rng.choice([0.1, 0.3, 0.5, 0.7])
    for _ in range(processes * size * 2):
        k = rng.randrange(processes)
        heard = clocks[rng.randrange(processes)] if rng.random() < talks else clocks[k]
        clock = [max(mine, theirs) for mine, theirs in zip(clocks[k], heard, strict=True)]
        clock[k] += 1
        clocks[k] = clock
        place = window.place(window.push(k, clock))
        terms[0, k, place] = rng.randrange(-largest, largest + 1)
    return window, terms


def check_window(seed: str) -> Counter[str]:
    """Every bound that the sum of a random window can have, asked of the kernels and of the lattice."""
    rng = random.Random(seed)
    window, terms = random_window(rng)
    processes = window.processes
    lattice = BitLattice(window, 10**6)
    lattice.build()
    cuts = lattice.cut_numbers()
    totals = sum(terms[0, k, cuts[:, k] & (window.capacity - 1)] for k in range(processes))
    holds = np.ones((1, processes, window.capacity), np.uint8)
    reads = np.ones(processes, np.uint8)
    members, witness = np.arange(processes).reshape(1, -1), np.full((1, processes), -1)
    outcomes: Counter[str] = Counter()
    for bound in sorted(set(totals.tolist()))[:: rng.choice([1, 2])]:
        row = np.array([[0, 0, sums.AT_LEAST, int(bound), 0, processes, 0, 0]])
        arguments = window.clocks, window.ends, terms, holds, plain(sums.SumQuestions(row, members, witness)), 0
        assert sums.possibly_sum(*arguments) == sums.MET
        answer = sums.definitely_sum(*arguments, reads, True)
        assert answer not in (sums.UNDECIDED, sums.MET | sums.UNKNOWN_FINAL), "few cuts are ever tried"
        is_met = not lattice.avoids(lattice.labels_from_flags((totals >= bound).astype(np.uint8)))
        is_final = is_met and lattice.is_final()
        assert (answer != 0, answer & sums.FINAL != 0) == (is_met, is_final), bound
        outcomes[f"{is_met} {is_final}"] += 1
    row = np.array([[0, 0, sums.AT_LEAST, int(totals.max()) + 1, 0, processes, 0, 0]])
    witness[:] = -1
    questions = plain(sums.SumQuestions(row, members, witness))
    assert sums.possibly_sum(window.clocks, window.ends, terms, holds, questions, 0) == 0
    return outcomes


def test_sums_are_what_the_lattice_says() -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(examples(160)):
        outcomes += check_window(str(seed))
    assert outcomes["True True"] > 0
    assert outcomes["True False"] > 0
    assert outcomes["False False"] > 0


@pytest.mark.soak
def test_thousands_of_sums_are_what_the_lattice_says() -> None:
    for seed in range(4000):
        check_window(f"soak {seed}")


# Two processes that do not know of each other, with the worths of their states, and the bound below which an
# observation stays. A search that goes deep first, and jumps to the first cut which is no higher than where it
# began, goes too far here; see `kernels.low_paths` on why it must shrink what it finds.
GONE_TOO_FAR = ([0, 4, 4, 2, -3, 8, -4], [0, 4, 3, 5])


def stays_below(worths: tuple[list[int], ...], bound: int) -> bool:
    """Whether a path of single steps stays below the bound, by trying all of them; nobody knows of anybody."""
    last = tuple(len(worth) - 1 for worth in worths)
    reached, pending = set(), [(0,) * len(worths)]
    while pending:
        cut = pending.pop()
        is_inside = all(position <= end for position, end in zip(cut, last, strict=True))
        if cut in reached or not is_inside or sum(w[p] for w, p in zip(worths, cut, strict=True)) >= bound:
            continue
        reached.add(cut)
        pending += [(*cut[:k], cut[k] + 1, *cut[k + 1 :]) for k in range(len(cut))]
    return last in reached


@pytest.mark.parametrize("bound", range(5, 12))
@pytest.mark.parametrize("worths", [GONE_TOO_FAR, (*GONE_TOO_FAR, [0, 0]), (*GONE_TOO_FAR, [0, 1, -2, 1])])
def test_a_search_that_goes_too_far_is_found_out(worths: tuple[list[int], ...], bound: int) -> None:
    for order in permutations(worths):
        window = Window(len(order), 8)
        worth = np.zeros((len(order), window.capacity), np.int64)
        for k, values in enumerate(order):
            for index in range(1, len(values)):
                window.push(k, [index if j == k else 0 for j in range(len(order))])
            worth[k, : len(values)] = values
        needs = find_needs(window.clocks, window.ends, np.arange(len(order)))
        nobody, steps = np.zeros(len(order), np.uint8), np.empty((32, 2), np.int64)
        low, high = window.ends[LEAST], window.ends[GREATEST]
        outcome, _ = low_paths.stay_below(needs, worth, low, high, bound - 1, nobody, steps)
        assert outcome == (low_paths.A_WAY if stays_below(order, bound) else low_paths.NO_WAY)


@pytest.mark.slow
def test_a_search_does_not_try_all_orders_of_small_steps() -> None:
    """Groups of four processes: three climbs by 1, each of which the next one needs, and a fall that needs them all.

    Of thirty groups that do not know of each other, each has to be gone through by itself.
    """
    groups, worths = 30, ([0, 2, 1], [0, 2, 1], [0, 2, 1], [0, 0, -4])
    processes = len(worths) * groups
    window = Window(processes, 4)
    worth = np.zeros((processes, window.capacity), np.int64)
    for role, values in enumerate(worths):  # the climbs of all groups stand before what needs them
        for group in range(groups):
            k = role * groups + group
            worth[k, : len(values)] = values
            for index in (1, 2):
                clock = [0] * processes
                for earlier in range(role):
                    clock[earlier * groups + group] = 2 if index == 2 else 0
                clock[k] = index
                window.push(k, clock)
    needs = find_needs(window.clocks, window.ends, np.arange(processes))
    nobody, steps = np.zeros(processes, np.uint8), np.empty((2 * processes, 2), np.int64)
    low, high = window.ends[LEAST], window.ends[GREATEST]
    for limit, is_way in ((12, True), (4, True), (3, False)):
        outcome, _ = low_paths.stay_below(needs, worth, low, high, limit, nobody, steps)
        assert outcome == (low_paths.A_WAY if is_way else low_paths.NO_WAY)


def test_at_least_three_of_fifty() -> None:
    """Lattices of astronomical size; the split brain is possible first, then certain."""
    names = [f"r{k}" for k in range(50)]
    total = " + ".join(f"{name}.leads" for name in names)
    properties = {"possibly": f"possibly({total} >= 3)", "definitely": f"definitely({total} >= 3)"}
    spec = Spec.from_dict(
        {
            "processes": names,
            "window": 4,
            "properties": properties,
            "initial": {name: {"leads": False} for name in names},
        }
    )
    monitor = Monitor(spec, observations=True)

    def tell(process: int, index: int, *, leads: bool) -> dict[str, Verdict]:
        clock = [index if k == process else 0 for k in range(50)]
        event = {"process": names[process], "clock": clock, "state": {"leads": leads}}
        return {verdict.property: verdict for verdict in monitor.observe(event)}

    for process in range(3, 50):
        for index in (1, 2, 3):
            assert not tell(process, index, leads=index == 2 and process in (10, 20))
    told = tell(2, 1, leads=True)
    assert set(told) == {"possibly"}
    assert told["possibly"].witness == (0, 0, 1, *(2 if k in (10, 20) else 0 for k in range(3, 50)))
    assert not tell(0, 1, leads=True)
    told = tell(1, 1, leads=True)
    assert (told["definitely"].value, told["definitely"].because, told["definitely"].final) == (
        True,
        "greatest",
        False,
    )


def test_explain_tells_engine_and_cost() -> None:
    spec = Spec.from_dict(
        {
            "processes": ["a", "b", "c"],
            "window": 4,
            "properties": {"p": "possibly(a.x + b.x == 2 and c.on)", "q": "definitely(a.x + b.x + c.x >= 2)"},
        }
    )
    text = spec.explain()
    assert "sums: one sum over 2 processes and conditions on 1: answered by a flow" in text
    assert "sums that change by more than 1 at once" in text
    assert "sums: one sum over 3 processes: answered by a search for an observation that avoids it" in text
