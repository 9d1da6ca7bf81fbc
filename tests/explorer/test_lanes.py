"""Lanes of processes that join and leave: the page is told what it is told of a group that lists everyone.

That is the oracle: the same computation is recorded twice, and the columns must be the same, lane by lane.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from envelopes import envelope
from joining import ROLLING, a_listed_spec, an_open_spec, as_listed, rolling
from latwin import Monitor, Spec
from latwin.explorer import groups, recording
from latwin.explorer.columns import chunk_of, encode
from latwin.explorer.feed import EventFeed
from latwin.explorer.page import header_of, render_page
from latwin.explorer.recording import Recorder
from open_computations import an_open_computation

#: the columns that must be equal; `finals` may differ, as anybody may still join an open group
SAME = ("first", "process", "through", "empty", "held", "least", "greatest", "cuts", "levels", "values")

#: of a part
EQUAL = ("values", "cut", "labels", "because")


def whole(recorder: Recorder, after: int | None = None) -> Any:
    """A chunk as the page reads it."""
    chunk = chunk_of(recorder, after=after)
    assert chunk is not None
    return json.loads(encode(chunk))


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_lanes_hold_what_a_group_that_lists_everyone_holds(seed: int, window: int) -> None:
    rng = random.Random(seed)
    names = ["w1", "d1", "w2", "w3", "d2"][: rng.randint(2, 5)]
    events = an_open_computation(rng, names, 30)
    opened = Recorder(an_open_spec(window)).record(events)
    lanes = list(opened.lanes)
    if {name[0] for name in lanes} != {"w", "d"}:  # a role that is listed must have somebody
        return
    listed = Recorder(a_listed_spec(lanes, window)).record(map(as_listed, events))
    one, other = whole(opened), whole(listed)
    assert {name: one[name] for name in SAME} == {name: other[name] for name in SAME}
    for states, expected in zip(one["states"], other["states"], strict=True):
        assert {name: states[name] for name in ("from", "index", "clock", "time")} == {
            name: expected[name] for name in ("from", "index", "clock", "time")
        }
    assert one["spec"]["processes"] == lanes
    for part, expected in zip(one["parts"], other["parts"], strict=True):
        assert [part[column] for column in EQUAL] == [expected[column] for column in EQUAL]
        # Of several observations either may be shown, but each takes every step of the lattice.
        for path, known in zip(part["path"], expected["path"], strict=True):
            assert sorted(path or ()) == sorted(known or ())


def small() -> Spec:
    return an_open_spec(
        3,
        properties={
            "two": "possibly(count(web.n == 1) >= 2)",
            "pair": "possibly(exists(a in web, b in db: a.n == b.n))",
        },
    )


def event(name: str, clock: dict[str, int], **fields: Any) -> dict[str, Any]:
    return {"process": name, "clock": clock, "state": {"n": 1}, **fields}


JOINING = [
    event("w1", {"w1": 1}),
    event("w2", {"w2": 1, "w1": 1}),
    event("w1", {"w1": 2}, leave=True),
    event("d1", {"d1": 1, "w1": 2, "w2": 1}),
    event("w1", {"w1": 1}),
]


def test_lanes_come_in_the_order_of_joining_and_stay() -> None:
    recorder = Recorder(small()).record(JOINING)
    chunk = whole(recorder)
    outline = chunk["spec"]
    assert outline["processes"] == ["w1", "w2", "d1", "w1#2"]
    assert outline["roles"] == {"web": [0, 1, 3], "db": [2]}
    assert outline["open"] is True
    assert chunk["process"] == [0, 1, 0, 2, 3]
    assert [column["variables"] for column in chunk["states"]] == [[None, {"n": 1}]] * 4
    # Before it joined, a process was in its state 0.
    assert chunk["held"][3] == [1, 0, 0, 0, 1]
    assert [column["from"] for column in chunk["states"]] == [0, 0, 0, 0]


def test_a_part_reads_variables_of_those_who_have_the_role() -> None:
    chunk = whole(Recorder(small()).record(JOINING))
    two, pair = (known["parts"][0] for known in chunk["spec"]["properties"])
    assert two["reads"] == [[["n"]], [["n"]], [], [["n"]]]
    assert pair["reads"] == [[["n"]], [["n"]], [["n"]], [["n"]]]
    assert two["own"] == [True, True, False, True]
    # Per part: not there, there with n = 1.
    assert chunk["states"][0]["colours"][0] == "-1"
    assert chunk["states"][2]["colours"][0] == ".."
    assert chunk["parts"][1]["speak"][3] == [1, 2]


def test_a_reader_that_has_a_lane_too_few_begins_again() -> None:
    recorder = Recorder(small()).record(JOINING[:3])
    assert "spec" not in whole(recorder, after=2)
    assert chunk_of(recorder, after=1) is None
    recorder.record(JOINING[3:])
    assert chunk_of(recorder, after=3) is None
    feed = EventFeed(small(), [envelope(each) for each in JOINING])
    feed.run()
    news = feed.read("", 3)
    assert news.restart
    assert news.chunk is not None
    assert news.chunk["spec"]["processes"] == ["w1", "w2", "d1", "w1#2"]


def test_a_process_that_came_back_after_its_silence_has_a_second_lane() -> None:
    spec = an_open_spec("30s", processes={"open": True, "leave_after": "60s"}, properties={})
    rows = [event("w1", {"w1": 1}, time=0.0), event("w2", {"w2": 1}, time=0.0)]
    rows += [event("w2", {"w2": 1 + k}, time=10.0 * k) for k in range(1, 8)]
    rows += [event("w1", {"w1": 2}, time=72.0), event("w1", {"w1": 3}, time=73.0)]
    recorder = Recorder(spec).record(rows)
    assert recorder.lanes == ("w1", "w2", "w1")
    assert whole(recorder)["process"][-3:] == [0, 2, 2]


def test_only_the_latest_slides_of_lanes_are_kept() -> None:
    rows = rolling(6, pods=4)
    recorder, all_of_it = Recorder(ROLLING, most=20).record(rows), Recorder(ROLLING).record(rows)
    kept, expected = whole(recorder), whole(all_of_it)
    assert kept["first"] == expected["first"] + len(expected["process"]) - 20
    assert kept["process"] == expected["process"][-20:]
    assert kept["least"] == [column[-20:] for column in expected["least"]]
    assert kept["parts"][0]["labels"] == expected["parts"][0]["labels"][-20:]


@pytest.mark.soak
@pytest.mark.slow
@settings(max_examples=examples(25))
@given(st.integers(0, 2**32), st.integers(1, 4), st.sampled_from(["fifo", "causal"]))
def test_lanes_that_are_given_up_change_nothing_in_those_that_stay(seed: int, window: int, delivery: str) -> None:
    """The same computation with and without a bound: slides that both keep say the same, but for the lanes."""
    rng = random.Random(seed)
    events = an_open_computation(rng, ["w1", "d1", "w2", "w3", "d2", "w4"], 60)
    spec = an_open_spec(window, delivery=delivery)
    usual = Recorder(spec).record(events)
    with patch.object(recording, "MOST_LANES", 4):
        bounded = Recorder(spec).record(events)
        for row in events[-1:]:
            assert not bounded.observe(row)  # a repeated one
    assert bounded.monitor.values() == usual.monitor.values()
    # One that comes back has a lane of its own if its old one was given up.
    if bounded.lanes_given_up and len(bounded.lanes) + bounded.lanes_given_up == len(usual.lanes):
        assert_same_but_for_lanes(bounded, usual)


@pytest.mark.slow
def test_lanes_that_a_rolling_restart_gives_up() -> None:
    rows = rolling(25, pods=3)
    usual = Recorder(ROLLING).record(rows)
    with patch.object(recording, "MOST_LANES", 8):
        bounded = Recorder(ROLLING).record(rows)
    assert len(bounded.lanes) + bounded.lanes_given_up == len(usual.lanes) == 29
    assert bounded.lanes_given_up > 20
    assert len(bounded.slides) > 10
    assert_same_but_for_lanes(bounded, usual)


def assert_same_but_for_lanes(bounded: Recorder, usual: Recorder) -> None:
    """What both keep is the same."""
    few, all_of_it = whole(bounded), whole(usual)
    first = few["first"] - all_of_it["first"]
    stay = _lanes_that_stay(bounded.lanes, usual.lanes)
    assert few["values"] == [letters[first:] for letters in all_of_it["values"]]
    assert few["cuts"] == all_of_it["cuts"][first:]
    assert [-1 if lane < 0 else stay[lane] for lane in few["process"]] == all_of_it["process"][first:]
    for part, expected in zip(few["parts"], all_of_it["parts"], strict=True):
        assert part["labels"] == expected["labels"][first:]
        paths = [path and [stay[lane] for lane in path] for path in part["path"]]
        assert paths == [path or 0 for path in expected["path"][first:]]
        cuts = [cut and [cut[lane] for lane in stay] for cut in expected["cut"][first:]]
        assert part["cut"] == cuts
    for name in ("least", "greatest"):
        assert few[name] == [all_of_it[name][lane][first:] for lane in stay]
    for lane, states in enumerate(few["states"]):
        known = all_of_it["states"][stay[lane]]
        assert sum(states["index"]) == sum(known["index"])
        ends = [sum(states["clock"][k]) for k in range(len(stay))]
        assert ends == [sum(known["clock"][k]) for k in stay]


def _lanes_that_stay(few: tuple[str, ...], lanes: tuple[str, ...]) -> list[int]:
    """Where the lanes that are left were; names may come twice, but the later of two stays."""
    found: list[int] = []
    at = len(lanes)
    for name in reversed(few):
        at = next(lane for lane in range(at - 1, -1, -1) if lanes[lane] == name)
        found.append(at)
    return found[::-1]


@pytest.mark.slow
def test_the_lanes_of_a_group_that_goes_on_are_bounded() -> None:
    rows = rolling(120, pods=5)
    with patch.object(recording, "MOST_LANES", 20), patch.object(groups, "MOST_LANES", 20):
        feed = EventFeed(ROLLING, [])
        seen = set()
        for row in rows:
            feed._envelopes = [envelope(row)]
            feed.run()
            (recorder,) = feed._groups.recorders.values()
            seen.add(len(recorder.lanes))
            assert len(recorder.monitor.spec.processes) <= 40, "seats are doubled when they are needed"
        notes = feed.notes()
    assert max(seen) <= 20
    assert notes == [
        f"{recorder.lanes_given_up:,} processes that left have no lane any more, as a group has room for 20; "
        "the slides in which they were there are gone, too."
    ]
    assert recorder.lanes_given_up + len(recorder.lanes) == 126
    usual = Monitor(ROLLING)
    usual.observe_many(rows)
    assert recorder.monitor.values() == usual.values()
    # A reader from before is told to begin again with the lanes that are left.
    news = feed.read("", 40)
    assert news.restart
    assert news.chunk is not None
    assert tuple(news.chunk["spec"]["processes"]) == recorder.lanes


def test_a_reader_keeps_up_while_lanes_are_given_up() -> None:
    """Whatever it has read, the next news fit to it or tell it to begin again."""
    with patch.object(recording, "MOST_LANES", 8):
        feed = EventFeed(ROLLING, [])
        lanes: Sequence[str] = ()
        after: int | None = None
        for row in rolling(30, pods=3):
            feed._envelopes = [envelope(row)]
            feed.run()
            news = feed.read("", after)
            assert news.chunk is not None
            if "spec" in news.chunk:
                lanes = news.chunk["spec"]["processes"]
            (recorder,) = feed._groups.recorders.values()
            assert tuple(lanes) == recorder.lanes
            after = news.chunk["first"] + len(news.chunk["process"]) - 1


def test_the_page_of_a_group_that_processes_join() -> None:
    header = header_of(small(), source="pods", groups=[""])
    assert (header["spec"]["processes"], header["notes"]) == ([], [])
    assert "pods" in render_page(header, [chunk_of(Recorder(small()).record(JOINING))])
    notes = header_of(small(), source="pods", live=True, system=True)["notes"]
    assert notes == [
        "Processes join and leave here: of a pipeline's output the page shows verdicts and counters, but no lanes."
    ]
