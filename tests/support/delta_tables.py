"""Delta in a process of its own, with a session that has it: `python delta_tables.py FOLDER JARS batch|ends`.

Writes what it found into FOLDER/found.json, for `tests/spark/test_delta.py`: after a batch that was written
twice, or with Delta at both ends of a pipeline.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession

from latwin import Spec
from latwin.errors import InvalidInput
from latwin.spark import Hooks, RunOptions, create_session, outputs, run, write
from latwin.spark.causes import QueryFailed, may_pass
from latwin.spark.pipeline import Outputs
from latwin.spark.sinks.tables import TableSink
from latwin.spark.tables import parse_table
from results import a_verdict, packed

SCHEMA = "group string, process string, clock array<bigint>, state map<string, bigint>, arrival bigint"
SPEC = Spec.from_dict({"processes": ["a", "b"], "window": 2, "properties": {"both": "possibly(a.x and b.x)"}})


def events(first: int, last: int) -> list[tuple[str, str, list[int], dict[str, int], int]]:
    """Of three groups, whose processes report in turns and know nothing of each other."""
    rows = []
    for number in range(first, last):
        for group in "efg":
            clock = [number // 2 + 1, 0] if number % 2 == 0 else [0, number // 2 + 1]
            rows.append((group, "ab"[number % 2], clock, {"x": number // 3 % 2}, number))
    return rows


def main(folder: Path, jars: Path, what: str) -> None:
    settings = {"spark.sql.shuffle.partitions": "2", "spark.sql.warehouse.dir": str(folder / "warehouse")}
    session = create_session("local[2]", settings, delta=True, jars=jars)
    found = {"batch": one_batch, "ends": both_ends}[what](session, folder)
    (folder / "found.json").write_text(json.dumps(found))
    session.stop()


def one_batch(session: SparkSession, folder: Path) -> dict[str, Any]:
    """A batch that Spark repeats, and another one."""
    address = parse_table(f"delta:{folder / 'out'}")
    verdicts = [a_verdict(slide) for slide in range(1, 4)]
    rejects = [{"group": "g", "kind": "rejected", "reason": "r", "event": "{}"}]
    results = Outputs(packed(session, verdict=verdicts, reject=rejects, metric=[{"group": "g", "events": 3}]))
    for number in (7, 7, 8):
        TableSink(address, results, owner="me")(results.packed, number)
    return read_all(session, folder)


def read_all(session: SparkSession, folder: Path) -> dict[str, Any]:
    """The rows of the three tables."""
    found: dict[str, Any] = {}
    for table in ("verdicts", "rejects", "metrics"):
        path = folder / "out" / table
        frame = session.read.format("delta").load(str(path)) if path.exists() else None
        found[table] = [] if frame is None else [row.asDict(recursive=True) for row in frame.collect()]
    return found


def both_ends(session: SparkSession, folder: Path) -> dict[str, Any]:
    """A pipeline that is killed and goes on, and a query of one's own."""
    found: dict[str, Any] = {}
    source, output = f"delta:{folder / 'events'}", f"delta:{folder / 'out'}"

    def append(first: int, last: int) -> None:
        session.createDataFrame(events(first, last), SCHEMA).coalesce(1).write.format("delta").mode("append").save(
            str(folder / "events")
        )

    def pipeline(**hooks: Any) -> None:
        run(
            session,
            SPEC,
            input=source,
            output=output,
            checkpoint=str(folder / "state"),
            options=RunOptions(once=True, max_restarts=8),
            hooks=Hooks(**hooks),
        )

    append(0, 7)
    pipeline()
    append(7, 14)

    def die(batch: Any) -> None:
        raise RuntimeError(f"killed after batch {batch.batch_id} was written")

    try:
        pipeline(on_batch=die)  # it is written, but Spark does not commit it
    except QueryFailed as error:
        found["killed"] = str(error)
    pipeline()
    found |= read_all(session, folder)
    stream = session.readStream.format("delta").load(str(folder / "events"))
    session.sql("CREATE TABLE plain_metrics (x INT) USING parquet")
    try:
        write(outputs(stream, SPEC), to="table:plain", checkpoint=str(folder / "refused"))
    except InvalidInput as error:
        found["refused"] = str(error)
    for _ in range(20):  # on a busy machine Spark may give up its Python
        try:
            write(
                outputs(stream, SPEC),
                to="table:named",
                checkpoint=str(folder / "named"),
                trigger={"availableNow": True},
            ).awaitTermination()
            break
        except StreamingQueryException as error:
            if not may_pass(error):
                raise
    found["named"] = session.table("named").count(), session.table("named_metrics").count()
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
