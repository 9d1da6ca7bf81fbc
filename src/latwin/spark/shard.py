"""What a Python worker does with the events of one shard: no Spark here, and no algorithm either.

A shard is a set of groups that share one entry of Spark's state store. Its state is a container of the
groups' snapshots; only touched groups are decoded and encoded again. Events come packed, as envelopes (see `packing`)
or columns (see `column_payloads`). Results leave packed: one JSON array per kind, which Spark unpacks into rows.

    stored bytes, packed events  ->  ShardWorker.work  ->  new bytes, {"verdict": [...], "reject": [...], ...}

Stored bytes can be damaged (see `container`). Damage ends the query, or is set aside (`quarantine_damaged`): the
bytes stay in the state, and a reject says what happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec

from latwin.delivery.silence import is_over, silent, told_time
from latwin.errors import SnapshotError, TooManyWaiting
from latwin.events import Envelope, by_group, in_order
from latwin.events.envelope import opened
from latwin.model import Counters, Verdicts
from latwin.monitor import Monitor
from latwin.spark.column_payloads import ColumnEnvelopes, Payload, open_payloads
from latwin.spark.column_payloads import decode as decode_payload
from latwin.spark.container import Aside, Container, Damaged, decode
from latwin.spark.results import (
    REJECT_KINDS,
    Account,
    Results,
    metrics_row,
    notice_row,
    reject_of,
    reject_row,
    verdict_row,
)
from latwin.spark.sweep import is_sweep, told_by
from latwin.spec import FREE_FIELDS, Spec, differences_of

WAY_ON = "Restore the checkpoint from a copy, or go on without what is damaged (--quarantine-damaged)"


class Forget(msgspec.Struct, frozen=True, kw_only=True):
    """An order to forget a group, which counts from a batch on; orders are numbered from 1."""

    number: int
    from_batch: int
    group: str


class ShardWorker:
    """Runs the monitors of many groups, one at a time, on one `Monitor` that is loaded with each group's state."""

    def __init__(
        self,
        spec: Spec,
        *,
        every: bool,
        observations: bool,
        quarantine_damaged: bool = False,
        rules: int = 1,
        forget: Sequence[Forget] = (),
    ) -> None:
        """`rules` is the version of the spec's rules: a group with an older one takes them before its next event.

        Each group in `forget` ends before its next event, once for each order.
        """
        self._forget = forget
        self._spec = spec
        self._rules = rules
        self._quarantine_damaged = quarantine_damaged
        self._system = spec.system_fields
        self._every = every
        self._never = frozenset(spec.never)
        self._positions = {name: k for k, name in enumerate(spec.listed or ())}
        self._monitor = Monitor(spec, observations=observations, rules=rules)
        self._blank = self._monitor.snapshot()
        self._decode = msgspec.json.Decoder(list[Envelope]).decode

    @property
    def quarantines(self) -> bool:
        """Whether damaged state is set aside."""
        return self._quarantine_damaged

    def warm_up(self) -> None:
        """Compile the kernels, or load them from the cache, before the first events come."""
        limits = self._spec.open
        first = self._spec.processes[0] if limits is None else limits.names[0].replace("*", "x").replace("?", "x")
        self._monitor.resume(self._blank)
        self._monitor.observe_many([{"process": first, "clock": {first: 1}, "state": {}}])
        self._monitor.observe({"process": first, "clock": {first: 2}, "state": {}}, every=True)

    def work(
        self,
        stored: bytes | None,
        payloads: Iterable[str | bytes],
        *,
        shard: int | None = None,
        now_s: float | None = None,
        wall_s: float | None = None,
    ) -> tuple[bytes, Results]:
        """Observe a shard's packed events, envelopes or columns; its new state, and what came of them.

        `shard` is its number, which messages about its state name. `now_s` is the latest tick of a wall clock, if
        there is one: time goes on to it before a group's first event. `wall_s` is the time of now: by it groups end
        whose events have no times. Raises SnapshotError if the state is another
        query's or another version's, or if it is damaged and damage is not to be set aside.
        """
        results = Results(verdicts=[], rejects=[], metrics=[])
        texts: list[str | bytes] = []
        columns: list[Payload] = []
        swept: list[str | bytes] = []
        for payload in payloads:
            if is_sweep(payload):
                swept.append(payload)
                continue
            found = None if isinstance(payload, str) else decode_payload(bytes(payload))
            if found is None:
                texts.append(payload)
            else:
                columns.append(found)
        decoded = chain.from_iterable(self._decode(_as_array(text)) for text in texts)
        parts, others = open_payloads(columns, self._positions) if columns else ({}, [])
        envelopes = self._opened(chain(decoded, others), results)
        state = self.observe(
            stored,
            envelopes,
            results,
            shard=shard,
            now_s=now_s,
            wall_s=wall_s,
            told_s=told_by(swept),
            columns=parts,
        )
        return state, results

    def observe(
        self,
        stored: bytes | None,
        envelopes: Iterable[Envelope],
        results: Results,
        *,
        shard: int | None = None,
        now_s: float | None = None,
        wall_s: float | None = None,
        told_s: float | None = None,
        forget: Iterable[str] = (),
        columns: Mapping[str, ColumnEnvelopes] | None = None,
    ) -> bytes:
        """The same for envelopes that are open: the new state; what came of them is added to the results.

        `told_s` is what time it is by groups of other shards: by it silent groups end, too, after the events. The
        groups in `forget` are not known any more after that. `columns` are events of groups that came as such, in
        their order.
        """
        container = self._open(stored, shard, results)
        self._end_by_order(container, shard, results)
        self._end_by_wall(container, wall_s, shard, results)
        for group, arrived in self._arrived(envelopes, columns or {}):
            if not self._load(container, group, shard, results):
                reason = container.aside[group].reason
                results.rejects += [reject_of(envelope, reason) for envelope in arrived]
                continue
            arrived = _of_one_partition(arrived, container.partitions, results)
            if arrived:
                self._observe(group, arrived, now_s, results)
                self._keep(container, group, wall_s)
        self._end_silent(container, told_s, shard, results)
        for group in forget:
            container.forget(group)
        return container.encoded()

    def _arrived(
        self, envelopes: Iterable[Envelope], columns: Mapping[str, ColumnEnvelopes]
    ) -> Iterator[tuple[str, Sequence[Envelope]]]:
        """The events of each group in their order of arrival; those that came in both ways are envelopes."""
        groups = by_group(envelopes)
        for group, some in groups.items():
            yield group, in_order([*some, *columns.get(group, ())], self._positions)
        for group, events in columns.items():
            if group not in groups:
                yield group, events

    def tick(self, stored: bytes, now_s: float, *, shard: int | None = None) -> tuple[bytes, Results, bool]:
        """Let time go on in all groups of a shard: its new state, what came of it, and whether more may come of time.

        Nothing more comes of it once every window of time holds one state, unless silent processes leave.
        """
        results = Results(verdicts=[], rejects=[], metrics=[])
        container = self._open(stored, shard, results)
        self._end_by_wall(container, now_s, shard, results)
        may_slide = self._spec.forget_after_s is not None
        for group in list(container.groups):
            if self._load(container, group, shard, results):
                self._observe(group, [], now_s, results)
                self._keep(container, group, None)
                may_slide = may_slide or _may_slide(self._monitor)
        return container.encoded(), results, may_slide and bool(container.groups)

    def _keep(self, container: Container, group: str, wall_s: float | None) -> None:
        """Keep the state of a group, or its past if it has ended; and when it was last heard of."""
        monitor = self._monitor
        is_by_wall = monitor.last_s is None and group not in container.last_s
        if monitor.past is not None:
            container.ended[group] = monitor.past
            for known in (container.groups, container.partitions, container.last_s, container.wall_s):
                known.pop(group, None)
            return
        container.ended.pop(group, None)
        container.groups[group] = monitor.snapshot()
        if self._spec.forget_after_s is None:
            return
        if monitor.last_s is not None:
            container.last_s[group] = monitor.last_s
            container.wall_s.pop(group, None)
        elif is_by_wall and wall_s is not None:
            container.wall_s[group] = wall_s

    def _end_by_order(self, container: Container, shard: int | None, results: Results) -> None:
        """Forget what somebody told to forget, also what is set aside, unless that was done already."""
        for order in self._forget:
            if order.number <= container.forgot:
                continue
            container.forgot = order.number
            group = order.group
            if container.aside.pop(group, None) is not None:
                results.rejects.append(
                    reject_row(group, "ended", "told to be forgotten, with its damaged state", None)
                )
            elif group in container.groups and self._load(container, group, shard, results):
                notices = self._monitor.end("told to be forgotten").notices
                results.rejects += [notice_row(group, None, notice) for notice in notices]
            container.forget(group)

    def _end_silent(self, container: Container, told_s: float | None, shard: int | None, results: Results) -> None:
        """End the groups that are silent by the times of other groups, and forget the pasts that are too old."""
        limit = self._spec.forget_after_s
        if limit is None:
            container.last_s, container.wall_s = {}, {}
            return
        here_s = told_time(container.last_s.values())
        self._end(container, silent(container.last_s, limit, told_s), shard, results)
        times = [time for time in (here_s, told_s) if time is not None]
        if times:
            container.forget_pasts(max(times), limit, by_wall=False)

    def _end_by_wall(self, container: Container, wall_s: float | None, shard: int | None, results: Results) -> None:
        """End the groups that are silent by the wall clock, of those whose events have no times."""
        limit = self._spec.forget_after_s
        if limit is None or wall_s is None:
            return
        for group in container.groups:  # those from before there was a `forget_after` count from now on
            if group not in container.last_s:
                container.wall_s.setdefault(group, wall_s)
        over = [group for group, last_s in container.wall_s.items() if is_over(last_s, wall_s, limit)]
        self._end(container, over, shard, results, by_wall=True)
        container.forget_pasts(wall_s, limit, by_wall=True)

    def _end(
        self, container: Container, groups: list[str], shard: int | None, results: Results, *, by_wall: bool = False
    ) -> None:
        for group in groups:
            if not self._load(container, group, shard, results):
                container.last_s.pop(group, None)
                container.wall_s.pop(group, None)
                continue
            out = self._monitor.end()
            results.rejects += [notice_row(group, None, notice) for notice in out.notices]
            past = self._monitor.past
            assert past is not None
            if by_wall:
                past.last_s, past.is_by_wall = container.wall_s[group], True
            self._keep(container, group, None)

    def _load(self, container: Container, group: str, shard: int | None, results: Results) -> bool:
        """Load the monitor with a group's state; False if that is damaged and set aside."""
        if group in container.aside:
            return False
        snapshot = container.groups.get(group, self._blank)
        past = container.ended.get(group)
        try:
            self._monitor.resume(snapshot, allow_other_rules=True)
        except SnapshotError as error:
            problem = f"group {group!r} in shard {shard}: {error}"
            if not self._quarantine_damaged:
                raise SnapshotError(f"{problem}. {WAY_ON}") from None
            reason = f"{problem}. The group is set aside: its events are rejected, its {len(snapshot)} bytes are kept"
            container.aside[group] = Aside(reason, container.groups.pop(group))
            results.rejects.append(reject_row(group, "rejected", reason, None))
            return False
        if self._monitor.rules > self._rules:
            raise SnapshotError(
                f"group {group!r} follows version {self._monitor.rules} of the rules already; the query has version "
                f"{self._rules}. A version that was used is not used for others: give the query a higher one"
            )
        if past is not None:
            self._monitor.follow(past)
        return True

    def _opened(self, envelopes: Iterable[Envelope], results: Results) -> Iterator[Envelope]:
        """The envelopes that hold events; the others become rejects."""
        for envelope in envelopes:
            problem = envelope.problem if envelope.is_open else opened(envelope).problem
            if problem is None:
                yield envelope
            else:
                results.rejects.append(reject_of(envelope, problem))

    def _open(self, stored: bytes | None, shard: int | None, results: Results) -> Container:
        if stored is None:
            return self._new_container()
        try:
            container = decode(stored)
        except Damaged as error:
            problem = f"shard {shard}: its state is damaged: {error}. This concerns all groups of the shard"
            if not self._quarantine_damaged:
                raise SnapshotError(f"{problem}. {WAY_ON}") from None
            container = self._new_container()
            container.damaged.append(stored)
            reason = (
                f"{problem}: they begin again, without the states from before, and those states count as missing. "
                f"The {len(stored)} bytes are kept"
            )
            results.rejects.append(reject_row(None, "rejected", reason, None))
            return container
        if container.system != self._system:
            differences = "; ".join(differences_of(container.system, self._system))
            raise SnapshotError(
                f"the checkpoint was begun with another spec: {differences}. Only {', '.join(FREE_FIELDS)} may "
                "change: use the old spec, or a new checkpoint"
            )
        return container

    def _new_container(self) -> Container:
        return Container.new(self._system)

    def _observe(self, group: str, arrived: Sequence[Envelope], now_s: float | None, results: Results) -> None:
        """Let the monitor, which was loaded with the group's state, observe its events."""
        monitor = self._monitor
        account = Account(msgspec.structs.replace(monitor.counters))
        if monitor.rules < self._rules:  # the group was left under older rules, and was loaded with these
            self._collect(group, arrived, monitor.renew(self._rules, self._every), results, account)
        if now_s is not None:
            self._collect(group, arrived, monitor.advance(now_s, self._every), results, account)
        rest = arrived
        while rest:
            try:
                verdicts = monitor.observe_many(_events_of(rest), every=self._every)
                self._collect(group, rest, verdicts, results, account)
                break
            except TooManyWaiting as error:
                # The policy is "fail": this event fails, the group and the query go on.
                self._collect(group, rest, error.verdicts, results, account)
                monitor.counters.rejected += 1
                results.rejects.append(reject_of(rest[error.position], str(error)))
                rest = rest[error.position + 1 :]
        if arrived or monitor.counters != account.before:
            results.metrics.append(metrics_row(group, arrived, account, monitor))

    def _collect(self, group: str, arrived: Sequence[Envelope], out: Any, results: Results, account: Account) -> None:
        """Turn what a monitor said into rows, and count where a property under `never` was too large."""
        assert isinstance(out, Verdicts)
        for verdict, position in zip(out, out.positions, strict=True):
            results.verdicts.append(verdict_row(group, verdict, arrived, position))
        for notice, position in zip(out.notices, out.notice_positions, strict=True):
            if notice.kind in REJECT_KINDS:
                envelope = arrived[position] if arrived else None  # a tick has no event
                results.rejects.append(notice_row(group, envelope, notice))
            elif notice.property in self._never:
                account.unanswered[notice.property] += 1
            if notice.kind == "ended":
                account.end(Counters(**notice.event["counters"]))


