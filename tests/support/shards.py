"""What the tests of shards share: a worker, events for it, and what local monitors say of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

import msgspec

from latwin import Monitor, Spec
from latwin.events import Envelope, Place
from latwin.spark.results import Results
from latwin.spark.shard import ShardWorker

Event = dict[str, Any]
Row = dict[str, Any]
#: fields of these events that belong to their envelopes
BESIDE = ("group", "order", "problem", "state_text")

SPEC = Spec.from_dict(
    {
        "processes": ["p0", "p1"],
        "window": 3,
        "properties": {"both": "possibly(p0.x and p1.x)", "sure": "definitely(p0.x and p1.x)"},
    }
)


def verdict_rows(group: str, verdicts: Iterable[Any]) -> list[Row]:
    """A monitor's verdicts as the rows of the verdicts table, as JSON carries them."""
    rows = []
    for verdict in verdicts:
        row = msgspec.structs.asdict(verdict)
        witness = row["witness"]
        if witness is not None and not isinstance(witness[0], tuple):
            row["witness"] = [witness]
        rows.append({"group": group, **row})
    plain: list[Row] = json.loads(json.dumps(rows))
    return plain


def local_rows(
    spec: Spec, batches: Iterable[Sequence[Event]], *, every: bool = False, observations: bool = False
) -> dict[str, list[Row]]:
    """What local monitors say, one per group: each batch in order of arrival, the batches as they come."""
    monitors: dict[str, Monitor] = {}
    rows: dict[str, list[Row]] = {}
    for batch in batches:
        for event in sorted(batch, key=itemgetter("order")):
            group = event["group"]
            monitor = monitors.setdefault(group, Monitor(spec, observations=observations))
            rows.setdefault(group, []).extend(verdict_rows(group, monitor.observe(event, every=every)))
    return rows


def local_rows_under(
    batches: Iterable[tuple[int, Spec, Sequence[Event]]], *, every: bool = False, observations: bool = False
) -> dict[str, list[Row]]:
    """The same under rules that change: each batch comes with their version and the spec.

    A group takes the rules of a batch before its first event there; one without events does not know of them.
    """
    monitors: dict[str, Monitor] = {}
    rows: dict[str, list[Row]] = {}
    for number, spec, batch in batches:
        for event in sorted(batch, key=itemgetter("order")):
            group = event["group"]
            if group not in monitors:
                monitors[group], rows[group] = Monitor(spec, observations=observations, rules=number), []
            monitor = monitors[group]
            if monitor.rules < number:
                rows[group] += verdict_rows(group, monitor.change(spec, rules=number, every=every))
            rows[group] += verdict_rows(group, monitor.observe(event, every=every))
    return rows


def by_group(rows: Iterable[Row]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in json.loads(json.dumps(list(rows))):
        if "state_index" in row:  # as tables call it
            row["index"] = row.pop("state_index")
        groups.setdefault(row["group"], []).append(row)
    return groups


def make_worker(spec: Spec = SPEC, **options: Any) -> ShardWorker:
    defaults: dict[str, Any] = {"every": False, "observations": False}
    return ShardWorker(spec, **{**defaults, **options})


def payload(*events: Any) -> str:
    """The envelopes of events, joined as they travel."""
    return ",".join(msgspec.json.encode(envelope_of(event)).decode() for event in events)


def envelope_of(event: Event) -> Envelope:
    """The envelope of an event that has its group, place, problem and so on among its fields."""
    inside = {name: value for name, value in event.items() if name not in BESIDE}
    beside = {name: value for name, value in event.items() if name in BESIDE}
    place = beside.get("order")
    if isinstance(place, str):
        beside["order"] = Place(1, 0, place)
    elif place is not None and not isinstance(place, Place):
        beside["order"] = Place(number=place)
    return Envelope(event=inside, **beside)


def make_event(group: str | None, process: int, index: int, x: Any = True, *, order: Any = 0, **fields: Any) -> Event:
    """A state of p0 or p1 that knows nothing of the other."""
    clock = [0, 0]
    clock[process] = index
    return {"group": group, "process": f"p{process}", "clock": clock, "state": {"x": x}, "order": order} | fields


def work(worker: ShardWorker, *events: Any, stored: bytes | None = None) -> Results:
    return worker.work(stored, [payload(*events)])[1]


def outcome(results: Results) -> dict[str, list[Any]]:
    """What came of a call, with a group's rows in their order."""
    found: dict[str, list[Any]] = {}
    for kind in ("verdicts", "rejects", "metrics"):
        for row in json.loads(msgspec.json.encode(getattr(results, kind))):
            if isinstance(row.get("event"), str):
                row["event"] = json.loads(row["event"])
            found.setdefault(f"{kind} of {row['group']}", []).append(row)
    for name, rows in found.items():
        if name.startswith("rejects"):  # what is no event is rejected before the others, in any order
            rows.sort(key=_place_of_reject)
    return found


def _place_of_reject(row: Row) -> tuple[bool, str]:
    is_event = row["event"] is not None and "not valid JSON" not in row["reason"]
    return is_event, "" if is_event else json.dumps(row["event"], sort_keys=True)
