"""The map of the paper: every row names a test that exists, or says why there is none."""

from __future__ import annotations

import re
from functools import cache

import pytest

from documents import ROOT

PAGE = "docs/paper-map.md"
TEST = re.compile(r"`(?:(?P<group>Test\w+)\.)?(?P<name>test_\w+|Test\w+)`")
FILE = re.compile(r"`(tests/[\w/]+\.py)`")
#: how a row says that it has no test, each followed or preceded by the reason
WHY_NOT = ("nothing to test", "not tested")
#: how the paragraph above a table begins if what it says of tests is meant for each of the rows
FOR_ALL = "All rows of this table"


@cache
def corrections() -> dict[str, str]:
    """The lettered paragraphs, to which rows refer as "see (a)"."""
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    return {found[1]: found[0] for found in re.finditer(r"^\*\*\((\w)\).*?(?=^\*\*|^## )", text, re.M | re.S)}


def rows() -> list[tuple[int, str]]:
    """The rows of all tables, without their heads, by line number."""
    lines = list(enumerate((ROOT / PAGE).read_text(encoding="utf-8").splitlines(), 1))
    rulers = {number for number, line in lines if re.fullmatch(r"\|[-|]+\|", line)}
    return [
        (number, line)
        for number, line in lines
        if line.startswith("|") and number not in rulers and number + 1 not in rulers
    ]


def with_references(line: int, row: str) -> str:
    """The row, the corrections to which it refers, and what stands above its table for all rows."""
    above = (ROOT / PAGE).read_text(encoding="utf-8").splitlines()[: line - 1]
    before_table = "\n".join(above[: max(k for k, text in enumerate(above) if not text)])
    paragraph = before_table.rstrip().rpartition("\n\n")[2]
    for_all = paragraph if paragraph.startswith(FOR_ALL) else ""
    return row + for_all + "".join(corrections()[letter] for letter in re.findall(r"see \((\w)\)", row))


def test_the_map_has_its_rows() -> None:
    assert len(rows()) > 100
    assert sorted(corrections()) == list("abcdef")


@pytest.mark.parametrize(("line", "row"), rows(), ids=lambda value: str(value) if isinstance(value, int) else "")
def test_every_row_has_a_test_or_says_why_not(line: int, row: str) -> None:
    text = with_references(line, row)
    named = [*TEST.finditer(text)]
    files = FILE.findall(text)
    assert named or files or any(words in text for words in WHY_NOT), f"{PAGE}:{line} names no test: {row}"
    assert [path for path in files if not (ROOT / path).exists()] == []
    for found in named:
        kind = "class" if found["name"].startswith("Test") else "def"
        assert f"{kind} {found['name']}" in all_tests(), f"{PAGE}:{line} names {found[0]}, which is no test"
        assert not found["group"] or f"class {found['group']}" in all_tests()


@cache
def all_tests() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("test_*.py")))
