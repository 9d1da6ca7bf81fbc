"""A cell of an experiment: what to simulate and what to measure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from latwin.delivery import ReorderBuffer
from latwin.events import Arrival
from latwin.events.times import read_duration
from latwin.lattice.synchrony import strengthen
from latwin.lattice.window import Window
from latwin.sim import Office, Simulation, simulate_office
from latwin.spec import Spec

#: How an office is read from the paper. The text leaves open what the names say; every other cell has the first one.
READINGS: dict[str, Office] = {
    "own phases": Office(),
    "common phase": Office(phases="common"),
    "shared activities": Office(sensors_per_activity=2),
    "binary logarithm": Office(logarithm="binary"),
    "shared and binary": Office(sensors_per_activity=2, logarithm="binary"),
    # An experiment of our own: a minute of the office takes 1.5 s, delays stay. The paper has no such setting.
    "hurried": Office().faster(40.0),
}
_MAX_CUTS = 200_000_000


@dataclass(frozen=True)
class Cell:
    """What to simulate and what to measure; the same cell always counts the same."""

    experiment: str
    processes: int
    window: int
    seed: int
    hours: float = 100.0
    delay_s: float = 0.5
    #: a key of READINGS
    reading: str = "own phases"
    delivery: str = "fifo"
    #: a bound on clock skew, as in specs
    synchrony: str | None = None
    #: keys of `measure.MEASURES`
    measures: tuple[str, ...] = ("counts",)

    @property
    def setting(self) -> dict[str, Any]:
        """What is simulated. Experiments share settings, and what is measured at a setting is the same in all."""
        return {name: value for name, value in vars(self).items() if name not in ("experiment", "measures")}

    @property
    def key(self) -> str:
        """Names the setting among all settings; parameters of the same value give the same key."""
        return " ".join(f"{name}={value}" for name, value in self.setting.items())

    @property
    def names(self) -> list[str]:
        """The names of the processes."""
        return [f"p{k}" for k in range(self.processes)]

    @property
    def all_true(self) -> str:
        """The paper's condition."""
        return " and ".join(f"{name}.on" for name in self.names)

    @property
    def questions(self) -> dict[str, str]:
        """The paper's question, whether all are definitely true, in a form for each engine that answers it.

        `certificates` is a question for the bit lattice, but single cuts and short walks often answer it before the
        lattice is needed. `sums` and `free`, a conjunction, need no lattice. What the lattice itself takes is no
        question's time: `lattice_alone` calls its pass.
        """
        names = self.names
        total = f"{' + '.join(f'{name}.on' for name in names)} >= {self.processes}"
        return {
            "certificates": f"definitely({total} and {names[0]}.on == {names[-1]}.on)",
            "sums": f"definitely({total})",
            "free": f"definitely({self.all_true})",
        }

    def spec(self, text: str | None, window: int | None) -> Spec:
        """A specification that asks `text` under the name `asked`, or nothing."""
        return Spec.from_dict(
            {
                "processes": self.names,
                "window": window,
                "initial": {name: {"on": False} for name in self.names},
                "delivery": self.delivery,
                "synchrony": self.synchrony,
                "max_waiting": 1_000_000,
                "max_cuts": _MAX_CUTS,
                "properties": {} if text is None else {"asked": text},
            }
        )


def simulate(cell: Cell) -> Simulation:
    """The cell's office. `hours` are hours of the office, also of one that hurries."""
    office = READINGS[cell.reading]
    return simulate_office(
        cell.processes,
        hours=cell.hours * office.tick_s / Office().tick_s,
        seed=cell.seed,
        delay_s=cell.delay_s,
        names=cell.names,
        office=office,
    )


def arrivals_of(cell: Cell, run: Simulation) -> list[Arrival]:
    """The states as the cell's lattice is given them: in order of delivery, with what a bound on clock skew adds."""
    arrivals = list(delivered(run, cell.delivery))
    bound_s = read_duration(cell.synchrony)
    return arrivals if bound_s is None else list(_strengthened(arrivals, cell, bound_s))


def delivered(run: Simulation, delivery: str) -> Iterator[Arrival]:
    """The reported states in the order in which a checker delivers them."""
    buffer = ReorderBuffer(len(run.names), causal=delivery == "causal")
    for event in run.events:
        clock = list(event.clock)
        buffer.add(Arrival(event.process, clock[event.process], clock, event.state["on"], event.time))
        for arrival in buffer.release(event.process):
            buffer.through[arrival.process] = arrival.index
            yield arrival


def _strengthened(arrivals: Iterable[Arrival], cell: Cell, bound_s: float) -> Iterator[Arrival]:
    """The states with the clocks that they get in a window if all device clocks are within `bound_s`."""
    window = Window(cell.processes, cell.window)
    times = np.full((cell.processes, window.capacity), -np.inf)  # initial states began before everything
    for arrival in arrivals:
        process, time_s = arrival.process, arrival.time
        clock = strengthen(window, times, bound_s, process, arrival.clock, time_s)
        times[process, window.place(window.push(process, clock))] = time_s
        yield Arrival(process, arrival.index, clock, arrival.state, time_s)


def events(run: Simulation) -> list[dict[str, Any]]:
    """What a monitor is given."""
    return run.as_dicts(clock="list")
