"""Killed at any line and started again, a process repeats no index, misses none, and reports all."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

import crash_process
from latwin.formats import read_log, validate
from latwin.process import FileReporter, JournalError, MemoryReporter, Process, Settings, Stamp, UnsentStates

PROGRAM = Path(crash_process.__file__)
AT_ONCE = Settings(gather_s=0.0, durability="kill")


class Refusing:
    """Takes nothing."""

    def send(self, events: Sequence[bytes]) -> None:
        raise ConnectionError("nobody listens")

    def close(self) -> None:
        pass


def run(folder: Path, durability: str, kill_after: int, states: int) -> int:
    command = [sys.executable, str(PROGRAM), str(folder), durability, str(kill_after), str(states)]
    return subprocess.run(command, check=False, timeout=120).returncode


@pytest.mark.slow
@pytest.mark.parametrize("durability", ["kill", "power"])
def test_killed_at_random_lines(tmp_path: Path, durability: str) -> None:
    seed, runs, states = 11, 30, 200
    print(f"seed={seed}")
    choose = random.Random(f"{seed} {durability}")
    codes = [run(tmp_path, durability, choose.randrange(1, 1500), states) for _ in range(runs)]
    assert codes.count(-signal.SIGKILL) > runs // 2
    assert set(codes) <= {0, -signal.SIGKILL}
    assert run(tmp_path, durability, 0, states) == 0

    lines = (tmp_path / "events.jsonl").read_bytes().splitlines()
    events: dict[int, dict[str, Any]] = {}
    first: list[bytes] = []
    for line in lines:
        event = msgspec.json.decode(line)
        index = event["clock"]["phone"]
        if index not in events:
            first.append(line)
        assert events.setdefault(index, event) == event  # sent twice perhaps, but never another state
    assert list(events) == list(range(1, states + 1))
    assert len({event["state"]["by"] for event in events.values()}) > runs // 3  # the killed ones did some of it
    assert validate(read_log(b"\n".join(first).decode(), "jsonl")) == []
    for text in (tmp_path / "returned").read_text().splitlines():
        index, by = map(int, text.split())
        assert events[index]["state"]["by"] == by  # what was told to the program is what was reported
    totals = [events[index]["state"]["total"] for index in events]
    assert totals == sorted(totals)  # variables went on from where they were
    for text in (tmp_path / "stamped").read_text().splitlines():
        assert Stamp.from_text(text).clock["phone"] in events


def test_a_restart_goes_on(tmp_path: Path) -> None:
    journal = tmp_path / "phone.journal"
    first = Process("phone", Refusing(), group="g", journal=journal, variables={"ap": "office"}, settings=AT_ONCE)
    first.update(battery=1)
    first.receive(Stamp({"door": 4}, "g"))
    with pytest.raises(UnsentStates, match=r"2 states .* kept in .*phone.journal, and sent after the next start"):
        first.close(0.02)
    reporter = MemoryReporter()
    with Process("phone", reporter, group="g", journal=journal, variables={"ap": "?"}, settings=AT_ONCE) as second:
        assert second.clock == {"phone": 2, "door": 4}
        assert second.variables == {"ap": "office", "battery": 1}
        assert second.receive(second.stamp({})) == 3
    assert [event["clock"]["phone"] for event in reporter.events] == [1, 2, 3]
    with Process("phone", reporter, group="g", journal=journal, settings=AT_ONCE) as third:
        assert (third.unsent, third.index) == (0, 3)  # all is acknowledged, and still it goes on
        assert third.update() == 4
    assert len(reporter.events) == 4


def test_without_a_journal_the_clock_is_lost_and_told() -> None:
    with Process("phone", MemoryReporter()) as before:
        before.update()
        message = before.stamp({})
    with (
        Process("phone", MemoryReporter()) as after,
        pytest.raises(ValueError, match="was its journal lost"),
    ):
        after.receive(message)


def test_a_journal_in_use(tmp_path: Path) -> None:
    journal = tmp_path / "phone.journal"
    with Process("phone", MemoryReporter(), journal=journal, settings=AT_ONCE) as phone:
        with pytest.raises(JournalError, match="another live process uses it"):
            Process("phone", MemoryReporter(), journal=journal)
        code = "import sys; from latwin.process import *; Process('phone', MemoryReporter(), journal=sys.argv[1])"
        other = subprocess.run(
            [sys.executable, "-c", code, str(journal)], capture_output=True, text=True, check=False
        )
        assert other.returncode == 1
        assert "another live process uses it" in other.stderr
        assert phone.update() == 1
    with Process("phone", MemoryReporter(), journal=journal) as phone:
        assert phone.update() == 2


def test_another_ones_journal(tmp_path: Path) -> None:
    journal = tmp_path / "phone.journal"
    Process("phone", MemoryReporter(), group="a", journal=journal).close()
    for name, group in (("door", "a"), ("phone", "b")):
        with pytest.raises(
            JournalError, match=rf"belongs to process 'phone' of group 'a', not to '{name}' of '{group}'"
        ):
            Process(name, MemoryReporter(), group=group, journal=journal)


def test_files_that_are_no_journals(tmp_path: Path) -> None:
    text, other, folder = tmp_path / "text", tmp_path / "other", tmp_path / "missing" / "journal"
    text.write_text("something else " * 100)
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE mine (x)")
    db.close()
    newer = tmp_path / "newer"
    Process("a", MemoryReporter(), journal=newer).close()
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version=9")
    db.close()
    for path, reason in (
        (text, "no journal of latwin"),
        (other, "another program's"),
        (folder, "cannot be opened"),
        (newer, "written in form 9"),
    ):
        with pytest.raises(JournalError, match=reason):
            Process("a", MemoryReporter(), journal=path)


def test_a_damaged_journal(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Process("a", MemoryReporter(), journal=path) as process:
        process.update()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE states SET event = x'00'")
    db.close()
    with pytest.raises(JournalError, match="damaged: its newest state"):
        Process("a", MemoryReporter(), journal=path)


def test_a_full_disk_begins_no_state(tmp_path: Path) -> None:
    """The journal refuses: the state did not begin, and when there is room again it goes on without a gap."""
    reporter = MemoryReporter()
    with Process("a", reporter, journal=tmp_path / "a.journal", settings=AT_ONCE) as process:
        process.update(n=1)
        process.flush()
        db = process._outbox.journal._db  # type: ignore[union-attr]
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count={pages}")
        with pytest.raises(JournalError, match="full"):
            process.update(n="x" * 100_000)
        assert (process.index, process.variables) == (1, {"n": 1})
        db.execute("PRAGMA max_page_count=1000000")
        assert process.update(n=2) == 2
    assert [event["state"] for event in reporter.events] == [{"n": 1}, {"n": 2}]


def test_a_journal_that_cannot_forget(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What was reported and could not be marked so is reported once more after a restart; nothing else suffers."""
    reporter = MemoryReporter()
    process = Process("a", reporter, journal=tmp_path / "a.journal", settings=AT_ONCE)
    db = process._outbox.journal._db  # type: ignore[union-attr]
    db.execute("CREATE TEMP TRIGGER refuse BEFORE UPDATE ON owner BEGIN SELECT raise(FAIL, 'not now'); END")
    process.update()
    process.flush()
    process.close()
    assert "will be reported once more" in caplog.text
    with Process("a", reporter, journal=tmp_path / "a.journal", settings=AT_ONCE) as process:
        process.update()
    assert [event["clock"]["a"] for event in reporter.events] == [1, 1, 2]


def test_the_journal_stays_small(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Process("a", MemoryReporter(), journal=path, settings=AT_ONCE) as process:
        for n in range(3000):
            process.update(n=n)
    assert path.stat().st_size < 1_000_000
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*), max(number) FROM states").fetchone() == (1, 3000)
    db.close()


def test_a_program_that_forgets_to_close(tmp_path: Path) -> None:
    code = (
        "import sys; from latwin.process import *\n"
        "a = Process('a', FileReporter(sys.argv[1]), settings=Settings(gather_s=600.0))\n"
        "for n in range(7): a.update(n=n)\n"
    )
    path = tmp_path / "events.jsonl"
    subprocess.run([sys.executable, "-c", code, str(path)], check=True, timeout=60)
    assert len(path.read_text().splitlines()) == 7
    assert FileReporter(path).path == path
