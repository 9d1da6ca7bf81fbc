r"""The smart office of the paper's evaluation (section 6): sensors that tell each other when they turn true.

    truth of process 0   ____|~~~~~~~~~~~|_______|~~~~~~      false, true; durations in whole sensing ticks
    its local states      0  | 1    | 2  | 3     | 4          a change is a new state, and so is a receipt (2)
    messages                 |\     ^            |\           entering true tells every other process
    reports to the checker   v      v    v       v            one for each state, delayed, not in order

What the checker may see (`Simulation.events`) and what really happened (`Simulation.truth`) are kept apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from latwin.errors import InvalidInput
from latwin.sim.delays import Delay, require_number
from latwin.sim.engine import Engine
from latwin.sim.reports import ReportedState, Reports
from latwin.sim.settings import Network, Office
from latwin.sim.streams import Streams
from latwin.sim.truth import Interval

_OFFICE_NAMES = ("phone", "rfid", "projector")


@dataclass(frozen=True, slots=True)
class Simulation:
    """The outcome of a simulated run.

    `events` is all a checker may see, in order of arrival. `truth` holds for each process what physically
    happened: its intervals from the initial state (index 0) on, at position = index, without gaps over
    `lifetime_s`.
    """

    names: tuple[str, ...]
    lifetime_s: float
    events: tuple[ReportedState, ...]
    truth: tuple[tuple[Interval, ...], ...]
    lost: int  # reports that never arrived
    duplicated: int  # reports that arrived twice

    def as_dicts(self, *, clock: Literal["names", "list"] = "names") -> list[dict[str, Any]]:
        """The events as fresh, JSON-ready dictionaries: process (by name), clock, state, time, arrival.

        `clock="names"` writes clocks as `{name: entry}` without the zeros, `clock="list"` as a list of all
        entries.
        """
        if clock not in ("names", "list"):
            raise InvalidInput(f'clock must be "names" or "list"; got clock={clock!r}')
        return [
            {
                "process": event.name,
                "clock": (
                    list(event.clock)
                    if clock == "list"
                    else {name: entry for name, entry in zip(self.names, event.clock, strict=True) if entry}
                ),
                "state": dict(event.state),
                "time": event.time,
                "arrival": event.arrival,
            }
            for event in self.events
        ]


def simulate_office(
    processes: int = 3,
    *,
    hours: float = 100.0,
    seed: int = 0,
    delay_s: float = 0.5,
    names: Sequence[str] | None = None,
    office: Office | None = None,
    network: Network | None = None,
) -> Simulation:
    """The smart office over `hours` of simulated time, the same for the same arguments.

    Every process starts false and alternates between false and true. Durations are exponential with the means
    of `office`, rounded down to whole ticks, at least one. Turning true sends the new state's clock to every
    other process. A change is a new local state, and so is the receipt of a message, even of one that brings no
    news. Each new state is reported to the checker.

    Messages and reports take an exponential delay of mean `delay_s`, each its own, so they overtake each
    other; `network` may give them other delays, and lose or duplicate reports.

    The lifetime ends all processes at once: what is then under way to a process is not received, what is
    under way to the checker still arrives.

    >>> run = simulate_office(3, hours=10, seed=1)
    >>> run.names
    ('phone', 'rfid', 'projector')
    >>> first = run.events[0]
    >>> first.clock[first.process], first.time < first.arrival
    (1, True)
    >>> lossy = simulate_office(3, hours=10, seed=1, network=Network(loss=0.1))
    >>> len(run.events) - len(lossy.events) == lossy.lost > 0
    True
    """
    if isinstance(processes, bool) or not isinstance(processes, int) or processes < 1:
        raise InvalidInput(f"processes must be a whole number of at least 1; got processes={processes!r}")
    require_number("hours", hours, above=0.0)
    require_number("delay_s", delay_s)
    office, network = office or Office(), network or Network()
    mean_s = delay_s * office.stretch
    streams = Streams(seed)
    reports = Reports(
        streams=streams,
        names=_checked_names(names, processes),
        delays=network.report_delays(processes, mean_s),
        loss=network.loss,
        duplication=network.duplication,
    )
    lifetime_s = hours * 3600.0
    truth = _Run(streams, reports, office, network.message_delays(processes, mean_s)).until(lifetime_s)
    return Simulation(
        names=reports.names,
        lifetime_s=lifetime_s,
        events=reports.in_arrival_order(),
        truth=truth,
        lost=reports.lost,
        duplicated=reports.duplicated,
    )


class _Process:
    """One process: its clock, its present state, and the history of its states."""

    def __init__(self, index: int, processes: int) -> None:
        self.index = index
        self.on = False
        self.history: list[Interval] = []
        self._clock = [0] * processes
        self._since_s = 0.0

    def hear(self, clock: tuple[int, ...]) -> None:
        """Learn what a message's clock knows; the state that enters next carries it."""
        self._clock = list(map(max, self._clock, clock))

    def enter(self, now_s: float, on: bool) -> tuple[int, ...]:
        """Begin a new state; returns its clock."""
        self.end(now_s)
        self._clock[self.index] += 1
        self._since_s = now_s
        self.on = on
        return tuple(self._clock)

    def end(self, now_s: float) -> None:
        """Close the present state's interval."""
        self.history.append(Interval(self._clock[self.index], self._since_s, now_s, self.on))


