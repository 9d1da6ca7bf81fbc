"""A shard's state while a worker has it: its groups are loaded into a monitor, kept, ended and set aside.

Stored bytes can be damaged (see `container`). Damage ends the query, or is set aside: the bytes stay in the state,
and a reject says what happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from latwin.delivery.silence import Past, is_over, silent, told_time
from latwin.errors import SnapshotError
from latwin.monitor import Monitor
from latwin.spark.container import Aside, Container, Damaged, decode
from latwin.spark.results import Results, notice_row, reject_row
from latwin.spec import FREE_FIELDS, Spec, differences_of

WAY_ON = "Restore the checkpoint from a copy, or go on without what is damaged (--quarantine-damaged)"


class Forget(msgspec.Struct, frozen=True, kw_only=True):
    """An order to forget a group, which counts from a batch on; orders are numbered from 1."""

    number: int
    from_batch: int
    group: str


@dataclass(frozen=True)
class Keeper:
    """Opens the states of shards, whose groups share one monitor.

    `rules` is the version of the spec's rules.
    """

    spec: Spec
    monitor: Monitor
    rules: int
    quarantine_damaged: bool
    #: the state of a group of which nothing is known
    blank: bytes = field(init=False)

    def __post_init__(self) -> None:
        """Take the monitor as it is, which is a new one, for that of a new group."""
        object.__setattr__(self, "blank", self.monitor.snapshot())

    def open(self, stored: bytes | None, number: int | None, results: Results) -> KeptGroups:
        """A shard, which messages call by its number; results take what is to be said of its state.

        Raises SnapshotError if the state is another query's or another version's, or if it is damaged and damage is
        not to be set aside.
        """
        return KeptGroups(self, self._container(stored, number, results), number, results)

    def _container(self, stored: bytes | None, number: int | None, results: Results) -> Container:
        system = self.spec.system_fields
        if stored is None:
            return Container.new(system)
        try:
            container = decode(stored)
        except Damaged as error:
            problem = f"shard {number}: its state is damaged: {error}. This concerns all groups of the shard"
            if not self.quarantine_damaged:
                raise SnapshotError(f"{problem}. {WAY_ON}") from None
            container = Container.new(system)
            container.damaged.append(stored)
            reason = (
                f"{problem}: they begin again, without the states from before, and those states count as missing. "
                f"The {len(stored)} bytes are kept"
            )
            results.rejects.append(reject_row(None, "rejected", reason, None))
            return container
        if container.system != system:
            differences = "; ".join(differences_of(container.system, system))
            raise SnapshotError(
                f"the checkpoint was begun with another spec: {differences}. Only {', '.join(FREE_FIELDS)} may "
                "change: use the old spec, or a new checkpoint"
            )
        return container


class KeptGroups:
    """The groups of a shard, of which one at a time is in the monitor."""

    def __init__(self, keeper: Keeper, container: Container, number: int | None, results: Results) -> None:
        self.container = container
        self._keeper = keeper
        self._monitor = keeper.monitor
        self._number = number
        self._results = results
        self._limit = keeper.spec.forget_after_s

    def snapshot(self, group: str) -> bytes:
        """What is stored of a group."""
        return self.container.groups.get(group, self._keeper.blank)

    def load(self, group: str) -> bool:
        """Load the monitor with a group's state; False if that is damaged and set aside."""
        container, monitor = self.container, self._monitor
        if group in container.aside:
            return False
        snapshot = self.snapshot(group)
        past = container.ended.get(group)
        try:
            monitor.resume(snapshot, allow_other_rules=True)
        except SnapshotError as error:
            problem = f"group {group!r} in shard {self._number}: {error}"
            if not self._keeper.quarantine_damaged:
                raise SnapshotError(f"{problem}. {WAY_ON}") from None
            reason = f"{problem}. The group is set aside: its events are rejected, its {len(snapshot)} bytes are kept"
            container.aside[group] = Aside(reason, container.groups.pop(group))
            self._results.rejects.append(reject_row(group, "rejected", reason, None))
            return False
        if monitor.rules > self._keeper.rules:
            raise SnapshotError(
                f"group {group!r} follows version {monitor.rules} of the rules already; the query has version "
                f"{self._keeper.rules}. A version that was used is not used for others: give the query a higher one"
            )
        if past is not None:
            monitor.follow(past)
        return True

    def keep(self, group: str, wall_s: float | None) -> None:
        """Keep the state of the group that is in the monitor; its time of now is `wall_s`."""
        if self._monitor.past is not None:
            self._keep_past(group, self._monitor.past)
        else:
            self.keep_snapshot(group, self._monitor.snapshot(), self._monitor.last_s, wall_s)

    def keep_snapshot(self, group: str, snapshot: bytes, last_s: float | None, wall_s: float | None) -> None:
        """Keep the state of a group, and when it was last heard of: by its events, else by the wall clock."""
        container = self.container
        container.ended.pop(group, None)
        container.groups[group] = snapshot
        if self._limit is None:
            return
        if last_s is not None:
            container.last_s[group] = last_s
            container.wall_s.pop(group, None)
        elif wall_s is not None and group not in container.last_s:
            container.wall_s[group] = wall_s

    def _keep_past(self, group: str, past: Past) -> None:
        """Keep only the past of a group that has ended."""
        container = self.container
        container.ended[group] = past
        for known in (container.groups, container.partitions, container.last_s, container.wall_s):
            known.pop(group, None)

    def end_by_order(self, orders: Sequence[Forget]) -> None:
        """Forget what somebody told to forget, also what is set aside, unless that was done already."""
        container, results = self.container, self._results
        for order in orders:
            if order.number <= container.forgot:
                continue
            container.forgot = order.number
            group = order.group
            if container.aside.pop(group, None) is not None:
                results.rejects.append(
                    reject_row(group, "ended", "told to be forgotten, with its damaged state", None)
                )
            elif group in container.groups and self.load(group):
                notices = self._monitor.end("told to be forgotten").notices
                results.rejects += [notice_row(group, None, notice) for notice in notices]
            container.forget(group)

    def end_silent(self, told_s: float | None) -> None:
        """End the groups that are silent by the times of other groups, and forget the pasts that are too old."""
        container = self.container
        if self._limit is None:
            container.last_s, container.wall_s = {}, {}
            return
        here_s = told_time(container.last_s.values())
        self._end(silent(container.last_s, self._limit, told_s))
        times = [time for time in (here_s, told_s) if time is not None]
        if times:
            container.forget_pasts(max(times), self._limit, by_wall=False)

    def end_by_wall(self, wall_s: float | None) -> None:
        """End the groups that are silent by the wall clock, of those whose events have no times."""
        container = self.container
        if self._limit is None or wall_s is None:
            return
        for group in container.groups:  # those from before there was a `forget_after` count from now on
            if group not in container.last_s:
                container.wall_s.setdefault(group, wall_s)
        over = [group for group, last_s in container.wall_s.items() if is_over(last_s, wall_s, self._limit)]
        self._end(over, by_wall=True)
        container.forget_pasts(wall_s, self._limit, by_wall=True)

    def _end(self, groups: Iterable[str], *, by_wall: bool = False) -> None:
        container = self.container
        for group in groups:
            if not self.load(group):
                container.last_s.pop(group, None)
                container.wall_s.pop(group, None)
                continue
            out = self._monitor.end()
            self._results.rejects += [notice_row(group, None, notice) for notice in out.notices]
            past = self._monitor.past
            assert past is not None
            if by_wall:
                past.last_s, past.is_by_wall = container.wall_s[group], True
            self._keep_past(group, past)
