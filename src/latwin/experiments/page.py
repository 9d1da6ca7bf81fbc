"""The evaluation on one printed page: the findings, and the curves that the paper has, as vector graphics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.figure import FigureBase

from latwin.experiments import panels
from latwin.experiments.checks import Check, reasons
from latwin.experiments.figures import MAY_EXCEED, STYLE, add_legend
from latwin.experiments.grids import Extent
from latwin.experiments.panels import GREEN, PERC_DET, PERC_S, PROB_DET, RED, Panel, Tables

_TITLE = "Design of a Sliding Window over Asynchronous Event Streams: the evaluation, repeated"
_A4_INCHES = (8.27, 11.69)
#: the table that a panel cannot do without, the panel's title, the panel
_PANELS: tuple[tuple[str, str, Panel], ...] = (
    ("window", f"Figure 4: {PERC_DET}", panels.perc_det),
    ("window", f"Figure 4: {PERC_S}", panels.perc_s),
    ("delay", f"Figure 5: {PROB_DET}", panels.prob_det_by_delay),
    ("delay", "Figure 5: S", panels.size_by_delay),
    ("delay", "Figure 5: T", panels.time_by_delay),
    ("size", f"Figure 6: {PROB_DET}", panels.prob_det_by_window),
    ("size", "Figure 6: S", panels.size_by_window),
    ("size", "Figure 6: T", panels.time_by_window),
    ("table", f"Figure 7: {PROB_DET}", panels.prob_det_by_processes),
    ("table", "Figure 7, Table 2: S", panels.size_by_processes),
    ("table", "Figure 7, Table 2: T", panels.time_by_processes),
)
_IN_A_ROW = 4
#: where the columns of the findings begin, in shares of the width
_COLUMNS = (0.0, 0.27, 0.54, 0.92)
#: lines above the findings
_HEAD = 5.2
#: letters in a line of the notes below them
_WIDTH = 175


def write_page(path: Path, tables: Tables, checks: Sequence[Check], extent: Extent) -> None:
    """Write one A4 page as PDF."""
    with mpl.rc_context({**STYLE, "font.size": 6.8, "legend.fontsize": 6.5}):
        figure = plt.figure(figsize=_A4_INCHES)
        notes = _notes(checks)
        lines = len(checks) + len(notes) + 8
        top, bottom = figure.subfigures(2, 1, height_ratios=(lines, 42), squeeze=False)[:, 0]
        _write_findings(top, checks, notes, extent)
        shown = [(title, draw) for table, title, draw in _PANELS if table in tables]
        if shown:
            _draw_panels(bottom, tables, shown)
        figure.savefig(path, format="pdf", metadata={"CreationDate": None, "Title": "latwin: the paper's evaluation"})
        plt.close(figure)


def _notes(checks: Sequence[Check]) -> list[str]:
    """Why findings are not met, in lines."""
    return [
        line for unmet, why in reasons(checks).items() for line in wrap(f"Not met: {unmet}: {why}.", width=_WIDTH)
    ]


def _write_findings(part: FigureBase, checks: Sequence[Check], notes: Sequence[str], extent: Extent) -> None:
    """A table as journals print them: rules above and below, and one under its head."""
    axes = part.add_axes((0.07, 0.0, 0.86, 0.97))
    axes.set_axis_off()
    axes.set(xlim=(0, 1), ylim=(len(checks) + len(notes) + _HEAD + 0.5, 0))
    axes.text(0, 1, _TITLE, fontsize=10, weight="bold")
    words = (
        f"Means over {len(extent.seeds)} seeds of {extent.hours:g} h with 95 % intervals (Student's t). A finding is "
        "met if the published value lies within\nthe interval, widened by the noise of the published value itself."
    )
    axes.text(0, 2.4, words, va="center", color="#444444")
    for x, head in zip(_COLUMNS, ("finding", "published", "measured", ""), strict=True):
        axes.text(x, _HEAD - 1, head, weight="bold")
    for y, width in ((_HEAD - 1.8, 1.0), (_HEAD - 0.65, 0.6), (_HEAD + len(checks) - 0.4, 1.0)):
        axes.axhline(y, color="black", linewidth=width)
    for number, check in enumerate(checks):
        y = _HEAD + 0.2 + number
        for x, text in zip(_COLUMNS, (check.finding, check.paper, check.measured), strict=False):
            axes.text(x, y, text.replace("$", r"\$"))
        if check.is_met:
            axes.text(_COLUMNS[-1], y, "met", color=GREEN)
        else:
            axes.text(_COLUMNS[-1], y, "not met", color=RED, weight="bold")
    for number, line in enumerate(notes):
        axes.text(0, _HEAD + len(checks) + 0.7 + number, line, color="#444444", fontsize="small")


def _draw_panels(part: FigureBase, tables: Tables, shown: Sequence[tuple[str, Panel]]) -> None:
    rows = -(-len(shown) // _IN_A_ROW)
    axes = part.subplots(
        rows,
        min(_IN_A_ROW, len(shown)),
        squeeze=False,
        gridspec_kw={"hspace": 0.66, "wspace": 0.46, "left": 0.08, "right": 0.97, "top": 0.95, "bottom": 0.25},
    )
    flat = list(axes.flat)
    for one, (title, draw) in zip(flat, shown, strict=False):
        draw(one, tables)
        one.set_title(title, weight="bold", loc="left", fontsize=7.2)
    for unused in flat[len(shown) :]:
        unused.set_axis_off()
    add_legend(part, flat, MAY_EXCEED)
