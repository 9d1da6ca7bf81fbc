"""What a Python worker does with the events of one shard: no Spark here, and no algorithm either.

A shard is a set of groups that share one entry of Spark's state store. Its state is a container of the
groups' snapshots; only touched groups are decoded and encoded again. Events come packed, as envelopes (see `packing`)
or columns (see `column_payloads`). Results leave packed: one JSON array per kind, which Spark unpacks into rows.

    stored bytes, packed events  ->  ShardWorker.work  ->  new bytes, {"verdict": [...], "reject": [...], ...}

Stored bytes can be damaged. A group's snapshot has a checksum of its own, and the container has one over everything
else, so that damage within a snapshot concerns one group, and any other damage the shard. Damage ends the query, or
is set aside (`quarantine_damaged`): the bytes stay in the state, and a reject says what happened.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec

from latwin.errors import SnapshotError, TooManyWaiting
from latwin.events import Envelope, by_group, in_order
from latwin.events.envelope import opened
from latwin.model import Counters, Notice, Verdicts
from latwin.monitor import Monitor
from latwin.snapshot import VERSION as SNAPSHOT_VERSION
from latwin.spark.column_payloads import ColumnEnvelopes, Payload, decode, open_payloads
from latwin.spec import FREE_FIELDS, Spec, differences_of

#: 2: with the spec's system; 3: groups spread over shards by the same rule for every source; 4: with a checksum;
#: 5: the checksum covers the version
VERSION = 5
_LARGEST_VERSION = 10_000
WAY_ON = "Restore the checkpoint from a copy, or go on without what is damaged (--quarantine-damaged)"


class _Aside(msgspec.Struct, array_like=True):
    """A damaged snapshot, kept as it was found."""

    reason: str
    snapshot: bytes


class _Container(msgspec.Struct, array_like=True):
    """A shard's state: the version, what it was made for, and the groups' snapshots."""

    version: int
    #: of everything, the version included, but the snapshots, which have their own
    checksum: int
    #: the version of the snapshots, so that another one is not taken for damage
    snapshots: int
    shards: int
    system: dict[str, Any]  # the spec's, so that a change can be named
    groups: dict[str, bytes]
    #: of which partition each group is; only for records of Kafka
    partitions: dict[str, int] = {}
    #: groups that were set aside because their snapshot is damaged
    aside: dict[str, _Aside] = {}
    #: damaged states of the whole shard that were set aside
    damaged: list[bytes] = []

    def computed_checksum(self) -> int:
        """What `checksum` must be in a state of this version."""
        beside = (
            VERSION,
            self.snapshots,
            self.shards,
            self.system,
            list(self.groups),
            self.partitions,
            self.aside,
            self.damaged,
        )
        return zlib.crc32(msgspec.msgpack.encode(beside))

    def encoded(self) -> bytes:
        """The state to be stored."""
        self.checksum = self.computed_checksum()
        return msgspec.msgpack.encode(self)


class Results(msgspec.Struct):
    """What a shard's events led to, as plain rows by kind."""

    verdicts: list[dict[str, Any]] = []
    rejects: list[dict[str, Any]] = []
    metrics: list[dict[str, Any]] = []

    def packed(self) -> list[tuple[str, int, str]]:
        """(kind, number of rows, JSON array) for each kind that has rows."""
        kinds = (("verdict", self.verdicts), ("reject", self.rejects), ("metric", self.metrics))
        return [(kind, len(rows), msgspec.json.encode(rows).decode()) for kind, rows in kinds if rows]


