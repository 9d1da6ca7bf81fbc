"""Random computations of processes that join and leave."""

from __future__ import annotations

import random
from typing import Any


def an_open_computation(rng: random.Random, names: list[str], states: int) -> list[dict[str, Any]]:
    """Events of processes that begin, send, leave and come back, out of order; clocks know whoever was heard of."""
    clocks: dict[str, dict[str, int]] = {}
    gone: set[str] = set()
    placed = []
    for number in range(states):
        name = rng.choice(names[: 2 + number * len(names) // states])
        heard = clocks.get(rng.choice(names), {}) if rng.random() < 0.7 else {}
        mine = clocks.get(name, {})
        clock = {other: max(mine.get(other, 0), heard.get(other, 0)) for other in {*mine, *heard}}
        clock[name] = mine.get(name, 0) + 1
        clocks[name] = clock
        event: dict[str, Any] = {"process": name, "clock": dict(sorted(clock.items())), "state": {}}
        if name not in gone and rng.random() < 0.25:
            gone.add(name)
            event["leave"] = True
        else:
            gone.discard(name)
            event["state"] = {"n": rng.randrange(2)}
        placed.append((number + 3 * rng.random(), number, event))
    return [event for _, _, event in sorted(placed, key=lambda each: each[:2])]
