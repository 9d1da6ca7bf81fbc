"""One page with everything: findings, figures, numbers, setting, seeds, machine. It needs no other file."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any

from latwin.experiments.cell import READINGS
from latwin.experiments.checks import Check, checks_of, reasons
from latwin.experiments.estimate import Estimate, shown
from latwin.experiments.grids import Extent
from latwin.experiments.table import Table

_STYLE = """
:root { color-scheme: light; } body { font: 15px/1.5 system-ui, sans-serif; max-width: 1360px; margin: 2em auto;
padding: 0 1em; color: #222; background: #fff; } h1 { font-size: 1.6em; } h2 { margin-top: 2em; font-size: 1.25em; }
table { border-collapse: collapse; font-size: 13px; margin: 1em 0; } th, td { padding: .25em .55em; text-align: right;
border-bottom: 1px solid #ddd; } th { border-bottom: 2px solid #888; } td.text, th.text { text-align: left; }
td.met, td.not, table[id] td { white-space: nowrap; } table[id] { display: block; overflow-x: auto; }
td.met { color: #00664b; } td.not { color: #b04a00; font-weight: 600; } figure { margin: 1em 0; overflow-x: auto; }
svg { max-width: 100%; height: auto; } p { max-width: 75em; } p.why { color: #555; }
"""
#: the figure, its heading, its tables, what to know about them
_SECTIONS: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    (
        "benefits",
        "Figure 4: benefits of the window",
        ("window",),
        "n=3, delay 0.5 s. Perc_det = N_LatWin / N_LAT, counted after every slide; Perc_s = mean size of Lat-Win / "
        "size of LAT over the lifetime, which is counted, not stored.",
    ),
    (
        "delay",
        "Figure 5: message delay",
        ("delay",),
        "n=3, w=4. Prob_det = N_physical / N_LatWin, in both meanings of N_physical (see Setting). A minute of "
        "sensing is long beside delays of seconds, and the authors' middleware scales both alike: the delay hardly "
        "matters.",
    ),
    (
        "size",
        "Figure 6: window size",
        ("size",),
        "n=3, delay 0.5 s. With few states in the window, a true run often is one state, which by its begin alone "
        "lasts no time: this is why Prob_det rises quickly with w, as published. With real ends it does not rise.",
    ),
    (
        "processes",
        "Figure 7 and Table 2: number of processes",
        ("table",),
        "w=4, mean delay 0.5 s. T is the mean time of one slide with detection, from the event to the answer. Bit "
        "lattice: all cuts are built and labelled at every slide, as in the paper. Certificates first: single cuts "
        "and short walks answer where they can, else a pass over the cuts. Sums and conjunctions: the same condition "
        "in forms that need no lattice. The paper's algorithms: as published, run by this package in Python; an "
        "asterisk marks means over 50 slides, or more if they fitted into three seconds. Of the worst case wⁿ, the "
        "paper says less than 1 %, its own table has 56 to 13 %.",
    ),
    (
        "",
        "What the paper leaves open",
        ("readings",),
        "Facts of the authors' middleware about which the text is silent, a column for each: sensors tick at phases "
        "of their own (used everywhere else) or together; two sensors watch the same activity; durations and delays"
        " are drawn with a binary logarithm. w=4, delay 0.5 s. Prob_det and its fall are as the authors count "
        "N_physical, and with real ends.",
    ),
    (
        "losses",
        "What the window loses",
        ("losses",),
        "Slides at which Definitely holds on LAT but not on Lat-Win, by what is left of the condition in the "
        "window, and the other way round; in % of all slides.",
    ),
    (
        "beyond",
        "Beyond the paper: size",
        ("many_processes", "wide_windows", "conjunctive"),
        "Fewer hours, as the lattices have millions of cuts; times are means over the slides that fitted "
        "into a few seconds where needed. Up to n=9 the curves are those of Table 2.",
    ),
    (
        "complexity",
        "Beyond the paper: complexity, measured",
        ("exponents", "complexity", "memory"),
        "Streams without a message, so that all of the w^n global states are consistent (section 5.3 of the paper)."
        " Exponents b of y = a x^b: in cuts over the half of the settings with most cuts, in n at w=4, in w at n=4."
        " The paper bounds the time to grow by O(n^3) for each of the w^(n-1) new cuts; µs per new cut is that time"
        " here. Memory is what Python and numpy allocate and a monitor keeps; it is measured once.",
    ),
    (
        "skew",
        "Beyond the paper: bounded clock skew and final verdicts",
        ("skew",),
        "n=3, w=4, perfect device clocks, and `synchrony` set to the bound. A detection is final if no state to come "
        "can overturn it for the states of the window; it is inside if the condition does not hold at the least cut, "
        "before which the window has forgotten everything. final and inside: their share of all detections. right: "
        "the share of all detections, or of those of a kind, at which all processes were physically true at one "
        "moment, by real ends. Prob_det, final = N_physical / final detections; it exceeds Prob_det because fewer "
        "detections are final, not because fewer of them are wrong. agreement: slides at which Definitely says what "
        "was physically true. Axes (b) and (c) do not begin at 0.",
    ),
    (
        "finality",
        "Beyond the paper: final verdicts when delays are long",
        ("finality",),
        "The same columns for an office that lives forty times faster (see below), in which delays are long beside "
        "the sensing period of 1.5 s, so that states under way can overturn a verdict.",
    ),
    (
        "hurried",
        "An experiment of our own: an office that lives forty times faster",
        ("hurried_delay",),
        "A minute of the office takes 1.5 s while delays stay in seconds, so that delays are long beside the "
        "sensing period. The paper has no such setting, and nothing here is compared with it. Causal delivery holds"
        " a state back until all it knows has been delivered.",
    ),
    (
        "calibration",
        "Beyond the paper: does probability predict the truth?",
        ("calibration",),
        "The hurried office, w=4. After every slide, probability(all true) on Lat-Win beside whether all were "
        "physically true at one moment in the window, by the begins of states and by their real ends; slides by the "
        "probability said, in tenths, and exactly 1. That all observations are equally likely is a way of counting, "
        "not how an office behaves.",
    ),
    (
        "",
        "Many offices",
        ("offices",),
        "Offices that differ in their seed only, each watched for a day, as one Spark job: how much single days "
        "differ. `--groups N` sets their number.",
    ),
)

#: how columns are headed, where not by the name that they have in CSV files
_HEADS = {
    "S_paper": "S, paper",
    "S_of_worst": "S of wⁿ (%)",
    "T_lattice_ms": "T (ms), bit lattice",
    "T_certificates_ms": "T (ms), certificates first",
    "T_sums_ms": "T (ms), sums",
    "T_free_ms": "T (ms), conjunctions",
    "T_reference_ms": "T (ms), paper's algorithms",
    "T_paper_ms": "T (ms), paper",
    "perc_det": "Perc_det (%)",
    "perc_s": "Perc_s (%)",
    "prob_det": "Prob_det (%)",
    "prob_det_real": "Prob_det, real ends (%)",
    "prob_det_final": "Prob_det, final (%)",
    "delay_s": "delay (s)",
    "final": "final (%)",
    "inside": "inside (%)",
    "right": "right (%)",
    "right_final": "final: right (%)",
    "right_inside": "inside: right (%)",
    "agreement": "agreement (%)",
    "physically_true": "physically true, by begins (%)",
    "physically_true_real": "physically true, by real ends (%)",
    "lost_possible": "lost, still possible (%)",
    "lost_gone": "lost, not possible (%)",
    "lost_empty": "lost, no cut (%)",
    "gained": "only on Lat-Win (%)",
    "new_cuts": "new cuts",
    "bytes_reference": "bytes, paper's algorithms",
    "bytes_lattice": "bytes, bit lattice",
    "bytes_certificates": "bytes, certificates first",
    "bytes_sums": "bytes, sums",
    "bytes_free": "bytes, conjunctions",
    "us_per_new_cut": "µs per new cut",
    "in_cuts": "exponent in cuts",
    "in_n": "exponent in n",
    "in_w": "exponent in w",
    "low_5": "5 % of days below",
    "high_95": "5 % of days above",
    **{reading.replace(" ", "_"): reading for reading in READINGS},
}


#: columns of numbers that were not measured
_AS_GIVEN = ("delay_s", "published", "T_paper_ms")


def write_report(path: Path, tables: Mapping[str, Table], figures: Mapping[str, Path], extent: Extent) -> None:
    """Write the page."""
    checks = checks_of(tables)
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>latwin: the paper's evaluation</title>",
        f"<style>{_STYLE}</style></head><body>",
        "<h1>The paper's evaluation, reproduced</h1>",
        "<p>Yang, Huang, Cao, Ma, Lu: <i>Design of a Sliding Window over Asynchronous Event Streams</i>, section 6. "
        "The "
        "smart office is simulated with the paper's parameters; nothing is tuned.</p>",
        _findings(checks),
    ]
    for figure, title, names, words in _SECTIONS:
        there = [tables[name] for name in names if name in tables]
        if not there:
            continue
        told = re.sub("`([^`]+)`", r"<code>\1</code>", escape(words))
        parts.append(f"<h2>{escape(title)}</h2><p>{told}</p>")
        if figure in figures:
            parts.append(f"<figure>{_inline(figures[figure])}</figure>")
        parts += [_table(table) for table in there]
    parts += [_setting(extent), "</body></html>"]
    path.write_text("\n".join(parts), encoding="utf-8")


def _findings(checks: Sequence[Check]) -> str:
    if not checks:
        return ""
    rows = "".join(
        f"<tr><td "
        f"class='text'>{escape(check.finding)}</td><td>{escape(check.paper)}</td><td>{escape(check.expected)}</td>"
        f"<td>{escape(check.measured)}</td><td class='{'met' if check.is_met else 'not'}'>"
        f"{'met' if check.is_met else 'not met'}</td></tr>"
        for check in checks
    )
    notes = "".join(
        f"<p class='why'><b>{escape(unmet)}</b>: {escape(why)}.</p>" for unmet, why in reasons(checks).items()
    )
    return (
        "<h2>Findings</h2><table><tr><th class='text'>finding</th><th>published</th><th>met if</th><th>measured</th>"
        f"<th></th></tr>{rows}</table>{notes}"
    )


def _table(table: Table) -> str:
    side = {name: " class='text'" if isinstance(table.rows[0].get(name), str) else "" for name in table.columns}
    head = "".join(f"<th{side[name]}>{escape(_HEADS.get(name, name))}</th>" for name in table.columns)
    body = "".join(
        "<tr>" + "".join(f"<td{side[name]}>{escape(_shown(row, name))}</td>" for name in table.columns) + "</tr>"
        for row in table.rows
    )
    return f"<table id='{table.name}'><tr>{head}</tr>{body}</table>"


def _shown(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    mark = "*" if name == "T_reference_ms" and row.get("reference_capped") else ""
    if value is None:
        return "-"
    if isinstance(value, Estimate):
        return f"{value}{mark}"
    if isinstance(value, float):
        return f"{value:,g}" if name in _AS_GIVEN else shown(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def _setting(extent: Extent) -> str:
    lines = {
        "scenario": "false for 5 min and true for 25 min on average, exponential, in whole sensing ticks of 1 min "
        "(each sensor at a phase of its own), at least one; turning true is told to all others; every state is "
        "reported; all delays exponential",
        "N_physical": "Prob_det counts as the authors' middleware does: inside the window, a true run lasts from the "
        "begin of its first state to the begin of the following false state or, if still true, to the begin of the "
        "last state in the window. Real ends are those of the states themselves, which a window cannot know",
        "error bars": "mean ± half the width of the 95 % interval over the seeds (Student's t)",
        "lifetime": f"{extent.hours:g} h (large lattices: {extent.few_hours:g} h or less)",
        "seeds": f"{extent.seeds[0]} to {extent.seeds[-1]}; the worst case, in which nothing is random, is measured "
        f"{len(extent.seeds)} times",
        "times": "computing time of the process that measures, in one thread, so that other work on the machine does "
        "not count; over slides of the second half of the lifetime",
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        "versions": f"latwin {version('latwin')}, Python {platform.python_version()}, "
        + ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "pyspark")),
    }
    items = "".join(
        f"<tr><td class='text'>{escape(k)}</td><td class='text'>{escape(v)}</td></tr>" for k, v in lines.items()
    )
    return f"<h2>Setting</h2><table>{items}</table>"


def _inline(path: Path) -> str:
    """The SVG without its XML head; its ids get the figure's name, as they must differ within a page."""
    text = path.read_text(encoding="utf-8")
    text = text[text.index("<svg") :]
    text = re.sub(r'\bid="([^"]+)"', rf'id="{path.stem}-\1"', text)
    text = re.sub(r'(xlink:href="#|url\(#)', rf"\1{path.stem}-", text)
    return text
