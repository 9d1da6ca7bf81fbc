"""Windows of time by their definition, and random events with times that go back, jump, and stand still.

`Timeline` watches a monitor and finds out anew at every slide, from the delivered states and their times alone, which
states each window holds; `finality.Recording` then lists the cuts.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from computations import State
from finality import Recording, random_events
from latwin import Monitor, Spec
from latwin.slide import Slide
from oracle import BruteForce

Step = dict[str, Any] | float  #: an event, or the time at which a monitor is told that time went on


class Timeline(Recording):
    """All slides of a monitor; at each of them, `oldest` must be as the definition says."""

    def __init__(self, spec: Spec, steps: Sequence[Step]) -> None:
        self._begins = [[-math.inf] for _ in spec.processes]
        self._now = -math.inf
        self._monitor = Monitor(spec, on_slide=self._take)
        super().__init__(spec, [])
        self.notices = []
        for step in steps:
            if isinstance(step, float):
                self._now = max(self._now, step)
                self._monitor.advance(step)
            else:
                self.notices += self._monitor.observe(step).notices

    def _take(self, slide: Slide) -> None:
        if slide.process is None:
            self.slides.append(slide)
        else:
            super()._take(slide)
            k, time_s = self.spec.processes.index(slide.process), float(slide.time)
            self._begins[k].append(max(time_s, self._begins[k][-1]))
            self._now = max(self._now, time_s)
        assert slide.oldest == tuple(map(self._oldest, range(len(self.states)))), slide.number
        assert slide.newest == tuple(len(states) - 1 for states in self.states)

    def _oldest(self, process: int) -> int:
        """The number of the first state that a window holds, by the definition."""
        begins, states = self._begins[process], self.spec.window[process]
        length_s, oldest = self.spec.window_time_s[process], 0
        if length_s is not None:
            cutoff = self._now - self.spec.lateness_s - length_s
            oldest = max((k for k, begin in enumerate(begins) if begin <= cutoff), default=0)
        return oldest if states is None else max(oldest, len(begins) - states)

    def brute_force(self, at: int) -> BruteForce:
        """The windows of a slide, if no state was lost by then."""
        lattice, slide = BruteForce(len(self.states)), self.slides[at]
        lattice.windows = [
            [State(k, clock, value) for _, clock, value in self.states[k][slide.oldest[k] : slide.newest[k] + 1]]
            for k in range(len(self.states))
        ]
        lattice.update()
        return lattice


def random_steps(rng: random.Random, processes: int, count: int, *, lost: float = 0.1) -> list[Step]:
    """Events of a random computation whose times are mostly right, and moments at which time went on."""
    steps: list[Step] = []
    skew = [rng.choice([0.0, 0.0, 3.0, -5.0]) for _ in range(processes)]
    wrong, ticks, pause = rng.choice([0.0, 0.1]), rng.choice([0.0, 0.15]), rng.choice([0.0, 0.05])
    rest = 0.0
    for event in random_events(rng, processes, count, lost=lost):
        rest += rng.uniform(0, 30) if rng.random() < pause else 0.0
        time_s = event["time"] + rest + skew[int(event["process"][1:])]
        if rng.random() < wrong:
            time_s += rng.choice([-20.0, 15.0, 1e9, -1e9])
        steps.append({**event, "time": time_s})
        if rng.random() < ticks:
            steps.append(time_s + rng.choice([-10.0, 0.0, 2.0, 25.0]))
    return steps


def random_window(rng: random.Random, names: Sequence[str]) -> Any:
    """One size for all, or one for each process: by time, by number, by both, or without a bound."""
    times, numbers = ["1s", "3s", "8s", "20s", "1m"], [1, 2, 3, 4]
    both = [{"time": time, "states": number} for time in times for number in numbers]
    if rng.random() < 0.4:
        return rng.choice([rng.choice(times), rng.choice(both)])
    kinds: list[list[Any]] = [times, times, both, numbers, ["unlimited"]]
    window = {name: rng.choice(rng.choice(kinds)) for name in names}
    return {**window, names[0]: rng.choice(times)}


def random_settings(rng: random.Random, processes: int) -> dict[str, Any]:
    """Fields of a spec with windows of time."""
    names = [f"p{k}" for k in range(processes)]
    fields: dict[str, Any] = {
        "window": random_window(rng, names),
        "lateness": rng.choice(["0", "2s", "7s"]),
        "max_jump": rng.choice(["12s", "1h", "unlimited"]),
        "delivery": rng.choice(["fifo", "causal"]),
        "max_waiting": rng.choice([2, 6]),
        "waiting_policy": "skip",
        "initial": {name: {"n": rng.randrange(2)} for name in names if rng.random() < 0.7},
    }
    return fields
