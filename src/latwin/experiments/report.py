"""One page with everything: findings, figures, numbers, setting, seeds, machine. It needs no other file."""

from __future__ import annotations

import math
import os
import platform
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any

from latwin.experiments.checks import Check, checks_of
from latwin.experiments.grids import COMPRESSED, Extent
from latwin.experiments.tables import Table

_STYLE = """
:root { color-scheme: light; } body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2em auto;
padding: 0 1em; color: #222; background: #fff; } h1 { font-size: 1.6em; } h2 { margin-top: 2em; font-size: 1.25em; }
table { border-collapse: collapse; font-size: 13px; margin: 1em 0; } th, td { padding: .25em .7em; text-align: right;
border-bottom: 1px solid #ddd; } th { border-bottom: 2px solid #888; } td.text, th.text { text-align: left; }
td.met { color: #00664b; } td.not { color: #b04a00; font-weight: 600; } figure { margin: 1em 0; overflow-x: auto; }
svg { max-width: 100%; height: auto; } p.why { color: #555; }
"""
_SECTIONS: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    (
        "processes",
        "Number of processes (table 1 and its figure)",
        ("table", "compressed_processes"),
        "w=4, mean delay 0.5 s. T is the mean time of one slide with detection: on the bit lattice (the predicate "
        "written as "
        "a sum, so that all cuts are needed), on the lattice-free path, and of the paper's algorithms as published, "
        "run by "
        "this package in Python. An asterisk marks means over the slides that fitted into a few seconds, windows "
        "full.",
    ),
    (
        "benefits",
        "Benefits of the window",
        ("window",),
        "n=3, delay 0.5 s. Perc_det = N_LatWin / N_LAT, counted after every slide; Perc_s = mean size of Lat-Win / "
        "size of "
        "LAT over the lifetime, which is counted, not stored.",
    ),
    (
        "delay",
        "Message delay",
        ("delay",),
        "n=3, w=4, in two settings. Literal: sensing every minute, so that delays of seconds end long before the "
        "next "
        f"change and nothing moves. Compressed: the office lives {COMPRESSED:g} times faster (a minute takes "
        f"{60 / COMPRESSED:g} s) while delays stay in seconds; only then do delays matter as in the published "
        f"curves. Without "
        "any delay states begin and end at the same instant, and half-open intervals that only touch do not overlap: "
        "hence the dip of Prob_det at 0.",
    ),
    ("size", "Window size", ("size",), "n=3, delay 0.5 s. Prob_det = N_physical / N_LatWin."),
    (
        "losses",
        "What the window loses",
        ("losses",),
        "Slides at which Definitely holds on LAT but not on Lat-Win, by what is left of the predicate in the "
        "window, and "
        "the other way round; in % of all slides.",
    ),
    (
        "",
        "Another reading: a phase of its own for each sensor",
        ("own_phases",),
        "The paper's sensors collect data every minute; whether at the same moment, it does not say. Above they do. "
        "Here "
        "each ticks at a random phase: fewer states are concurrent, so lattices are smaller and detections more "
        "frequent.",
    ),
    (
        "beyond",
        "Beyond the paper: size",
        ("many_processes", "wide_windows", "conjunctive"),
        "Fewer seeds and hours, as the lattices have millions of cuts; times are means over the slides that fitted "
        "into a "
        "few seconds where needed.",
    ),
    (
        "calibration",
        "Beyond the paper: does probability predict the truth?",
        ("calibration",),
        "Compressed setting, w=4. After every slide, probability(all true) on Lat-Win beside whether all were "
        "physically "
        "true at one moment in the window; slides by the probability said, in tenths, and exactly 1. It does not "
        "predict it: below 1 the predicate was nearly never "
        "physically true. That all observations are equally likely is a way of counting, not how an office behaves.",
    ),
    (
        "skew",
        "Beyond the paper: bounded clock skew",
        ("skew",),
        "n=3, w=4, perfect device clocks with a phase for each sensor, and `synchrony` set to the bound: how many "
        "cuts are "
        "left, and at how many slides Definitely says what was physically true.",
    ),
    (
        "delivery",
        "Beyond the paper: causal against FIFO delivery",
        ("delivery",),
        "Compressed setting, n=3, w=4. Causal delivery holds a state back until all it knows has been delivered.",
    ),
)


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
        parts.append(f"<h2>{escape(title)}</h2><p>{escape(words)}</p>")
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
    whys = {check.why: check.finding for check in checks if not check.is_met and check.why}
    notes = "".join(f"<p class='why'><b>{escape(finding)}</b>: {escape(why)}.</p>" for why, finding in whys.items())
    return (
        "<h2>Findings</h2><table><tr><th class='text'>finding</th><th>published</th><th>expected "
        "here</th><th>measured</th>"
        f"<th></th></tr>{rows}</table>{notes}"
    )


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_shown(row, name))}</td>" for name in table.columns) + "</tr>"
        for row in table.rows
    )
    return f"<table id='{table.name}'><tr>{head}</tr>{body}</table>"


def _shown(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    mark = "*" if name == "T_reference_ms" and row.get("reference_capped") else ""
    if isinstance(value, float):
        digits = 1 if abs(value) >= 100 else 3 if abs(value) >= 1 else 4
        return f"{value:,.{digits}f}{mark}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _setting(extent: Extent) -> str:
    lines = {
        "scenario": "false for 5 min and true for 25 min on average, exponential, in whole sensing ticks of 1 min "
        "(one tick for "
        "all sensors), at least one; turning true is told to all others; every state is reported; all delays "
        "exponential",
        "lifetime": f"{extent.hours:g} h (beyond the paper: {extent.few_hours:g} h or less)",
        "seeds": f"{', '.join(map(str, extent.seeds))} (beyond the paper: {', '.join(map(str, extent.few_seeds))})",
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}; cells run side by side on "
        "all cores",
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
