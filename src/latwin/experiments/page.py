"""The evaluation on one printed page: the findings, and the curves that the paper has, as vector graphics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.figure import FigureBase

from latwin.experiments import panels
from latwin.experiments.checks import Check
from latwin.experiments.figures import MAY_EXCEED, STYLE, Panel, add_legend
from latwin.experiments.grids import Extent
from latwin.experiments.panels import GREEN, GREY, RED, Tables

_TITLE = "Design of a Sliding Window over Asynchronous Event Streams: the evaluation, repeated"
_A4_INCHES = (8.27, 11.69)
_PANELS: tuple[tuple[str, str, Panel], ...] = (
    ("window", "Figure 4. Perc_det against w", panels.perc_det),
    ("delay", "Figure 5. Prob_det against the delay", panels.prob_det_by_delay),
    ("size", "Figure 6. Prob_det against w", panels.prob_det_by_window),
    ("table", "Figure 7. Prob_det against n", panels.prob_det_by_processes),
    ("table", "Table 2. S against n", panels.size_by_processes),
    ("table", "Table 2. T against n", panels.time_by_processes),
)
#: where the columns of the findings begin, in shares of the width
_COLUMNS = (0.0, 0.3, 0.56, 0.94)


def write_page(path: Path, tables: Tables, checks: Sequence[Check], extent: Extent) -> None:
    """Write one A4 page as PDF."""
    with mpl.rc_context({**STYLE, "font.size": 7, "legend.fontsize": 6.5, "savefig.bbox": None}):
        figure = plt.figure(figsize=_A4_INCHES)
        top, bottom = figure.subfigures(2, 1, height_ratios=(len(checks) + 8, 40), squeeze=False)[:, 0]
        _write_findings(top, checks, extent)
        shown = [(title, draw) for table, title, draw in _PANELS if table in tables]
        if shown:
            _draw_panels(bottom, tables, shown)
        figure.savefig(path, format="pdf", metadata={"CreationDate": None, "Title": "latwin: the paper's evaluation"})
        plt.close(figure)


def _write_findings(part: FigureBase, checks: Sequence[Check], extent: Extent) -> None:
    axes = part.add_axes((0.06, 0.0, 0.88, 0.96))
    axes.set_axis_off()
    line = 1 / (len(checks) + 6)
    axes.text(
        0,
        1 - line,
        _TITLE,
        fontsize=10,
        weight="bold",
    )
    axes.text(
        0,
        1 - 2.4 * line,
        f"{len(extent.seeds)} seeds of {extent.hours:g} h; mean ± half the width of the 95 % interval. A "
        "finding is met if the published value lies within the\n"
        "interval, widened by the noise of the published value itself.",
        va="center",
        color=GREY,
    )
    for x, head in zip(_COLUMNS, ("finding", "published", "measured", ""), strict=True):
        axes.text(x, 1 - 4 * line, head, weight="bold")
    for number, check in enumerate(checks):
        y = 1 - (5 + number) * line
        for x, words in zip(_COLUMNS, (check.finding, check.paper, check.measured), strict=False):
            axes.text(x, y, words.replace("$", r"\$"))
        axes.text(_COLUMNS[-1], y, "met" if check.is_met else "not met", color=GREEN if check.is_met else RED)
    axes.set(xlim=(0, 1), ylim=(0, 1))


def _draw_panels(part: FigureBase, tables: Tables, shown: Sequence[tuple[str, Panel]]) -> None:
    rows = -(-len(shown) // 3)
    axes = part.subplots(
        rows,
        min(3, len(shown)),
        squeeze=False,
        gridspec_kw={"hspace": 0.42, "wspace": 0.32, "left": 0.08, "right": 0.97, "top": 0.95, "bottom": 0.21},
    )
    flat = list(axes.flat)
    for one, (title, draw) in zip(flat, shown, strict=False):
        draw(one, tables)
        one.set_title(title, weight="bold", loc="left")
    for unused in flat[len(shown) :]:
        unused.set_axis_off()
    add_legend(part, flat, MAY_EXCEED)
