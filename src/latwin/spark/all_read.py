"""When a query that makes clocks has read all that is there, and waited for what is missing.

Spark's own trigger for that, `availableNow`, never ends for a query with timers: each batch might be followed by
another. So the query is stopped from outside, when batches without input show that nothing is left.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any


class AllRead:
    """Looks at the progress of a query; all waits of `max_wait_s` are over when it says so."""

    def __init__(self, max_wait_s: float) -> None:
        self._max_wait_s = max_wait_s
        self._last_input: float | None = None

    def __call__(self, progress: Iterable[Any]) -> bool:
        """Whether a batch without input began so long after the end of the last one that had some.

        `progress` is Spark's, of the latest batches; a query that never has any input counts from its first. The
        timers of a batch count from some moment within it, which Spark does not tell: it may have looked for
        files for a while before. At its end that moment is over.
        """
        is_over = False
        for batch in progress:
            began = datetime.fromisoformat(batch["timestamp"]).timestamp()
            if self._last_input is None or batch["numInputRows"]:
                ended = began + batch["durationMs"].get("triggerExecution", 0) / 1000
                self._last_input = max(ended, self._last_input or ended)
            is_over = not batch["numInputRows"] and began > self._last_input + self._max_wait_s
        return is_over
