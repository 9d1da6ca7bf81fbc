"""Lines and rows to envelopes: the group rule, the place in the order of arrival, and what is no event."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latwin.errors import InvalidInput
from latwin.events import Envelope, EventReader, Place
from latwin.events.decoding import MAX_DEPTH, MAX_EVENT_BYTES
from latwin.events.envelope import opened
from latwin.events.lines import lines_of


def read(line: bytes, **names: str) -> Envelope:
    envelope = EventReader(names).line(line)
    assert envelope is not None
    return envelope


@pytest.mark.parametrize(
    ("line", "group", "order"),
    [
        (b'{"group":"g","arrival":3,"time":1}', "g", Place(0, 3)),
        (b'{"group":"g","arrival":"3","time":1}', "g", Place(1, 0, "3")),
        (b'{"group":"g","arrival":null,"time":1.5}', "g", Place(2, 1.5)),
        (b'{"group":"g","arrival":true,"time":"08:00"}', "g", Place(3, 0, "08:00")),
        (b'{"group":"g","clock":{"a":1,"b":2}}', "g", None),
        (b'{"clock":[1]}', "", None),
        (b'{"group":"","clock":[1]}', "", None),
        (b'{"group":12,"clock":[1]}', "12", None),
        (b'{"group":-3}', "-3", None),
        (b"\xef\xbb\xbf {}\r", "", None),
    ],
)
def test_a_line_becomes_an_event_with_group_and_place(line: bytes, group: str, order: Place | None) -> None:
    event = msgspec.json.decode(line.removeprefix(b"\xef\xbb\xbf"))
    assert read(line) == Envelope(group=group, order=order, event=event)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"no json", "not valid JSON: invalid character"),
        (b'{"a":1', "not valid JSON: Input data was truncated"),
        (b'{"a":"\xff"}', "not valid JSON: not UTF-8"),
        (b'{"a":NaN}', "not valid JSON"),
        (b'{"a":1},{"a":2}', "not valid JSON"),
        (b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}", "nested too deeply: at most 100 levels are read"),
        (b'{"a":' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}", "nested too deeply"),
        (b"[1]", "expected a JSON object; it is an array"),
        (b'{"group":null}', "the group must be a string or an integer; it is null"),
        (b'{"group":1.5}', "the group must be a string or an integer; it is a number"),
        (b'{"group":{"a":1}}', "the group must be a string or an integer; it is an object"),
        (b'{"group":true}', "the group must be a string or an integer; it is a boolean"),
        (b'{"a":"' + b"x" * MAX_EVENT_BYTES + b'"}', "the event has 262,152 bytes, and at most 262,144 are read"),
    ],
)
def test_a_line_that_is_no_event_says_why(line: bytes, reason: str) -> None:
    envelope = read(line)
    assert envelope.group is None
    assert envelope.problem is not None
    assert reason in envelope.problem
    assert envelope.event["line"].startswith(line[:3].decode())
    assert len(envelope.event["line"]) <= 1003


def test_as_deep_as_allowed() -> None:
    deep = b'{"a":' + b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1) + b"}"
    assert read(deep).problem is None


def test_an_event_may_have_any_fields() -> None:
    line = b'{"group":"g","problem":"x","state_text":"{","origin":"no","order":"z","line":7,"event":[1]}'
    assert read(line).event == msgspec.json.decode(line)


def test_fields_of_other_names_are_renamed() -> None:
    envelope = read(b'{"room":"g","vc":[1],"group":"mine"}', group="room", clock="vc")
    assert envelope == Envelope(group="g", event={"group": "g", "clock": [1]})
    with pytest.raises(InvalidInput, match="unknown field 'grp'; fields are group, process"):
        EventReader({"grp": "room"})


@pytest.mark.parametrize(
    ("state", "problem"),
    [
        ('{"x": 1}', None),
        ("{", "the state is not valid JSON: Input data was truncated"),
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, "the state is nested too deeply"),
    ],
)
def test_a_row_may_hold_its_state_as_text(state: str, problem: str | None) -> None:
    envelope = opened(EventReader().row({"process": "a", "clock": [1], "state": state}))
    assert envelope.problem == problem
    assert envelope.event["state"] == ({"x": 1} if problem is None else state)


def test_a_row_without_a_usable_group() -> None:
    assert EventReader().row({"group": None}).problem == "the group must be a string or an integer; it is null"


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(
    group=st.none() | st.text(),
    order=st.none() | st.builds(Place, st.integers(0, 5), st.integers(-(2**62), 2**62) | st.floats(0, 1), st.text()),
    event=st.dictionaries(st.text(), plain),
    problem=st.none() | st.text(),
)
def test_envelopes_travel_as_json(group: str | None, order: Place | None, event: Any, problem: str | None) -> None:
    envelope = Envelope(group=group, order=order, event=event, problem=problem)
    assert msgspec.json.decode(msgspec.json.encode(envelope), type=Envelope) == envelope


# -- lines ---------------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from([b"a", b"bb", b"\n", b"\r", b"\r\n", b" ", b"x" * 7, b"x" * 8, b"x" * 9, b"y" * 30])))
def test_lines_in_bounded_memory_are_the_lines(pieces: list[bytes]) -> None:
    content, most = b"".join(pieces), 8
    asked: list[int] = []

    class Stream(BytesIO):
        def readline(self, limit: int | None = -1, /) -> bytes:
            assert limit is not None
            asked.append(limit)
            return super().readline(limit)

    found = list(lines_of(Stream(content), most))
    assert all(0 < limit <= most + 1 for limit in asked)
    lines = list(enumerate(content.split(b"\n"), start=1))
    assert [(line.number, line.text) for line in found if line.size is None] == [
        (number, line.strip()) for number, line in lines if len(line) <= most and line.strip()
    ]
    assert [(line.number, line.text, line.size) for line in found if line.size is not None] == [
        (number, line[: most + 1], len(line)) for number, line in lines if len(line) > most
    ]
    assert [line.position for line in found] == sorted(line.position for line in found)
    assert not found or found[-1].position <= len(content)
