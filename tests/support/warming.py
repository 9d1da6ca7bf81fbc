"""Compiles every kernel once, so that the workers of a test run load them instead of each compiling them.

`python warming.py` fills the cache that NUMBA_CACHE_DIR names; where it is full, this takes about a second.
"""

from __future__ import annotations

from latwin import LatWin, Monitor, Spec

_SPEC = Spec.from_dict(
    {
        "processes": ["a", "b"],
        "window": 3,
        "properties": {
            "some": "possibly(a.x and b.x)",
            "sure": "definitely(a.x and b.x)",
            "one": "definitely(a.x and not b.x or b.x and not a.x)",
        },
    }
)
_QUESTIONS = {
    "sum": "possibly(a.n + b.n > 1)",
    "pair": "definitely(a.x or b.n > a.n)",
    "order": "possibly(seq(a.x, b.x))",
    "path": "E[a.x U b.x]",
    "always": "AG(a.x or EX(b.x))",
    "past": "AH(a.x or EY(E[a.x S b.x]))",
    "since": "definitely(always(a.x implies once(b.x)))",
    "share": "probability(a.x and b.x) > 0.5",
}
_CLOCKS = [[k // 2 + 1, k // 2 + k % 2] for k in range(8)]
_EVENTS = [
    {"process": "ab"[k % 2], "clock": clock, "state": {"x": k % 3 > 0, "n": k}} for k, clock in enumerate(_CLOCKS)
]


def warm_up() -> None:
    """Ask one of each kind of question, one state at a time and in runs, and look at a lattice."""
    asked = {**_SPEC.to_dict(), "properties": {**_SPEC.properties, **_QUESTIONS}}
    Monitor(_SPEC).observe_many(_EVENTS)
    everything = Monitor(Spec.from_dict(asked), observations=True)
    everything.observe_many(_EVENTS, every=True)
    Monitor.restore(everything.spec, everything.snapshot())
    Monitor(_SPEC, on_slide=lambda slide: slide.answers).observe_many(_EVENTS)
    lattice = LatWin(processes=2, window=3)
    for k, clock in enumerate(_CLOCKS):
        lattice.push(k % 2, clock, None)
    len(lattice), list(lattice)
    lattice.definitely(lambda states: states == ())
    lattice.possibly(lambda states: states == ())


if __name__ == "__main__":
    warm_up()
