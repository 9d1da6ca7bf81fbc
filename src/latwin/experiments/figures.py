"""The tables as pictures: the paper's Figures 4 to 7 under its numbers, then ours. SVG for print, PNG for a look."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure, FigureBase

from latwin.experiments import own_panels, panels
from latwin.experiments.panels import PHYSICAL, PROB_DET, Panel, Tables

STYLE: Any = {
    "font.size": 8.5,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.alpha": 0.25,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.hashsalt": "latwin",
    "pdf.fonttype": 42,
}
MAY_EXCEED = f"{PROB_DET} can exceed 100 %: {PHYSICAL} also counts slides at which Lat-Win detects nothing."
ERROR_BARS = "Error bars: 95 % intervals of the means over the seeds; some are smaller than the marks."
_MOST_IN_A_ROW = 3


def draw_all(tables: Tables, folder: Path, *, with_png: bool = True) -> dict[str, Path]:
    """Draw every figure whose table is there, as SVG and as PNG; the SVG files by name."""
    drawn = {}
    with mpl.rc_context(STYLE):
        for name, (table, title, parts, note) in _FIGURES.items():
            if table not in tables:
                continue
            figure = compose(tables, title, parts, note)
            # Finding the places of everything takes most of the time, and each drawing would do it twice.
            layout = figure.get_layout_engine()
            assert layout is not None
            layout.execute(figure)
            figure.set_layout_engine("none")
            path = folder / f"{name}.svg"
            figure.savefig(path, metadata={"Date": None})
            if with_png:
                figure.savefig(path.with_suffix(".png"), dpi=150)
            plt.close(figure)
            drawn[name] = path
    return drawn


def compose(tables: Tables, title: str, parts: Sequence[Panel], note: str = "") -> Figure:
    """The panels side by side, four of them in a square; below all of them notes and the legend."""
    columns = len(parts) if len(parts) <= _MOST_IN_A_ROW else -(-len(parts) // 2)
    rows = -(-len(parts) // columns)
    figure, axes = plt.subplots(
        rows,
        columns,
        figsize=(3.3 * max(columns, 1.6), 2.6 * rows + 0.9),
        layout="constrained",
        squeeze=False,
    )
    for one, draw in zip(axes.flat, parts, strict=True):
        draw(one, tables)
    figure.suptitle(title, fontsize=10, fontweight="bold", x=0.01, ha="left")
    add_legend(figure, list(axes.flat), note)
    return figure


def add_legend(figure: FigureBase, axes: Sequence[Axes], note: str = "") -> None:
    """One legend for all axes, outside them, under notes; what has the same name is the same."""
    entries: dict[str, Any] = {}
    for one in axes:
        for handle, name in zip(*one.get_legend_handles_labels(), strict=True):
            entries.setdefault(name, handle)
    if entries:
        columns = min(len(entries), 3 if len(axes) > 1 else 2)
        legend = figure.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=columns)
        legend.set_title("\n".join(filter(None, (note, ERROR_BARS))))
        legend.get_title().set_fontsize("small")
        legend.get_title().set_multialignment("center")


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
    "losses": ("losses", "What the window loses (n=3, 0.5 s)", (own_panels.losses,), ""),
    "beyond": (
        "many_processes",
        "Beyond the paper: more processes, wider windows",
        (
            own_panels.size_beyond,
            own_panels.time_beyond,
            own_panels.time_of_wide_windows,
            own_panels.time_of_conjunctions,
        ),
        "",
    ),
    "complexity": (
        "complexity",
        "Beyond the paper: the worst case, in which all global states are consistent",
        (
            own_panels.time_in_worst_case("a", "n", "processes n", w=4),
            own_panels.time_in_worst_case("b", "w", "window w", n=4),
            own_panels.time_of_a_new_cut,
            own_panels.memory_in_worst_case,
        ),
        "Time of the paper's algorithms: growing and pruning alone. Memory: what is kept with full windows.",
    ),
    "skew": (
        "skew",
        "Beyond the paper: bounded clock skew and final verdicts (n=3, w=4, 0.5 s)",
        (own_panels.size_by_skew, own_panels.prob_det_by_skew, own_panels.right_by_skew),
        MAY_EXCEED,
    ),
    "finality": (
        "finality",
        "Beyond the paper: final verdicts in an office that lives forty times faster (n=3, w=4)",
        (
            own_panels.by_delay("final", "final (%)", "(a) Detections that are final", 0, 108),
            own_panels.by_delay("prob_det", f"{PROB_DET} (%)", f"(b) {PROB_DET}, all detections", 0, 108),
            own_panels.by_delay("prob_det_final", f"{PROB_DET} (%)", f"(c) {PROB_DET}, final detections", 0, 108),
            own_panels.by_delay("right", "physically right (%)", "(d) All detections that are right", 90, 101),
            own_panels.by_delay("right_final", "physically right (%)", "(e) Final ones that are right", 90, 101),
            own_panels.by_delay("right_inside", "physically right (%)", "(f) Not at the least cut: right", 90, 101),
        ),
        MAY_EXCEED,
    ),
    "hurried": (
        "hurried_delay",
        "An experiment of our own: an office that lives forty times faster (n=3, w=4)",
        (
            own_panels.hurried("prob_det", f"{PROB_DET} (%)", f"(a) {PROB_DET}, as the authors count"),
            own_panels.hurried("prob_det_real", f"{PROB_DET} (%)", f"(b) {PROB_DET}, real ends"),
            own_panels.hurried("S", "S (cuts)", "(c) Size of Lat-Win"),
        ),
        MAY_EXCEED,
    ),
    "calibration": (
        "calibration",
        "Beyond the paper: probability (hurried office, w=4)",
        (own_panels.calibration,),
        "",
    ),
}
