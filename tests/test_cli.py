"""The command line: every command, every exit code, and wrong input of every kind."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner, Result

from latwin import LatWin, Monitor, Spec, TooManyWaiting, __version__
from latwin.cli import app, terminal
from latwin.cli.moment import replay
from latwin.demo import SPEC_TEXT, Demo, clock_time
from latwin.sim import random_computation

OFFICE = Path(__file__).parent.parent / "examples" / "office"
SPEC, EVENTS = str(OFFICE / "spec.toml"), str(OFFICE / "events.jsonl")

TWO = """
processes = ["a", "b"]
window = 3
never = ["both"]
[properties]
both = "possibly(a.x and b.y)"
first = "definitely(a.x) and not possibly(b.y)"
sum = "definitely(a.x + b.y == 1)"
"""

SOME_EVENTS = """\
{"process": "a", "clock": {"a": 1}, "state": {"x": true}}

{"process": "b", "clock": [0, 1], "state": {"y": true}, "time": "noon"}
{"process": "b", "clock": [0, 1], "state": {"y": true}}
{"process": "a", "clock": [3, 0], "state": {"x": false}}
"""


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def two(tmp_path: Path) -> str:
    return write(tmp_path / "two.toml", TWO)


@pytest.fixture
def some(tmp_path: Path) -> str:
    return write(tmp_path / "some.jsonl", SOME_EVENTS)


def write(path: Path, content: str | bytes) -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(app, list(arguments), input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def failure(*arguments: str, stdin: str | None = None) -> str:
    """The message of a command that must find its input wrong."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.stderr
    return result.stderr.removeprefix("error: ").rstrip("\n")


# -- check -------------------------------------------------------------------------------------------


def test_check_prints_changes_and_a_summary() -> None:
    result = run("check", SPEC, EVENTS)
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[:4] == [
        "  slide  state            property  value",
        "     12  phone#4          perhaps   true       (1,0,2)..(4,3,5)  at (4,3,3)",
        "     12  phone#4          hitch     true       (1,0,2)..(4,3,5)  20 cuts",
        "     15  projector#7      mute      true       (1,3,4)..(4,4,7)",
    ]
    assert lines[-5:] == [
        "",
        "204 events: 204 delivered, 0 waiting, 0 duplicates, 0 rejected, 0 late, 0 skipped",
        "  mute      true at 130 of 204 slides, came true 10 times, false since slide 190",
        "  perhaps   true at 184 of 204 slides, came true 6 times, true since slide 201",
        "  hitch     true at 127 of 204 slides, came true 18 times, true since slide 198",
    ]


def test_check_json_is_what_the_monitor_says() -> None:
    for every in (False, True):
        monitor = Monitor(Spec.load(SPEC), observations=True)
        expected = [
            {"verdict": json.loads(msgspec.json.encode(verdict))}
            for line in (OFFICE / "events.jsonl").read_text().splitlines()
            for verdict in monitor.observe(json.loads(line), every=every)
        ]
        result = run("check", SPEC, EVENTS, "--json", "--observations", *["--every"] * every)
        printed = objects(result.stdout)
        assert printed[:-1] == expected
        summary = printed[-1]["summary"]
        assert summary["events"] == summary["delivered"] == 204
        assert {name: tally["value"] for name, tally in summary["properties"].items()} == monitor.values()


def test_the_summary_counts_slides_as_every_verdict_does() -> None:
    printed = objects(run("check", SPEC, EVENTS, "--json", "--every").stdout)
    verdicts = [entry["verdict"] for entry in printed[:-1]]
    assert len(verdicts) == 3 * 204
    for name, tally in printed[-1]["summary"]["properties"].items():
        own = [verdict for verdict in verdicts if verdict["property"] == name]
        assert tally["true_slides"] == sum(verdict["value"] for verdict in own)
        assert tally["became_true"] == sum(verdict["value"] and verdict["changed"] for verdict in own)
        assert tally["last_changed"] == max(verdict["slide"] for verdict in own if verdict["changed"])


@pytest.mark.parametrize("dash", [["-"], []])
def test_check_reads_standard_input(dash: list[str]) -> None:
    from_file = run("check", SPEC, EVENTS)
    assert run("check", SPEC, *dash, stdin=Path(EVENTS).read_text()).stdout == from_file.stdout


