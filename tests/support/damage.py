"""Damaged snapshots: real ones, changed by chance, and what becomes of a monitor that is to go on from them.

`python tests/support/damage.py COUNT [SEED]` tries many and prints what became of them.
"""

from __future__ import annotations

import random
import sys
import zlib
from collections import Counter
from functools import cache
from typing import Any, NamedTuple

import msgspec

from latwin import Monitor, SnapshotError, Spec, TooManyWaiting
from latwin.snapshot import VERSION

#: before the fields: the array's head, the version and the checksum
HEADER = 7
PROPERTIES = {
    "conjunction": "definitely(a.x and b.x)",
    "either": "possibly(a.x and b.x) or possibly(b.x + a.n > 3)",
    "pair": "definitely(a.n == b.n)",
    "program": "possibly(a.x + b.x > 1)",
    "ctl": "EF(AG(a.x or b.x))",
    "sequence": "possibly(seq(a.x, b.x))",
    "chance": "probability(a.x and b.x) > 0.5",
    "seldom": "possibly(a.n == 3 or b.nothing == 'here')",
}
SPECS: tuple[dict[str, Any], ...] = (
    {"processes": ["a", "b"], "window": 3},
    {"processes": ["a", "b", "c"], "window": {"a": 2, "b": "unlimited", "c": 4}, "delivery": "causal"},
    {"processes": ["a", "b", "c"], "window": 3, "max_waiting": 3, "waiting_policy": "skip"},
    {"processes": ["a", "b", "c"], "window": 4, "max_waiting": 4, "waiting_policy": "skip", "delivery": "causal"},
    {"processes": ["a", "b"], "window": 4, "synchrony": "2s"},
    {"processes": ["a", "b"], "window": 2, "variables": {"fields": ["x", "n"]}},
    {"processes": ["a", "b", "c"], "window": 5, "properties": {"only": PROPERTIES["conjunction"]}},
)


class Sample(NamedTuple):
    """A snapshot, its spec, and the events that come next."""

    spec: Spec
    data: bytes
    later: list[dict[str, Any]]


def _events(rng: random.Random, processes: list[str], count: int) -> list[dict[str, Any]]:
    """States of a random computation, out of order and with losses."""
    clocks = [[0] * len(processes) for _ in processes]
    placed = []
    for number in range(count):
        k = rng.randrange(len(processes))
        heard = clocks[rng.randrange(len(processes))] if rng.random() < 0.5 else clocks[k]
        clock = [max(mine, theirs) for mine, theirs in zip(clocks[k], heard, strict=True)]
        clock[k] += 1
        clocks[k] = clock
        state = {"x": rng.random() < 0.7, "n": rng.randrange(4)}
        if rng.random() < 0.9:
            event = {"process": processes[k], "clock": clock, "state": state, "time": float(number)}
            placed.append((number + 4 * rng.random(), event))
    return [event for _, event in sorted(placed, key=lambda pair: pair[0])]


@cache
def samples() -> list[Sample]:
    """Real snapshots, of every kind of delivery, empty ones among them."""
    found = []
    for number, fields in enumerate(SPECS):
        spec = Spec.from_dict({"properties": PROPERTIES, **fields})
        for length in (0, 4, 12, 25, 40):
            rng = random.Random(100 * number + length)
            events = _events(rng, list(spec.processes), length + 8)
            monitor = Monitor(spec, observations=True)
            for event in events[: max(0, len(events) - 8)]:
                monitor.observe(event)
            found.append(Sample(spec, monitor.snapshot(), events[-8:]))
    return found


# -- damage ------------------------------------------------------------------------------------------------


def with_checksum(fields: Any) -> bytes:
    """The fields of a snapshot as a wrong writer would write them: with a right checksum."""
    encoded = fields if isinstance(fields, bytes) else msgspec.msgpack.encode(fields)
    return b"\x93" + bytes([VERSION]) + b"\xce" + zlib.crc32(encoded).to_bytes(4, "big") + encoded


