"""Drawings of lattices: golden pictures, and laws that hold for every lattice."""

from __future__ import annotations

import re

import pytest

from latwin import LatWin
from latwin.drawing.text import levels, show_cut, to_bars, to_dot, to_text
from latwin.sim import random_computation

PLANE = r"""
          (0,0)
          /
      (1,0)
      /   \
  (2,0)   [1,1]
      \   /   \
      (2,1)   (1,2)
      /   \   /   \
  (3,1)   [2,2]   (1,3)
      \   /   \   /
      (3,2)   (2,3)
          \   /
          (3,3)
"""

ROWS = """
  0              (0,0,0)
  1      (0,0,1) (0,1,0) (1,0,0)
  2  (0,0,2) (0,1,1) (1,0,1) [1,1,0]
  3      (0,1,2) (1,0,2) (1,1,1)
  4              (1,1,2)
"""

WRAPPED = """
  0      (0,0,0)
  1  (0,0,1) (0,1,0)
         (1,0,0)
  2  (0,0,2) (0,1,1)
     (1,0,1) [1,1,0]
  3  (0,1,2) (1,0,2)
         (1,1,1)
  4      (1,1,2)
"""

BARS = """
  0  -     1 cut
  1  ---   3 cuts
  2  =---  4 cuts, 1 marked
  3  ---   3 cuts
  4  -     1 cut
"""


def two_processes() -> LatWin:
    lattice = LatWin(2, 4)
    for process, clock in ((0, [1, 0]), (0, [2, 0]), (1, [1, 1]), (1, [1, 2]), (0, [3, 1]), (1, [1, 3])):
        lattice.push(process, clock)
    return lattice


def three_processes() -> LatWin:
    lattice = LatWin(3, 4)
    for process, clock in ((0, [1, 0, 0]), (1, [0, 1, 0]), (2, [0, 0, 1]), (2, [0, 0, 2])):
        lattice.push(process, clock)
    return lattice


def random_lattice(seed: int) -> LatWin:
    processes = 2 + seed % 3
    lattice = LatWin(processes, 2 + seed % 4)
    for process, clock, _ in random_computation(processes, 12, 0.5, seed):
        lattice.push(process, clock)
    return lattice


def test_two_processes_are_drawn_in_the_plane() -> None:
    lattice = two_processes()
    assert to_text(list(lattice), lattice.edges(), marked=[(1, 1), (2, 2)]) == PLANE.strip("\n")


def test_more_processes_are_drawn_in_rows() -> None:
    lattice = three_processes()
    assert to_text(list(lattice), lattice.edges(), marked=[(1, 1, 0)]) == ROWS.strip("\n")


def test_a_row_that_is_too_wide_is_wrapped() -> None:
    lattice = three_processes()
    drawing = to_text(list(lattice), lattice.edges(), marked=[(1, 1, 0)], width=24)
    assert drawing == WRAPPED.strip("\n")


def test_what_does_not_fit_becomes_bars() -> None:
    lattice = three_processes()
    assert to_text(list(lattice), lattice.edges(), marked=[(1, 1, 0)], width=11) == BARS.strip("\n")


def test_a_plane_that_is_too_wide_becomes_rows() -> None:
    lattice = two_processes()
    assert len(max(PLANE.splitlines(), key=len)) == 23
    narrow = to_text(list(lattice), lattice.edges(), width=22)
    assert narrow.splitlines()[2:5] == [
        "  2     (1,1) (2,0)",
        "  3     (1,2) (2,1)",
        "  4  (1,3) (2,2) (3,1)",
    ]


@pytest.mark.parametrize("cuts", [[], [(3, 1)], [(4,)]])
def test_the_smallest_lattices(cuts: list[tuple[int, ...]]) -> None:
    drawing = to_text(cuts, [])
    assert [show_cut(cut) in drawing for cut in cuts] == [True] * len(cuts)
    assert cuts or drawing == "  (no cut)"


def test_a_step_over_lost_states_is_one_level() -> None:
    assert levels([(1, 0), (5, 0)], [((1, 0), (5, 0))]) == [[(1, 0)], [(5, 0)]]


def test_bars_shrink_to_the_width() -> None:
    lines = to_bars([1, 40_000, 10], [0, 1, 10], width=60).splitlines()
    assert max(map(len, lines)) <= 60
    assert lines[1].split()[1][:2] == "=-"  # a single marked cut stays visible
    assert lines[2].split()[1:] == ["=", "10", "cuts,", "10", "marked"]
    assert to_bars([]) == ""


@pytest.mark.parametrize("seed", range(24))
def test_every_cut_is_drawn_once_on_its_level(seed: int) -> None:
    lattice = random_lattice(seed)
    cuts, edges = list(lattice), lattice.edges()
    if not cuts:
        pytest.skip("an empty lattice")
    marked = [cut for cut in cuts if sum(cut) % 2]
    drawing = to_text(cuts, edges, marked=marked, width=10_000)
    assert sorted(re.findall(r"[(\[][\d,]+[)\]]", drawing)) == sorted(
        show_cut(cut, marked=cut in marked) for cut in cuts
    )
    rows = levels(cuts, edges)
    assert rows[0] == [lattice.least]
    assert rows[-1] == [lattice.greatest]
    assert all(sum(cut) == sum(cuts[0]) + number for number, row in enumerate(rows) for cut in row)
    if lattice.processes == 2:
        assert drawing.count("/") + drawing.count("\\") == len(edges)
    for width in (20, 40, 100):
        assert all(len(line) <= max(width, 40) for line in to_text(cuts, edges, width=width).splitlines())


def test_graphviz_names_who_moves_and_quotes() -> None:
    lattice = two_processes()
    dot = to_dot(list(lattice), lattice.edges(), marked=[(1, 1)], names=['say "hi"', "back\\slash"])
    assert '  "1,1" [style="rounded,filled", fillcolor=palegreen];' in dot
    assert r'  "0,0" -> "1,0" [label="say \"hi\""];' in dot
    assert r'  "1,0" -> "1,1" [label="back\\slash"];' in dot
    assert dot.count("->") == len(lattice.edges())
    assert dot.startswith("digraph lattice {\n")
    assert dot.endswith("\n}")
    assert "label" not in to_dot(list(lattice), lattice.edges())