def test_check_tells_notices_with_file_and_line(two: str, some: str) -> None:
    result = run("check", two, some)
    assert result.stderr == f"{some}:4: duplicate: process 'b', state 1: came before\n"
    assert "4 events: 2 delivered, 1 waiting for states that did not come, 1 duplicate, 0 rejected" in result.stdout


def test_what_should_never_be_exits_with_1(two: str, some: str) -> None:
    result = run("check", two, some)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == f"never: 'both' came true first at slide 2, b#1 (time noon), {some}:3"
    result = run("check", two, some, "--json")
    assert result.exit_code == 1
    assert objects(result.stdout)[-1]["summary"]["violations"] == [
        {"property": "both", "slide": 2, "process": "b", "index": 1, "line": 3, "time": "noon"}
    ]
    harmless = SOME_EVENTS.splitlines()[0]
    assert run("check", two, stdin=harmless).exit_code == 0


def test_every_marks_changes_and_observations_are_shown(two: str, some: str) -> None:
    lines = run("check", two, some, "--every", "--observations").stdout.splitlines()
    assert lines[:7] == [
        "    slide  state    property  value",
        "        1  a#1      both      false      (0,0)..(1,0)",
        "*       1  a#1      first     true       (0,0)..(1,0)",
        "        1  a#1      sum       false      (0,0)..(1,0)  2 cuts  avoided by (0,0) (1,0)",
        "*       2  b#1      both      true       (0,0)..(1,1)  at (1,1)",
        "*       2  b#1      first     false      (0,0)..(1,1)",
        "        2  b#1      sum       false      (0,0)..(1,1)  4 cuts  avoided by (0,0) (0,1) (1,1)",
    ]


def test_a_long_observation_is_shortened() -> None:
    shown = run("check", SPEC, EVENTS, "--observations").stdout
    assert "avoided by (7,4,11) (8,4,11) 5 more (10,7,12)" in shown


UNREADABLE = {
    b"nonsense": "invalid character (byte 4)",
    b'{"process": "a"': "Input data was truncated",
    b'{"a": NaN}': "invalid character (byte 6)",
    b'{"a": "\xff"}': "not UTF-8: invalid start byte",
    b"\x00\xff\x93\x1f junk": "invalid character (byte 0)",
    b"[" * 100_000: "nested too deeply",
    b'{"a": 1} {"b": 2}': "trailing characters (byte 10)",
}


@pytest.mark.parametrize("line", UNREADABLE, ids=range(len(UNREADABLE)))
def test_a_line_that_is_no_json_is_rejected(tmp_path: Path, two: str, line: bytes) -> None:
    path = write(tmp_path / "events.jsonl", SOME_EVENTS.encode() + line + b"\n")
    result = run("check", two, path, "--json")
    (notice,) = (
        entry["notice"] for entry in objects(result.stdout) if "notice" in entry and entry["notice"]["line"] == 6
    )
    assert notice["kind"] == "rejected"
    assert notice["reason"] == f"not valid JSON: {UNREADABLE[line]}"
    assert len(notice["event"]) <= 203
    assert objects(result.stdout)[-1]["summary"]["rejected"] == 1
    assert f"{path}:6: rejected: not valid JSON: " in run("check", two, path).stderr


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"process": "c", "clock": [1, 0], "state": {}}', "unknown process 'c'; processes are 'a', 'b'"),
        ("[1, 2]", "an event must be a map; got list"),
        ('{"process": "a"}', "the event lacks 'clock', 'state'"),
        ('{"process": "a", "clock": [1], "state": {}}', "the clock must have 2 entries; got 1: [1]"),
    ],
)
def test_an_event_that_cannot_be_used_is_rejected(two: str, line: str, reason: str) -> None:
    result = run("check", two, stdin=line)
    assert result.exit_code == 0
    assert result.stderr == f"stdin:1: rejected: {reason}\n"
    strict = run("check", two, "--strict", stdin=line)
    assert strict.exit_code == 2
    assert strict.stderr.endswith("error: 1 event rejected, and --strict allows none\n")


