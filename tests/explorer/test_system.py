"""All groups of a pipeline at a glance."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from latwin import Spec
from latwin.explorer import system
from latwin.explorer.recording import COUNTERS
from latwin.explorer.system import GroupNow, History
from serving import serving

SPEC = Spec.from_dict(
    {
        "processes": ["a"],
        "window": 2,
        "properties": {"bad": "possibly(a.x)", "fine": "possibly(a.y)", "worse": "possibly(a.z)"},
        "never": ["bad", "worse"],
    }
)


def group(values: str, slide: int = 1, **counters: int) -> GroupNow:
    return GroupNow(values, slide, tuple(counters.get(name, 0) for name in COUNTERS))


def test_the_worst_groups_come_first() -> None:
    history = History(SPEC)
    groups = {
        "calm": group("010", 7, delivered=7),
        "rejecting": group("0?0", rejected=2, late=1, skipped=1, delivered=3),
        "bad": group("100"),
        "Very bad": group("101"),
    }
    history.note(groups)
    history.note({"bad": group("011"), "new": group("111")})
    view = history.view(groups, "")
    assert [line["name"] for line in view["lines"]] == ["Very bad", "bad", "rejecting", "calm"]
    assert (view["groups"], view["found"], view["violating"]) == (4, 4, 2)
    assert view["true_in"] == [[2, 2], [1, 3], [1, 3]]
    assert view["totals"]["delivered"] == 10
    assert view["lines"][2] == {"name": "rejecting", "slide": 1, "values": "0?0", "rejects": 4}
    some = history.view(groups, "BAD")
    assert [line["name"] for line in some["lines"]] == ["Very bad", "bad"]
    assert (some["groups"], some["found"]) == (4, 2)
    assert History(SPEC).view({}, "")["totals"] == dict.fromkeys(COUNTERS, 0)


@given(st.dictionaries(st.text(max_size=3), st.text("01?", min_size=3, max_size=3), max_size=8))
def test_counts_are_those_of_the_groups(values: dict[str, str]) -> None:
    groups = {name: group(letters) for name, letters in values.items()}
    history = History(SPEC)
    history.note(groups)
    view = history.view(groups, "")
    assert [counts[-1] for counts in view["true_in"]] == [
        sum(letters[k] == "1" for letters in values.values()) for k in range(3)
    ]
    assert view["violating"] == sum(letters[0] == "1" or letters[2] == "1" for letters in values.values())
    assert {line["name"] for line in view["lines"]} == set(values)


def test_few_are_listed_and_little_is_kept(monkeypatch: Any) -> None:
    monkeypatch.setattr(system, "MOST_LISTED", 2)
    monkeypatch.setattr(system, "MOST_BATCHES", 3)
    history = History(SPEC)
    groups = {f"g{k}": group("000") for k in range(5)}
    for _ in range(9):
        history.note(groups)
    view = history.view(groups, "")
    assert (len(view["lines"]), view["found"], len(view["true_in"][0])) == (2, 5, 3)


def test_the_server_tells_where_the_feed_can() -> None:
    class Some:
        def __init__(self, view: Any) -> None:
            self.view = view

        def system(self, search: str) -> Any:
            return self.view and {**self.view, "search": search}

    for view, status in (({"groups": 1}, 200), (None, 404)):
        with serving(Some(view)) as server:
            connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
            connection.request("GET", "/system?search=a%26b")
            answer = connection.getresponse()
            body = answer.read()
            assert answer.status == status
            if view:
                assert json.loads(body) == {"groups": 1, "search": "a&b"}
            connection.close()
