"""Stamps: whatever carries them gives them back, and what is no stamp is told so."""

from __future__ import annotations

from email.message import Message
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latwin.events.clocks import LARGEST_ENTRY
from latwin.process import (
    ATTRIBUTE,
    HEADER,
    InvalidEvent,
    InvalidInput,
    MemoryReporter,
    Process,
    Stamp,
    find_stamp,
    read_stamp,
)
from latwin.process.stamps import write_stamp

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
stamps = st.builds(Stamp, st.dictionaries(names, st.integers(0, LARGEST_ENTRY - 1), max_size=4), names)
EVENT = {"specversion": "1.0", "id": "1", "source": "/phone", "type": "command", "data": {"on": True}}


@given(stamps)
def test_every_carrier_gives_the_stamp_back(stamp: Stamp) -> None:
    assert stamp.text.isascii()
    assert stamp.text.isprintable()
    for message in ({}, {"a": 1}, [], [("a", b"1")], [("a", "1")], [(b"a", b"1")], EVENT):
        before = repr(message)
        assert read_stamp(write_stamp(message, stamp)) == stamp
        assert repr(message) == before
    assert Stamp.from_text(stamp.text.encode()) == stamp


def test_where_stamps_are() -> None:
    stamp = Stamp({"phone": 3})
    text = '{"clock":{"phone":3}}'
    assert write_stamp({"command": "on"}, stamp) == {"command": "on", "latwin-clock": text}
    assert write_stamp([("a", b"1")], stamp) == [("a", b"1"), ("latwin-clock", text.encode())]
    assert write_stamp([], stamp) == [("latwin-clock", text.encode())]
    assert write_stamp([("a", "1")], stamp) == [("a", "1"), ("latwin-clock", text)]
    assert write_stamp([(b"a", b"1")], stamp) == [(b"a", b"1"), (b"latwin-clock", text.encode())]
    assert write_stamp(EVENT, stamp) == {**EVENT, "latwinclock": text}


def test_the_attribute_is_one_that_cloudevents_allows() -> None:
    """Lower-case letters and digits, at most 20."""
    assert ATTRIBUTE.isascii()
    assert ATTRIBUTE.isalnum()
    assert ATTRIBUTE.lower() == ATTRIBUTE
    assert len(ATTRIBUTE) <= 20


def test_an_older_stamp_is_replaced() -> None:
    old, new = Stamp({"a": 1}), Stamp({"a": 2})
    headers = {"Latwin-Clock": old.text, "x": "y"}
    assert write_stamp(headers, new) == {"x": "y", HEADER: new.text}
    pairs = write_stamp([("LATWIN-CLOCK", old.text.encode()), ("x", b"y")], new)
    assert pairs == [("x", b"y"), (HEADER, new.text.encode())]


def test_headers_of_any_case_and_kind() -> None:
    text = '{"clock":{"a":1},"group":"g"}'
    expected = Stamp({"a": 1}, "g")
    headers = Message()
    headers["Latwin-Clock"] = text
    assert read_stamp(headers) == expected
    assert read_stamp((("Latwin-Clock", text.encode()),)) == expected
    assert read_stamp([("latwin-clock", b"old"), (b"Latwin-Clock", text.encode())]) == expected
    assert read_stamp({3: 4, "LATWIN-CLOCK": text}) == expected


def test_a_carrier_can_be_named() -> None:
    stamp = Stamp({"a": 1})
    headers = write_stamp(EVENT, stamp, carrier="map")
    assert HEADER in headers
    assert find_stamp(headers) is None
    assert find_stamp(headers, carrier="map") == stamp
    with pytest.raises(InvalidInput, match="unknown carrier 'pigeon'; carriers are 'map', 'pairs', 'cloudevents'"):
        write_stamp({}, stamp, carrier="pigeon")  # type: ignore[arg-type]
    with Process("a", MemoryReporter()) as process:
        assert process.stamp({}, carrier="cloudevents") == {"latwinclock": '{"clock":{}}'}
        assert process.stamp() == Stamp({})


def test_no_stamp() -> None:
    messages: list[Any] = [None, {}, [], EVENT, {"latwinclock": "x"}]
    for message in messages:
        assert find_stamp(message) is None
        with pytest.raises(InvalidEvent, match="carries no clock"):
            read_stamp(message)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "3",
        '{"clock":3}',
        '{"clock":{"a":1.5}}',
        '{"clock":{"a":true}}',
        '{"clock":{"a":"1"}}',
        '{"clock":{"a":-1}}',
        '{"clock":{"a":4611686018427387904}}',
        '{"clock":{"a":1},"group":3}',
        b"\xff",
        "[" * 5000,
        17,
        None,
    ],
)
def test_what_is_no_stamp(text: Any) -> None:
    with pytest.raises(InvalidEvent, match="stamp"):
        Stamp.from_text(text)


@pytest.mark.parametrize("message", ["text", b"text", 3, {1, 2}, object()])
def test_what_carries_no_stamps(message: Any) -> None:
    stamp = Stamp({})
    with pytest.raises(InvalidInput, match="cannot stamp a"):
        write_stamp(message, stamp)
    with pytest.raises(InvalidInput, match="cannot receive a"):
        read_stamp(message)


@pytest.mark.parametrize("message", [[1, 2], [("a", "b", "c")], ["ab", "c"]])
def test_pairs_that_are_none(message: Any) -> None:
    with pytest.raises(InvalidInput, match="does not have the form of its carrier"):
        write_stamp(message, Stamp({}))