def fields_of(data: bytes) -> Any:
    """The fields of a snapshot, to be changed."""
    return msgspec.msgpack.decode(data[HEADER:])


def damage_bytes(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Bytes flipped, lost, or replaced by those of another snapshot."""
    changed = bytearray(data)
    kind = rng.randrange(4)
    for _ in range(rng.choice([1, 1, 2, 8])):
        place = rng.randrange(len(changed)) if changed else 0
        if kind == 0 and changed:
            changed[place] ^= 1 << rng.randrange(8)
        elif kind == 1 and changed:
            changed[place] = rng.randrange(256)
        elif kind == 2:
            del changed[place : place + rng.choice([1, 2, 1000])]
        else:
            begin = rng.randrange(len(other))
            changed[place : place + rng.randrange(40)] = other[begin : begin + rng.randrange(40)]
    return bytes(changed)


def damage_fields(rng: random.Random, fields: Any, others: Any) -> Any:
    """Some fields, entries or types changed, wherever they are."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        places = list(_places(fields))
        if not places:
            break
        holder, at = rng.choice(places)
        foreign = list(_places(others))
        holder[at] = _changed(rng, holder[at], foreign)
        if isinstance(holder, list):
            kind = rng.randrange(12)
            if kind == 0:
                del holder[at]
            elif kind == 1:
                holder.insert(at, holder[at])
            elif kind == 2:
                rng.shuffle(holder)
    return fields


def _places(value: Any) -> Any:
    """Every (container, key) below a value."""
    inside = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for at, inner in list(inside):
        yield value, at
        yield from _places(inner)


def _changed(rng: random.Random, value: Any, foreign: list[tuple[Any, Any]]) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.8:
        return rng.choice([value + 1, value - 1, 0, 1, rng.randrange(50), -1, 2**62 - 1, 2**62, 2**63, 2**64 - 1])
    if rng.random() < 0.3 and foreign:
        holder, at = rng.choice(foreign)
        return msgspec.msgpack.decode(msgspec.msgpack.encode(holder[at]))
    deep: Any = []
    for _ in range(rng.choice([50, 200, 300])):
        deep = [deep]
    odd: list[Any] = [None, True, False, 0, 1.5, float("nan"), float("inf"), "", "a", b"x", [], {}, [0], {"x": 1}]
    return rng.choice([*odd, {1: 2}, [[0, 0]], msgspec.msgpack.Ext(1, b"1" * 9), msgspec.msgpack.Ext(5, b""), deep])


# -- what becomes of it ------------------------------------------------------------------------------------


def outcome(seed: int) -> str:
    """Damage a snapshot by chance and go on from it: "refused" or "works"; anything else is raised."""
    rng = random.Random(seed)
    sample, other = rng.choice(samples()), rng.choice(samples())
    kind = rng.randrange(4)
    if kind == 0:
        data = damage_bytes(rng, sample.data, other.data)
    elif kind == 1:  # so that the checksum does not hide what comes after it
        data = with_checksum(damage_bytes(rng, sample.data[HEADER:], other.data[HEADER:]))
    else:
        data = with_checksum(damage_fields(rng, fields_of(sample.data), fields_of(other.data)))
    try:
        monitor = Monitor.restore(sample.spec, data, observations=True)
    except SnapshotError:
        return "refused"
    for event in sample.later:
        try:
            monitor.observe(event, every=True)
        except TooManyWaiting:
            break
    monitor.values()
    monitor.snapshot()
    return "works"


if __name__ == "__main__":
    import faulthandler

    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    counts: Counter[str] = Counter()
    samples()  # compiles the kernels, which takes its time
    for seed in range(first, first + int(sys.argv[1])):
        faulthandler.dump_traceback_later(60, exit=True)
        try:
            counts[outcome(seed)] += 1
        except BaseException:
            print(f"seed={seed}", dict(counts), flush=True)
            raise
    faulthandler.cancel_dump_traceback_later()
    print(f"seeds from {first}: {counts.total()} damaged snapshots, {dict(counts)}")
