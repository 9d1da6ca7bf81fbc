"""The panels of the figures that the paper does not have."""

from __future__ import annotations

import math

from matplotlib.axes import Axes

from latwin.experiments.estimate import Estimate
from latwin.experiments.panels import (
    BLUE,
    ENGINES,
    GREEN,
    GREY,
    ORANGE,
    PHYSICAL,
    PROB_DET,
    RED,
    Panel,
    Tables,
    draw_line,
    label,
    percent,
)
from latwin.experiments.table import Row


def losses(axes: Axes, tables: Tables) -> None:
    """What the window loses, by kind, each bar with the interval of all losses."""
    rows = tables["losses"].rows
    w = [row["w"] for row in rows]
    below = [0.0] * len(w)
    for name, words, colour in (
        ("lost_possible", "possible in the window, not definite", BLUE),
        ("lost_gone", "not even possible in the window", ORANGE),
        ("lost_empty", "the window has no cut", GREY),
    ):
        share = [row[name].mean for row in rows]
        axes.bar(w, share, bottom=below, color=colour, label=words, width=0.7)
        below = [a + b for a, b in zip(below, share, strict=True)]
    sums = [{"w": row["w"], "lost": _sum(row["lost_possible"], row["lost_gone"], row["lost_empty"])} for row in rows]
    draw_line(axes, sums, "w", "lost", color="black", linestyle="none", marker="none", label="95 % interval of all")
    axes.set_ylim(bottom=0)
    label(axes, "window w", "slides (%)", "Definitely on LAT, but not on Lat-Win")
    axes.set_xticks(w)


def _sum(*parts: Estimate) -> Estimate:
    return Estimate(tuple(sum(values) for values in zip(*(part.values for part in parts), strict=True)))


def size_beyond(axes: Axes, tables: Tables) -> None:
    """Sizes from the paper's numbers of processes on."""
    axes.set_yscale("log")
    draw_line(axes, _up_to_many(tables), "n", "S", color=BLUE, label="S, measured")
    label(axes, "processes n", "S (cuts), log scale", "(a) Size, w=4")


def time_beyond(axes: Axes, tables: Tables) -> None:
    """Times from the paper's numbers of processes on."""
    _draw_times(axes, _up_to_many(tables), "n")
    label(axes, "processes n", "T (ms), log scale", "(b) Time of a slide, w=4")


def time_of_wide_windows(axes: Axes, tables: Tables) -> None:
    """Times for windows that hold up to thousands of cuts."""
    if "wide_windows" in tables:
        _draw_times(axes, tables["wide_windows"].rows, "w")
    label(axes, "window w", "T (ms), log scale", "(c) Time of a slide, n=6")


def time_of_conjunctions(axes: Axes, tables: Tables) -> None:
    """Conjunctions of up to a hundred processes."""
    rows = tables["conjunctive"].rows if "conjunctive" in tables else []
    _, words, style = ENGINES[-1]
    draw_line(axes, rows, "n", "T_free_ms", label=words, **style)
    axes.set_ylim(bottom=0)
    label(axes, "processes n", "T (ms)", "(d) Conjunctions, w=4")


def _up_to_many(tables: Tables) -> list[Row]:
    few = tables["table"].rows if "table" in tables else []
    return [*few, *tables["many_processes"].rows]


def _draw_times(axes: Axes, rows: list[Row], x: str) -> None:
    axes.set_yscale("log")
    for engine, words, style in ENGINES[1:]:
        draw_line(axes, rows, x, f"T_{engine}_ms", label=words, **style)


def time_in_worst_case(letter: str, x: str, words: str, **same: int) -> Panel:
    """Time in the worst case where `same` holds."""

    def draw(axes: Axes, tables: Tables) -> None:
        rows = [row for row in tables["complexity"].rows if all(row[k] == v for k, v in same.items())]
        axes.set_yscale("log")
        for engine, told, style in ENGINES:
            draw_line(axes, rows, x, f"T_{engine}_ms", label=told, **style)
        fixed = ", ".join(f"{k}={v}" for k, v in same.items())
        label(axes, words, "T (ms), log scale", f"({letter}) Time of a slide, {fixed}")

    return draw


def time_of_a_new_cut(axes: Axes, tables: Tables) -> None:
    """The paper's bound O(n^3) on the time to grow by one cut, beside what it takes."""
    rows = [row for row in tables["complexity"].rows if row["w"] == 4 and row["us_per_new_cut"].known]
    axes.set_xscale("log")
    axes.set_yscale("log")
    _, words, style = ENGINES[0]
    draw_line(axes, rows, "n", "us_per_new_cut", label=words, **style)
    n = [row["n"] for row in rows]
    if len(n) > 1:
        level = rows[0]["us_per_new_cut"].mean / n[0] ** 3
        bound = [level * k**3 for k in n]
        axes.plot(n, bound, color="black", linestyle="-.", linewidth=1, label="published: at most as $n^3$ (slope)")
        lowest = min(row["us_per_new_cut"].mean for row in rows)
        axes.set_ylim(bottom=10 ** math.floor(math.log10(lowest)))  # so that decades are seen
    label(axes, "processes n", "µs for each new cut, log scale", "(c) Growing by one cut, w=4")
    axes.set_xlabel("processes n, log scale")
    axes.set_xticks(n, labels=[str(k) for k in n])
    axes.minorticks_off()


