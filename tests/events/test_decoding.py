"""Bytes to JSON values: one decoder for lines of events, lines of steps and whole documents."""

from __future__ import annotations

import doctest

import pytest

from latwin.errors import InvalidEvent
from latwin.events import clocks, decoding, escaping, groups, lines, merging, order
from latwin.events.decoding import decode_json, is_json, trimmed
from latwin.lattice import bounds


@pytest.mark.parametrize("module", [bounds, clocks, decoding, escaping, groups, lines, merging, order])
def test_the_examples(module: object) -> None:
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert failed == 0
    assert tried > 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "not valid JSON: Input data was truncated"),
        (b"{", "not valid JSON: Input data was truncated"),
        (b'"\xff"', "not valid JSON: not UTF-8: invalid start byte"),
        (b"[" * 900 + b"]" * 900, "nested too deeply: at most 100 levels are read"),
        (b"[" * 90_000, "nested too deeply: at most 100 levels are read"),
        (b"\xef\xbb\xbf1", "not valid JSON: invalid character (byte 0)"),
        ('"\ud800"', "not valid JSON: it has half of a surrogate pair"),
    ],
)
def test_what_is_none(text: bytes | str, reason: str) -> None:
    with pytest.raises(InvalidEvent) as caught:
        decode_json(text)
    assert str(caught.value) == reason
    assert not is_json(text)


@pytest.mark.parametrize("depth", [1, 99, 100, 101, 400, 990, 1100])
def test_an_event_nests_up_to_a_hundred_levels(depth: int) -> None:
    for text in (b"[" * depth + b"]" * depth, b'{"a":' * depth + b"1" + b"}" * depth):
        assert is_json(text) == (depth <= 100)


def test_a_byte_order_mark_does_not_matter() -> None:
    assert trimmed(b"\xef\xbb\xbf1") == trimmed(b" \xef\xbb\xbf \xef\xbb\xbf1\r") == b"1"
