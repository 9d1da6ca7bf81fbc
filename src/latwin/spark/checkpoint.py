"""What a checkpoint was begun with.

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
from latwin.spark.files import Files
from latwin.spark.sinks.folder import owner_of
from latwin.spec import FREE_FIELDS, Spec, differences_of

RECORD = "latwin.json"
#: 2: with the output
VERSION = 2


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
    output: str | None = None,
) -> Checkpoint:
    """Record what a query is begun with, or compare with what was recorded at an earlier start.

    The spec's FREE_FIELDS (what is asked, and `max_cuts`) may change: `Checkpoint.changes` says how, and groups go
    on with the new ones. Raises SpecError if anything else in the spec differs, and InvalidInput if the number of
    shards, the input's format, its Kafka topic or the output does, or if the folder holds the checkpoint of something
    else. An output folder that was moved is known by its mark.
    """
    files = Files(session)
    path = f"{directory.rstrip('/')}/{RECORD}"
    record: dict[str, Any] = {
        "version": VERSION,
        "shards": shards,
        "format": input_format,
        "topic": topic,
        "output": output,
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
    is_moved = output is not None and output != known.get("output") and owner_of(files, output) == known["id"]
    _refuse_others(path, {**known, "output": output} if is_moved else known, record)
    _refuse_another_system(path, known["spec"], record["spec"])
    changes = tuple(differences_of(known["spec"], record["spec"]))
    if changes or is_moved:
        files.write(path, _encode({"id": known["id"], **record}))
    return Checkpoint(known["id"], is_new=False, changes=changes)


def _refuse_others(path: str, known: Mapping[str, Any], record: Mapping[str, Any]) -> None:
    names = {
        "version": "version",
        "shards": "shards",
        "format": "format of the input",
        "topic": "topic of the input",
        "output": "output",
    }
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
