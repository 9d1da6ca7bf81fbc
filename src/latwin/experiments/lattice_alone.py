"""The paper's question answered on the bit lattice at every slide, whatever shortcut today's engines would take.

The states go through a monitor that has no property, so an event takes the way it always takes up to the window. Then
the lattice's own pass follows: build all cuts, label those at which all processes are true, and see whether an
observation avoids the labels. No question is asked, so no engine decides whether the lattice is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels.arrays import plain
from latwin.lattice.kernels.labels import AND, LOCAL, Atoms
from latwin.lattice.kernels.reachability import avoids_program
from latwin.monitor import Monitor
from latwin.slide import Slide
from latwin.spec import Spec


class LatticeAlone:
    """Takes events as a monitor does, and passes over all cuts of the window at every slide that has any.

    The specification has no property, and every process has a variable `on`, which is false at first.
    """

    def __init__(self, spec: Spec) -> None:
        self._monitor = Monitor(spec, on_slide=self._pass)
        window = self._monitor.window
        self._place = window.place
        self._lattice = BitLattice(window, spec.max_cuts)
        self._number = {name: k for k, name in enumerate(spec.processes)}
        self._atoms = _all_true(window.processes, window.capacity)
        #: slides; those at which the lattice was built; those of them at which all were definitely true
        self.slides = self.passes = self.held = 0

    def observe(self, event: Mapping[str, Any]) -> None:
        """Take one event; it may cause several slides."""
        self._monitor.observe(event)

    def _pass(self, slide: Slide) -> None:
        assert slide.process is not None, "windows of an experiment hold a number of states, so nothing ticks"
        process = self._number[slide.process]
        self._atoms.local_flags[process, self._place(slide.newest[process])] = slide.state["on"]
        self.slides += 1
        if slide.least is not None:
            lattice = self._lattice
            lattice.build()
            self.passes += 1
            rows = len(self._atoms.program)
            self.held += not avoids_program(lattice.arrays, plain(self._atoms), 0, rows, lattice.marks)


def _all_true(n: int, capacity: int) -> Atoms:
    """The program of "all are true", and the flags that it reads: none is true at first."""
    steps = [(LOCAL, 0)] + [step for k in range(1, n) for step in ((LOCAL, k), (AND, 0))]
    return Atoms(
        holds=np.zeros((0, n, capacity), np.uint8),
        program=np.array(steps, np.int64),
        local_process=np.arange(n),
        local_flags=np.zeros((n, capacity), np.uint8),
        pair_process=np.zeros((0, 2), np.int64),
        pair_flags=np.zeros((0, capacity, capacity), np.uint8),
        sum_terms=np.zeros((0, n, capacity)),
        sum_compare=np.zeros(0, np.int64),
        sum_bound=np.zeros(0),
    )
