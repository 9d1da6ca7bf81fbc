"""A pipeline on a local Spark over a folder of files, each a batch, with rules that change at certain batches."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from changing import Timed, expected_rows, in_slides
from latwin import Spec
from latwin.spark.sinks.folder import read_output
from latwin.spark.watching import Refused
from pipelines import run
from shards import Event, by_group
from traffic import rows_of, write_file

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from latwin.spark.loop import RunSummary


class Pipeline:
    """Runs over a folder of files, each a batch, until all are read."""

    def __init__(self, session: SparkSession, folder: Path, batches: list[list[Event]], *, every: bool) -> None:
        self._session, self._folder, self._every = session, folder, every
        self._batches = batches
        self.rules = Timed({})
        self.refused: list[Refused] = []
        (folder / "in").mkdir()
        for number, batch in enumerate(batches):
            write_file(folder / "in", number, batch)

    def run(self, spec: Spec, offers: dict[int, Spec | Refused], *, last: int | None = None) -> RunSummary:
        """Run with rules that are offered while these batches run; until all is read, or until a batch is written."""
        versions = self.rules.versions
        self.rules = Timed(offers)
        self.rules.versions = versions
        done: list[int] = []

        def on_batch(batch: Any) -> None:
            self.rules.on_batch(batch)
            done.append(batch.batch_id)  # not earlier: nobody looks for rules when the run shall end

        return run(
            self._session,
            spec,
            input=str(self._folder / "in"),
            output=str(self._folder / "out"),
            checkpoint=str(self._folder / "checkpoint"),
            once=True,
            max_restarts=20,  # on a busy machine workers come too late for Spark
            rules=self.rules,
            every=self._every,
            format="jsonl",
            max_files=1,
            on_batch=on_batch,
            on_start=self.rules.on_rules,
            on_rules=self.rules.on_rules,
            on_refused=self.refused.append,
            until=lambda: last is not None and last in done,
        )

    def _read(self) -> list[list[Event]]:
        """What each batch read: a file, or two after a stop when Spark had noted a file, but not yet its batch."""
        offsets = self._folder / "checkpoint/offsets"
        batches, first = [], 0
        for number in sorted(int(path.name) for path in offsets.iterdir() if path.name.isdigit()):
            end = json.loads((offsets / str(number)).read_text().splitlines()[-1])["logOffset"] + 1
            batches.append([event for batch in self._batches[first:end] for event in batch])
            first = end
        assert first == len(self._batches), "all files were read"
        return batches

    def compare(self, properties: Sequence[str]) -> None:
        """The output against local monitors under the rules that each batch followed; `properties` in their order."""
        rows = rows_of(read_output(self._session, str(self._folder / "out"), "verdicts"))
        expected = expected_rows(self.rules.versions.values(), self._read(), every=self._every)
        for row in rows:  # the table has times as texts
            row["time"] = None if row["time"] is None else float(row["time"])
        assert by_group(in_slides(rows, list(properties).index)) == expected
        metrics = rows_of(read_output(self._session, str(self._folder / "out"), "metrics"))
        latest = {metric["group"]: metric for metric in sorted(metrics, key=lambda metric: metric["batch"])}
        slides = {group: metric["delivered"] + metric["ticks"] for group, metric in latest.items()}
        assert slides == {g: sum(m["slides"] for m in metrics if m["group"] == g) for g in slides}
