"""The paper's workload, seeded, in the forms the benchmarks need."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from latwin import Spec
from latwin.delivery import ReorderBuffer
from latwin.events import Arrival
from latwin.sim import simulate_office

Delivered = tuple[int, list[int], bool]


def names(processes: int) -> list[str]:
    return [f"p{k}" for k in range(processes)]


@cache
def office(processes: int, hours: float, seed: int = 1) -> list[dict[str, Any]]:
    """Events in order of arrival, decoded."""
    return simulate_office(processes, hours=hours, seed=seed, names=names(processes)).as_dicts(clock="list")


@cache
def delivered(processes: int, hours: float, seed: int = 1) -> list[Delivered]:
    """The same as (process, clock, on) in order of delivery."""
    buffer = ReorderBuffer(processes, causal=False)
    out: list[Delivered] = []
    for event in office(processes, hours, seed):
        process = int(event["process"][1:])
        buffer.add(Arrival(process, event["clock"][process], event["clock"], event["state"]["on"], None))
        for arrival in buffer.release(process):
            buffer.through[process] = arrival.index
            out.append((process, arrival.clock, arrival.state))
    return out


def gossip(processes: int, states: int, rate: float, seed: int) -> list[Delivered]:
    """States in a causal order; each begins, with probability `rate`, by hearing of another's latest one."""
    draw = random.Random(seed)
    clocks = [[0] * processes for _ in range(processes)]
    out: list[Delivered] = []
    for _ in range(states):
        k = draw.randrange(processes)
        clock = list(clocks[k])
        if draw.random() < rate:
            j = (k + draw.randrange(1, processes)) % processes
            clock = [max(mine, theirs) for mine, theirs in zip(clock, clocks[j], strict=True)]
        clock[k] += 1
        clocks[k] = clock
        out.append((k, clock, draw.random() < 0.8))
    return out


@cache
def in_turn(processes: int, rounds: int, rate: float, seed: int) -> list[dict[str, Any]]:
    """Events of fewer than ten processes that report in turn, one round a second.

    Windows of 2.95 seconds and windows of four states then hold the same states at every slide.
    """
    draw = random.Random(seed)
    clocks = [[0] * processes for _ in range(processes)]
    out: list[dict[str, Any]] = []
    for number in range(rounds):
        for k in range(processes):
            heard = clocks[draw.randrange(processes)] if draw.random() < rate else clocks[k]
            clock = [max(mine, theirs) for mine, theirs in zip(clocks[k], heard, strict=True)]
            clock[k] += 1
            clocks[k] = clock
            state, time_s = {"on": draw.random() < 0.8}, 1_700_000_000 + number + k / 10
            out.append({"process": f"p{k}", "clock": clock, "state": state, "time": time_s})
    return out


def spec(processes: int, window: int | str, text: str) -> Spec:
    return Spec.from_dict(
        {
            "processes": names(processes),
            "window": window,
            "initial": {name: {"on": False} for name in names(processes)},
            "properties": {"p": text},
        }
    )


def all_on(processes: int) -> str:
    return f"definitely({' and '.join(f'{name}.on' for name in names(processes))})"


def at_least(count: int, processes: int) -> str:
    return f"definitely({' + '.join(f'{name}.on' for name in names(processes))} >= {count})"