def memory_in_worst_case(axes: Axes, tables: Tables) -> None:
    """Memory against cuts."""
    rows = sorted(tables["memory"].rows, key=lambda row: row["cuts"])
    axes.set_xscale("log")
    axes.set_yscale("log")
    for engine, words, style in ENGINES:
        draw_line(axes, rows, "cuts", f"bytes_{engine}", label=words, **style)
    label(axes, "cuts (log scale)", "bytes, log scale", "(d) Memory, all settings")


def calibration(axes: Axes, tables: Tables) -> None:
    """What probability says, beside what was."""
    rows = tables["calibration"].rows
    axes.plot([0, 1], [0, 100], color=GREY, linestyle=":", label="if probability predicted the truth")
    for n, colour, marker in zip(dict.fromkeys(row["n"] for row in rows), (BLUE, ORANGE), "os", strict=False):
        same = [row for row in rows if row["n"] == n]
        for name, words, style in (
            ("physically_true", "by begins", "--"),
            ("physically_true_real", "by real ends", "-"),
        ):
            told = f"n={n}, {words}"
            draw_line(axes, same, "probability", name, color=colour, marker=marker, linestyle=style, label=told)
    percent(axes)
    label(axes, "probability(all true)", "physically true (%)", "Slides by what probability says")


_RIGHT = (
    ("right", "all detections", BLUE, "o"),
    ("right_final", "final detections", GREEN, "^"),
    ("right_inside", "detections that do not hold at the least cut", RED, "s"),
)


def _by_minutes(tables: Tables) -> tuple[list[Row], list[Row]]:
    """The rows of the skew table with a bound, and without."""
    rows = tables["skew"].rows
    bounded = [{**row, "minutes": row["bound_s"] / 60} for row in rows if row["bound_s"] is not None]
    return bounded, [row for row in rows if row["bound_s"] is None]


def size_by_skew(axes: Axes, tables: Tables) -> None:
    """Sizes under a bound on clock skew."""
    bounded, unbounded = _by_minutes(tables)
    draw_line(axes, bounded, "minutes", "S", color=BLUE, label="all detections")
    for row in unbounded:
        axes.axhline(row["S"].mean, color=BLUE, linestyle=":", linewidth=1)
    axes.set_ylim(bottom=0)
    label(axes, "bound on clock skew (min)", "S (cuts)", "(a) Size of Lat-Win")


def prob_det_by_skew(axes: Axes, tables: Tables) -> None:
    """Prob_det under a bound, of all and of final detections."""
    bounded, unbounded = _by_minutes(tables)
    for name, words, colour, marker in (
        ("prob_det", "all detections", BLUE, "o"),
        ("prob_det_final", "final detections", GREEN, "^"),
        ("prob_det_real", f"all detections, {PHYSICAL} with real ends", ORANGE, "s"),
    ):
        draw_line(axes, bounded, "minutes", name, color=colour, marker=marker, label=words)
        for row in unbounded:
            axes.axhline(row[name].mean, color=colour, linestyle=":", linewidth=1)
    percent(axes, 90, 102)
    label(axes, "bound on clock skew (min)", f"{PROB_DET} (%)", f"(b) {PROB_DET}")


def right_by_skew(axes: Axes, tables: Tables) -> None:
    """How many detections are physically right."""
    bounded, unbounded = _by_minutes(tables)
    for name, words, colour, marker in _RIGHT:
        # All and final ones nearly coincide: the broken line on top lets the other one be seen.
        style = "--" if name == "right_final" else "-"
        draw_line(axes, bounded, "minutes", name, color=colour, marker=marker, linestyle=style, label=words)
        for row in unbounded:
            axes.axhline(row[name].mean, color=colour, linestyle=":", linewidth=1)
    axes.plot([], [], color=GREY, linestyle=":", linewidth=1, label="without a bound")
    percent(axes, 98, 100.3)
    label(axes, "bound on clock skew (min)", "physically right (%)", "(c) Detections that are right")


def by_delay(name: str, words: str, title: str, begin: float, end: float) -> Panel:
    """A quantity of the hurried office against the delay, with and without a bound on clock skew."""

    def draw(axes: Axes, tables: Tables) -> None:
        rows = tables["finality"].rows
        bounds = dict.fromkeys(row["bound_s"] for row in rows)
        for bound_s, colour, marker in zip(bounds, (GREEN, ORANGE, BLUE), "^so", strict=False):
            same = [row for row in rows if row["bound_s"] == bound_s]
            told = "no bound on clock skew" if bound_s is None else f"clock skew at most {bound_s:g} s"
            told = "perfect clocks" if bound_s == 0 else told
            draw_line(axes, same, "delay_s", name, color=colour, marker=marker, label=told)
        percent(axes, begin, end)
        label(axes, "mean delay (s)", words, title)

    return draw


def hurried(name: str, words: str, title: str) -> Panel:
    """A quantity of the hurried office against the delay, for both orders of delivery."""

    def draw(axes: Axes, tables: Tables) -> None:
        for order, colour, marker in (("fifo", BLUE, "o"), ("causal", ORANGE, "s")):
            rows = [row for row in tables["hurried_delay"].rows if row["delivery"] == order]
            draw_line(axes, rows, "delay_s", name, color=colour, marker=marker, label=f"{order} delivery")
        if name == "S":
            axes.set_ylim(bottom=0)
        else:
            percent(axes)
        label(axes, "mean delay (s)", words, title)

    return draw
