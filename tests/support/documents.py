"""The documentation's fenced blocks, and what it means that they are right."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]


class Block(NamedTuple):
    """A fenced block: its language, the line of its first line, its text."""

    language: str
    line: int
    text: str


def blocks(page: str, language: str) -> Iterator[Block]:
    opened: tuple[str, int] | None = None
    content: list[str] = []
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), start=1):
        if not line.startswith("```"):
            content.append(line)
        elif opened is None:
            opened, content = (line[3:].strip(), number), []
        else:
            if opened[0] == language:
                yield Block(language, opened[1] + 1, "\n".join(content) + "\n")
            opened = None
    assert opened is None, f"{page}: the block of line {opened} is never closed"


def prose(page: str) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def run_python(page: str) -> None:
    """Blocks of a page share their names, from top to bottom."""
    found = list(blocks(page, "python"))
    assert found
    names: dict[str, Any] = {}
    runner = doctest.DocTestRunner(verbose=False)
    for block in found:
        assert ">>>" in block.text, f"{page}:{block.line}: an example must show what it prints"
        test = doctest.DocTestParser().get_doctest(block.text, names, page, page, block.line - 1)
        complaints: list[str] = []
        outcome = runner.run(test, out=complaints.append, clear_globs=False)
        assert outcome.failed == 0, "".join(complaints)
        names = test.globs


def assert_printed(output: str, expected: str, where: str) -> None:
    """The parts between the ellipses come in this order, the first at the start and the last at the end."""
    parts = [part.strip("\n") for part in re.split(r"^\.\.\.$", expected, flags=re.MULTILINE)]
    rest = "\n".join(line.rstrip() for line in output.strip("\n").splitlines())
    assert rest.startswith(parts[0]), f"{where}: the output is\n{rest}"
    assert rest.endswith(parts[-1]), f"{where}: the output is\n{rest}"
    if len(parts) == 1:
        assert rest == parts[0], f"{where}: the output is\n{rest}"
    for part in filter(None, parts):
        _, found, rest = rest.partition(part)
        assert found, f"{where}: not in the output:\n{part}"
