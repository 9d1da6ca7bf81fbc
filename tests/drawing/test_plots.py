"""Drawings for papers and notebooks: placing, SVG, matplotlib, and the command that writes them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from computations import Computation, computations
from latwin import InvalidInput, LatWin, Monitor
from latwin.cli import app
from latwin.demo.day import Demo
from latwin.drawing import plots as plot
from latwin.drawing.figure import LaneState, crossings, messages, place_cuts, place_states
from latwin.drawing.svg import draw_lattice, draw_space_time, to_svg

OFFICE = Path(__file__).parents[2] / "examples" / "office"
NAME = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def _no_screen() -> Iterator[None]:
    import matplotlib as mpl
    from matplotlib import pyplot

    mpl.use("Agg")
    yield
    pyplot.close("all")


def pushed(computation: Computation, window: int | None) -> LatWin:
    lattice = LatWin(computation.processes, window)
    for state in computation.states:
        lattice.push(state.process, state.clock, state.value)
    return lattice


def lanes_of(lattice: LatWin) -> list[list[LaneState]]:
    return [[LaneState(*state) for state in lattice.states(k)] for k in range(lattice.processes)]


@given(computations(max_processes=4, max_states=12), st.integers(1, 4))
def test_states_stand_after_all_they_depend_on(computation: Computation, window: int) -> None:
    lanes = lanes_of(pushed(computation, window))
    columns = place_states(lanes)
    everyone = [(k, at, state) for k, lane in enumerate(lanes) for at, state in enumerate(lane)]
    for k, at, state in everyone:
        for j, other, cause in everyone:
            if (k == j and other < at) or (k != j and 0 < cause.index <= state.clock[j]):
                assert columns[j][other] < columns[k][at]


@given(computations(max_processes=4, max_states=12))
def test_messages_tell_all_that_the_clocks_know(computation: Computation) -> None:
    """Led along the messages, from a window that forgets nothing, every clock is found again."""
    lanes = lanes_of(pushed(computation, None))
    sources: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for message in messages(lanes):
        sources.setdefault(message.target, []).append(message.source)
    everyone = [(sum(state.clock), k, at) for k, lane in enumerate(lanes) for at, state in enumerate(lane)]
    known: dict[tuple[int, int], list[int]] = {}
    seen = {(state.process, state.index) for state in computation.states}
    for _, k, at in sorted(everyone):
        told = [known[source] for source in sources.get((k, at), ())] + ([known[k, at - 1]] if at else [])
        clock = [max(column) for column in zip(*told, strict=True)] if told else [0] * len(lanes)
        clock[k] = lanes[k][at].index
        known[k, at] = clock
        if all((j, index) in seen or index == 0 for j, index in enumerate(lanes[k][at].clock)):
            assert clock == list(lanes[k][at].clock)


@given(computations(max_processes=4, max_states=10), st.integers(1, 4))
def test_cuts_stand_by_level_each_in_a_place_of_its_own(computation: Computation, window: int) -> None:
    lattice = pushed(computation, window)
    cuts, edges = list(lattice), lattice.edges()
    places = place_cuts(cuts, edges)
    assert set(places) == set(cuts)
    assert len(set(places.values())) == len(cuts)
    for before, after in edges:
        assert places[after][1] == places[before][1] + 1
    drawing = ElementTree.fromstring(to_svg(draw_lattice(cuts, edges, marked=cuts[:1])))
    kinds = [element.get("class", "") for element in drawing.iter(f"{NAME}rect")]
    assert sum("cut" in kind.split() for kind in kinds) == len(cuts)
    assert sum("marked" in kind.split() for kind in kinds) == min(1, len(cuts))
    assert len([path for path in drawing.iter(f"{NAME}path") if path.get("class") == "step"]) == len(edges)


def test_a_cut_crosses_each_lane_inside_its_state() -> None:
    columns = [[0, 1, 4], [0, 2]]
    for cut in ([0, 0], [1, 0], [2, 1], [0, 1]):
        for k, x in enumerate(crossings(columns, cut, 5)):
            begin, *rest = columns[k][cut[k] :]
            assert begin < x < (rest[0] if rest else 5)


def test_a_notebook_shows_a_small_lattice() -> None:
    lattice = LatWin(processes=2, window=3, initial=["off", "off"])
    lattice.push(0, [1, 0], "on")
    lattice.push(1, [1, 1], "on")
    picture = lattice._repr_svg_()
    assert picture is not None
    drawing = ElementTree.fromstring(picture)
    texts = [text.text for text in drawing.iter(f"{NAME}text")]
    assert {"P0", "P1", "(0,0)", "(1,0)", "(1,1)"} <= set(texts)
    assert lattice.states(1) == [(0, (0, 0), "off"), (1, (1, 1), "on")]
    with pytest.raises(InvalidInput, match="process must be an integer from 0 to 1; got 2"):
        lattice.states(2)
    large = LatWin(processes=3, window=6)
    for index in range(1, 8):
        for process in range(3):
            clock = [0, 0, 0]
            clock[process] = index
            large.push(process, clock)
    assert large._repr_svg_() is None
    assert "no cut" in to_svg(draw_lattice([], []))


def test_an_empty_window_is_drawn_too() -> None:
    lattice = LatWin(2, 1)
    lattice.push(0, [1, 2])
    assert len(lattice) == 0
    assert "no cut" in (lattice._repr_svg_() or "")
    assert len(plot.lattice(lattice).lines) == 0


def test_names_are_text_in_a_drawing() -> None:
    drawing = draw_space_time(["<a&b>"], [[LaneState(0, [0]), LaneState(1, [1])]], marked=[(0, 1)], ends=[[0]])
    root = ElementTree.fromstring(to_svg(drawing, title="<&>"))
    assert [text.text for text in root.iter(f"{NAME}text")] == ["<a&b>", "0", "1"]


def observed(count: int) -> Monitor:
    demo = Demo(seed=1, hours=8)
    monitor = Monitor(demo.spec)
    for event in demo.events[:count]:
        monitor.observe(event)
    return monitor


def test_plots_of_a_monitor_and_of_a_lattice_agree() -> None:
    monitor = observed(33)
    lattice = LatWin(3, 4)
    for event in Demo(seed=1, hours=8).events[:33]:
        process = monitor.spec.processes.index(event["process"])
        clock = [event["clock"].get(name, 0) for name in monitor.spec.processes]
        lattice.push(process, clock, event["state"])

    def is_on(state: Any) -> bool:
        return bool(state) and next(iter(state.values())) in (True, "meeting-room")

    def where(states: Any) -> bool:
        return all(map(is_on, states))

    one, two = plot.lattice(monitor, where=where), plot.lattice(lattice, where=where)
    assert len(one.texts) == len(two.texts) == len(lattice) + len(lattice.edges())
    filled = [text for text in one.texts if text.get_text() and text.get_color() == "white"]
    assert len(filled) == sum(
        where([{index: value for index, _, value in lattice.states(k)}[cut[k]] for k in range(3)]) for cut in lattice
    )
    axes = plot.space_time(monitor, where=is_on, cut=monitor.window.least)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["phone", "rfid", "projector"]
    assert len(axes.patches) >= 3 + 12
    named = plot.space_time(lattice, names=["x", "y", "z"])
    assert [label.get_text() for label in named.get_yticklabels()] == ["x", "y", "z"]
    assert [label.get_text() for label in plot.space_time(lattice).get_yticklabels()] == ["P0", "P1", "P2"]


def test_what_cannot_be_plotted_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monitor = observed(20)
    with pytest.raises(InvalidInput, match="source must be a LatWin or a Monitor; got int"):
        plot.lattice(3)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"cut must have one index per process \(3\); got 1"):
        plot.space_time(monitor, cut=[1])
    with pytest.raises(InvalidInput, match="cut: process 0 has the states"):
        plot.space_time(monitor, cut=[99, 99, 99])
    monkeypatch.setattr(plot, "MOST_DRAWN", 3)
    with pytest.raises(InvalidInput, match="at most 3 can be drawn"):
        plot.lattice(monitor)
    monkeypatch.setattr(plot, "MOST_DRAWN", 2000)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InvalidInput, match="pip install"):
        plot.lattice(monitor)


def test_the_command_writes_both_drawings(tmp_path: Path) -> None:
    path = tmp_path / "lattice.svg"
    arguments = ["lattice", str(OFFICE / "spec.toml"), str(OFFICE / "events.jsonl"), "--at", "15"]
    outcome = CliRunner().invoke(app, [*arguments, "--property", "perhaps", "--svg", str(path)])
    assert outcome.exit_code == 0, outcome.output
    assert "14 cuts after slide 15" in outcome.output
    drawing = ElementTree.parse(path).getroot()
    kinds = [element.get("class") for element in drawing.iter(f"{NAME}rect")]
    assert kinds.count("cut marked") + kinds.count("cut marked end") == 4
    assert kinds.count("state marked") == 1 + 2 + 2
    assert kinds.count("window") == 3
    lines = [element.get("class") for element in drawing.iter(f"{NAME}path")]
    assert lines.count("frontier") == 2
    outcome = CliRunner().invoke(app, [*arguments, "--svg", str(path), "--dot"])
    assert outcome.exit_code == 2
    assert "only one of --dot, --svg and --json" in outcome.output


@given(computations(max_processes=4, max_states=10), st.integers(1, 4))
def test_steps_cross_no_names(computation: Computation, window: int) -> None:
    """A step runs in the gap between two levels, and names stand in the levels."""
    lattice = pushed(computation, window)
    drawing = draw_lattice(list(lattice), lattice.edges())
    boxes, steps = [], []
    for element in map(ElementTree.fromstring, drawing.elements):
        if element.tag == "rect":
            boxes.append([float(element.attrib["y"]), float(element.attrib["y"]) + float(element.attrib["height"])])
        elif element.tag == "path":
            begin, end = element.attrib["d"].removeprefix("M").split("L")
            steps.append((float(begin.split()[1]), float(end.split()[1])))
    for top, bottom in steps:
        assert top < bottom
        assert all(high <= top + 0.2 or low >= bottom - 0.2 for low, high in boxes)


def test_plotted_steps_cross_no_names_and_states_bear_their_values() -> None:
    from matplotlib import pyplot

    demo = Demo(seed=1, hours=2)
    monitor = Monitor(demo.spec)
    monitor.observe_many(demo.events[:14])
    axes = plot.lattice(monitor)
    axes.figure.canvas.draw()
    names = [text for text in axes.texts if text.get_text()]
    lines = [text for text in axes.texts if not text.get_text()]
    assert names
    assert lines
    boxes = [text.get_bbox_patch().get_window_extent() for text in names]  # type: ignore[union-attr]
    for line in lines:
        path = line.arrow_patch.get_window_extent()  # type: ignore[attr-defined]
        assert all(box.y1 <= path.y0 + 2 or box.y0 >= path.y1 - 2 for box in boxes)
    pyplot.close("all")
    drawn = plot.space_time(monitor)
    assert {"office", "meeting-room", "not on"} & {text.get_text() for text in drawn.texts}