class ShardWorker:
    """Runs the monitors of many groups, one at a time, on one `Monitor` that is loaded with each group's state."""

    def __init__(
        self,
        spec: Spec,
        *,
        shards: int,
        every: bool,
        observations: bool,
        quarantine_damaged: bool = False,
        rules: int = 1,
    ) -> None:
        """`rules` is the version of the spec's rules: a group with an older one takes them before its next event."""
        self._spec = spec
        self._rules = rules
        self._quarantine_damaged = quarantine_damaged
        self._shards = shards
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
    ) -> tuple[bytes, Results]:
        """Observe a shard's packed events, envelopes or columns; its new state, and what came of them.

        `shard` is its number, which messages about its state name. `now_s` is the latest tick of a wall clock, if
        there is one: time goes on to it before a group's first event. Raises SnapshotError if the state is another
        query's or another version's, or if it is damaged and damage is not to be set aside.
        """
        results = Results(verdicts=[], rejects=[], metrics=[])
        texts: list[str | bytes] = []
        columns: list[Payload] = []
        for payload in payloads:
            found = None if isinstance(payload, str) else decode(bytes(payload))
            if found is None:
                texts.append(payload)
            else:
                columns.append(found)
        decoded = chain.from_iterable(self._decode(_as_array(text)) for text in texts)
        parts, others = open_payloads(columns, self._positions) if columns else ({}, [])
        envelopes = self._opened(chain(decoded, others), results)
        return self.observe(stored, envelopes, results, shard=shard, now_s=now_s, columns=parts), results

    def observe(
        self,
        stored: bytes | None,
        envelopes: Iterable[Envelope],
        results: Results,
        *,
        shard: int | None = None,
        now_s: float | None = None,
        forget: Iterable[str] = (),
        columns: Mapping[str, ColumnEnvelopes] | None = None,
    ) -> bytes:
        """The same for envelopes that are open: the new state; what came of them is added to the results.

        The groups in `forget` are not known any more after that. `columns` are events of groups that came as such, in
        their order.
        """
        container = self._open(stored, shard, results)
        for group, arrived in self._arrived(envelopes, columns or {}):
            if not self._load(container, group, shard, results):
                reason = container.aside[group].reason
                results.rejects += [_reject(envelope, reason) for envelope in arrived]
                continue
            arrived = _of_one_partition(arrived, container.partitions, results)
            if arrived:
                container.groups[group] = self._observe(group, arrived, now_s, results)
        for group in forget:
            container.groups.pop(group, None)
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
        may_slide = False
        for group in list(container.groups):
            if self._load(container, group, shard, results):
                container.groups[group] = self._observe(group, [], now_s, results)
                may_slide = may_slide or _may_slide(self._monitor)
        return container.encoded(), results, may_slide

    def _load(self, container: _Container, group: str, shard: int | None, results: Results) -> bool:
        """Load the monitor with a group's state; False if that is damaged and set aside."""
        if group in container.aside:
            return False
        snapshot = container.groups.get(group, self._blank)
        try:
            self._monitor.resume(snapshot, allow_other_rules=True)
        except SnapshotError as error:
            problem = f"group {group!r} in shard {shard}: {error}"
            if not self._quarantine_damaged:
                raise SnapshotError(f"{problem}. {WAY_ON}") from None
            reason = f"{problem}. The group is set aside: its events are rejected, its {len(snapshot)} bytes are kept"
            container.aside[group] = _Aside(reason, container.groups.pop(group))
            results.rejects.append(_reject_row(group, "rejected", reason, None))
            return False
        if self._monitor.rules > self._rules:
            raise SnapshotError(
                f"group {group!r} follows version {self._monitor.rules} of the rules already; the query has version "
                f"{self._rules}. A version that was used is not used for others: give the query a higher one"
            )
        return True

    def _opened(self, envelopes: Iterable[Envelope], results: Results) -> Iterator[Envelope]:
        """The envelopes that hold events; the others become rejects."""
        for envelope in envelopes:
            problem = envelope.problem if envelope.is_open else opened(envelope).problem
            if problem is None:
                yield envelope
            else:
                results.rejects.append(_reject(envelope, problem))

    def _open(self, stored: bytes | None, shard: int | None, results: Results) -> _Container:
        if stored is None:
            return self._new_container()
        try:
            container = _decode(stored)
        except _Damaged as error:
            problem = f"shard {shard}: its state is damaged: {error}. This concerns all groups of the shard"
            if not self._quarantine_damaged:
                raise SnapshotError(f"{problem}. {WAY_ON}") from None
            container = self._new_container()
            container.damaged.append(stored)
            reason = (
                f"{problem}: they begin again, without the states from before, and those states count as missing. "
                f"The {len(stored)} bytes are kept"
            )
            results.rejects.append(_reject_row(None, "rejected", reason, None))
            return container
        if container.shards != self._shards:
            raise SnapshotError(
                f"the checkpoint was begun with shards={container.shards}; the query has shards={self._shards}. The "
                "number of shards is fixed at the first start: use the old number, or a new checkpoint"
            )
        if container.system != self._system:
            differences = "; ".join(differences_of(container.system, self._system))
            raise SnapshotError(
                f"the checkpoint was begun with another spec: {differences}. Only {', '.join(FREE_FIELDS)} may "
                "change: use the old spec, or a new checkpoint"
            )
        return container

    def _new_container(self) -> _Container:
        return _Container(VERSION, 0, SNAPSHOT_VERSION, self._shards, self._system, {}, {}, {}, [])

    def _observe(self, group: str, arrived: Sequence[Envelope], now_s: float | None, results: Results) -> bytes:
        """Let the monitor, which was loaded with the group's state, observe its events; its new state."""
        monitor = self._monitor
        before = msgspec.structs.replace(monitor.counters)
        unanswered: Counter[str] = Counter()
        if monitor.rules < self._rules:  # the group was left under older rules, and was loaded with these
            self._collect(group, arrived, monitor.renew(self._rules, self._every), results, unanswered)
        if now_s is not None:
            self._collect(group, arrived, monitor.advance(now_s, self._every), results, unanswered)
        rest = arrived
        while rest:
            try:
                verdicts = monitor.observe_many(_events_of(rest), every=self._every)
                self._collect(group, rest, verdicts, results, unanswered)
                break
            except TooManyWaiting as error:
                # The policy is "fail": this event fails, the group and the query go on.
                self._collect(group, rest, error.verdicts, results, unanswered)
                monitor.counters.rejected += 1
                results.rejects.append(_reject(rest[error.position], str(error)))
                rest = rest[error.position + 1 :]
        if arrived or monitor.counters != before:
            results.metrics.append(_metrics(group, arrived, before, monitor, unanswered))
        return monitor.snapshot()

    def _collect(
        self, group: str, arrived: Sequence[Envelope], out: Any, results: Results, unanswered: Counter[str]
    ) -> None:
        """Turn what a monitor said into rows, and count where a property under `never` was too large."""
        assert isinstance(out, Verdicts)
        for verdict in out:
            row = msgspec.structs.asdict(verdict)
            witness = row["witness"]
            if witness and not isinstance(witness[0], tuple):
                row["witness"] = (witness,)
            row["group"] = group
            results.verdicts.append(row)
        for notice, position in zip(out.notices, out.notice_positions, strict=True):
            if notice.kind in ("rejected", "late", "skipped", "left"):
                envelope = arrived[position] if arrived else None  # a tick has no event
                results.rejects.append(_notice_row(group, envelope, notice))
            elif notice.property in self._never:
                unanswered[notice.property] += 1


