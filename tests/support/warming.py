"""Compiles every kernel once, so that the workers of a test run load them instead of each compiling them.

`python warming.py` fills the cache that NUMBA_CACHE_DIR names; where it is full, this takes about a second. With the
name of a part (`slides`, `questions`) it does that part alone, so that two processes can share the work.
"""

from __future__ import annotations

import sys

from beyond import monitor_beyond
from latwin import LatWin, Monitor, Spec
from latwin.events import read_batch
from latwin.many_groups import ManyGroups

_SPEC = Spec.from_dict(
    {
        "processes": ["a", "b"],
        "window": 3,
        "properties": {
            "some": "possibly(a.x and b.x)",
            "sure": "definitely(a.x and b.x)",
        },
    }
)
_IN_RUNS = {
    "one": "definitely(a.x and not b.x or b.x and not a.x)",
    "sum": "possibly(a.n + b.n > 1)",
    "total": "definitely(a.n + b.n > 1)",
}
_QUESTIONS = {
    "pair": "definitely(a.x or b.n > a.n)",
    "order": "possibly(seq(a.x, b.x))",
    "path": "E[a.x U b.x]",
    "always": "AG(a.x or EX(b.x))",
    "past": "AH(a.x or EY(E[a.x S b.x]))",
    "since": "definitely(always(a.x implies once(b.x)))",
    "share": "probability(a.x and b.x) > 0.5",
    "either": "possibly(exists(p, q in *: p != q and p.n == q.n)) or possibly(a.n > 5 or b.n > 5)",
}
_CLOCKS = [[k // 2 + 1, k // 2 + k % 2] for k in range(8)]
_EVENTS = [
    {"process": "ab"[k % 2], "clock": clock, "state": {"x": k % 3 > 0, "n": k}} for k, clock in enumerate(_CLOCKS)
]


def _with(properties: dict[str, str]) -> Spec:
    return Spec.from_dict({**_SPEC.to_dict(), "properties": properties})


def warm_slides() -> None:
    """Runs of states, and what else their kernels are made of."""
    Monitor(_SPEC).observe_many(_EVENTS)
    Monitor(_with(_IN_RUNS)).observe_many(_EVENTS)
    together, batch = ManyGroups.of(_SPEC, 1), read_batch(_EVENTS, {"a": 0, "b": 1})
    assert together is not None
    assert batch is not None
    together.observe([Monitor(_SPEC).snapshot()], batch, [(0, len(_EVENTS))])
    Monitor(_with({**_SPEC.properties, **_IN_RUNS}), observations=True).observe_many(_EVENTS, every=True)


def warm_questions() -> None:
    """One of each kind of question, one at a time and in runs; snapshots, diagrams, and a lattice to look at."""
    everything = Monitor(_with(_QUESTIONS), observations=True)
    everything.observe_many(_EVENTS, every=True)
    Monitor(everything.spec).observe_many(_EVENTS)
    Monitor.restore(everything.spec, everything.snapshot())
    monitor_beyond(everything.spec, observations=True).observe_many(_EVENTS, every=True)
    Monitor(_SPEC, on_slide=lambda slide: slide.answers).observe_many(_EVENTS)
    lattice = LatWin(processes=2, window=3)
    for k, clock in enumerate(_CLOCKS):
        lattice.push(k % 2, clock, None)
    len(lattice), list(lattice)
    lattice.definitely(lambda states: states == ())
    lattice.possibly(lambda states: states == ())


PARTS = {"slides": warm_slides, "questions": warm_questions}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
