"""What a checkpoint was begun with, and the file systems that Spark reaches.

Spark's checkpoint knows the query's offsets and state, but not what the state means. `latwin.json` beside them
says so: a later start goes on if it means the same, and is refused with the differences if not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import msgspec
from pyspark.sql import SparkSession

from latwin.errors import InvalidInput, SpecError
from latwin.spec import FREE_FIELDS, Spec, differences_of

RECORD = "latwin.json"
VERSION = 1


class Files:
    """Files by path or URI, through the Hadoop file systems that the session knows: local, HDFS and the like."""

    def __init__(self, session: SparkSession) -> None:
        self._jvm: Any = session._jvm
        self._conf: Any = session.sparkContext._jsc.hadoopConfiguration()

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder."""
        where, system = self._open(path)
        return bool(system.exists(where))

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder."""
        where, system = self._open(path)
        return bool(system.exists(where) and system.getFileStatus(where).isDirectory())

    def make_folder(self, path: str) -> None:
        """Make sure that the folder is there, and those above it."""
        where, system = self._open(path)
        system.mkdirs(where)

    def names(self, path: str) -> list[str]:
        """The names in a folder; of a file, its own; of nothing, none."""
        where, system = self._open(path)
        if not system.exists(where):
            return []
        return sorted(status.getPath().getName() for status in system.listStatus(where))

    def delete(self, path: str) -> None:
        """Remove a file, or a folder with all in it."""
        where, system = self._open(path)
        system.delete(where, True)

    def rename(self, old: str, new: str, *, replace: bool = False) -> None:
        """Rename in one step, where the file system can; fails if `new` is there, unless it is to be replaced."""
        fs = self._jvm.org.apache.hadoop.fs
        mode = fs.Options.Rename.OVERWRITE if replace else fs.Options.Rename.NONE
        modes = self._jvm.java.lang.reflect.Array.newInstance(mode.getClass(), 1)
        modes[0] = mode
        source, target = fs.Path(old), fs.Path(new)
        fs.FileContext.getFileContext(source.getFileSystem(self._conf).getUri(), self._conf).rename(
            source, target, modes
        )

    def read(self, path: str) -> bytes:
        """A small file's content."""
        where, system = self._open(path)
        stream = system.open(where)
        try:
            return bytes(self._jvm.org.apache.commons.io.IOUtils.toByteArray(stream))
        finally:
            stream.close()

    def write(self, path: str, content: bytes) -> None:
        """Put a small file in its place in one step: a reader sees the old one or the new one."""
        folder, _, name = path.rpartition("/")
        fresh = f"{folder}/.{name}.{uuid4().hex[:8]}"
        where, system = self._open(fresh)
        stream = system.create(where, True)
        try:
            stream.write(bytearray(content))
        finally:
            stream.close()
        self.rename(fresh, path, replace=True)

    def _open(self, path: str) -> tuple[Any, Any]:
        where = self._jvm.org.apache.hadoop.fs.Path(path)
        return where, where.getFileSystem(self._conf)


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that may be used."""

    #: made at the first start; outputs are marked with it
    id: str
    #: whether this is the first start
    is_new: bool
    #: what differs from the last start and is taken over: `field: old -> new`
    changes: tuple[str, ...] = ()


def prepare_checkpoint(
    session: SparkSession,
    directory: str,
    spec: Spec,
    shards: int,
    *,
    input_format: str | None = None,
    topic: str | None = None,
) -> Checkpoint:
    """Record what a query is begun with, or compare with what was recorded at an earlier start.

    The spec's FREE_FIELDS (what is asked, and `max_cuts`) may change: `Checkpoint.changes` says how, and groups go
    on with the new ones. Raises SpecError if anything else in the spec differs, and InvalidInput if the number of
    shards, the input's format or its Kafka topic does, or if the folder holds the checkpoint of something else.
    """
    files = Files(session)
    path = f"{directory.rstrip('/')}/{RECORD}"
    record: dict[str, Any] = {
        "version": VERSION,
        "shards": shards,
        "format": input_format,
        "topic": topic,
        "spec": spec.to_dict(),
    }
    if not files.exists(path):
        foreign = [name for name in files.names(directory) if name in ("metadata", "offsets", "commits", "state")]
        if foreign:
            raise InvalidInput(
                f"{directory} holds the checkpoint of another query (it has {', '.join(foreign)}, but no {RECORD}); "
                "use another folder"
            )
        files.make_folder(directory)
        made = Checkpoint(uuid4().hex, is_new=True)
        files.write(path, _encode({"id": made.id, **record}))
        return made
    known = _decode(files.read(path), path)
    _refuse_others(path, known, record)
    _refuse_another_system(path, known["spec"], record["spec"])
    changes = tuple(differences_of(known["spec"], record["spec"]))
    if changes:
        files.write(path, _encode({"id": known["id"], **record}))
    return Checkpoint(known["id"], is_new=False, changes=changes)


def _refuse_others(path: str, known: Mapping[str, Any], record: Mapping[str, Any]) -> None:
    names = {"version": "version", "shards": "shards", "format": "format of the input", "topic": "topic of the input"}
    for field, name in names.items():
        if known.get(field) != record[field]:
            raise InvalidInput(
                f"{path}: the checkpoint was begun with another {name}: {known.get(field)} -> {record[field]}. "
                "It is fixed at the first start: use the old one, or a new checkpoint and output"
            )


def _refuse_another_system(path: str, known: Mapping[str, Any], spec: Mapping[str, Any]) -> None:
    differences = differences_of(
        {name: value for name, value in known.items() if name not in FREE_FIELDS},
        {name: value for name, value in spec.items() if name not in FREE_FIELDS},
    )
    if differences:
        raise SpecError(
            f"{path}: the checkpoint was begun with another spec: {'; '.join(differences)}. Only "
            f"{', '.join(FREE_FIELDS)} may change: use the old spec, or a new checkpoint and output"
        )


def _encode(record: Mapping[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n"


def _decode(content: bytes, path: str) -> dict[str, Any]:
    try:
        record = msgspec.json.decode(content)
        assert isinstance(record["id"], str)
        assert isinstance(record["spec"], dict)
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError, AssertionError):
        raise InvalidInput(f"{path}: is damaged; use a new checkpoint and output") from None
    return dict(record)
