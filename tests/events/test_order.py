"""The order rule: a total order of the events of one batch that depends on the events alone."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from latwin.events import Envelope, EventReader, Place, by_group, in_order
from latwin.events.order import place_of

SEED = 11
NAMES = ["a", "b", "c"]
POSITIONS = {name: k for k, name in enumerate(NAMES)}


def random_event(draw: random.Random) -> dict[str, Any]:
    """An event, or nearly one: any field may be missing, odd, or the same as another event's."""
    clock: Any = [draw.randrange(3) for _ in range(draw.choice((2, 3)))]
    event = {
        "process": draw.choice([*NAMES, "fax", None, ["a"]]),
        "clock": draw.choice([clock, dict(zip(NAMES, clock, strict=False)), "x", None, [1, "y"], 5]),
        "state": {"x": draw.random() < 0.5},
        "arrival": draw.choice([0, 1, 1.5, "1", "0", None, True]),
        "time": draw.choice([3, 3.5, "2026-01-01", None, [1]]),
        "n": draw.choice([1, 1 << 80]),
    }
    chance = draw.choice((0.2, 0.5, 0.9))
    names = [name for name in event if draw.random() < chance]
    draw.shuffle(names)
    return {name: event[name] for name in names}


def slow_key(event: dict[str, Any]) -> tuple[Any, ...]:
    """The rule, spelled out."""
    clock, process = event.get("clock"), event.get("process")
    position = NAMES.index(process) if process in NAMES else 1 << 62
    entries = clock if isinstance(clock, list) else list(clock.values()) if isinstance(clock, dict) else None
    total: Any = 1 << 62
    index: Any = 1 << 62
    if entries is not None and all(isinstance(entry, int) for entry in entries):
        if isinstance(clock, dict):
            total, index = sum(entries), clock.get(str(process), 0)
        elif position < len(entries):
            total, index = sum(entries), entries[position]
    place: tuple[Any, ...] = (4, total, "")
    for rank, name in ((2, "time"), (0, "arrival")):
        value = event.get(name)
        if type(value) in (int, float):
            place = (rank, value, "")
        elif type(value) is str:
            place = (rank + 1, 0, value)
    return *place, position, index, total


def test_the_rule() -> None:
    print(f"seed {SEED}")
    draw = random.Random(SEED)
    for _ in range(500):
        events = [random_event(draw) for _ in range(draw.randrange(2, 25))]
        found = in_order([EventReader().row(event) for event in events], POSITIONS)
        keys = [slow_key(envelope.event) for envelope in found]
        assert keys == sorted(keys)
        draw.shuffle(events)
        again = in_order([EventReader().row(event) for event in events], POSITIONS)
        assert [json.dumps(e.event, sort_keys=True) for e in found if e.event] == [
            json.dumps(e.event, sort_keys=True) for e in again if e.event
        ]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_json_does_not_know_are_texts(number: float) -> None:
    place = place_of({"time": number})
    assert place == Place(3, 0, str(number))
    others = [Envelope(group="g", order=Place(2, k), event={}) for k in (2, 1)]
    assert in_order([Envelope(group="g", order=place, event={}), *others], POSITIONS)[-1].order == place


def test_groups_as_they_first_appear() -> None:
    envelopes = [Envelope(group=group, event={"k": k}) for k, group in enumerate("babac")]
    groups = by_group(envelopes)
    assert {group: [envelope.event["k"] for envelope in some] for group, some in groups.items()} == {
        "b": [0, 2],
        "a": [1, 3],
        "c": [4],
    }
    assert list(groups) == ["b", "a", "c"]
