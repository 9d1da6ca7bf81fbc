"""A journal that a disk has damaged is refused, or goes on; nothing but JournalError is raised."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from effort import examples
from latwin.process import JournalError, Process
from latwin.process.journal import Journal

SEED = 20261117


class Nowhere:
    """A reporter that never succeeds, so that states stay in the journal."""

    def send(self, events: object) -> None:
        raise OSError("nobody is there")

    def close(self) -> None:
        """Nothing is open."""


def write_journal(path: Path) -> bytes:
    journal = Journal(path, "g", "a", "kill")
    for index in range(1, 30):
        journal.append(index, b'{"group":"g","process":"a","clock":{"a":%d},"state":{"x":%d}}' % (index, index))
    journal.acknowledge(9)
    journal.close()
    return path.read_bytes()


def use(path: Path) -> bool:
    """Open it, and begin, acknowledge and close; False if it was refused at the door or later."""
    try:
        journal = Journal(path, "g", "a", "kill")
    except JournalError:
        return False
    try:
        index = journal.clock.get("a", 0) + 1
        journal.append(index, b'{"clock":{"a":%d},"state":{}}' % index)
        journal.acknowledge(index)
    except JournalError:
        return False
    finally:
        journal.close()
    return True


def test_damage_anywhere(tmp_path: Path) -> None:
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    whole = write_journal(tmp_path / "whole.journal")
    outcomes = set()
    for number in range(examples(400)):
        changed = bytearray(whole)
        for _ in range(rng.choice([1, 1, 4, 40])):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        path = tmp_path / f"{number}.journal"
        path.write_bytes(changed[: rng.choice([len(changed), len(changed), rng.randrange(len(changed))])])
        outcomes.add(use(path))
    assert outcomes == {True, False}


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM owner",
        "UPDATE owner SET acknowledged = 'x'",
        "UPDATE owner SET acknowledged = NULL",
        "UPDATE owner SET acknowledged = 1000000",
        "UPDATE owner SET acknowledged = -1",
        "UPDATE owner SET process = 7",
        "UPDATE states SET event = 7",
        "UPDATE states SET event = x'ff'",
        "UPDATE states SET event = 'text'",
        'UPDATE states SET event = \'{"clock":{"a":29},"state":{}}\'',
        "UPDATE states SET event = x'5b' || x'5b'",
        "UPDATE states SET number = number + 100 WHERE number = 29",
        "DROP TABLE states",
        "DROP TABLE owner",
    ],
)
def test_a_wrong_writer(tmp_path: Path, change: str) -> None:
    path = tmp_path / "a.journal"
    write_journal(path)
    db = sqlite3.connect(path)
    db.execute(change)
    db.commit()
    db.close()
    with pytest.raises(JournalError, match=r"a\.journal: "):
        Process("a", Nowhere(), group="g", journal=path)
