"""What a file is, by its beginning: made-up logs in every format, plain and compressed, from files and pipes."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from latwin import InvalidInput
from latwin.cli import app
from latwin.clocks.traces import TRACE_FORMATS
from latwin.formats import format_of, parse_log, read_file, validate
from latwin.formats.endings import UNCLOCKED, TraceFormat
from latwin.formats.recognise import BEGINNING, is_told, recognise, step_format, unrecognised
from latwin.formats.shape import key_paths
from made_up_logs import LOGS, MadeUp

PACKED: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "zstd": lambda content: bytes(pa.compress(content, codec="zstd", asbytes=True)),
}


def run(*arguments: object, stdin: bytes | None = None) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)


@pytest.mark.parametrize("name", LOGS)
def test_every_format_is_recognised(name: str) -> None:
    log = LOGS[name]
    found = recognise(log.text.encode())
    assert found is not None
    assert (found.format, found.because) == (log.format, log.because)
    windows = "\ufeff" + log.text.replace("\n", "\r\n")
    assert recognise(windows.encode()) == found
    assert step_format(log.text.encode()) == (log.format if log.format in TRACE_FORMATS else "jsonl")


@pytest.mark.parametrize("is_piped", [False, True])
@pytest.mark.parametrize("packing", PACKED)
@pytest.mark.parametrize("name", LOGS)
def test_every_format_is_read_without_an_option(tmp_path: Path, name: str, packing: str, is_piped: bool) -> None:
    """Whatever it is called, however it is compressed, also from standard input: two events, one knows the other."""
    log, path = LOGS[name], tmp_path / "some.log"
    content = PACKED[packing](log.text.encode())
    path.write_bytes(content)
    source, stdin = ("-", content) if is_piped else (path, None)
    clocks = ["--clocks"] if log.format in UNCLOCKED else []
    result = run("inspect", source, "--json", *clocks, stdin=stdin)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (len(found["processes"]), found["problems"]) == (2, [])
    clock = list(found["processes"].values())[1]["first"]
    assert list(clock.values()) == [1, 1]
    converted = run("convert", source, *clocks, stdin=stdin)
    assert converted.exit_code == 0
    assert len(converted.stdout.splitlines()) == found["events"]


@pytest.mark.parametrize("name", [name for name, log in LOGS.items() if log.format not in UNCLOCKED])
def test_a_recognised_log_reads_as_its_format_does(name: str) -> None:
    log = LOGS[name]
    assert parse_log(log.text, "auto") == parse_log(log.text, log.format)


def test_a_table_is_recognised(tmp_path: Path) -> None:
    table, path = tmp_path / "t.parquet", tmp_path / "table"
    log = tmp_path / "l"
    log.write_text(LOGS["govector"].text)
    assert run("convert", log, "--out", table).exit_code == 0
    table.rename(path)
    assert json.loads(run("inspect", path, "--json").stdout)["events"] == 2
    assert json.loads(run("inspect", "-", "--json", stdin=path.read_bytes()).stdout)["events"] == 2
    assert len(read_file(path, "auto").events) == 2


@pytest.mark.parametrize("name", [name for name, log in LOGS.items() if log.format in UNCLOCKED])
def test_what_has_no_clocks_leads_to_the_command_that_derives_them(tmp_path: Path, name: str) -> None:
    spec, log, events = tmp_path / "spec.toml", tmp_path / "some log", tmp_path / "events.jsonl"
    spec.write_text(
        'processes = ["a", "b"]\nwindow = 4\n[properties]\nboth = "possibly(a.open == 1 and b.open == 1)"\n'
    )
    log.write_text(LOGS[name].text)
    for command in (["check", spec], ["lattice", spec], ["explore", spec, "--no-open"], ["inspect"], ["convert"]):
        result = run(*command, log)
        assert result.exit_code == 2
        assert f"which have no clocks; derive them first: latwin clocks '{log}' --out events.jsonl" in result.stderr
    piped = run("inspect", "-", stdin=LOGS[name].text.encode())
    assert (piped.exit_code, "which have no clocks; add --clocks" in piped.stderr) == (2, True)
    assert run("clocks", log, "--out", events).exit_code == 0
    derived, given = run("check", spec, events), run("check", spec, log, "--clocks")
    assert given.stdout.replace(str(log), "") == derived.stdout.replace(str(events), "")
    as_lines = [json.loads(line) for line in run("convert", log, "--clocks").stdout.splitlines()]
    again = [json.loads(line) for line in events.read_text().splitlines()]
    assert [(row["process"], row["clock"], row["state"]) for row in as_lines] == [
        (row["process"], row["clock"], row["state"]) for row in again
    ]


def test_rejected_spans_are_problems_of_the_log(tmp_path: Path) -> None:
    log = tmp_path / "trace.json"
    document = json.loads(LOGS["zipkin"].text)
    log.write_text(json.dumps([*document, {"traceId": "x"}, document[0]]))
    strict = run("inspect", log, "--clocks")
    assert strict.exit_code == 1
    assert f"{log}: the span has no timestamp" in strict.stderr
    assert f"{log}: group '{document[0]['traceId']}': the span {document[0]['id']} came before" in strict.stderr
    assert run("convert", log, "--clocks").exit_code == 2
    assert len(run("convert", log, "--clocks", "--lenient").stdout.splitlines()) == 4


def test_names_of_trace_formats_are_the_same_everywhere() -> None:
    assert get_args(TraceFormat) == TRACE_FORMATS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello\nworld\n", "line 1 is 'hello'"),
        ("\n\n  hello " + "x" * 100, "line 3 is 'hello " + "x" * 74 + "...'"),
        ('{"host": "a", "vc": {"a": 1}}\n', "latwin convert --format jsonl --name process=host --name clock=vc "),
        ('{"x": 1}\n', "latwin convert --format jsonl --name process=PROCESS --name clock=CLOCK "),
        ('a {"b": 1}\n', "latwin convert --format shiviz --parser '(?<host>\\S+) (?<clock>{.*}) (?<event>.*)' "),
        ("[1, 2", "tried JSON lines, ShiViz (an expression on line 1, "),
    ],
)
def test_what_cannot_be_told_is_explained(tmp_path: Path, text: str, words: str) -> None:
    log, spec = tmp_path / "some.log", tmp_path / "spec.toml"
    log.write_text(text)
    spec.write_text('processes = ["a"]\nwindow = 2\n')
    for command in (["inspect"], ["convert"], ["check", spec]):
        result = run(*command, log)
        assert result.exit_code == 2
        assert f"{log}: its format cannot be told: line " in result.stderr
        assert words in result.stderr


def test_the_command_that_is_named_works(tmp_path: Path) -> None:
    log = tmp_path / "own.log"
    log.write_text('{"host": "a", "vc": {"a": 1}}\n{"host": "b", "vc": {"a": 1, "b": 1}}\n')
    command = run("inspect", log).stderr.partition("such as: latwin ")[2].split()
    assert run(*command).exit_code == 0


def test_nothing_is_a_log_without_events(tmp_path: Path) -> None:
    log, spec = tmp_path / "empty.log", tmp_path / "spec.toml"
    log.write_text("\n")
    spec.write_text('processes = ["a"]\nwindow = 2\n')
    assert "0 events" in run("check", spec, log).stdout
    assert "no events found" in run("inspect", log).stderr
    with pytest.raises(InvalidInput, match="there is nothing in it"):
        format_of(b"\n")


def test_a_name_counts_where_nothing_else_tells() -> None:
    assert recognise(b'{"x": 1}\n', "some.jsonl") == ("jsonl", "its name")
    assert recognise(b"nothing", "some.jsonl.gz") == ("jsonl", "its name")
    assert recognise(b'{"x": 1}\n', "some.log") is None


def test_a_given_format_wins(tmp_path: Path) -> None:
    log = tmp_path / "two.log"
    log.write_text(LOGS["govector"].text)
    assert run("inspect", log, "--format", "poset").exit_code == 1
    assert json.loads(run("inspect", log, "--format", "govector", "--json").stdout)["events"] == 2
    assert (
        json.loads(run("inspect", log, "--parser", r"(?<host>a) (?<clock>{.*})\n(?<event>.*)", "--json").stdout)[
            "events"
        ]
        == 1
    )


def test_names_of_ones_own_are_recognised_if_they_are_given() -> None:
    assert recognise(b'{"svc": "a", "vc": {"a": 1}}\n', names={"process": "svc", "clock": "vc"}) == (
        "jsonl",
        "events of processes",
    )


@pytest.mark.parametrize("name", ["otlp", "jaeger", "zipkin", "otlp, indented", "jaeger, indented", "zipkin, traces"])
def test_a_document_is_recognised_by_its_beginning(name: str) -> None:
    """However it is cut off behind the names that tell."""
    log = LOGS[name]
    for size in range(400, len(log.text), 37):
        found = recognise(log.text[:size].encode())
        assert found is not None
        assert found.format == log.format


@given(st.binary(max_size=300) | st.text(alphabet='{}[]":,ab1\\ \n()<>?', max_size=200).map(str.encode))
def test_any_bytes_have_a_format_or_an_explanation(content: bytes) -> None:
    if recognise(content) is None:
        assert str(unrecognised(content, "LOG"))
    is_told(content)


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet='ab"\\', max_size=2), inner, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_names_in_a_document_and_their_paths(value: Any) -> None:
    def expected(value: Any, path: str, depth: int) -> set[str]:
        if isinstance(value, list):
            return set().union(*(expected(each, f"{path}[]", depth - 1) for each in value))
        if not isinstance(value, dict) or depth <= 0:
            return set()
        paths = {name: f"{path}.{json.dumps(name, ensure_ascii=False)[1:-1]}" for name in value}
        inner = (expected(each, paths[name], depth - 1) for name, each in value.items())
        return {found.removeprefix(".") for found in paths.values()}.union(*inner)

    text = json.dumps(value, ensure_ascii=False)
    assert key_paths(text) == expected(value, "", 5)
    for size in range(len(text)):
        assert key_paths(text[:size]) <= key_paths(text)


def test_a_stream_of_json_is_told_by_its_first_line() -> None:
    line = b'{"process": "a", "clock": {"a": 1}}'
    assert not is_told(line)
    assert is_told(line + b"\n")
    for wrong in (b"oops\n", b'{"broken\n', b"\n"):
        assert is_told(wrong + line + b"\n")
        assert recognise(wrong + line + b"\n") == ("jsonl", "events of processes")
    assert not is_told(b'a {"a": 1}\nsent\n')


REAL = {
    "facebook": (47, 1, 0),
    "facebook-multiple": (88, 2, 0),
    "multiple-comparison": (40, 5, 0),
    "reliable-broadcast": (116, 1, 1),
    "simple-reliable-broadcast": (39, 1, 0),
    "simpledb": (509, 1, 0),
    "voldemort-simple-threadnames": (863, 1, 1),
    "ewd998-begin": (66, 1, 47),
}


@pytest.mark.skipif("LATWIN_DATA" not in os.environ, reason="LATWIN_DATA names no folder with real logs")
@pytest.mark.parametrize("name", REAL)
def test_real_logs_are_read_without_an_option(name: str) -> None:
    log = read_file(Path(os.environ["LATWIN_DATA"]) / f"{name}.log", "auto")
    assert (len(log.events), len(log.groups()), log.unmatched) == REAL[name]
    assert [*log.problems, *validate(log.events)] == []


def test_the_beginning_is_enough_for_a_long_log() -> None:
    text = "".join(f'event {k}\na {{"a": {k}}}\n' for k in range(1, 20_000))
    assert len(text) > BEGINNING
    assert recognise(text.encode()[:BEGINNING]) == MadeUp("", "shiviz", "ShiViz's own expression")[1:]
