"""Values, times and names as people read them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latwin.cli.wording import shorten, show_steps, show_time, show_value
from latwin.events.escaping import one_line

NANOS = 1_700_000_000_123_456_789


@given(st.text(), st.integers(8, 40))
def test_texts_keep_their_ends_and_their_line(text: str, width: int) -> None:
    shown = shorten(text, width)
    assert len(shown) <= width
    assert one_line(shown) == shown
    if text.isprintable() and len(text) <= width:
        assert shown == text


def test_a_long_text_loses_its_middle() -> None:
    assert shorten("0123456789abcdef", 10) == "0123...def"
    assert show_value({"key": "v" * 100}).startswith('{"key": "vvv')
    assert len(show_value(list(range(1000)))) == 40
    assert show_value(10**300).startswith("1000")
    assert show_value("\x1b[31m\n") == r'"\u001b[31m\n"'


@pytest.mark.parametrize(
    ("time", "shown"),
    [
        ("2023-11-14T22:13:20+01:00", "2023-11-14T22:13:20+01:00"),
        ("1700000000", "1700000000"),
        (1_700_000_000, "1700000000 (2023-11-14T22:13:20Z)"),
        (1_700_000_000.0, "1700000000.0 (2023-11-14T22:13:20Z)"),
        (1_700_000_000.25, "1700000000.25 (2023-11-14T22:13:20.250Z)"),
        (NANOS // 10**6, "1700000000123 (2023-11-14T22:13:20.123Z)"),
        (NANOS // 10**3, "1700000000123456 (2023-11-14T22:13:20.123456Z)"),
        (NANOS, "1700000000123456789 (2023-11-14T22:13:20.123456789Z)"),
        (0, "0"),
        (12.5, "12.5"),
        (-1_700_000_000, "-1700000000"),
        (5_000_000_000, "5000000000"),
        (10**40, "1" + "0" * 18 + "..." + "0" * 18),
        (True, "true"),
        ([1], "[1]"),
        ("\x1b[31m", r"\x1b[31m"),
    ],
)
def test_times_are_shown_as_times(time: Any, shown: str) -> None:
    assert show_time(time) == shown


@given(st.datetimes(datetime(2001, 9, 10), datetime(2096, 10, 1)))
def test_every_unit_shows_the_same_second(moment: datetime) -> None:
    seconds = int(moment.replace(tzinfo=UTC).timestamp())
    expected = moment.strftime("%Y-%m-%dT%H:%M:%S")
    for unit in (1, 10**3, 10**6, 10**9):
        assert f"({expected}" in show_time(seconds * unit)


def test_observations_are_told_by_their_steps() -> None:
    names = ["phone", "rfid"]
    assert show_steps([(0, 0), (1, 0), (1, 1)], names) == "phone#1 rfid#1"
    assert show_steps([(3, 4)], names) == ""
    long = [(0, 0), *((k, 0) for k in range(1, 11)), (10, 1)]
    assert show_steps(long, names) == "phone#1 phone#2 phone#3 phone#4 phone#5 (5 more) rfid#1"
