"""Bounded clock skew: what the devices' times say about order, put into the clocks before they enter the window.

If all clocks are within `bound` seconds of each other, a state that begins more than that before another one does
began before it, message or not. So the later one knows it, and all that it knows:

    t - time(x) > bound   =>   the clock of a state that begins at t includes the clock of x

This only adds to clocks, so every engine is what it was. A state that is already known to a delivered one (which
can be, if that one overtook it) must not know more than that one does; what would go beyond it is left out.

Times contradict clocks if of two states the one that certainly began first knows the other one. The state that brings
the contradiction is refused; joined, the two clocks would know each other.
"""

from __future__ import annotations

import numpy as np

from latwin.errors import InvalidClock
from latwin.lattice.kernels.arrays import Floats, Int64s
from latwin.lattice.kernels.window import NEWEST, OLDEST
from latwin.lattice.window import Window


def strengthen(
    window: Window, times: Floats, bound_s: float, process: int, clock: list[int], time_s: float
) -> list[int]:
    """The clock of a state about to be delivered, with what the times add; `times` are rings beside the window's.

    Raises InvalidClock if the time contradicts what states in the windows know, or what this one knows.
    """
    known = np.array(clock, np.int64)
    for j in range(window.processes):
        places = _places(window, j)
        clocks = window.clocks[j, places]
        if j == process:
            known = np.maximum(known, clocks[-1])
            known[j] = clock[j]
            continue
        # The newest state that certainly began before; and the one the clock knows already, with all it knows.
        certain = times[j, places] < time_s - bound_s
        heard = clocks[:, j] <= clock[j]
        impossible = (certain & (clocks[:, process] >= clock[process])) | (
            heard & (time_s < times[j, places] - bound_s)
        )
        if impossible.any():
            at = int(np.flatnonzero(impossible)[0])
            raise InvalidClock(
                f"process {window.name(process)}, state {clock[process]}: it began at {time_s!r}, and state "
                f"{int(clocks[at, j])} of process {window.name(j)}, which {'it knows' if heard[at] else 'knows it'}, "
                f"at {float(times[j, places[at]])!r}; the times cannot be within {_duration(bound_s)} of each other"
            )
        for rows in (np.flatnonzero(certain), np.flatnonzero(heard)):
            if len(rows):
                known = np.maximum(known, clocks[rows[-1]])
    known[process] = clock[process]
    for j in range(window.processes):
        if j != process:
            after = window.clocks[j, _places(window, j)]
            for limit in after[after[:, process] >= clock[process]]:
                known = np.minimum(known, np.maximum(limit, clock))
    result: list[int] = known.tolist()
    return result


def _places(window: Window, process: int) -> Int64s:
    """Where the states in a window are kept in its ring, oldest first."""
    return np.arange(window.ends[OLDEST, process], window.ends[NEWEST, process] + 1) & (window.capacity - 1)


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:g}ms" if 0 < seconds < 1 else f"{seconds:g}s"
