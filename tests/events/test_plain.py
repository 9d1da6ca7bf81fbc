"""Whatever value an event is: it is taken, or it is rejected with a reason, and everything after can carry it."""

from __future__ import annotations

import json
from collections import OrderedDict, UserDict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latwin import Monitor, Spec
from latwin.events.plain import MAX_BITS, MAX_VALUES, are_plain, carried, is_plain, is_simple, plain, show

PROPERTIES = {
    "one": "possibly(a.x == 1 and b.y > 'm')",
    "sum": "definitely(a.x + b.x >= 1)",
    "pair": "possibly(a.x == b.x and a.z in (1, 'x'))",
}
BASE = {"processes": ["a", "b"], "window": 2, "max_waiting": 3, "waiting_policy": "skip", "properties": PROPERTIES}
SPECS = [
    Spec.from_dict(fields)
    for fields in (
        BASE,
        {**BASE, "properties": {"one": PROPERTIES["one"]}},
        {**BASE, "synchrony": "1s"},
        {**BASE, "variables": {"text": "x=(?<x>\\w+)", "fields": ["x", "y.z"]}},
    )
]


class Evil:
    """Raises whenever it is looked at."""

    def _raise(self, *_: Any) -> Any:
        raise RuntimeError("never")

    __eq__ = __hash__ = __len__ = __getitem__ = __iter__ = __repr__ = __str__ = __bool__ = _raise
    __lt__ = __gt__ = __index__ = __float__ = __contains__ = keys = items = get = _raise


class EvilMapping(Evil, Mapping[str, Any]):
    """Says that it is a map."""


