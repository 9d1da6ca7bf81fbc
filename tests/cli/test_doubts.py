"""What a check says of answers that may mislead: warnings, slides without a cut, and exit code 3."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import objects, run, write

pytestmark = pytest.mark.usefixtures("plain")

SPEC = """
processes = ["phone", "rfid", "door"]
window = 2
never = ["there"]
[properties]
there = "possibly(phone.ap == 'meetingroom' and rfid.speeker)"
[states]
late = "phone.load > 3"
"""


def events(*groups: str) -> str:
    rows = [
        {"process": "phone", "clock": {"phone": 1}, "state": {"ap": "meeting-room", "load": 1}},
        {"process": "phone", "clock": {"phone": 2}, "state": {"ap": "office"}},
        {"process": "rfid", "clock": {"rfid": 1}, "state": {"speaker": True}},
    ]
    return "".join(json.dumps({"group": group, **row}) + "\n" for group in groups for row in rows)


WARNINGS = [
    "door reported nothing: no state of it was delivered",
    "phone.ap never equalled 'meetingroom'; values seen: 'meeting-room', 'office'; did you mean 'meeting-room'?",
    "`rfid.speeker` was in no state of rfid; did you mean `rfid.speaker`?",
]


@pytest.fixture
def spec(tmp_path: Path) -> str:
    return write(tmp_path / "spec.toml", SPEC)


def test_check_warns_of_what_was_never_seen(spec: str) -> None:
    result = run("check", spec, stdin=events(""))
    assert result.stderr.splitlines() == [f"warning: {warning}" for warning in WARNINGS]
    assert result.exit_code == 0
    printed = run("check", spec, "--json", stdin=events(""))
    assert objects(printed.stdout)[-1]["summary"]["warnings"] == WARNINGS
    assert printed.stderr == ""


def test_what_one_group_has_seen_is_no_warning(spec: str) -> None:
    late = '{"group": "south", "process": "door", "clock": {"door": 1}, "state": {}}\n'
    seen = '{"group": "west", "process": "phone", "clock": {"phone": 1}, "state": {"ap": "meetingroom"}}\n'
    result = run("check", spec, stdin=events("north", "south") + late + seen)
    assert result.stderr.splitlines() == [f"warning: {WARNINGS[2]}"]
    summaries = [row["summary"] for row in objects(run("check", spec, "--json", stdin=events("a", "b")).stdout)]
    assert [summary["warnings"] for summary in summaries] == [WARNINGS, WARNINGS]


def test_explore_warns_too(spec: str, tmp_path: Path) -> None:
    page = str(tmp_path / "page.html")
    log = write(tmp_path / "events.jsonl", events(""))
    result = run("explore", spec, log, "-o", page, "--no-open")
    assert result.stderr.splitlines() == [f"note: warning: {warning}" for warning in WARNINGS]
    printed = run("explore", spec, log, "-o", page, "--no-open", "--json")
    assert objects(printed.stdout)[0]["notes"] == [f"warning: {warning}" for warning in WARNINGS]


# -- exit code 3 -----------------------------------------------------------------------------------------

EMPTY = 'processes = ["a", "b"]\nwindow = 1\nnever = ["p"]\n[properties]\np = "possibly(a.x)"\n'


def knowing(*clocks: tuple[int, int]) -> str:
    return "".join(json.dumps({"process": "a", "clock": clock, "state": {"x": True}}) + "\n" for clock in clocks)


def test_a_never_on_a_lattice_that_was_always_empty_is_not_answered(tmp_path: Path) -> None:
    spec = write(tmp_path / "spec.toml", EMPTY)
    result = run("check", spec, stdin=knowing((1, 1), (2, 1)))
    assert result.exit_code == 3
    assert (
        result.stdout.splitlines()[-1] == "never: 'p' could not be answered: there was no cut at any of the 2 slides"
    )
    printed = run("check", spec, "--json", stdin=knowing((1, 1), (2, 1)))
    assert objects(printed.stdout)[-1]["summary"]["unanswered"] == {"p": 2}
    assert printed.exit_code == 3
    assert run("check", spec, "--allow-unanswered", stdin=knowing((1, 1), (2, 1))).exit_code == 0


def test_one_cut_is_an_answer_and_other_properties_do_not_count(tmp_path: Path) -> None:
    spec = write(tmp_path / "spec.toml", EMPTY.replace("a.x", "a.y"))
    assert run("check", spec, stdin=knowing((1, 0), (2, 1))).exit_code == 0
    harmless = write(tmp_path / "harmless.toml", EMPTY.replace('never = ["p"]\n', ""))
    assert run("check", harmless, stdin=knowing((1, 1), (2, 1))).exit_code == 0
    assert run("check", spec, stdin="").exit_code == 0


def test_what_came_true_and_what_is_wrong_go_before(tmp_path: Path) -> None:
    """1 if a property came true, in whatever group; 2 if --strict finds an event rejected."""
    text = 'max_cuts = 1\nprocesses = ["a", "b"]\nwindow = 2\nnever = ["p", "q"]\n[properties]\n'
    spec = write(tmp_path / "spec.toml", text + 'p = "EX(a.x + b.x > 8)"\nq = "possibly(a.x)"\n')
    states = knowing((1, 0), (2, 0))
    assert run("check", spec, stdin=states).exit_code == 1
    assert run("check", spec, stdin=states.replace("true", "false")).exit_code == 3
    assert run("check", spec, "--strict", stdin=states.replace("true", "false") + "{}\n").exit_code == 2


@pytest.mark.parametrize("command", ["check", "run", "replay"])
def test_the_help_tells_the_exit_codes(command: str) -> None:
    shown = " ".join(run(command, "--help").stdout.split())
    assert "with 3 if one could not be answered" in shown
    assert "--allow-unanswered" in shown
