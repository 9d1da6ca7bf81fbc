"""The way of the reports to the checker, on which they are delayed, lost and duplicated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from latwin.sim.delays import Delay
from latwin.sim.streams import Streams


class ReportedState(NamedTuple):
    """One local state as it reaches the checker."""

    process: int  # position of the process, from 0
    name: str
    clock: tuple[int, ...]  # canonical; the own entry is the state's index, from 1
    state: dict[str, bool]  # the variables: {"on": bool}
    time: float  # seconds; when the state began
    arrival: float  # seconds; when this report reached the checker


class Reports:
    """The way from the processes to the checker: delays, loses and duplicates."""

    def __init__(
        self,
        streams: Streams,
        names: tuple[str, ...],
        delays: Mapping[int, Delay],
        loss: float,
        duplication: float,
    ) -> None:
        self.names = names
        self.lost = 0
        self.duplicated = 0
        self._arrived: list[ReportedState] = []
        self._delays = delays
        self._loss = loss
        self._duplication = duplication
        processes = range(len(names))
        self._first = [streams.report(process) for process in processes]
        self._second = [streams.second_report(process) for process in processes]
        self._loss_dice = [streams.loss(process) for process in processes]
        self._duplication_dice = [streams.duplication(process) for process in processes]

    def send(self, process: int, clock: tuple[int, ...], on: bool, now_s: float) -> None:
        """A process enters a state now, and reports it."""
        delay = self._delays[process]
        # Every die is thrown for every report, so that each report's fate depends on nothing but its own
        # place.
        arrival_s = now_s + delay.sample_s(self._first[process])
        again_s = now_s + delay.sample_s(self._second[process])
        lost = self._loss_dice[process].random() < self._loss
        twice = self._duplication_dice[process].random() < self._duplication
        if lost:
            self.lost += 1
            return
        self._arrive(process, clock, on, now_s, arrival_s)
        if twice:
            self.duplicated += 1
            self._arrive(process, clock, on, now_s, again_s)

    def _arrive(self, process: int, clock: tuple[int, ...], on: bool, time_s: float, arrival_s: float) -> None:
        self._arrived.append(ReportedState(process, self.names[process], clock, {"on": on}, time_s, arrival_s))

    def in_arrival_order(self) -> tuple[ReportedState, ...]:
        """What the checker sees."""
        # The sort is stable: reports that arrive at the same moment keep the order in which they were sent.
        return tuple(sorted(self._arrived, key=lambda event: event.arrival))
