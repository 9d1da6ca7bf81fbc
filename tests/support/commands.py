"""What the tests of the command line share: a small spec, some events, and how to call a command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from latwin.cli import app

OFFICE = Path(__file__).parents[2] / "examples" / "office"
SPEC, EVENTS = str(OFFICE / "spec.toml"), str(OFFICE / "events.jsonl")

TWO = """
processes = ["a", "b"]
window = 3
never = ["both"]
[properties]
both = "possibly(a.x and b.y)"
first = "definitely(a.x) and not possibly(b.y)"
sum = "definitely(a.x + b.y == 1)"
"""

#: `sum` as a question about single steps, which needs the lattice of all processes
IN_STEPS = ("definitely(a.x + b.y == 1)", "AX(a.x + b.y == 1)")

SOME_EVENTS = """\
{"process": "a", "clock": {"a": 1}, "state": {"x": true}}

{"process": "b", "clock": [0, 1], "state": {"y": true}, "time": "noon"}
{"process": "b", "clock": [0, 1], "state": {"y": true}}
{"process": "a", "clock": [3, 0], "state": {"x": false}}
"""


def write(path: Path, content: str | bytes) -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(app, list(arguments), input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def failure(*arguments: str, stdin: str | None = None) -> str:
    """The message of a command that must find its input wrong."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.stderr
    return result.stderr.removeprefix("error: ").rstrip("\n")
