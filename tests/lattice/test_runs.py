"""Compiled runs: many states in one call have the outcome of one at a time, for properties of all kinds mixed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from effort import examples
from finality import random_events
from latwin import Monitor, PropertyError, Spec
from mixed_properties import mixed_property


def random_spec(rng: random.Random, processes: int) -> Spec:
    """A spec with several properties, uneven windows, and either delivery."""
    names = [f"p{k}" for k in range(processes)]
    fields: dict[str, Any] = {
        "processes": names,
        "window": {name: rng.choice([1, 2, 3, 4, 4]) for name in names},
        "delivery": rng.choice(["fifo", "causal"]),
        "max_waiting": rng.choice([2, 6]),
        "waiting_policy": "skip",
        "initial": {name: {"n": rng.randrange(2)} for name in names if rng.random() < 0.8},
        "max_cuts": rng.choice([6, 10_000, 10_000, 10_000]),
    }
    if rng.random() < 0.1:
        fields["window"] = None
    if rng.random() < 0.1:
        fields["synchrony"] = rng.choice(["3s", "9s"])
    texts: dict[str, str] = {}
    while len(texts) < rng.choice([1, 3, 6]):
        text = mixed_property(rng, processes)
        try:
            Spec.from_dict({**fields, "properties": {"p": text}})
        except PropertyError:  # an automaton of too many states
            continue
        texts[f"q{len(texts)}"] = text
    return Spec.from_dict({**fields, "properties": texts})


@pytest.mark.parametrize("seed", range(examples(160)))
def test_runs_equal_single_states(seed: int) -> None:
    """Verdicts with all they say, notices, positions, counters, and what is kept, whatever the batches."""
    rng = random.Random(f"runs {seed}")
    processes = rng.choice([1, 2, 2, 3, 3, 4])
    spec = random_spec(rng, processes)
    events = random_events(rng, processes, rng.choice([20, 60]), lost=rng.choice([0, 0, 0.05]))
    if rng.random() < 0.2:
        events.insert(
            rng.randrange(len(events)), {"process": "p0", "clock": [1] + [9] * (processes - 1), "state": {}}
        )
    if rng.random() < 0.2:
        events[rng.randrange(len(events))]["state"] = {"n": rng.choice([None, 2**70, 0.25])}
    observations = rng.random() < 0.2
    alone, batched = Monitor(spec, observations=observations), Monitor(spec, observations=observations)
    expected, noted = [], []
    for position, event in enumerate(events):
        out = alone.observe(event)
        expected += [(position, verdict) for verdict in out]
        noted += [(position, notice) for notice in out.notices]
    found, notices, begin = [], [], 0
    while begin < len(events):
        end = begin + rng.choice([1, 7, 50])
        out = batched.observe_many(events[begin:end])
        found += [(begin + at, verdict) for at, verdict in zip(out.positions, out, strict=True)]
        notices += [(begin + at, notice) for at, notice in zip(out.notice_positions, out.notices, strict=True)]
        begin = end
    texts = dict(spec.properties)
    assert [(at, repr(each)) for at, each in found] == [(at, repr(each)) for at, each in expected], texts
    assert notices == noted
    assert batched.snapshot() == alone.snapshot()
