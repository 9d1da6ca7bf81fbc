"""Draws questions.svg: what each kind of question sees on the same small lattice."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from latwin import LatWin, Monitor, Spec

BLUE, ORANGE, GREY = "#0072B2", "#E69F00", "#999999"
# Two processes; the second state of b has heard of the first one of a.
STATES = [
    ("a", [1, 0], {"on": True}, 1.0),
    ("b", [0, 1], {"on": True}, 1.5),
    ("a", [2, 0], {"on": True}, 4.0),
    ("b", [1, 2], {"on": True}, 4.5),
    ("a", [3, 0], {"on": False}, 7.0),
    ("b", [1, 3], {"on": False}, 7.5),
]
ON = {"a": {1, 2}, "b": {1, 2}}
Cut = tuple[int, int]


def cuts_of(states: list[tuple[str, list[int], dict[str, bool], float]]) -> list[Cut]:
    """All consistent cuts."""
    lattice = LatWin(2, 4)
    for name, clock, _, _ in states:
        lattice.push("ab".index(name), clock)
    return [(a, b) for a, b in lattice]


def ask(text: str, **fields: object) -> tuple[bool | None, tuple[Cut, ...] | None, tuple[int, int] | None]:
    """A question's answer at the end, its witness, and the stretch in it."""
    spec = {"processes": ["a", "b"], "window": 4, "properties": {"p": text}, **fields}
    monitor = Monitor(Spec.from_dict(spec), observations=True)
    for name, clock, state, time in STATES:
        (verdict,) = monitor.observe({"process": name, "clock": clock, "state": state, "time": time}, every=True)
    witness = verdict.witness if verdict.witness and isinstance(verdict.witness[0], tuple) else None
    return verdict.value, witness, verdict.stretch  # type: ignore[return-value]


def holds_from(cut: Cut, text: str) -> bool:
    """Whether a formula holds at a cut: ask a window whose least cut it is."""
    later = [(n, c, s, t) for n, c, s, t in STATES if c["ab".index(n)] > cut["ab".index(n)]]
    begun = {name: {"on": cut[k] in ON[name]} for k, name in enumerate("ab")}
    moved = [(n, [max(0, c[0] - cut[0]), max(0, c[1] - cut[1])], s, t) for n, c, s, t in later]
    spec = {"processes": ["a", "b"], "window": 4, "initial": begun, "properties": {"p": text}}
    monitor = Monitor(Spec.from_dict(spec))
    value: bool | None = None
    for name, clock, state, _ in moved:
        (verdict,) = monitor.observe({"process": name, "clock": clock, "state": state}, every=True)
        value = verdict.value
    return bool(value)


def draw(axes: Axes, title: str, filled: set[Cut], path: tuple[Cut, ...] = (), gone: Set[Cut] = frozenset()) -> None:
    """The lattice, with some cuts filled, a path along it, and some cuts pale."""
    cuts = cuts_of(STATES)
    for a, b in cuts:
        for after in ((a + 1, b), (a, b + 1)):
            if after in cuts:
                is_gone = (a, b) in gone or after in gone
                axes.plot(*zip((a, b), after, strict=True), color=GREY, alpha=0.25 if is_gone else 1, lw=1, zorder=1)
    if path:
        axes.plot(*zip(*path, strict=True), color=ORANGE, lw=4, zorder=2, solid_capstyle="round")
    for a, b in cuts:
        face = BLUE if (a, b) in filled else "white"
        alpha = 0.25 if (a, b) in gone else 1
        axes.plot(a, b, "o", ms=13, mfc=face, mec=BLUE, zorder=3, alpha=alpha)
    axes.set_title(title, fontsize=9)
    axes.set(xlim=(-0.5, 3.5), ylim=(-0.5, 3.5), xticks=range(4), yticks=range(4), aspect="equal")
    axes.set_xlabel("state of a", fontsize=8)
    axes.set_ylabel("state of b", fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def main() -> None:
    """Draw all panels."""
    cuts = cuts_of(STATES)
    both = {(a, b) for a, b in cuts if a in ON["a"] and b in ON["b"]}
    mpl.rcParams["svg.hashsalt"] = "latwin"
    figure, panels = plt.subplots(2, 3, figsize=(9, 6.4), layout="constrained")
    (one, two, three), (four, five, six) = panels
    draw(one, "possibly(a.on and b.on): true\nsome cut (filled) satisfies it", both)
    value, avoiding, _ = ask("definitely(a.on and b.on)")
    words = "every observation meets one" if value else "this observation avoids it"
    draw(two, f"definitely(a.on and b.on): {str(value).lower()}\n{words}", both, avoiding or ())
    value, witness, stretch = ask("possibly(seq(a.on and not b.on, any*, b.on and not a.on))")
    assert witness is not None
    assert stretch is not None
    text = "possibly(seq(a.on and not b.on,\nany*, b.on and not a.on)): true, as here"
    draw(three, text, set(), witness[slice(*stretch)])
    until = {cut for cut in cuts if holds_from(cut, "E[a.on U b.on and not a.on]")}
    draw(four, "E[a.on U b.on and not a.on]\nholds at the filled cuts", until)
    ways: dict[Cut, int] = {}
    for a, b in cuts:
        ways[a, b] = 1 if (a, b) == (0, 0) else ways.get((a - 1, b), 0) + ways.get((a, b - 1), 0)
    draw(five, f"probability(c) counts observations:\n{ways[cuts[-1]]} of them, by their number at each cut", set())
    for (a, b), count in ways.items():
        five.text(a, b, str(count), ha="center", va="center", fontsize=7, zorder=4)
    gone = set(cuts) - set(_with_bound("2s"))
    draw(six, 'synchrony = "2s"\nleaves these cuts', set(), gone=gone)
    figure.savefig(Path(__file__).with_name("questions.svg"), metadata={"Date": None})


def _with_bound(bound: str) -> list[Cut]:
    spec = Spec.from_dict({"processes": ["a", "b"], "window": 4, "synchrony": bound, "properties": {"p": "EX(a.on)"}})
    monitor = Monitor(spec)
    for name, clock, state, time in STATES:
        monitor.observe({"process": name, "clock": clock, "state": state, "time": time})
    window = monitor.window
    lattice = LatWin(2, 4)
    for name, clock, _, _ in STATES:
        process = "ab".index(name)
        lattice.push(process, window.clock_of(process, clock[process]))
    return [(a, b) for a, b in lattice]


if __name__ == "__main__":
    main()
