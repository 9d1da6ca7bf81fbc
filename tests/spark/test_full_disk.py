"""A full disk ends a pipeline with one sentence, and loses nothing: with room again, every row is there once."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark")

from latwin.outputs.store import LocalStore
from latwin.spark import read_output
from latwin.spark.causes import Explained
from pipelines import run
from shards import SPEC, make_event

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.soak
def test_a_full_disk(spark: SparkSession, tmp_path: Path) -> None:
    events = [make_event("g", 0, index, time=index) for index in (1, 2, 3)]
    rows = [{name: event[name] for name in ("group", "process", "clock", "state", "time")} for event in events]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "0.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    places: dict[str, Any] = {name: str(tmp_path / name) for name in ("output", "checkpoint")}

    put = LocalStore.put

    def put_if_there_is_room(store: LocalStore, path: str, content: bytes) -> None:
        if path.startswith("verdicts"):
            raise OSError(errno.ENOSPC, "No space left on device", path)
        put(store, path, content)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(LocalStore, "put", put_if_there_is_room)
        with pytest.raises(Explained, match=r"^a disk is full, .* nothing is lost: make room, and start again$"):
            run(spark, SPEC, input=str(tmp_path / "in"), once=True, every=True, max_restarts=8, **places)
    run(spark, SPEC, input=str(tmp_path / "in"), once=True, every=True, max_restarts=8, **places)
    verdicts = read_output(spark, places["output"], "verdicts").collect()
    assert sorted((row["slide"], row["property"]) for row in verdicts) == [
        (slide, name) for slide in (1, 2, 3) for name in sorted(SPEC.properties)
    ]
