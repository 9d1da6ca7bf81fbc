"""`latwin check`: verdicts, notices, the summary and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from commands import EVENTS, IN_STEPS, OFFICE, SOME_EVENTS, SPEC, TWO, failure, objects, run, write
from latwin import Monitor, Spec

pytestmark = pytest.mark.usefixtures("plain")


def test_check_prints_changes_and_a_summary() -> None:
    result = run("check", SPEC, EVENTS)
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[:4] == [
        "  slide  state            property  value",
        "     12  phone#4          perhaps   true       (1,0,2)..(4,3,5)  time 08:52:39  at (4,3,3): "
        'phone in state 4 (ap="meeting-room"), rfid in state 3 (speaker=true), projector in state 3 (on=true)',
        "     12  phone#4          hitch     true       (1,0,2)..(4,3,5)  20 cuts  "
        "may change (greatest)  time 08:52:39",
        "     15  projector#7      mute      true       (1,3,4)..(4,4,7)  may change (greatest)  time 08:54:58",
    ]
    assert (
        lines[5] == "     18  phone#5          mute      true       (2,3,5)..(5,5,8)  final (inside)  time 08:56:08"
    )
    assert lines[-5:] == [
        "",
        "204 events: 204 delivered, 0 waiting, 0 duplicates, 0 rejected, 0 late, 0 skipped",
        "  mute      true at 130 of 204 slides, came true 10 times, false since slide 190",
        "  perhaps   true at 184 of 204 slides, came true 6 times, true since slide 201",
        "  hitch     true at 127 of 204 slides, came true 18 times, true since slide 198",
    ]


def test_heartbeats_let_windows_of_time_slide(tmp_path: Path) -> None:
    """Such a slide has no state; it counts in the summary as every other does."""
    spec = write(tmp_path / "spec.toml", 'processes = ["a"]\nwindow = "5s"\n[properties]\non = "possibly(a.x)"\n')
    states = [{"process": "a", "clock": [k + 1], "state": {"x": not k}, "time": k} for k in range(2)]
    beats = [{"time": 3}, {"time": 60}, {"time": 1e9}]
    result = run("check", spec, write(tmp_path / "a.jsonl", "\n".join(map(json.dumps, [*states, *beats]))))
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[2].split()[:4] == ["3", "tick", "on", "false"]
    assert "5 events: 2 delivered, 0 waiting, 0 duplicates, 1 rejected, 0 late, 0 skipped" in lines
    assert lines[-1] == "  on        true at 2 of 3 slides, came true 1 time, false since slide 3"
    assert "heartbeat: its time is 11574.1d ahead of the latest time of the group" in result.stderr


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
    lines = result.stdout.splitlines()
    at = lines.index(f"never: 'both' came true first at slide 2, b#1, time noon, {some}:3")
    assert lines[at - 1] == ""  # it is the first of the summary
    assert lines[at + 1] == "  at (1,1): a in state 1 (x=true), b in state 1 (y=true)"
    assert lines[at + 2].startswith("4 events: ")
    result = run("check", two, some, "--json")
    assert result.exit_code == 1
    assert objects(result.stdout)[-1]["summary"]["violations"] == [
        {
            "property": "both",
            "slide": 2,
            "process": "b",
            "index": 1,
            "line": 3,
            "time": "noon",
            "witness": [1, 1],
            "states": {"a": {"index": 1, "state": {"x": True}}, "b": {"index": 1, "state": {"y": True}}},
        }
    ]
    harmless = SOME_EVENTS.splitlines()[0]
    assert run("check", two, stdin=harmless).exit_code == 0


def test_every_marks_changes_and_observations_are_shown(two: str, some: str) -> None:
    lines = run("check", two, some, "--every", "--observations").stdout.splitlines()
    assert lines[:7] == [
        "    slide  state    property  value",
        "        1  a#1      both      false      (0,0)..(1,0)",
        "*       1  a#1      first     true       (0,0)..(1,0)  may change",
        "        1  a#1      sum       false      (0,0)..(1,0)  avoided by (0,0) then a#1",
        "*       2  b#1      both      true       (0,0)..(1,1)  time noon  at (1,1): "
        "a in state 1 (x=true), b in state 1 (y=true)",
        "*       2  b#1      first     false      (0,0)..(1,1)  final  time noon",
        "        2  b#1      sum       false      (0,0)..(1,1)  time noon  avoided by (0,0) then a#1 b#1",
    ]


def test_a_long_observation_is_shortened() -> None:
    shown = run("check", SPEC, EVENTS, "--observations").stdout
    assert "avoided by (7,4,11) then phone#8 " in shown
    assert " (1 more) " in shown


UNREADABLE = {
    b"nonsense": "invalid character (byte 4)",
    b'{"process": "a"': "Input data was truncated",
    b'{"a": NaN}': "invalid character (byte 6)",
    b'{"a": "\xff"}': "not UTF-8: invalid start byte",
    b"\x00\xff\x93\x1f junk": "invalid character (byte 0)",
    b"[" * 100_000: "nested too deeply: at most 100 levels are read",
    b"[1, 2]": "expected a JSON object; it is an array",
    b'{"group": null}': "the group must be a string or an integer; it is null",
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
    assert notice["reason"].removeprefix("not valid JSON: ") == UNREADABLE[line]
    assert len(notice["event"]["line"]) <= 1003
    assert objects(result.stdout)[-1]["summary"]["rejected"] == 1
    assert f"{path}:6: rejected: {notice['reason']}" in run("check", two, path).stderr


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"process": "c", "clock": [1, 0], "state": {}}', "unknown process 'c'; processes are 'a', 'b'"),
        ('{"process": "a"}', "the event lacks 'clock'"),
        ('{"process": "a", "clock": [1], "state": {}}', "the clock must have 2 entries; got 1: [1]"),
    ],
)
def test_an_event_that_cannot_be_used_is_rejected(two: str, line: str, reason: str) -> None:
    result = run("check", two, stdin=line)
    assert result.exit_code == 0
    warning = "warning: no state of any process was delivered\n"
    assert result.stderr == f"stdin:1: rejected: {reason}\n{warning}"
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
        missing = "b reported nothing: no state of it" if b"process" in content else "no state of any process"
        assert result.stderr == f"warning: {missing} was delivered\n"
    result = run("check", two, stdin="")
    assert result.stdout.splitlines()[0].startswith("0 events: 0 delivered, 0 waiting,")
    assert result.stdout.splitlines()[1] == "  both      never true"


def test_people_see_the_first_notices_only(two: str) -> None:
    lines = '{"process": "a", "clock": [1, 0], "state": {}}\n' + "nonsense\n" * 50
    result = run("check", two, stdin=lines)
    assert result.stderr.count("rejected: not valid JSON") == 20
    assert result.stderr.splitlines()[20].startswith("further notices of the kind 'rejected' are only counted")
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
    spec = write(tmp_path / "spec.toml", "max_cuts = 1\n" + TWO.replace(*IN_STEPS))
    result = run("check", spec, some)
    assert "      1  a#1      sum       too large  (0,0)..(1,0)" in result.stdout.splitlines()
    assert f"{some}:1: too large: property 'sum' needs more than max_cuts=1 cuts" in result.stderr
    assert "too large since slide 1, too large at 2" in result.stdout
    assert objects(run("check", spec, some, "--json").stdout)[-1]["summary"]["too_large"] >= 2


def test_a_never_that_could_not_be_answered_does_not_look_clean(tmp_path: Path, some: str) -> None:
    text = TWO.replace('never = ["both"]', 'never = ["sum", "first"]').replace(*IN_STEPS)
    spec = write(tmp_path / "spec.toml", "max_cuts = 1\n" + text)
    result = run("check", spec, some)
    assert result.stdout.splitlines()[-1] == (
        "never: 'sum' could not be answered at 2 slides, where it was too large; "
        "use smaller windows or raise max_cuts"
    )
    assert result.exit_code == 1  # 'first' came true, which weighs more
    summary = objects(run("check", spec, some, "--json").stdout)[-1]["summary"]
    assert summary["unanswered"] == {"sum": 2}
    assert summary["properties"]["sum"]["too_large_slides"] == 2
    fine = write(tmp_path / "fine.toml", text)
    assert "could not be answered" not in run("check", fine, some).stdout
    assert objects(run("check", fine, some, "--json").stdout)[-1]["summary"]["unanswered"] == {}


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
