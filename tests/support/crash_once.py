"""A pipeline whose first Python worker is killed in the middle of a task: `python crash_once.py FOLDER`.

FOLDER holds `spec.json` and `events/`; `checkpoint/` and `output/` are written there. A task has one attempt, so the
loss of a worker fails the query. Prints the summary as JSON, with the restarts that were told.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from latwin import Spec
from latwin.spark import Detection, Hooks, Reading, RunOptions, create_session, pipeline, run
from latwin.spark.loop import Restart
from latwin.spark.operators import Work
from latwin.spark.shard import ShardWorker

FOLDER = Path(sys.argv[1])
MARK = str(FOLDER / "killed")


class KillOnce(Work):
    """Kills the first process that is to work."""

    def worker(self) -> ShardWorker:
        try:
            os.close(os.open(MARK, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return super().worker()
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


def main() -> None:
    vars(pipeline)["Work"] = KillOnce
    session = create_session("local[2,1]", {"spark.sql.shuffle.partitions": "2", "spark.driver.memory": "768m"})
    told: list[Restart] = []
    done = run(
        session,
        Spec.from_dict(json.loads((FOLDER / "spec.json").read_text())),
        input=str(FOLDER / "events"),
        output=str(FOLDER / "output"),
        checkpoint=str(FOLDER / "checkpoint"),
        options=RunOptions(once=True, reading=Reading(max_files=1), detection=Detection(every=True)),
        hooks=Hooks(on_restart=told.append),
    )
    print(json.dumps({**done.as_dict(), "told": [restart.cause for restart in told]}))
    session.stop()


if __name__ == "__main__":
    main()
