"""A program that reports, and is killed at a chosen line of latwin's code; run by test_process_crash.py.

    python crash_process.py FOLDER DURABILITY KILL_AFTER STATES

It begins states until there are STATES of them, noting each index in `returned` once `update` or `receive` returned,
and each stamp it gave out in `stamped`. After KILL_AFTER lines of latwin.process, in any thread, it kills itself;
0: never.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import latwin.process
from latwin.process import FileReporter, Process, Settings

OURS = str(Path(latwin.process.__file__).parent)


def kill_after(lines: int) -> None:
    """Die without warning before the given line from now."""
    left = lines

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        if event == "line":
            left -= 1
            if left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    threading.settrace(trace)
    sys.settrace(trace)


def note(folder: Path, name: str, text: str) -> None:
    """Append a line at once, as far as a killed program can."""
    file = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(file, text.encode() + b"\n")
    os.close(file)


def main() -> None:
    folder, durability, lines, states = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    if lines:
        kill_after(lines)
    settings = Settings(durability=durability, gather_s=0.0, max_batch=3, max_unsent=5)  # type: ignore[arg-type]
    reporter = FileReporter(folder / "events.jsonl")
    with Process("phone", reporter, group="g", journal=folder / "phone.journal", settings=settings) as phone:
        while phone.index < states:
            # What a state holds depends on the run, so that an index used twice shows as other content.
            if phone.index % 3 == 2:
                index = phone.receive(phone.stamp({}), by=os.getpid())
            else:
                index = phone.update(by=os.getpid(), total=phone.variables.get("total", 0) + 1)
            note(folder, "returned", f"{index} {os.getpid()}")
            note(folder, "stamped", phone.stamp().text)


if __name__ == "__main__":
    main()
