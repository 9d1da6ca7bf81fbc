"""What `run` says of places that cannot be used, for real: `python mistaken_places.py FOLDER`.

The process must not be above permissions, as root is. FOLDER/small, if there is one, is a disk with little room.
Writes into FOLDER/found.json what was said for each mistake: the kind of the exception and its message.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from latwin import Spec
from latwin.cli.terminal import describe
from latwin.errors import LatwinError
from latwin.spark import RunOptions, create_session, run
from latwin.spark.causes import failure_of

SPEC = Spec.from_dict({"processes": ["a"], "window": 2, "properties": {"x": "possibly(a.x)"}})
#: it lives for a minute: less compiling makes its start cheaper
SETTINGS = {
    "spark.sql.shuffle.partitions": "1",
    "spark.driver.memory": "768m",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def write_events(folder: Path, number: int) -> None:
    """One more file of events."""
    rows = ({"process": "a", "clock": {"a": 3 * number + k}, "state": {"x": k % 2 == 0}} for k in (1, 2, 3))
    (folder / f"{number}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


class Trials:
    """Pipelines that went well once, and are begun again after something happened to their places."""

    def __init__(self, session: SparkSession, folder: Path) -> None:
        self._session = session
        self.folder = folder
        self._good = folder / "good"
        (self._good / "in").mkdir(parents=True)
        write_events(self._good / "in", 0)
        self._run(self._good, "in", "out", "state")
        write_events(self._good / "in", 1)
        self.said: dict[str, tuple[str, str]] = {}

    def after(self, name: str, change: Callable[[Path], object], **places: str) -> None:
        """Note what is said after a change to the folder of a pipeline, or with other places."""
        folder = self.folder / name
        shutil.copytree(self._good, folder)
        change(folder)
        try:
            self._run(folder, **{"input": "in", "output": "out", "checkpoint": "state", **places})
        except (PySparkException, Py4JError) as error:  # from here on as commands do it
            self.said[name] = _told(failure_of(error))
        except (LatwinError, OSError) as error:
            self.said[name] = _told(error)
        else:
            self.said[name] = "", "nothing"
        print(name, self.said[name], flush=True)

    def _run(self, folder: Path, input: str, output: str, checkpoint: str) -> None:
        # A place that begins with / stays as it is.
        run(
            self._session,
            SPEC,
            input=str(folder / input),
            output=str(folder / output),
            checkpoint=str(folder / checkpoint),
            options=RunOptions(once=True, max_restarts=8),  # on a busy machine Spark may give up its Python
        )


def _told(error: LatwinError | OSError) -> tuple[str, str]:
    return type(error).__name__, describe(error)


def nothing(folder: Path) -> None:
    """Leave all as it is."""


def closed(place: str, mode: int = 0o555) -> Callable[[Path], object]:
    return lambda folder: (folder / place).chmod(mode)


def damaged(pattern: str, content: bytes) -> Callable[[Path], object]:
    """All files of this name are overwritten; their checksums, which Hadoop keeps beside them, are gone."""

    def damage(folder: Path) -> None:
        paths = [path for path in folder.glob(pattern) if path.is_file() and not path.name.startswith(".")]
        assert paths, sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
        for path in paths:
            path.write_bytes(content)
            path.with_name(f".{path.name}.crc").unlink(missing_ok=True)

    return damage


def removed(pattern: str) -> Callable[[Path], object]:
    def remove(folder: Path) -> None:
        for path in folder.glob(pattern):
            path.unlink()

    return remove


def newer(pattern: str) -> Callable[[Path], object]:
    """A file as a later Spark would write it."""

    def change(folder: Path) -> None:
        for path in sorted(folder.glob(pattern))[-1:]:
            damaged(pattern, b"v99\n" + path.read_bytes().partition(b"\n")[2])(folder)

    return change


def main(folder: Path) -> None:
    session = create_session("local[1,1]", SETTINGS)
    session.sparkContext.setLogLevel("OFF")
    trials = Trials(session, folder)
    (folder / "closed").mkdir(mode=0o555)
    trials.after("new output", nothing, output=str(folder / "closed" / "out"))
    trials.after("new checkpoint", nothing, checkpoint=str(folder / "closed" / "state"))
    trials.after("input folder", closed("in", 0))
    trials.after("input file", closed("in/1.jsonl", 0))
    trials.after("old output", closed("out/verdicts"))
    trials.after("old manifest", closed("out/_latwin"))
    trials.after("old checkpoint", closed("state"))
    trials.after("old offsets", closed("state/offsets"))
    trials.after("old state", closed("state/state/0/0"))
    trials.after("old commit", closed("state/commits/0", 0))
    small = folder / "small"
    if small.exists():
        trials.after("full output", nothing, output=str(small / "out"))
        trials.after("full checkpoint", nothing, checkpoint=str(small / "state"), output="new")
    trials.after("damaged offsets", damaged("state/offsets/0", b"garbage"))
    trials.after("damaged commits", damaged("state/commits/0", b"v1\n{"))
    trials.after("damaged metadata", damaged("state/metadata", b""))
    trials.after("damaged changes", damaged("state/state/0/0/**/*.changelog", b"garbage"))
    trials.after("lost changes", removed("state/state/0/0/**/*.changelog"))
    trials.after("damaged schema", damaged("state/state/0/_stateSchema/**/*", b"garbage"))
    trials.after("damaged operator", damaged("state/state/0/_metadata/**/*", b"garbage"))
    trials.after("newer offsets", newer("state/offsets/0"))
    trials.after("newer commits", newer("state/commits/0"))
    trials.after("newer operator", newer("state/state/0/_metadata/**/*"))
    (folder / "found.json").write_text(json.dumps(trials.said))
    session.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
