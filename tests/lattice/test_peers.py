"""The guide "Coming from PoET or Prove": both sides of every line of its tables mean the same.

The peers' operators are evaluated here by their textbook definitions, on ways through the explicit lattice; the
guide's translations by a monitor.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

import pytest

from documents import ROOT
from latwin import Monitor, Spec

Cut = tuple[int, ...]
#: whether something holds at a cut, or at a place of a way
AtCut = Callable[[Cut], bool]
AtPlace = Callable[[Sequence[Cut], int], bool]

PAGE = "docs/guides/coming-from-poet-or-prove.md"
NAMES = ["a", "b", "c"]
SKEW = 2.0


class Execution:
    """A few states with times and two propositions; the order of clocks, and with `skew` that of times, too."""

    def __init__(self, seed: int, *, skew: float | None = None) -> None:
        draw = random.Random(seed)
        clocks = [[0] * 3 for _ in NAMES]
        self.events: list[dict[str, Any]] = []
        self.initial = [{name: draw.random() < 0.15 for name in "pq"} for _ in NAMES]
        self.states = [[state] for state in self.initial]
        self.times = [[0.0] for _ in NAMES]
        known: list[list[list[int]]] = [[[0] * 3] for _ in NAMES]
        for step in range(6):
            k = draw.randrange(3)
            if draw.random() < 0.4:
                other = draw.randrange(3)
                clocks[k] = [max(mine, theirs) for mine, theirs in zip(clocks[k], clocks[other], strict=True)]
            clocks[k][k] += 1
            time, state = step * 0.8, {name: draw.random() < 0.15 for name in "pq"}
            self.events.append({"process": NAMES[k], "clock": list(clocks[k]), "state": state, "time": time})
            self.states[k].append(state)
            self.times[k].append(time)
            known[k].append(list(clocks[k]))
        ranges = [range(len(states)) for states in self.states]
        self.cuts = [
            cut
            for cut in product(*ranges)
            if all(known[i][cut[i]][j] <= cut[j] for i in range(3) for j in range(3) if i != j)
            and (skew is None or self._are_near(cut, skew))
        ]
        self.least, self.greatest = self.cuts[0], self.cuts[-1]

    def _are_near(self, cut: Cut, skew: float) -> bool:
        """No state of a cut began more than the skew after a later state of another process."""
        return not any(
            self.times[i][cut[i]] - time > skew
            for i in range(3)
            if cut[i]
            for j in range(3)
            for time in self.times[j][cut[j] + 1 :]
        )

    def before(self, cut: Cut) -> list[Cut]:
        earlier = [(*cut[:k], cut[k] - 1, *cut[k + 1 :]) for k in range(3)]
        return [other for other in earlier if other in self.cuts]

    def ways_back(self, cut: Cut) -> Iterator[list[Cut]]:
        """All ways from a cut back to the least one."""
        if cut == self.least:
            yield [cut]
        for other in self.before(cut):
            for way in self.ways_back(other):
                yield [cut, *way]

    def holds(self, name: str) -> AtCut:
        """A proposition: some process's last event carries it."""
        return lambda cut: any(self.states[k][cut[k]][name] for k in range(3))


class Poet:
    """The operators of past CTL, on all ways back from a cut."""

    def __init__(self, execution: Execution) -> None:
        self.run = execution

    def ep(self, p: AtCut) -> AtCut:
        return lambda cut: any(any(map(p, way)) for way in self.run.ways_back(cut))

    def ap(self, p: AtCut) -> AtCut:
        return lambda cut: all(any(map(p, way)) for way in self.run.ways_back(cut))

    def eh(self, p: AtCut) -> AtCut:
        return lambda cut: any(all(map(p, way)) for way in self.run.ways_back(cut))

    def ah(self, p: AtCut) -> AtCut:
        return lambda cut: all(all(map(p, way)) for way in self.run.ways_back(cut))

    def ey(self, p: AtCut) -> AtCut:
        return lambda cut: any(map(p, self.run.before(cut)))

    def ay(self, p: AtCut) -> AtCut:
        return lambda cut: all(map(p, self.run.before(cut)))

    def some_since(self, p: AtCut, q: AtCut) -> AtCut:
        return lambda cut: any(_since(p, q, way) for way in self.run.ways_back(cut))

    def all_since(self, p: AtCut, q: AtCut) -> AtCut:
        return lambda cut: all(_since(p, q, way) for way in self.run.ways_back(cut))


def _since(p: AtCut, q: AtCut, way: Sequence[Cut]) -> bool:
    return any(q(cut) and all(map(p, way[:at])) for at, cut in enumerate(way))


#: each formula of the guide's table, by the operators' definitions
POET: dict[str, Callable[[Poet, AtCut, AtCut], AtCut]] = {
    "EP p": lambda o, p, q: o.ep(p),
    "AP p": lambda o, p, q: o.ap(p),
    "EH p": lambda o, p, q: o.eh(p),
    "AH p": lambda o, p, q: o.ah(p),
    "EY p": lambda o, p, q: o.ey(p),
    "AY p": lambda o, p, q: o.ay(p),
    "E(p S q)": lambda o, p, q: o.some_since(p, q),
    "A(p S q)": lambda o, p, q: o.all_since(p, q),
    "p": lambda o, p, q: p,
    "! p": lambda o, p, q: lambda c: not p(c),
    "TRUE": lambda o, p, q: lambda c: True,
    "FALSE": lambda o, p, q: lambda c: False,
    "! EP p": lambda o, p, q: lambda c: not o.ep(p)(c),
    "EP p & AP q": lambda o, p, q: lambda c: o.ep(p)(c) and o.ap(q)(c),
    "EP p | AP q": lambda o, p, q: lambda c: o.ep(p)(c) or o.ap(q)(c),
    "EP p -> AP q": lambda o, p, q: lambda c: not o.ep(p)(c) or o.ap(q)(c),
    "EP p <-> AP q": lambda o, p, q: lambda c: o.ep(p)(c) == o.ap(q)(c),
    "AH(p -> EP q)": lambda o, p, q: o.ah(lambda c: not p(c) or o.ep(q)(c)),
    "EP(p & AY q)": lambda o, p, q: o.ep(lambda c: p(c) and o.ay(q)(c)),
    "A((EY p) S (EH q))": lambda o, p, q: o.all_since(o.ey(p), o.eh(q)),
}


