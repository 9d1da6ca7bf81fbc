"""What a worker says of its groups' events, as rows: verdicts, rejects, metrics.

The rows of one kind leave a shard as columns, in one JSON object, which Spark unpacks; `schemas` has the columns. So
a name is written once for all rows, and a column not at all where every row has what is usual.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from latwin.events import Envelope
from latwin.many_groups import Together
from latwin.model import Counters, Notice, Verdict, Verdicts
from latwin.spark.column_payloads import ColumnEnvelopes

#: the kinds of rejects, which are those of the notices that become rows
REJECT_KINDS = ("rejected", "late", "skipped", "left", "ended", "returned")
_FIELDS = Verdict.__struct_fields__
#: what verdicts have in columns that are left out: None, or this
USUAL: dict[str, Any] = {
    each.name: each.default
    for each in msgspec.structs.fields(Verdict)
    if each.default is not msgspec.NODEFAULT and each.default is not None
}


@dataclass
class VerdictTable:
    """The rows of verdicts as columns: the group, the fields of a `Verdict`, and `kept` parts of the event's row."""

    _columns: dict[str, list[Any]] = field(default_factory=dict)
    _count: int = 0

    def __len__(self) -> int:
        """How many rows there are."""
        return self._count

    def tell(self, group: str, verdicts: Verdicts, arrived: Sequence[Envelope]) -> None:
        """Add what a group's events led to."""
        if not verdicts:
            return
        fields = zip(*map(msgspec.structs.astuple, verdicts), strict=True)
        columns = dict(zip(_FIELDS, map(list, fields), strict=True))
        # Those of an observation are cuts already.
        columns["witness"] = [_as_cuts(witness) for witness in columns["witness"]]
        columns["group"] = [group] * len(verdicts)
        if not isinstance(arrived, ColumnEnvelopes):  # rows that something is kept of never come as columns
            came = zip(verdicts, verdicts.positions, strict=True)
            columns["kept"] = [arrived[at].kept if verdict.kind == "state" else None for verdict, at in came]
        self.extend(columns)

    def tell_together(self, found: Together, arrived: Sequence[tuple[str, Sequence[Envelope]]]) -> None:
        """Add what events of many groups led to."""
        if not found.owners:
            return
        columns = msgspec.structs.asdict(found.verdicts)
        columns["witness"] = [_as_cuts(witness) for witness in columns["witness"]]
        columns["group"] = [arrived[owner][0] for owner in found.owners]
        if not isinstance(arrived[0][1], ColumnEnvelopes):
            came = zip(found.owners, found.positions, strict=True)
            columns["kept"] = [arrived[owner][1][at].kept for owner, at in came]
        self.extend(columns)

    def extend(self, columns: Mapping[str, list[Any]]) -> None:
        """Add rows, of which these columns are not the usual ones; there must be a `group`."""
        count = len(columns["group"])
        for name, values in columns.items():
            if values.count(USUAL.get(name)) == count:
                continue
            column = self._columns.setdefault(name, [])
            column += [USUAL.get(name)] * (self._count - len(column))
            column += values
        self._count += count

    def columns(self) -> dict[str, list[Any]]:
        """All columns in which some row has something unusual."""
        for name, column in self._columns.items():
            column += [USUAL.get(name)] * (self._count - len(column))
        return self._columns

    def rows(self) -> list[dict[str, Any]]:
        """The rows as plain data, for those who look at them; `kept` only if there is something."""
        columns = self.columns()
        usual = {name: [USUAL.get(name)] * self._count for name in ("group", *_FIELDS)}
        full = {**usual, **columns}
        return [
            {name: value for name, value in zip(full, row, strict=True) if name != "kept" or value is not None}
            for row in zip(*full.values(), strict=True)
        ]


def _as_cuts(witness: Any) -> Any:
    """A witness as a list of cuts: those of an observation, or the one that there is."""
    return [witness] if witness and not isinstance(witness[0], (list, tuple)) else witness


class Results(msgspec.Struct):
    """What a shard's events led to, as rows by kind."""

    told: VerdictTable = msgspec.field(default_factory=VerdictTable)
    rejects: list[dict[str, Any]] = []
    metrics: list[dict[str, Any]] = []

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """The rows of the verdicts as plain data, for those who look at them."""
        return self.told.rows()

    def packed(self) -> list[tuple[str, int, str]]:
        """(kind, number of rows, JSON object of columns) for each kind that has rows."""
        kinds = (
            ("verdict", len(self.told), self.told.columns()),
            ("reject", len(self.rejects), _as_columns(self.rejects)),
            ("metric", len(self.metrics), _as_columns(self.metrics)),
        )
        return [(kind, count, msgspec.json.encode(columns).decode()) for kind, count, columns in kinds if count]


def _as_columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """All columns in which some row has a value."""
    columns = {name: [row.get(name) for row in rows] for name in dict.fromkeys(name for row in rows for name in row)}
    return {name: values for name, values in columns.items() if values.count(None) < len(values)}


class PackedRows:
    """Packed rows of one kind, put together again: their columns, each with an entry for every row."""

    def __init__(self) -> None:
        self._columns: dict[str, list[Any]] = {}
        self._count = 0

    def __len__(self) -> int:
        """How many rows there are."""
        return self._count

    def add(self, count: int, payload: str | bytes) -> None:
        """Add so many rows, as `Results.packed` gives them."""
        for name, values in _COLUMNS.decode(payload).items():
            column = self._columns.setdefault(name, [])
            column += [None] * (self._count - len(column))
            column += values
        self._count += count

    def column(self, name: str) -> list[Any]:
        """A column; None where it was left out."""
        column = self._columns.get(name, [])
        return column + [None] * (self._count - len(column))

    def rows(self) -> list[dict[str, Any]]:
        """The rows as plain data, without the columns that were left out of all."""
        columns = zip(*map(self.column, self._columns), strict=True)
        return [dict(zip(self._columns, row, strict=True)) for row in columns]


_COLUMNS = msgspec.json.Decoder(dict[str, list[Any]])


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
