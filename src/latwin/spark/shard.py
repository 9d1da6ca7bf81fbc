"""What a Python worker does with the events of one shard: no Spark here, and no algorithm either.

A shard is a set of groups that share one entry of Spark's state store. Its state is a container of the
groups' snapshots; only touched groups are decoded and encoded again. Events come packed (see `packing`), and
results leave packed: one JSON array per kind, which Spark unpacks into rows.

    stored bytes, packed events  ->  ShardWorker.work  ->  new bytes, {"verdict": [...], "reject": [...], ...}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from operator import itemgetter, lt
from typing import Any, Literal

import msgspec

from latwin.errors import SnapshotError, TooManyWaiting
from latwin.model import Notice, Verdicts
from latwin.monitor import Monitor
from latwin.spec import FREE_FIELDS, Spec, differences_of

#: 2: with the spec's system
VERSION = 2
#: "offset": events carry [partition, offset], and all of a group are of one partition
Order = Literal["arrival", "time", "causal", "offset"]
_LAST = 1 << 62
_DEEPEST = 100  # levels of nesting in a state: far from where reading and writing it would fail


#: Numbers before texts (a NaN among them) before lists before what is missing.
_KINDS: dict[type, int] = {int: 0, float: 0, str: 1, list: 2}


class _Container(msgspec.Struct, array_like=True):
    """A shard's state: the version, what it was made for, and the groups' snapshots."""

    version: int
    shards: int
    system: dict[str, Any]  # the spec's, so that a change can be named
    groups: dict[str, bytes]
    #: of which partition each group is; empty unless the order is "offset"
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

    def __init__(self, spec: Spec, *, shards: int, order: Order, every: bool, observations: bool) -> None:
        self._spec = spec
        self._shards = shards
        self._system = spec.system_fields
        self._every = every
        self._never = frozenset(spec.never)
        self._is_causal = order == "causal"
        self._is_partitioned = order == "offset"
        self._key = _order_key(order, {name: k for k, name in enumerate(spec.processes)})
        self._monitor = Monitor(spec, observations=observations)
        self._blank = self._monitor.snapshot()
        self._decode = msgspec.json.Decoder().decode

    def warm_up(self) -> None:
        """Compile the kernels, or load them from the cache, before the first events come."""
        first = self._spec.processes[0]
        self._monitor.resume(self._blank)
        self._monitor.observe_many([{"process": first, "clock": {first: 1}, "state": {}}])
        self._monitor.observe({"process": first, "clock": {first: 2}, "state": {}}, every=True)

    def work(self, stored: bytes | None, payloads: Iterable[str]) -> tuple[bytes, Results]:
        """Observe a shard's packed events; its new state, and what came of them."""
        container = self._open(stored)
        groups = container.groups
        results = Results(verdicts=[], rejects=[], metrics=[])
        for group, events in self._by_group(payloads, results).items():
            if self._is_partitioned:
                events = _of_one_partition(group, events, container.partitions, results)
            if events:
                groups[group] = self._observe(group, groups.get(group), events, results)
        return msgspec.msgpack.encode(container), results

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

    def _by_group(self, payloads: Iterable[str], results: Results) -> dict[str, list[dict[str, Any]]]:
        """The events of each group in order of arrival; rows that are no events become rejects."""
        groups: dict[str, list[dict[str, Any]]] = {}
        for payload in payloads:
            for event in self._decode(f"[{payload}]"):
                group = event.pop("group", None)
                if group is None or "state_json" in event or "oversize" in event:
                    reason = self._prepare(group, event)
                    if reason is not None:
                        results.rejects.append(_reject(group, "rejected", reason, event))
                        continue
                if group in groups:
                    groups[group].append(event)
                else:
                    groups[group] = [event]
        for events in groups.values():
            if not self._is_sorted(events):
                self._sort(events)
        return groups

    def _sort(self, events: list[dict[str, Any]]) -> None:
        """Sort by the order's key; where that leaves ties, such as a state that came twice, by content."""
        keyed = sorted(((self._key(event), event) for event in events), key=itemgetter(0))
        if any(one[0] == other[0] for one, other in pairwise(keyed)):
            keyed.sort(key=lambda pair: (pair[0], msgspec.json.encode(pair[1])))
        events[:] = [event for _, event in keyed]

    def _is_sorted(self, events: list[dict[str, Any]]) -> bool:
        """Whether the events come in an order without ties, as they mostly do."""
        if self._is_causal:
            return False
        places: list[Any] = [event.get("order") for event in events]
        try:
            return None not in places and all(map(lt, places, places[1:]))
        except TypeError:  # a NaN comes as text between numbers
            return False

    def _prepare(self, group: str | None, event: dict[str, Any]) -> str | None:
        """Parse a state that comes as JSON text; why the row is no event, or None."""
        reason: str | None = event.pop("unreadable", None)
        if reason is not None:
            return reason
        if group is None:
            return "the group is null"
        size = event.pop("oversize", None)
        if size is not None:
            return f"the row has {size:,} bytes, more than max_row_bytes allows; it is cut off here"
        text = event.pop("state_json", None)
        if text is not None:
            try:
                event["state"] = self._decode(text)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                event["state"] = text
                return f"the state is no valid JSON: {error}"
            if text.count("{") + text.count("[") > _DEEPEST and _is_deeper(event["state"], _DEEPEST):
                event["state"] = text[:1000]
                return f"the state is nested more than {_DEEPEST} levels deep; it is cut off here"
        return None

    def _observe(self, group: str, stored: bytes | None, events: list[dict[str, Any]], results: Results) -> bytes:
        monitor = self._monitor
        monitor.resume(stored or self._blank, allow_other_properties=True)
        before = monitor.counters.delivered
        unanswered: Counter[str] = Counter()
        rest = events
        while True:
            try:
                self._collect(group, monitor.observe_many(rest, every=self._every), results, unanswered)
                break
            except TooManyWaiting as error:
                # The policy is "fail": this event fails, the group and the query go on.
                self._collect(group, error.verdicts, results, unanswered)
                monitor.counters.rejected += 1
                results.rejects.append(_reject(group, "rejected", str(error), rest[error.position]))
                rest = rest[error.position + 1 :]
        counters = msgspec.structs.asdict(monitor.counters)
        metrics = {"group": group, "events": len(events), "slides": counters["delivered"] - before, **counters}
        results.metrics.append({**metrics, "unanswered": unanswered} if unanswered else metrics)
        return monitor.snapshot()

    def _collect(self, group: str, out: Any, results: Results, unanswered: Counter[str]) -> None:
        """Turn what a monitor said into rows, and count where a property under `never` was too large."""
        assert isinstance(out, Verdicts)
        for verdict in out:
            row = msgspec.structs.asdict(verdict)
            witness = row["witness"]
            if witness and not isinstance(witness[0], tuple):
                row["witness"] = (witness,)
            row["group"] = group
            results.verdicts.append(row)
        for notice in out.notices:
            if notice.kind in ("rejected", "late", "skipped"):
                results.rejects.append(_notice_row(group, notice))
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


