"""A monitor's state as bytes: compact (MessagePack), versioned, tied to its spec."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from latwin.errors import SnapshotError
from latwin.events import Arrival
from latwin.model import Counters
from latwin.spec import Spec

#: 2: with times, and with the properties' canonical texts
VERSION = 2
_AS_JSON = 1


class ProcessState(msgspec.Struct, array_like=True):
    """One process's part of the window: the newest state's number, and clocks and states, oldest first."""

    newest: int
    through: int
    clocks: list[list[int]]
    states: list[Any]
    #: when each began, in seconds; only with `synchrony`
    times: list[float] | None = None


class Snapshot(msgspec.Struct, array_like=True, kw_only=True):
    """What is written. Fields are only ever added at the end, and then with a new version."""

    version: int = VERSION
    system_fingerprint: str
    properties: dict[str, str]
    processes: list[ProcessState]
    waiting: list[Arrival]
    values: dict[str, bool | None]
    counters: Counters


def encode(snapshot: Snapshot) -> bytes:
    """The snapshot as bytes; states must be plain data (maps, lists, strings, numbers, booleans, null)."""
    try:
        return msgspec.msgpack.encode(snapshot)
    except OverflowError:  # MessagePack has no integers beyond 64 bits; JSON has
        pass
    except (TypeError, ValueError, RecursionError) as error:
        raise _not_plain(error) from None
    try:
        for process in snapshot.processes:
            process.states = [_to_json(state) for state in process.states]
        snapshot.waiting = [
            msgspec.structs.replace(arrival, state=_to_json(arrival.state), time=_to_json(arrival.time))
            for arrival in snapshot.waiting
        ]
        return msgspec.msgpack.encode(snapshot)
    except (TypeError, ValueError, RecursionError) as error:
        raise _not_plain(error) from None


def decode(data: bytes, spec: Spec, *, allow_other_properties: bool) -> Snapshot:
    """The snapshot in `data`, if it can be resumed under `spec`; else SnapshotError with the difference.

    With other properties allowed, values of properties that the spec does not have, or has with
    another text, are dropped.
    """
    snapshot = _decode(data)
    if snapshot.system_fingerprint != spec.system_fingerprint:
        raise SnapshotError(
            f"the snapshot was taken under another spec: one of {', '.join(spec.system_fields)} differs "
            f"(snapshot {snapshot.system_fingerprint}, spec {spec.system_fingerprint})"
        )
    texts = snapshot.properties
    changed = sorted(n for n in {*texts, *spec.meanings} if texts.get(n) != spec.meanings.get(n))
    if changed and not allow_other_properties:
        raise SnapshotError(
            f"the snapshot was taken under other properties ({', '.join(changed)} differ); "
            "pass allow_other_properties=True to go on with the spec's"
        )
    snapshot.values = {name: value for name, value in snapshot.values.items() if name not in changed}
    return snapshot


def _decode(data: bytes) -> Snapshot:
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise SnapshotError(f"a snapshot must be bytes; got {type(data).__name__}")
    try:
        fields = msgspec.msgpack.decode(data, ext_hook=_from_json)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise SnapshotError(f"this is no snapshot of a monitor: {error}") from None
    if not isinstance(fields, list) or not fields:
        raise SnapshotError("this is no snapshot of a monitor")
    if fields[0] != VERSION:
        raise SnapshotError(f"the snapshot has version {fields[0]!r}; this latwin reads version {VERSION}")
    try:
        return msgspec.convert(fields, Snapshot)
    except msgspec.ValidationError as error:
        raise SnapshotError(f"the snapshot is damaged: {error}") from None


def _to_json(state: Any) -> msgspec.msgpack.Ext:
    return msgspec.msgpack.Ext(_AS_JSON, json.dumps(state).encode())


def _from_json(code: int, data: memoryview) -> Any:
    if code != _AS_JSON:
        raise ValueError(f"unknown extension {code}")
    return json.loads(bytes(data))


def _not_plain(error: Exception) -> SnapshotError:
    return SnapshotError(
        "to be kept in a snapshot, states must be plain data "
        f"(maps with text keys, lists, strings, numbers, booleans, null): {error}"
    )