class EvilText(str):
    """A text that cannot be compared."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("never")

    __hash__ = str.__hash__


class EvilDict(dict[str, Any]):
    """A dictionary that cannot be read."""

    def get(self, *_: Any) -> Any:
        raise RuntimeError("never")

    items = values = __getitem__ = __iter__ = get


class Endless(Mapping[str, Any]):
    """A map without an end."""

    def __getitem__(self, name: str) -> int:
        return 1

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        while True:
            yield "a"


def nested(levels: int, kind: type = list) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"x": value} if kind is dict else [value]
    return value


def doubled(levels: int) -> Any:
    """A list of two to the power of `levels` values in little memory."""
    value: Any = []
    for _ in range(levels):
        value = [value, value]
    return value


CIRCLE: list[Any] = []
CIRCLE.append(CIRCLE)
NASTY = [
    *(Evil(), EvilMapping(), EvilText("x"), EvilDict(x=1), {EvilText("x"): 1}, Endless(), object(), type, len),
    *({1, 2}, frozenset("a"), b"bytes", bytearray(b"x"), memoryview(b"x"), 1j, Decimal(1)),
    datetime(2026, 1, 1, tzinfo=UTC),
    *(float("nan"), float("inf"), 2**63, 2**64, -(2**70), 10**4299, 10**5000, -(10**5000), 1 << MAX_BITS),
    *("\ud800", "\udfff\ud800", "\x00\x1b", {"\ud800": 1}, {1: 2}, {None: 1}, {(1,): 2}, {"x": {1: 2}}),
    *(nested(98, dict), nested(99), nested(100), nested(101, dict), nested(50_000), doubled(80), CIRCLE, (1, (2,))),
    *(MappingProxyType({"x": 1}), UserDict(x=1), OrderedDict(x=(1,)), {"x": True, "y": None}, range(3), ...),
]  # fmt: skip
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(alphabet=st.characters(exclude_categories=[]), max_size=5),
    st.integers(0, len(NASTY) - 1).map(lambda k: NASTY[k]),  # by number: Hypothesis looks at samples
    st.sampled_from([0, 1, "a", "b", "x=1", [1, 0], [0, 1], {"a": 1}, {"b": 1}]),
)
NAMES = st.sampled_from(["a", "b", "x", "y", "z", "event", "process", "clock", "state", "time"]) | LEAVES.filter(
    lambda value: type(value) in (str, int, float, bool)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(NAMES, inner, max_size=3),
    ),
    max_leaves=6,
)
CLOCKS = st.one_of(
    VALUES, st.lists(st.integers(0, 4), min_size=2, max_size=2), st.fixed_dictionaries({"a": st.integers(1, 3)})
)
EVENTS = st.one_of(
    VALUES,
    st.fixed_dictionaries(
        {"process": st.sampled_from(["a", "b"]) | VALUES, "clock": CLOCKS},
        optional={
            "state": st.dictionaries(st.sampled_from(["x", "y", "z"]), VALUES, max_size=2) | VALUES,
            "time": st.floats(0, 9) | VALUES,
            "event": VALUES,
            "x": VALUES,
            "y": VALUES,
        },
    ),
)


def carry(monitor: Monitor, out: Any) -> Monitor:
    """Write whatever there is, and go on from it."""
    for notice in out.notices:
        json.loads(msgspec.json.encode(notice))
        assert notice.reason
    for verdict in out:
        json.loads(msgspec.json.encode(verdict))
    return Monitor.restore(monitor.spec, monitor.snapshot())


def told(out: Any) -> list[str]:
    return [repr(said) for said in (*out, *out.notices)]


@given(st.sampled_from(SPECS), st.lists(EVENTS, max_size=6))
def test_any_value_is_taken_or_rejected(spec: Spec, events: list[Any]) -> None:
    """One by one, together, and with a restart after each: the same is said, and nothing is raised."""
    whole = Monitor(spec)
    together = whole.observe_many(events)
    carry(whole, together)
    one_by_one, restarted = Monitor(spec), Monitor(spec)
    said, said_again = [], []
    for event in events:
        out = one_by_one.observe(event)
        again = restarted.observe(event)
        said += told(out)
        said_again += told(again)
        restarted = carry(restarted, again)
    assert sorted(said) == sorted(told(together)) == sorted(said_again)
    assert one_by_one.counters == whole.counters == restarted.counters


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(NASTY)))
@pytest.mark.parametrize(
    "spec",
    [
        pytest.param(spec, id=name, marks=pytest.mark.soak if name in ("pairs", "synchrony") else [])
        for spec, name in zip(SPECS, ("pairs", "runs", "synchrony", "variables"), strict=True)
    ],
)
def test_each_nasty_value_in_each_place(spec: Spec, number: int) -> None:
    value = NASTY[number]
    event = {"process": "a", "clock": [1, 0], "state": {"x": 1}, "time": 1.0}
    events = [value, {**event, "state": {"x": value}}, {**event, "state": {"x": [{"y": value}]}}]
    events += [{**event, name: value} for name in (*event, "event", "x")]
    for one in events:
        monitor = Monitor(spec)
        out = monitor.observe(one)
        assert monitor.counters.delivered + monitor.counters.rejected == 1
        carry(monitor, out)
        if spec is not SPECS[1]:  # only its states are taken in runs
            continue
        crowd = [{**event, "clock": [k, 0]} for k in range(1, 30)] + [one]
        crowded = Monitor(spec)
        carry(crowded, crowded.observe_many(crowd))
        assert crowded.counters.delivered >= 29


@given(VALUES)
def test_plain_means_that_it_can_be_written(value: Any) -> None:
    shown = carried(value)
    assert is_plain(shown)
    assert len(show(value)) <= 200
    json.dumps(shown, allow_nan=True)
    if is_plain(value):
        assert shown is value
        assert plain(value, "it") is value
        assert msgspec.json.decode(msgspec.json.encode([value]))
    if is_simple(value):
        assert is_plain(value)


@given(st.lists(st.dictionaries(NAMES, VALUES, max_size=3) | st.none(), max_size=4), st.lists(VALUES, max_size=4))
def test_many_are_judged_as_each(states: list[Any], times: list[Any]) -> None:
    assert are_plain(states, times) == all(is_plain(value, 99) for value in (*states, *times))


def test_what_has_a_plain_meaning_is_taken_as_that() -> None:
    spec = Spec.from_dict({"processes": ["a"], "window": 3, "properties": {"p": "possibly(a.x == 1 and a.y == 'é')"}})
    for state in (MappingProxyType({"x": 1, "y": "é"}), UserDict(x=1, y="é"), OrderedDict(x=True, y="é")):
        monitor = Monitor(spec)
        assert [verdict.value for verdict in monitor.observe({"process": "a", "clock": (1,), "state": state})] == [
            True
        ]
        assert type(monitor.states(0)[-1]) is dict
    assert plain(((1, "é"), 2), "it") == [[1, "é"], 2]


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ({"x": {1}}, "`x` is a set"),
        ({"x": [{"y": b""}]}, "`x[0].y` is a bytes"),
        ({1: 2}, "it has a name that is no text: 1"),
        ({"x": "\ud800"}, "`x` has half of a surrogate pair"),
        ({"x": 10**5000}, "`x` is an integer of 16,610 bits"),
        ({"x": nested(99)}, "nested too deeply: at most 100 levels"),
        ({"x": doubled(30)}, f"more than {MAX_VALUES:,} values"),
        (EvilDict(x=1), "looking into it raised RuntimeError"),
        ({"x": datetime(2026, 1, 1, tzinfo=UTC)}, "`x` is a datetime"),
    ],
    ids=range(9),
)
def test_reasons(state: Any, reason: str) -> None:
    out = Monitor(SPECS[0]).observe({"process": "a", "clock": [1, 0], "state": state})
    assert reason in out.notices[0].reason
