"""What is said about mistakes in a specification: a wrong input of every kind, with its whole message.

The message of a TOML text shows the line of the mistake and a caret; `expected` puts them there.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from latwin import Spec, SpecError
from latwin.toml_places import names_in
from wrong_specs import NO_SPEC, NO_TOML


def expected(text: str, place: tuple[int, int], message: str, name: str = "spec") -> str:
    line, column = place
    shown = text.split("\n")[line - 1].rstrip()
    return f"{name}: line {line}, column {column}: {message}\n    {shown}\n{' ' * (column + 3)}^"


@pytest.mark.parametrize(("text", "place", "message"), NO_TOML + NO_SPEC)
def test_a_mistake_is_told_with_its_place(text: str, place: tuple[int, int], message: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as raised:
        Spec.loads(text)
    assert str(raised.value) == expected(text, place, message)
    assert (raised.value.line, raised.value.column) == place
    file = tmp_path / "spec.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SpecError) as raised:
        Spec.load(file)
    assert str(raised.value) == expected(text, place, message, str(file))


def test_what_is_missing_has_no_place() -> None:
    with pytest.raises(SpecError) as raised:
        Spec.loads('processes = ["a"]')
    assert str(raised.value) == (
        'spec: `window` is missing; give a whole number from 1 to 16,384, a duration such as "5m", '
        '"unlimited" or a table'
    )
    assert raised.value.line is None


def test_a_dictionary_has_no_places() -> None:
    with pytest.raises(SpecError) as raised:
        Spec.from_dict({"processes": ["a"], "windows": 4})
    assert str(raised.value) == "spec: unknown field `windows`; did you mean `window`?"
    assert (raised.value.line, raised.value.column) == (None, None)


def test_lines_may_end_as_on_windows() -> None:
    with pytest.raises(SpecError) as raised:
        Spec.loads('processes = ["a"]\r\nwindows = 4\r\n')
    assert str(raised.value) == expected("\nwindows = 4", (2, 1), "unknown field `windows`; did you mean `window`?")
    with pytest.raises(SpecError) as raised:
        Spec.loads('processes = ["a"]\r\nwindow = four\r\n')
    assert str(raised.value).startswith("spec: line 2, column 10: `four` is no value")


def test_the_place_survives_pickling() -> None:
    """Errors cross processes on Spark."""
    error = SpecError("wrong", line=2, column=3)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line, again.column) == ("wrong", 2, 3)


# -- where names stand -------------------------------------------------------------------------------

KEYS = st.sampled_from(["a", "b-c", "a b", "ä", "x.y", "'", '"', "#", ""])
SCALARS = st.sampled_from(
    ["1", "-2.5", "true", "1979-05-27 07:32:00", '"a # [{=,"', "'b'", '"""x\n"y" = 1"""', "'''\n'''"]
)


def written(key: str) -> str:
    import json

    return key if key.isascii() and key.isalnum() else json.dumps(key)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[tuple[tuple[Any, ...], int]]]:
    """A TOML text written piece by piece, and where each of its names was written."""
    text = ""
    names: list[tuple[tuple[Any, ...], int]] = []

    def write(piece: str) -> None:
        nonlocal text
        text += piece

    def value(path: tuple[Any, ...], depth: int) -> None:
        kind = draw(st.integers(0, 3)) if depth < 3 else 0
        if kind == 2:
            write("[")
            for place in range(draw(st.integers(0, 3))):
                write(draw(st.sampled_from(["", "\n", " # , ]\n"])))
                value((*path, place), depth + 1)
                write(draw(st.sampled_from(["", "\n"])) + ",")
            write("\n]" if draw(st.booleans()) else "]")
        elif kind == 3:
            write("{ ")
            for number, key in enumerate(draw(st.lists(KEYS, max_size=3, unique=True))):
                write(", " if number else "")
                field((*path,), key, depth + 1)
            write(" }")
        else:
            write(draw(SCALARS))

    def field(path: tuple[Any, ...], key: str, depth: int) -> None:
        names.append(((*path, key), len(text)))
        write(written(key) + draw(st.sampled_from(["=", " = ", "\t= "])))
        value((*path, key), depth)

    for key in draw(st.lists(KEYS, max_size=3, unique=True)):
        field((), key, 0)
        write(draw(st.sampled_from(["\n", "  # x = 1\n\n"])))
    for number in range(draw(st.integers(0, 2))):
        write("[")
        names.append((("table", str(number)), len(text)))
        write(f"table . {number} ]\n")
        for key in draw(st.lists(KEYS, max_size=2, unique=True)):
            field(("table", str(number)), key, 0)
            write("\n")
    return text, names


@given(documents())
def test_every_name_is_found_where_it_was_written(document: tuple[str, list[tuple[tuple[Any, ...], int]]]) -> None:
    import tomllib

    text, names = document
    tomllib.loads(text)  # the generator writes TOML
    assert [tuple(name) for name in names_in(text)] == names


@example('"""')
@example('"""' + "x" * 500_000)
@example("'''" + "x\\" * 100_000)
@example("a = " + "'" * 100_001)
@example("[" * 100)
@example("a = {" * 100)
@given(st.text(alphabet="[]{}=.,\"'\\\n a1#", max_size=80))
def test_any_text_has_places(text: str) -> None:
    """Also one that is no TOML."""
    assert all(0 <= name.offset < len(text) for name in names_in(text))
