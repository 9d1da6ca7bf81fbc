"""`latwin advise`: sizes and agreement as a slow count has them, the recommendation, and its reasons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import EVENTS, IN_STEPS, OFFICE, SOME_EVENTS, SPEC, TWO, failure, objects, run, write
from latwin import Monitor, Spec
from latwin.cli.recommendation import recommend
from latwin.cli.window_trials import Agreement, Trial
from latwin.slide import Slide
from oracle import BruteForce

pytestmark = pytest.mark.usefixtures("plain")


def slides(window: int | None) -> list[Slide]:
    """All slides of the office's events, looked at one by one."""
    found: list[Slide] = []
    monitor = Monitor(Spec.from_dict({**Spec.load(SPEC).to_dict(), "window": window}), on_slide=found.append)
    for line in (OFFICE / "events.jsonl").read_text().splitlines():
        monitor.observe(json.loads(line))
    return found


def sizes_at_each_slide(window: int) -> list[int]:
    processes = list(Spec.load(SPEC).processes)
    lattice, found = BruteForce(len(processes), window), []
    for slide in slides(window):
        assert slide.process is not None
        assert slide.clock is not None
        lattice.push(processes.index(slide.process), slide.clock)
        found.append(len(lattice))
    return found


@pytest.mark.slow
def test_what_is_told_is_what_was_there() -> None:
    (document,) = objects(run("advise", SPEC, EVENTS, "--windows", "3,2", "--json", "--seconds", "600").stdout)
    assert (document["events"], document["events_left_out"]) == (204, False)
    assert [trial["window"] for trial in document["windows"]] == [2, 3]
    whole = slides(None)
    for trial in document["windows"]:
        sizes = sizes_at_each_slide(trial["window"])
        assert trial["slides"] == len(sizes) == 204
        assert trial["mean_cuts"] == pytest.approx(sum(sizes) / 204)
        assert trial["most_cuts"] == max(sizes)
        assert trial["slides_without_cut"] == sizes.count(0)
        assert trial["slides_too_large"] == trial["slides_beyond_max_cuts"] == 0
        assert trial["measured_slide_us"] > 0
        own = slides(trial["window"])
        for name, agreement in trial["agreement"].items():
            pairs = [(a.values[name], b.values[name]) for a, b in zip(own, whole, strict=True)]
            assert agreement == {
                "against": "whole log",
                "compared": 204,
                "agree": sum(a == b for a, b in pairs),
                "only_window": sum(a is True and b is False for a, b in pairs),
                "only_other": sum(a is False and b is True for a, b in pairs),
                "share": pytest.approx(sum(a == b for a, b in pairs) / 204),
            }
    assert document["recommended"]["window"] in (2, 3)


def test_people_get_tables_and_a_sentence() -> None:
    result = run("advise", SPEC, EVENTS)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "204 events"
    assert " ".join(lines[1].split()) == "window cuts (mean) cuts (most) no cut too large slide (measured)"
    assert [line.split()[0] for line in lines[2:6]] == ["2", "4", "8", "16"]
    assert " ".join(lines[7].split()) == "property compared with window 2 window 4 window 8 window 16"
    assert [line.split()[:3] for line in lines[8:11]] == [
        [name, "whole", "log"] for name in ("mute", "perhaps", "hitch")
    ]
    assert result.stdout.rpartition("\n\n")[2].startswith("window = ")


def test_few_events_are_enough_and_more_can_be_left_out(tmp_path: Path, two: str) -> None:
    (document,) = objects(run("advise", two, "--json", "--events", "1", stdin=SOME_EVENTS).stdout)
    assert (document["events"], document["events_left_out"]) == (1, True)
    assert document["windows"][0]["slides"] == 1
    shown = run("advise", two, "--events", "1", stdin=SOME_EVENTS).stdout
    assert shown.startswith("1 event, the first ones; --events takes more\n")
    bare = write(tmp_path / "bare.toml", 'processes = ["a", "b"]\nwindow = 1\n')
    assert "window = 2: nothing could be compared" in run("advise", bare, stdin=SOME_EVENTS).stdout


