"""The journal: each state of a process on disk before anyone can know of it, until it was reported.

One SQLite file, write-ahead logged, for one process of one group. Its newest row tells how to go on after a crash;
the rows after `acknowledged` are what is still to be reported. It is locked while it is open; the lock goes with the
process that holds it, however that ends.
"""

from __future__ import annotations

import os
import sqlite3
from typing import Any, Literal

import msgspec

from latwin.errors import JournalError

Durability = Literal["power", "kill"]

#: in SQLite's header, to tell a journal from other databases
_APPLICATION_ID = 0x4C574A4E
_VERSION = 1
_SYNCHRONOUS = {"power": "FULL", "kill": "NORMAL"}
#: what SQLite raises; the second where its message quotes a damaged database
_FAILURES = (sqlite3.Error, UnicodeDecodeError)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class _Event(msgspec.Struct):
    """Of a reported event, what the next one grows from."""

    clock: dict[str, int]
    state: dict[str, Any]


class Journal:
    """The states of one process that were begun, and how many of them were reported.

    `clock` and `variables` are those of the newest state (empty, and None, if there is none yet), `unsent` the events
    that were not acknowledged when the journal was opened. Not thread-safe: the outbox guards it.
    """

    def __init__(self, path: str | os.PathLike[str], group: str, process: str, durability: Durability) -> None:
        self.path = os.fspath(path)
        try:
            self._db = sqlite3.connect(self.path, timeout=0, isolation_level=None, check_same_thread=False)
            try:
                self._open(group, process, durability)
            except BaseException:
                self._db.close()
                raise
        except _FAILURES as error:
            raise self._error(error) from None

    def _open(self, group: str, process: str, durability: Durability) -> None:
        db = self._db
        db.execute("PRAGMA locking_mode=EXCLUSIVE")
        db.execute("BEGIN EXCLUSIVE")  # fails while another holds the journal
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if tables and application != _APPLICATION_ID:
            raise JournalError(f"journal {self.path}: this is another program's database; give a new file")
        if tables and version != _VERSION:
            raise JournalError(
                f"journal {self.path}: written in form {version}, this latwin reads form {_VERSION}; "
                "use the latwin that wrote it"
            )
        if not tables:
            db.execute("CREATE TABLE owner (groupname TEXT, process TEXT, acknowledged INTEGER)")
            db.execute("CREATE TABLE states (number INTEGER PRIMARY KEY, event BLOB NOT NULL)")
            db.execute("INSERT INTO owner VALUES (?, ?, 0)", (group, process))
            db.execute(f"PRAGMA application_id={_APPLICATION_ID}")
            db.execute(f"PRAGMA user_version={_VERSION}")
        owner = db.execute("SELECT groupname, process, acknowledged FROM owner").fetchone()
        if owner is None or type(owner[2]) is not int:
            raise self._damaged("it does not tell whose it is, or what was acknowledged")
        if owner[:2] != (group, process):
            raise JournalError(
                f"journal {self.path}: it belongs to process {owner[1]!r} of group {owner[0]!r}, not to "
                f"{process!r} of {group!r}; give each process a journal of its own"
            )
        db.execute("COMMIT")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute(f"PRAGMA synchronous={_SYNCHRONOUS[durability]}")
        self._load(process, owner[2])

    def _load(self, process: str, acknowledged: int) -> None:
        self.clock: dict[str, int] = {}
        self.variables: dict[str, Any] | None = None
        newest = self._db.execute("SELECT number, event FROM states ORDER BY number DESC LIMIT 1").fetchone()
        if newest is not None:
            try:
                event = msgspec.json.decode(newest[1], type=_Event)
            except (ValueError, TypeError, RecursionError) as error:  # of JSON, of UTF-8, of another type than bytes
                raise self._damaged(f"its newest state cannot be read ({error})") from None
            if event.clock.get(process) != newest[0] or not 0 <= acknowledged <= newest[0]:
                raise self._damaged("the number of its newest state is not that of the state")
            self.clock, self.variables = event.clock, event.state
        query = "SELECT number, event FROM states WHERE number > ? ORDER BY number"
        self.unsent: list[tuple[int, bytes]] = self._db.execute(query, (acknowledged,)).fetchall()
        if not all(type(event) is bytes for _, event in self.unsent):
            raise self._damaged("a state that was not acknowledged is none")

    def append(self, index: int, event: bytes) -> None:
        """Keep a new state; it is on disk when this returns. JournalError if that failed: the state is not kept."""
        try:
            self._db.execute("INSERT INTO states VALUES (?, ?)", (index, event))
        except _FAILURES as error:
            raise self._error(error) from None

    def acknowledge(self, through: int) -> None:
        """States up to this one need not be sent again. The newest stays all the same: the next grows from it."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.execute("UPDATE owner SET acknowledged = ?", (through,))
                self._db.execute(
                    "DELETE FROM states WHERE number <= ? AND number < (SELECT max(number) FROM states)", (through,)
                )
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
        except _FAILURES as error:
            raise self._error(error) from None

    def close(self) -> None:
        """Let go of the file; another process may open it then."""
        self._db.close()

    def _damaged(self, how: str) -> JournalError:
        return JournalError(f"journal {self.path}: damaged: {how}; give a new file, or a copy of this one")

    def _error(self, error: sqlite3.Error | UnicodeDecodeError) -> JournalError:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _BUSY:
            return JournalError(
                f"journal {self.path}: another live process uses it; give each process a journal of its own, "
                "and stop the old one before a new one begins"
            )
        if code == sqlite3.SQLITE_NOTADB:
            return JournalError(f"journal {self.path}: this is no journal of latwin, or damaged; give a new file")
        if code == sqlite3.SQLITE_CANTOPEN:
            return JournalError(
                f"journal {self.path}: cannot be opened; does its folder exist, and may you write it?"
            )
        return JournalError(f"journal {self.path}: {error}")
