"""The documentation is right: its examples run and print what it says, and what it refers to exists."""

from __future__ import annotations

import ast
import importlib
import json
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from documents import PAGES, ROOT, assert_printed, blocks, console_commands, prose, run, run_python
from latwin import Spec
from latwin.fields import Fields
from latwin.spec import FREE_FIELDS

#: what these print is compared in tests of their own, because their programs run beside each other, or on Spark
WITH_OWN_TESTS = ["docs/guides/new-service.md", "docs/guides/opentelemetry.md"]
ABOUT_CODE = [page for page in PAGES if page.startswith(("README", "CONTRIB", "docs/paper-map", "docs/design/"))]


def shows_python(page: str) -> bool:
    """Whether a page has examples with what they print; programs to be run elsewhere have none."""
    return any(">>>" in block.text for block in blocks(page, "python"))


@pytest.mark.parametrize("page", [page for page in PAGES if page not in WITH_OWN_TESTS and shows_python(page)])
def test_python_examples(page: str) -> None:
    run_python(page)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in PAGES if page not in WITH_OWN_TESTS and [*blocks(page, "console")]]
)
def test_console_examples(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`$ latwin ...` prints what stands below it; a line of `...` stands for lines left out."""
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("COLUMNS", raising=False)
    for command, expected in console_commands(page):
        assert_printed(run(command), expected, command.where)


def test_every_example_has_a_page_that_shows_a_program_and_what_it_prints() -> None:
    for folder in (path for path in (ROOT / "examples").iterdir() if path.is_dir()):
        shown = [
            command.words for command, printed in console_commands(f"examples/{folder.name}/README.md") if printed
        ]
        programs = [["python", str(path.relative_to(ROOT))] for path in folder.glob("*.py")]
        assert programs
        assert all(program in shown for program in programs)


@pytest.mark.parametrize("page", PAGES)
def test_every_block_names_its_language(page: str) -> None:
    """So that no command, and no example, hides from the tests."""
    assert [block for block in blocks(page) if not block.language] == []


@pytest.mark.parametrize("page", PAGES)
def test_programs_that_are_shown_can_be_read(page: str) -> None:
    """Also those that need a broker or a cluster: they are Python, and what they import from latwin exists."""
    for block in blocks(page, "python"):
        if ">>>" in block.text:
            continue
        for node in ast.walk(ast.parse(block.text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("latwin"):
                module = importlib.import_module(node.module or "")
                missing = [alias.name for alias in node.names if not hasattr(module, alias.name)]
                assert missing == [], f"{page}:{block.line}"


@pytest.mark.parametrize("page", ["docs/spec.md", "docs/guides/logs.md"])
def test_specifications_can_be_used(page: str) -> None:
    specs = [Spec.from_dict(tomllib.loads(shown.text)) for shown in blocks(page, "toml")]
    assert any(spec.properties for spec in specs)


def test_every_field_of_a_specification_is_told_of() -> None:
    text = prose("docs/spec.md")
    for field in Fields.__struct_fields__:
        assert f"| `{field}` |" in text


def test_the_specification_in_the_readme_is_the_examples() -> None:
    (shown,) = blocks("README.md", "toml")
    assert Spec.from_dict(tomllib.loads(shown.text)) == Spec.load(ROOT / "examples/office/spec.toml")
    (event,) = blocks("README.md", "json")
    assert event.text in (ROOT / "examples/office/events.jsonl").read_text(encoding="utf-8")
    assert json.loads(event.text)["process"] == "phone"


def test_properties_that_are_shown_can_be_read() -> None:
    (shown,) = blocks("README.md", "text")
    texts = dict(enumerate(shown.text.splitlines()))
    (table,) = blocks("docs/properties.md", "toml")
    listed = tomllib.loads(table.text)["properties"]
    processes = ["phone", "rfid", "projector", "door"]
    properties = {**{f"line {k}": text for k, text in texts.items()}, **listed}
    assert len(Spec.from_dict({"processes": processes, "window": 4, "properties": properties}).trees) == 8


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = prose(page)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        aim = (ROOT / page).parent / path if path else ROOT / page
        assert aim.exists(), f"{page}: {target}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", aim.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in map(slug, headings), f"{page}: {target}"


def slug(heading: str) -> str:
    """The anchor that renderers of Markdown give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def quoted(page: str) -> list[str]:
    """What stands in backticks, lines joined."""
    return [" ".join(text.split()) for text in re.findall(r"`([^`]+)`", prose(page))]


@cache
def words() -> frozenset[str]:
    """All words of the code."""
    folders = ("src", "tests", "benchmarks", "examples")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".toml")]
    here = Path(__file__).resolve()
    texts = [path.read_text(encoding="utf-8") for path in files if path.resolve() != here]
    return frozenset(re.findall(r"\w+", "\n".join(texts)))


@pytest.mark.parametrize("page", ABOUT_CODE)
def test_paths_that_are_named_exist(page: str) -> None:
    """Files and folders, from the root, or as the pages on code write them, from one of these folders."""
    bases = (ROOT, *(ROOT / base for base in ("src/latwin", "src/latwin/lattice", "tests", "tests/support")))
    named = re.compile(r"(src|tests|benchmarks|docs|examples)/[\w./-]*|[\w./-]+\.(py|lark|toml|jsonl|md|txt)|[\w/]+/")
    made = {"spec.toml", "events.jsonl"}  # by the demo
    paths = [text for text in quoted(page) if named.fullmatch(text) and text not in made]
    assert [path for path in paths if not any((base / path).exists() for base in bases)] == []
    if page == "docs/paper-map.md":
        assert len(paths) > 50
        assert all((ROOT / path).exists() for path in paths)


def test_what_the_map_of_the_paper_names_exists() -> None:
    names = [text for text in quoted("docs/paper-map.md") if re.fullmatch(r"\w+(\.\w+)*", text)]
    assert len(names) > 80
    assert [name for name in names if not set(name.split(".")) <= words()] == []
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    for name in names:
        test = name.rpartition(".")[2]
        assert not test.startswith("test_") or f"def {test}(" in tests, name


def test_what_may_change_while_a_query_lives_is_told() -> None:
    page = " ".join(prose("docs/spark.md").split())
    names = [f"`{name}`" for name in FREE_FIELDS]
    assert f"Only {', '.join(names[:-1])} and {names[-1]} may change:" in page


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["dev"]
    names = {re.split(r"[\[<>=~! ]", requirement)[0] for requirement in wanted} - {"latwin"}
    listed = set(re.findall(r"^\| ([\w-]+) \|", prose("docs/design/dependencies.md"), re.MULTILINE)) - {"package"}
    assert names <= listed
