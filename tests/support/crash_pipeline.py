"""A small pipeline in a process of its own, for tests that kill it: `python crash_pipeline.py FOLDER MASTER`.

FOLDER holds `spec.json` and `events/`; `checkpoint/` and `output/` are written there. One file is one batch. The
process ends when all files that were there at its start are done.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyspark.sql import DataFrame

from latwin import Spec
from latwin.spark import FolderSink, create_session, outputs

SCHEMA = "group string, process string, clock array<bigint>, state map<string, bigint>, arrival bigint"


#: it lives for seconds: less compiling and a smaller heap make its start cheaper
SETTINGS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.memory": "768m",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def main(folder: Path, master: str) -> None:
    session = create_session(master, SETTINGS)
    spec = Spec.from_dict(json.loads((folder / "spec.json").read_text()))
    events = session.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(folder / "events"))
    results = outputs(events, spec, every=True)
    sink = FolderSink(str(folder / "output"), results)

    def write(batch: DataFrame, number: int) -> None:
        sink(batch, number)

    query = (
        results.packed.writeStream.foreachBatch(write)
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    session.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
