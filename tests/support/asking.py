"""Questions asked of a window directly, without a monitor."""

from __future__ import annotations

from typing import Any

from latwin.detect import AtomTable, Context
from latwin.detect.properties import make_question
from latwin.lattice.bits import BitLattice
from latwin.lattice.window import Window
from latwin.properties.tree import Question


class Asked:
    """Questions on a window that states are pushed into."""

    def __init__(self, processes: int, window: Any, asked: list[Question], *, initial: Any = None) -> None:
        self.window = Window(processes, window)
        self.states: list[list[Any]] = [[None] * self.window.capacity for _ in range(processes)]
        self.atoms = AtomTable(self.window, self.states)
        self.context = Context(self.window, self.atoms, 10_000_000)
        self.detectors = [make_question(question, self.context) for question in asked]
        self.atoms.compile()
        for process in range(processes):
            self._keep(process, 0, initial)

    def push(self, process: int, clock: Any, value: Any) -> None:
        number = self.window.push(process, list(clock))
        if len(self.states[process]) != self.window.capacity:
            old = list(self.states)
            self.states[:] = [[None] * self.window.capacity for _ in old]
            self.atoms.resize()
            for k, ring in enumerate(old):
                for state in self.window.states_of(k):
                    self._keep(k, self.window.place(state), ring[state & (len(ring) - 1)])
        self._keep(process, self.window.place(number), value)
        self.context.slide()

    def _keep(self, process: int, place: int, value: Any) -> None:
        self.states[process][place] = value
        self.atoms.push(process, place, value)

    def values(self) -> list[bool | None]:
        return [detector.evaluate() for detector in self.detectors]

    def lattice(self) -> BitLattice | None:
        """The present lattice; None if it is empty."""
        return None if self.window.is_empty else self.context.current_lattice()
