"""What a running pipeline tells Prometheus: counters from its batches, and what Spark says of their time and state.

Every sample has the label `pipeline`. Other labels are properties of the spec, of which only so many are told apart,
and a few fixed words; never groups, so the number of series does not grow with them.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import Any

from latwin.prometheus import Family, Sample, counter, families_text, gauge
from latwin.spark.loop import Progress, Restart
from latwin.spark.results import REJECT_KINDS
from latwin.spark.sinks import BatchSummary

#: so many properties have a label of their own; rules that change may bring new names again and again
MOST_PROPERTIES = 100
_OTHERS = "(others)"
#: RocksDB's files, by the name that Spark gives their size
_FILES_SIZE = "rocksdbSstFileSize"


class PipelineMetrics:
    """Takes what happens from any thread; `text` is for the scraper."""

    def __init__(self, pipeline: str, never: Sequence[str] = ()) -> None:
        """`never` names the properties that are told of before they ever came true."""
        self._pipeline = pipeline
        self._lock = Lock()
        self._counts: Counter[str] = Counter()
        self._rejects: Counter[str] = Counter(dict.fromkeys(REJECT_KINDS, 0))
        self._violations: Counter[str] = Counter(dict.fromkeys(never[:MOST_PROPERTIES], 0))
        self._unanswered: Counter[str] = Counter(dict.fromkeys(never[:MOST_PROPERTIES], 0))
        self._waiting = 0
        self._last_batch: tuple[int, float] | None = None
        self._batch_s_total = 0.0
        #: gauges of the latest progress, by name
        self._now: dict[str, float] = {}

    def batch(self, batch: BatchSummary) -> None:
        """A batch was written."""
        with self._lock:
            self._counts.update(
                batches=1,
                events=batch.events,
                verdicts=batch.verdicts,
                slides=batch.slides,
                slides_empty=batch.empty,
            )
            self._rejects.update(batch.rejects_by_kind)
            _add(self._violations, batch.violations)
            _add(self._unanswered, batch.unanswered)
            self._waiting = batch.waiting
            self._last_batch = batch.batch_id, time.time()

    def progress(self, progress: Progress) -> None:
        """Spark tells of a batch that is done."""
        now = progress_numbers(progress)
        with self._lock:
            self._batch_s_total += now.get("last_batch_seconds", 0.0)
            self._now = now

    def restart(self, _: Restart) -> None:
        """The query failed and is started again."""
        with self._lock:
            self._counts["restarts"] += 1

    def text(self) -> str:
        """All families in Prometheus' text format."""
        with self._lock:
            return families_text(self._families(), {"pipeline": self._pipeline})

    def _families(self) -> Iterator[Family]:
        counts = self._counts
        yield counter("pipeline_batches", "Batches written.", counts["batches"])
        yield counter("pipeline_events", "Events that reached a group.", counts["events"])
        yield counter("pipeline_verdicts", "Verdicts written.", counts["verdicts"])
        yield counter(
            "pipeline_violations",
            "How often a property came true that must never be, by property.",
            _by("property", self._violations),
        )
        yield counter(
            "pipeline_unanswered",
            "Slides at which a property under `never` could not be answered, by property.",
            _by("property", self._unanswered),
        )
        yield counter("pipeline_rejects", "Rows written to the rejects, by kind.", _by("kind", self._rejects))
        yield counter("pipeline_slides", "Slides of all groups.", counts["slides"])
        yield counter("pipeline_slides_empty", "Slides without a cut.", counts["slides_empty"])
        yield counter("pipeline_restarts", "Restarts of the query after a failure of Spark.", counts["restarts"])
        yield counter("pipeline_batch_seconds", "Seconds that batches took, in all.", self._batch_s_total)
        yield gauge("pipeline_waiting", "States that wait, in the groups of the latest batch.", self._waiting)
        if self._last_batch is not None:
            yield gauge("pipeline_last_batch", "Number of the latest batch.", self._last_batch[0])
            yield gauge(
                "pipeline_last_batch_timestamp_seconds", "When the latest batch was written.", self._last_batch[1]
            )
        for name, help_text in _GAUGES.items():
            if name in self._now:
                yield gauge(f"pipeline_{name}", help_text, self._now[name])


#: what Spark's progress gives, and what it means
_GAUGES = {
    "last_batch_seconds": "Seconds that the latest batch took.",
    "input_rows": "Rows that the latest batch read.",
    "input_rows_per_second": "Rows that arrived in a second, as of the latest batch.",
    "processed_rows_per_second": "Rows that were worked off in a second, as of the latest batch.",
    "lag_records": "Records that the latest batch left unread, in all partitions; of Kafka only.",
    "state_rows": "Entries in the state store, the shards.",
    "state_memory_bytes": "Memory of the state store.",
    "state_disk_bytes": "Files of the state store.",
}


def progress_numbers(progress: Progress) -> dict[str, float]:
    """What Spark's progress of a batch says in numbers, by the names of the gauges; the rest is left out."""
    found: dict[str, float] = {}
    sources: Sequence[Mapping[str, Any]] = progress.get("sources") or ()
    states: Sequence[Mapping[str, Any]] = progress.get("stateOperators") or ()
    duration_ms = (progress.get("durationMs") or {}).get("triggerExecution")
    if duration_ms is not None:
        found["last_batch_seconds"] = duration_ms / 1000
    for name, key in (
        ("input_rows", "numInputRows"),
        ("input_rows_per_second", "inputRowsPerSecond"),
        ("processed_rows_per_second", "processedRowsPerSecond"),
    ):
        if progress.get(key) is not None:
            found[name] = progress[key]
    behind = [lag for source in sources if (lag := _behind(source)) is not None]
    if behind:
        found["lag_records"] = sum(behind)
    if states:
        found["state_rows"] = sum(int(state.get("numRowsTotal") or 0) for state in states)
        found["state_memory_bytes"] = sum(int(state.get("memoryUsedBytes") or 0) for state in states)
        files = [
            size for state in states if (size := (state.get("customMetrics") or {}).get(_FILES_SIZE)) is not None
        ]
        if files:
            found["state_disk_bytes"] = sum(map(int, files))
    return found


def _behind(source: Mapping[str, Any]) -> int | None:
    """How many records of a topic were not read; None for other sources, which do not say."""
    offsets = []
    for key in ("latestOffset", "endOffset"):
        value = source.get(key)
        try:  # a text of JSON, or what is in it
            value = json.loads(value) if isinstance(value, str) else value
        except ValueError:
            return None
        offsets.append(value)
    latest, end = offsets
    if not isinstance(latest, dict) or not isinstance(end, dict):
        return None
    behind = 0
    for topic, partitions in latest.items():
        if not isinstance(partitions, dict):
            return None
        read = end.get(topic) or {}
        behind += sum(max(0, int(offset) - int(read.get(number, 0))) for number, offset in partitions.items())
    return behind


def _add(counts: Counter[str], more: Mapping[str, int]) -> None:
    """Count by name, beyond so many names under one for all others."""
    for name, count in more.items():
        is_known = name in counts or len(counts) < MOST_PROPERTIES
        counts[name if is_known else _OTHERS] += count


def _by(label: str, counts: Mapping[str, int]) -> list[Sample]:
    return [({label: name}, count) for name, count in counts.items()]
