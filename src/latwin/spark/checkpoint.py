"""What a checkpoint was begun with, and which rules its batches follow.

Spark's checkpoint knows the query's offsets and state, but not what the state means. `latwin.json` beside them
says so: a later start goes on if it means the same, and is refused with the differences if not. Rules may change,
at a start and while the pipeline runs (`change_rules`); `latwin.spark.rules` tells which batch follows which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import msgspec
from pyspark.sql import SparkSession

from latwin.errors import InvalidInput, SpecError
from latwin.spark.checkpoint_logs import REMEDY, check_logs
from latwin.spark.files import Files
from latwin.spark.kept_groups import Forget
from latwin.spark.rules import Rules, Version
from latwin.spark.sinks.folder import owner_of
from latwin.spec import FREE_FIELDS, Spec, differences_of

RECORD = "latwin.json"
#: 2: with the output; 3: with the versions of the rules; 4: without the number of shards, which is always the same
VERSION = 4


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that may be used."""

    #: made at the first start; outputs are marked with it
    id: str
    #: whether this is the first start
    is_new: bool
    #: the rules that its batches follow
    rules: Rules
    #: groups that somebody told to be forgotten
    forget: tuple[Forget, ...] = ()
    #: what differs from the latest rules before and is taken over: `field: old -> new`
    changes: tuple[str, ...] = ()


def prepare_checkpoint(
    session: SparkSession,
    directory: str,
    spec: Spec,
    *,
    input_format: str | None = None,
    topic: str | None = None,
    output: str | None = None,
    ticks: bool = False,
) -> Checkpoint:
    """Record what a query is begun with, or compare with what was recorded at an earlier start.

    The spec's FREE_FIELDS may change: `Checkpoint.changes` says how, and all batches that have no offsets yet follow
    the new version. Raises SpecError if anything else in the spec differs, and InvalidInput if the
    input's format, its Kafka topic, the output or the choice of ticks does, or if the folder holds the checkpoint of
    something else. An output folder that was moved is known by its mark.
    """
    files = Files(session)
    path = _path(directory)
    record: dict[str, Any] = {
        "version": VERSION,
        "format": input_format,
        "topic": topic,
        "output": output,
        "ticks": ticks,
    }
    if not files.exists(path):
        foreign = [name for name in files.names(directory) if name in ("metadata", "offsets", "commits", "state")]
        if foreign:
            raise InvalidInput(
                f"{directory} holds the checkpoint of another query (it has {', '.join(foreign)}, but no {RECORD}); "
                "use another folder"
            )
        files.make_folder(directory)
        made = Checkpoint(uuid4().hex, is_new=True, rules=Rules.of(spec))
        files.write(path, _encode({"id": made.id, **record}, made.rules))
        return made
    check_logs(files, directory)
    known, rules = _decode(files.read(path), path)
    is_moved = output is not None and output != known.get("output") and owner_of(files, output) == known["id"]
    _refuse_others(path, {**known, "output": output} if is_moved else known, record)
    assert rules is not None  # its version is this one
    if is_moved:
        files.write(path, _encode({**known, **record}, rules))
    return change_rules(session, directory, spec)


def change_rules(session: SparkSession, directory: str, spec: Spec) -> Checkpoint:
    """Let all batches that have no offsets yet follow a spec; nothing is written if it equals the latest version.

    No query may run on the checkpoint meanwhile. Raises SpecError if a field differs that must stay.
    """
    files, path = Files(session), _path(directory)
    known, rules = _decode(files.read(path), path)
    assert rules is not None
    refuse_another_system(path, rules, spec)
    changes = tuple(differences_of(rules.latest.spec, spec.to_dict()))
    if changes:
        rules = rules.followed_by(spec, _next_batch(files, directory))
        files.write(path, _encode(known, rules))
    return Checkpoint(known["id"], is_new=False, rules=rules, forget=_forget_of(known), changes=changes)


