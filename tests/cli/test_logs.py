"""From logs to verdicts: variables that keep their values, wrong events left out, `check` and `convert`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from computations import Computation, computations
from latwin import Monitor, Spec, SpecError
from latwin.cli import app
from latwin.events import Envelope, Place
from latwin.events.variables import Variables
from latwin.formats import LogEvent, mend, read_file, to_events, validate
from raft_log import RAFT, SPEC


def run(*arguments: str | Path, stdin: str | None = None) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)


@pytest.fixture
def raft(tmp_path: Path) -> tuple[Path, Path]:
    spec, log = tmp_path / "raft.toml", tmp_path / "raft.log"
    spec.write_text(SPEC)
    log.write_text(RAFT)
    return spec, log


# -- variables ---------------------------------------------------------------------------------------


def as_log(computation: Computation) -> list[LogEvent]:
    return [
        LogEvent(
            f"p{state.process}",
            {f"p{k}": entry for k, entry in enumerate(state.clock) if entry},
            "",
            {} if state.value is None else {"x": state.value},
            line,
        )
        for line, state in enumerate(computation.states, start=1)
    ]


@given(computations(values=st.sampled_from([None, 1, 2])), st.randoms(use_true_random=False))
def test_a_variable_keeps_its_value_until_it_changes(computation: Computation, random: Any) -> None:
    events = as_log(computation)
    random.shuffle(events)
    for placed, event in zip(to_events(events, Variables()), events, strict=True):
        index = event.clock[event.process]
        own = [other for other in events if other.process == event.process and other.clock[other.process] <= index]
        said = [other.fields["x"] for other in sorted(own, key=lambda e: e.clock[e.process]) if other.fields]
        assert placed.event["state"].get("x") == (said[-1] if said else None)
        assert placed.line == event.line


def test_variables_from_text_and_fields() -> None:
    variables = Variables({"text": "(?<a>\\S+)=(?P<b>\\S+)", "fields": {"size": "pkt.size", "x": "x.y"}})
    assert variables.changes("n=3", {"pkt": {"size": 2}, "z": 1}) == {"a": "n", "b": 3, "size": 2, "event": "n=3"}
    assert variables.changes("none", {"x.y": True, "pkt": 1}) == {"x": True, "event": "none"}
    listed = Variables({"fields": ["pkt.size", "z"]})
    assert listed.changes("", {"pkt": {"size": 2}, "z": None}) == {"size": 2, "z": None, "event": ""}
    assert Variables().changes("go", {"q": [1]}) == {"q": [1], "event": "go"}
    assert Variables({}).changes("go", {"q": [1]}) == {"event": "go"}


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7), ("-7", -7), ("007", "007"), ("1.50", 1.5), ("true", True), ("null", None), ("1e5", "1e5"), ("", "")],
)
def test_texts_that_read_as_values_are_such(text: str, value: Any) -> None:
    assert Variables({"text": "^(?<v>.*)$"}).changes(text, {})["v"] == value


def test_the_spelling_of_javascript() -> None:
    """Groups, references to them, and what only looks like a group."""
    for text, match in (("(?<q>['\"]).*\\k<q>", "'x'"), (r"\(?<(?<a>\d)", "<1"), (r"(?<=x)(?<a>\d)", "x1")):
        assert Variables({"text": text}).changes(match, {}).keys() > {"event"}


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"fields": ["a.size", "b.size"]}, "'a.size' and 'b.size' would both be 'size'; name them in a table"),
        ({"txt": "x"}, "`variables` has `text` and `fields`; got 'txt'"),
        ({"text": 3}, "`variables.text` must be a regular expression or a list of them; got 3"),
        ({"text": ["(?<a>"]}, "`variables.text`: not a regular expression"),
        ({"text": "a(b)"}, "needs a named group, such as (?<term>\\d+); got a(b)"),
        ({"fields": "x"}, "`variables.fields` must be a list of fields, or a table from names to fields; got 'x'"),
        ({"fields": [1]}, "`variables.fields` must be"),
    ],
)
def test_wrong_tables_are_explained(table: dict[str, Any], words: str) -> None:
    """Also where no spec stands before them; what a spec says is in tests/support/wrong_specs.py."""
    with pytest.raises(SpecError) as raised:
        Variables(table)
    assert words in str(raised.value)


# -- what is wrong is left out -----------------------------------------------------------------------


@given(computations(max_states=12), st.data())
def test_events_that_remain_keep_their_order(computation: Computation, data: st.DataObject) -> None:
    """Whatever events are missing: what happened before what among the others stays as it was."""
    events = as_log(computation)
    kept = [event for event in events if data.draw(st.booleans())]
    mended, problems = mend(kept)
    assert [event.line for event in mended] == [event.line for event in kept]
    assert all(problem.kind in ("gap", "unknown", "beyond") for problem in problems)
    assert validate(mended) == []
    for one, before in zip(mended, kept, strict=True):
        for other, was in zip(mended, kept, strict=True):
            knew = was.clock[was.process] <= before.clock.get(was.process, 0)
            assert (other.clock[other.process] <= one.clock.get(other.process, 0)) == knew


@given(computations(max_states=10), st.data())
def test_what_is_mended_is_right(computation: Computation, data: st.DataObject) -> None:
    names = [f"p{k}" for k in range(computation.processes)] + ["ghost"]
    events = [
        event._replace(clock=data.draw(st.dictionaries(st.sampled_from(names), st.integers(0, 5))))
        if data.draw(st.integers(0, 3)) == 0
        else event
        for event in as_log(computation)
    ]
    mended, problems = mend(events)
    assert validate(mended) == []
    assert bool(problems) == bool(validate(events))
    assert {event.line for event in mended} | {problem.line for problem in problems} >= {e.line for e in events}


# -- the command line --------------------------------------------------------------------------------


def test_check_a_log(raft: tuple[Path, Path]) -> None:
    spec, log = raft
    result = run("check", spec, log, "--format", "govector")
    assert result.exit_code == 1
    assert "two_leaders  true at 1 of 5 slides" in result.stdout
    assert f"never: 'two_leaders' came true first at slide 5, n2#3, {log}:9" in result.stdout
    assert "same_term    never true" in result.stdout
    assert run("check", spec, "-", "--format", "govector", stdin=RAFT).stdout == result.stdout.replace(str(log), "-")


EVENTS = [
    {"process": "a", "clock": {"a": 1}, "state": {"x": True}, "arrival": 1},
    *({"process": "a", "clock": {"a": k}, "state": {}, "arrival": k} for k in range(2, 6)),
]


@pytest.mark.parametrize("options", [[], ["--order", "causal"], ["--lenient"], ["--format", "parquet"]])
def test_a_state_that_an_event_carries_is_whole(tmp_path: Path, options: list[str]) -> None:
    """Whatever way it is read, unless there is a table of variables."""
    spec, events, table = tmp_path / "s.toml", tmp_path / "e.jsonl", tmp_path / "e.parquet"
    text = 'processes = ["a"]\nwindow = 2\n[properties]\nx = "possibly(a.x)"\n'
    spec.write_text(text)
    events.write_text("".join(json.dumps(event) + "\n" for event in EVENTS))
    assert run("convert", events, "--format", "jsonl", "--out", table).exit_code == 0
    path = table if "parquet" in options else events
    assert "true at 2 of 5 slides" in run("check", spec, path, *options).stdout
    spec.write_text(text + "[variables]\n")
    assert "true at 5 of 5 slides" in run("check", spec, path, *options).stdout


def test_a_table_of_variables_makes_no_mistake_of_a_repeated_event(raft: tuple[Path, Path]) -> None:
    """Duplicates and gaps are data, with it and without; records need no state then."""
    spec, _ = raft
    rows = [
        {"process": "n1", "clock": {"n1": 2}, "event": "became leader"},
        {"process": "n2", "clock": {"n2": 1}, "event": "became leader"},
        {"process": "n2", "clock": {"n2": 1}, "event": "became leader"},
        {"process": "n1", "clock": {"n1": 1}, "event": "began"},
    ]
    result = run("check", spec, stdin="".join(json.dumps(row) + "\n" for row in rows))
    assert "4 events: 3 delivered, 0 waiting, 1 duplicate, 0 rejected" in result.stdout
    assert "two_leaders  true at 1 of 3 slides" in result.stdout


def test_options_that_do_not_apply_are_refused(raft: tuple[Path, Path]) -> None:
    spec, log = raft
    for command in ("check", "lattice", "replay"):
        result = run(command, spec, log, "--format", "jsonl", "--parser", "(?<host>x)")
        assert result.exit_code == 2
        assert "--parser and --delimiter are for logs of ShiViz and GoVector; the format is jsonl" in result.stderr
    result = run("replay", spec, log, "--format", "jsonl", "--order", "causal")
    assert (result.exit_code, "--order is for logs" in result.stderr) == (2, True)


def test_check_json_lines_with_names_of_their_own(raft: tuple[Path, Path], tmp_path: Path) -> None:
    spec, _ = raft
    log = tmp_path / "own.jsonl"
    rows = [
        {"host": "n1", "vc": {"n1": 1}, "msg": "became leader"},
        {"host": "n2", "vc": [0, 1], "msg": "became leader"},
    ]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    names = ["--name", "process=host", "--name", "clock=vc", "--name", "event=msg"]
    assert "two_leaders  true at 1 of 2 slides" in run("check", spec, log, *names).stdout
    wrong = run("check", spec, log, "--name", "proc=host")
    assert (wrong.exit_code, "--name must be OURS=THEIRS, with one of process, clock" in wrong.stderr) == (2, True)


def test_executions_are_checked_one_after_another(raft: tuple[Path, Path], tmp_path: Path) -> None:
    spec, _ = raft
    log = tmp_path / "two.log"
    calm = RAFT[: RAFT.index("n2", RAFT.index("leader"))]
    log.write_text(f"== calm\n{calm}== split\n{RAFT}")
    options = ["--format", "govector", "--delimiter", "^== (?<trace>.*)$"]
    result = run("check", spec, log, *options)
    assert result.exit_code == 1
    assert "\ngroup calm\n" in result.stdout
    assert "\ngroup split\n" in result.stdout
    assert "split                   5  n2#3      two_leaders  true" in result.stdout
    rows = [json.loads(line) for line in run("check", spec, log, *options, "--json").stdout.splitlines()]
    assert [row["group"] for row in rows if "summary" in row] == ["calm", "split"]


def test_groups_of_json_lines_are_kept_apart(tmp_path: Path) -> None:
    """However their events are mixed, each group says what it says alone; numbers name groups, too."""
    spec, log = tmp_path / "s.toml", tmp_path / "l.jsonl"
    spec.write_text('processes = ["a", "b"]\nwindow = 2\n[properties]\nboth = "possibly(a.x and b.x)"\n')
    rows = [
        {"group": group, "process": process, "clock": {process: 1}, "state": {"x": group != 2}}
        for process in "ab"
        for group in ("one", 2, "")
    ]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = [json.loads(line) for line in run("check", spec, log, "--json").stdout.splitlines()]
    assert [(row.get("group"), row["verdict"]["slide"]) for row in found if "verdict" in row] == [
        ("one", 2),
        (None, 2),
    ]
    summaries = {row.get("group"): row["summary"]["delivered"] for row in found if "summary" in row}
    assert summaries == {"one": 2, "2": 2, None: 2}


def test_wrong_logs_are_refused_or_mended(raft: tuple[Path, Path], tmp_path: Path) -> None:
    spec, log = raft
    log.write_text(RAFT.replace('n2 {"n1":1, "n2":2}\ntimed out\n', "") + 'n3 {"n3":1}\nhello\nn1 {x}\n?\n')
    strict = run("check", spec, log, "--format", "govector")
    assert strict.exit_code == 2
    assert f"{log}:7: process 'n2', event 3: a gap: 2 of this process is missing" in strict.stderr
    assert (
        f"{log}:9: process 'n3', event 1: the spec does not list this process; it lists 'n1', 'n2'" in strict.stderr
    )
    assert f"{log}:11: process 'n1', event 0: the clock is no JSON object" in strict.stderr
    assert "3 problems in the log; mend it, or go on without them by --lenient" in strict.stderr
    assert "Traceback" not in strict.stderr
    lenient = run("check", spec, log, "--format", "govector", "--lenient")
    assert lenient.exit_code == 1
    assert "4 events: 4 delivered" in lenient.stdout
    assert f"{log}: 3 problems passed over" in lenient.stderr
    counted = run("check", spec, log, "--format", "govector", "--lenient", "--json").stdout.splitlines()[0]
    assert json.loads(counted) == {"log": {"path": str(log), "left_out": 3}}
    assert run("check", spec, tmp_path / "none.log", "--format", "shiviz").exit_code == 2


def test_another_format_is_suspected(raft: tuple[Path, Path]) -> None:
    spec, log = raft
    result = run("check", spec, log, "--format", "jsonl")
    assert (result.exit_code, "no line of it is an event; is it of another --format?" in result.stderr) == (2, True)
    lenient = run("check", spec, log, "--format", "jsonl", "--lenient")
    assert (lenient.exit_code, f"{log}: nothing in it reads as jsonl" in lenient.stderr) == (2, True)
    assert "is it of another --format?" in lenient.stderr


def test_the_order_of_arrival(tmp_path: Path) -> None:
    """A log that was written host after host: with windows of one state, only a causal order lets them meet."""
    spec, log = tmp_path / "s.toml", tmp_path / "l.log"
    spec.write_text(
        'processes = ["a", "b"]\nwindow = 1\n[properties]\nmet = "possibly(a.event == \'x\' and b.event == \'x\')"\n'
    )
    log.write_text('a {"a":1}\nx\na {"a":2}\ny\nb {"b":1}\nx\nb {"b":2}\ny\n')
    assert "met       never true" in run("check", spec, log, "--format", "govector").stdout
    assert "came true 1 time" in run("check", spec, log, "--format", "govector", "--order", "causal").stdout


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_convert_and_check_the_same(raft: tuple[Path, Path], tmp_path: Path, ending: str) -> None:
    spec, log = raft
    out = tmp_path / f"events.{ending}"
    result = run("convert", log, "--format", "govector", "--spec", spec, "--out", out)
    assert (result.exit_code, result.stderr) == (0, f"{out}: 5 events\n")
    direct = run("check", spec, log, "--format", "govector", "--json").stdout
    again = run("check", spec, out, "--format", ending, "--json").stdout
    assert [json.loads(line).get("verdict") for line in again.splitlines()] == [
        json.loads(line).get("verdict") for line in direct.splitlines()
    ]
    first = to_events(read_file(out, ending).events, Variables())[0]
    assert first.event["state"]["event"] == "became candidate term=1"


def test_convert_to_standard_output_takes_all_fields(tmp_path: Path) -> None:
    log = tmp_path / "t.json"
    log.write_text('{"TracerIdentity": "a", "VectorClock": {"a": 1}, "Tag": "T", "Body": {"x": 1}, "TraceID": 7}\n')
    (row,) = [json.loads(line) for line in run("convert", log, "--format", "tracing").stdout.splitlines()]
    assert row == {
        "process": "a",
        "clock": {"a": 1},
        "state": {"TraceID": 7, "x": 1, "event": "T"},
        "arrival": 0,
    }
    grouped = run("convert", log, "--format", "tracing", "--name", "group=TraceID").stdout
    assert json.loads(grouped)["group"] == "7"


@pytest.mark.skipif("LATWIN_DATA" not in os.environ, reason="LATWIN_DATA names no folder with real logs")
def test_a_real_log_by_its_words(tmp_path: Path) -> None:
    """The whole of it: the number of cuts is the known one, and a question about its texts has an answer."""
    log = Path(os.environ["LATWIN_DATA"]) / "simpledb.log"
    options = ["--format", "shiviz", "--parser", r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"]
    rows = [json.loads(line) for line in run("convert", log, *options).stdout.splitlines()]
    processes = sorted({row["process"] for row in rows})
    spec = Spec.from_dict({"processes": processes, "window": None, "properties": {}})
    assert len(rows) == 509
    assert len(spec.processes) == 5


def test_placed_events_are_plain() -> None:
    (placed,) = to_events([LogEvent("a", {"a": 1}, "go", {"x": 1}, 3, "g", 5)], Variables())
    event = {"group": "g", "process": "a", "clock": {"a": 1}, "state": {"x": 1, "event": "go"}, "time": 5}
    assert placed == Envelope(group="g", order=Place(number=0), event=event, line=3)


# -- variables in a monitor --------------------------------------------------------------------------


@given(computations(min_processes=2, values=st.sampled_from([{}, {"x": 1}, {"x": 2}, {"y": [1]}])), st.data())
def test_a_monitor_carries_variables_on(computation: Computation, data: st.DataObject) -> None:
    """With `[variables]`, events that tell what changed say the same as events with whole states; late ones too."""
    names = [f"p{k}" for k in range(computation.processes)]
    document = {
        "processes": names,
        "window": data.draw(st.integers(1, 3)),
        "initial": {"p0": {"x": 2}},
        "properties": {"same": "possibly(p0.x == 2 and p1.x == 1)", "all": "definitely(p0.x == 2 or p1.x == 1)"},
    }
    changes, whole = [], []
    latest: dict[int, dict[str, Any]] = {0: {"x": 2}}
    for state in computation.states:
        latest[state.process] = {**latest.get(state.process, {}), **state.value}
        event = {"process": names[state.process], "clock": list(state.clock)}
        changes.append({**event, "state": state.value})
        whole.append({**event, "state": latest[state.process]})
    order = data.draw(st.permutations(range(len(changes))))
    carrying = Monitor(Spec.from_dict({**document, "variables": {}}))
    plain = Monitor(Spec.from_dict(document))
    for place in order:
        assert carrying.observe(changes[place], every=True) == plain.observe(whole[place], every=True)
        if data.draw(st.booleans()):
            again = carrying.observe(changes[place])
            assert [notice.kind for notice in again.notices] in ([], ["duplicate"])
        if data.draw(st.booleans()):
            carrying = Monitor.restore(carrying.spec, carrying.snapshot())
    assert carrying.observe_many(changes) == []


def test_contradictions_are_told_with_variables_too() -> None:
    spec = Spec.from_dict({"processes": ["a"], "window": 3, "variables": {}, "properties": {}})
    monitor = Monitor(spec)
    monitor.observe({"process": "a", "clock": [1], "state": {"x": [1], "y": 2}})
    monitor.observe({"process": "a", "clock": [2], "state": {"y": 3}})
    assert monitor.states(0) == [None, {"x": [1], "y": 2}, {"x": [1], "y": 3}]
    for state, kind in (({"y": 3}, "duplicate"), ({"y": 4}, "rejected"), ({"z": 1}, "rejected"), ({}, "rejected")):
        (notice,) = monitor.observe({"process": "a", "clock": [2], "state": state}).notices
        assert notice.kind == kind


def test_the_lattice_of_one_group(raft: tuple[Path, Path], tmp_path: Path) -> None:
    spec, _ = raft
    log = tmp_path / "two.log"
    log.write_text(f"== one\n{RAFT}== two\n{RAFT}")
    options = ["--format", "govector", "--delimiter", "^== (?<trace>.*)$", "--json"]
    several = run("lattice", spec, log, *options)
    assert several.exit_code == 2
    assert "the events have several groups, such as 'one' and 'two'; choose one by --group" in several.stderr
    assert json.loads(run("lattice", spec, log, *options, "--group", "two").stdout)["slide"] == 5
    nothing = run("lattice", spec, log, *options, "--group", "three")
    assert (nothing.exit_code, "--group three: no event is of this group" in nothing.stderr) == (2, True)


@pytest.mark.parametrize("order", ["file", "causal", "arrival"])
@pytest.mark.parametrize("is_piped", [False, True])
def test_a_carriage_return_ends_no_line(tmp_path: Path, order: str, is_piped: bool) -> None:
    spec, log = tmp_path / "s.toml", tmp_path / "l.jsonl"
    spec.write_text('processes = ["a"]\nwindow = 2\n')
    text = '{"process":"a","clock":{"a":1},\r"state":{"x":1}}\n'
    log.write_bytes(text.encode())
    source = "-" if is_piped else log
    result = run("check", spec, source, "--order", order, "--json", stdin=text if is_piped else None)
    assert json.loads(result.stdout.splitlines()[-1])["summary"]["delivered"] == 1
