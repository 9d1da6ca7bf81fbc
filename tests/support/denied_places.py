"""Pipelines whose folders this user may not use, one after another in one session: `python denied_places.py FOLDER`.

Prints a JSON object for each case: its name, the exit code, what was said, and the exit code once it is permitted.
Permissions must bind the process: `unusable.without_privileges` sees to it, also for root.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import NamedTuple

from latwin.spark import create_session
from short_lived import SETTINGS
from unusable import add_events, run_once


class Case(NamedTuple):
    """What is denied, below the folder of a pipeline, to one that `has_run` or is new, and by which mode."""

    denied: str
    has_run: bool
    mode: int


CASES = {
    "new checkpoint": Case("new", has_run=False, mode=0o500),
    "new output": Case("fresh", has_run=False, mode=0o500),
    "checkpoint": Case("checkpoint", has_run=True, mode=0o500),
    "offsets": Case("checkpoint/offsets", has_run=True, mode=0o500),
    "state": Case("checkpoint/state/0/*", has_run=True, mode=0o500),
    "unreadable state": Case("checkpoint/state/0/[0-9]", has_run=True, mode=0o000),
    "unreadable progress": Case("checkpoint/offsets/0", has_run=True, mode=0o000),
    "output": Case("out/verdicts", has_run=True, mode=0o500),
    "input folder": Case("in", has_run=True, mode=0o000),
    "input file": Case("in/1.jsonl", has_run=True, mode=0o000),
}


def try_case(folder: Path, name: str) -> dict[str, object]:
    """A pipeline that is denied one of its places, and then is not."""
    denied, has_run, mode = CASES[name]
    source, output, checkpoint = folder / "in", folder / "out", folder / "checkpoint"
    add_events(source, 0)
    if has_run:
        first = run_once(source, output, checkpoint)
        assert first.exit_code == 0, first.stderr
        add_events(source, 1)
    else:
        (folder / denied).mkdir()
        output = folder / "fresh" / "out" if denied == "fresh" else output
        checkpoint = folder / "new" / "checkpoint" if denied == "new" else checkpoint
    paths = sorted(folder.glob(denied))
    assert paths, denied
    before = {path: path.stat().st_mode for path in paths}
    for path in paths:
        path.chmod(mode)
    try:
        refused = run_once(source, output, checkpoint)
    finally:
        for path in paths:
            path.chmod(before[path])
    permitted = run_once(source, output, checkpoint)
    return {
        "case": name,
        "code": refused.exit_code,
        "said": refused.stderr,
        "permitted": permitted.exit_code,
        "after": permitted.stderr,
    }


def main(folder: Path) -> None:
    probe = folder / "probe"
    probe.mkdir(mode=0o500)
    assert not os.access(probe, os.W_OK, effective_ids=True), "permissions do not bind this process"
    session = create_session("local[2]", SETTINGS)
    for number, name in enumerate(CASES):
        place = folder / str(number)
        place.mkdir()
        print(json.dumps(try_case(place, name)), flush=True)
    session.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