def _may_slide(monitor: Monitor) -> bool:
    """Whether time alone can still change something: a window of time holds two states, or a process may leave."""
    window, lengths, joining = monitor.window, monitor.spec.window_time_s, monitor.spec.open
    if joining is not None and joining.leave_after_s is not None:
        return True
    return any(length is not None and window.oldest(k) < window.newest(k) for k, length in enumerate(lengths))


def _events_of(arrived: Sequence[Envelope]) -> Iterable[Mapping[str, Any]]:
    return arrived.events if isinstance(arrived, ColumnEnvelopes) else [envelope.event for envelope in arrived]


def _as_array(payload: str | bytes) -> str | bytes:
    return f"[{payload}]" if isinstance(payload, str) else b"[%b]" % payload


def _of_one_partition(
    arrived: Sequence[Envelope], partitions: dict[str, int], results: Results
) -> Sequence[Envelope]:
    """A group's envelopes, in order, without those of another partition than its first: among them there is no order.

    Its first is the lowest of the first batch that has any. So for a group in several partitions it depends on the
    borders of batches which of them counts; no rule on the records alone could tell before all of them are there.
    """
    if isinstance(arrived, ColumnEnvelopes):  # no records of Kafka
        return arrived
    group = arrived[0].group
    if arrived[0].origin is None or group is None:
        return arrived
    found = {envelope.origin.partition for envelope in arrived if envelope.origin is not None}
    own = partitions.setdefault(group, min(found))
    if found == {own}:
        return arrived
    kept = []
    for envelope in arrived:
        if envelope.origin is None or envelope.origin.partition == own:
            kept.append(envelope)
            continue
        reason = (
            f"the record is in partition {envelope.origin.partition}, but its group is in partition {own}: all of a "
            "group must be in one partition, or their order is unknown"
        )
        results.rejects.append(reject_of(envelope, reason))
    return kept
