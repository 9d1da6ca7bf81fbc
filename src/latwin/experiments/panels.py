"""The panels of the paper's figures: each draws one relation onto one pair of axes, with what the paper says of it.

Error bars are 95 % intervals over the seeds. Percentages begin at 0, or the axis says where it begins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from latwin.experiments import published
from latwin.experiments.estimate import Estimate
from latwin.experiments.table import TIME, Row, Table
from latwin.experiments.tables import theta

Tables = Mapping[str, Table]
Panel = Callable[[Axes, Tables], None]

# Okabe and Ito's colours, which colour-blind people can tell apart.
BLUE, ORANGE, GREEN, RED, PURPLE, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#777777"
SKY, BROWN = "#56B4E9", "#8C510A"
#: engine, as in the names of columns; what it is called; how its line is drawn
ENGINES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("reference", "paper's algorithms in Python", {"color": PURPLE, "marker": "D"}),
    ("lattice", "bit lattice", {"color": GREEN, "marker": "^"}),
    ("certificates", "bit lattice, certificates first", {"color": SKY, "marker": "v"}),
    ("sums", "lattice-free, sums", {"color": BROWN, "marker": "o"}),
    ("free", "lattice-free, conjunctions", {"color": RED, "marker": "s", "linestyle": "--"}),
)
# The paper's names as the paper prints them.
PROB_DET, PERC_DET, PERC_S = r"$Prob_{det}$", r"$Perc_{det}$", r"$Perc_s$"
PHYSICAL, IN_WINDOW = r"$N_{physical}$", r"$N_{\text{Lat-Win}}$"
_MEASURED = "measured"
_BY_BEGINS = f"measured, {PHYSICAL} as the authors count it"
_REAL_ENDS = f"measured, {PHYSICAL} with real ends"
_RATIO = f"(a) {PROB_DET} = {PHYSICAL} / {IN_WINDOW}"
_PAPER: dict[str, Any] = {"color": "black", "linestyle": "none", "marker": "x", "markersize": 6, "zorder": 5}
_PAPER |= {"markeredgewidth": 1.3, "label": "published"}
_LIMIT: dict[str, Any] = {"color": "black", "linestyle": (0, (1, 2)), "linewidth": 1, "label": "published bound"}
_WORST: dict[str, Any] = {"color": GREY, "linestyle": "--", "linewidth": 1, "label": "worst case $w^n$"}


def draw_line(axes: Axes, rows: list[Row], x: str, y: str, **style: Any) -> None:
    """A line through the means of the rows that have them, with their intervals."""
    known = [row for row in rows if isinstance(row.get(y), Estimate) and row[y].known]
    values: list[Estimate] = [row[y] for row in known]
    errors = [0.0 if math.isnan(value.half_width) else value.half_width for value in values]
    if axes.get_yscale() == "log":  # an interval that reaches 0 has no place on a logarithmic axis
        errors = [min(error, 0.9 * value.mean) for error, value in zip(errors, values, strict=True)]
    style = {"marker": "o", "markersize": 3.5, "capsize": 2, "linewidth": 1.2, "elinewidth": 1, **style}
    axes.errorbar([row[x] for row in known], [value.mean for value in values], errors, **style)


def label(axes: Axes, x: str, y: str, title: str) -> None:
    """Name the axes; whole numbers where only these make sense."""
    axes.set(xlabel=x, ylabel=y)
    axes.set_title(title, fontsize="medium", loc="left")
    if "(" not in x:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))


def percent(axes: Axes, begin: float = 0.0, end: float = 108.0) -> None:
    """Fix the axis of a percentage, draw 100 % if it is within, and say so if the axis does not begin at 0."""
    axes.set_ylim(begin, end)
    axes.axhline(100, color=GREY, linewidth=0.5, zorder=0)
    if begin > 0:
        remark(axes, 0.03, f"axis begins at {begin:g} %")


def remark(axes: Axes, height: float, words: str) -> None:
    """A few small words inside the axes, where no line is; `height` is a share of theirs."""
    axes.text(0.03, height, words, transform=axes.transAxes, fontsize="x-small", color="#444444", va="bottom")


def perc_det(axes: Axes, tables: Tables) -> None:
    """Figure 4, the upper line."""
    draw_line(axes, tables["window"].rows, "w", "perc_det", color=BLUE, label=_MEASURED)
    axes.plot([4], [published.PERC_DET_AT_4], **_PAPER)
    percent(axes)
    label(axes, "window w", f"{PERC_DET} (%)", rf"(a) {PERC_DET} = {IN_WINDOW} / $N_{{\text{{LAT}}}}$")


def perc_s(axes: Axes, tables: Tables) -> None:
    """Figure 4, the lower line."""
    draw_line(axes, tables["window"].rows, "w", "perc_s", color=BLUE, label=_MEASURED)
    axes.axhline(published.PERC_S_AT_10_BELOW, **_LIMIT)
    axes.set_ylim(0, max(1.15, axes.get_ylim()[1]))
    remark(axes, 0.78, "published: under 1 % at w=10")
    label(axes, "window w", f"{PERC_S} (%)", rf"(b) {PERC_S} = $S_{{\text{{Lat-Win}}}}$ / $S_{{\text{{LAT}}}}$")


def _both_prob_det(axes: Axes, rows: list[Row], x: str) -> None:
    draw_line(axes, rows, x, "prob_det", color=BLUE, label=_BY_BEGINS)
    draw_line(axes, rows, x, "prob_det_real", color=ORANGE, marker="s", label=_REAL_ENDS)
    percent(axes)


def prob_det_by_delay(axes: Axes, tables: Tables) -> None:
    """Figure 5, the upper line."""
    _both_prob_det(axes, tables["delay"].rows, "delay_s")
    axes.axhline(published.PROB_DET_AT_5_S, **_LIMIT)
    remark(axes, 0.69, f"published: over {published.PROB_DET_AT_5_S:g} %, falls slowly")
    label(axes, "mean delay (s)", f"{PROB_DET} (%)", _RATIO)


def size_by_delay(axes: Axes, tables: Tables) -> None:
    """Figure 5, the bars."""
    draw_line(axes, tables["delay"].rows, "delay_s", "S", color=BLUE, label=_MEASURED)
    axes.plot([0.5, 0.5, 5], [published.SIZES[3], published.SIZE_AT_4, published.SIZE_AT_5_S], **_PAPER)
    axes.axhline(64, **_WORST)
    axes.set_ylim(0, 70)
    label(axes, "mean delay (s)", "S (cuts)", "(b) Size of Lat-Win")


def time_by_delay(axes: Axes, tables: Tables) -> None:
    """Figure 5, the time."""
    draw_line(axes, tables["delay"].rows, "delay_s", TIME, color=GREEN, marker="^", label="bit lattice")
    _below_a_millisecond(axes)
    label(axes, "mean delay (s)", "T (ms)", "(c) Time of a slide")


def _below_a_millisecond(axes: Axes) -> None:
    axes.axhline(published.TIME_BELOW_MS, **_LIMIT)
    axes.set_ylim(0, max(1.15, axes.get_ylim()[1]))
    remark(axes, 0.77, f"published: under {published.TIME_BELOW_MS:g} ms")


def prob_det_by_window(axes: Axes, tables: Tables) -> None:
    """Figure 6, the upper line."""
    _both_prob_det(axes, tables["size"].rows, "w")
    axes.plot([5], [published.PROB_DET_AT_5], **_PAPER)
    label(axes, "window w", f"{PROB_DET} (%)", _RATIO)


def size_by_window(axes: Axes, tables: Tables) -> None:
    """Figure 6, the bars."""
    rows = tables["size"].rows
    axes.set_yscale("log")
    draw_line(axes, rows, "w", "S", color=BLUE, label=_MEASURED)
    axes.plot([4, 4], [published.SIZES[3], published.SIZE_AT_4], **_PAPER)
    axes.plot([row["w"] for row in rows], [row["worst"] for row in rows], **_WORST)
    label(axes, "window w", "S (cuts), log scale", "(b) Size of Lat-Win")


def time_by_window(axes: Axes, tables: Tables) -> None:
    """Figure 6, the time."""
    draw_line(axes, tables["size"].rows, "w", TIME, color=GREEN, marker="^", label="bit lattice")
    _below_a_millisecond(axes)
    label(axes, "window w", "T (ms)", "(c) Time of a slide")


def prob_det_by_processes(axes: Axes, tables: Tables) -> None:
    """Figure 7, the upper line; the published fall begins where ours does."""
    rows = tables["table"].rows
    _both_prob_det(axes, rows, "n")
    first = rows[0]["prob_det"].mean
    ends = (rows[0]["n"], 9), (first, first - published.PROB_DET_FALL)
    axes.plot(*ends, color="black", linestyle="-.", linewidth=1, zorder=4, label="published fall, about 20 points")
    label(axes, "processes n", f"{PROB_DET} (%)", _RATIO)


def size_by_processes(axes: Axes, tables: Tables) -> None:
    """Figure 7 and Table 2, sizes."""
    table = tables["table"]
    n = [row["n"] for row in table.rows]
    axes.set_yscale("log")
    draw_line(axes, table.rows, "n", "S", color=BLUE, label=_MEASURED)
    axes.plot(list(published.SIZES), list(published.SIZES.values()), **_PAPER)
    if len(n) > 1:
        base = 4 * theta(table).mean
        fit = [base**k for k in n]
        axes.plot(n, fit, color=BLUE, alpha=0.6, linestyle=":", linewidth=1, label=f"fit: S = {base:.2f}$^n$")
    axes.plot(n, [row["worst"] for row in table.rows], **_WORST)
    label(axes, "processes n", "S (cuts), log scale", "(b) Size of Lat-Win")


def time_by_processes(axes: Axes, tables: Tables) -> None:
    """Figure 7 and Table 2, times."""
    rows = tables["table"].rows
    axes.set_yscale("log")
    for engine, words, style in ENGINES:
        draw_line(axes, rows, "n", f"T_{engine}_ms", label=words, **style)
    axes.plot(list(published.TIMES_MS), list(published.TIMES_MS.values()), **_PAPER)
    label(axes, "processes n", "T (ms), log scale", "(c) Time of a slide")
