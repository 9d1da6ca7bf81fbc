"""A small pipeline in a process of its own, for tests that kill it: `python crash_pipeline.py FOLDER MASTER`.

FOLDER holds `spec.json` and `events/`, or `steps/`, whose clocks are made in the stream; `checkpoint/` and `output/`
are written there. One file is one batch. The process ends when all files that were there at its start are done.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from threading import Event

from pyspark.sql import DataFrame

from latwin import Spec
from latwin.clocks import JsonSteps, Waits
from latwin.spark import Clocking, Detection, FolderSink, create_session, outputs, source_outputs
from latwin.spark.sources.steps import StepSourceFrame

SCHEMA = "group string, process string, clock array<bigint>, state map<string, bigint>, arrival bigint"
#: nothing is lost, as all steps come within the time
CLOCKING = Clocking(JsonSteps(), Waits(3600.0, 7200.0, first_order=1))


#: it lives for seconds: less compiling and a smaller heap make its start cheaper
SETTINGS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.memory": "768m",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def main(folder: Path, master: str) -> None:
    session = create_session(master, SETTINGS)
    spec = Spec.from_dict(json.loads((folder / "spec.json").read_text()))
    reader = session.readStream.option("maxFilesPerTrigger", 1)
    has_steps = (folder / "steps").exists()
    if has_steps:
        steps = StepSourceFrame(reader.text(str(folder / "steps"), lineSep="\n"), CLOCKING)
        results = source_outputs(steps, spec, Detection(every=True))
    else:
        events = reader.schema(SCHEMA).json(str(folder / "events"))
        results = outputs(events, spec, every=True)
    sink = FolderSink(str(folder / "output"), results)

    files = len(list((folder / "steps").glob("*.jsonl")))
    is_done = Event()

    def write(batch: DataFrame, number: int) -> None:
        sink(batch, number)
        if has_steps and number >= files:  # a batch without a file: those with one are committed
            is_done.set()

    writer = results.packed.writeStream.foreachBatch(write).option("checkpointLocation", str(folder / "checkpoint"))
    if has_steps:  # it has timers, for which there are batches without end
        query = writer.trigger(processingTime="0 seconds").start()
        while query.isActive and not is_done.wait(0.1):
            pass
        query.stop() if is_done.is_set() else query.awaitTermination()
    else:
        writer.trigger(availableNow=True).start().awaitTermination()
    session.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
