"""The state of a shard as bytes: its groups' snapshots, and what belongs to them. No Spark here.

A group's snapshot has a checksum of its own, and the container has one over everything else, so that damage within a
snapshot concerns one group, and any other damage the shard.
"""

from __future__ import annotations

import zlib
from typing import Any

import msgspec

from latwin.delivery.silence import Past, is_remembered
from latwin.errors import SnapshotError
from latwin.snapshot import VERSION as SNAPSHOT_VERSION

#: 2: with the spec's system; 3: groups spread over shards by the same rule for every source; 4: with a checksum;
#: 5: the checksum covers the version; 6: without the number of shards, with groups that end
VERSION = 6
_LARGEST_VERSION = 10_000


class Aside(msgspec.Struct, array_like=True):
    """A damaged snapshot, kept as it was found."""

    reason: str
    snapshot: bytes


class Container(msgspec.Struct, array_like=True):
    """A shard's state: the version, what it was made for, and the groups' snapshots."""

    version: int
    #: of everything, the version included, but the snapshots, which have their own
    checksum: int
    #: the version of the snapshots, so that another one is not taken for damage
    snapshots: int
    system: dict[str, Any]  # the spec's, so that a change can be named
    groups: dict[str, bytes]
    #: of which partition each group is; only for records of Kafka
    partitions: dict[str, int] = {}
    #: groups that were set aside because their snapshot is damaged
    aside: dict[str, Aside] = {}
    #: damaged states of the whole shard that were set aside
    damaged: list[bytes] = []
    #: with `forget_after`, when groups were last heard of, in seconds: by their events' times, or by the wall clock
    last_s: dict[str, float] = {}
    wall_s: dict[str, float] = {}
    #: what is kept of groups that ended
    ended: dict[str, Past] = {}
    #: the number of the last order to forget a group that was carried out
    forgot: int = 0

    def computed_checksum(self) -> int:
        """What `checksum` must be in a state of this version."""
        beside = (
            VERSION,
            self.snapshots,
            self.system,
            list(self.groups),
            self.partitions,
            self.aside,
            self.damaged,
            self.last_s,
            self.wall_s,
            self.ended,
            self.forgot,
        )
        return zlib.crc32(msgspec.msgpack.encode(beside))

    @classmethod
    def new(cls, system: dict[str, Any]) -> Container:
        """A shard without groups."""
        return cls(VERSION, 0, SNAPSHOT_VERSION, system, {}, {}, {}, [], {}, {}, {}, 0)

    def forget(self, group: str) -> None:
        """Keep nothing of a group, except a damaged state."""
        for known in (self.groups, self.partitions, self.last_s, self.wall_s, self.ended):
            known.pop(group, None)

    def forget_pasts(self, now_s: float, forget_after_s: float, *, by_wall: bool) -> None:
        """Keep nothing of groups that ended so long ago that nobody asks for them any more."""
        old = [
            group
            for group, past in self.ended.items()
            if past.is_by_wall is by_wall and not is_remembered(past.last_s, now_s, forget_after_s)
        ]
        for group in old:
            self.forget(group)

    def encoded(self) -> bytes:
        """The state to be stored."""
        self.checksum = self.computed_checksum()
        return msgspec.msgpack.encode(self)


class Damaged(Exception):
    """A shard's state cannot be what a worker wrote."""


def decode(stored: bytes) -> Container:
    """The container in a shard's state; Damaged, or SnapshotError if it is of another version."""
    try:
        container = msgspec.msgpack.decode(stored, type=Container)
    except msgspec.ValidationError as error:
        _refuse_another_version(_version_of(stored))  # which may have other fields
        raise Damaged(str(error)) from None
    except (ValueError, TypeError, RecursionError) as error:
        raise Damaged(str(error)) from None
    if container.checksum == container.computed_checksum():
        # Another version would have another checksum, so here the number is what is damaged.
        if container.version != VERSION:
            raise Damaged(f"its version is {container.version}, but its checksum is one of version {VERSION}")
    else:
        _refuse_another_version(container.version)
        raise Damaged("its checksum is wrong")
    if container.snapshots != SNAPSHOT_VERSION:
        raise _another_version(f"snapshots of version {container.snapshots}", SNAPSHOT_VERSION)
    return container


def _version_of(stored: bytes) -> Any:
    """The first field, which every version has; VERSION if it cannot be found."""
    try:
        fields = msgspec.msgpack.decode(stored)
    except (ValueError, TypeError, RecursionError):
        return VERSION
    return fields[0] if isinstance(fields, list) and fields else VERSION


def _refuse_another_version(version: Any) -> None:
    """Raise SnapshotError for the number of another version; what no version will ever have is damage."""
    if type(version) is int and 0 < version <= _LARGEST_VERSION and version != VERSION:
        raise _another_version(f"version {version}", VERSION)


def _another_version(found: str, known: int) -> SnapshotError:
    return SnapshotError(
        f"the state has {found}; this latwin reads version {known}. Use the latwin that wrote it, or a new checkpoint"
    )