def _may_slide(monitor: Monitor) -> bool:
    """Whether time alone can still change something: a window of time holds two states, or a process may leave."""
    window, lengths, joining = monitor.window, monitor.spec.window_time_s, monitor.spec.open
    if joining is not None and joining.leave_after_s is not None:
        return True
    return any(length is not None and window.oldest(k) < window.newest(k) for k, length in enumerate(lengths))


def _metrics(
    group: str, arrived: Sequence[Envelope], before: Counters, monitor: Monitor, unanswered: Counter[str]
) -> dict[str, Any]:
    """The row of a group, and beside it what only the summary of the batch needs, as far as there is any."""
    now = monitor.counters
    row = {"group": group, "events": len(arrived), "slides": now.slides - before.slides}
    beside = {
        "unseen": monitor.unseen(),
        "unanswered": unanswered,
        "empty_slides": now.empty - before.empty,
        # Summed over the batches, this is the number of groups that have had slides, and none with a cut.
        "without_cuts": _is_without_cuts(now) - _is_without_cuts(before),
        "reordered": int(isinstance(arrived, list) and bool(arrived) and arrived[0].is_reordered),
    }
    return {**row, **msgspec.structs.asdict(now), **{name: value for name, value in beside.items() if value}}


def _is_without_cuts(counters: Counters) -> bool:
    return 0 < counters.slides == counters.empty


class _Damaged(Exception):
    """A shard's state cannot be what a worker wrote."""


def _decode(stored: bytes) -> _Container:
    """The container in a shard's state; _Damaged, or SnapshotError if it is of another version."""
    try:
        container = msgspec.msgpack.decode(stored, type=_Container)
    except msgspec.ValidationError as error:
        _refuse_another_version(_version_of(stored))  # which may have other fields
        raise _Damaged(str(error)) from None
    except (ValueError, TypeError, RecursionError) as error:
        raise _Damaged(str(error)) from None
    if container.checksum == container.computed_checksum():
        # Another version would have another checksum, so here the number is what is damaged.
        if container.version != VERSION:
            raise _Damaged(f"its version is {container.version}, but its checksum is one of version {VERSION}")
    else:
        _refuse_another_version(container.version)
        raise _Damaged("its checksum is wrong")
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
        results.rejects.append(_reject(envelope, reason))
    return kept


def _reject(envelope: Envelope, reason: str) -> dict[str, Any]:
    return _reject_row(envelope.group, "rejected", reason, envelope.shown())


def _notice_row(group: str, envelope: Envelope | None, notice: Notice) -> dict[str, Any]:
    """The row of a notice that an envelope's event caused, or time that went on."""
    # An event may also release states that waited, and these were elsewhere.
    event = notice.event
    if envelope is not None and event is envelope.event:
        event = envelope.shown()
    row = _reject_row(group, notice.kind, notice.reason, event)
    return {**row, "process": notice.process, "index": notice.index, "through": notice.through}


def _reject_row(group: str | None, kind: str, reason: str, event: Any) -> dict[str, Any]:
    text = None if event is None else msgspec.json.encode(event, enc_hook=repr).decode()
    return {"group": group, "kind": kind, "reason": reason, "event": text}
