"""What a Python worker does with the events of one shard: no Spark here, and no algorithm either.

A shard is a set of groups that share one entry of Spark's state store. Its state is a container of the
groups' snapshots; only touched groups are decoded and encoded again. Events come packed, as envelopes (see `packing`)
or columns (see `column_payloads`). Results leave packed: one JSON array per kind, which Spark unpacks into rows.

    stored bytes, packed events  ->  ShardWorker.work  ->  new bytes, {"verdict": [...], "reject": [...], ...}

Groups of which nothing unusual is to be told observe their events together (see `latwin.many_groups`), all others
one at a time in a monitor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec

from latwin.clocks.pausing import collector_paused
from latwin.errors import TooManyWaiting
from latwin.events import Envelope, EventBatch, by_group, in_order, read_batch
from latwin.events.envelope import opened
from latwin.many_groups import ManyGroups
from latwin.model import Counters, Verdicts
from latwin.monitor import Monitor
from latwin.spark.column_payloads import ColumnEnvelopes, Payload, open_payloads
from latwin.spark.column_payloads import decode as decode_payload
from latwin.spark.kept_groups import Forget, Keeper, KeptGroups
from latwin.spark.results import (
    REJECT_KINDS,
    Account,
    Results,
    metrics_row,
    notice_row,
    reject_of,
)
from latwin.spark.sweep import is_sweep, told_by
from latwin.spec import Spec

#: a group, and its events in their order of arrival
Arrived = tuple[str, Sequence[Envelope]]


class ShardWorker:
    """Runs the monitors of many groups: together, or one at a time on one `Monitor` that is loaded with each."""

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
        self._every = every
        self._never = frozenset(spec.never)
        self._positions = {name: k for k, name in enumerate(spec.listed or ())}
        self._monitor = Monitor(spec, observations=observations, rules=rules)
        self._keeper = Keeper(spec, self._monitor, rules, quarantine_damaged)
        self._together = None if every or observations else ManyGroups.of(spec, rules)
        self._decode = msgspec.json.Decoder(list[Envelope]).decode

    @property
    def quarantines(self) -> bool:
        """Whether damaged state is set aside."""
        return self._keeper.quarantine_damaged

    def warm_up(self) -> None:
        """Compile the kernels, or load them from the cache, before the first events come."""
        limits = self._spec.open
        first = self._spec.processes[0] if limits is None else limits.names[0].replace("*", "x").replace("?", "x")
        self._monitor.resume(self._keeper.blank)
        events = [{"process": first, "clock": {first: 1}, "state": {}}]
        self._monitor.observe_many(events)
        self._monitor.observe({"process": first, "clock": {first: 2}, "state": {}}, every=True)
        batch = read_batch(events, self._positions)
        if self._together is not None and batch is not None:
            self._together.observe([self._keeper.blank], batch, [(0, 1)])

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
        results = Results()
        texts: list[str | bytes] = []
        columns: list[Payload] = []
        swept: list[str | bytes] = []
        with collector_paused():
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
            told_s = told_by(swept)
            state = self.observe(
                stored, envelopes, results, shard=shard, now_s=now_s, wall_s=wall_s, told_s=told_s, columns=parts
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
        groups = self._keeper.open(stored, shard, results)
        container = groups.container
        groups.end_by_order(self._forget)
        groups.end_by_wall(wall_s)
        arrived: list[Arrived] = []
        for group, events in self._arrived(by_group(envelopes), columns or {}):
            is_aside = group in container.aside
            some = events if is_aside else _of_one_partition(events, container.partitions, results)
            if some:
                arrived.append((group, some))
        alone = self._observe_together(arrived, groups, wall_s, results) if now_s is None else iter(arrived)
        for group, events in alone:
            if groups.load(group):
                self._observe(group, events, now_s, results)
                groups.keep(group, wall_s)
            else:
                reason = container.aside[group].reason
                results.rejects += [reject_of(envelope, reason) for envelope in events]
        groups.end_silent(told_s)
        for group in forget:
            container.forget(group)
        return container.encoded()

    def tick(self, stored: bytes, now_s: float, *, shard: int | None = None) -> tuple[bytes, Results, bool]:
        """Let time go on in all groups of a shard: its new state, what came of it, and whether more may come of time.

        Nothing more comes of it once every window of time holds one state, unless silent processes leave.
        """
        results = Results()
        groups = self._keeper.open(stored, shard, results)
        container = groups.container
        groups.end_by_wall(now_s)
        may_slide = self._spec.forget_after_s is not None
        for group in list(container.groups):
            if groups.load(group):
                self._observe(group, [], now_s, results)
                groups.keep(group, None)
                may_slide = may_slide or _may_slide(self._monitor)
        return container.encoded(), results, may_slide and bool(container.groups)

    def _opened(self, envelopes: Iterable[Envelope], results: Results) -> Iterator[Envelope]:
        """The envelopes that hold events; the others become rejects."""
        for envelope in envelopes:
            problem = envelope.problem if envelope.is_open else opened(envelope).problem
            if problem is None:
                yield envelope
            else:
                results.rejects.append(reject_of(envelope, problem))

    def _arrived(
        self, groups: Mapping[str, list[Envelope]], columns: Mapping[str, ColumnEnvelopes]
    ) -> Iterator[Arrived]:
        """The events of each group in their order of arrival; those that came in both ways are envelopes."""
        for group, some in groups.items():
            yield group, in_order([*some, *columns.get(group, ())], self._positions)
        for group, events in columns.items():
            if group not in groups:
                yield group, events

    def _observe_together(
        self, arrived: Sequence[Arrived], groups: KeptGroups, wall_s: float | None, results: Results
    ) -> Iterator[Arrived]:
        """Let those groups observe that need no monitor of their own; the others, with their events."""
        if self._together is None:
            yield from arrived
            return
        columns: list[Arrived] = []
        maps: list[Arrived] = []
        for each in arrived:
            group, events = each
            if group in groups.container.ended or group in groups.container.aside:
                yield each
            else:
                (columns if isinstance(events, ColumnEnvelopes) else maps).append(each)
        for some in filter(None, (columns, maps)):
            batch, parts = _as_batch(some, self._positions)
            snapshots = [groups.snapshot(group) for group, _ in some]
            if batch is None:
                yield from some
                continue
            found = self._together.observe(snapshots, batch, parts)
            results.told.tell_together(found, some)
            for (group, events), observed in zip(some, found.groups, strict=True):
                if observed is None:
                    yield group, events
                    continue
                groups.keep_snapshot(group, observed.snapshot, observed.last_s, wall_s)
                account = Account(observed.before)
                results.metrics.append(metrics_row(group, events, account, observed.counters, observed.unseen))

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
            results.metrics.append(metrics_row(group, arrived, account, monitor.counters, monitor.unseen()))

    def _collect(self, group: str, arrived: Sequence[Envelope], out: Any, results: Results, account: Account) -> None:
        """Turn what a monitor said into rows, and count where a property under `never` was too large."""
        assert isinstance(out, Verdicts)
        results.told.tell(group, out, arrived)
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


def _as_batch(
    arrived: Sequence[Arrived], positions: Mapping[str, int]
) -> tuple[EventBatch | None, Sequence[tuple[int, int]]]:
    """The events of groups, all of them columns or none, in one batch, and the rows of each; None if one is wrong."""
    parts: list[tuple[int, int]] = []
    table, maps = None, list[Any]()
    for _, events in arrived:
        if isinstance(events, ColumnEnvelopes):
            table = events.table
            parts.append(events.rows)
        else:
            begin = len(maps)
            maps += [envelope.event for envelope in events]
            parts.append((begin, len(maps)))
    if table is None:
        return read_batch(maps, positions), parts
    return table.read(0, len(table), positions, needs_times=False), parts


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
