"""`latwin init`: a first spec that loads, fits the log, and says only what the log says."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import EVENTS, OFFICE, failure, objects, run, write
from documents import ROOT
from latwin import Monitor, Spec
from latwin.cli.first_spec import first_spec
from latwin.cli.survey import MOST_VALUES, Survey, survey
from latwin.cli.window_choice import SMALL, choose_window
from latwin.events import Envelope
from latwin.sim import random_computation

pytestmark = pytest.mark.usefixtures("plain")

ELECTION = str(ROOT / "examples/election/servers.log")


def event(process: str, clock: dict[str, int], group: str | None = None, **state: Any) -> dict[str, Any]:
    return {**({} if group is None else {"group": group}), "process": process, "clock": clock, "state": state}


def seen(*events: dict[str, Any]) -> Survey:
    return survey(Envelope(group=event.get("group", ""), event=event) for event in events)


def spec_text(*events: dict[str, Any]) -> str:
    found = seen(*events)
    return first_spec("log", found, choose_window(list(found.processes), events))


def uncommented(text: str) -> str:
    """The text with its examples as if the user wanted them all."""
    lines = [line.removeprefix("# ") if is_example(line) else line for line in text.splitlines()]
    return "\n".join(lines)


def is_example(line: str) -> bool:
    return line.startswith(("# never = ", "# perhaps = ", "# surely = ", "# in_order = ", "# in_sum = "))


def properties(text: str) -> dict[str, str]:
    return dict(Spec.loads(uncommented(text)).properties)


# -- the command -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log", "processes"),
    [([EVENTS], ("phone", "rfid", "projector")), ([ELECTION, "--format", "shiviz"], ("s1", "s2", "s3"))],
    ids=["office", "election"],
)
def test_check_takes_the_spec_as_it_is(tmp_path: Path, log: list[str], processes: tuple[str, ...]) -> None:
    out = str(tmp_path / "spec.toml")
    told = run("init", *log, "--out", out)
    assert told.exit_code == 0
    assert told.stdout == ""
    assert f"latwin check {out} {' '.join(log)}" in told.stderr
    assert Spec.load(out).processes == processes
    checked = run("check", out, *log, "--json")
    assert checked.exit_code == 0
    (summary,) = [line["summary"] for line in objects(checked.stdout) if "summary" in line]
    assert summary["rejected"] == 0
    assert summary["delivered"] == summary["events"]
    Path(out).write_text(uncommented(Path(out).read_text()))
    with_examples = run("check", out, *log, "--json")
    (summary,) = [line["summary"] for line in objects(with_examples.stdout) if "summary" in line]
    assert len(summary["properties"]) == 3
    assert summary["properties"]["perhaps"]["true_slides"]
    assert with_examples.exit_code == 1  # `perhaps` stands under `never`


def test_the_whole_text() -> None:
    """All of it comes from the log."""
    assert run("init", EVENTS).stdout == (ROOT / "tests/cli/first_office_spec.toml").read_text()


def test_nothing_is_written_over_unless_forced(tmp_path: Path) -> None:
    out = write(tmp_path / "spec.toml", "mine")
    assert failure("init", EVENTS, "--out", out) == f"{out} exists; --force writes over it"
    assert Path(out).read_text() == "mine"
    assert run("init", EVENTS, "--out", out, "--force").exit_code == 0
    assert Spec.load(out).processes == ("phone", "rfid", "projector")


def test_standard_input_and_output() -> None:
    text = (OFFICE / "events.jsonl").read_text()
    printed = run("init", "-", "--format", "jsonl", "--out", "-", stdin=text).stdout
    assert printed.startswith("# A first specification for standard input: 204 events of 3 processes.\n")
    assert Spec.loads(printed).processes == ("phone", "rfid", "projector")


def test_a_log_that_cannot_be_used(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", '{"process": "a", "clock": {"a": 2}}\n')
    told = run("init", log)
    assert (told.exit_code, told.stdout) == (2, "")
    assert "1 problem in the log; mend it, or go on without them by --lenient" in told.stderr
    assert failure("init", write(tmp_path / "log.jsonl", "hello\n")).startswith(f"{log}: ")


# -- the text ----------------------------------------------------------------------------------------


def test_values_are_shown_by_kind() -> None:
    text = spec_text(
        event("a b", {"a b": 1}, on=True, load=3, name="x", mixed=None, pos={"lat": 1.5}, tags=["t"]),
        event("a b", {"a b": 2}, on=True, load=7, name='say "no"\n\x7f', mixed=2, pos={"lat": -2}, tags=[]),
    )
    assert [line for line in text.splitlines() if line.startswith("#   `a b`.")] == [
        "#   `a b`.on       true",
        "#   `a b`.load     whole numbers from 3 to 7",
        '#   `a b`.name     "x", "say \\"no\\"\\n\\u007f"',
        "#   `a b`.mixed    2; null",
        "#   `a b`.pos.lat  numbers from -2 to 1.5",
        "#   `a b`.tags     list",
    ]
    assert Spec.loads(text).processes == ("a b",)


def test_many_and_long_values() -> None:
    long = "x" * 50
    events = [event("a", {"a": k}, id=f"{k}", text=long) for k in range(1, MOST_VALUES + 5)]
    text = spec_text(*events)
    assert f'"1", "2", "3", "4", "5" and {MOST_VALUES:,} or more' in text
    assert f'#   a.text  "{"x" * 37}..."' in text


def test_groups_are_told_and_the_spec_is_for_all() -> None:
    text = spec_text(
        event("a", {"a": 1}, "one", x=1), event("b", {"b": 1}, "two", x=1), event("b", {"b": 2}, "two", x=2)
    )
    assert '# The events are of 2 groups: "one", "two". The spec is for all of them;\n' in text
    assert Spec.loads(text).processes == ("a", "b")
    assert "groups" not in spec_text(event("a", {"a": 1}, x=1))


def test_examples_fit_the_variables() -> None:
    """Truth values first, then names of few kinds, then numbers; of each process its most telling variable."""
    events = [
        event("a", {"a": 1}, at="10:01", on=False, n=1),
        event("a", {"a": 2}, at="10:02", on=True, n=2),
        event("b", {"b": 1}, at="10:01", room="hall", n=1),
        event("b", {"b": 2}, at="10:02", room="lab", n=5),
        event("b", {"b": 3}, at="10:03", room="hall", n=5),
        event("c", {"c": 1}, n=1),
        event("c", {"c": 2}, n=9),
    ]
    assert properties(spec_text(*events)) == {
        "perhaps": "possibly(a.on and b.room == 'lab')",
        "surely": "definitely(a.on and b.room == 'lab')",
        "in_sum": "possibly(a.n + b.n > 5)",
    }


def test_examples_on_one_process() -> None:
    assert properties(spec_text(event("a", {"a": 1}, on=False))) == {
        "perhaps": "possibly(not a.on)",
        "surely": "definitely(not a.on)",
        "in_order": "possibly(seq(not a.on, any*, not not a.on))",
    }


def test_without_variables_there_is_nothing_to_ask() -> None:
    text = spec_text(event("a", {"a": 1}))
    assert "# No variables were seen, so there is nothing to ask yet." in text
    assert "never" not in text
    assert properties(text) == {}


# -- the window --------------------------------------------------------------------------------------


def computation(processes: int, events: int, sends: float) -> tuple[list[str], list[dict[str, Any]]]:
    names = [f"p{k}" for k in range(processes)]
    made = random_computation(processes, events, sends, seed=1)
    return names, [
        {"process": names[process], "clock": dict(zip(names, clock, strict=True)), "state": {}}
        for process, clock, _ in made
    ]


def largest_lattice(names: list[str], events: list[dict[str, Any]], size: int) -> int:
    """By counting the cuts of every slide."""
    spec = Spec.from_dict({"processes": names, "window": size})
    counts: list[int | None] = []
    monitor = Monitor(spec, on_slide=lambda slide: counts.append(slide.count_cuts()))
    for each in events:
        monitor.observe(each)
    return max(count or 0 for count in counts)


@pytest.mark.parametrize("processes", [2, 3, 5, 12])
def test_the_window_is_the_largest_with_small_lattices(processes: int) -> None:
    names, events = computation(processes, 120, 0.3)
    choice = choose_window(names, events)
    assert choice.delivery == "fifo"
    for trial in choice.trials:
        largest = largest_lattice(names, events, trial.size)
        assert trial.largest == (largest if largest <= SMALL else None)
    small = [trial.size for trial in choice.trials if trial.largest is not None]
    assert choice.size == (max(small) if small else 2)
    assert choice.is_small == bool(small)


def test_a_log_written_host_by_host_is_delivered_causally() -> None:
    """In its own order, what the first host heard of the second has not come yet."""
    names, events = computation(2, 200, 0.9)
    by_host = sorted(events, key=lambda each: each["process"])
    found = seen(*by_host)
    choice = choose_window(names, by_host)
    assert choice.delivery == "causal"
    assert choice.refused is not None
    text = first_spec("log", found, choice)
    spec = Spec.loads(text)
    assert spec.delivery == "causal"
    assert f"# {choice.refused.empty} of 200 slides had no consistent cut." in text
    monitor = Monitor(spec, on_slide=lambda slide: empty.append(slide.least is None))
    empty: list[bool] = []
    for each in by_host:
        monitor.observe(each)
    assert not any(empty)
    assert len(empty) == 200


def test_many_states_may_wait_where_many_will() -> None:
    names, events = computation(2, 60, 0.9)
    by_host = sorted(events, key=lambda each: each["process"])
    found = seen(*by_host)
    found.groups[""] = 12_345
    text = first_spec("log", found, choose_window(names, by_host))
    assert Spec.loads(text).max_waiting == 12_345


NAMES = st.text(min_size=1, max_size=4) | st.sampled_from(
    ["a", "b", "in", "a b", "'", '"', "`", "\\", "\n", "#", "ä"]
)
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | NAMES | st.lists(st.integers(), max_size=2)
STATES = st.dictionaries(NAMES, VALUES | st.dictionaries(NAMES, VALUES, max_size=2), max_size=3)


@given(st.lists(st.tuples(NAMES, STATES), min_size=1, max_size=6))
def test_any_names_and_values(told: list[tuple[str, Any]]) -> None:
    """Whatever a log holds, the spec loads, its examples parse, and no line of it does harm to a terminal."""
    counts: dict[str, int] = {}
    events = []
    for process, state in told:
        if not process.isascii() and not process.isprintable():
            process = "odd"
        counts[process] = counts.get(process, 0) + 1
        events.append({"process": process, "clock": {process: counts[process]}, "state": state})
    text = spec_text(*events)
    assert all(char.isprintable() or char == "\n" for char in text)
    tomllib.loads(text)
    assert Spec.loads(text).processes == tuple(counts)
    assert len(Spec.loads(uncommented(text)).properties) in (0, 3)
    assert json.dumps(text)
