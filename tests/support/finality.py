"""Whether a verdict is final, by brute force: the windows of a monitor's slides, listed cut by cut, and extended.

A recording keeps what was delivered, slide by slide. `Recording.cuts(at, until)` are the cuts of the windows that
begin where those of slide `at` begin and end where those of slide `until` end: what the window of slide `at` would
have become if it had only gained states since.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any, cast

from latwin import Monitor, Spec
from latwin.properties import (
    Expr,
    Modal,
    Property,
    PropertyAnd,
    PropertyNot,
    PropertyOr,
    Question,
    compile_condition,
)
from latwin.slide import Slide
from observing import answer
from oracle import BruteForce, step

Cut = tuple[int, ...]

#: One condition for each engine, with the same meaning: conjunctive, bit lattice, cut by cut.
SAME = {
    "conjunction": "definitely(p0.n == 1 and p1.n == 1)",
    "sum": "definitely(p0.n + p1.n == 2)",
    "product": "definitely(p0.n * p1.n == 1)",
}
MODALITIES = {
    **SAME,
    "single": "definitely(p1.n == 1)",
    "pair": "definitely(p0.n == p1.n)",
    "implication": "definitely(p0.n == 1 and p1.n == 0 or p0.n == 0 and p1.n == 1)",
    "everyone": "definitely(EVERYONE)",
    "most": "definitely(SUM >= LESS)",
    "always": "definitely(true)",
    "never": "definitely(false)",
}
#: Here a later state can overturn nothing, or what overturns it depends on the parts.
OTHERS = {
    "either": "definitely(p0.n == 1 or p1.n == 1)",
    "seen": "possibly(p0.n == 1 and p1.n == 1)",
    "summed": "possibly(SUM >= LESS)",
    "negated": "not possibly(p0.n == 1 and p1.n == 1)",
    "twice": "not not definitely(p0.n == 1 and p1.n == 1)",
    "both": "definitely(p0.n == p1.n) and possibly(p0.n == 1)",
    "one": "definitely(p0.n + p1.n == 2) or definitely(p0.n == p1.n) or possibly(p0.n * p1.n == 1)",
    "without": "definitely(p0.n == p1.n) and not definitely(p0.n == 1 and p1.n == 1)",
    "neither": "not (definitely(p0.n == p1.n) or not possibly(p1.n == 1))",
}
UNKNOWN = {
    "past": "EY(p0.n == 1)",
    "chance": "probability(p0.n == 1) > 0.5",
}


def make_spec(rng: random.Random, processes: int, properties: dict[str, str], **fields: Any) -> Spec:
    names = [f"p{k}" for k in range(processes)]
    words = {
        "EVERYONE": " and ".join(f"{name}.n == 1" for name in names),
        "SUM": " + ".join(f"{name}.n" for name in names),
        "LESS": str(processes - 1),
    }
    texts = {}
    for name, text in properties.items():
        for word, meaning in words.items():
            text = text.replace(word, meaning)
        texts[name] = text
    delivery = rng.choice(["fifo", "causal"])
    settings: dict[str, Any] = {
        "window": {name: rng.choice([1, 2, 3, 4, 4]) for name in names},
        "delivery": delivery,
        "max_waiting": rng.choice([2, 6]),
        "waiting_policy": "skip",
        "initial": {name: {"n": rng.randrange(2)} for name in names if rng.random() < 0.7},
    }
    if rng.random() < 0.2:
        settings["synchrony"] = rng.choice(["3s", "9s"])
    return Spec.from_dict({"processes": names, "properties": texts, **settings, **fields})


def random_events(rng: random.Random, processes: int, count: int, *, lost: float = 0.1) -> list[dict[str, Any]]:
    """States of a random computation, with n = 0 or 1 each, out of order and with losses."""
    clocks = [[0] * processes for _ in range(processes)]
    talks, lateness, rarely_one = rng.choice([0.2, 0.5, 0.8]), rng.choice([0, 4, 12]), rng.choice([0.3, 0.6])
    placed = []
    for number in range(count):
        k = rng.randrange(processes)
        heard = clocks[rng.randrange(processes)] if rng.random() < talks else clocks[k]
        clock = [max(mine, theirs) for mine, theirs in zip(clocks[k], heard, strict=True)]
        clock[k] += 1
        clocks[k] = clock
        if rng.random() >= lost:
            state = {"n": int(rng.random() < rarely_one)}
            event = {"process": f"p{k}", "clock": clock, "state": state, "time": float(number)}
            placed.append((number + lateness * rng.random(), event))
    return [event for _, event in sorted(placed, key=lambda pair: pair[0])]


class Extended:
    """The windows of slide `at` as of slide `until`, with what `observing.answer` asks of a lattice."""

    def __init__(self, recording: Recording, at: int, until: int) -> None:
        self._states = recording.states
        self.cuts = list(recording.cuts(at, until))
        self._known = frozenset(self.cuts)

    def __len__(self) -> int:
        return len(self.cuts)

    def values_of(self, cut: Cut) -> tuple[Any, ...]:
        """The variables of the states of a cut."""
        return tuple(self._states[k][number][2] for k, number in enumerate(cut))

    def next_cuts(self, cut: Cut) -> list[Cut]:
        """The cuts one step after it."""
        after = [step(cut, k) for k in range(len(cut))]
        return [each for each in after if each in self._known]


class Recording:
    """All slides of a monitor, and brute force on their windows."""

    def __init__(self, spec: Spec, events: Sequence[dict[str, Any]]) -> None:
        self.spec = spec
        self.slides: list[Slide] = []
        #: per process its delivered states, the initial one first: index, clock and variables
        self.states: list[list[tuple[int, Cut, Any]]] = [
            [(0, (0,) * len(spec.processes), initial)] for initial in spec.initial
        ]
        monitor = Monitor(spec, on_slide=self._take)
        for event in events:
            monitor.observe(event)
        self.cuts = cache(self._cuts)

    def _take(self, slide: Slide) -> None:
        self.slides.append(slide)
        assert slide.process is not None
        assert slide.index is not None
        assert slide.clock is not None
        self.states[self.spec.processes.index(slide.process)].append((slide.index, slide.clock, slide.state))

    def _cuts(self, at: int, until: int) -> tuple[Cut, ...]:
        """The cuts, as state numbers in lexicographic order, of the windows of slide `at` as of slide `until`."""
        oldest, newest, through = self.slides[at].oldest, self.slides[until].newest, self.slides[until].through

        def covers(k: int, number: int) -> int:
            return through[k] if number == newest[k] else self.states[k][number + 1][0] - 1

        def is_consistent(cut: Cut) -> bool:
            clocks = [self.states[k][number][1] for k, number in enumerate(cut)]
            covered = [covers(k, number) for k, number in enumerate(cut)]
            return all(clock[j] <= covered[j] for clock in clocks for j in range(len(cut)))

        ranges = [range(low, high + 1) for low, high in zip(oldest, newest, strict=True)]
        return tuple(filter(is_consistent, product(*ranges)))

    def holds(self, predicate: Expr, cut: Cut) -> bool:
        """Whether a condition holds at a cut."""
        return compile_condition(predicate)([self.states[k][number][2] for k, number in enumerate(cut)])

    def reached(self, predicate: Expr, at: int, until: int) -> set[Cut]:
        """The cuts to which the least cut leads while the condition is false."""
        cuts = self.cuts(at, until)
        found: set[Cut] = set()
        for cut in cuts:  # every cut after those one step before
            before = [(*cut[:k], cut[k] - 1, *cut[k + 1 :]) for k in range(len(cut))]
            if (cut == cuts[0] or not found.isdisjoint(before)) and not self.holds(predicate, cut):
                found.add(cut)
        return found

    def value(self, tree: Property, at: int, until: int | None = None) -> bool:
        """The value of a property on the windows of slide `at` as of slide `until`."""
        until = at if until is None else until
        cuts = self.cuts(at, until)
        if not cuts:
            return False
        return self._value(tree, at, until)

    def _value(self, tree: Property, at: int, until: int) -> bool:
        cuts = self.cuts(at, until)
        if isinstance(tree, Modal):
            if tree.kind == "possibly":
                return any(self.holds(tree.predicate, cut) for cut in cuts)
            return cuts[-1] not in self.reached(tree.predicate, at, until)
        if isinstance(tree, Question):
            return answer(tree, cast(BruteForce, Extended(self, at, until)))
        if isinstance(tree, PropertyNot):
            return not self._value(tree.operand, at, until)
        assert isinstance(tree, (PropertyAnd, PropertyOr))
        values = [self._value(operand, at, until) for operand in tree.operands]
        return all(values) if isinstance(tree, PropertyAnd) else any(values)

    def is_final(self, modal: Modal, at: int) -> bool:
        """The rule for a true `definitely`: no reached cut has a process at its newest state that still matters."""
        slide = self.slides[at]
        known = [
            max(self.states[j][slide.newest[j]][1][k] for j in range(len(slide.newest)))
            for k in range(len(slide.newest))
        ]
        matters = [
            k
            for k, (ahead, through) in enumerate(zip(known, slide.through, strict=True))
            if k in modal.predicate.processes or ahead > through
        ]
        reached = self.reached(modal.predicate, at, at)
        return not any(cut[k] == slide.newest[k] for cut in reached for k in matters)

    def because(self, modal: Modal, at: int) -> str:
        """Why a `definitely` is true."""
        cuts = self.cuts(at, at)
        if self.holds(modal.predicate, cuts[0]):
            return "least"
        return "greatest" if self.holds(modal.predicate, cuts[-1]) else "inside"
