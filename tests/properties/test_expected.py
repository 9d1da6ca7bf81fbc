"""What properties expect of states: which questions a tree implies, and when they are met."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expressions import expressions
from latwin.properties import Modal, parse_property
from latwin.properties.expected import MOST_EXPECTATIONS, Expectations

PROCESSES = ["phone", "door"]


def texts(*properties: str) -> list[str]:
    trees = [parse_property(text, PROCESSES) for text in properties]
    return [expectation.text for expectation in Expectations(trees, PROCESSES)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("possibly(phone.on)", ["phone.on"]),
        ("possibly(phone.ap == 'office')", ["phone.ap", "phone.ap == 'office'"]),
        ("possibly('office' != phone.ap)", ["phone.ap", "phone.ap == 'office'"]),
        ("possibly(door.n in (1, 1 + 1, null))", ["door.n", "door.n == 1", "door.n == 2"]),
        ("possibly(door.n not in (door.m, 3))", ["door.n", "door.n == 3", "door.m"]),
        ("possibly(phone.load < 3 and 3 > phone.load)", ["phone.load", "phone.load < 3", "3 > phone.load"]),
        ("possibly(phone.a.b == null)", ["phone.a.b"]),
        ("possibly(phone.used / phone.size > 3)", ["phone.used / phone.size > 3", "phone.used", "phone.size"]),
        ("possibly(phone.used + 1 in (2, 3))", ["phone.used + 1 in (2, 3)", "phone.used"]),
        ("possibly(phone.x + door.x > 3)", ["phone.x", "door.x"]),
        ("possibly(phone.x == door.x)", ["phone.x", "door.x"]),
        ("AG(phone.x implies EF(door.y == 2))", ["phone.x", "door.y", "door.y == 2"]),
        ("possibly(seq(phone.x, any*, door.y == 2))", ["phone.x", "door.y", "door.y == 2"]),
        ("probability(phone.x) > 0.5 and not definitely(door.z)", ["phone.x", "door.z"]),
        ("possibly(true)", []),
    ],
)
def test_what_a_property_expects(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_several_properties_expect_a_thing_once_and_what_concerns_a_variable_stands_together() -> None:
    one, other = "possibly(phone.ap == 'a' and door.x)", "possibly(phone.ap == 'b' and phone.ap == 'a')"
    assert texts(one, other) == ["phone.ap", "phone.ap == 'a'", "phone.ap == 'b'", "door.x"]


def test_other_expectations_have_another_digest() -> None:
    one, other = (Expectations([parse_property(f"possibly(door.{x})", PROCESSES)], PROCESSES) for x in "xy")
    assert one.digest != other.digest
    assert one.digest == Expectations([parse_property("definitely(door.x)", PROCESSES)], PROCESSES).digest


def test_their_number_is_bounded() -> None:
    options = ", ".join(map(str, range(3 * MOST_EXPECTATIONS)))
    assert len(texts(f"possibly(phone.x in ({options}))")) == MOST_EXPECTATIONS


@pytest.mark.parametrize(
    ("text", "value", "is_met"),
    [
        ("phone.x == 1", 1.0, True),
        ("phone.x == 1", True, True),
        ("phone.x == '1'", 1, False),
        ("phone.x < 3", 7, True),
        ("phone.x < 3", "7", False),
        ("phone.x < 'b'", "c", True),
        ("phone.x < 'b'", [1], False),
    ],
)
def test_when_a_value_meets_an_expectation(text: str, value: Any, is_met: bool) -> None:
    found = Expectations([parse_property(f"possibly({text})", PROCESSES)], PROCESSES)
    assert found.by_text[text].is_met(value) == is_met


@pytest.mark.parametrize(
    ("text", "state", "is_met"),
    [
        ("phone.x / phone.y > 3", {"x": 1, "y": 2}, True),
        ("phone.x / phone.y > 3", {"x": 1, "y": 0}, False),
        ("phone.x == phone.y", {"x": 1}, False),
        ("phone.x == phone.y", {"x": 1, "y": "1"}, True),
        ("phone.x < phone.y", {"x": 1, "y": "1"}, False),
    ],
)
def test_when_a_state_meets_a_condition(text: str, state: dict[str, Any], is_met: bool) -> None:
    found = Expectations([parse_property(f"possibly({text})", PROCESSES)], PROCESSES)
    assert found.by_text[text].is_met(state) == is_met


@given(st.lists(expressions(2), max_size=3))
def test_any_condition_has_expectations(conditions: list[Any]) -> None:
    """Of variables first, in groups that cover all of them once."""
    found = Expectations([Modal("possibly", condition) for condition in conditions], PROCESSES)
    numbers = [number for group in found.groups.values() for number in group]
    assert sorted(numbers) == list(range(len(found)))
    for number, group in found.groups.items():
        assert min(group) == number
        assert (found[number].kind == "condition") == (not found[number].path)
        assert found[number].kind in ("variable", "condition")
