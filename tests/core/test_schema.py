"""The JSON Schema of a specification says what `Spec` says, as far as structure goes."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from commands import run
from documents import ROOT, blocks
from latwin import Spec, SpecError
from latwin.fields import Fields, VariablesTable, json_schema
from wrong_specs import NO_SPEC

SCHEMA = Draft202012Validator(json_schema())
COPY = ROOT / "docs" / "spec.schema.json"
#: mistakes that no schema sees: they lie between fields, or inside texts
BEYOND_A_SCHEMA = (
    "names the unknown",
    "listed twice",
    "lacks a size",
    "`states`: ",
    "`roles`: ",
    "no process matches",
    "one or more processes",
    "a duration with its unit",
    "a duration longer than 0",
    "`window.states` must be",
    "`window.time` is missing",
    "`variables.text`: ",
)


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(json_schema())


def test_every_field_is_described_and_nothing_else_is_allowed() -> None:
    made = json_schema()
    for table, fields in ((made, Fields), (made["$defs"]["VariablesTable"], VariablesTable)):
        assert list(table["properties"]) == list(fields.__struct_fields__)
        assert all(field["description"] for field in table["properties"].values())
        assert table["additionalProperties"] is False


def test_the_command_prints_it_and_the_documentation_has_a_copy() -> None:
    printed = run("schema").stdout
    assert json.loads(printed) == json_schema()
    assert COPY.read_text(encoding="utf-8") == printed, "run: latwin schema > docs/spec.schema.json"


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*/spec.toml")), ids=lambda path: path.parent.name)
def test_it_accepts_the_examples(path: Any) -> None:
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    Spec.from_dict(document)
    SCHEMA.validate(document)


def test_it_accepts_what_the_documentation_shows() -> None:
    for page in ("README.md", "docs/spec.md", "docs/guides/logs.md"):
        for block in blocks(page, "toml"):
            SCHEMA.validate(tomllib.loads(block.text))


def test_it_accepts_what_a_spec_gives_back() -> None:
    spec = Spec.from_dict({"processes": ["a", "b"], "window": {"a": None, "b": 3}, "variables": {"text": "(?<x>.)"}})
    SCHEMA.validate(spec.to_dict())


@pytest.mark.parametrize(("text", "message"), [(text, message) for text, _, message in NO_SPEC])
def test_it_rejects_what_a_spec_rejects_for_its_structure(text: str, message: str) -> None:
    document = tomllib.loads(text)
    with pytest.raises(SpecError):
        Spec.from_dict(document)
    assert SCHEMA.is_valid(document) == any(words in message for words in BEYOND_A_SCHEMA)


def test_it_rejects_what_is_missing() -> None:
    assert not SCHEMA.is_valid({"processes": ["a"]})
    assert not SCHEMA.is_valid({"window": 4})
