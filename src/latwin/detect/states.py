"""What is kept of the states in a window beside their clocks: variables, times, and what the atoms make of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from latwin.detect.atoms import AtomTable
from latwin.events.sameness import has_same, is_same
from latwin.lattice.kernels.arrays import Int64s
from latwin.lattice.kernels.window import NEWEST, OLDEST
from latwin.lattice.window import Window
from latwin.properties.members import THERE


def as_member(state: Any, roles: Sequence[str]) -> Any:
    """A state as conditions of a group that processes join read it, for the roles that its process has.

    >>> as_member({"ready": True}, ("*", "pod"))
    {'': {'*': True, 'pod': True}, '*': {'ready': True}, 'pod': {'ready': True}}
    """
    return None if state is None else {THERE: dict.fromkeys(roles, True), **dict.fromkeys(roles, state)}


class KeptStates:
    """Rings like the window's, of its capacity: a state that leaves the window is overwritten by a later one.

    States are added after they were pushed to the window. `atoms` is told of each of them.
    """

    def __init__(self, window: Window, *, is_open: bool = False) -> None:
        self._window = window
        #: per process the roles that it has, in a group that processes join and leave
        self.roles: list[tuple[str, ...]] | None = [()] * window.processes if is_open else None
        #: per process, the states' variables
        self.rings: list[list[Any]] = [[None] * window.capacity for _ in range(window.processes)]
        #: when they began, for specs with `synchrony`; the initial states before everything
        self.times = np.full((window.processes, window.capacity), -math.inf)
        #: the same as the atoms read them, which is another way only where processes join: see `latwin.model.Seats`
        self.read = [[None] * window.capacity for _ in self.rings] if is_open else self.rings
        self.atoms = AtomTable(window, self.read)

    def add(self, process: int, number: int, state: Any, time_s: float = -math.inf) -> None:
        """Keep the state of a process that has this number in the window."""
        ring, capacity = self.rings[process], self._window.capacity
        if len(ring) != capacity:
            self._fit()
            ring = self.rings[process]
        place = number & (capacity - 1)
        ring[place] = state
        self.times[process, place] = time_s
        if self.roles is not None:
            state = as_member(state, self.roles[process])
            self.read[process][place] = state
        self.atoms.push(process, place, state)

    def load(self, process: int, states: Sequence[Any], times_s: Sequence[float] | None) -> None:
        """Keep these states of a process, oldest first, which are all in its window; the same as adding each."""
        window = self._window
        numbers = window.states_of(process)
        if self.roles is not None or times_s is not None or len(self.rings[process]) != window.capacity:
            for number, state, time_s in zip(numbers, states, times_s or [-math.inf] * len(states), strict=True):
                self.add(process, number, state, time_s)
            return
        ring, mask = self.rings[process], window.capacity - 1
        places = [number & mask for number in numbers]
        for place, state in zip(places, states, strict=True):
            ring[place] = state
        self.times[process] = -math.inf
        self.atoms.push_all(process, places, states)

    def add_run(self, processes: Int64s, states: Sequence[Any]) -> None:
        """Keep the states of a run that the kernels pushed just now; the atoms know them already."""
        window = self._window
        numbers, oldest = window.ends[NEWEST].tolist(), window.ends[OLDEST].tolist()
        mask = window.capacity - 1
        missing = sum(numbers) - sum(oldest) + len(numbers)
        for k, state in zip(reversed(processes.tolist()), reversed(states), strict=True):
            number = numbers[k]
            numbers[k] = number - 1
            if number >= oldest[k]:  # only the last ones of each process are still in the window
                self.rings[k][number & mask] = state
                missing -= 1
                if not missing:
                    break

    def vacate(self, processes: Sequence[int]) -> None:
        """Follow the window, of which these processes are in their initial state again, which is null."""
        for process in processes:
            self.add(process, 0, None)
        self.atoms.forget_witnesses()

    def of(self, process: int) -> list[Any]:
        """The variables of the states in the window of a process, oldest first."""
        return self.states(process, self._window.states_of(process))

    def states(self, process: int, numbers: Sequence[int]) -> list[Any]:
        """The variables of some states in the window of a process."""
        ring, mask = self.rings[process], self._window.capacity - 1
        return [ring[number & mask] for number in numbers]

    def latest(self, process: int) -> Any:
        """The variables of its newest state."""
        return self.rings[process][self._window.place(int(self._window.ends[NEWEST, process]))]

    def follows(self, process: int, number: int, told: Any) -> bool:
        """Whether the variables that an event told, added to those kept before it, make the state of this number."""
        window, ring = self._window, self.rings[process]
        state = ring[window.place(number)] or {}
        if number == window.oldest(process):  # what it followed is forgotten
            return has_same(state, told or {})
        return is_same({**(ring[window.place(number - 1)] or {}), **(told or {})}, state)

    def times_of(self, process: int) -> list[float]:
        """When they began, in seconds."""
        window = self._window
        return [float(self.times[process, window.place(number)]) for number in window.states_of(process)]

    def _fit(self) -> None:
        """Follow the window's capacity, and tell the atoms of all states again."""
        window = self._window
        rings, times = list(self.rings), self.times
        self.times = np.full((window.processes, window.capacity), -math.inf)
        self.rings[:] = [[None] * window.capacity for _ in range(window.processes)]
        if self.roles is not None:
            self.read[:] = [[None] * window.capacity for _ in range(window.processes)]
        self.atoms.resize()
        for process, ring in enumerate(rings):
            for number in window.states_of(process):
                before = number & (len(ring) - 1)
                self.add(process, number, ring[before], float(times[process, before]))
