"""Small pipelines of `latwin run` for tests that make their folders unusable, and what must be said of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from typer.testing import Result

from bad_files import HARMLESS
from commands import run


def add_events(folder: Path, number: int) -> None:
    """One more file of input, with a state of each process; a group goes on from file to file."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{number}.jsonl").open("w") as file:
        for group in "gh":
            for place, process in enumerate("ab"):
                clock = [number + 1, number + place]
                state = {"x": number % 2 == 0, "y": place}
                event = {"group": group, "process": process, "clock": clock, "state": state}
                file.write(json.dumps(event) + "\n")


def run_once(source: Path, output: Path, checkpoint: Path) -> Result:
    """Read all that is there, a file in a batch."""
    spec = source.parent / "spec.toml"
    spec.write_text(HARMLESS)
    places = ["--input", str(source), "--out", str(output), "--checkpoint", str(checkpoint)]
    return run("run", str(spec), *places, "--format", "jsonl", "--once", "--max-files", "1")


def check_sentence(code: int, said: str, *parts: str) -> None:
    """Exit code 2, and one sentence that has these parts: no traceback, no class of Java, no log to be read."""
    assert code == 2, (code, said)
    errors = [line for line in said.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1, said
    assert said.endswith(f"{errors[0]}\n"), said
    for foreign in ("Traceback", "Spark failed", "Exception", "SQLSTATE", "org.apache", "\tat "):
        assert foreign not in said, said
    for part in parts:
        assert part in said, said


def without_privileges() -> list[str]:
    """What to put before a command so that permissions bind it, also if root runs the tests."""
    if os.geteuid() != 0:
        return []
    dropped = "-dac_override,-dac_read_search"
    return ["setpriv", f"--bounding-set={dropped}", f"--inh-caps={dropped}"]
