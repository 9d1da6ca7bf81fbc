"""The tables that the paper does not have."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import quantiles

from latwin.events.times import read_duration
from latwin.experiments import published
from latwin.experiments.cell import READINGS
from latwin.experiments.estimate import Estimate, exponent
from latwin.experiments.measure import BINS
from latwin.experiments.table import TIMES, Row, Table, by, estimate, finality, perc_det, prob_det, ratio, share


def readings(cells: list[Row]) -> Table:
    """What the paper leaves open: a column for each reading, beside the published values."""
    found = {reading: _of_reading(same) for reading, same in by(cells, "reading")}
    columns = {reading: reading.replace(" ", "_") for reading in READINGS if reading in found}
    rows = [
        {
            "quantity": quantity,
            "published": _PUBLISHED.get(quantity),
            **{column: found[reading][quantity] for reading, column in columns.items()},
        }
        for quantity in next(iter(found.values()))
    ]
    return Table("readings", ("quantity", "published", *columns.values()), rows)


_PUBLISHED = {
    "Perc_det, n=3 (%)": published.PERC_DET_AT_4,
    **{f"S, n={n}": size for n, size in published.SIZES.items()},
    "fall of Prob_det, n=2 to 9": published.PROB_DET_FALL,
}


def _of_reading(cells: list[Row]) -> dict[str, Estimate]:
    """What is compared between readings; the falls are those of Prob_det from the fewest processes to the most."""
    by_n = dict(by(cells, "processes"))
    few, many = prob_det(by_n[min(by_n)]), prob_det(by_n[max(by_n)])
    fall = f"fall of Prob_det, n={min(by_n)} to {max(by_n)}"
    at_3 = {"Perc_det, n=3 (%)": perc_det(by_n[3]), **_named(prob_det(by_n[3]))} if 3 in by_n else {}
    return {
        **at_3,
        **{f"S, n={n}": estimate(some, "S") for n, some in by_n.items()},
        fall: few["prob_det"] - many["prob_det"],
        f"{fall}, real ends": few["prob_det_real"] - many["prob_det_real"],
    }


def _named(both: dict[str, Estimate]) -> dict[str, Estimate]:
    return {"Prob_det, n=3 (%)": both["prob_det"], "Prob_det, real ends, n=3 (%)": both["prob_det_real"]}


def losses(cells: list[Row]) -> Table:
    """Where Lat-Win differs from LAT."""
    kinds = ("lost_possible", "lost_gone", "lost_empty", "gained")
    rows = [{"w": w, **{kind: ratio(some, kind, "slides") for kind in kinds}} for w, some in by(cells, "window")]
    return Table("losses", ("w", *kinds), rows)


def sizes_and_times(name: str, parameter: str, short: str) -> Callable[[list[Row]], Table]:
    """A table of sizes, times and Prob_det against one parameter."""
    names = ("S", *(time for time in TIMES if time != "T_reference_ms"))

    def make(cells: list[Row]) -> Table:
        rows = [
            {short: x, **{k: estimate(some, k) for k in names}, **prob_det(some)} for x, some in by(cells, parameter)
        ]
        return Table(name, (short, *names, "prob_det", "prob_det_real"), rows)

    return make


def hurried(cells: list[Row]) -> Table:
    """The office that lives forty times faster."""
    rows = [
        {"delivery": order, "delay_s": delay_s, **prob_det(some), "S": estimate(some, "S")}
        for order, same in by(cells, "delivery")
        for delay_s, some in by(same, "delay_s")
    ]
    return Table("hurried_delay", ("delivery", "delay_s", "prob_det", "prob_det_real", "S"), rows)


def calibration(cells: list[Row]) -> Table:
    """What probability says, beside what was."""
    rows = []
    for n, some in by(cells, "processes"):
        for k in range(BINS + 1):
            said = sum(cell[f"said_{k}"] for cell in some)
            if said:
                row: Row = {"n": n, "slides": int(said), "probability": sum(cell[f"sum_{k}"] for cell in some) / said}
                row["physically_true"] = ratio(some, f"physical_{k}", f"said_{k}")
                row["physically_true_real"] = ratio(some, f"real_{k}", f"said_{k}")
                rows.append(row)
    columns = ("n", "probability", "physically_true", "physically_true_real", "slides")
    return Table("calibration", columns, rows)


_RIGHT = ("right", "right_final", "right_inside", "agreement")
_FINALITY = ("prob_det", "prob_det_real", "prob_det_final", "final", "inside", *_RIGHT)


def skew(cells: list[Row]) -> Table:
    """Bounds on clock skew, the tightest first."""
    rows = [
        {**names, "S": estimate(some, "S"), **prob_det(some), **finality(some)} for names, some in _by_bound(cells)
    ]
    return Table("skew", ("bound", "S", *_FINALITY), rows)


def final_verdicts(cells: list[Row]) -> Table:
    """Final verdicts by delay, with and without a bound on clock skew."""
    rows = [
        {"delay_s": delay_s, **names, **prob_det(some), **finality(some)}
        for names, same in _by_bound(cells)
        for delay_s, some in by(same, "delay_s")
    ]
    return Table("finality", ("bound", "delay_s", *_FINALITY), rows)


def _by_bound(cells: list[Row]) -> list[tuple[Row, list[Row]]]:
    """The cells by their bound on clock skew, the tightest first, then those without."""
    bounds = {cell["synchrony"]: read_duration(cell["synchrony"]) for cell in cells}
    in_order = sorted(bounds.items(), key=lambda item: math.inf if item[1] is None else item[1])
    return [
        ({"bound": bound or "none", "bound_s": bound_s}, [cell for cell in cells if cell["synchrony"] == bound])
        for bound, bound_s in in_order
    ]


def alone(cells: list[Row]) -> Table:
    """The path without a lattice, on many processes."""
    rows = [{"n": n, "T_free_ms": estimate(some, "T_free_ms")} for n, some in by(cells, "processes")]
    return Table("conjunctive", ("n", "T_free_ms"), rows)


#: how the engines are called in tables, by their names in columns
_ENGINES = {
    "reference": "paper's algorithms",
    "lattice": "bit lattice",
    "certificates": "bit lattice, certificates first",
    "sums": "lattice-free, sums",
    "free": "lattice-free, conjunctions",
}


def complexity(cells: list[Row]) -> Table:
    """The time of a slide in the worst case."""
    times = tuple(f"T_{engine}_ms" for engine in _ENGINES)
    rows = []
    for n, same in by(cells, "processes"):
        for w, some in by(same, "window"):
            new = w ** (n - 1)
            row = {"n": n, "w": w, "cuts": w**n, "new_cuts": new, **{name: estimate(some, name) for name in times}}
            rows.append(row | {"us_per_new_cut": share(some, "T_reference_ms", 1000 / new)})
    return Table("complexity", ("n", "w", "cuts", "new_cuts", *times, "us_per_new_cut"), rows)


def memory(cells: list[Row]) -> Table:
    """What the engines keep in the worst case."""
    sizes = tuple(f"bytes_{engine}" for engine in _ENGINES)
    rows = [
        {"n": n, "w": w, "cuts": w**n, **{name: estimate(some, name) for name in sizes}}
        for n, same in by(cells, "processes")
        for w, some in by(same, "window")
    ]
    return Table("memory", ("n", "w", "cuts", *sizes), rows)


def exponents(cells: list[Row]) -> Table:
    """The b of y = a x^b in the worst case, for each engine's time and memory.

    Against cuts it is fitted to the half of the settings with most cuts, as on small lattices what all slides have in
    common weighs most. Against n the window is 4, against w there are four processes. Times are fitted repetition by
    repetition, which gives an interval.
    """
    rows = [{**time, **size} for time, size in zip(complexity(cells).rows, memory(cells).rows, strict=True)]
    quantities = [(words, "time", f"T_{engine}_ms") for engine, words in _ENGINES.items()]
    quantities += [(words, "memory", f"bytes_{engine}") for engine, words in _ENGINES.items()]
    quantities.append((_ENGINES["reference"], "time for a new cut", "us_per_new_cut"))
    made: list[Row] = []
    for engine, quantity, name in quantities:
        known = sorted((row for row in rows if row[name].known), key=lambda row: row["cuts"])
        by_n, by_w = [row for row in known if row["w"] == 4], [row for row in known if row["n"] == 4]
        if min(len(by_n), len(by_w)) < 2:
            return Table("exponents", (), [])
        of_cuts = None if name == "us_per_new_cut" else _exponent(known[len(known) // 2 :], "cuts", name)
        fits = {"in_cuts": of_cuts, "in_n": _exponent(by_n, "n", name), "in_w": _exponent(by_w, "w", name)}
        made.append({"engine": engine, "quantity": quantity, **fits})
    return Table("exponents", ("engine", "quantity", "in_cuts", "in_n", "in_w"), made)


def _exponent(rows: list[Row], parameter: str, name: str) -> Estimate:
    """Fitted for each repetition on its own."""
    repetitions = zip(*(row[name].values for row in rows), strict=True)
    x = [row[parameter] for row in rows]
    return Estimate(tuple(exponent(zip(x, values, strict=True)) for values in repetitions))


def offices(cells: list[Row]) -> Table:
    """How much single days differ from each other."""
    rows = []
    for name, single_days in (
        ("S", estimate(cells, "S")),
        ("Perc_det (%)", perc_det(cells)),
        ("Prob_det (%)", prob_det(cells)["prob_det"]),
        ("Prob_det, real ends (%)", prob_det(cells)["prob_det_real"]),
        ("seconds of computing", estimate(cells, "seconds")),
    ):
        if len(single_days.known) >= 2:
            marks = quantiles(single_days.known, n=20, method="inclusive")
            few = {"low_5": marks[0], "median": marks[9], "high_95": marks[-1]}
            rows.append({"quantity": name, "offices": len(cells), "mean": single_days, **few})
    return Table("offices", ("quantity", "offices", "mean", "low_5", "median", "high_95"), rows)
