"""The sweep: with `forget_after`, every batch looks for groups that have ended in a few shards, in turn.

    batch 0: shards 0 to 7      batch 1: shards 8 to 15      ...      batch 128: shards 0 to 7      ...

A shard whose groups are all silent gets no events, so nothing else would ever look at it. Its own groups cannot tell
what time it is, either. So those who pack the events tell it, by some of them: the rule is that of a shard, the
latest time that two groups have reached. Each task that packs adds one row for each shard whose turn it is:

    shard 8, payload {"sweep":1767225600.0}

No timers: with them Spark would run batches without end and without events, and hand no watermark on, and they could
not come or go with `forget_after`, as the first start fixes them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from latwin.delivery.silence import time_of, told_time
from latwin.events import Envelope
from latwin.events.heartbeats import is_heartbeat
from latwin.spark.rules import Rules, streaming_batch

#: how many shards a batch looks at; all have had their turn after 128 batches
SHARDS_A_BATCH = 8
#: how many events of a chunk are asked for their time
_ASKED = 64
#: no envelope begins so
_BEGIN = '{"sweep":'


@dataclass(frozen=True)
class Sweep:
    """Plain data, sent to the workers with the query."""

    rules: Rules
    shards: int

    def begin(self) -> Hearing | None:
        """In a task that packs events: what takes note of their times; None if there is nothing to sweep.

        That is without `forget_after`, and in a batch query, which keeps no state.
        """
        batch = streaming_batch()
        if batch is None or self.rules.at(batch).spec.get("forget_after") is None:
            return None
        return Hearing([number % self.shards for number in range(*_turn(batch))])


def _turn(batch: int) -> tuple[int, int]:
    return batch * SHARDS_A_BATCH, (batch + 1) * SHARDS_A_BATCH


class Hearing:
    """What time it is, by some of the events that a task packs."""

    def __init__(self, shards: list[int]) -> None:
        """`shards` are those whose turn it is."""
        self._shards = shards
        self._latest_s: dict[str, float] = {}

    def hear(self, rows: pa.Table) -> None:
        """Ask some of the rows, evenly spread: (shard, event), or typed columns beside them."""
        asked = np.unique(np.linspace(0, rows.num_rows - 1, min(rows.num_rows, _ASKED)).astype(np.int64))
        names = [name for name in ("event", "group", "time") if name in rows.column_names]
        for row in rows.select(names).take(pa.array(asked)).to_pylist():
            group, time_s = _told_by(row)
            if group is not None and time_s is not None:
                self._latest_s[group] = max(time_s, self._latest_s.get(group, time_s))

    def rows(self) -> pa.RecordBatch:
        """(shard, payload) for the shards whose turn it is."""
        told = msgspec.json.encode(told_time(self._latest_s.values())).decode()
        payloads = [f"{_BEGIN}{told}}}"] * len(self._shards)
        return pa.RecordBatch.from_pydict({"shard": pa.array(self._shards, pa.int32()), "payload": payloads})


def _told_by(row: dict[str, Any]) -> tuple[str | None, float | None]:
    """The group of a row and the time that its event tells, as far as they are known."""
    if row["event"] is None:  # typed columns
        return row.get("group"), time_of(row)
    try:
        envelope = msgspec.json.decode(row["event"], type=Envelope)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None, None
    if envelope.problem is not None or is_heartbeat(envelope.event):
        return None, None
    return envelope.group, time_of(envelope.event)


def is_sweep(payload: str | bytes) -> bool:
    """Whether a payload is no event, but a shard's turn of the sweep."""
    begin = payload[: len(_BEGIN)]
    return (begin if isinstance(begin, str) else bytes(begin).decode(errors="replace")) == _BEGIN


def told_by(payloads: Iterable[str | bytes]) -> float | None:
    """What time it is by the payloads of the sweep: the latest that one of the tasks tells."""
    times = [msgspec.json.decode(payload)["sweep"] for payload in payloads]
    return max((time for time in times if time is not None), default=None)
