"""The tables as pictures, with the published values drawn in. SVG for the report, PNG beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from latwin.experiments import published
from latwin.experiments.tables import Table, theta

# Okabe and Ito's colours, which colour-blind people can tell apart.
_BLUE, _ORANGE, _GREEN, _RED, _PURPLE, _GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#777777"
_STYLE: Any = {
    "font.size": 9,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "svg.hashsalt": "latwin",
    "savefig.bbox": "tight",
}
_PAPER: dict[str, Any] = {"color": _GREY, "linestyle": "none", "marker": "x", "markersize": 7, "label": "published"}


def draw_all(tables: Mapping[str, Table], folder: Path) -> dict[str, Path]:
    """Draw every figure whose table is there; the SVG files by name."""
    drawn = {}
    with mpl.rc_context(_STYLE):
        for name, (table, draw) in _FIGURES.items():
            if table not in tables:
                continue
            figure = draw(tables)
            path = folder / f"{name}.svg"
            figure.savefig(path, metadata={"Date": None})
            figure.savefig(path.with_suffix(".png"), dpi=150)
            plt.close(figure)
            drawn[name] = path
    return drawn


def _column(table: Table, name: str, **same: Any) -> list[Any]:
    return [row[name] for row in table.rows if all(row[k] == v for k, v in same.items())]


def _panels(count: int) -> tuple[Figure, Any]:
    return plt.subplots(1, count, figsize=(3.4 * count, 2.8), layout="constrained")


def _label(axes: Axes, x: str, y: str, title: str) -> None:
    axes.set(xlabel=x, ylabel=y, title=title)
    if "delay" not in x:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if axes.get_legend_handles_labels()[1]:
        axes.legend(fontsize=8)


def _benefits(tables: Mapping[str, Table]) -> Figure:
    table = tables["window"]
    figure, (left, right) = _panels(2)
    w = _column(table, "w")
    left.plot(w, _column(table, "perc_det"), marker="o", color=_BLUE, label="measured")
    left.plot([4], [published.PERC_DET_AT_4], **_PAPER)
    left.set_ylim(top=101)
    _label(left, "window w", "Perc_det (%)", "Detections on Lat-Win, of those on LAT")
    right.plot(w, _column(table, "perc_s"), marker="o", color=_GREEN, label="measured")
    right.axhline(published.PERC_S_AT_10_BELOW, color=_GREY, linestyle=":", label="published: below, at w=10")
    right.set_ylim(bottom=0)
    _label(right, "window w", "Perc_s (%)", "Size of Lat-Win, of LAT's")
    return figure


def _delay(tables: Mapping[str, Table]) -> Figure:
    table = tables["delay"]
    figure, (prob, size, time) = _panels(3)
    for setting, colour in (("literal", _BLUE), ("compressed", _ORANGE)):
        x = _column(table, "delay_s", setting=setting)
        for axes, name in ((prob, "prob_det"), (size, "S"), (time, "T_ms")):
            axes.plot(x, _column(table, name, setting=setting), marker="o", color=colour, label=setting)
    prob.axhline(published.PROB_DET_AT_5_S, color=_GREY, linestyle=":", label="published: above")
    size.plot([5], [published.SIZE_AT_5_S], **_PAPER)
    prob.set_ylim(75, 105)
    size.set_ylim(0, 35)
    time.set_ylim(bottom=0)
    _label(prob, "mean delay (s)", "Prob_det (%)", "Detections that were physically true")
    _label(size, "mean delay (s)", "S (cuts)", "Size")
    _label(time, "mean delay (s)", "T (ms)", "Time of a slide, bit lattice")
    return figure


def _size(tables: Mapping[str, Table]) -> Figure:
    table = tables["size"]
    figure, (prob, size, time) = _panels(3)
    w = _column(table, "w")
    prob.plot(w, _column(table, "prob_det"), marker="o", color=_BLUE, label="measured")
    prob.plot([5], [published.PROB_DET_AT_5], **_PAPER)
    size.bar(w, _column(table, "S"), color=_BLUE, label="measured")
    size.plot(w, _column(table, "worst"), color=_GREY, linestyle=":", label="worst case $w^3$")
    size.plot([4], [published.SIZE_AT_4], **_PAPER)
    size.set_yscale("log")
    time.plot(w, _column(table, "T_ms"), marker="o", color=_BLUE, label="bit lattice")
    time.set_ylim(bottom=0)
    _label(prob, "window w", "Prob_det (%)", "Detections that were physically true")
    _label(size, "window w", "S (cuts)", "Size")
    _label(time, "window w", "T (ms)", "Time of a slide")
    return figure


def _processes(tables: Mapping[str, Table]) -> Figure:
    table = tables["table"]
    figure, (size, time, prob) = _panels(3)
    n = _column(table, "n")
    fitted = theta(table)
    size.plot(n, _column(table, "S"), marker="o", color=_BLUE, label="measured")
    size.plot(n, _column(table, "S_paper"), **_PAPER)
    size.plot(
        n, [(4 * fitted) ** k for k in n], color=_BLUE, alpha=0.5, linestyle="--", label=f"$({4 * fitted:.2f})^n$"
    )
    size.plot(n, _column(table, "worst"), color=_GREY, linestyle=":", label="worst case $4^n$")
    size.set_yscale("log")
    time.plot(n, _column(table, "T_ms"), marker="o", color=_BLUE, label="bit lattice")
    time.plot(n, _column(table, "T_free_ms"), marker="s", color=_GREEN, label="lattice-free")
    known = [row for row in table.rows if row["T_reference_ms"] is not None]
    time.plot(
        [row["n"] for row in known],
        [row["T_reference_ms"] for row in known],
        marker="^",
        color=_PURPLE,
        label="paper's algorithms",
    )
    time.plot(n, _column(table, "T_paper_ms"), **_PAPER)
    time.set_yscale("log")
    prob.plot(n, _column(table, "prob_det"), marker="o", color=_BLUE, label="literal")
    if "compressed_processes" in tables:
        other = tables["compressed_processes"]
        prob.plot(_column(other, "n"), _column(other, "prob_det"), marker="o", color=_ORANGE, label="compressed")
    _label(size, "processes n", "S (cuts)", "Size, w=4")
    _label(time, "processes n", "T (ms)", "Time of a slide")
    _label(prob, "processes n", "Prob_det (%)", "Detections that were physically true")
    return figure


def _beyond(tables: Mapping[str, Table]) -> Figure:
    figure, (many, wide, alone) = _panels(3)
    for axes, name, x in ((many, "many_processes", "n"), (wide, "wide_windows", "w")):
        table = tables[name]
        axes.plot(_column(table, x), _column(table, "S"), marker="o", color=_GREY, label="S (cuts)")
        axes.plot(_column(table, x), _column(table, "T_ms"), marker="o", color=_BLUE, label="T (ms), bit lattice")
        axes.plot(
            _column(table, x), _column(table, "T_free_ms"), marker="s", color=_GREEN, label="T (ms), lattice-free"
        )
        axes.set_yscale("log")
    table = tables["conjunctive"]
    alone.plot(_column(table, "n"), _column(table, "T_free_ms"), marker="s", color=_GREEN, label="lattice-free")
    alone.set_ylim(bottom=0)
    _label(many, "processes n", "", "More processes, w=4")
    _label(wide, "window w", "", "Wider windows, n=6")
    _label(alone, "processes n", "T (ms)", "Conjunctive detection alone")
    return figure


def _delivery(tables: Mapping[str, Table]) -> Figure:
    table = tables["delivery"]
    figure, (size, prob) = _panels(2)
    for order, colour in (("fifo", _BLUE), ("causal", _ORANGE)):
        x = _column(table, "delay_s", delivery=order)
        size.plot(x, _column(table, "S", delivery=order), marker="o", color=colour, label=order)
        prob.plot(x, _column(table, "prob_det", delivery=order), marker="o", color=colour, label=order)
    _label(size, "mean delay (s)", "S (cuts)", "Size")
    _label(prob, "mean delay (s)", "Prob_det (%)", "Detections that were physically true")
    return figure


def _losses(tables: Mapping[str, Table]) -> Figure:
    table = tables["losses"]
    figure, axes = plt.subplots(figsize=(5, 2.8), layout="constrained")
    w = _column(table, "w")
    below = [0.0] * len(w)
    for name, words, colour in (
        ("lost_possible", "possible in the window, not definite", _BLUE),
        ("lost_gone", "not even possible in the window", _ORANGE),
        ("lost_empty", "the window has no cut", _GREY),
    ):
        share = _column(table, name)
        axes.bar(w, share, bottom=below, color=colour, label=words)
        below = [a + b for a, b in zip(below, share, strict=True)]
    axes.plot(w, _column(table, "gained"), color=_RED, marker="x", label="the other way: only on Lat-Win")
    _label(axes, "window w", "slides (%)", "Definitely on LAT, but not on Lat-Win")
    return figure


def _calibration(tables: Mapping[str, Table]) -> Figure:
    table = tables["calibration"]
    figure, axes = plt.subplots(figsize=(4, 3.2), layout="constrained")
    axes.plot([0, 1], [0, 100], color=_GREY, linestyle=":", label="as said")
    for n, colour in zip(dict.fromkeys(_column(table, "n")), (_BLUE, _ORANGE), strict=False):
        x, y = _column(table, "probability", n=n), _column(table, "physically_true", n=n)
        axes.plot(x, y, marker="o", color=colour, label=f"n={n}")
    axes.set(
        xlabel="probability(all true)", ylabel="physically true (%)", title="Does probability predict the truth?"
    )
    axes.legend(fontsize=8)
    return figure


def _skew(tables: Mapping[str, Table]) -> Figure:
    table = tables["skew"]
    figure, (size, agree) = _panels(2)
    known = [row for row in table.rows if row["bound_s"] is not None]
    x = [row["bound_s"] / 60 for row in known]
    size.plot(x, [row["S"] for row in known], marker="o", color=_BLUE, label="with the bound")
    agree.plot(x, [row["agreement"] for row in known], marker="o", color=_BLUE, label="with the bound")
    for row in table.rows:
        if row["bound_s"] is None:
            size.axhline(row["S"], color=_GREY, linestyle=":", label="causality alone")
            agree.axhline(row["agreement"], color=_GREY, linestyle=":", label="causality alone")
    _label(size, "bound on clock skew (min)", "S (cuts)", "Size")
    _label(agree, "bound on clock skew (min)", "slides (%)", "Definitely agrees with what was")
    return figure


#: name -> the table it cannot do without, and how it is drawn
_FIGURES: dict[str, tuple[str, Callable[[Mapping[str, Table]], Figure]]] = {
    "processes": ("table", _processes),
    "benefits": ("window", _benefits),
    "delay": ("delay", _delay),
    "size": ("size", _size),
    "losses": ("losses", _losses),
    "beyond": ("many_processes", _beyond),
    "delivery": ("delivery", _delivery),
    "calibration": ("calibration", _calibration),
    "skew": ("skew", _skew),
}
