"""The states that verdicts speak of: exactly those in the window at the slide, however the events are taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import objects, run, write
from computations import arrival_orders, computations
from effort import examples
from expressions import properties, states
from latwin import Monitor, Spec
from latwin.cli.sightings import Lookout, Sighting, cut_of, sight
from latwin.model import Verdict
from monitoring import events, make_spec

pytestmark = pytest.mark.usefixtures("plain")


def watched(spec: Spec, *, all_verdicts: bool, observations: bool = False) -> tuple[Monitor, Lookout]:
    lookout = Lookout(spec, all_verdicts=all_verdicts)
    return Monitor(spec, observations=observations, on_verdict=lookout), lookout


@settings(max_examples=examples(200))
@given(st.data())
def test_runs_see_what_single_events_see(data: st.DataObject) -> None:
    """And a single event sees what is in the window right after it."""
    computation = data.draw(computations(max_states=14, values=states()))
    trees = {name: data.draw(properties(computation.processes, max_leaves=6)) for name in ("p", "q")}
    spec = make_spec(computation, data.draw(st.integers(1, 4)), trees, never=["p"])
    order = events(data.draw(arrival_orders(computation)))
    observations = data.draw(st.booleans())
    monitor, lookout = watched(spec, all_verdicts=True, observations=observations)
    singly: list[tuple[Verdict, Sighting | None]] = []
    for event in order:
        before = monitor.slide
        out = monitor.observe(event)
        seen = lookout.take()
        singly += zip(out, seen, strict=True)
        if monitor.slide == before + 1:  # else several slides, and the window has moved on
            for verdict, found in zip(out, seen, strict=True):
                cut = cut_of(verdict.witness)
                if cut is not None:
                    assert found == sight(spec, verdict.property, cut, monitor)
    together, lookout = watched(spec, all_verdicts=True, observations=observations)
    out = together.observe_many(order)
    assert list(zip(out, lookout.take(), strict=True)) == singly


@settings(max_examples=examples(100))
@given(st.data())
def test_the_first_violation_alone_is_looked_up_for_json(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=14, values=states()))
    trees = {name: data.draw(properties(computation.processes, max_leaves=6)) for name in ("p", "q")}
    spec = make_spec(computation, 3, trees, never=["p"])
    everything, all_of_them = watched(spec, all_verdicts=True)
    violations, first_of_them = watched(spec, all_verdicts=False)
    everything.observe_many(events(computation.states))
    out = violations.observe_many(events(computation.states))
    first = next((k for k, verdict in enumerate(out) if verdict.property == "p" and verdict.value), None)
    expected = [seen if k == first else None for k, seen in enumerate(all_of_them.take())]
    assert first_of_them.take() == expected


def ping_pong(count: int) -> list[dict[str, Any]]:
    """Two processes that hear of each other; `n` tells their states apart."""
    found = []
    for index in range(1, count + 1):
        value = {"on": index % 40 < 3, "n": index, "unread": "z" * 50}
        found.append({"process": "a", "clock": [index, index - 1], "state": value, "time": 1_700_000_000 + index})
        found.append({"process": "b", "clock": [index, index], "state": value, "time": 1_700_000_000 + index})
    return found


SPEC = """
processes = ["a", "b"]
window = 2
never = ["both"]
[properties]
both = "definitely(a.on and b.on and a.n > 0 and b.n > 0)"
some = "possibly(a.on and b.on and a.n > 0)"
"""


@pytest.mark.slow
def test_a_file_of_many_runs_is_told_by_the_values_of_each_slide(tmp_path: Path) -> None:
    log = write(tmp_path / "events.jsonl", "".join(json.dumps(event) + "\n" for event in ping_pong(3000)))
    spec = write(tmp_path / "spec.toml", SPEC)
    lines = [line for line in run("check", spec, log).stdout.splitlines() if "some      true   " in line]
    assert len(lines) == 76
    for number, line in enumerate(lines):
        n = 40 * number or 1
        shown = f"at ({n},{n}): a in state {n} (on=true, n={n}), b in state {n} (on=true)"
        assert line.endswith(shown)
        assert f"time {1_700_000_000 + n} (2023-11-14T" in line
    (summary,) = (
        entry["summary"] for entry in objects(run("check", spec, log, "--json").stdout) if "summary" in entry
    )
    (violation,) = summary["violations"]
    assert violation["witness"] == [1, 1]
    assert violation["states"]["b"] == {"index": 1, "state": {"on": True, "n": 1, "unread": "z" * 50}}


def test_violations_come_first_and_in_red(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    log = write(tmp_path / "events.jsonl", "".join(json.dumps(event) + "\n" for event in ping_pong(3)))
    result = run("check", write(tmp_path / "spec.toml", SPEC), log)
    assert result.exit_code == 1
    summary = result.stdout.split("\n\n")[1]
    assert summary.startswith("\x1b[1;31mnever\x1b[0m\x1b[31m: 'both' came true first at slide 2")
    assert "\n\x1b[31m  at (1,1): a in state 1 (on=true, n=1), b in state 1 (on=true, n=1)" in summary


def test_groups_with_violations_come_first_and_long_names_keep_the_columns(tmp_path: Path) -> None:
    quiet = [{**event, "group": "quiet"} for event in ping_pong(1)]
    quiet[0]["state"] = quiet[1]["state"] = {"on": False, "n": 1}
    name = "a-very-long-name-of-a-group-000042"
    loud = [{**event, "group": name} for event in ping_pong(1)]
    log = write(tmp_path / "events.jsonl", "".join(json.dumps(event) + "\n" for event in [*quiet, *loud]))
    spec = write(tmp_path / "spec.toml", SPEC)
    lines = run("check", spec, log).stdout.splitlines()
    assert lines[0] == "group               slide  state    property  value"
    assert lines[1].startswith("a-very-...000042        2  b#1      both      true ")
    headers = [line for line in lines if line.startswith("group ")]
    assert headers[1:] == [f"group {name}", "group quiet"]
    as_json = [entry["group"] for entry in objects(run("check", spec, log, "--json").stdout) if "summary" in entry]
    assert as_json == ["quiet", name]


def test_widths_are_bounded(tmp_path: Path) -> None:
    names = [f"process-{k}-{'x' * 100}" for k in range(12)]
    variables = [f"v{k}" for k in range(6)]
    condition = " and ".join(f"`{name}`.{variable} == 'y'" for name in names for variable in variables)
    text = f'processes = {json.dumps(names)}\nwindow = 2\n[properties]\np = """possibly({condition})"""\n'
    spec = write(tmp_path / "spec.toml", text.replace("'y'", f"'{'y' * 200}'"))
    state = dict.fromkeys(variables, "y" * 200)
    rows = [{"process": name, "clock": {name: 1}, "state": state} for name in names]
    result = run("check", spec, stdin="".join(json.dumps(row) + "\n" for row in rows))
    line = result.stdout.splitlines()[1]
    assert len(line) < 3000
    assert ", 2 more)" in line
    assert line.endswith(", and 4 more")
