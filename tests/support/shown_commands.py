"""Which of the commands that the documentation shows its tests run, where, and which they do not, and why."""

from __future__ import annotations

import shutil
import webbrowser
from pathlib import Path

import pytest

from documents import ROOT, Command, shell_commands

#: commands that are shown and not run; what they name is checked instead
NOT_RUN = {
    "cd": "changes the folder of a shell",
    "pip": "installs latwin, which is there",
    "make": "would run these tests again, among others",
    "npm": "tests/explorer/test_bundle.py builds the page",
    "source": "tells a shell which Python to use",
    "tail": "follows a file without end",
    "latwin collect": "receives until it is interrupted; tests/process/test_guide.py runs it",
    "latwin serve": "serves until it is interrupted; tests/explorer/test_serve.py does it",
    "latwin groups": "needs a checkpoint; tests/spark/test_states.py runs it",
    "latwin rescale": "needs a checkpoint; tests/spark/test_states.py runs it",
    "latwin compact": "waits for readers; tests/spark/test_write.py runs it without",
    "latwin jars": "needs Maven and a network",
    "latwin experiment": "takes minutes; tests/spark_commands/test_experiments.py runs small ones",
}
#: commands that start Spark
_ON_SPARK = ("latwin run", "latwin replay", "latwin offices")


def is_run(command: Command) -> bool:
    """Kafka needs a broker, and tables need Delta; tests/kafka and tests/spark_commands have them."""
    elsewhere = ("kafka://", "delta:", "table:")
    return command.name not in NOT_RUN and not any(word.startswith(elsewhere) for word in command.words)


def needs_spark(page: str) -> bool:
    """Whether a page's commands start Spark; the tests of such pages share its session."""
    return any(command.name in _ON_SPARK for command in shell_commands(page) if is_run(command))


def prepare_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go into a folder with a copy of the examples; no browser opens."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(webbrowser, "open", lambda *_, **__: True)
