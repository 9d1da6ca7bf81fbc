"""Lines of JSON on their way into Spark; no session here."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

pytest.importorskip("pyspark")

from latwin.spark.lines import LineReader

SHARDS = 8


def read(line: bytes, **names: str) -> tuple[str | None, Any]:
    group, event = LineReader(SHARDS, names).read(line)
    return group, msgspec.json.decode(event)


@pytest.mark.parametrize(
    ("line", "group", "order"),
    [
        (b'{"group":"g","arrival":3,"time":1}', "g", [0, 3, ""]),
        (b'{"group":"g","time":"08:00"}', "g", [3, 0, "08:00"]),
        (b'{"group":"g","clock":{"a":1,"b":2}}', "g", [4, 3, ""]),
        (b'{"group":"g","clock":[1,4]}', "g", [4, 5, ""]),
        (b'{"group":"g","clock":{"a":"x"}}', "g", None),
        (b'{"clock":[1]}', "", [4, 1, ""]),
        (b'{"group":12,"clock":[1]}', "12", [4, 1, ""]),
        (b"{}", "", None),
    ],
)
def test_a_line_keeps_its_fields_and_gets_group_and_order(line: bytes, group: str, order: Any) -> None:
    expected = {**json.loads(line), "group": group, "order": order}
    assert read(line) == (group, expected)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"no json", "not valid JSON: invalid character"),
        (b'{"a":1', "not valid JSON: Input data was truncated"),
        (b'{"a":"\xff"}', "not valid JSON: not UTF-8"),
        (b'{"a":NaN}', "not valid JSON"),
        (b'{"a":1},{"a":2}', "not valid JSON"),
        (b'{"a":' + b"[" * 500 + b"]" * 500 + b"}", "nested too deeply"),
        (b"[1]", "the line must be a JSON object; it is an array"),
        (b'{"group":{"a":1}}', "the group must be a string or an integer; it is an object"),
        (b'{"group":true}', "the group must be a string or an integer; it is a boolean"),
    ],
)
def test_a_line_that_is_no_event_says_why(line: bytes, reason: str) -> None:
    group, event = read(line)
    assert group is None
    assert reason in event["unreadable"]
    assert event["line"].startswith(line[:3].decode())


def test_names_that_mean_something_inside_mean_nothing_in_a_line() -> None:
    line = b'{"group":"g","oversize":"x","state_json":"{","unreadable":"no","order":"z","clock":[1]}'
    assert read(line) == ("g", {"group": "g", "clock": [1], "order": [4, 1, ""]})


def test_fields_of_other_names_are_renamed() -> None:
    _, event = read(b'{"room":"g","vc":[1]}', room="group", vc="clock")
    assert event == {"group": "g", "clock": [1], "order": [4, 1, ""]}
