"""Every slide of a run in one compiled pass: the size of the lattice, what holds on it, what perfect clocks say.

The paper counts after every delivered state (section 6.2), so an experiment has millions of slides. This pass takes
all states of a run at once and calls the same kernels as a monitor, without crossing into Python between two slides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latwin.events import Arrival
from latwin.experiments import kernels
from latwin.experiments.kernels import AT_LEAST, CUTS, FINAL, JUDGED, MET, PHYSICAL, POSSIBLE, REAL
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels.arrays import Int64s, plain
from latwin.lattice.window import Window
from latwin.sim import Simulation

Bools = npt.NDArray[np.bool_]
_ANY_NUMBER = 1 << 40  # counting needs no memory


@dataclass(frozen=True)
class Slides:
    """What was found after each delivered state: arrays with an entry for each slide.

    Definitely and possibly are those of "all processes are true". `physical` counts true runs by the begins of the
    states in the window, as the paper's authors do (`overlap_by_begins`), `real` by the real ends of these states
    (`overlap_in_window`).
    """

    #: the number of cuts; 0 where the lattice is empty
    cuts: Int64s
    definite: Bools
    #: definitely holds, and no state to come can overturn it for the states of this window
    final: Bools
    #: definitely holds, and the condition holds at the least cut, before which the window has forgotten everything
    at_least: Bools
    possible: Bools
    physical: Bools
    real: Bools


def all_slides(run: Simulation, arrivals: Sequence[Arrival], window: int) -> Slides:
    """Deliver the states to windows of this size, and look after each."""
    found = _deliver(BitLattice(Window(len(run.names), window), _ANY_NUMBER), run, arrivals, is_lat=False)
    judged = found[:, JUDGED]
    return Slides(
        cuts=found[:, CUTS],
        definite=judged & MET > 0,
        final=judged & FINAL > 0,
        at_least=judged & AT_LEAST > 0,
        possible=found[:, POSSIBLE] > 0,
        physical=found[:, PHYSICAL] > 0,
        real=found[:, REAL] > 0,
    )


def on_lat(run: Simulation, arrivals: Sequence[Arrival]) -> tuple[Bools, int]:
    """Whether definitely held on LAT, the lattice of everything delivered so far, after each state; its last size."""
    # Windows that hold the whole run never forget.
    window = Window(len(run.names), [len(states) for states in run.truth])
    lattice = BitLattice(window, _ANY_NUMBER)
    found = _deliver(lattice, run, arrivals, is_lat=True)
    window.refresh()
    return found[:, JUDGED] & MET > 0, lattice.count()


def _deliver(lattice: BitLattice, run: Simulation, arrivals: Sequence[Arrival], *, is_lat: bool) -> Int64s:
    n = len(run.names)
    found = np.zeros((len(arrivals), kernels.COLUMNS), np.int64)
    delivered = kernels.count_slides(
        lattice.window.clocks,
        lattice.arrays,
        lattice.scaffold,
        plain(_history(run)),
        np.array([arrival.process for arrival in arrivals], np.int64),
        np.array([arrival.clock for arrival in arrivals], np.int64).reshape(-1, n),
        is_lat,
        found,
    )
    assert delivered == len(arrivals), "the clocks of a simulation are right"
    return found


def _history(run: Simulation) -> kernels.History:
    most = max(len(states) for states in run.truth)
    begins = np.full((len(run.truth), most + 1), run.lifetime_s)
    on = np.zeros((len(run.truth), most), np.uint8)
    for k, states in enumerate(run.truth):
        begins[k, : len(states)] = [state.start_s for state in states]
        on[k, : len(states)] = [state.on for state in states]
    return kernels.History(begins, on)
