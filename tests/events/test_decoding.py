"""Bytes to JSON values: one decoder for lines of events, lines of steps and whole documents."""

from __future__ import annotations

import doctest

import msgspec
import pytest

from latwin.clocks.records import decode
from latwin.events import decoding
from latwin.events.decoding import decode_json, without_mark


def test_the_examples() -> None:
    assert doctest.testmod(decoding) == (0, 2)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "not valid JSON: Input data was truncated"),
        (b"{", "not valid JSON: Input data was truncated"),
        (b'"\xff"', "not valid JSON: not UTF-8: invalid start byte"),
        (b"[" * 900 + b"]" * 900, "not valid JSON: nested too deeply"),
        (b"\xef\xbb\xbf1", "not valid JSON: invalid character (byte 0)"),
    ],
)
def test_what_is_none(text: bytes, reason: str) -> None:
    assert decode_json(text) == (None, reason)


@pytest.mark.parametrize("depth", range(200, 1000, 50))
def test_what_is_decoded_can_be_decoded_in_a_list_of_a_list(depth: int) -> None:
    text = b"[" * depth + b"]" * depth
    if decode_json(text)[1] is None:
        msgspec.json.decode(b"[[" + text + b"]]")


def test_steps_and_documents_may_have_a_byte_order_mark() -> None:
    assert without_mark(b"\xef\xbb\xbf1") == without_mark(b"1") == b"1"
    assert decode(b"\xef\xbb\xbf1") == (1, None)
