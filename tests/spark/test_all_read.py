"""When a query with timers has read all and waited for all: by the progress that Spark tells."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from latwin.spark.all_read import AllRead


def batch(began_s: float, took_s: float, rows: int) -> dict[str, Any]:
    moment = datetime.fromtimestamp(1_700_000_000 + began_s, UTC)
    return {
        "timestamp": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "numInputRows": rows,
        "durationMs": {"triggerExecution": round(took_s * 1000)},
    }


def test_a_batch_without_input_after_the_longest_wait() -> None:
    all_read = AllRead(2.0)
    batches = [batch(0, 1, 5), batch(1, 1, 0), batch(2, 1, 0)]
    assert not all_read(batches)
    assert not all_read([*batches, batch(2.9, 1, 0)])
    assert all_read([*batches, batch(3.1, 1, 0)])


def test_timers_that_were_set_late_in_a_batch_are_waited_for() -> None:
    """A busy machine looked for files for nine seconds, and only then told the batch what time it is."""
    all_read = AllRead(2.0)
    assert not all_read([batch(0, 10, 5), batch(10.5, 1, 0)])
    assert all_read([batch(0, 10, 5), batch(10.5, 1, 0), batch(12.5, 1, 0)])


def test_input_that_comes_later_begins_the_wait_again() -> None:
    all_read = AllRead(2.0)
    batches = [batch(0, 1, 5), batch(2.5, 1, 1), batch(4, 0.5, 0)]
    assert not all_read(batches)
    assert all_read([*batches, batch(6, 1, 0)])


def test_no_input_at_all_counts_from_the_first_batch() -> None:
    all_read = AllRead(2.0)
    assert not all_read([])
    assert not all_read([batch(0, 1, 0), batch(2.5, 1, 0)])
    assert all_read([batch(0, 1, 0), batch(3.5, 1, 0)])
