"""Bounded clock skew: what the devices' times say about order, put into the clocks before they enter the window.

If all clocks are within `bound` seconds of each other, a state that begins more than that before another one does
began before it, message or not. So the later one knows it, and all that it knows:

    t - time(x) > bound   =>   the clock of a state that begins at t includes the clock of x

This only adds to clocks, so every engine is what it was. A state that is already known to a delivered one (which
can be, if that one overtook it) must not know more than that one does; what would go beyond it is left out.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from latwin.lattice.kernels.window import NEWEST, OLDEST
from latwin.lattice.window import Window

Floats = npt.NDArray[np.float64]


def strengthen(
    window: Window, times: Floats, bound_s: float, process: int, clock: list[int], time_s: float
) -> list[int]:
    """The clock of a state about to be delivered, with what the times add; `times` are rings beside the window's."""
    mask = window.capacity - 1
    known = np.array(clock, np.int64)
    for j in range(window.processes):
        places = np.arange(window.ends[OLDEST, j], window.ends[NEWEST, j] + 1) & mask
        clocks = window.clocks[j, places]
        indices = clocks[:, j]
        if j == process:
            known = np.maximum(known, clocks[-1])
            known[j] = clock[j]
            continue
        # The newest state that certainly began before, unless it knows this one: then the times are wrong, and
        # clocks are believed first. And the one the clock knows already, with all it knows.
        certain = np.flatnonzero((times[j, places] < time_s - bound_s) & (clocks[:, process] < clock[process]))
        heard = np.flatnonzero(indices <= clock[j])
        for rows in (certain, heard):
            if len(rows):
                known = np.maximum(known, clocks[rows[-1]])
    known[process] = clock[process]
    for j in range(window.processes):
        if j != process:
            places = np.arange(window.ends[OLDEST, j], window.ends[NEWEST, j] + 1) & mask
            after = window.clocks[j, places]
            for limit in after[after[:, process] >= clock[process]]:
                known = np.minimum(known, np.maximum(limit, clock))
    result: list[int] = known.tolist()
    return result
