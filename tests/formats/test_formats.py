"""Logs that people already have: every format, wrong clocks of every kind, and real logs with known counts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from latwin import InvalidInput
from latwin.cli import app
from latwin.formats import FORMATS, LogEvent, Options, parse_log, read_log, validate

AKKA = r"\[\w+\] \[(?<date>([^ ]+ [^ ]+))\] [^ ]+ \[akka://\w+/user/(?<host>\w+)\] (?<clock>.*\}) (?<event>.*)"
FACEBOOK = (
    r"(?<ip>(\d{1,3}\.){3}\d{1,3}) (?<date>(\d{1,2}/){2}\d{4} (\d{2}:){2}\d{2} (AM|PM)) "
    r"(?<action>(INFO|GET|POST)) (?<event>.*)\n(?<host>\w*) (?<clock>.*)"
)
SHIVIZ = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"
REAL = [
    ("facebook", FACEBOOK, 4, 47, 123),
    ("simple-reliable-broadcast", AKKA, 3, 39, 382),
    ("reliable-broadcast", AKKA, 4, 116, 21_222),
    ("simpledb", SHIVIZ, 5, 509, 1_541_953),
]
TWO = 'sent\na {"a":1}\ngot it\nb {"a":1, "b":1}\ndone\na {"a":2}\n'


def inspect(path: Path, *arguments: str) -> Any:
    return CliRunner().invoke(app, ["inspect", str(path), *arguments])


@pytest.mark.skipif("LATWIN_DATA" not in os.environ, reason="LATWIN_DATA names no folder with real logs")
@pytest.mark.parametrize(("name", "parser", "processes", "events", "cuts"), REAL)
def test_real_logs(name: str, parser: str, processes: int, events: int, cuts: int) -> None:
    result = inspect(Path(os.environ["LATWIN_DATA"]) / f"{name}.log", "--parser", parser, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (len(found["processes"]), found["events"], found["cuts"]) == (processes, events, cuts)
    assert found["problems"] == []


@pytest.mark.parametrize(
    ("text", "format", "options"),
    [
        (TWO, "shiviz", Options(parser=SHIVIZ)),
        (TWO, "shiviz", Options(parser=SHIVIZ.replace("(?<", "(?P<"))),
        (f"{SHIVIZ}\n{TWO}", "shiviz", Options()),
        (f"{SHIVIZ}\n\n{TWO}", "shiviz", Options()),
        (TWO, "shiviz", Options()),
        (TWO.replace('"', '\\"'), "shiviz", Options()),
        ('a {"a":1}\nsent\nb {"a":1, "b":1}\ngot it\na {"a":2}\ndone\n', "govector", Options()),
        (
            '{"p": "a", "vc": {"a": 1}, "e": "sent"}\n\n{"p": "b", "vc": {"a": 1, "b": 1, "c": 0}, "e": "got it"}\n'
            '{"p": "a", "vc": {"a": 2}, "e": "done"}',
            "jsonl",
            Options(names={"process": "p", "clock": "vc", "event": "e"}),
        ),
        (
            '{"TracerIdentity": "a", "VectorClock": {"a": 1}, "Tag": "sent", "Body": {"x": 1}}\n'
            '{"TracerIdentity": "b", "VectorClock": {"a": 1, "b": 1}, "Tag": "got it", "Body": {}}\n'
            '{"TracerIdentity": "a", "VectorClock": {"a": 2}, "Tag": "done"}\n',
            "tracing",
            Options(),
        ),
        (
            '{"node": "a", "event": "sent", "pkt": {"vc": {"a": 1}}}\n'
            '{"node": "b", "event": "got it", "pkt": {"vc": {"a": 1, "b": 1}}}\n'
            '{"node": "a", "event": "done", "pkt": {"vc": {"a": 2}}}\n',
            "tla",
            Options(),
        ),
    ],
)
def test_the_same_log_in_every_format(text: str, format: str, options: Options) -> None:
    events = read_log(text, format, options)
    assert [(event.process, event.clock, event.text) for event in events] == [
        ("a", {"a": 1}, "sent"),
        ("b", {"a": 1, "b": 1}, "got it"),
        ("a", {"a": 2}, "done"),
    ]
    assert validate(events) == []


def test_posets_and_fields() -> None:
    events = read_log("# two processes\n0:(1,0)\n1:(1,1) got it\n", "poset")
    assert events == [LogEvent("0", {"0": 1}, "", {}, 2), LogEvent("1", {"0": 1, "1": 1}, "got it", {}, 3)]
    (first, *_) = read_log('{"TracerIdentity": "a", "VectorClock": {"a": 1}, "Body": {"x": 1}}', "tracing")
    assert first.fields == {"x": 1}
    (match,) = read_log(
        '[7] a {"a": 1} go', "shiviz", Options(parser=r"\[(?<n>\d+)\] (?<host>\w) (?<clock>{.*}) (?<event>.*)")
    )
    assert (match.fields, match.text) == ({"n": 7}, "go")


@pytest.mark.parametrize("format", ["shiviz", "govector", "jsonl", "tla"])
def test_line_ends_and_marks_of_windows(format: str) -> None:
    text = {
        "shiviz": f"{SHIVIZ}\n{TWO}",
        "govector": 'a {"a":1}\nsent\n',
        "jsonl": '{"process": "a", "clock": {"a": 1}}\n',
        "tla": '{"node": "a", "pkt": {"vc": {"a": 1}}}\n',
    }[format]
    assert read_log("\ufeff" + text.replace("\n", "\r\n"), format) == read_log(text, format)


def test_an_event_without_words_does_not_swallow_the_next() -> None:
    events = read_log('a {"a":1}\n\nb {"b":1}\nhello\n', "govector")
    assert [(event.process, event.text) for event in events] == [("a", ""), ("b", "hello")]


def test_traces_of_tracers_that_began_before() -> None:
    """A tracer's first event is not recorded, and its clock goes on over its traces."""
    rows = [
        ("a", {"a": 2}, 1),
        ("b", {"a": 2, "b": 2}, 1),
        ("b", {"a": 2, "b": 3}, 2),
        ("a", {"a": 3, "b": 3}, 2),
    ]
    text = "".join(
        json.dumps({"TracerIdentity": name, "VectorClock": clock, "Tag": "T", "Body": {}, "TraceID": trace}) + "\n"
        for name, clock, trace in rows
    )
    events = read_log(text, "tracing")
    assert [event.clock for event in events] == [{"a": 1}, {"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}]
    assert [event.fields for event in events] == [{"TraceID": trace} for _, _, trace in rows]
    assert validate(events) == []


def test_constants_before_a_trace_are_no_events() -> None:
    text = '{"N": 5}\n{"node": 0, "event": ">", "pkt": {"vc": {"0": 1}, "snd": 0}}\n'
    log = parse_log(text, "tla")
    assert (len(log.events), log.problems, log.unmatched) == (1, [], 1)
    assert log.events[0].fields == {"pkt": {"snd": 0}}


def test_executions_are_groups() -> None:
    text = f"=== first ===\n{TWO}=== second ===\n{TWO}"
    options = Options(parser=SHIVIZ, delimiter="^=== (?<trace>.*) ===$")
    events = read_log(text, "shiviz", options)
    assert [event.group for event in events] == ["first"] * 3 + ["second"] * 3
    assert [event.line for event in events] == [2, 4, 6, 9, 11, 13]
    assert validate(events) == []
    numbered = read_log(f"{TWO}\n---\n{TWO}", "shiviz", Options(parser=SHIVIZ, delimiter="^---$"))
    assert [event.group for event in numbered] == ["0"] * 3 + ["1"] * 3


@pytest.mark.parametrize(
    ("wrong", "line", "process", "index", "reason"),
    [
        ('a {"b": 1}', 3, "a", 0, "the clock lacks its own entry"),
        ('a {"a": 1}', 3, "a", 1, "its own entry is that of line 1"),
        ('a {"a": 4}', 3, "a", 4, "a gap: 2 to 3 of this process is missing"),
        ('a {"a": 3}', 3, "a", 3, "a gap: 2 of this process is missing"),
        ('b {"b": 2}', 3, "b", 2, "going backwards: 'a' was 1 one event before, and is 0"),
        ('a {"a": 2, "c": 1}', 3, "a", 2, "the clock names 'c', which has no event"),
        ('b {"a": 7, "b": 2}', 3, "b", 2, "it knows event 7 of 'a', whose last event is 1"),
        (
            'c {"b": 1, "c": 1}',
            3,
            "c",
            1,
            "not causally closed: it knows event 1 of 'b', but not event 1 of 'a', which that one knows",
        ),
    ],
)
def test_wrong_clocks_are_named(wrong: str, line: int, process: str, index: int, reason: str) -> None:
    parser = r"(?<host>\w+) (?<clock>{.*})(?<event>)"
    events = read_log(f'a {{"a": 1}}\nb {{"a": 1, "b": 1}}\n{wrong}\n', "shiviz", Options(parser=parser))
    (problem,) = validate(events)
    assert (problem.line, problem.process, problem.index, problem.reason) == (line, process, index, reason)


def test_two_events_cannot_know_each_other() -> None:
    problems = validate(read_log("0:(1,1)\n1:(1,1)\n", "poset"))
    assert [problem.kind for problem in problems] == ["unclosed", "unclosed"]
    assert problems[0].reason == "it knows event 1 of '1', which knows this one already"


@pytest.mark.parametrize(
    ("text", "format", "options", "words"),
    [
        ("x", "shviz", Options(), "unknown format 'shviz'; formats are auto, govector, jsonl, parquet, "),
        ("sent\na 1\n", "shiviz", Options(), "line 1: no expression with named groups there, and no layout"),
        (TWO, "shiviz", Options(parser="(?<host>\\w+"), "parser: not a regular expression"),
        (TWO, "shiviz", Options(parser="(?<host>\\w+) (?<clock>.*)"), "lacks the named group 'event'"),
        (TWO, "shiviz", Options(parser=SHIVIZ, delimiter="("), "delimiter: not a regular expression"),
        ("a {a:1}\nx\n", "govector", Options(), "line 1: the clock is no JSON object of whole numbers: '{a:1}'"),
        (
            'a {"a":-1}\nx\n',
            "govector",
            Options(),
            "line 1: the clock's entry for 'a' must be a whole number from 0 below 2**62; got -1",
        ),
        ("[1]", "jsonl", Options(), "line 1: expected a JSON object"),
        ('{"clock": {}}', "jsonl", Options(), "line 1: `process` must name the process; got None"),
        ('{"process": "a", "clock": [1]}', "jsonl", Options(), "the clock must be a map from process names; got [1]"),
        ('{"node": "a"}', "tla", Options(), "the clock must be a map from process names; got None"),
        ("0:1,0", "poset", Options(), "line 1: expected pid:(v0,v1,...); got '0:1,0'"),
    ],
)
def test_what_cannot_be_read_is_told(text: str, format: str, options: Options, words: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        read_log(text, format, options)
    assert words in str(raised.value)
    assert format in FORMATS or "unknown" in words


def test_inspect_on_the_terminal(tmp_path: Path) -> None:
    log = tmp_path / "two.log"
    log.write_text(TWO)
    result = inspect(log, "--parser", SHIVIZ)
    assert result.exit_code == 0
    assert "3 events of 2 processes, 1 receipts, 5 consistent cuts" in result.stdout
    beyond = json.loads(inspect(log, "--parser", SHIVIZ, "--json", "--max-cuts", "4").stdout)
    assert beyond["cuts"] is None
    log.write_text(TWO + 'again\na {"a":2}\n')
    wrong = inspect(log, "--parser", SHIVIZ)
    assert wrong.exit_code == 1
    assert f"{log}:7: process 'a', event 2: its own entry is that of line 5" in wrong.stderr
    assert "not counted consistent cuts" in wrong.stdout
    nothing = inspect(log, "--parser", "(?<event>x)(?<host>y)(?<clock>z)")
    assert (nothing.exit_code, "no events found as shiviz" in nothing.stderr) == (2, True)
    assert "'xml' is not one of 'auto', 'jsonl', 'parquet'" in inspect(log, "--format", "xml").stderr
