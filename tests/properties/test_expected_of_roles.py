"""What forms over roles expect: something of one member at least, and not of each."""

from __future__ import annotations

from typing import Any

import pytest

from latwin import Monitor, Spec
from latwin.detect.unseen import Unseen


def warnings(text: str, **states: Any) -> list[str]:
    document = {"processes": ["r1", "r2", "r3"], "window": 4, "roles": {"replica": "r*"}}
    spec = Spec.from_dict({**document, "properties": {"p": f"possibly({text})"}})
    monitor = Monitor(spec)
    for name in spec.processes:
        monitor.observe({"process": name, "clock": {name: 1}, "state": states.get(name, {"up": True})})
    unseen = Unseen()
    unseen.add(monitor.unseen())
    return unseen.warnings(spec.expectations)


@pytest.mark.parametrize(
    "text",
    [
        "count(replica.leader) > 1",
        "any(replica.state == 'leader')",
        "exists(a, b in replica: a != b and a.leader and b.leader and a.term == b.term)",
    ],
)
def test_one_member_suffices(text: str) -> None:
    assert warnings(text, r2={"up": True, "leader": True, "state": "leader", "term": 1}) == []


def test_a_name_that_no_member_has_is_told_once() -> None:
    (told,) = warnings("count(replica.leder) > 1", r1={"leader": 1}, r2={"leader": 1}, r3={"leader": 1})
    assert told.startswith("`r1.leder` was in no state of r1; did you mean `r1.leader`?")
    assert told.endswith("; nor was it for 2 other members of the role")


def test_what_is_said_of_one_process_is_expected_of_it() -> None:
    told = warnings("any(replica.leader) and r1.leader", r2={"leader": True})
    assert [text.partition(";")[0] for text in told] == ["`r1.leader` was in no state of r1, which has up"]
