"""One small comparison for whichever PySpark runs it: a stream with restarts, a batch, and local monitors.

    python any_spark.py FOLDER

Prints one JSON object: the version, how many verdicts each way gave, whether they are the same, and what became of
the order to rescale the state before the last restart.
"""

from __future__ import annotations

import json
import sys
from itertools import chain
from pathlib import Path
from typing import Any

import pyspark
from pyspark.errors import StreamingQueryException

from latwin import Monitor, Spec
from latwin.errors import InvalidInput
from latwin.spark import create_session, outputs, replay
from latwin.spark.causes import may_pass
from latwin.spark.states import rescale
from short_lived import SETTINGS

SPEC = Spec.from_dict(
    {
        "processes": ["a", "b"],
        "window": 3,
        "properties": {"both": "possibly(a.x and b.x)", "sure": "definitely(a.x and b.x)"},
        "forget_after": "1h",
    }
)
SCHEMA = "group string, process string, clock array<bigint>, state string, time double, arrival bigint, room string"
#: PySpark 4.1 gives the worker that plans the stateful operator ten seconds to start, which a busy machine may take
ATTEMPTS = 20
PARTITIONS = 3
GROUPS = [f"office {k}" for k in range(20)]


def events(part: int) -> list[dict[str, Any]]:
    """Two states of each process of each group; some groups are silent in some parts."""
    rows = []
    for index in (2 * part + 1, 2 * part + 2):
        for place, process in enumerate("ab"):
            for k, group in enumerate(GROUPS):
                if part == 1 and k % 4 == 0:
                    continue
                number = index - 2 if part == 2 and k % 4 == 0 else index
                clock = [number, number - 1 + place]
                state = json.dumps({"x": (k + index) % (3 - place) > 0})
                row = {"group": group, "process": process, "clock": clock, "state": state, "room": f"room {k}"}
                rows.append({**row, "time": 3000.0 * part + index, "arrival": 10 * index + place})
    return rows


def plain(row: Any) -> tuple[Any, ...]:
    return row["group"], row["slide"], row["property"], row["value"], row["state_index"], str(row["least"])


def local(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    found = []
    for group in GROUPS:
        monitor = Monitor(SPEC)
        own = [{**row, "state": json.loads(row["state"])} for row in rows if row["group"] == group]
        for verdict in monitor.observe_many(own):
            least = None if verdict.least is None else list(verdict.least)
            found.append((group, verdict.slide, verdict.property, verdict.value, verdict.index, str(least)))
    return found


def finish(writer: Any) -> None:
    """Run a query to its end; it is started again if a Python worker came too late, as `latwin run` does."""
    for attempt in range(ATTEMPTS):
        try:
            writer.start().awaitTermination()
        except StreamingQueryException as error:
            if not may_pass(error) or attempt == ATTEMPTS - 1:
                raise
        else:
            return


def try_to_rescale(session: Any, checkpoint: str) -> str:
    """To how many partitions, or why not."""
    try:
        return str(rescale(session, checkpoint, PARTITIONS)[1])
    except InvalidInput as error:
        return str(error)


def main(folder: Path) -> None:
    """Compare, and print."""
    source = folder / "in"
    source.mkdir(parents=True)
    session = create_session("local[2]", SETTINGS)
    streamed: dict[int, list[Any]] = {}
    rooms: set[Any] = set()
    every: list[dict[str, Any]] = []
    for part in range(3):
        rows = events(part)
        every += rows
        (source / f"{part}.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
        results = outputs(session.readStream.schema(SCHEMA).json(str(source)), SPEC, keep=["room"])

        def sink(batch: Any, number: int, results: Any = results) -> None:
            rows = results.of(batch).verdicts.collect()
            streamed[number] = [plain(row) for row in rows]  # a batch may come again
            rooms.update((row["group"], row["room"]) for row in rows)

        writer = results.packed.writeStream.option("checkpointLocation", str(folder / "checkpoint"))
        finish(writer.trigger(availableNow=True).foreachBatch(sink))
        if part == 1:
            rescaled = try_to_rescale(session, str(folder / "checkpoint"))
    replayed = [plain(row) for row in replay(session.read.schema(SCHEMA).json(str(source)), SPEC).collect()]
    session.stop()
    expected = sorted(local(every))
    told = {
        "version": pyspark.__version__,
        "verdicts": len(expected),
        "stream": sorted(chain.from_iterable(streamed.values())) == expected,
        "batch": sorted(replayed) == expected,
        "rescaled": rescaled,
        "kept": rooms == {(group, f"room {k}") for k, group in enumerate(GROUPS)} and len(rooms) == len(GROUPS),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
