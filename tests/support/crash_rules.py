"""A pipeline that watches its spec, in a process of its own, to be killed: `python crash_rules.py FOLDER MASTER`.

FOLDER holds `spec.toml` and `events/`; `checkpoint/` and `output/` are written there, and into `versions.jsonl` each
version of the rules as it is told. One file is one batch. The process ends when all files that were there at its
start are done.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from crash_pipeline import SETTINGS
from latwin import Spec
from latwin.spark import Detection, Hooks, Reading, RunOptions, create_session, run
from latwin.spark.checkpoint import Checkpoint
from latwin.spark.watching import SpecFile


def main(folder: Path, master: str) -> None:
    session = create_session(master, SETTINGS)
    path = folder / "spec.toml"

    def note(checkpoint: Checkpoint) -> None:
        with (folder / "versions.jsonl").open("ab") as file:
            for version in checkpoint.rules.versions:
                file.write(msgspec.json.encode(version) + b"\n")

    run(
        session,
        Spec.load(path),
        input=str(folder / "events"),
        output=str(folder / "output"),
        checkpoint=str(folder / "checkpoint"),
        options=RunOptions(
            once=True,
            max_restarts=20,  # on a busy machine workers come too late for Spark
            reading=Reading(format="jsonl", max_files=1),
            detection=Detection(every=True),
            rules=SpecFile(path),
        ),
        hooks=Hooks(on_start=note, on_rules=note),
    )
    session.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