def forget_groups(session: SparkSession, directory: str, groups: Sequence[str]) -> tuple[Forget, ...]:
    """Order that groups are forgotten, by all batches that have no offsets yet; all orders so far.

    No query may run on the checkpoint meanwhile. Raises InvalidInput if it is not one of `latwin run`.
    """
    files, path = Files(session), _path(directory)
    if not files.exists(path):
        raise InvalidInput(f"{directory} has no {RECORD}: only `latwin run` looks for groups to be forgotten")
    known, rules = _decode(files.read(path), path)
    _refuse_others(path, known, {**known, "version": VERSION})
    assert rules is not None
    orders = list(_forget_of(known))
    from_batch = _next_batch(files, directory)
    orders += [
        Forget(number=len(orders) + number, from_batch=from_batch, group=group)
        for number, group in enumerate(groups, start=1)
    ]
    files.write(path, _encode({**known, "forget": msgspec.to_builtins(orders)}, rules))
    return tuple(orders)


def partitions_of(session: SparkSession, directory: str) -> int:
    """Over how many shuffle partitions the state is spread, as the last batch says; InvalidInput if none does."""
    files, folder = Files(session), f"{directory.rstrip('/')}/offsets"
    last = max((int(name) for name in files.names(folder) if name.isdigit()), default=None)
    for line in [] if last is None else files.read(f"{folder}/{last}").splitlines():
        with suppress(msgspec.DecodeError, KeyError, TypeError, ValueError):
            return int(msgspec.json.decode(line)["conf"]["spark.sql.shuffle.partitions"])
    raise InvalidInput(f"{directory}: no batch tells over how many partitions its state is spread")


def _forget_of(known: Mapping[str, Any]) -> tuple[Forget, ...]:
    return msgspec.convert(known.get("forget", []), tuple[Forget, ...])


def known_rules(session: SparkSession, directory: str) -> Rules | None:
    """The rules that a checkpoint's batches follow; None if it has none yet."""
    files, path = Files(session), _path(directory)
    return _decode(files.read(path), path)[1] if files.exists(path) else None


def refuse_another_system(path: str, rules: Rules, spec: Spec) -> None:
    """Raise SpecError if a field differs that no change of rules may change."""
    differences = differences_of(
        {name: value for name, value in rules.latest.spec.items() if name not in FREE_FIELDS},
        {name: value for name, value in spec.to_dict().items() if name not in FREE_FIELDS},
    )
    if differences:
        raise SpecError(
            f"{path}: the checkpoint was begun with another spec: {'; '.join(differences)}. Only "
            f"{', '.join(FREE_FIELDS)} may change: use the old spec, or a new checkpoint and output"
        )


def _next_batch(files: Files, directory: str) -> int:
    """The first batch without offsets: whatever runs before it was begun already, and keeps its rules."""
    names = files.names(f"{directory.rstrip('/')}/offsets")
    return max((int(name) + 1 for name in names if name.isdigit()), default=0)


def _path(directory: str) -> str:
    return f"{directory.rstrip('/')}/{RECORD}"


def _refuse_others(path: str, known: Mapping[str, Any], record: Mapping[str, Any]) -> None:
    names = {
        "version": "version",
        "format": "format of the input",
        "topic": "topic of the input",
        "output": "output",
        "ticks": "choice of ticks",
    }
    for field, name in names.items():
        if known.get(field) != record[field]:
            raise InvalidInput(
                f"{path}: the checkpoint was begun with another {name}: {known.get(field)} -> {record[field]}. "
                "It is fixed at the first start: use the old one, or a new checkpoint and output"
            )


def _encode(record: Mapping[str, Any], rules: Rules) -> bytes:
    document = {**record, "rules": msgspec.to_builtins(rules.versions)}
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _decode(content: bytes, path: str) -> tuple[dict[str, Any], Rules | None]:
    """What was recorded, and the rules; None for these if it is of another version, which is for others to say."""
    try:
        record = msgspec.json.decode(content)
        assert isinstance(record["id"], str)
        if record["version"] != VERSION:
            return dict(record), None
        rules = Rules(msgspec.convert(record["rules"], tuple[Version, ...]))
        _forget_of(record)
        assert rules.versions
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, KeyError, TypeError, AssertionError):
        raise InvalidInput(f"{path}: this file is damaged; {REMEDY}") from None
    return dict(record), rules
