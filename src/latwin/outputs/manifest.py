"""Which files of an output count: a batch is there when its one small commit is there, whole.

    <output>/verdicts/batch-000000000012.parquet     data files, of one batch or of several that were merged
    <output>/_latwin/commits/000000000012.json       batch 12: its files in all tables
    <output>/_latwin/commits/000000000099.all.json   a snapshot, all files through batch 99: few records are read
    <output>/_latwin/replaced/<id>.json              some files took the place of others

What counts is a formula on sets, so that the order in which a pipeline and a compaction write does not matter:

    files = (snapshot + commits after it + what replacements add) - what replacements take away

Names are never used again once they are committed. Records are only added; a snapshot makes older ones superfluous,
and these go one snapshot later, so that whoever reads meanwhile finds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypeVar, get_args
from uuid import uuid4

import msgspec

from latwin.errors import InvalidInput
from latwin.outputs.store import Store

Table = Literal["verdicts", "rejects", "metrics"]
TABLES: tuple[Table, ...] = get_args(Table)
HOME = "_latwin"
COMMITS = f"{HOME}/commits"
REPLACED = f"{HOME}/replaced"
STAGING = f"{HOME}/staging"
#: so many commits follow a snapshot before the next one
SNAPSHOT_EVERY = 100
_LOOKS = 5

_NAME = re.compile(r"batch-(\d{12})(?:-(\d{12}))?(?:\.[0-9a-f]{1,16})?\.parquet")
_COMMIT = re.compile(r"(\d{12})\.json")
_SNAPSHOT = re.compile(r"(\d{12})\.all\.json")
_Batch = Annotated[int, msgspec.Meta(ge=0, lt=10**12)]
_Count = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]
#: nothing but a name of ours: a manifest must not lead a reader to other files
_Name = Annotated[str, msgspec.Meta(pattern=rf"\A{_NAME.pattern}\Z")]


class DataFile(msgspec.Struct, array_like=True, frozen=True):
    """A Parquet file that counts; its column `batch` tells which rows are of which batch."""

    table: Table
    name: _Name
    #: the batches in it: from this one to that one
    first: _Batch
    last: _Batch
    rows: _Count
    size: _Count
    #: when the last of these batches was written, in seconds since 1970
    written_s: float

    @property
    def path(self) -> str:
        """Its place within the output."""
        return f"{self.table}/{self.name}"


class _Commit(msgspec.Struct, tag="commit"):
    batch: _Batch
    files: list[DataFile]


class _Snapshot(msgspec.Struct, tag="snapshot"):
    through: _Batch
    files: list[DataFile]
    #: replacements that it has in it already
    replaced: list[str]


class _Replacement(msgspec.Struct, tag="replacement"):
    files: list[DataFile]
    #: paths that do not count any more
    gone: list[str]


_Record = TypeVar("_Record", _Commit, _Snapshot, _Replacement)


def file_name(batch: int, part: int | None = None) -> str:
    """The name of a batch's data file, or of one of several."""
    return f"batch-{batch:012d}.parquet" if part is None else f"batch-{batch:012d}.{part:05x}.parquet"


def merged_name(first: int, last: int) -> str:
    """A new name for a file that holds several batches."""
    return f"batch-{first:012d}-{last:012d}.{uuid4().hex[:12]}.parquet"


def batches_of(name: str) -> tuple[int, int] | None:
    """The first and the last batch by a data file's name, also while it is being written; None for any other name."""
    found = _NAME.search(name)
    if found is None:
        return None
    first = int(found[1])
    return first, int(found[2]) if found[2] else first


