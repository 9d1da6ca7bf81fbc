"""A client of Spark Connect, in a process of its own: `python connect_client.py FOLDER URL`.

FOLDER holds `spec.json` and `events/`. Prints as JSON the verdicts of `replay` and of `detect`, and what is said of
all that needs a classic session.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from latwin import Spec
from latwin.errors import LatwinError
from latwin.spark import FolderSink, create_session, detect, outputs, read_output, replay, run

SCHEMA = "group string, process string, clock array<bigint>, state map<string, boolean>, arrival bigint"


def main(folder: Path, url: str) -> None:
    session = SparkSession.builder.remote(url).getOrCreate()
    spec = Spec.from_dict(json.loads((folder / "spec.json").read_text()))
    batch = session.read.schema(SCHEMA).json(str(folder / "events"))
    stream = session.readStream.schema(SCHEMA).json(str(folder / "events"))
    replayed = rows_of(replay(batch, spec, every=True))
    query = (
        detect(stream, spec, every=True)
        .writeStream.format("parquet")
        .option("checkpointLocation", str(folder / "checkpoint"))
        .option("path", str(folder / "verdicts"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    detected = rows_of(session.read.parquet(str(folder / "verdicts")))
    place = str(folder / "out")
    refusals = {
        "run": said(lambda: run(session, spec, input=str(folder / "events"), output=place, checkpoint=place)),
        "FolderSink": said(lambda: FolderSink(place, outputs(batch, spec))),
        "read_output": said(lambda: read_output(session, place, "verdicts")),
        "create_session": said(create_session),
        "create_session of a server": said(lambda: create_session(url)),
    }
    print(json.dumps({"replay": replayed, "detect": detected, "refusals": refusals}))
    session.stop()


def rows_of(verdicts: DataFrame) -> list[dict[str, Any]]:
    return [row.asDict(recursive=True) for row in verdicts.orderBy("slide").collect()]


def said(call: Callable[[], object]) -> str:
    try:
        call()
    except LatwinError as error:
        return str(error)
    return ""


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
