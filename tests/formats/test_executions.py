"""Several executions in one file, the first lines that ShiViz reads, and lines that belong to no event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from computations import Computation, computations
from latwin.cli import app
from latwin.formats import LogEvent, Options, parse_log, read_log, validate
from latwin.formats.executions import split_executions

SHIVIZ = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"
INLINE = r"(?<host>\w+) (?<clock>{.*}) (?<event>.*)"
TWO = 'sent\na {"a":1}\ngot it\nb {"a":1, "b":1}\ndone\na {"a":2}\n'


def inspect(path: Path, *arguments: str) -> Any:
    return CliRunner().invoke(app, ["inspect", str(path), *arguments])


def events_of(computation: Computation, text: str) -> list[LogEvent]:
    return [
        LogEvent(
            f"p{state.process}", {f"p{k}": entry for k, entry in enumerate(state.clock) if entry}, text, {}, line
        )
        for line, state in enumerate(computation.states, start=1)
    ]


# -- clocks that start again -------------------------------------------------------------------------


@given(st.lists(computations(max_states=8), min_size=1, max_size=4), st.booleans())
def test_executions_that_follow_each_other_are_told_apart(runs: list[Computation], by_host: bool) -> None:
    """Whatever order their events come in, if each contradicts the one before; each begins with all of its hosts."""
    logs = [events_of(run, f"run {number}") for number, run in enumerate(runs)]
    if by_host:
        logs = [sorted(log, key=lambda event: event.process) for log in logs]
    joined = [event._replace(line=line) for line, event in enumerate((e for log in logs for e in log), start=1)]
    split = split_executions(joined)
    assert [event._replace(group="") for event in split] == joined
    assert len(validate(split)) <= len(validate(joined))
    firsts = [{event.process for event in log if event.clock[event.process] == 1} for log in logs if log]
    opened = [log[0].process for log in logs if log]
    if all(begins in before for begins, before in zip(opened[1:], firsts, strict=False)):
        sizes = [len(log) for log in logs if log]
        groups = [event.group for event in split]
        expected = (
            [str(k) for k, size in enumerate(sizes) for _ in range(size)] if len(sizes) > 1 else [""] * len(groups)
        )
        assert groups == expected


@given(computations(max_states=12), st.randoms(use_true_random=False), st.integers(0, 5))
def test_one_execution_stays_one(computation: Computation, random: Any, repeated: int) -> None:
    """Host after host, in any order, and with lines that come again."""
    events = events_of(computation, "x")
    again = random.choices(events, k=repeated) if events else []
    for log in (sorted([*events, *again], key=lambda event: event.process), [*events, *again]):
        assert split_executions(log) == log
    random.shuffle(events)
    assert split_executions(events) == events


@pytest.mark.parametrize(
    "lines",
    [
        'a {"a":1} x\na {"a":2} y\na {"a":1} x\n',  # a line that came again
        'a {"a":1} x\nb {"b":1} x\na {"a":1} other\nb {"b":3} x\n',  # what follows is no execution
        'a {"a":1} x\nb {"a":1,"b":1} x\na {"a":1} restarted\nb {"a":1,"b":2} x\n',  # only a lost its clock
        'a {"a":1} x\na {"a":1} y\na {"a":2} z\na {"a":2} w\n',  # two processes of one name
        'a {"a":1} x\nb {"b":1} y\na {"a":1,"b":1} y\n',  # the second run begins with a process that the first lacks
    ],
)
def test_a_repeated_index_alone_begins_no_execution(lines: str) -> None:
    log = parse_log(lines, "shiviz", Options(parser=INLINE))
    assert list(log.groups()) == [""]
    assert "repeated" in {problem.kind for problem in validate(log.events)}


def test_executions_without_a_word_between_them(tmp_path: Path) -> None:
    log = tmp_path / "two.log"
    log.write_text('a {"a":1}\nstarted\nb {"a":1,"b":1}\nfirst\na {"a":1}\nstarted\nb {"b":1}\nsecond\n')
    found = json.loads(inspect(log, "--json").stdout)
    assert [(group["group"], group["events"]) for group in found["groups"]] == [("0", 2), ("1", 2)]
    rows = [json.loads(line) for line in CliRunner().invoke(app, ["convert", str(log)]).stdout.splitlines()]
    assert [row["group"] for row in rows] == ["0", "0", "1", "1"]


# -- what a log says of itself -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "groups", "first"),
    [
        (f"{SHIVIZ}\n", ["0", "1"], 2),
        (f"{SHIVIZ}\n\n", ["0", "1"], 3),
        (f"{SHIVIZ}\n^=== (?<trace>.*) ===$\n", ["one", "two"], 4),
        ("\n^=== (?<trace>.*) ===$\n", ["one", "two"], 4),
        (f"{SHIVIZ}\n^=== .* ===$\n", ["0", "1"], 4),
        ("", ["one", "two"], 2),
    ],
)
def test_the_first_lines_as_shiviz_reads_them(header: str, groups: list[str], first: int) -> None:
    """The expression, then the delimiter, either of which may be blank; people leave the second line out."""
    parts = ("=== one ===\n", "=== two ===\n") if header == "" or "===" in header else ("", "")
    text = f"{header}{parts[0]}{TWO}{parts[1]}{TWO.replace('done', 'over')}"
    events = read_log(text, "auto")
    assert [event.group for event in events] == [groups[0]] * 3 + [groups[1]] * 3
    assert events[0].line == first
    assert events == read_log(text, "shiviz")
    assert validate(events) == []


def test_a_second_line_that_is_an_event_is_no_delimiter() -> None:
    events = read_log(f'{INLINE}\na {{"a":1}} x\na {{"a":2}} y\n', "shiviz")
    assert [(event.line, event.text) for event in events] == [(2, "x"), (3, "y")]


@pytest.mark.parametrize("is_text_first", [True, False])
def test_words_between_equals_signs_may_be_an_events(is_text_first: bool) -> None:
    texts = ["boot", "=== ready ===", "run"]
    pairs = [(text, f'a {{"a":{k}}}') for k, text in enumerate(texts, start=1)]
    lines = [line for text, clock in pairs for line in ((text, clock) if is_text_first else (clock, text))]
    assert [(event.group, event.text) for event in read_log("\n".join(lines), "auto")] == [
        ("", text) for text in texts
    ]


@pytest.mark.parametrize("is_text_first", [True, False])
def test_words_between_equals_signs_name_an_execution(is_text_first: bool) -> None:
    text = "".join(f"=== {name} ===\n" + ('go\na {"a":1}\n' if is_text_first else 'a {"a":1}\ngo\n') for name in "xy")
    assert [(event.group, event.text) for event in read_log(text, "auto")] == [("x", "go"), ("y", "go")]


def test_two_executions_of_one_name() -> None:
    options = Options(parser=SHIVIZ, delimiter="^=== (?<trace>.*) ===$")
    events = read_log(f"=== run ===\n{TWO}=== run ===\n{TWO}", "shiviz", options)
    assert [event.group for event in events] == ["run"] * 3 + ["run#2"] * 3


# -- lines that belong to no event -------------------------------------------------------------------


WITHIN = r"(?<host>a) (?<clock>{.*})(?<event>)"


@pytest.mark.parametrize(
    ("text", "options", "count", "first"),
    [
        (f"{SHIVIZ}\n\n{TWO}", Options(), 0, None),
        (f"hello\n\n{TWO}\n\nbye\n", Options(parser=SHIVIZ), 2, (1, "hello")),
        # An expression that begins and ends within a line: the whole line belongs to its event.
        ('[INFO] a {"a":1} sent\nnoise\n[INFO] a {"a":2} done\n', Options(parser=WITHIN), 1, (2, "noise")),
        ('one\ntwo\na {"a":1} trailing\n', Options(parser=SHIVIZ), 1, (1, "one")),
        (f"=== x ===\nintro\n\n{TWO}=== y ===\n{TWO}", Options(parser=SHIVIZ, delimiter="^=== .*$"), 1, (2, "intro")),
        (f'{INLINE}\nfirst\na {{"a":1}} x\nlast', Options(), 2, (2, "first")),
    ],
)
def test_lines_without_an_event_are_counted_once(
    text: str, options: Options, count: int, first: tuple[int, str] | None
) -> None:
    log = parse_log(text, "shiviz", options)
    assert (log.unmatched, log.first_unmatched) == (count, first)


@given(st.lists(st.sampled_from(["event", "noise", "", "  "]), max_size=12))
def test_every_line_is_an_events_or_counted_or_blank(kinds: list[str]) -> None:
    lines, number = [], 0
    for kind in kinds:
        number += kind == "event"
        lines.append(f'[x] a {{"a":{number}}} go' if kind == "event" else kind)
    log = parse_log("\n".join(lines), "shiviz", Options(parser=INLINE))
    noise = [place for place, kind in enumerate(kinds, start=1) if kind == "noise"]
    assert (len(log.events), log.unmatched) == (number, len(noise))
    assert (log.first_unmatched.number if log.first_unmatched else None) == (noise[0] if noise else None)


def test_the_first_of_them_is_shown(tmp_path: Path) -> None:
    log, spec = tmp_path / "a.log", tmp_path / "s.toml"
    log.write_text(f"hello {'x' * 100}\n\n{TWO}bye\n")
    spec.write_text('processes = ["a", "b"]\nwindow = 4\n')
    words = f"2 lines belong to no event; the first is line 1: hello {'x' * 74}..."
    assert words in inspect(log).stdout.replace("\n", " ")
    assert words in CliRunner().invoke(app, ["check", str(spec), str(log)]).stderr
    log.write_text(f"{TWO}bye\n")
    assert "1 line belongs to no event; line 7: bye" in inspect(log).stdout
    assert json.loads(inspect(log, "--json").stdout)["first_unmatched_line"] == 7
