"""What the explorer's page is given is what the monitor and the lattice say, slide by slide."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from computations import Computation, arrival_orders, computations, windows
from envelopes import envelope
from latwin import Monitor, Spec
from latwin.cli import app
from latwin.demo.day import Demo
from latwin.explorer import columns, recording
from latwin.explorer.columns import chunk_of, pack
from latwin.explorer.format import Chunk, StateColumns
from latwin.explorer.groups import Groups
from latwin.explorer.legend import colour_of, describe_spec, parts_of
from latwin.explorer.page import content_security_policy, header_of, render_page
from latwin.explorer.recording import Recorder
from latwin.properties import compile_condition, parse_predicate
from latwin.properties.ctl import Temporal
from monitoring import events, make_spec, names
from observing import holds

Cut = tuple[int, ...]
OFFICE = Path(__file__).parents[2] / "examples" / "office"
VALUES = st.fixed_dictionaries({"x": st.booleans(), "n": st.integers(0, 3)})


def properties(processes: int) -> dict[str, str]:
    last = f"p{processes - 1}"
    return {
        "all": f"definitely({' and '.join(f'{name}.x' for name in names(processes))})",
        "some": f"possibly(p0.x and {last}.x)",
        "sum": f"possibly(p0.n + {last}.n > 3)",
        "later": f"AG(p0.x implies EF({last}.n > 1))",
        "order": f"possibly(seq(p0.x, any*, not {last}.x))",
        "likely": f"probability(p0.x or {last}.x) > 0.5",
        "both": f"possibly(p0.x) and not definitely({last}.x)",
    }


class Decoded:
    """A chunk read back as the page does it, slowly."""

    def __init__(self, written: Chunk, spec: Spec) -> None:
        self.chunk = chunk = json.loads(columns.encode(written))
        self.first = chunk["first"]
        self.processes = range(len(spec.processes))
        self.spec = spec
        self.states = [self._states(column) for column in chunk["states"]]
        delivered = [chunk["process"].count(k) for k in self.processes]
        self.newest = [
            column["from"] + len(column["index"]) - 1 - count
            for column, count in zip(chunk["states"], delivered, strict=True)
        ]
        self.lost = {(slide, process): through for slide, process, through in chunk["through"]}

    @staticmethod
    def _states(column: StateColumns) -> dict[int, dict[str, Any]]:
        clocks = list(zip(*map(sums, column["clock"]), strict=True))
        return {
            column["from"] + at: {
                "index": index,
                "clock": clocks[at],
                "variables": column["variables"][column["variables_of"][at]],
                "colours": "".join(letters[column["variables_of"][at]] for letters in column["colours"]),
                "time": column["time"][at],
            }
            for at, index in enumerate(sums(column["index"]))
        }

    def slides(self) -> Any:
        """Slide by slide: its number, oldest and newest states, cuts by state numbers."""
        for at, process in enumerate(self.chunk["process"]):
            self.newest[process] += 1
            slide = self.first + at
            oldest = [
                newest + 1 - sums(held)[at] for newest, held in zip(self.newest, self.chunk["held"], strict=True)
            ]
            for low, newest, size in zip(oldest, self.newest, self.spec.window, strict=True):
                assert low == (0 if size is None else max(0, newest - size + 1))
            yield at, slide, oldest, list(self.newest)

    def covers(self, slide: int, process: int, number: int, newest: list[int]) -> int:
        if number < newest[process]:
            return int(self.states[process][number + 1]["index"]) - 1
        return int(self.lost.get((slide, process), self.states[process][number]["index"]))

    def cuts(self, slide: int, oldest: list[int], newest: list[int]) -> list[Cut]:
        spans = [range(low, high + 1) for low, high in zip(oldest, newest, strict=True)]
        return [
            cut
            for cut in product(*spans)
            if all(
                self.states[i][cut[i]]["clock"][j] <= self.covers(slide, j, cut[j], newest)
                for i in self.processes
                for j in self.processes
                if i != j
            )
        ]

    def show(self, cut: Cut) -> Cut:
        return tuple(self.states[k][number]["index"] for k, number in enumerate(cut))


def sums(changes: Sequence[int]) -> list[int]:
    total = 0
    return [total := total + change for change in changes]


def bits(text: str | int, count: int) -> list[bool]:
    assert isinstance(text, str)
    data = b64decode(text)
    assert len(data) == (count + 7) // 8
    return [bool(data[at >> 3] >> (at & 7) & 1) for at in range(count)]


@given(st.data())
def test_the_page_knows_what_the_monitor_knows(data: st.DataObject) -> None:
    computation: Computation = data.draw(computations(max_processes=3, max_states=10, values=VALUES))
    window = data.draw(windows(computation.processes))
    arrived = events(data.draw(arrival_orders(computation, duplicates=True)))
    texts = properties(computation.processes)
    spec = make_spec(computation, window, {}, properties=texts)
    recorder = Recorder(spec).record(arrived)
    monitor = Monitor(spec, observations=True)
    verdicts = monitor.observe_many(arrived, every=True)
    chunk = chunk_of(recorder)
    if chunk is None:
        assert not verdicts
        return
    decoded = Decoded(chunk, spec)
    chunk = decoded.chunk
    by_slide = {(verdict.slide, verdict.property): verdict for verdict in verdicts}
    for at, slide, oldest, newest in decoded.slides():
        cuts = decoded.cuts(slide, oldest, newest)
        assert chunk["cuts"][at] == len(cuts)
        assert (chunk["empty"][at] == "1") == (not cuts)
        some = by_slide[slide, "all"]
        assert decoded.states[chunk["process"][at]][newest[chunk["process"][at]]]["index"] == some.index
        if cuts:
            least = tuple(low + chunk["least"][k][at] for k, low in enumerate(oldest))
            greatest = tuple(high - chunk["greatest"][k][at] for k, high in enumerate(newest))
            assert (least, greatest) == (cuts[0], cuts[-1])
            assert (decoded.show(least), decoded.show(greatest)) == (some.least, some.greatest)
        check_parts(decoded, recorder, by_slide, at, slide, oldest, cuts)
        for k, name in enumerate(texts):
            assert chunk["values"][k][at] == "01"[bool(by_slide[slide, name].value)]
            assert chunk["finals"][k][at] == {True: "1", False: "0", None: "?"}[by_slide[slide, name].final]
    assert chunk["totals"]["duplicates"] == monitor.counters.duplicates
    assert sums(chunk["counters"]["waiting"])[-1:] == [recorder.slides[-1].counters[1]]


def check_parts(
    decoded: Decoded, recorder: Recorder, verdicts: Any, at: int, slide: int, oldest: list[int], cuts: list[Cut]
) -> None:
    """Labels by brute force, and witnesses as the monitor gives them."""
    lattice = brute_force(decoded, cuts)
    for k, part in enumerate(recorder.parts):
        column = decoded.chunk["parts"][k]
        if not cuts:
            assert column["labels"][at] == column["cut"][at] == column["path"][at] == 0
            continue
        if isinstance(part.node, Temporal):
            expected = [holds(part.node.formula, lattice)[cut] for cut in lattice.cuts]
        else:
            condition = compile_condition(part.condition)
            expected = [
                condition([decoded.states[j][number]["variables"] for j, number in enumerate(cut)]) for cut in cuts
            ]
        assert bits(column["labels"][at], len(cuts)) == expected
        verdict = verdicts[slide, part.name]
        if part.name == "both":
            continue
        witness = verdict.witness
        if witness is None:
            assert column["cut"][at] == column["path"][at] == 0
        elif isinstance(witness[0], int):
            assert (
                decoded.show(tuple(low + off for low, off in zip(oldest, column["cut"][at], strict=True))) == witness
            )
        else:
            cut, shown = list(cuts[0]), [decoded.show(cuts[0])]
            for process in column["path"][at]:
                cut[process] += 1
                shown.append(decoded.show(tuple(cut)))
            assert tuple(shown) == witness
        stretch = {found[0]: tuple(found[1:]) for found in column["stretch"]}.get(slide)
        assert stretch == verdict.stretch
        assert column["because"][at] == (verdict.because or "-")[0]


def brute_force(decoded: Decoded, cuts: list[Cut]) -> Any:
    """The decoded lattice as the oracle of CTL wants it."""

    class Lattice:
        def __init__(self) -> None:
            self.cuts = cuts

        def __len__(self) -> int:
            return len(cuts)

        def next_cuts(self, cut: Cut) -> list[Cut]:
            steps = [(*cut[:k], number + 1, *cut[k + 1 :]) for k, number in enumerate(cut)]
            return [step for step in steps if step in present]

        def values_of(self, cut: Cut) -> tuple[Any, ...]:
            return tuple(decoded.states[k][number]["variables"] for k, number in enumerate(cut))

    present = set(cuts)
    return Lattice()


@given(st.data())
def test_chunks_after_each_other_say_the_same_as_one(data: st.DataObject) -> None:
    computation: Computation = data.draw(computations(min_processes=2, max_processes=3, max_states=12, values=VALUES))
    spec = make_spec(computation, data.draw(st.integers(1, 3)), {}, properties=properties(computation.processes))
    rows = events(computation.states)
    cut = data.draw(st.integers(0, len(rows)))
    recorder = Recorder(spec).record(rows[:cut])
    first = chunk_of(recorder)
    recorder.record(rows[cut:])
    second, whole = chunk_of(recorder, after=cut), chunk_of(recorder)
    assert chunk_of(recorder, after=len(rows)) is None
    if first is None or second is None or whole is None:
        assert cut in (0, len(rows))
        return
    assert [*first["process"], *second["process"]] == whole["process"]
    assert [*first["cuts"], *second["cuts"]] == whole["cuts"]
    for k in range(computation.processes):
        joined = Decoded._states(first["states"][k]) | Decoded._states(second["states"][k])
        assert joined == Decoded._states(whole["states"][k])
    for k in range(len(recorder.parts)):
        before, after = first["parts"][k]["labels"], second["parts"][k]["labels"]
        assert [*before, *after] == whole["parts"][k]["labels"]


def test_lost_states_are_covered_by_the_one_before() -> None:
    spec = Spec.from_dict(
        {
            "processes": ["a", "b"],
            "window": 3,
            "max_waiting": 1,
            "waiting_policy": "skip",
            "properties": {"p": "possibly(a.x and b.x)"},
        }
    )
    rows = [
        {"process": "a", "clock": [1, 0], "state": {"x": True}},
        {"process": "b", "clock": [3, 1], "state": {"x": True}},  # it knows a state that never comes
        {"process": "a", "clock": [4, 0], "state": {"x": True}},
        {"process": "a", "clock": [5, 0], "state": {"x": True}},  # too many wait: 2 and 3 are given up
        {"process": "b", "clock": [5, 2], "state": {"x": False}},
    ]
    recorder = Recorder(spec).record(rows)
    chunk = chunk_of(recorder)
    assert chunk is not None
    decoded = Decoded(chunk, spec)
    monitor = Monitor(spec)
    verdicts = {(v.slide, v.property): v for row in rows for v in monitor.observe(row, every=True)}
    for at, slide, oldest, newest in decoded.slides():
        cuts = decoded.cuts(slide, oldest, newest)
        assert chunk["cuts"][at] == len(cuts)
        assert verdicts[slide, "p"].least == (decoded.show(cuts[0]) if cuts else None)
    assert chunk["totals"]["skipped"] == 2


def test_a_lost_state_that_nothing_followed_yet() -> None:
    spec = Spec.from_dict(
        {
            "processes": ["a", "b"],
            "window": 3,
            "delivery": "causal",
            "max_waiting": 0,
            "waiting_policy": "skip",
            "properties": {"p": "possibly(a.x)"},
        }
    )
    # State 1 of b is given up because a knows it; b's initial state stands for it.
    recorder = Recorder(spec).record([{"process": "a", "clock": [1, 1], "state": {"x": True}}])
    chunk = chunk_of(recorder)
    assert chunk is not None
    assert chunk["through"] == [(1, 1, 1)]
    decoded = Decoded(chunk, spec)
    ((_, slide, oldest, newest),) = decoded.slides()
    assert decoded.cuts(slide, oldest, newest) == [(0, 0), (1, 0)]
    assert chunk["cuts"] == [2]


def test_large_lattices_are_counted_by_level(monkeypatch: pytest.MonkeyPatch) -> None:
    demo = Demo(seed=3, hours=6)
    drawn = chunk_of(Recorder(demo.spec).record(demo.events))
    monkeypatch.setattr(recording, "MOST_DRAWN", 10)
    monkeypatch.setattr(recording, "MOST_COUNTED", 40)
    counted = chunk_of(Recorder(demo.spec).record(demo.events))
    assert drawn is not None
    assert counted is not None
    levels = {slide: (counts, labelled) for slide, counts, labelled in counted["levels"]}
    assert levels
    for at, cuts in enumerate(counted["cuts"]):
        slide = at + 1
        assert (slide in levels) == (10 < cuts <= 40)
        for k, part in enumerate(drawn["parts"]):
            assert (counted["parts"][k]["labels"][at] == 0) == (cuts > 10)
            if slide in levels:
                counts, labelled = levels[slide]
                assert sum(counts) == cuts
                assert counts[0] == counts[-1] == 1
                assert sum(labelled[k] or ()) == sum(bits(part["labels"][at], cuts))
            # An observation is shown in space-time, too, where the lattice is not drawn.
            assert counted["parts"][k]["path"][at] == part["path"][at]


def test_too_many_cuts_to_count() -> None:
    spec = Spec.from_dict({"processes": ["a", "b"], "window": 5, "max_cuts": 6, "properties": {"p": "EX(a.x)"}})
    rows = [{"process": "ab"[k % 2], "clock": {"ab"[k % 2]: k // 2 + 1}, "state": {"x": True}} for k in range(8)]
    chunk = chunk_of(Recorder(spec).record(rows))
    assert chunk is not None
    assert chunk["cuts"] == [2, 4, 6, -1, -1, -1, -1, -1]
    assert chunk["values"] == ["111?????"]
    assert chunk["parts"][0]["labels"][3] == 0


def test_only_the_latest_slides_are_kept() -> None:
    demo = Demo(seed=3, hours=6)
    whole = chunk_of(Recorder(demo.spec).record(demo.events))
    recorder = Recorder(demo.spec, most=20).record(demo.events)
    last = chunk_of(recorder)
    assert whole is not None
    assert last is not None
    assert last["first"] == len(demo.events) - 19
    assert last["process"] == whole["process"][-20:]
    assert [part["labels"] for part in last["parts"]] == [part["labels"][-20:] for part in whole["parts"]]
    assert sum(map(len, recorder.noted)) <= 20 + 3 * 4
    assert chunk_of(recorder, after=5) is None  # that is forgotten
    some = Recorder(demo.spec, first=30, last=40).record(demo.events)
    assert (some.last_noted, len(some.slides)) == (40, 11)
    middle = chunk_of(some)
    assert middle is not None
    assert middle["cuts"] == whole["cuts"][29:40]


def test_waiting_states_are_counted_at_each_slide() -> None:
    spec = Spec.from_dict({"processes": ["a"], "window": 2, "properties": {}})
    recorder = Recorder(spec).record({"process": "a", "clock": [k], "state": {}} for k in (2, 3, 4, 1, 5))
    waiting = recording.COUNTERS.index("waiting")
    assert [slide.counters[waiting] for slide in recorder.slides] == [3, 2, 1, 0, 0]
    assert recorder.totals()["waiting"] == 0


def test_many_events_at_once_are_noted_too() -> None:
    demo = Demo(seed=3, hours=6)
    many = Recorder(demo.spec)
    verdicts = many.monitor.observe_many(demo.events)
    assert list(verdicts) == list(Monitor(demo.spec).observe_many(demo.events))
    assert len(many.slides) == len(demo.events)
    assert chunk_of(many) == chunk_of(Recorder(demo.spec).record(demo.events))


def test_what_a_state_alone_says_of_a_condition() -> None:
    known = ["a", "b", "c"]
    both = parse_predicate("a.x and (b.y or not a.z)", known)
    assert colour_of(both, 0, {"x": False}) == "0"
    assert colour_of(both, 0, {"x": True, "z": True}) == "-"  # its own part is false, but b may do instead
    assert colour_of(both, 0, {"x": True, "z": False}) == "2"
    assert colour_of(both, 1, {"y": True}) == "1"
    assert colour_of(both, 2, {}) == "."
    assert colour_of(parse_predicate("a.x != b.x", known), 0, {"x": True}) == "-"
    leaders = parse_predicate("(a.x and b.x and a.n == b.n) or (b.x and c.x and b.n == c.n)", known)
    assert colour_of(leaders, 0, {"x": True, "n": 1}) == "1"
    assert colour_of(leaders, 0, {"x": False, "n": 1}) == "-"  # the other two can do without it
    assert colour_of(leaders, 1, {"x": False, "n": 1}) == "0"
    assert colour_of(parse_predicate("a.x or 1 > 2", known), 0, None) == "0"


@pytest.mark.parametrize(
    ("condition", "colours"),
    [
        ("count(*.x) >= 2", ["1", "-"]),
        ("count(*.x) == 2", ["1", "-"]),
        ("count(*.x) < 2", ["-", "1"]),  # too few is what those make up that are not counted
        ("2 > count(*.x)", ["-", "1"]),
        ("2 <= count(*.x)", ["1", "-"]),
    ],
)
def test_colours_of_what_is_counted(condition: str, colours: list[str]) -> None:
    properties = {"p": f"possibly({condition})"}
    (part,) = parts_of(Spec.from_dict({"processes": ["a", "b", "c"], "window": 2, "properties": properties}))
    assert [colour_of(part.condition, 2, {"x": value}) for value in (True, False)] == colours


def test_the_page_is_told_what_a_part_reads() -> None:
    spec = Spec.from_dict(
        {
            "processes": ["a", "b"],
            "window": 2,
            "states": {"both": "a.x and b.y.z > 1"},
            "properties": {"p": "definitely(both)", "q": "possibly(a.x != b.x) and possibly(seq(a.x, b.x))"},
            "never": ["q"],
        }
    )
    plain, mixed = describe_spec(spec)["properties"]
    assert (plain["text"], plain["expanded"]) == ("definitely(both)", "definitely(a.x and b.y.z > 1)")
    assert plain["parts"][0] | {"why": ""} == {
        "text": "definitely(a.x and b.y.z > 1)",
        "kind": "definitely",
        "condition": "a.x and b.y.z > 1",
        "reads": [[["x"]], [["y", "z"]]],
        "own": [True, True],
        "conjunctive": True,
        "engine": "conjunctive",
        "why": "",
        "meaning": "the condition holds",
    }
    assert mixed["never"]
    assert (plain["single"], mixed["single"]) == (True, False)
    assert [(part["kind"], part["conjunctive"]) for part in mixed["parts"]] == [
        ("possibly", False),
        ("possibly sequence", False),
    ]


@pytest.mark.parametrize(
    ("text", "kind", "single", "own"),
    [
        ("possibly(a.x and b.x)", "possibly", True, [True, True, False]),
        ("not definitely(a.x and b.n != c.n)", "definitely", True, [True, False, False]),
        ("not (possibly(a.x) and possibly(b.x))", "possibly", False, [True, False, False]),
        ("possibly(sum(*.n) > 3)", "possibly", True, [False, False, False]),
        ("definitely(count(*.x) >= 2)", "definitely", True, [True, True, True]),
        ("possibly(seq(a.x, any*, b.x))", "possibly sequence", True, [True, True, False]),
        ("definitely(a.x until b.x)", "definitely formula", True, [True, True, False]),
        ("AG(a.x implies EF(b.x))", "CTL", True, [True, True, False]),
        ("not AG(a.x implies EF(b.x))", "CTL", True, [True, True, False]),
        ("AG(a.x implies EF(b.x)) or possibly(a.x)", "CTL", False, [True, True, False]),
        ("AH(a.x implies EP(b.x))", "past CTL", True, [True, True, False]),
        ("EX(a.x)", "CTL", True, [True, False, False]),
        ("EY(a.x)", "past CTL", True, [True, False, False]),
        ("E[a.x S b.x]", "past CTL", True, [True, True, False]),
        ("probability(a.x) >= 0.5", "probability", True, [True, False, False]),
    ],
)
def test_the_page_is_told_what_is_asked(text: str, kind: str, single: bool, own: list[bool]) -> None:
    spec = Spec.from_dict({"processes": ["a", "b", "c"], "window": 2, "properties": {"p": text}})
    (told,) = describe_spec(spec)["properties"]
    assert (told["parts"][0]["kind"], told["single"], told["parts"][0]["own"]) == (kind, single, own)


def test_filled_cuts_of_a_formula_that_is_answered_by_its_opposite() -> None:
    texts = {"some": "EX(a.x)", "every": "AG(a.x implies EF(b.x))", "past": "AH(a.x implies EP(b.x))"}
    spec = Spec.from_dict({"processes": ["a", "b"], "window": 2, "properties": texts})
    assert [part.meaning for part in parts_of(spec)] == [
        "the formula holds from here on",
        "the formula does not hold from here on",
        "the formula does not hold up to here",
    ]


def test_the_page_is_told_who_makes_an_or_true() -> None:
    """The processes of the alternative that holds at the witness, or where a `definitely` must meet it."""
    pair = "exists(p, q in *: p != q and p.x and q.x and p.n == q.n)"
    properties = {"pair": f"possibly({pair})", "sure": f"definitely({pair})", "both": "possibly(a.x and c.x)"}
    spec = Spec.from_dict({"processes": ["a", "b", "c"], "window": 3, "properties": properties})
    rows: list[dict[str, Any]] = [
        {"process": "a", "clock": [1, 0, 0], "state": {"x": True, "n": 1}},
        {"process": "b", "clock": [0, 1, 0], "state": {"x": True, "n": 2}},
        {"process": "c", "clock": [0, 0, 1], "state": {"x": True, "n": 2}},
    ]
    slides = Recorder(spec).record(rows).slides
    assert [slide.parts[0].speak for slide in slides] == [None, None, (1, 2)]
    assert (slides[2].parts[1].because, slides[2].parts[1].speak) == ("greatest", (1, 2))
    assert [slide.parts[2].speak for slide in slides] == [None, None, None]  # there is no choice
    chunk = chunk_of(Recorder(spec).record(rows))
    assert chunk is not None
    assert chunk["parts"][0]["speak"] == [0, 0, (1, 2)]


def test_parts_of_a_sequence_of_anything() -> None:
    spec = Spec.from_dict({"processes": ["a"], "window": 2, "properties": {"p": "possibly(seq(any, any))"}})
    chunk = chunk_of(Recorder(spec).record([{"process": "a", "clock": [1], "state": {}}]))
    assert chunk is not None
    assert bits(chunk["parts"][0]["labels"][0], 2) == [True, True]
    assert parts_of(spec)[0].meaning == "a step of the sequence fits here"


def test_groups_are_told_apart() -> None:
    spec = Spec.from_dict({"processes": ["a"], "window": 2, "properties": {}})
    rows: list[dict[str, Any]] = [
        {"group": group, "process": "a", "clock": [k], "state": {}} for k in (1, 2) for group in ("x", 7)
    ]
    groups = Groups(spec)
    for row in rows:
        groups.observe(envelope(row))
    assert (groups.names, groups.slides) == (["x", "7"], 4)
    assert groups.notes() == []
    only = Groups(spec, only="7")
    for row in [*rows, {}]:
        only.observe(envelope(row))
    assert (only.names, only.slides) == (["7"], 2)
    assert only.show_others() == "'x', ''"


def test_notes_tell_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latwin.explorer.groups.MOST_GROUPS", 1)
    monkeypatch.setattr("latwin.explorer.groups.MOST_SLIDES", 2)
    spec = Spec.from_dict({"processes": ["a"], "window": 2, "properties": {}})
    groups = Groups(spec)
    for k in (1, 2, 3):
        groups.observe(envelope({"process": "a", "clock": [k], "state": {}}))
        groups.observe(envelope({"group": "z", "process": "a", "clock": [k], "state": {}}))
    groups.observe(envelope({"process": "fax", "clock": [1], "state": {}}))
    groups.count_unreadable()
    assert groups.notes() == [
        "1 of 2 groups are shown; --group NAME shows another.",
        "Slides 2 to 3 of 3 are shown; --slides FIRST..LAST shows others.",
        "2 of the events rejected; `latwin check` says which and why.",
    ]


def test_all_groups_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latwin.explorer.groups.MOST_TOTAL", 10)
    monkeypatch.setattr("latwin.explorer.groups.MOST_GROUPS", 3)
    monkeypatch.setattr("latwin.explorer.groups.MOST_LEFT_OUT", 4)
    spec = Spec.from_dict({"processes": ["a"], "window": 2, "properties": {}})
    groups = Groups(spec)
    for group, count in (("x", 9), ("y", 4), ("z", 2)):
        for k in range(1, count + 1):
            groups.observe(envelope({"group": group, "process": "a", "clock": [k], "state": {}}))
            assert groups.slides == sum(len(recorder.slides) for recorder in groups.recorders.values()) <= 10
    assert {name: len(recorder.slides) for name, recorder in groups.recorders.items()} == {"x": 4, "y": 4, "z": 2}
    chunk = chunk_of(groups.recorders["x"])
    assert chunk is not None
    assert (chunk["first"], chunk["states"][0]["from"]) == (6, 5)  # nothing older than the first slide's window
    for number in (0, 1, 2, 3, 3, 0):
        groups.observe(envelope({"group": f"other {number}", "process": "a", "clock": [1], "state": {}}))
    assert groups.left_out() == ["3 of 7 groups are shown; --group NAME shows another."]
    for number in range(100):
        groups.observe(envelope({"group": f"other {number}", "process": "a", "clock": [1], "state": {}}))
    assert groups.left_out() == ["3 of more than 7 groups are shown; --group NAME shows another."]


def test_the_page_is_one_file_that_loads_nothing() -> None:
    demo = Demo(seed=3, hours=6)
    spec = Spec.from_dict({**demo.spec.to_dict(), "properties": {"</script>": "possibly(phone.x == '</script>')"}})
    chunk = chunk_of(Recorder(spec).record(demo.events))
    assert chunk is not None
    header = header_of(spec, source="</title><b>", groups=[""])
    page = render_page(header, [chunk])
    assert page.count("</script>") == 3
    assert "</title><b>" not in page
    assert "http://" not in page.replace("http://www.w3.org/", "")
    assert "https://" not in page
    assert "default-src 'none'" in page
    assert "connect-src 'none'" in page
    assert "connect-src 'self'" in content_security_policy(live=True)
    packed = page.partition('class="chunk">')[2].partition("</script>")[0]
    assert json.loads(zlib.decompress(b64decode(packed))) == json.loads(columns.encode(chunk))
    assert pack(chunk) == packed


def test_numbers_that_json_does_not_know_are_null() -> None:
    spec = Spec.from_dict({"processes": ["a"], "window": 2, "properties": {}})
    odd = {"nan": float("nan"), "nested": {"b": [float("inf")]}}
    chunk = chunk_of(Recorder(spec).record([{"process": "a", "clock": [1], "state": odd, "time": float("nan")}]))
    assert chunk is not None
    state = json.loads(columns.encode(chunk))["states"][0]
    assert state["variables"][1] == {"nan": None, "nested": {"b": [None]}}


def explore(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["explore", str(OFFICE / "spec.toml"), *arguments])


def test_the_command_writes_a_page_and_opens_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    opened: list[str] = []

    def open_one(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr("webbrowser.open", open_one)
    outcome = explore(str(OFFICE / "events.jsonl"))
    assert outcome.exit_code == 0, outcome.output
    page = tmp_path / "latwin-explorer.html"
    assert outcome.stdout.startswith("latwin-explorer.html: 204 slides, ")
    assert opened == [page.as_uri()]
    assert page.stat().st_size < 1_000_000
    assert "<title>office · latwin</title>" in page.read_text(encoding="utf-8")


def test_the_command_takes_some_slides_and_some_group(tmp_path: Path) -> None:
    events, page = tmp_path / "events.jsonl", tmp_path / "page.html"
    lines = (OFFICE / "events.jsonl").read_text(encoding="utf-8").splitlines()
    grouped = [json.dumps({**json.loads(line), "group": f"g{k % 2}"}) for line in lines for k in (0, 1)]
    events.write_text("\n".join(["no event", *grouped]), encoding="utf-8")
    outcome = explore(str(events), "--no-open", "-o", str(page), "--slides", "50..60", "--group", "g1")
    assert outcome.exit_code == 0, outcome.output
    assert outcome.stdout.startswith(f"{page}: 11 slides, ")
    assert "Slides 50 to 60 of 204 are shown" in outcome.output
    assert "1 of the events rejected" in outcome.output
    header = json.loads(page.read_text(encoding="utf-8").partition('id="header">')[2].partition("</script>")[0])
    assert header["groups"] == ["g1"]


def test_the_command_prints_json(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    outcome = explore(str(OFFICE / "events.jsonl"), "--no-open", "-o", str(page), "--slides", "50..60", "--json")
    assert outcome.exit_code == 0, outcome.output
    assert json.loads(outcome.stdout) == {
        "page": str(page),
        "slides": 11,
        "bytes": page.stat().st_size,
        "notes": ["Slides 50 to 60 of 204 are shown; --slides FIRST..LAST shows others."],
        "order": {"used": "file", "why": "the lattice is empty at 0 of 204 slides"},
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--slides", "x"], "--slides must be FIRST..LAST, counted from 1, such as 500..900 or 500..; got 'x'"),
        (["--slides", "0..5"], "--slides must be FIRST..LAST"),
        (["--slides", "9..5"], "--slides must be FIRST..LAST"),
        (["--slides", "900.."], "--slides 900..: the events make 204 slides at most"),
        (["--group", "none"], "--group none: no event is of this group; groups are ''"),
    ],
)
def test_the_command_is_told_of_mistakes(tmp_path: Path, arguments: list[str], message: str) -> None:
    outcome = explore(str(OFFICE / "events.jsonl"), "--no-open", "-o", str(tmp_path / "page.html"), *arguments)
    assert outcome.exit_code == 2
    assert message in outcome.output
    assert not (tmp_path / "page.html").exists()


def test_the_command_tells_where_too_many_waited(tmp_path: Path) -> None:
    spec, events = tmp_path / "spec.toml", tmp_path / "events.jsonl"
    spec.write_text('processes = ["a"]\nwindow = 2\nmax_waiting = 0\n', encoding="utf-8")
    events.write_text('{"process": "a", "clock": [2], "state": {}}\n', encoding="utf-8")
    outcome = CliRunner().invoke(app, ["explore", str(spec), str(events), "--no-open"])
    assert outcome.exit_code == 2
    assert f"{events}:1: state 2 of process 'a' would have to wait" in outcome.output


def test_windows_of_time_shrink_at_ticks() -> None:
    spec = Spec.from_dict({"processes": ["a", "b"], "window": "10s", "properties": {"p": "possibly(a.x and b.x)"}})
    recorder = Recorder(spec)
    for second in range(1, 5):
        recorder.monitor.observe({"process": "a", "clock": [second, 0], "state": {"x": True}, "time": second})
    recorder.monitor.observe({"process": "b", "clock": [0, 1], "state": {"x": True}, "time": 4})
    recorder.monitor.advance(13)
    recorder.monitor.advance(30)
    chunk = chunk_of(recorder)
    assert chunk is not None
    assert chunk["process"] == [0, 0, 0, 0, 1, -1, -1]
    assert [sums(column) for column in chunk["held"]] == [[2, 3, 4, 5, 5, 2, 1], [1, 1, 1, 1, 2, 2, 1]]
    assert sums(chunk["counters"]["ticks"]) == [0, 0, 0, 0, 0, 1, 2]
    later = chunk_of(recorder, after=5)
    assert later is not None
    assert [column["index"] for column in later["states"]] == [[], []]
