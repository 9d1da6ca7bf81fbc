"""A pipeline on a cluster, in a process of its own: `python cluster_driver.py FOLDER MASTER`, started in FOLDER.

FOLDER holds `spec.json`, `events/` and the environment, packed and unpacked; `checkpoint/` and `output/` are written
there. One file is one batch. Prints the summary as JSON, with where workers found latwin.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from cluster import ENVIRONMENT
from latwin import Spec
from latwin.spark import Detection, Reading, RunOptions, create_session, run


def where(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    import latwin

    for _ in batches:
        yield pa.RecordBatch.from_pydict({"place": [latwin.__file__]})


def main(folder: Path, master: str) -> None:
    os.environ["PYSPARK_PYTHON"] = f"./{ENVIRONMENT}/bin/python"
    conf = {
        "spark.archives": f"{folder}/{ENVIRONMENT}.tar.gz#{ENVIRONMENT}",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "768m",
        "spark.executor.memory": "600m",
        "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.executorEnv.NUMBA_DISABLE_JIT": "1",  # compiling would take longer than all the rest
        "spark.sql.shuffle.partitions": "2",
        # A lost executor is noticed soon: the test must not wait two minutes for it.
        "spark.network.timeout": "60s",
        "spark.executor.heartbeatInterval": "5s",
    }
    session = create_session(master, conf)
    found = session.range(0, 4, 1, 2).mapInArrow(where, "place string").distinct().collect()
    done = run(
        session,
        Spec.from_dict(json.loads((folder / "spec.json").read_text())),
        input=str(folder / "events"),
        output=str(folder / "output"),
        checkpoint=str(folder / "checkpoint"),
        options=RunOptions(
            once=True,
            reading=Reading(max_files=1),
            detection=Detection(every=True),
            max_restarts=100,  # Spark gives a Python of the driver ten seconds to start, too few on a busy machine
        ),
    )
    print(json.dumps({**done.as_dict(), "places": sorted(row["place"] for row in found)}))
    session.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