def test_groups_are_tried_each_and_counted_together(two: str) -> None:
    rows = [json.loads(line) for line in SOME_EVENTS.splitlines() if line]
    text = "".join(json.dumps({**row, "group": group}) + "\n" for row in rows for group in "xyz")
    (one,) = objects(run("advise", two, "--json", stdin=SOME_EVENTS).stdout)
    (three,) = objects(run("advise", two, "--json", stdin=text).stdout)
    for single, tripled in zip(one["windows"], three["windows"], strict=True):
        assert tripled["slides"] == 3 * single["slides"]
        assert tripled["mean_cuts"] == single["mean_cuts"]
        for name, agreement in tripled["agreement"].items():
            assert agreement["share"] == single["agreement"][name]["share"]


@pytest.mark.slow
def test_where_the_whole_log_is_too_large_the_largest_window_stands_in(tmp_path: Path) -> None:
    spec = write(tmp_path / "spec.toml", "max_cuts = 20\n" + TWO.replace(*IN_STEPS))
    rows = [
        {"process": name, "clock": {name: index}, "state": {"x": index % 3, "y": index % 2}}
        for index in range(1, 60)
        for name in "ab"
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (document,) = objects(run("advise", spec, "--json", "--windows", "2,4,8", stdin=text).stdout)
    small, medium, large = document["windows"]
    assert {name: agreement["against"] for name, agreement in small["agreement"].items()} == {
        "both": "whole log",  # a conjunction needs no lattice
        "first": "whole log",
        "sum": "window 4",
    }
    assert medium["agreement"]["sum"]["share"] == 1.0
    assert 0 < large["slides_too_large"] == large["slides_beyond_max_cuts"]
    assert document["recommended"]["window"] in (2, 4)
    assert "max_cuts" in run("advise", spec, "--windows", "2,4,8", stdin=text).stdout


def test_wrong_sizes_and_no_events_are_told(two: str) -> None:
    for sizes in ("", "0", "2,x", "999999"):
        assert failure("advise", two, "--windows", sizes, stdin=SOME_EVENTS) == (
            f"--windows must be sizes from 1 to 16,384, such as 2,4,8; got {sizes!r}"
        )
    assert failure("advise", two, stdin="") == "-: there are no events to try windows on"


# -- the recommendation ------------------------------------------------------------------------------

ASKED = Spec.from_dict(
    {"processes": ["a", "b"], "window": 1, "properties": {"d": "definitely(a.x)", "p": "possibly(a.x)"}}
)


def trial(window: int, agree: int, **fields: Any) -> Trial:
    """A hundred slides, so many of which agree."""
    made = Trial(window, slides=100, counted=100, cuts=100 * window, most_cuts=2 * window)
    for name, value in fields.items():
        setattr(made, name, value)
    against = fields.get("against", "whole log")
    made.agreements = {"d": Agreement(against, 100, agree, 0, 100 - agree), "p": Agreement(against, 100, 0, 0, 100)}
    return made


@pytest.mark.parametrize(
    ("trials", "window", "why"),
    [
        ([trial(2, 90), trial(4, 99), trial(8, 100)], 4, "smallest that agrees with the whole log"),
        ([trial(2, 100), trial(4, 100)], 2, "at 100.0% of the slides, and it has 2 cuts on average"),
        ([trial(2, 90), trial(4, 99, too_large=1)], 2, "the only one that is not too large"),
        ([trial(2, 90), trial(4, 99, beyond=1)], 2, "the only one that is not too large"),
        ([trial(2, 90), trial(4, 99, cuts=10**8)], 2, "the only one that is not too large"),
        ([trial(2, 90, too_large=1), trial(4, 99, too_large=9)], 2, "even windows of 2 make lattices that are too"),
        ([trial(2, 100, empty=30), trial(4, 99)], 4, "smallest"),
        ([trial(2, 100, empty=90), trial(4, 100, empty=90)], 2, "no cut, whatever the window; try --order causal"),
        ([trial(2, 90, against="window 4"), trial(4, 100, against="window 4")], 4, "largest window tried (window 4)"),
        ([trial(2, 100, empty=50), trial(4, 90)], 2, "agrees"),
    ],
)
def test_the_smallest_window_that_loses_nothing_is_recommended(trials: list[Trial], window: int, why: str) -> None:
    advice = recommend(ASKED, trials)
    assert advice.window == window
    assert why in advice.why
