"""The documentation's fenced blocks, and what it means that they are right."""

from __future__ import annotations

import doctest
import re
import runpy
import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from typer.testing import CliRunner

from latwin.cli import app

ROOT = Path(__file__).parents[2]
#: every page of the documentation, the examples' among them
PAGES = sorted(
    str(path.relative_to(ROOT))
    for path in [*ROOT.glob("*.md"), *ROOT.joinpath("docs").rglob("*.md"), *ROOT.joinpath("examples").rglob("*.md")]
)


class Block(NamedTuple):
    """A fenced block: its language, the line of its first line, its text."""

    language: str
    line: int
    text: str


class Command(NamedTuple):
    """One command of a shell block: its words without variables that are set for it, comments and pipes."""

    where: str
    words: list[str]

    @property
    def name(self) -> str:
        """The program, and of `latwin` also the command."""
        return " ".join(self.words[: 1 + (self.words[0] == "latwin")])


def blocks(page: str, language: str | None = None) -> Iterator[Block]:
    """All blocks of a page from top to bottom, or those in a language."""
    opened: tuple[str, int] | None = None
    content: list[str] = []
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), start=1):
        if not line.startswith("```"):
            content.append(line)
        elif opened is None:
            opened, content = (line[3:].strip(), number), []
        else:
            if language in (None, opened[0]):
                yield Block(opened[0], opened[1] + 1, "\n".join(content) + "\n")
            opened = None
    assert opened is None, f"{page}: the block of line {opened} is never closed"


def prose(page: str) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def shell_commands(page: str) -> Iterator[Command]:
    """All commands of a page's `sh` blocks from top to bottom; `&&`, `;` and `|` stand between two commands."""
    for block in blocks(page, "sh"):
        for number, line in enumerate(block.text.splitlines(), start=block.line):
            lexer = shlex.shlex(line, posix=True, punctuation_chars="&|;")
            lexer.whitespace_split = True
            for is_between, some in groupby(lexer, key=lambda word: word in ("&&", "||", "|", ";")):
                words = list(some)
                while words and re.match(r"[A-Z_]+=", words[0]):
                    del words[0]
                if words and not is_between:
                    yield Command(f"{page}:{number}", words)


def console_commands(page: str) -> Iterator[tuple[Command, str]]:
    """All commands of a page's `console` blocks from top to bottom, each with what it is said to print."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            line, _, expected = part.partition("\n")
            yield Command(f"{page}:{block.line}", shlex.split(line)), expected


def run(command: Command) -> str:
    """What a `latwin` command, or a Python program, prints when it runs in this process and here."""
    program, *arguments = command.words
    if program == "latwin":
        outcome = CliRunner().invoke(app, arguments)
        assert outcome.exit_code == 0, f"{command.where}: {outcome.output}"
        return outcome.stdout
    assert program == "python", command
    (path,) = arguments
    printed = StringIO()
    with redirect_stdout(printed):
        runpy.run_path(path, run_name="__main__")
    return printed.getvalue()


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
