"""A monitor's state as bytes: compact (MessagePack), versioned, with a checksum, tied to its spec.

    0x93  version  0xce checksum  fields            (together one MessagePack array of three)

The checksum is the CRC-32 of the fields. It guards against accidents: it finds every damage within 32 bits in a row
and misses one in four billion others, and it costs well under a microsecond, which counts where Spark restores every
group that a batch touches. A longer digest would be slower and no safer, as no checksum guards against a wrong
writer. So `latwin.restoring` examines what the fields say, whatever the checksum.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

import msgspec

from latwin.delivery.group_time import TimeState
from latwin.delivery.membership import MembersState
from latwin.delivery.silence import Past
from latwin.detect.seen import SeenState
from latwin.errors import SnapshotError
from latwin.events import Arrival
from latwin.model import Counters
from latwin.spec import Spec

#: 2: with times, and with the properties' canonical texts; 3: with a checksum; 4: with what was told to be final, and
#: with what was seen and what was not; 5: with the windows' sizes and the version of the rules, which may change,
#: with when states began, and with the group's time; 6: with when the group was last heard of, and its past
VERSION = 6
_AS_JSON = 1
_BEGIN = bytes([0x93, VERSION, 0xCE])
_HEADER = len(_BEGIN) + 4


class ProcessState(msgspec.Struct, array_like=True):
    """One process's part of the window: the newest state's number, and clocks and states, oldest first."""

    newest: int
    through: int
    clocks: list[list[int]]
    states: list[Any]
    #: when each began, in seconds; only with `synchrony`
    times: list[float] | None = None
    #: when each began as windows of time count it, in seconds; only with windows of time
    begins: list[float] | None = None


class Snapshot(msgspec.Struct, array_like=True, kw_only=True):
    """What is written. Fields are only ever added at the end, and then with a new version."""

    system_fingerprint: str
    properties: dict[str, str]
    processes: list[ProcessState]
    waiting: list[Arrival]
    values: dict[str, bool | None]
    counters: Counters
    #: the properties that are true, and of which it was told that this is final
    final: list[str]
    seen: SeenState
    #: how many states are kept of each process at most
    window: list[int | None]
    #: the version of the rules
    rules: int = 1
    #: the processes whose windows grew and are not full yet, with the oldest states that they had then
    growing: dict[int, int] = {}
    #: who is there, in a group that processes join and leave
    members: MembersState | None = None
    #: the length of each process's window of time, in seconds
    lengths_s: list[float | None] = []
    #: only with windows of time
    time: TimeState | None = None
    #: the latest time of an event, in seconds; only with `forget_after`
    last_s: float | None = None
    #: of a group that ended and has not come back; only with `forget_after`
    past: Past | None = None


def encode(snapshot: Snapshot) -> bytes:
    """The snapshot as bytes; states must be plain data (maps, lists, strings, numbers, booleans, null)."""
    fields = _encode(snapshot)
    return b"".join((_BEGIN, zlib.crc32(fields).to_bytes(4, "big"), fields))


def _encode(snapshot: Snapshot) -> bytes:
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


def decode(data: bytes, spec: Spec, *, allow_other_rules: bool) -> Snapshot:
    """The snapshot in `data`, if it can be resumed under `spec`; else SnapshotError with the difference.

    With other rules allowed, values of properties that the spec does not have, or has with
    another text, are dropped.
    """
    snapshot = examine(data)
    if snapshot.system_fingerprint != spec.system_fingerprint:
        raise SnapshotError(
            f"the snapshot was taken under another spec: one of {', '.join(spec.system_fields)} differs "
            f"(snapshot {snapshot.system_fingerprint}, spec {spec.system_fingerprint})"
        )
    texts = snapshot.properties
    if snapshot.values.keys() != texts.keys():
        raise SnapshotError("the snapshot is damaged: it does not have one value for each of its properties")
    if texts != spec.meanings and not allow_other_rules:
        changed = sorted(n for n in {*texts, *spec.meanings} if texts.get(n) != spec.meanings.get(n))
        raise SnapshotError(
            f"the snapshot was taken under other properties ({', '.join(changed)} differ); "
            "pass allow_other_rules=True to go on with the spec's"
        )
    before, now = (snapshot.window, snapshot.lengths_s), (list(spec.window), list(spec.window_time_s))
    if spec.open is not None:  # the same for every process, however many there are
        before, now = (before[0][:1], before[1][:1]), (now[0][:1], now[1][:1])
    if before != now and not allow_other_rules:
        raise SnapshotError(
            f"the snapshot was taken with other windows ({_sizes(*before)}; the spec has {_sizes(*now)}); "
            "pass allow_other_rules=True to go on with the spec's"
        )
    if len(set(snapshot.final)) != len(snapshot.final) or not texts.keys() >= set(snapshot.final):
        raise SnapshotError("the snapshot is damaged: the properties that are final are none of its properties")
    if texts != spec.meanings:
        forget_other_properties(snapshot, spec)
    return snapshot


def _sizes(states: list[int | None], lengths_s: list[float | None]) -> str:
    """The windows' sizes in words, if they are of time also how long they are."""
    return f"{states}" + (f" for {lengths_s} s" if any(lengths_s) else "")


def forget_other_properties(snapshot: Snapshot, spec: Spec) -> None:
    """Drop the values of properties that a spec does not have, or has with another meaning."""
    known = {name for name, text in snapshot.properties.items() if spec.meanings.get(name) == text}
    snapshot.values = {name: value for name, value in snapshot.values.items() if name in known}
    snapshot.final = [name for name in snapshot.final if name in known]


def examine(data: bytes) -> Snapshot:
    """The snapshot in `data`, of whichever spec; SnapshotError if it is damaged or of another version."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise SnapshotError(f"a snapshot must be bytes; got {type(data).__name__}")
    data = bytes(data)
    if not data.startswith(_BEGIN) or len(data) < _HEADER:
        # Every version is an array that begins with its number, which is small.
        if len(data) > 1 and 0x91 <= data[0] <= 0x9F and data[1] < 0x80 and data[1] != VERSION:
            raise SnapshotError(f"the snapshot has version {data[1]}; this latwin reads version {VERSION}")
        raise SnapshotError("this is no snapshot of a monitor")
    fields = memoryview(data)[_HEADER:]
    if zlib.crc32(fields) != int.from_bytes(data[len(_BEGIN) : _HEADER], "big"):
        raise SnapshotError("the snapshot is damaged: its checksum is wrong")
    try:
        return _DECODER.decode(fields)
    # A map in a map's key has no hash; a number in JSON can be too long; anything can be nested too deeply.
    except (ValueError, TypeError, RecursionError) as error:
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


_DECODER = msgspec.msgpack.Decoder(Snapshot, ext_hook=_from_json)