def test_strict_accepts_good_events_and_outweighs_never(two: str, some: str) -> None:
    assert run("check", SPEC, EVENTS, "--strict").exit_code == 0
    assert run("check", two, some, "--strict").exit_code == 1
    assert run("check", two, "--strict", stdin=SOME_EVENTS + "{}\n").exit_code == 2


def test_an_empty_file_and_other_odd_files_are_fine(tmp_path: Path, two: str) -> None:
    for content in (b"", b"\n \r\n", b"\xef\xbb\xbf" + SOME_EVENTS.splitlines()[0].encode() + b"\r\n"):
        result = run("check", two, write(tmp_path / "events.jsonl", content))
        assert result.exit_code == 0
        assert result.stderr == ""
    result = run("check", two, stdin="")
    assert result.stdout.splitlines()[0].startswith("0 events: 0 delivered, 0 waiting,")
    assert result.stdout.splitlines()[1] == "  both      never true"


def test_people_see_the_first_notices_only(two: str) -> None:
    lines = "nonsense\n" * 50
    result = run("check", two, stdin=lines)
    assert result.stderr.count("rejected: not valid JSON") == 20
    assert result.stderr.splitlines()[-1].startswith("further notices of the kind 'rejected' are only counted")
    assert "50 rejected" in result.stdout
    assert sum("notice" in entry for entry in objects(run("check", two, "--json", stdin=lines).stdout)) == 50


def test_too_many_waiting_exits_with_2(tmp_path: Path, some: str) -> None:
    spec = write(tmp_path / "spec.toml", "max_waiting = 0\n" + TWO)
    message = failure("lattice", spec, some)
    assert message.startswith(f"{some}:5: state 3 of process 'a' would have to wait")
    result = run("check", spec, some)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == f"error: {message}"
    assert "delivered" not in result.stdout


def test_skipped_and_late_states_are_told(tmp_path: Path, some: str) -> None:
    spec = write(tmp_path / "spec.toml", 'max_waiting = 0\nwaiting_policy = "skip"\n' + TWO)
    late = '{"process": "a", "clock": [2, 0], "state": {"x": false}}\n'
    result = run("check", spec, stdin=SOME_EVENTS + late)
    assert "stdin:5: skipped: process 'a': states 2 to 2 declared lost" in result.stderr
    assert "stdin:6: late: process 'a', state 2: came after it had been declared lost" in result.stderr
    assert "5 events: 3 delivered, 0 waiting, 1 duplicate, 0 rejected, 1 late, 1 skipped" in result.stdout


def test_a_lattice_that_is_too_large_is_told(tmp_path: Path, some: str) -> None:
    spec = write(tmp_path / "spec.toml", "max_cuts = 1\n" + TWO)
    result = run("check", spec, some)
    assert "      1  a#1      sum       too large  (0,0)..(1,0)" in result.stdout.splitlines()
    assert f"{some}:1: too large: property 'sum' needs more than max_cuts=1 cuts" in result.stderr
    assert "too large since slide 1, too large at 2" in result.stdout
    assert objects(run("check", spec, some, "--json").stdout)[-1]["summary"]["too_large"] >= 2


def test_no_cut_and_no_property(tmp_path: Path) -> None:
    spec = 'processes = ["a", "b"]\nwindow = 1\n'
    events = '{"process": "a", "clock": [1, 1], "state": {}}\n'
    empty = write(tmp_path / "empty.toml", spec + '[properties]\np = "possibly(not a.x)"\n')
    assert "a#1      p         false      no cut" in run("check", empty, "--every", stdin=events).stdout
    assert "lattice  no cut" in run("lattice", empty, stdin=events).stdout
    assert objects(run("lattice", empty, "--json", stdin=events).stdout)[0]["cuts"] == []
    bare = write(tmp_path / "bare.toml", spec)
    assert "the spec has no properties" in run("check", bare, stdin=events).stdout
    assert "The spec has no properties." in run("explain", bare).stdout


# -- wrong input -------------------------------------------------------------------------------------