class _Run:
    """The processes at work on one time line."""

    def __init__(
        self, streams: Streams, reports: Reports, office: Office, delays: Mapping[tuple[int, int], Delay]
    ) -> None:
        processes = len(reports.names)
        self._streams = streams
        self._reports = reports
        self._office = office
        self._processes = [_Process(index, processes) for index in range(processes)]
        self._channels = {pair: (delay, streams.message(*pair)) for pair, delay in delays.items()}
        self._engine = Engine()

    def until(self, lifetime_s: float) -> tuple[tuple[Interval, ...], ...]:
        """Let the processes live; returns each one's intervals."""
        for process in self._processes:
            self._engine.start(self._sense(process))
        self._engine.run(lifetime_s)
        for process in self._processes:
            process.end(lifetime_s)
        return tuple(tuple(process.history) for process in self._processes)

    def _sense(self, process: _Process) -> Iterator[float]:
        """The life of a sensor: for some ticks nothing, then a change, and so on."""
        office = self._office
        # The first draw of a stream is a phase, the others are durations. Sensors of one activity share the
        # durations, each has its phase; other options leave both as they are.
        phase = float(self._streams.sensing(process.index).random())
        phase_s = office.tick_s * phase if office.phases == "own" else 0.0
        durations = self._streams.sensing(process.index // office.sensors_per_activity)
        durations.random()
        ticks = 0
        while True:
            mean_s = (office.on_mean_s if process.on else office.off_mean_s) * office.stretch
            ticks += max(1, int(mean_s * float(durations.standard_exponential()) / office.tick_s))
            yield phase_s + ticks * office.tick_s
            self._change(process)

    def _change(self, process: _Process) -> None:
        now_s = self._engine.now_s
        clock = process.enter(now_s, not process.on)
        self._reports.send(process.index, clock, process.on, now_s)
        if process.on or self._office.broadcast == "both":
            for receiver in self._processes:
                if receiver is not process:
                    delay, rng = self._channels[process.index, receiver.index]
                    self._engine.at(now_s + delay.sample_s(rng), partial(self._receive, receiver, clock))

    def _receive(self, process: _Process, heard: tuple[int, ...]) -> None:
        now_s = self._engine.now_s
        process.hear(heard)
        clock = process.enter(now_s, process.on)
        self._reports.send(process.index, clock, process.on, now_s)


def _checked_names(names: Sequence[str] | None, processes: int) -> tuple[str, ...]:
    if names is None:
        more = tuple(f"sensor{number}" for number in range(len(_OFFICE_NAMES) + 1, processes + 1))
        return _OFFICE_NAMES[:processes] + more
    if len(names) != processes or len(set(names)) != processes or not all(names):
        raise InvalidInput(f"names must be {processes} different, non-empty names; got names={list(names)!r}")
    return tuple(names)
