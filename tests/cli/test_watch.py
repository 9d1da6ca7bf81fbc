"""`latwin watch`: the verdicts of `check` as events come, its ends, and whom it tells."""

from __future__ import annotations

import gzip
import io
import json
import os
import shlex
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pyarrow as pa
import pytest

import host_by_host
from application import application
from commands import EVENTS, OFFICE, SOME_EVENTS, SPEC, TWO, failure, objects, run, write
from latwin.cli.following import Following, Pipe, Waiting
from latwin.cli.telling import ViolationCommand
from latwin.errors import InvalidInput
from latwin.process.collector import Collector

pytestmark = pytest.mark.usefixtures("plain")

#: why the order of the file was taken: it could not be chosen, or was
_LIVE, _NOT_EMPTY = "the events come live", "the lattice is empty at 0 of 204 slides"
LINES = (OFFICE / "events.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)


def python(program: str) -> str:
    """A command that runs a program in Python."""
    return shlex.join([sys.executable, "-c", program])


# -- the same as check -------------------------------------------------------------------------------


def test_a_file_that_does_not_grow_gives_what_check_gives() -> None:
    for options in ([], ["--json"]):
        watched = run("watch", SPEC, EVENTS, "--once", *options)
        checked = run("check", SPEC, EVENTS, *options)
        assert watched.stdout.replace(_LIVE, "") == checked.stdout.replace(_NOT_EMPTY, "")
        assert watched.exit_code == 0


def test_standard_input_gives_what_check_gives() -> None:
    text = "".join(LINES)
    watched = run("watch", SPEC, "--json", stdin=text)
    assert watched.stdout == run("check", SPEC, "--json", stdin=text).stdout
    assert watched.stderr == "watching stdin; Ctrl-C ends\n"


def test_what_could_not_be_answered_has_its_exit_code(tmp_path: Path) -> None:
    text = TWO.replace("possibly(a.x and b.y)", "EX(a.x + b.y > 2)").replace("window = 3", "window = 3\nmax_cuts = 1")
    small = write(tmp_path / "small.toml", text)
    assert run("watch", small, stdin=SOME_EVENTS).exit_code == run("check", small, stdin=SOME_EVENTS).exit_code == 3
    assert run("watch", small, "--allow-unanswered", stdin=SOME_EVENTS).exit_code == 0


def test_a_folder_gives_what_check_gives(tmp_path: Path) -> None:
    """Files as `latwin collect` leaves them; each event says when it arrived."""
    numbered = [json.dumps({**json.loads(line), "arrival": k}) + "\n" for k, line in enumerate(LINES)]
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.jsonl").write_text("".join(numbered[:100]))
    (folder / "b.jsonl").write_text("".join(numbered[100:]))
    watched = run("watch", SPEC, str(folder), "--once", "--json")
    checked = run("check", SPEC, EVENTS, "--json")
    found, expected = (objects(done.stdout)[-1]["summary"] for done in (watched, checked))
    assert {**found, "order": None} == {**expected, "order": None}


def test_what_was_collected_is_watched(tmp_path: Path) -> None:
    with Collector(tmp_path / "in", gather_s=0) as collector:
        for body in ("".join(LINES[:10]), "".join(LINES[10:15])):
            headers = {"Content-Type": "application/x-ndjson"}
            request = urllib.request.Request(collector.url, body.encode(), headers, method="POST")
            with urllib.request.urlopen(request) as answer:
                assert answer.status == 200
    watched = run("watch", SPEC, str(tmp_path / "in"), "--until-idle", "0.1", "--json")
    found = objects(watched.stdout)
    assert [line["verdict"]["slide"] for line in found[:-1]] == [12, 12, 15]
    assert found[-1]["summary"]["delivered"] == 15


def test_exit_codes(tmp_path: Path) -> None:
    two = write(tmp_path / "two.toml", TWO)
    some = write(tmp_path / "some.jsonl", SOME_EVENTS)
    violated = run("watch", two, some, "--once")
    assert violated.exit_code == 1
    assert "never: 'both' came true first at slide 2" in violated.stdout
    missing = str(tmp_path / "missing.jsonl")
    assert failure("watch", two, missing) == f"{missing}: No such file or directory"
    log = write(tmp_path / "some.log", "no event\n")
    told = run("watch", two, log, "--once")
    assert told.exit_code == 2
    assert f"error: {log}: its format cannot be told: line 1 is 'no event'; tried JSON lines," in told.stderr
    (tmp_path / "out" / "verdicts").mkdir(parents=True)
    (tmp_path / "out" / "_latwin.json").touch()
    assert "is an output of latwin" in failure("watch", two, str(tmp_path / "out"))
    assert failure("watch", two, some, "--once", "--until-idle", "1") == "--once and --until-idle exclude each other"


def test_a_log_of_another_format_is_read_once(tmp_path: Path) -> None:
    """As `check` reads it: recognised, decompressed, and in the order that it needs."""
    spec = write(tmp_path / "spec.toml", host_by_host.SPEC)
    log = tmp_path / "host.log.gz"
    log.write_bytes(gzip.compress(host_by_host.shiviz().encode()))
    lines = tmp_path / "lines.jsonl.gz"
    lines.write_bytes(gzip.compress(host_by_host.lines().encode()))
    for path in (log, lines):
        checked, watched = run("check", spec, str(path), "--json"), run("watch", spec, str(path), "--json")
        assert watched.exit_code == checked.exit_code == 1
        assert watched.stdout == checked.stdout
        assert json.loads(watched.stdout.splitlines()[-1])["summary"]["order"]["used"] == "causal"
    piped = run("watch", spec, "--format", "govector", stdin=host_by_host.shiviz())
    assert (piped.exit_code, "taken in causal order" in piped.stderr) == (1, True)


def test_packed_files_of_a_folder(tmp_path: Path) -> None:
    spec = write(tmp_path / "two.toml", TWO)
    folder = tmp_path / "events"
    folder.mkdir()
    (folder / "some.jsonl.gz").write_bytes(gzip.compress(SOME_EVENTS.encode()))
    (folder / "some.jsonl.zst").write_bytes(pa.compress(SOME_EVENTS.encode(), codec="zstd", asbytes=True))
    (folder / "torn.jsonl.gz").write_bytes(gzip.compress(SOME_EVENTS.encode())[:-12])
    found = run("watch", spec, str(folder), "--once", "--json")
    summary = json.loads(found.stdout.splitlines()[-1])["summary"]
    assert found.exit_code == 1
    assert summary["duplicates"] >= summary["delivered"] > 0
    assert "torn.jsonl.gz cannot be read" in found.stdout


# -- following ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_verdicts_come_while_the_file_grows(tmp_path: Path, ending: signal.Signals) -> None:
    events = tmp_path / "events.jsonl"
    events.write_text("".join(LINES[:11]))
    process = subprocess.Popen(
        [sys.executable, "-m", "latwin", "watch", SPEC, str(events), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    with process.stdout as printed, events.open("a") as file:
        file.write("".join(LINES[11:15]))
        file.flush()
        slides = [json.loads(printed.readline())["verdict"]["slide"] for _ in range(3)]
        process.send_signal(ending)
        rest = objects(printed.read())
    assert slides == [12, 12, 15]
    assert [line["summary"]["delivered"] for line in rest] == [15]
    assert process.wait() == 0


def test_a_silent_pipe_ends_it(tmp_path: Path) -> None:
    """The pipe stays open; what is in it was written before."""
    reading, writing = os.pipe()
    os.write(writing, "".join(LINES[:15]).encode())
    done = subprocess.run(
        [sys.executable, "-m", "latwin", "watch", SPEC, "--until-idle", "0.1", "--json"],
        stdin=reading,
        capture_output=True,
        text=True,
        check=True,
    )
    os.close(reading)
    os.close(writing)
    assert objects(done.stdout)[-1]["summary"]["delivered"] == 15


def test_waiting_counts_only_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    waiting = Waiting(0.7)
    while waiting.pause():
        pass
    assert sum(pauses) == pytest.approx(0.7)
    assert not waiting.pause()
    waiting.begin()
    assert waiting.pause()
    assert not Waiting(0.0).pause()
    assert Waiting(None).rest_s is None


def test_a_rotated_file_is_followed_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\ntw")

    def rotate() -> None:
        path.rename(tmp_path / "log.1")

    def begin() -> None:
        path.write_bytes(b"three\n")

    def cut() -> None:
        path.write_bytes(b"4\n")

    steps = [rotate, begin, cut]

    def act(_: float) -> None:
        steps.pop(0)()

    monkeypatch.setattr("time.sleep", act)
    with path.open("rb") as stream:
        following = Following(stream, path=str(path), waiting=Waiting(1.2))
        # The line that was begun in the first file is not continued in the second.
        assert [following.readline(99) for _ in range(4)] == [b"one\n", b"tw", b"three\n", b"4\n"]


def test_lines_of_a_pipe_may_be_cut_anywhere() -> None:
    reading, writing = os.pipe()
    text = b"one\n\nthree, which is long\nfour"
    for byte in text:
        os.write(writing, bytes([byte]))
    os.close(writing)
    pipe = Pipe(reading, Waiting(60.0))
    lines = [*iter(lambda: pipe.readline(10), b"")]
    os.close(reading)
    expected = io.BytesIO(text)
    assert lines == [*iter(lambda: expected.readline(10), b"")]


# -- telling others ----------------------------------------------------------------------------------


def test_an_application_is_told_of_every_change() -> None:
    with application(lambda _: 200) as (url, received):
        watched = run("watch", SPEC, EVENTS, "--once", "--json", "--notify", url)
    changes = [line["verdict"] for line in objects(watched.stdout) if line.get("verdict", {}).get("changed")]
    assert len(changes) == 66
    assert [
        {name: value for name, value in message.items() if name not in ("id", "group")} for message in received
    ] == changes
    assert len({message["id"] for message in received}) == len(changes)


def test_an_application_that_cannot_be_told_is_no_reason_to_end(tmp_path: Path) -> None:
    two = write(tmp_path / "two.toml", TWO)
    with application(lambda _: 404) as (url, received):
        watched = run("watch", two, "--json", "--notify", url, stdin=SOME_EVENTS)
    changes = [line for line in objects(watched.stdout) if line.get("verdict", {}).get("changed")]
    assert len(received) == len(changes)
    assert watched.stderr.count(f"notify: {url}: tried 1 time, then gave up: the answer was 404") == len(changes)
    assert watched.exit_code == 1
    assert "must begin with http:// or https://" in failure("watch", two, "--notify", "phone", stdin="")


def test_a_command_is_run_when_never_comes_true(tmp_path: Path) -> None:
    two = write(tmp_path / "two.toml", TWO)
    told = tmp_path / "told $HOME; touch x.jsonl"  # no shell reads it
    command = python(f"import sys; open({str(told)!r}, 'a').write(sys.stdin.read()); print('run')")
    watched = run("watch", two, "--json", "--on-violation", command, stdin=SOME_EVENTS)
    assert watched.exit_code == 1
    (message,) = objects(told.read_text())
    (verdict,) = [
        line["verdict"]
        for line in objects(watched.stdout)
        if line.get("verdict", {}).get("property") == "both" and line["verdict"]["value"]
    ]
    assert {**verdict, "id": message["id"], "group": ""} == message
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["two.toml", told.name])


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (python("raise SystemExit(3)"), "it ended with 3"),
        ("/no/such/program", "it cannot be run: No such file or directory"),
    ],
)
def test_a_command_that_fails_is_told_and_no_reason_to_end(tmp_path: Path, command: str, problem: str) -> None:
    two = write(tmp_path / "two.toml", TWO)
    watched = run("watch", two, "--json", "--on-violation", command, stdin=SOME_EVENTS)
    assert f"on violation: {problem}\n" in watched.stderr
    assert objects(watched.stdout)[-1]["summary"]["delivered"] == 2


def test_a_command_has_limited_time() -> None:
    command = ViolationCommand(python("import time; time.sleep(600)"), limit_s=0.2)
    assert command.run({}) == "it took more than 0.2 seconds, and was killed"


def test_what_is_no_command(tmp_path: Path) -> None:
    two = write(tmp_path / "two.toml", TWO)
    assert "No closing quotation" in failure("watch", two, "--on-violation", "say 'no", stdin="")
    with pytest.raises(InvalidInput, match="the command is empty"):
        ViolationCommand("  ")