COMMANDS = [["check"], ["explain"], ["lattice"]]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_spec_that_cannot_be_read(tmp_path: Path, command: list[str]) -> None:
    missing = str(tmp_path / "missing.toml")
    assert failure(*command, missing) == f"{missing}: cannot be read: No such file or directory"
    assert failure(*command, str(tmp_path)) == f"{tmp_path}: cannot be read: Is a directory"
    broken = write(tmp_path / "broken.toml", 'processes = ["a"\n')
    assert failure(*command, broken).startswith(f"{broken}: is not valid TOML: ")
    binary = write(tmp_path / "binary.toml", b"\xff\xfe\x00junk")
    assert failure(*command, binary).startswith(f"{binary}: must be UTF-8 text: ")
    sizeless = write(tmp_path / "sizeless.toml", 'processes = ["a"]\n')
    assert failure(*command, sizeless).startswith(f"{sizeless}: `window` is missing")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_property_with_a_typo_shows_the_place(tmp_path: Path, command: list[str]) -> None:
    text = 'processes = ["a", "b"]\nwindow = 2\n[properties]\np = "possibly(a.x and bb.y)"\n'
    spec = write(tmp_path / ("long" * 25 + ".toml"), text)  # nothing must be wrapped
    assert failure(*command, spec).splitlines() == [
        f"{spec}: property 'p', line 1, column 18: unknown process 'bb'",
        "    possibly(a.x and bb.y)",
        " " * 21 + "^",
        "hint: did you mean b? the processes are: a, b",
    ]


@pytest.mark.parametrize("command", ["check", "lattice"])
def test_events_that_cannot_be_read(tmp_path: Path, command: str) -> None:
    missing = str(tmp_path / "missing.jsonl")
    assert failure(command, SPEC, missing) == f"{missing}: No such file or directory"
    assert failure(command, SPEC, str(tmp_path)) == f"{tmp_path}: Is a directory"


def test_usage() -> None:
    assert run("--version").stdout == f"latwin {__version__}\n"
    for arguments in (["--help"], ["-h"]):
        result = run(*arguments)
        assert result.exit_code == 0
        assert re.findall(r"(?m)^  ([a-z]+)  ", result.stdout) == [
            "check",
            "explain",
            "lattice",
            "explore",
            "serve",
            "demo",
            "offices",
            "run",
            "replay",
            "simulate",
            "experiment",
            "inspect",
        ]
    assert run().exit_code == 2
    wrong = run("chek")
    assert wrong.exit_code == 2
    assert "Did you mean 'check'?" in wrong.stderr
    assert run("check").exit_code == 2
    assert run("check", SPEC, "--nonsense").exit_code == 2


# -- explain -----------------------------------------------------------------------------------------


def test_explain_shows_system_and_engines() -> None:
    result = run("explain", SPEC)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1:15] == [
        "processes  phone, rfid, projector",
        "window     the last 4 states of each process",
        "delivery   fifo: each process's states in their own order",
        "arrival    as lines come (check); by `arrival`, else `time`, else causally (Spark)",
        "waiting    at most 10,000 states; beyond that, fail",
        "lattice    at most 10,000,000 cuts at a slide",
        'initially  phone: ap = "office"',
        "           rfid: speaker = false",
        "           projector: on = false",
        "",
        "mute",
        "  definitely(phone.ap == 'meeting-room' and rfid.speaker and projector.on)",
        "  conjunctive  a conjunction of per-process conditions (on phone, rfid, projector): answered from",
        "               the clocks alone, without the lattice",
    ]
    assert all(len(line) <= 100 for line in result.stdout.splitlines())


def test_explain_names_the_parts_and_what_should_never_be(tmp_path: Path, two: str) -> None:
    shown = run("explain", two).stdout
    assert "both  must never come true" in shown
    assert "  conjunctive  definitely(a.x): a conjunction" in shown
    sizes = TWO.replace("window = 3", 'window = { a = 1, b = "unlimited" }\ndelivery = "causal"')
    shown = run("explain", write(tmp_path / "sizes.toml", sizes)).stdout
    assert "the last states of each process: a 1, b all" in shown
    assert "causal: a state after everything that it depends on" in shown
    forever = TWO.replace("window = 3", 'window = "unlimited"')
    assert "all states, forever" in run("explain", write(tmp_path / "forever.toml", forever)).stdout


