"""The tables as pictures: the paper's Figures 4 to 7 under its numbers, then ours. SVG for print, PNG for a look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure, FigureBase

from latwin.experiments import panels
from latwin.experiments.panels import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, Tables, draw_line, label, percent

Panel = Callable[[Axes, Tables], None]

STYLE: Any = {
    "font.size": 8.5,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.hashsalt": "latwin",
    "pdf.fonttype": 42,
    "savefig.bbox": "tight",
}
MAY_EXCEED = "Prob_det can exceed 100 %: N_physical also counts slides at which Lat-Win detects nothing."


def draw_all(tables: Tables, folder: Path) -> dict[str, Path]:
    """Draw every figure whose table is there; the SVG files by name."""
    drawn = {}
    with mpl.rc_context(STYLE):
        for name, (table, title, parts, note) in _FIGURES.items():
            if table not in tables:
                continue
            figure = compose(tables, title, parts, note)
            path = folder / f"{name}.svg"
            figure.savefig(path, metadata={"Date": None})
            figure.savefig(path.with_suffix(".png"), dpi=150)
            plt.close(figure)
            drawn[name] = path
    return drawn


def compose(tables: Tables, title: str, parts: Sequence[Panel], note: str = "") -> Figure:
    """The panels side by side; below all of them the note and the legend."""
    figure, axes = plt.subplots(
        1, len(parts), figsize=(3.3 * max(len(parts), 1.6), 3.4), layout="constrained", squeeze=False
    )
    for one, draw in zip(axes[0], parts, strict=True):
        draw(one, tables)
    figure.suptitle(title, fontsize=10, fontweight="bold", x=0.01, ha="left")
    add_legend(figure, list(axes[0]), note)
    return figure


def add_legend(figure: FigureBase, axes: Sequence[Axes], note: str = "") -> None:
    """One legend for all axes, outside them, under a note; what has the same name is the same."""
    entries: dict[str, Any] = {}
    for one in axes:
        for handle, name in zip(*one.get_legend_handles_labels(), strict=True):
            entries.setdefault(name, handle)
    if entries:
        columns = min(len(entries), 3 if len(axes) > 1 else 2)
        legend = figure.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=columns)
        if note:
            legend.set_title(note)
            legend.get_title().set_fontsize(7.5)


def _losses(axes: Axes, tables: Tables) -> None:
    rows = tables["losses"].rows
    w = [row["w"] for row in rows]
    below = [0.0] * len(w)
    for name, words, colour in (
        ("lost_possible", "possible in the window, not definite", BLUE),
        ("lost_gone", "not even possible in the window", ORANGE),
        ("lost_empty", "the window has no cut", GREY),
    ):
        share = [row[name].mean for row in rows]
        axes.bar(w, share, bottom=below, color=colour, label=words)
        below = [a + b for a, b in zip(below, share, strict=True)]
    draw_line(axes, rows, "w", "gained", color=RED, marker="x", label="the other way: only on Lat-Win")
    label(axes, "window w", "slides (%)", "Definitely on LAT, but not on Lat-Win")


def _beyond(name: str, x: str, words: str, title: str) -> Panel:
    def draw(axes: Axes, tables: Tables) -> None:
        rows = tables[name].rows
        axes.set_yscale("log")
        draw_line(axes, rows, x, "S", color=GREY, label="S (cuts)")
        draw_line(axes, rows, x, "T_ms", color=GREEN, marker="^", label="T (ms), bit lattice")
        draw_line(axes, rows, x, "T_free_ms", color=RED, marker="s", label="T (ms), lattice-free")
        label(axes, words, "cuts, or ms (logarithmic)", title)

    return draw


def _alone(axes: Axes, tables: Tables) -> None:
    draw_line(axes, tables["conjunctive"].rows, "n", "T_free_ms", color=RED, marker="s", label="T (ms), lattice-free")
    axes.set_ylim(bottom=0)
    label(axes, "processes n", "T (ms)", "Conjunctions need no lattice")


_ENGINES = (
    ("reference", "paper's algorithms", PURPLE, "D"),
    ("bits", "bit lattice", GREEN, "^"),
    ("free", "lattice-free", RED, "s"),
)
_TIMES = {"reference": "T_reference_ms", "bits": "T_ms", "free": "T_free_ms"}


def _complexity(x: str, words: str, what: str, **same: int) -> Panel:
    """Time or memory in the worst case, where `same` holds."""

    def draw(axes: Axes, tables: Tables) -> None:
        rows = [row for row in tables["complexity"].rows if all(row[k] == v for k, v in same.items())]
        rows.sort(key=lambda row: row[x])
        axes.set_yscale("log")
        if x == "cuts":
            axes.set_xscale("log")
        for name, engine, colour, marker in _ENGINES:
            column = _TIMES[name] if what == "T (ms)" else f"bytes_{name}"
            draw_line(axes, rows, x, column, color=colour, marker=marker, label=engine)
        fixed = ", ".join(f"{k}={v}" for k, v in same.items())
        label(
            axes,
            words,
            f"{what}, logarithmic",
            f"{'Time' if what == 'T (ms)' else 'Memory'}, {fixed or 'all settings'}",
        )
        if x == "cuts":
            axes.set_xlabel(words)

    return draw


def _calibration(axes: Axes, tables: Tables) -> None:
    rows = tables["calibration"].rows
    axes.plot([0, 1], [0, 100], color=GREY, linestyle=":", label="if probability predicted the truth")
    for n, colour in zip(dict.fromkeys(row["n"] for row in rows), (BLUE, ORANGE), strict=False):
        same = [row for row in rows if row["n"] == n]
        draw_line(axes, same, "probability", "physically_true", color=colour, label=f"measured, n={n}")
    percent(axes)
    label(axes, "probability(all true)", "physically true (%)", "")


def _skew(name: str, words: str, title: str) -> Panel:
    def draw(axes: Axes, tables: Tables) -> None:
        rows = [{**row, "minutes": row["bound_s"] / 60} for row in tables["skew"].rows if row["bound_s"] is not None]
        draw_line(axes, rows, "minutes", name, color=BLUE, label="with the bound")
        if name == "prob_det":
            draw_line(
                axes, rows, "minutes", "prob_det_real", color=ORANGE, marker="s", label="with the bound, real ends"
            )
        for row in tables["skew"].rows:
            if row["bound_s"] is None:
                axes.axhline(row[name].mean, color=GREY, linestyle=":", label="causality alone")
                if name == "prob_det":
                    real = row["prob_det_real"].mean
                    axes.axhline(real, color=ORANGE, linestyle=":", label="causality alone, real ends")
        if name == "S":
            axes.set_ylim(bottom=0)
        else:
            percent(axes, 90, 101)
        label(axes, "bound on clock skew (min)", words, title)

    return draw


def _hurried(name: str, words: str, title: str) -> Panel:
    def draw(axes: Axes, tables: Tables) -> None:
        for order, colour, marker in (("fifo", BLUE, "o"), ("causal", ORANGE, "s")):
            rows = [row for row in tables["hurried_delay"].rows if row["delivery"] == order]
            draw_line(axes, rows, "delay_s", name, color=colour, marker=marker, label=f"{order} delivery")
        if name == "S":
            axes.set_ylim(bottom=0)
        else:
            percent(axes, 0, 110)
        label(axes, "mean delay (s)", words, title)

    return draw


#: name -> the table it cannot do without, its title, its panels, a note
_FIGURES: dict[str, tuple[str, str, tuple[Panel, ...], str]] = {
    "benefits": ("window", "Figure 4. Benefits of sliding window (n=3, 0.5 s)", (panels.perc_det, panels.perc_s), ""),
    "delay": (
        "delay",
        "Figure 5. Tuning the message delay (n=3, w=4)",
        (panels.prob_det_by_delay, panels.size_by_delay, panels.time_by_delay),
        MAY_EXCEED,
    ),
    "size": (
        "size",
        "Figure 6. Tuning size of the sliding window (n=3, 0.5 s)",
        (panels.prob_det_by_window, panels.size_by_window, panels.time_by_window),
        MAY_EXCEED,
    ),
    "processes": (
        "table",
        "Figure 7 and Table 2. Tuning the number of non-checker processes (w=4, 0.5 s)",
        (panels.prob_det_by_processes, panels.size_by_processes, panels.time_by_processes),
        MAY_EXCEED,
    ),
    "losses": ("losses", "What the window loses", (_losses,), ""),
    "beyond": (
        "many_processes",
        "Beyond the paper: more processes, wider windows",
        (
            _beyond("many_processes", "n", "processes n", "More processes, w=4"),
            _beyond("wide_windows", "w", "window w", "Wider windows, n=6"),
            _alone,
        ),
        "",
    ),
    "complexity": (
        "complexity",
        "Beyond the paper: the worst case, in which all global states are consistent",
        (
            _complexity("n", "processes n", "T (ms)", w=4),
            _complexity("w", "window w", "T (ms)", n=4),
            _complexity("cuts", "cuts (logarithmic)", "bytes"),
        ),
        "Time of the paper's algorithms: growing and pruning alone. Memory: what is kept with full windows.",
    ),
    "skew": (
        "skew",
        "Beyond the paper: bounded clock skew (n=3, w=4)",
        (
            _skew("S", "S (cuts)", "Size of Lat-Win"),
            _skew("prob_det", "Prob_det (%)", "Prob_det"),
            _skew("agreement", "slides (%)", "Definitely agrees with real ends"),
        ),
        MAY_EXCEED,
    ),
    "hurried": (
        "hurried_delay",
        "An experiment of our own: an office that lives forty times faster (n=3, w=4)",
        (
            _hurried("prob_det", "Prob_det (%)", "Prob_det, as the authors count"),
            _hurried("prob_det_real", "Prob_det (%)", "Prob_det, real ends"),
            _hurried("S", "S (cuts)", "Size of Lat-Win"),
        ),
        MAY_EXCEED,
    ),
    "calibration": ("calibration", "Beyond the paper: probability", (_calibration,), ""),
}
