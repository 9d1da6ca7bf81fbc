"""Draws the pictures of docs/concepts.md, from the states below and what latwin says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from latwin import LatWin

BLUE, ORANGE, GREEN, GREY, INK = "#0072B2", "#D55E00", "#009E73", "#999999", "#222222"
NAMES = ("phone", "projector")
#: (process, clock, when it began): the phone's state 2 received a message, and so did the projector's state 3
STATES = [
    (0, (1, 0), 1.0),
    (1, (0, 1), 1.6),
    (0, (2, 1), 3.2),
    (1, (0, 2), 4.0),
    (0, (3, 1), 5.2),
    (1, (2, 3), 6.0),
]
#: (from process, when it was sent, to process, when it came)
MESSAGES = [(1, 2.3, 0, 3.2), (0, 4.2, 1, 6.0)]
END = 7.6
Cut = tuple[int, int]
HERE = Path(__file__).parent


def lattice_of(states: Iterable[tuple[int, tuple[int, int], float]], window: int | None = None) -> LatWin:
    """What latwin makes of them."""
    lattice = LatWin(2, window)
    for process, clock, _ in states:
        lattice.push(process, list(clock))
    return lattice


def begins(process: int) -> list[float]:
    """When the states of a process begin, the initial one included."""
    return [0.0, *(when for k, _, when in STATES if k == process)]


def draw_lanes(ax: Axes, *, clocks: bool) -> None:
    """States as segments, messages as arrows."""
    clock_of = {(k, clock[k]): clock for k, clock, _ in STATES}
    for process, name in enumerate(NAMES):
        y = 1 - process
        starts = [*begins(process), END]
        for index, (left, right) in enumerate(pairwise(starts)):
            box = FancyBboxPatch(
                (left + 0.04, y - 0.13),
                right - left - 0.08,
                0.26,
                boxstyle="round,pad=0,rounding_size=0.06",
                linewidth=1,
                edgecolor=BLUE,
                facecolor="#E8F1F8" if index % 2 else "#F6FAFD",
            )
            ax.add_patch(box)
            ax.text((left + right) / 2, y, str(index), ha="center", va="center", color=INK, fontsize=11)
            if clocks:
                clock = clock_of.get((process, index), (0, 0))
                ax.text(left + 0.05, y + 0.2 * (1 if y else -1.6), f"{clock}", color=GREY, fontsize=8.5)
        ax.text(-0.15, y, name, ha="right", va="center", fontsize=11, color=INK)
    for source, sent, target, came in MESSAGES:
        arrow = {"arrowstyle": "-|>", "color": ORANGE, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0}
        reach = 0.13 * (1 if target == 1 else -1)
        ax.annotate("", (came, 1 - target + reach), (sent, 1 - source - reach), arrowprops=arrow)
    ax.set_xlim(-1.6, END + 0.2)
    ax.set_ylim(-0.62, 1.55)
    ax.axis("off")


def draw_cut(ax: Axes, cut: Cut, color: str, label: str, *, below: bool = False) -> None:
    """A cut as a line through one state of each process."""
    middles = []
    for process in (0, 1):
        starts = [*begins(process), END]
        index = cut[process]
        middles.append((starts[index] + starts[index + 1]) / 2)
    ax.plot(middles, [1.3, -0.3], color=color, linewidth=2.2, linestyle=(0, (4, 2)), zorder=5)
    place = (middles[1], -0.46) if below else (middles[0], 1.36)
    ax.text(*place, label, color=color, ha="center", fontsize=10)


def draw_lattice(
    ax: Axes,
    lattice: LatWin,
    *,
    sizes: Cut = (4, 4),
    satisfying: Callable[[Cut], bool] | None = None,
    path: Iterable[Cut] = (),
    title: str = "",
) -> None:
    """All pairs of states: consistent cuts as dots with their steps, the others as crosses."""
    cuts = {(a, b) for a, b in lattice}
    for a in range(sizes[0]):
        for b in range(sizes[1]):
            if (a, b) not in cuts:
                ax.plot(a, b, marker="x", color="#BBBBBB", markersize=6)
                continue
            for step in ((a + 1, b), (a, b + 1)):
                if step in cuts:
                    ax.plot([a, step[0]], [b, step[1]], color=GREY, linewidth=1.2, zorder=1)
            is_satisfying = satisfying is not None and satisfying((a, b))
            fill = ORANGE if is_satisfying else "white"
            ax.plot(a, b, "o", markersize=11, markerfacecolor=fill, markeredgecolor=INK, zorder=3)
    way = list(path)
    if way:
        ax.plot([a for a, _ in way], [b for _, b in way], color=BLUE, linewidth=4, alpha=0.55, zorder=2)
    ax.set_title(title, fontsize=10.5, color=INK, loc="left")
    _frame(ax, sizes)


def _frame(ax: Axes, sizes: Cut) -> None:
    ax.set_xticks(range(sizes[0]))
    ax.set_yticks(range(sizes[1]))
    ax.tick_params(length=0, colors=GREY)
    ax.set_xlabel("state of the phone", color=GREY)
    ax.set_ylabel("state of the projector", color=GREY)
    for side in ax.spines.values():
        side.set_visible(False)
    ax.set_aspect("equal")
    ax.set_xlim(-0.5, sizes[0] - 0.5)
    ax.set_ylim(-0.5, sizes[1] - 0.5)


def find_way(lattice: LatWin, avoiding: Callable[[Cut], bool]) -> list[Cut]:
    """An observation that passes no such cut, if there is one."""
    cuts = {(a, b) for a, b in lattice}
    ways: dict[Cut, list[Cut]] = {}
    for cut in sorted(cuts, key=sum):
        if avoiding(cut):
            continue
        before = [ways[c] for c in ((cut[0] - 1, cut[1]), (cut[0], cut[1] - 1)) if c in ways]
        if before or cut == lattice.least:
            ways[cut] = [*(before[0] if before else []), cut]
    return ways.get(max(cuts, key=sum), [])


def save(name: str) -> None:
    """Into the folder of this script; the same bytes each time."""
    plt.savefig(HERE / f"concept-{name}.svg", bbox_inches="tight", metadata={"Date": None})
    plt.close()


def main() -> None:
    """All pictures."""
    mpl.rcParams.update({"svg.hashsalt": "latwin", "font.family": "DejaVu Sans", "svg.fonttype": "path"})
    _, ax = plt.subplots(figsize=(8.4, 2.5))
    draw_lanes(ax, clocks=True)
    save("states")

    _, ax = plt.subplots(figsize=(8.4, 2.6))
    draw_lanes(ax, clocks=False)
    draw_cut(ax, (2, 2), GREEN, "(2,2) may have been")
    draw_cut(ax, (1, 3), ORANGE, "(1,3) cannot: 3 heard of the phone's 2", below=True)
    save("cuts")

    everything = lattice_of(STATES)
    _, ax = plt.subplots(figsize=(4.2, 3.9))
    draw_lattice(ax, everything, path=find_way(everything, lambda cut: cut in {(0, 1), (2, 1)}))
    save("lattice")

    def both(cut: Cut) -> bool:
        return cut in {(0, 2), (1, 2)}

    def either(cut: Cut) -> bool:
        return cut[0] == 2 and cut[1] in (1, 2)

    _, (left, right) = plt.subplots(1, 2, figsize=(8.6, 4.0))
    around = find_way(everything, both)
    draw_lattice(left, everything, satisfying=both, path=around, title="possibly: the blue way goes around")
    assert around
    assert not find_way(everything, either)
    draw_lattice(right, everything, satisfying=either, title="definitely: no way goes around")
    save("questions")

    _, axes = plt.subplots(1, 2, figsize=(8.6, 4.0))
    for ax, count, title in (
        (axes[0], 5, "before: windows of 2 states"),
        (axes[1], 6, "the projector's state 3 came"),
    ):
        draw_lattice(ax, everything, title=title)
        window = lattice_of(STATES[:count], 2)
        corner = [max(0, sum(k == p for k, _, _ in STATES[:count]) - 1) for p in (0, 1)]
        ax.add_patch(Rectangle((corner[0] - 0.32, corner[1] - 0.32), 1.64, 1.64, color=BLUE, alpha=0.13, zorder=0))
        for a, b in window:
            ax.plot(a, b, "o", markersize=11, markerfacecolor=BLUE, markeredgecolor=INK, zorder=4)
    save("slide")


if __name__ == "__main__":
    main()