def test_explain_json(two: str) -> None:
    (document,) = objects(run("explain", two, "--json").stdout)
    assert document["window"] == {"a": 3, "b": 3}
    assert document["delivery"] == "fifo"
    assert {name: details["never"] for name, details in document["properties"].items()} == {
        "both": True,
        "first": False,
        "sum": False,
    }
    parts = document["properties"]["first"]["parts"]
    assert [part["part"] for part in parts] == ["definitely(a.x)", "possibly(b.y)"]
    assert {part["engine"] for part in parts} == {"conjunctive"}
    assert document["properties"]["sum"]["parts"][0]["engine"] == "bit lattice"


# -- lattice -----------------------------------------------------------------------------------------

GOLDEN = """\
After slide 130, which delivered rfid#44
phone      43..44 ap="meeting-room", 45 ap="office", 46 ap="meeting-room"
rfid       41 speaker=false, 42 speaker=true, 43..44 speaker=false
projector  37..38 on=true, 39..40 on=false
lattice    39 cuts from (43,41,37) to (46,44,40)
perhaps    possibly(phone.ap == 'meeting-room' and rfid.speaker and projector.on)
           true; its condition holds in 6 of the cuts

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


# -- demo --------------------------------------------------------------------------------------------


def test_the_demo_shows_a_day_and_writes_it(tmp_path: Path) -> None:
    result = run("demo", "--out", str(tmp_path / "day"))
    assert result.exit_code == 0
    assert result.stderr == ""
    head, commands = result.stdout.split("Look closer\n")
    assert all(len(line) <= 100 for line in head.splitlines())
    assert all(line == line.rstrip() for line in head.splitlines())
    assert "  08:52     12  Bob enters the meeting room        .      true     true" in head.splitlines()
    assert "latwin said definitely at 123 of these (95%), and possibly at all of them." in " ".join(head.split())
    assert len(commands.splitlines()) == 3
    for command in commands.splitlines():
        assert run(*command.split()[1:]).exit_code == 0


def test_the_example_is_the_demo(tmp_path: Path) -> None:
    Demo(seed=15, hours=10.0).write(tmp_path)
    for name in ("spec.toml", "events.jsonl"):
        assert (tmp_path / name).read_text() == (OFFICE / name).read_text()
    assert Spec.load(OFFICE / "spec.toml") == Demo(seed=1, hours=1.0).spec


def test_the_demo_as_json_is_stable(tmp_path: Path) -> None:
    documents = []
    for _ in range(2):
        (document,) = objects(run("demo", "--json", "--seed", "3", "--hours", "2", "--out", str(tmp_path)).stdout)
        assert document.pop("events_per_second") > 0
        documents.append(document)
    assert documents[0] == documents[1]
    document = documents[0]
    assert document["seed"] == 3
    assert document["files"] == [str(tmp_path / "spec.toml"), str(tmp_path / "events.jsonl")]
    assert document["truth"]["possibly_and_physical_slides"] == document["truth"]["physical_slides"]
    assert all(row["changed"] for row in document["timeline"])


@pytest.mark.parametrize(("seed", "hours"), [(0, 0.01), (1, 0.5), (2, 40), (5, 3)])
def test_the_demo_of_other_days(tmp_path: Path, seed: int, hours: float) -> None:
    result = run("demo", "--seed", str(seed), "--hours", str(hours), "--out", str(tmp_path))
    assert result.exit_code == 0
    for command in result.stdout.split("Look closer\n")[1].splitlines():
        assert run(*command.split()[1:]).exit_code == 0


def test_the_demo_is_told_of_mistakes(tmp_path: Path) -> None:
    assert failure("demo", "--hours", "0", "--out", str(tmp_path)).startswith("hours must be a finite number above 0")
    assert run("demo", "--seed", "-1").exit_code == 2
    file = write(tmp_path / "file", "")
    assert failure("demo", "--out", file) == f"{file}: File exists"
    own = write(tmp_path / "spec.toml", "# mine\n")
    assert "is left as it is" in failure("demo", "--out", str(tmp_path))
    assert Path(own).read_text() == "# mine\n"
    Path(own).write_text(SPEC_TEXT)
    assert run("demo", "--out", str(tmp_path), "--hours", "1").exit_code == 0


def test_the_truth_is_told_rightly() -> None:
    demo = Demo(seed=4, hours=30.0)
    seconds = [0.5 + second for second in range(0, 30 * 3600, 7)]
    together = [
        all(
            next(state.on for state in states if state.start_s <= at < state.end_s)
            for states in demo.simulation.truth
        )
        for at in seconds
    ]
    meetings = demo.meetings()
    assert together == [any(begin <= at < end for begin, end in meetings) for at in seconds]
    assert all(first[1] < second[0] for first, second in pairwise(meetings))
    assert clock_time(0) == "08:00"
    assert clock_time(16 * 3600 + 61, seconds=True) == "day 2 00:01:01"


# -- as a program ------------------------------------------------------------------------------------

PROGRAM = [sys.executable, "-m", "latwin.cli"]


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PROGRAM, *arguments],
        env=os.environ.copy(),  # without what C libraries put into the environment, such as COLUMNS
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_heed_interrupts,
    )


def _heed_interrupts() -> None:
    """Whoever runs the tests in the background has interrupts ignored, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_the_program_exits_with_the_same_codes(two: str, some: str, tmp_path: Path) -> None:
    for arguments, code in ((["explain", two], 0), (["check", two, some], 1), (["check", str(tmp_path)], 2)):
        done = subprocess.run(
            [*PROGRAM, *arguments], env=os.environ.copy(), capture_output=True, text=True, check=False
        )
        inside = run(*arguments)
        assert (done.returncode, done.stdout, done.stderr) == (code, inside.stdout, inside.stderr)


