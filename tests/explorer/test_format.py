"""What Python writes for the explorer's page and what its TypeScript reads have the same fields and types."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from latwin.explorer import format as written
from latwin.explorer.recording import COUNTERS

READER = Path(__file__).parents[2] / "explorer" / "src" / "format.ts"
UNIONS = (UnionType, Union)
PLAIN = {int: "number", str: "string", bool: "boolean", NoneType: "null", Any: "unknown"}


def in_typescript(annotation: Any) -> str:
    """The type of what JSON makes of a value, as TypeScript writes it."""
    if annotation in PLAIN:
        return PLAIN[annotation]
    if is_typeddict(annotation):
        return str(annotation.__name__)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " | ".join(map(json.dumps, arguments))
    types = [in_typescript(argument) for argument in arguments]
    if origin in UNIONS:
        return " | ".join(types)
    if origin is tuple:
        return f"[{', '.join(types)}]"
    if origin is Mapping:
        return f"Record<{', '.join(types)}>"
    assert origin is Sequence, f"{annotation} has no known form in TypeScript"
    return f"({types[0]})[]" if get_origin(arguments[0]) in UNIONS else f"{types[0]}[]"


def fields_of(document: type) -> dict[str, str]:
    """The fields of a TypedDict as TypeScript writes them, an optional one with a question mark."""
    fields = {}
    for name, annotation in get_type_hints(document, include_extras=True).items():
        is_optional = get_origin(annotation) is NotRequired
        fields[name + "?" * is_optional] = in_typescript(get_args(annotation)[0] if is_optional else annotation)
    return fields


def interfaces_in(source: str) -> dict[str, dict[str, str]]:
    """The fields of the interfaces in a TypeScript file; the names of a tuple's entries are left out."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", source, flags=re.DOTALL)
    found = {}
    for name, body in re.findall(r"export interface (\w+) \{(.*?)\n\}", code, flags=re.DOTALL):
        fields = (" ".join(field.split()).partition(": ") for field in body.split(";") if field.strip())
        found[name] = {field: re.sub(r"\b\w+: ", "", kind) for field, _, kind in fields}
    return found


def test_both_sides_have_the_same_fields() -> None:
    documents = {name: value for name, value in vars(written).items() if is_typeddict(value)}
    expected = {name: fields_of(document) for name, document in documents.items()}
    assert set(expected) >= {"Header", "SpecOutline", "Chunk", "StateColumns", "PartColumns"}
    assert interfaces_in(READER.read_text(encoding="utf-8")) == expected


def test_both_sides_have_the_same_counters() -> None:
    listed = re.search(r"COUNTERS = \[(.*?)\]", READER.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert listed is not None
    assert tuple(re.findall(r"\w+", listed[1])) == COUNTERS


def test_the_comparison_sees_names_types_and_what_is_optional() -> None:
    source = """
    /** A comment; with: signs. */
    export interface Some {
      from: number; // another: one;
      told?: [slide: number, cut: number[] | null][];
      cut: (number[] | 0)[];
    \n}
    """
    assert interfaces_in(source) == {
        "Some": {"from": "number", "told?": "[number, number[] | null][]", "cut": "(number[] | 0)[]"}
    }
    assert in_typescript(Sequence[tuple[int, Sequence[int] | None]]) == "[number, number[] | null][]"
    assert in_typescript(Sequence[Sequence[int] | Literal[0]]) == "(number[] | 0)[]"
    assert in_typescript(Mapping[str, Any]) == "Record<string, unknown>"
