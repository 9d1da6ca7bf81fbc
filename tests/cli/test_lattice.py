"""`latwin lattice`: the cuts at any slide, drawn, counted or as data."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from commands import EVENTS, SOME_EVENTS, SPEC, TWO, failure, objects, run, write
from latwin import LatWin, Monitor, Spec, TooManyWaiting
from latwin.cli.lattice_after import replay
from latwin.sim import random_computation

pytestmark = pytest.mark.usefixtures("plain")

GOLDEN = """\
After slide 130, which delivered rfid#44
phone      43..44 ap="meeting-room", 45 ap="office", 46 ap="meeting-room"
rfid       41 speaker=false, 42 speaker=true, 43..44 speaker=false
projector  37..38 on=true, 39..40 on=false
lattice    39 cuts from (43,41,37) to (46,44,40)
perhaps    possibly(phone.ap == 'meeting-room' and rfid.speaker and projector.on)
           true; its condition holds in 6 of the cuts
           first at (43,42,37): phone in state 43 (ap="meeting-room"), rfid in state 42
           (speaker=true), projector in state 37 (on=true)

  0                                   (43,41,37)
  1                             (43,41,38) [43,42,37]
  2                  (43,41,39) [43,42,38] (43,43,37) [44,42,37]
  3             (43,42,39) (43,43,38) [44,42,38] (44,43,37) (45,42,37)
  4  (43,42,40) (43,43,39) (44,42,39) (44,43,38) (45,42,38) (45,43,37) [46,42,37]
  5  (43,43,40) (44,42,40) (44,43,39) (45,42,39) (45,43,38) [46,42,38] (46,43,37)
  6       (44,43,40) (45,42,40) (45,43,39) (46,42,39) (46,43,38) (46,44,37)
  7                  (45,43,40) (46,42,40) (46,43,39) (46,44,38)
  8                             (46,43,40) (46,44,39)
  9                                   (46,44,40)

Cuts in [brackets] satisfy the condition of 'perhaps'.
"""

SMALL = r"""After slide 2, which delivered b#1
a        0, 1 x=true
b        0, 1 y=true
lattice  4 cuts from (0,0) to (1,1)

      (0,0)
      /   \
  (1,0)   (0,1)
      \   /
      (1,1)
