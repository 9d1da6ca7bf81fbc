"""`latwin check --whole`: one verdict for each property, groups, exit codes, real logs."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from commands import EVENTS, IN_STEPS, SOME_EVENTS, SPEC, TWO, failure, objects, run, write
from latwin import LatWin

pytestmark = pytest.mark.usefixtures("plain")


def test_each_property_has_one_verdict_with_its_proof() -> None:
    result = run("check", SPEC, EVENTS, "--whole")
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[0] == "204 events: 204 delivered, 0 waiting, 0 duplicates, 0 rejected, 0 late, 0 skipped"
    assert len(lines) == 4
    assert lines[1].startswith("  mute     true       (0,0,0)..(70,68,66)  for example at (4,3,3): ")
    assert 'phone in state 4 (ap="meeting-room"), rfid in state 3 (speaker=true)' in lines[2]


def test_the_order_of_the_lines_does_not_matter(tmp_path: Path) -> None:
    lines = Path(EVENTS).read_text().splitlines()
    random.Random(7).shuffle(lines)
    by_host = sorted(lines, key=lambda line: json.loads(line)["process"])
    expected = objects(run("check", SPEC, EVENTS, "--whole", "--json").stdout)
    for number, order in enumerate((lines, by_host, lines[::-1])):
        path = write(tmp_path / f"{number}.jsonl", "\n".join(order))
        assert objects(run("check", SPEC, path, "--whole", "--json").stdout) == expected


def test_json_has_whole_observations(tmp_path: Path) -> None:
    text = TWO.replace("never", "# never")
    spec = write(tmp_path / "spec.toml", text + 'all = "definitely(a.x and b.y)"\n')
    notice, *verdicts, summary = objects(run("check", spec, "--whole", "--json", stdin=SOME_EVENTS).stdout)
    assert (notice["notice"]["kind"], notice["notice"]["line"]) == ("duplicate", 4)
    found = {entry["whole"]["property"]: entry["whole"] for entry in verdicts}
    assert list(found) == ["both", "first", "sum", "all"]
    assert found["both"] == {
        "property": "both",
        "value": True,
        "least": [0, 0],
        "greatest": [1, 1],
        "cuts": None,
        "witness": [1, 1],
        "stretch": None,
        "because": None,
        "example": None,
        "states": {"a": {"index": 1, "state": {"x": True}}, "b": {"index": 1, "state": {"y": True}}},
    }
    assert (found["sum"]["value"], found["sum"]["witness"]) == (False, [[0, 0], [1, 0], [1, 1]])
    assert found["all"]["value"] is True
    assert found["all"]["example"] == [1, 1]
    told = summary["summary"]
    assert told["properties"] == {"both": True, "first": False, "sum": False, "all": True}
    assert (told["events"], told["delivered"], told["waiting"], told["duplicates"]) == (4, 2, 1, 1)
    assert (told["violations"], told["unanswered"]) == ([], [])


def test_what_should_never_be_comes_first_and_exits_with_1(two: str) -> None:
    result = run("check", two, "--whole", stdin=SOME_EVENTS)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:3] == [
        "never: 'both' is true",
        "  at (1,1): a in state 1 (x=true), b in state 1 (y=true)",
        "4 events: 2 delivered, 1 waiting for states that did not come, 1 duplicate, 0 rejected, 0 late, 0 skipped",
    ]
    assert "  sum    false      (0,0)..(1,1)  avoided by (0,0) then a#1 b#1" in result.stdout.splitlines()
    assert result.stderr == "stdin:4: duplicate: process 'b', state 1: came before\n"
    summary = objects(run("check", two, "--whole", "--json", stdin=SOME_EVENTS).stdout)[-1]["summary"]
    assert [violation["property"] for violation in summary["violations"]] == ["both"]


def test_a_never_that_is_too_large_exits_with_3(tmp_path: Path) -> None:
    spec = write(tmp_path / "spec.toml", "max_cuts = 1\n" + TWO.replace('["both"]', '["sum"]').replace(*IN_STEPS))
    result = run("check", spec, "--whole", stdin=SOME_EVENTS)
    assert result.exit_code == 3
    lines = result.stdout.splitlines()
    assert "  sum    too large  more than max_cuts = 1 cuts; raise it, or check windows (without --whole)" in lines
    assert lines[-1] == "never: whether 'sum' is true was not answered: the lattice is too large"
    as_json = run("check", spec, "--whole", "--json", stdin=SOME_EVENTS)
    assert as_json.exit_code == 3
    assert objects(as_json.stdout)[-1]["summary"]["unanswered"] == ["sum"]
    text = TWO.replace('["both"]', '["sum", "both"]').replace(*IN_STEPS)
    both = write(tmp_path / "both.toml", "max_cuts = 1\n" + text)
    assert run("check", both, "--whole", stdin=SOME_EVENTS).exit_code == 1


def test_groups_are_answered_each(tmp_path: Path, two: str) -> None:
    rows = [json.loads(line) for line in SOME_EVENTS.splitlines() if line]
    grouped = [{**row, "group": group} for group in ("one", "two") for row in rows]
    grouped = [row for row in grouped if row["group"] == "two" or row["process"] == "a"]
    result = run("check", two, "--whole", stdin="".join(json.dumps(row) + "\n" for row in grouped))
    assert [line for line in result.stdout.splitlines() if line.startswith("group")] == ["group two", "group one"]
    assert "\n\ngroup one\n2 events: 1 delivered" in result.stdout


def test_wrong_lines_are_told_as_without_whole(tmp_path: Path, two: str) -> None:
    path = write(
        tmp_path / "events.jsonl", SOME_EVENTS + "nonsense\n" + '{"process": "c", "clock": [1, 0], "state": {}}\n'
    )
    windows, whole = run("check", two, path), run("check", two, path, "--whole")
    assert sorted(whole.stderr.splitlines()) == sorted(windows.stderr.splitlines())
    assert run("check", two, path, "--whole", "--strict").exit_code == 2
    assert (
        "its format cannot be told: line 1 is 'nonsense'" in run("check", two, "--whole", stdin="nonsense\n").stderr
    )
    assert "leave one of them out" in failure("check", two, path, "--whole", "--every")
    assert run("check", two, "--whole", stdin="").stdout.startswith("0 events: 0 delivered")


def test_missing_states_can_be_declared_lost_at_the_end(tmp_path: Path) -> None:
    spec = write(tmp_path / "spec.toml", 'waiting_policy = "skip"\n' + TWO)
    result = run("check", spec, "--whole", stdin=SOME_EVENTS)
    assert "stdin:5: skipped: process 'a': states 2 to 2 declared lost" in result.stderr
    assert "3 delivered, 0 waiting" in result.stdout


def test_no_property(tmp_path: Path) -> None:
    spec = write(tmp_path / "spec.toml", 'processes = ["a", "b"]\nwindow = 1\n')
    assert "nothing to check" in run("check", spec, "--whole", stdin=SOME_EVENTS).stdout


#: logs of ShiViz, each with its expression and the number of its cuts as published with it
REAL = {
    "facebook": (r"(?<ip>(\d{1,3}\.){3}\d{1,3}) (?<date>(\d{1,2}/){2}\d{4} (\d{2}:){2}\d{2} (AM|PM)) "
                 r"(?<action>(INFO|GET|POST)) (?<event>.*)\n(?<host>\w*) (?<clock>.*)", 123),
    "simple-reliable-broadcast": (r"\[\w+\] \[(?<date>([^ ]+ [^ ]+))\] [^ ]+ "
                                  r"\[akka://Broadcast/user/(?<host>\w+)\] (?<clock>.*\}) (?<event>.*)", 382),
    "simpledb": (r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})", 1_541_953),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif("LATWIN_DATA" not in os.environ, reason="LATWIN_DATA names no folder with real logs")
@pytest.mark.parametrize("name", REAL)
def test_real_logs_are_answered_whole(tmp_path: Path, name: str) -> None:
    """In both orders alike, on all their cuts, and as the lattice without windows says."""
    parser, cuts = REAL[name]
    log = str(Path(os.environ["LATWIN_DATA"]) / f"{name}.log")
    options = ["--format", "shiviz", "--parser", parser]
    events = tmp_path / "events.jsonl"
    assert run("convert", log, *options, "--out", str(events)).exit_code == 0
    rows = [json.loads(line) for line in events.read_text().splitlines()]
    hosts = sorted({row["process"] for row in rows})
    first, second = hosts[:2]
    busy, idle = (min(row["state"]["event"] for row in rows if row["process"] == host) for host in (first, second))
    busy_text, idle_text = json.dumps(busy), json.dumps(idle)
    fields = {
        "conjunction": f"definitely(`{first}`.event == {busy_text} and `{second}`.event == {idle_text})",
        "lattice": f"possibly(`{first}`.event == `{second}`.event)",
    }
    toml = "".join(f"{name} = '''{text}'''\n" for name, text in fields.items())
    spec = write(tmp_path / "spec.toml", f"processes = {json.dumps(hosts)}\nwindow = 2\n[properties]\n{toml}")
    found = [
        objects(run("check", spec, log, *options, "--order", order, "--whole", "--json").stdout)
        for order in ("file", "causal")
    ]
    assert found[0] == found[1]
    values = {entry["whole"]["property"]: entry["whole"] for entry in found[0][:-1]}
    assert values["lattice"]["cuts"] == cuts
    lattice = LatWin(len(hosts), None)
    for row in rows:
        clock = [row["clock"].get(host, 0) for host in hosts]
        lattice.push(hosts.index(row["process"]), clock, row["state"]["event"])
    assert values["conjunction"]["greatest"] == list(lattice.greatest or ())
    assert values["lattice"]["value"] == lattice.possibly(lambda v: v[0] is not None and v[0] == v[1])
    expected = lattice.definitely(lambda v: v[0] == busy and v[1] == idle)
    assert values["conjunction"]["value"] == expected


def test_what_was_never_seen_is_told(tmp_path: Path) -> None:
    spec = write(tmp_path / "spec.toml", TWO.replace("a.x", "a.xx", 1))
    result = run("check", spec, "--whole", stdin=SOME_EVENTS)
    assert "warning: `a.xx` was in no state of a; did you mean `a.x`?" in result.stderr
