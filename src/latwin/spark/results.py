"""What a worker says of its groups' events, as plain rows: verdicts, rejects, metrics.

The rows of one kind leave a shard as one JSON array, which Spark unpacks; `schemas` has their columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from latwin.events import Envelope
from latwin.model import Counters, Cut, Notice, Verdict
from latwin.spark.column_payloads import ColumnEnvelopes

#: the kinds of rejects, which are those of the notices that become rows
REJECT_KINDS = ("rejected", "late", "skipped", "left", "ended", "returned")


class VerdictRow(msgspec.Struct, omit_defaults=True, gc=False):
    """A row of the verdicts, on its way from a worker; `schemas.VERDICTS` says what the columns mean.

    Its fields are those of a `Verdict`, in their order, after the group. What is null is left out of its JSON: it is
    a quarter of all bytes, and Spark reads the same.
    """

    group: str
    property: str
    value: bool | None
    changed: bool
    slide: int
    # No verdict is without a kind, rules or `growing`: these are in every row's JSON.
    kind: str | None = None
    process: str | None = None
    index: int | None = None
    least: Cut | None = None
    greatest: Cut | None = None
    cuts: int | None = None
    witness: tuple[Cut, ...] | None = None
    stretch: tuple[int, int] | None = None
    final: bool | None = None
    because: str | None = None
    time: Any = None
    rules: int | None = None
    growing: bool | None = None
    members: tuple[str, ...] | None = None
    #: what it takes along from its event's row
    kept: Any = None


class Results(msgspec.Struct):
    """What a shard's events led to, as rows by kind."""

    told: list[VerdictRow] = []
    rejects: list[dict[str, Any]] = []
    metrics: list[dict[str, Any]] = []

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """The rows of the verdicts as plain data, for those who look at them; `kept` only if there is something."""
        rows = map(msgspec.structs.asdict, self.told)
        return [row if row["kept"] is not None else {k: v for k, v in row.items() if k != "kept"} for row in rows]

    def packed(self) -> list[tuple[str, int, str]]:
        """(kind, number of rows, JSON array) for each kind that has rows."""
        kinds: tuple[tuple[str, Sequence[Any]], ...] = (
            ("verdict", self.told),
            ("reject", [_without_nulls(row) for row in self.rejects]),
            ("metric", [_without_nulls(row) for row in self.metrics]),
        )
        return [(kind, len(rows), msgspec.json.encode(rows).decode()) for kind, rows in kinds if rows]


def _without_nulls(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}


class Account:
    """What a group's counters were before a batch, and what its lives that ended in the batch have added to them."""

    def __init__(self, before: Counters) -> None:
        self.before = before
        self.slides = self.empty = 0
        #: how often properties under `never` were too large
        self.unanswered: Counter[str] = Counter()

    def end(self, counters: Counters) -> None:
        """The group ended with these counters, and counts anew."""
        self.slides += counters.slides - self.before.slides
        self.empty += counters.empty - self.before.empty
        self.before = Counters()


def verdict_row(group: str, verdict: Verdict, arrived: Sequence[Envelope], position: int) -> VerdictRow:
    """The row of a verdict that the event at a position led to."""
    row = VerdictRow(group, *msgspec.structs.astuple(verdict))
    if row.witness and not isinstance(row.witness[0], tuple):  # a cut, not an observation
        row.witness = (row.witness,)
    if verdict.kind == "state":
        row.kept = _kept_with(arrived, position)
    return row


def _kept_with(arrived: Sequence[Envelope], position: int) -> Any:
    """What the verdicts of an event take along from its row; rows that take something along never come as columns."""
    return None if isinstance(arrived, ColumnEnvelopes) else arrived[position].kept


def metrics_row(
    group: str, arrived: Sequence[Envelope], account: Account, now: Counters, unseen: Mapping[str, list[str]]
) -> dict[str, Any]:
    """The row of a group, and beside it what only the summary of the batch needs, as far as there is any."""
    before = account.before
    row = {"group": group, "events": len(arrived), "slides": account.slides + now.slides - before.slides}
    beside = {
        "unseen": unseen,
        "unanswered": account.unanswered,
        "empty_slides": account.empty + now.empty - before.empty,
        # Summed over the batches, this is the number of groups that have had slides, and none with a cut.
        "without_cuts": _is_without_cuts(now) - _is_without_cuts(before),
        "reordered": int(isinstance(arrived, list) and bool(arrived) and arrived[0].is_reordered),
    }
    return {**row, **msgspec.structs.asdict(now), **{name: value for name, value in beside.items() if value}}


def _is_without_cuts(counters: Counters) -> bool:
    return 0 < counters.slides == counters.empty


def reject_of(envelope: Envelope, reason: str) -> dict[str, Any]:
    """The row of an event that no monitor is given."""
    return reject_row(envelope.group, "rejected", reason, envelope.shown())


def notice_row(group: str, envelope: Envelope | None, notice: Notice) -> dict[str, Any]:
    """The row of a notice that an envelope's event caused, or time that went on."""
    # An event may also release states that waited, and these were elsewhere.
    event = notice.event
    if envelope is not None and event is envelope.event:
        event = envelope.shown()
    row = reject_row(group, notice.kind, notice.reason, event)
    return {**row, "process": notice.process, "index": notice.index, "through": notice.through}


def reject_row(group: str | None, kind: str, reason: str, event: Any) -> dict[str, Any]:
    """A row of the rejects, with the event, if there is one, as JSON."""
    text = None if event is None else msgspec.json.encode(event, enc_hook=repr).decode()
    return {"group": group, "kind": kind, "reason": reason, "event": text}