"""


def test_lattice_is_drawn(two: str, some: str) -> None:
    assert run("lattice", SPEC, EVENTS, "--at", "130", "--property", "perhaps").stdout == GOLDEN
    assert run("lattice", two, some).stdout.rstrip() == SMALL.rstrip()


def test_lattice_before_the_first_slide(two: str, some: str) -> None:
    for result in (run("lattice", two, some, "--at", "0"), run("lattice", two, stdin="")):
        assert result.exit_code == 0
        assert result.stdout.splitlines()[0] == "Before the first slide"
        assert result.stdout.splitlines()[-2:] == ["  (0,0)", ""]


def test_lattice_as_json_and_graphviz(two: str, some: str) -> None:
    (document,) = objects(run("lattice", two, some, "--json", "--property", "both").stdout)
    assert document["slide"] == 2
    assert (document["process"], document["index"]) == ("b", 1)
    assert document["cuts"] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert len(document["edges"]) == 4
    assert document["window"]["b"] == [
        {"index": 0, "clock": [0, 0], "state": None},
        {"index": 1, "clock": [0, 1], "state": {"y": True}},
    ]
    assert document["property"] == {
        "name": "both",
        "text": "possibly(a.x and b.y)",
        "value": True,
        "satisfying": [[1, 1]],
    }
    assert "property" not in objects(run("lattice", two, some, "--json").stdout)[0]
    dot = run("lattice", two, some, "--dot", "--property", "both").stdout
    assert '"1,1" [style="rounded,filled", fillcolor=palegreen];' in dot
    assert '"0,0" -> "1,0" [label="a"];' in dot


def test_lattice_is_told_of_mistakes(two: str, some: str) -> None:
    message = failure("lattice", two, some, "--at", "3")
    assert message == "--at 3: the events make 2 slides; give a number from 0 (before the first) to 2"
    assert run("lattice", two, some, "--at", "-1").exit_code == 2
    assert run("lattice", two, some, "--at", "x").exit_code == 2
    message = failure("lattice", two, some, "--property", "first")
    assert message == "--property first: the property combines several conditions; give one of: both, sum"
    message = failure("lattice", two, some, "--property", "bot")
    assert message == "--property bot: the property is not in the spec; give one of: both, sum"
    assert failure("lattice", two, some, "--dot", "--json") == "only one of --dot, --svg and --json can be asked for"
    result = run("lattice", two, stdin=SOME_EVENTS + "nonsense\n{}\n")
    assert result.exit_code == 0
    assert result.stderr == "note: 2 of the events rejected; `latwin check` says which and why\n"


def wide_events(states: int) -> str:
    """Two processes that never hear of each other."""
    return "".join(
        json.dumps({"process": name, "clock": {name: index}, "state": {}}) + "\n"
        for index in range(1, states + 1)
        for name in ("a", "b")
    )


@pytest.mark.slow
def test_a_large_lattice_is_counted_by_level(tmp_path: Path) -> None:
    text = 'processes = ["a", "b"]\nwindow = "unlimited"\n[properties]\np = "possibly(not a.x)"\n'
    spec = write(tmp_path / "spec.toml", text)
    shown = run("lattice", spec, "--property", "p", stdin=wide_events(99)).stdout
    assert "10,000 cuts from (0,0) to (99,99)" in shown
    assert re.search(r"(?m)^ +99  =+  100 cuts, 100 marked$", shown)
    assert re.search(r"(?m)^ +198  = +1 cut, 1 marked$", shown)
    tight = write(tmp_path / "tight.toml", "max_cuts = 50\n" + text)
    assert "more than max_cuts=50 cuts" in failure("lattice", tight, stdin=wide_events(9))
    message = failure("lattice", spec, "--json", stdin=wide_events(450))
    assert message == "the lattice has 203,401 cuts; at most 200,000 can be listed"


def shuffled(seed: int, processes: int) -> list[dict[str, Any]]:
    """A random computation whose reports arrive up to a few places late."""
    dice = random.Random(seed)
    computation = random_computation(processes, 40, 0.6, seed)
    order = sorted(range(len(computation)), key=lambda place: place + dice.uniform(0, 8))
    return [
        {"process": f"p{process}", "clock": list(clock), "state": {"v": value}}
        for process, clock, value in (computation[place] for place in order)
    ]


@pytest.mark.parametrize("seed", range(8))
def test_the_lattice_at_each_slide_is_that_of_the_delivered_states(seed: int) -> None:
    processes = 2 + seed % 2
    names = [f"p{k}" for k in range(processes)]
    events = shuffled(seed, processes)
    spec = Spec.from_dict(
        {
            "processes": names,
            "window": 2 + seed % 3,
            "delivery": ("fifo", "causal")[seed // 2 % 2],
            "properties": {"p": "definitely(p0.v == p1.v)"},
        }
    )
    clocks = {(event["process"], event["clock"][names.index(event["process"])]): event for event in events}
    verdicts = Monitor(spec).observe_many(events, every=True)
    assert len(verdicts) == 40
    mirror = LatWin(processes, spec.window, initial=[{}] * processes)
    for verdict in verdicts:
        assert verdict.process is not None
        event = clocks[verdict.process, verdict.index]
        mirror.push(names.index(verdict.process), event["clock"], event["state"])
        moment = replay(spec, events, slide=verdict.slide, name="p")
        assert moment.delivered == (verdict.process, verdict.index)
        assert moment.cuts() == list(mirror)
        assert moment.edges() == mirror.edges()
        assert moment.value == verdict.value
        assert (moment.window.least, moment.window.greatest) == (mirror.least, mirror.greatest)
        satisfying = [cut for cut, holds in zip(moment.cuts(), moment.satisfying(), strict=True) if holds]
        assert bool(satisfying) == mirror.possibly(lambda values: values[0].get("v", -1) == values[1].get("v"))


def test_an_event_that_releases_several_slides_stops_at_each() -> None:
    spec = Spec.from_dict({"processes": ["a"], "window": 9})
    events = [{"process": "a", "clock": [index], "state": {}} for index in (3, 2, 1)]
    ends = [replay(spec, events, slide=slide, name=None).window.greatest for slide in range(4)]
    assert ends == [(0,), (1,), (2,), (3,)]


def test_lost_states_are_one_step(tmp_path: Path) -> None:
    spec = write(tmp_path / "spec.toml", 'max_waiting = 0\nwaiting_policy = "skip"\n' + TWO)
    (before,) = objects(run("lattice", spec, "--json", "--at", "2", stdin=SOME_EVENTS).stdout)
    (after,) = objects(run("lattice", spec, "--json", stdin=SOME_EVENTS).stdout)
    assert before["greatest"] == [1, 1]
    assert [[1, 0], [3, 0]] in after["edges"]
    with pytest.raises(TooManyWaiting):
        replay(
            Spec.from_dict({"processes": ["a"], "window": 2, "max_waiting": 0}),
            [{"process": "a", "clock": [2], "state": {}}],
            slide=None,
            name=None,
        )


def test_what_was_never_seen_is_told_at_the_end(tmp_path: Path, some: str) -> None:
    text = TWO.replace("[properties]", "[properties]\nwrong = \"possibly(a.z == 'up')\"")
    spec = write(tmp_path / "wrong.toml", text)
    told = run("lattice", spec, some, "--property", "wrong")
    assert told.exit_code == 0
    assert "warning: `a.z` was in no state of a, which has x\n" in told.stderr
    assert "warning" not in run("lattice", spec, some, "--property", "wrong", "--at", "1").stderr
