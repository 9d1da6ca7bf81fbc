"""A pipeline whose rules change while it runs, and what local monitors say of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import Event as Signal
from typing import TYPE_CHECKING

from latwin import Spec
from latwin.spark.rules import Version
from shards import Event, Row, local_rows_under

if TYPE_CHECKING:
    from latwin.spark.checkpoint import Checkpoint
    from latwin.spark.sinks import BatchSummary
    from latwin.spark.watching import Refused


class Timed:
    """Rules that are offered while a certain batch runs; they are seen before it ends, so what follows is known."""

    def __init__(self, offers: dict[int, Spec | Refused]) -> None:
        self._offers = offers
        self._open: Spec | Refused | None = None
        self._seen = Signal()
        #: every version by its number, as it was told
        self.versions: dict[int, Version] = {}

    def look(self) -> Spec | Refused | None:
        """Called in the thread of the loop."""
        offer, self._open = self._open, None
        if offer is not None:
            self._seen.set()
        return offer

    def on_batch(self, batch: BatchSummary) -> None:
        """Called in the thread of the query, before the batch is committed."""
        offer = self._offers.pop(batch.batch_id, None)
        if offer is not None:
            self._seen.clear()
            self._open = offer
            assert self._seen.wait(600), "nobody looked"

    def on_rules(self, checkpoint: Checkpoint) -> None:
        """Called at starts, too."""
        self.versions |= {each.number: each for each in checkpoint.rules.versions}


def expected_rows(
    versions: Iterable[Version], batches: Sequence[Sequence[Event]], *, every: bool = False
) -> dict[str, list[Row]]:
    """What local monitors say if each batch follows the latest of all versions that count by then."""
    ordered = sorted(versions, key=lambda version: version.number)

    def at(number: int) -> Version:
        return [each for each in ordered if each.from_batch <= number][-1]

    under = [(at(number).number, at(number).checked(), batch) for number, batch in enumerate(batches)]
    return {group: rows for group, rows in local_rows_under(under, every=every).items() if rows}


def in_slides(rows: Iterable[Row], order_of: Callable[[str], int]) -> list[Row]:
    """The rows of a verdicts table by slide and property, without the number of their batch."""
    plain = [{name: row[name] for name in row if name != "batch"} for row in rows]
    return sorted(plain, key=lambda row: (row["slide"], order_of(row["property"])))
