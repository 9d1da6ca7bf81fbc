"""Conditions under `[states]`: they may use each other, in any order and in no circle, and stay bounded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latwin import PropertyError, Spec
from latwin.properties import parse_predicate, parse_property
from latwin.properties.named_states import NamedStates
from latwin.properties.tree import show

PROCESSES = ["a", "b"]


@given(st.data(), st.integers(1, 6))
def test_names_mean_what_they_stand_for(data: st.DataObject, count: int) -> None:
    """The oracle puts the texts in parentheses in the place of the names."""
    texts: dict[str, str] = {}
    written_out: dict[str, str] = {}
    for number in range(count):
        known = sorted(written_out)
        words = st.sampled_from(["a.x", "b.y > 3", "not a.z", *known])
        left, right = data.draw(words), data.draw(words)
        join = data.draw(st.sampled_from(["and", "or", "implies"]))
        name = f"s{number}"
        texts[name] = f"{left} {join} {right}"
        written_out[name] = f"({written_out.get(left, left)}) {join} ({written_out.get(right, right)})"
    order = data.draw(st.permutations(sorted(texts)))
    states = NamedStates({name: texts[name] for name in order}, PROCESSES)
    assert list(states) == order
    for name in order:
        assert states[name] == parse_predicate(written_out[name], PROCESSES)


def test_the_spec_writes_them_out() -> None:
    spec = Spec.from_dict(
        {
            "processes": PROCESSES,
            "window": 1,
            "states": {"both": "on and b.y", "on": "a.x"},
            "properties": {"p": "possibly(seq(both, any*, on))", "q": "definitely(both)"},
        }
    )
    assert spec.meanings["q"] == show(parse_property("definitely(a.x and b.y)", PROCESSES), PROCESSES)
    assert Spec.from_dict(spec.to_dict()) == spec


@pytest.mark.parametrize(
    ("states", "words"),
    [
        ({"s": "s"}, "state 's' is defined by itself: s -> s"),
        ({"s": "t and a.x", "t": "not u", "u": "a.y or s"}, "state 's' is defined by itself: s -> t -> u -> s"),
        ({"s": "t", "t": "u", "u": "t"}, "state 't' is defined by itself: t -> u -> t"),
        ({f"s{k}": f"s{k + 1}" for k in range(40)} | {"s40": "a.x"}, "state 's0' uses a chain of more than 20 names"),
        (
            {"s0": "a.x and b.y"} | {f"s{k}": " and ".join([f"s{k - 1}"] * 9) for k in range(1, 15)},
            "named states that come to more than 10,000 conditions",
        ),
        (
            {"s0": "a.x"} | {f"s{k}": "not " * 150 + f"s{k - 1}" for k in range(1, 3)},
            "nested more than 200 levels deep",
        ),
        ({"s": "t", "t": "a.x ="}, "predicate 'state t', line 1, column 5"),
        ({"s": "unknown"}, "variable 'unknown' without a process"),
    ],
)
def test_what_cannot_be(states: dict[str, str], words: str) -> None:
    with pytest.raises(PropertyError) as raised:
        Spec.from_dict({"processes": PROCESSES, "window": 1, "states": states})
    assert words in str(raised.value)


def test_the_room_of_a_property() -> None:
    states = {"s": " and ".join(f"a.x{k}" for k in range(600))}
    good = {"processes": PROCESSES, "window": 1, "states": states, "properties": {"p": "possibly(s or s)"}}
    assert Spec.from_dict(good).states == states
    with pytest.raises(PropertyError, match="named states that come to more than 10,000 conditions"):
        Spec.from_dict({**good, "properties": {"p": f"possibly({' or '.join(['s'] * 20)})"}})


@pytest.mark.parametrize("text", [r"\ud83d\ude00", r"\uD83D\uDE00", r"\U0001f600", "\U0001f600"])
def test_surrogate_pairs_are_one_character(text: str) -> None:
    assert parse_predicate(f"a.x == '{text}'", PROCESSES) == parse_predicate("a.x == '\U0001f600'", PROCESSES)
    assert parse_predicate(f"a.`{text}`", PROCESSES) == parse_predicate("a.`\U0001f600`", PROCESSES)


@given(st.characters(min_codepoint=0x10000))
def test_all_pairs_are_those_of_json(char: str) -> None:
    high, low = divmod(ord(char) - 0x10000, 0x400)
    escaped = f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
    assert parse_predicate(f"a.x == '{escaped}'", PROCESSES) == parse_predicate(f"a.x == '{char}'", PROCESSES)
