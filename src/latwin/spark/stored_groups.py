"""The groups in a shard's stored state, for people who look at a checkpoint. No Spark here.

A snapshot is examined without its spec: what is shown is what was stored, whether a monitor could go on from it or
not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from latwin.errors import SnapshotError
from latwin.snapshot import Snapshot, examine
from latwin.spark.container import Container, Damaged, decode

ACTIVE, ENDED, DAMAGED = "active", "ended", "damaged"


class StoredGroup(msgspec.Struct, kw_only=True):
    """A group as its state has it; what an ended or damaged one does not have is left out."""

    group: str | None
    shard: int
    #: active, ended (only its past is kept) or damaged
    state: str
    bytes: int
    #: when it was last heard of, in seconds; only where groups end
    last_s: float | None = None
    #: why it is damaged
    problem: str | None = None
    rules: int | None = None
    counters: dict[str, int] = {}
    values: dict[str, bool | None] = {}
    #: by process, what its window holds, oldest first
    processes: dict[str, dict[str, Any]] = {}
    #: states that wait for others
    waiting: list[dict[str, Any]] = []

    def brief(self) -> dict[str, Any]:
        """Its fields without windows and waiting states."""
        fields = msgspec.structs.asdict(self)
        del fields["processes"], fields["waiting"]
        return fields


def groups_in(stored: bytes, shard: int) -> Iterator[StoredGroup]:
    """The groups of a shard, in no order; raises SnapshotError if the state is of another version."""
    try:
        container = decode(stored)
    except Damaged as error:
        yield StoredGroup(group=None, shard=shard, state=DAMAGED, bytes=len(stored), problem=str(error))
        return
    for group, snapshot in container.groups.items():
        yield _active(container, group, snapshot, shard)
    for group, past in container.ended.items():
        size = len(msgspec.msgpack.encode(past))
        last = dict(zip(container.system["processes"], past.through, strict=False)) if past.through else past.departed
        processes = {name: {"through": index} for name, index in last.items()}
        yield StoredGroup(group=group, shard=shard, state=ENDED, bytes=size, last_s=past.last_s, processes=processes)
    for group, aside in container.aside.items():
        size = len(aside.snapshot)
        yield StoredGroup(group=group, shard=shard, state=DAMAGED, bytes=size, problem=aside.reason)
    for damaged in container.damaged:
        yield StoredGroup(group=None, shard=shard, state=DAMAGED, bytes=len(damaged), problem="the whole shard")


def _active(container: Container, group: str, snapshot: bytes, shard: int) -> StoredGroup:
    try:
        held = examine(snapshot)
    except SnapshotError as error:
        return StoredGroup(group=group, shard=shard, state=DAMAGED, bytes=len(snapshot), problem=str(error))
    names = _names(held, container.system)
    return StoredGroup(
        group=group,
        shard=shard,
        state=ACTIVE,
        bytes=len(snapshot),
        last_s=container.last_s.get(group, container.wall_s.get(group)),
        rules=held.rules,
        counters=msgspec.structs.asdict(held.counters),
        values=held.values,
        processes={
            name: {"through": process.through, "clocks": process.clocks, "states": process.states}
            for name, process in zip(names, held.processes, strict=True)
            if name is not None
        },
        waiting=[
            {"process": names[each.process], "index": each.index, "clock": each.clock, "state": each.state}
            for each in held.waiting
        ],
    )


def _names(held: Snapshot, system: dict[str, Any]) -> list[str | None]:
    """Who is on which seat; None on empty ones."""
    if held.members is None:
        return list(system["processes"])
    sitting = {life.seat: life.name for life in held.members.lives}
    return [sitting.get(seat) for seat in range(len(held.processes))]