class Manifest:
    """The files of an output that count. `refresh` reads the records that are new since the last time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        #: the latest batch that had results; -1 before the first
        self.last = -1
        self._base: dict[str, DataFile] = {}
        self._replacements: dict[str, _Replacement] = {}
        self._folded: frozenset[str] = frozenset()
        self._through = -1
        self._commits_since = 0
        self.refresh()

    @property
    def files(self) -> Mapping[str, DataFile]:
        """The files that count, by their paths."""
        files = dict(self._base)
        for record in self._replacements.values():
            files.update((file.path, file) for file in record.files)
        for record in self._replacements.values():
            for path in record.gone:
                files.pop(path, None)
        return files

    def of(self, table: Table, after: int = -1) -> list[DataFile]:
        """A table's files that hold a batch after one, in the order of batches."""
        found = [file for file in self.files.values() if file.table == table and file.last > after]
        return sorted(found, key=lambda file: (file.first, file.name))

    def rows(self) -> dict[Table, int]:
        """How many rows each table has."""
        counts: dict[Table, int] = dict.fromkeys(TABLES, 0)
        for file in self.files.values():
            counts[file.table] += file.rows
        return counts

    def commit(self, batch: int, files: Iterable[DataFile]) -> None:
        """Let a batch count, whose files are there. Only one writer may do this at a time."""
        assert batch > self.last, "a batch is committed once, and in order"
        files = list(files)
        self._store.put(f"{COMMITS}/{batch:012d}.json", msgspec.json.encode(_Commit(batch, files)))
        self._take(_Commit(batch, files))
        if self._commits_since >= SNAPSHOT_EVERY:
            self._write_snapshot()

    def replace(self, files: Iterable[DataFile], gone: Iterable[str]) -> None:
        """Let files that are there take the place of others, in one step; also beside the writer of batches."""
        record = _Replacement(list(files), list(gone))
        name = f"{uuid4().hex}.json"
        self._store.put(f"{REPLACED}/{name}", msgspec.json.encode(record))
        self._replacements[name] = record

    def refresh(self) -> None:
        """Read what others have written since."""
        for look in range(_LOOKS):
            try:
                self._read_new()
            except FileNotFoundError:  # a snapshot has just taken the place of what was listed
                if look == _LOOKS - 1:
                    raise
            else:
                return

    def _read_new(self) -> None:
        # Replacements first: what they take away was committed before, so it is found below.
        replacements = dict(self._replacements)
        for name in self._store.names(REPLACED):
            if name not in replacements and name not in self._folded and name.endswith(".json"):
                record = self._read(f"{REPLACED}/{name}", _Replacement)
                if record is not None:
                    replacements[name] = record
        names = self._store.names(COMMITS)
        self._read_snapshot(names)
        for batch, name in sorted(_numbered(_COMMIT, names)):
            if batch > self.last:
                commit = self._read(f"{COMMITS}/{name}", _Commit)
                if commit is None or commit.batch != batch:
                    break  # torn: its writer was killed, and writes it again
                self._take(commit)
        self._replacements = {name: record for name, record in replacements.items() if name not in self._folded}

    def _read_snapshot(self, names: list[str]) -> None:
        """Begin at the newest snapshot that is whole, unless all in it is known."""
        for through, name in sorted(_numbered(_SNAPSHOT, names), reverse=True):
            if through <= self.last:
                return
            snapshot = self._read(f"{COMMITS}/{name}", _Snapshot)
            if snapshot is not None and snapshot.through == through:
                self._base = {file.path: file for file in snapshot.files}
                self._folded = frozenset(snapshot.replaced)
                self.last = self._through = through
                self._commits_since = 0
                return

    def _take(self, commit: _Commit) -> None:
        self._base.update((file.path, file) for file in commit.files)
        self.last = commit.batch
        self._commits_since += 1

    def _write_snapshot(self) -> None:
        """Write all that counts into one record, and remove what the snapshot before this one made superfluous."""
        self.refresh()
        before = self._through
        superfluous = sorted(self._folded)
        files = dict(self.files)
        there = set(self._store.names(REPLACED))
        folded = [name for name in (*self._replacements, *self._folded) if name in there]
        snapshot = _Snapshot(self.last, list(files.values()), folded)
        self._store.put(f"{COMMITS}/{self.last:012d}.all.json", msgspec.json.encode(snapshot))
        self._base, self._folded, self._replacements = files, frozenset(folded), {}
        self._through, self._commits_since = self.last, 0
        names = self._store.names(COMMITS)
        for batch, name in _numbered(_COMMIT, names):
            if batch <= before:
                self._store.delete(f"{COMMITS}/{name}")
        for through, name in _numbered(_SNAPSHOT, names):
            if through < before:
                self._store.delete(f"{COMMITS}/{name}")
        for name in superfluous:
            self._store.delete(f"{REPLACED}/{name}")

    def _read(self, path: str, kind: type[_Record]) -> _Record | None:
        """A record; None if it is torn, InvalidInput if it is none of ours."""
        content = self._store.read(path)
        try:
            return msgspec.json.decode(content, type=kind)
        except msgspec.ValidationError as error:
            raise InvalidInput(f"{path}: is no record of an output: {error}") from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None


def clear_unfinished(store: Store, manifest: Manifest) -> None:
    """Remove what a writer left that was killed within a batch: files of batches that were not committed.

    Only for the writer of batches, before it begins.
    """
    store.delete(STAGING)
    for table in TABLES:
        for name in store.names(table):
            batches = batches_of(name)
            if batches is not None and batches[0] > manifest.last:
                store.delete(f"{table}/{name}")


def _numbered(form: re.Pattern[str], names: Iterable[str]) -> list[tuple[int, str]]:
    return [(int(found[1]), name) for name in names if (found := form.fullmatch(name))]
