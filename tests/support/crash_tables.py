"""A pipeline with Delta tables at its ends, for tests that kill it: `python crash_tables.py FOLDER MASTER`.

FOLDER/places.json says which ends are tables, and where Delta's jars are. FOLDER holds `spec.json` and `events/`, a
file for each batch. For an input that is a table, the process first appends the files that the table lacks; it may be
killed then, too. It ends when all that was there at its start is done.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from crash_pipeline import SCHEMA
from latwin import Spec
from latwin.spark import Detection, Reading, RunOptions, create_session, run
from short_lived import SETTINGS


def append_files(session: SparkSession, folder: Path) -> None:
    """Each file once, however often it is tried: Delta knows the number of the last one."""
    for number in range(len(list((folder / "events").glob("*.json")))):
        rows = session.read.schema(SCHEMA).json(str(folder / "events" / f"{number}.json")).coalesce(1)
        once: dict[str, Any] = {"txnAppId": "events", "txnVersion": number}
        rows.write.format("delta").mode("append").options(**once).save(str(folder / "table"))


def main(folder: Path, master: str) -> None:
    places = json.loads((folder / "places.json").read_text())
    session = create_session(master, SETTINGS, delta=True, jars=places["jars"])
    if places["input"] == "delta":
        append_files(session, folder)
    input = f"delta:{folder / 'table'}" if places["input"] == "delta" else str(folder / "events")
    output = str(folder / "output")
    run(
        session,
        Spec.from_dict(json.loads((folder / "spec.json").read_text())),
        input=input,
        output=f"delta:{output}" if places["output"] == "delta" else output,
        checkpoint=str(folder / "checkpoint"),
        # A lost worker is left to `run`, which starts the query again; on a busy machine Spark loses some by itself.
        options=RunOptions(once=True, reading=Reading(max_files=1), detection=Detection(every=True)),
    )
    session.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
