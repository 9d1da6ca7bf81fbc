"""What a Python worker does with the events of one shard: no Spark here, and no algorithm either.

A shard is a set of groups that share one entry of Spark's state store. Its state is a container of the
groups' snapshots; only touched groups are decoded and encoded again. Envelopes come packed (see `packing`), and
results leave packed: one JSON array per kind, which Spark unpacks into rows.

    stored bytes, packed envelopes  ->  ShardWorker.work  ->  new bytes, {"verdict": [...], "reject": [...], ...}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from latwin.errors import SnapshotError, TooManyWaiting
from latwin.events import Envelope, by_group, in_order
from latwin.events.envelope import opened
from latwin.model import Notice, Verdicts
from latwin.monitor import Monitor
from latwin.spec import FREE_FIELDS, Spec, differences_of

#: 2: with the spec's system; 3: groups spread over shards by the same rule for every source
VERSION = 3


class _Container(msgspec.Struct, array_like=True):
    """A shard's state: the version, what it was made for, and the groups' snapshots."""

    version: int
    shards: int
    system: dict[str, Any]  # the spec's, so that a change can be named
    groups: dict[str, bytes]
    #: of which partition each group is; only for records of Kafka
    partitions: dict[str, int] = {}


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

    def __init__(self, spec: Spec, *, shards: int, every: bool, observations: bool) -> None:
        self._spec = spec
        self._shards = shards
        self._system = spec.system_fields
        self._every = every
        self._never = frozenset(spec.never)
        self._positions = {name: k for k, name in enumerate(spec.processes)}
        self._monitor = Monitor(spec, observations=observations)
        self._blank = self._monitor.snapshot()
        self._decode = msgspec.json.Decoder(list[Envelope]).decode

    def warm_up(self) -> None:
        """Compile the kernels, or load them from the cache, before the first events come."""
        first = self._spec.processes[0]
        self._monitor.resume(self._blank)
        self._monitor.observe_many([{"process": first, "clock": {first: 1}, "state": {}}])
        self._monitor.observe({"process": first, "clock": {first: 2}, "state": {}}, every=True)

    def work(self, stored: bytes | None, payloads: Iterable[str]) -> tuple[bytes, Results]:
        """Observe a shard's packed envelopes; its new state, and what came of them."""
        container = self._open(stored)
        groups = container.groups
        results = Results(verdicts=[], rejects=[], metrics=[])
        for group, envelopes in by_group(self._opened(payloads, results)).items():
            arrived = _of_one_partition(in_order(envelopes, self._positions), container.partitions, results)
            if arrived:
                groups[group] = self._observe(group, groups.get(group), arrived, results)
        return msgspec.msgpack.encode(container), results

    def _opened(self, payloads: Iterable[str], results: Results) -> Iterator[Envelope]:
        """The envelopes that hold events; the others become rejects."""
        for payload in payloads:
            for envelope in self._decode(f"[{payload}]"):
                problem = envelope.problem if envelope.is_open else opened(envelope).problem
                if problem is None:
                    yield envelope
                else:
                    results.rejects.append(_reject(envelope, problem))

    def _open(self, stored: bytes | None) -> _Container:
        if stored is None:
            return _Container(VERSION, self._shards, self._system, {}, {})
        container = _decode(stored)
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

    def _observe(self, group: str, stored: bytes | None, arrived: list[Envelope], results: Results) -> bytes:
        monitor = self._monitor
        monitor.resume(stored or self._blank, allow_other_properties=True)
        before = monitor.counters.delivered
        unanswered: Counter[str] = Counter()
        rest = arrived
        while True:
            try:
                verdicts = monitor.observe_many([envelope.event for envelope in rest], every=self._every)
                self._collect(rest, verdicts, results, unanswered)
                break
            except TooManyWaiting as error:
                # The policy is "fail": this event fails, the group and the query go on.
                self._collect(rest, error.verdicts, results, unanswered)
                monitor.counters.rejected += 1
                results.rejects.append(_reject(rest[error.position], str(error)))
                rest = rest[error.position + 1 :]
        counters = msgspec.structs.asdict(monitor.counters)
        metrics = {"group": group, "events": len(arrived), "slides": counters["delivered"] - before, **counters}
        results.metrics.append({**metrics, "unanswered": unanswered} if unanswered else metrics)
        return monitor.snapshot()

    def _collect(self, arrived: list[Envelope], out: Any, results: Results, unanswered: Counter[str]) -> None:
        """Turn what a monitor said into rows, and count where a property under `never` was too large."""
        assert isinstance(out, Verdicts)
        group = arrived[0].group if arrived else None
        for verdict in out:
            row = msgspec.structs.asdict(verdict)
            witness = row["witness"]
            if witness and not isinstance(witness[0], tuple):
                row["witness"] = (witness,)
            row["group"] = group
            results.verdicts.append(row)
        for notice, position in zip(out.notices, out.notice_positions, strict=True):
            if notice.kind in ("rejected", "late", "skipped"):
                results.rejects.append(_notice_row(arrived[position], notice))
            elif notice.property in self._never:
                unanswered[notice.property] += 1


def _decode(stored: bytes) -> _Container:
    """The container in a shard's state, or SnapshotError; one of another version is named as such."""
    try:
        container = msgspec.msgpack.decode(stored, type=_Container)
    except msgspec.ValidationError as error:
        fields = msgspec.msgpack.decode(stored)  # another version may have others; the first is always its number
        if isinstance(fields, list) and fields:
            _refuse_another_version(fields[0])
        raise SnapshotError(f"the shard's state is damaged: {error}") from None
    except msgspec.DecodeError as error:
        raise SnapshotError(f"the shard's state is damaged: {error}") from None
    _refuse_another_version(container.version)
    return container


def _refuse_another_version(version: Any) -> None:
    if version != VERSION:
        raise SnapshotError(
            f"the state has version {version!r}; this latwin reads version {VERSION}. Use the latwin that wrote it, "
            "or a new checkpoint"
        )


def _of_one_partition(arrived: list[Envelope], partitions: dict[str, int], results: Results) -> list[Envelope]:
    """A group's envelopes, in order, without those of another partition than its first: among them there is no order.

    Its first is the lowest of the first batch that has any. So for a group in several partitions it depends on the
    borders of batches which of them counts; no rule on the records alone could tell before all of them are there.
    """
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


def _notice_row(envelope: Envelope, notice: Notice) -> dict[str, Any]:
    """The row of a notice that an envelope's event caused."""
    # An event may also release states that waited, and these were elsewhere.
    event = envelope.shown() if notice.event is envelope.event else notice.event
    row = _reject_row(envelope.group, notice.kind, notice.reason, event)
    return {**row, "process": notice.process, "index": notice.index, "through": notice.through}


def _reject_row(group: str | None, kind: str, reason: str, event: Any) -> dict[str, Any]:
    text = None if event is None else msgspec.json.encode(event, enc_hook=repr).decode()
    return {"group": group, "kind": kind, "reason": reason, "event": text}