def test_help_and_explain_load_nothing_heavy() -> None:
    script = """
import sys
from latwin.cli import app
for arguments in (["--help"], ["check", "--help"], ["explain", sys.argv[1]]):
    try:
        app(arguments)
    except SystemExit as end:
        assert end.code == 0, end.code
heavy = {"numba", "pandas", "pyspark", "latwin.monitor", "latwin.sim"} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", script, SPEC], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_verdicts_come_at_once_and_an_interrupt_sums_up(two: str) -> None:
    process = start("check", two, "--json", "--every")
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write(SOME_EVENTS)
        process.stdin.flush()
        lines: Iterator[str] = iter(process.stdout.readline, "")
        while json.loads(next(lines))["verdict"]["slide"] < 2:  # although more may come
            pass
        process.send_signal(signal.SIGINT)
        last = [json.loads(line) for line in lines][-1]
    assert last["summary"]["delivered"] == 2
    assert process.returncode == 130


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_reader_who_has_seen_enough_is_no_error(two: str) -> None:
    process = start("check", two, "-")
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stdin.write(SOME_EVENTS)
    process.stdin.close()
    assert process.stderr.read() == ""
    assert process.wait() == 141


# -- on a terminal -----------------------------------------------------------------------------------


def test_a_bar_appears_only_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with terminal.Patience("quick", 10) as patience:
        patience.reach(10)
    assert not patience._progress.live.is_started
    monkeypatch.setattr(terminal.Patience, "_AFTER_S", 0.0)
    with terminal.Patience("slow", 10) as patience:
        deadline = time.monotonic() + 10
        while not patience._progress.live.is_started and time.monotonic() < deadline:
            time.sleep(0.01)
        patience.reach(5)
        assert patience._progress.live.is_started
        assert patience._progress.tasks[0].completed == 5
        assert patience._progress.tasks[0].description == "slow"
    assert not patience._progress.live.is_started


def test_colours_on_a_terminal(monkeypatch: pytest.MonkeyPatch, two: str, some: str) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    plain = re.compile(r"\x1b\[[\d;]*m")
    for arguments in (
        ["check", two, some],
        ["explain", two],
        ["lattice", SPEC, EVENTS, "--property", "mute"],
    ):
        coloured = run(*arguments).stdout
        assert "\x1b[" in coloured
        monkeypatch.delenv("FORCE_COLOR")
        expected = run(*arguments).stdout
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert [line.rstrip() for line in plain.sub("", coloured).splitlines()] == expected.splitlines()
