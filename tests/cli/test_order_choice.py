"""The order in which a file is taken if nobody says: the file's, unless it leaves the lattice empty."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import host_by_host
from commands import failure, objects, run, write
from computations import computations
from latwin import Monitor, Spec
from latwin.events import Envelope
from latwin.events.reading import EventReader
from latwin.events.variables import Variables
from latwin.formats import read_log, to_events
from latwin.order_choice import can_be_empty, choose, count_empty, in_causal_order

pytestmark = pytest.mark.usefixtures("plain")

SPEC = Spec.loads(host_by_host.SPEC)
WITH_STATES = host_by_host.SPEC.replace('[variables]\ntext = "(?<op>ask|take|idle)"\n', "")


def envelopes(events: list[dict[str, Any]]) -> list[Envelope]:
    found = [EventReader().line(json.dumps(event).encode()) for event in events]
    return [envelope for envelope in found if envelope is not None]


@pytest.fixture
def spec(tmp_path: Path) -> str:
    return write(tmp_path / "spec.toml", host_by_host.SPEC)


@pytest.fixture
def log(tmp_path: Path) -> str:
    return write(tmp_path / "hosts.log", host_by_host.shiviz())


# -- the choice itself ---------------------------------------------------------------------------------


@given(computations(min_processes=2, max_states=14), st.integers(1, 3), st.randoms(use_true_random=False))
def test_what_is_counted_is_what_a_monitor_counts(computation: Any, window: int, random: Any) -> None:
    """With the properties, the states, and events that no monitor takes; for several groups."""
    names = [f"p{k}" for k in range(computation.processes)]
    fields = {"processes": names, "window": window, "properties": {"p": "possibly(p0.x)"}}
    found = Spec.from_dict({**fields, "max_waiting": 3, "waiting_policy": "skip"})
    rows = [
        {"group": group, "process": names[state.process], "clock": list(state.clock), "state": {"x": 1}}
        for state in computation.states
        for group in ("north", "south")
    ]
    rows += [{"group": "north", "process": "p0", "clock": [9]}, {"group": "south", "process": "x", "state": {}}]
    random.shuffle(rows)
    expected = []
    for group in ("north", "south"):
        monitor = Monitor(found)
        monitor.observe_many([row for row in rows if row["group"] == group])
        expected.append((monitor.counters.delivered, monitor.counters.empty))
    there = count_empty(envelopes(rows), found)
    assert (there.slides, there.empty) == tuple(map(sum, zip(*expected, strict=True)))
    assert not there.has_arrival


def test_too_many_waiting_end_the_count() -> None:
    strict = Spec.from_dict({"processes": ["a", "b"], "window": 2, "max_waiting": 1})
    events = [{"process": "a", "clock": [k, 0], "state": {}} for k in (1, 3, 4, 2)]
    assert count_empty(envelopes(events), strict)[:2] == (1, 0)


def test_the_causal_order_is_that_of_the_option() -> None:
    events = read_log(host_by_host.shiviz(), "govector")
    by_option = to_events(events, Variables(SPEC.variables), order="causal")
    by_choice = in_causal_order(to_events(events, Variables(SPEC.variables)))
    assert [envelope.event for envelope in by_choice] == [envelope.event for envelope in by_option]


@pytest.mark.parametrize(
    ("fields", "answer"),
    [({}, True), ({"delivery": "causal"}, False), ({"window": None}, False), ({"processes": ["a"]}, False)],
)
def test_whether_an_order_matters(fields: dict[str, Any], answer: bool) -> None:
    assert can_be_empty(Spec.from_dict({"processes": ["a", "b"], "window": 3, **fields})) == answer


@given(computations(min_processes=2, max_states=14), st.integers(1, 2))
def test_where_none_can_be_empty_none_is(computation: Any, window: int) -> None:
    names = [f"p{k}" for k in range(computation.processes)]
    rows = [
        {"process": names[state.process], "clock": list(state.clock), "state": {}} for state in computation.states
    ]
    for fields in ({"window": window, "delivery": "causal"}, {"window": None}):
        assert count_empty(envelopes(rows), Spec.from_dict({"processes": names, **fields})).empty == 0


def test_no_better_order_keeps_that_of_the_file() -> None:
    """A window of one, and a state that knows what never came."""
    small = Spec.from_dict({"processes": ["a", "b"], "window": 1})
    events = envelopes([{"process": "a", "clock": [k, 9], "state": {}} for k in (1, 2)])
    chosen = choose(events, small)
    assert chosen.envelopes == events
    assert chosen.order == ("file", "the lattice is empty at 2 of 2 slides, and in causal order at 2")


# -- the command line ------------------------------------------------------------------------------------


def test_a_log_host_by_host_is_taken_in_causal_order(spec: str, log: str) -> None:
    result = run("check", spec, log, "--format", "govector")
    why = (
        "in the order of the file the lattice is empty at 55 of 60 slides, in causal order at 0; "
        "--order file takes the order of the file"
    )
    assert result.stderr == f"{log}: taken in causal order: {why}\n"
    assert result.exit_code == 1
    assert "no cut" not in result.stdout
    causal = run("check", spec, log, "--format", "govector", "--order", "causal")
    assert (causal.stdout, causal.stderr) == (result.stdout, "")
    result = run("check", spec, log, "--format", "govector", "--json")
    assert objects(result.stdout)[-1]["summary"]["order"] == {"used": "causal", "why": why}
    assert result.stderr == ""


def test_the_order_of_the_file_can_be_asked_for(spec: str, log: str) -> None:
    """Then what comes true is not found, and the summary says why."""
    result = run("check", spec, log, "--format", "govector", "--order", "file")
    assert (
        "  no cut at 55 of 60 slides, where every property is false: the order of the events is not an order of "
        "arrival; try --order causal, or larger windows"
    ) in result.stdout.splitlines()
    assert result.exit_code == 0
    summary = objects(run("check", spec, log, "--format", "govector", "--order", "file", "--json").stdout)[-1][
        "summary"
    ]
    assert (summary["empty"], summary["delivered"]) == (55, 60)
    assert summary["order"] == {"used": "file", "why": "it was asked for"}


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_json_lines_and_parquet_too(tmp_path: Path, ending: str) -> None:
    spec = write(tmp_path / "spec.toml", WITH_STATES)
    path = write(tmp_path / "hosts.jsonl", "what is no event\n" + host_by_host.lines())
    if ending == "parquet":
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        rows = [{**event, "clock": list(event["clock"].items())} for event in host_by_host.events()]
        clock = ("clock", pa.map_(pa.string(), pa.int64()))
        schema = pa.schema([("process", pa.string()), clock, ("state", pa.struct([("op", pa.string())]))])
        path = str(tmp_path / "hosts.parquet")
        pq.write_table(pa.Table.from_pylist(rows, schema), path)
    result = run("check", spec, path, "--format", ending, "--json")
    summary = objects(result.stdout)[-1]["summary"]
    assert result.exit_code == 1
    assert (summary["order"]["used"], summary["empty"], summary["delivered"]) == ("causal", 0, 60)
    assert summary["rejected"] == (ending == "jsonl")
    piped = objects(run("check", spec, "-", "--json", stdin=host_by_host.lines()).stdout)[-1]["summary"]
    assert piped["order"] == {"used": "file", "why": "the events come live"}
    assert piped["empty"] == 55


def test_events_with_arrival_keep_their_order(tmp_path: Path) -> None:
    spec = write(tmp_path / "spec.toml", WITH_STATES)
    path = write(tmp_path / "hosts.jsonl", host_by_host.lines(arrival=7))
    summary = objects(run("check", spec, path, "--json").stdout)[-1]["summary"]
    assert summary["order"]["used"] == "file"
    assert summary["order"]["why"].endswith("but the events have `arrival`; try --order arrival")
    assert objects(run("check", spec, path, "--json", "--order", "arrival").stdout)[-1]["summary"]["order"] == {
        "used": "arrival",
        "why": "it was asked for",
    }


def test_a_file_in_an_order_of_arrival_is_read_as_it_is(tmp_path: Path) -> None:
    spec = write(tmp_path / "spec.toml", WITH_STATES)
    ordered = [envelope.event for envelope in in_causal_order(envelopes(host_by_host.events()))]
    path = write(tmp_path / "ordered.jsonl", "".join(json.dumps(event) + "\n" for event in ordered))
    result = run("check", spec, path)
    assert result.stderr == ""
    assert run("check", spec, path, "--order", "file").stdout == result.stdout
    summary = objects(run("check", spec, path, "--json").stdout)[-1]["summary"]
    assert summary["order"] == {"used": "file", "why": "the lattice is empty at 0 of 60 slides"}
    causal = write(tmp_path / "causal.toml", 'delivery = "causal"\n' + WITH_STATES)
    summary = objects(run("check", causal, path, "--json").stdout)[-1]["summary"]
    assert summary["order"] == {"used": "file", "why": "with this spec no order leaves the lattice empty"}


def test_explore_and_lattice_choose_too(spec: str, log: str, tmp_path: Path) -> None:
    page = str(tmp_path / "page.html")
    result = run("explore", spec, log, "--format", "govector", "-o", page, "--no-open", "--json")
    assert objects(result.stdout)[0]["order"]["used"] == "causal"
    assert objects(result.stdout)[0]["notes"] == []
    result = run("explore", spec, log, "--format", "govector", "-o", page, "--no-open", "--order", "file")
    assert "note: no cut at 55 of 60 slides, where every property is false\n" in result.stderr
    result = run("lattice", spec, log, "--format", "govector", "--at", "30")
    assert f"{log}: taken in causal order" in result.stderr
    assert "no cut" not in result.stdout


def test_a_missing_file_is_told_as_before(spec: str) -> None:
    assert failure("check", spec, "nowhere.jsonl") == "nowhere.jsonl: No such file or directory"


@pytest.mark.skipif("LATWIN_DATA" not in os.environ, reason="LATWIN_DATA names no folder with real logs")
def test_a_real_log_that_lists_one_host_after_the_other(tmp_path: Path) -> None:
    log = str(Path(os.environ["LATWIN_DATA"]) / "simpledb.log")
    options = ["--format", "shiviz", "--parser", r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"]
    rows = objects(run("convert", log, *options).stdout)
    processes = sorted({row["process"] for row in rows})
    one, other = processes[:2]
    text = f"possibly(`{one}`.event != '' and `{other}`.event != '')"
    head = f'processes = {json.dumps(processes)}\nwindow = 8\nnever = ["some"]\n'
    spec = write(tmp_path / "spec.toml", f"{head}[properties]\nsome = {json.dumps(text)}\n")
    result = run("check", spec, log, *options, "--json")
    summary = objects(result.stdout)[-1]["summary"]
    assert (result.exit_code, summary["order"]["used"], summary["empty"]) == (1, "causal", 0)
    result = run("check", spec, log, *options, "--json", "--order", "file")
    summary = objects(result.stdout)[-1]["summary"]
    assert (summary["delivered"], summary["empty"]) == (509, 461)
