"""Colours and values of drawings mean what they mean on the explorer's page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from latwin import LatWin
from latwin.cli import app
from latwin.drawing import plots as plot
from latwin.drawing.figure import LaneState
from latwin.drawing.svg import draw_lattice, draw_space_time, to_svg

ROOT = Path(__file__).parents[2]
NAME = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def _no_screen() -> Iterator[None]:
    import matplotlib as mpl
    from matplotlib import pyplot

    mpl.use("Agg")
    yield
    pyplot.close("all")


def two_lamps() -> LatWin:
    lattice = LatWin(processes=2, window=3, initial=["off", "off"])
    lattice.push(0, [1, 0], "on")
    lattice.push(1, [0, 1], "on")
    return lattice


def test_only_what_must_never_be_is_red() -> None:
    lattice = two_lamps()
    cuts, edges = list(lattice), lattice.edges()
    style = to_svg(draw_lattice(cuts, edges))
    for green in ("009e73", "2cc295"):
        assert green not in style.lower()
    assert 'class="cut marked end"' in to_svg(draw_lattice(cuts, edges, marked=[(1, 1)]))
    assert 'class="cut marked violated end"' in to_svg(draw_lattice(cuts, edges, marked=[(1, 1)], violated=True))


def test_a_command_knows_what_must_never_be(tmp_path: Path) -> None:
    example, path = ROOT / "examples/election", tmp_path / "drawn.svg"
    # At slide 8 a server satisfies its part of the split brain, but nothing is violated.
    for at, name, is_red in (("11", "split_brain", True), ("11", "two_leaders", False), ("8", "split_brain", False)):
        arguments = ["lattice", str(example / "spec.toml"), str(example / "split-brain.log"), "--at", at]
        outcome = CliRunner().invoke(app, [*arguments, "--property", name, "--svg", str(path)])
        assert outcome.exit_code == 0, outcome.output
        kinds = {element.get("class", "") for element in ElementTree.parse(path).iter(f"{NAME}rect")}
        assert any("marked" in kind for kind in kinds)
        assert any("violated" in kind for kind in kinds) == is_red


def test_a_notebook_shows_values() -> None:
    drawing = ElementTree.fromstring(two_lamps()._repr_svg_() or "")
    values = [text.text for text in drawing.iter(f"{NAME}text") if "value" in text.get("class", "")]
    assert values == ["off", "on", "off", "on"]


def test_long_values_are_cut_off_and_escaped() -> None:
    lane = [LaneState(0, [0], {"note": "<b>" * 40}), LaneState(1, [1], {"n": 1})]
    root = ElementTree.fromstring(to_svg(draw_space_time(["a"], [lane])))
    texts = [text.text or "" for text in root.iter(f"{NAME}text")]
    assert any(text.startswith("<b><b>") and text.endswith("…") for text in texts)
    assert "n 1" in texts


def test_plots_fill_dark_or_red() -> None:
    from matplotlib.colors import to_hex

    lattice = two_lamps()
    for never, colour in ((False, plot.DARK), (True, plot.RED)):
        axes = plot.space_time(lattice, where=lambda value: value == "on", never=never)
        fills = [to_hex(patch.get_facecolor()) for patch in axes.patches]
        assert fills.count(colour.lower()) == 2
        drawn = plot.lattice(lattice, where=lambda values: values == ("on", "on"), never=never)
        boxes = [text.get_bbox_patch() for text in drawn.texts if text.get_text()]
        assert [to_hex(box.get_facecolor()) for box in boxes if box].count(colour.lower()) == 1


def test_cuts_bear_names_only_where_they_have_room() -> None:
    """In a small box dots stand for them, so that no step crosses a name."""
    from matplotlib import pyplot

    lattice = two_lamps()
    for inches, is_named in (((4.0, 3.0), True), ((1.0, 0.8), False)):
        _, axes = pyplot.subplots(figsize=inches)
        drawn = plot.lattice(lattice, axes=axes)
        assert any(text.get_text() for text in drawn.texts) == is_named
        assert (len(drawn.lines) == len(lattice)) == (not is_named)