def _is_deeper(value: Any, levels: int) -> bool:
    """Whether a value nests maps and lists in more than this many levels."""
    layer = [value] if isinstance(value, (dict, list)) else []
    for _ in range(levels):
        inside = [inner for outer in layer for inner in (outer.values() if isinstance(outer, dict) else outer)]
        layer = [inner for inner in inside if isinstance(inner, (dict, list))]
    return bool(layer)


def _notice_row(group: str, notice: Notice) -> dict[str, Any]:
    row = _reject(group, notice.kind, notice.reason, notice.event)
    return {**row, "process": notice.process, "index": notice.index, "through": notice.through}


def _of_one_partition(
    group: str, events: list[dict[str, Any]], partitions: dict[str, int], results: Results
) -> list[dict[str, Any]]:
    """A group's sorted events without those of another partition than its first: among them there is no order.

    Its first is the lowest of the first batch that has any. So for a group in several partitions it depends on the
    borders of batches which of them counts; no rule on the records alone could tell before all of them are there.
    """
    own = partitions.setdefault(group, events[0]["order"][0])
    if events[0]["order"][0] == own == events[-1]["order"][0]:
        return events
    for event in events:
        partition = event["order"][0]
        if partition != own:
            reason = (
                f"the record is in partition {partition}, but its group is in partition {own}: all of a group must "
                "be in one partition, or their order is unknown"
            )
            results.rejects.append(_reject(group, "rejected", reason, event))
    return [event for event in events if event["order"][0] == own]


def _reject(group: str | None, kind: str, reason: str, event: Any) -> dict[str, Any]:
    if isinstance(event, dict):
        place = event.get("order")
        event = {name: value for name, value in event.items() if name != "order"}  # ours, not the row's
        if isinstance(place, list) and len(place) == 2:  # of a record of Kafka, where to find it
            event["kafka"] = {"partition": place[0], "offset": place[1]}
    text = None if event is None else msgspec.json.encode(event, enc_hook=repr).decode()
    return {"group": group, "kind": kind, "reason": reason, "event": text}


def _order_key(order: Order, positions: dict[str, int]) -> Callable[[dict[str, Any]], Any]:
    """The key by which a group's events of one batch are sorted; ties go by process, index, then content.

    Rows that lack what the order needs come last, so that they are rejected without disturbing others.
    """

    def causal(event: dict[str, Any]) -> tuple[int, int, int]:
        clock, name, process = event.get("clock"), event.get("process"), _LAST
        try:
            process = positions.get(name, _LAST)  # type: ignore[arg-type]
            if isinstance(clock, dict):
                return sum(clock.values()), process, clock.get(event["process"], 0)
            return sum(clock), process, clock[process]  # type: ignore[arg-type,index]
        except (TypeError, IndexError, KeyError):
            return _LAST, process, _LAST

    def given(event: dict[str, Any]) -> tuple[int, Any, int, int, int]:
        place = event.get("order")
        total, process, index = causal(event)
        return _KINDS.get(type(place), 3), 0 if place is None else place, process, index, total

    return causal if order == "causal" else given