def yesterday(p: AtPlace) -> AtPlace:
    return lambda way, at: at > 0 and p(way, at - 1)


def since(p: AtPlace, q: AtPlace) -> AtPlace:
    return lambda way, at: any(
        q(way, goal) and all(p(way, place) for place in range(goal + 1, at + 1)) for goal in range(at + 1)
    )


def at_place(p: AtCut) -> AtPlace:
    return lambda way, at: p(way[at])


def true(way: Sequence[Cut], at: int) -> bool:
    return True


def opposite(p: AtPlace) -> AtPlace:
    return lambda way, at: not p(way, at)


def both(p: AtPlace, q: AtPlace) -> AtPlace:
    return lambda way, at: p(way, at) and q(way, at)


PROVE: dict[str, Callable[[AtPlace, AtPlace], AtPlace]] = {
    "@p": lambda p, q: yesterday(p),
    "p S q": since,
    "TRUE S p": lambda p, q: since(true, p),
    "!(TRUE S !p)": lambda p, q: opposite(since(true, opposite(p))),
    "p": lambda p, q: p,
    "!p": lambda p, q: opposite(p),
    "p & @q": lambda p, q: both(p, yesterday(q)),
    "p | @q": lambda p, q: lambda way, at: p(way, at) or yesterday(q)(way, at),
    "p -> (TRUE S q)": lambda p, q: lambda way, at: not p(way, at) or since(true, q)(way, at),
    "@p <-> @q": lambda p, q: lambda way, at: yesterday(p)(way, at) == yesterday(q)(way, at),
    "@@p": lambda p, q: yesterday(yesterday(p)),
    "!(TRUE S (p & !(TRUE S q)))": lambda p, q: opposite(since(true, both(p, opposite(since(true, q))))),
    "(p S q) & !(q S p)": lambda p, q: both(since(p, q), opposite(since(q, p))),
}


def rows(heading: str) -> dict[str, str]:
    """The guide's translations below a heading: the peer's formula, and ours."""
    text = (ROOT / PAGE).read_text("utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    cells = [re.split(r"(?<!\\)\|", line)[1:3] for line in text.splitlines() if line.startswith("| `")]
    return {theirs.strip(" `").replace("\\|", "|"): ours.strip(" `") for theirs, ours in cells}


def written_out(text: str) -> str:
    """A translation over the processes of an execution."""
    return re.sub(r"\b([pq])\b", lambda word: "(" + " or ".join(f"{name}.{word[1]}" for name in NAMES) + ")", text)


@cache
def answers(heading: str, seed: int, skew: float | None = None) -> dict[str, bool | None]:
    """What latwin says at the end of an execution, by the peer's formulas."""
    execution = Execution(seed)
    spec = Spec.from_dict(
        {
            "processes": NAMES,
            "window": None,
            "delivery": "causal",
            "initial": dict(zip(NAMES, execution.initial, strict=True)),
            "synchrony": None if skew is None else f"{skew}s",
            "properties": {f"f{k}": written_out(ours) for k, ours in enumerate(rows(heading).values())},
        }
    )
    monitor = Monitor(spec)
    monitor.observe_many(execution.events)
    return dict(zip(rows(heading), monitor.values().values(), strict=True))


SEEDS = range(8)


@pytest.mark.parametrize("formula", POET)
def test_poet(formula: str) -> None:
    for seed in SEEDS:
        run = Execution(seed)
        expected = POET[formula](Poet(run), run.holds("p"), run.holds("q"))(run.greatest)
        assert answers("PoET: past CTL", seed)[formula] is expected, seed


@pytest.mark.parametrize("skew", [None, SKEW])
@pytest.mark.parametrize("formula", PROVE)
def test_prove(formula: str, skew: float | None) -> None:
    for seed in SEEDS:
        run = Execution(seed, skew=skew)
        asked = PROVE[formula](at_place(run.holds("p")), at_place(run.holds("q")))
        ways = [way[::-1] for way in run.ways_back(run.greatest)]
        expected = any(asked(way, len(way) - 1) for way in ways)
        assert answers("PROVE: past LTL", seed, skew)[formula] is expected, seed


def test_the_tables_are_complete() -> None:
    assert list(rows("PoET: past CTL")) == list(POET)
    assert list(rows("PROVE: past LTL")) == list(PROVE)


def test_skew_leaves_fewer_cuts() -> None:
    """So that the comparison with a skew is one."""
    assert any(len(Execution(seed, skew=SKEW).cuts) < len(Execution(seed).cuts) for seed in SEEDS)


@pytest.mark.parametrize("heading", ["PoET: past CTL", "PROVE: past LTL"])
def test_formulas_are_told_apart(heading: str) -> None:
    """Most formulas are true of some executions and false of others."""
    formulas = rows(heading)
    both_ways = [name for name in formulas if {answers(heading, seed)[name] for seed in SEEDS} == {True, False}]
    assert len(both_ways) >= len(formulas) // 2
