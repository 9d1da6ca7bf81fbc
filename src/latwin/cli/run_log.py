"""What a pipeline tells while it runs, as JSON: one line on stderr for each batch, and for what else happens.

Each line has `at` (UTC), `what` and the fields of its kind:

    start     is_new, changes
    batch     batch, events, groups, verdicts, violations, rejects, rejects_by_kind, waiting, slides, slides_empty,
              and what Spark says of it: seconds, rows, rates, lag, size of the state (see `latwin.spark.metrics`)
    restart   number, limit, cause
    rules     version, from_batch, changes
    refused   reason
    end       the summary
    error     message; the run ends with it
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from threading import RLock
from typing import TYPE_CHECKING, Any

import msgspec

from latwin.events.escaping import plain_json

if TYPE_CHECKING:
    from latwin.spark.checkpoint import Checkpoint
    from latwin.spark.loop import Progress, Restart, RunSummary
    from latwin.spark.sinks import BatchSummary
    from latwin.spark.watching import Refused


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class JsonLog:
    """Has the methods of `LiveLine`.

    The line of a batch waits for what Spark says of it, which comes a moment later; if something else comes first,
    the line is written without.
    """

    def __init__(self, clock: Callable[[], str] = _now) -> None:
        self._clock = clock
        self._lock = RLock()  # batches are told of from a thread of Spark's
        self._batch: dict[str, Any] | None = None

    def started(self, checkpoint: Checkpoint) -> None:
        """The query begins, or goes on."""
        self._write("start", is_new=checkpoint.is_new, changes=checkpoint.changes)

    def batch(self, batch: BatchSummary) -> None:
        """A batch is done."""
        fields = {
            "batch": batch.batch_id,
            "events": batch.events,
            "groups": batch.groups,
            "verdicts": batch.verdicts,
            "violations": dict(batch.violations),
            "rejects": batch.rejects,
            "rejects_by_kind": dict(batch.rejects_by_kind),
            "waiting": batch.waiting,
            "slides": batch.slides,
            "slides_empty": batch.empty,
        }
        with self._lock:
            self.flush()
            self._batch = fields

    def progress(self, progress: Progress) -> None:
        """Spark tells of a batch."""
        from latwin.spark.metrics import progress_numbers

        with self._lock:
            if self._batch is not None and self._batch["batch"] == progress["batchId"]:
                self._batch.update(progress_numbers(progress))
                self.flush()

    def new_rules(self, checkpoint: Checkpoint) -> None:
        """Other rules count from the next batch on."""
        latest = checkpoint.rules.latest
        self._write("rules", version=latest.number, from_batch=latest.from_batch, changes=checkpoint.changes)

    def refused(self, refused: Refused) -> None:
        """New rules cannot be used."""
        self._write("refused", reason=refused.reason)

    def restart(self, restart: Restart) -> None:
        """The query failed and is started again."""
        self._write("restart", **restart._asdict())

    def ended(self, done: RunSummary) -> None:
        """All is over."""
        self._write("end", **done.as_dict())

    def failed(self, message: str) -> None:
        """The run ends with an error."""
        self._write("error", message=message)

    def flush(self) -> None:
        """Write the batch that waits."""
        with self._lock:
            waiting, self._batch = self._batch, None
            if waiting is not None:
                self._line("batch", waiting)

    def _write(self, what: str, **fields: Any) -> None:
        with self._lock:
            self.flush()
            self._line(what, fields)

    def _line(self, what: str, fields: dict[str, Any]) -> None:
        line = msgspec.json.encode({"at": self._clock(), "what": what, **fields})
        sys.stderr.write(plain_json(line.decode()) + "\n")
        sys.stderr.flush()
