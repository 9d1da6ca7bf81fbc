r"""The smart office of the paper's evaluation (section 6): sensors that tell each other when they turn true.

    truth of process 0   ____|~~~~~~~~~~~|_______|~~~~~~      false, true; durations in whole sensing ticks
    its local states      0  | 1    | 2  | 3     | 4          a change is a new state, and so is a receipt (2)
    messages                 |\     ^            |\           entering true tells every other process
    reports to the checker   v      v    v       v            one for each state, delayed, not in order

What the checker may see (`Simulation.events`) and what really happened (`Simulation.truth`) are kept apart.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar

from latwin.errors import InvalidInput
from latwin.sim.delays import Delay, Exponential, require_number
from latwin.sim.engine import Engine
from latwin.sim.reports import ReportedState, Reports
from latwin.sim.streams import Streams

_Key = TypeVar("_Key")
_OFFICE_NAMES = ("phone", "rfid", "projector")


class Interval(NamedTuple):
    """When a process was in one local state, by physical time: from `start_s` up to but without `end_s`."""

    state_index: int
    start_s: float
    end_s: float
    on: bool


Truth = Sequence[Sequence[Interval]]  # for each process its states from index 0 on, one after the other


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
    message_delay: Delay | Mapping[tuple[int, int], Delay] | None = None,
    report_delay: Delay | Mapping[int, Delay] | None = None,
    loss: float = 0.0,
    duplication: float = 0.0,
    broadcast: Literal["rising", "both"] = "rising",
    off_mean_s: float = 300.0,
    on_mean_s: float = 1500.0,
    tick_s: float = 60.0,
    phases: Literal["common", "own"] = "common",
    names: Sequence[str] | None = None,
) -> Simulation:
    """The smart office over `hours` of simulated time, the same for the same arguments.

    Every process starts false and alternates between false and true. Durations are exponential with means
    `off_mean_s` and `on_mean_s`, rounded down to whole ticks of `tick_s`, at least one. All sensors began to
    tick at the same moment; with `phases="own"` each has a random phase of its own. Turning true (with
    `broadcast="both"` also turning false) sends the new state's clock to every other process. A change is a new
    local state, and so is the receipt of a message, even of one that brings no news. Each new state is reported
    to the checker.

    Messages and reports take an exponential delay of mean `delay_s`, each its own, so they overtake each
    other. `message_delay` and `report_delay` put another distribution in its place: one for all, or a
    mapping from `(sender, receiver)` or from the reporting process, where what is absent keeps the default.
    A report is lost with probability `loss`; one that is not arrives a second time with probability
    `duplication`. Messages between processes are never lost.

    The lifetime ends all processes at once: what is then under way to a process is not received, what is
    under way to the checker still arrives.

    To speed the office up against its delays, shrink `hours`, `off_mean_s`, `on_mean_s` and `tick_s` alike.

    >>> run = simulate_office(3, hours=10, seed=1)
    >>> run.names
    ('phone', 'rfid', 'projector')
    >>> first = run.events[0]
    >>> first.clock[first.process], first.time < first.arrival
    (1, True)
    """
    if isinstance(processes, bool) or not isinstance(processes, int) or processes < 1:
        raise InvalidInput(f"processes must be a whole number of at least 1; got processes={processes!r}")
    if broadcast not in ("rising", "both"):
        raise InvalidInput(f'broadcast must be "rising" or "both"; got broadcast={broadcast!r}')
    if phases not in ("common", "own"):
        raise InvalidInput(f'phases must be "common" or "own"; got phases={phases!r}')
    for name, value in (
        ("hours", hours),
        ("off_mean_s", off_mean_s),
        ("on_mean_s", on_mean_s),
        ("tick_s", tick_s),
    ):
        require_number(name, value, above=0.0)
    require_number("delay_s", delay_s)
    require_number("loss", loss, at_most=1.0)
    require_number("duplication", duplication, at_most=1.0)
    streams = Streams(seed)
    pairs = [(i, j) for i in range(processes) for j in range(processes) if i != j]
    reports = Reports(
        streams=streams,
        names=_checked_names(names, processes),
        delays=_delay_table("report_delay", report_delay, range(processes), Exponential(delay_s)),
        loss=loss,
        duplication=duplication,
    )
    office = _Office(
        streams=streams,
        reports=reports,
        processes=processes,
        delays=_delay_table("message_delay", message_delay, pairs, Exponential(delay_s)),
        tells_falls=broadcast == "both",
        off_mean_s=off_mean_s,
        on_mean_s=on_mean_s,
        tick_s=tick_s,
        have_phases=phases == "own",
    )
    lifetime_s = hours * 3600.0
    truth = office.run(lifetime_s)
    return Simulation(
        names=reports.names,
        lifetime_s=lifetime_s,
        events=reports.in_arrival_order(),
        truth=truth,
        lost=reports.lost,
        duplicated=reports.duplicated,
    )


def overlap_in_window(truth: Truth, low: Sequence[int], high: Sequence[int]) -> bool:
    """Whether all processes were physically true at one moment, each in a state of its window.

    The window of process k holds the states `low[k]` to `high[k]`, both included. This is what an observer
    with perfect clocks would say of the windowed states (the paper's N_physical, section 6.2). Intervals
    are half-open: one that ends the moment another begins does not overlap it.

    Costs a binary search for each process and one walk over the states within the span all windows share.

    >>> phone = [Interval(0, 0.0, 4.0, False), Interval(1, 4.0, 9.0, True)]
    >>> rfid = [Interval(0, 0.0, 5.0, False), Interval(1, 5.0, 6.0, True), Interval(2, 6.0, 9.0, False)]
    >>> overlap_in_window([phone, rfid], low=[0, 0], high=[1, 2])
    True
    >>> overlap_in_window([phone, rfid], low=[0, 2], high=[1, 2])
    False
    """
    if not 1 <= len(truth) == len(low) == len(high):
        raise InvalidInput(
            "truth, low and high must have one entry for each process (at least one); "
            f"got {len(truth)}, {len(low)} and {len(high)} entries"
        )
    for process, states in enumerate(truth):
        if not 0 <= low[process] <= high[process] < len(states):
            raise InvalidInput(
                f"the window of process {process} must lie within its states 0 to {len(states) - 1}; "
                f"got low={low[process]}, high={high[process]}"
            )
    # No earlier moment is in all windows. From there, raise the moment to where the next true interval of
    # each process begins, until a full round leaves it in place: then it lies in one true interval of each.
    moment_s = max(states[first].start_s for states, first in zip(truth, low, strict=True))
    position = [
        bisect_right(states, moment_s, first, last + 1, key=_end_s)
        for states, first, last in zip(truth, low, high, strict=True)
    ]
    settled = False
    while not settled:
        settled = True
        for process, states in enumerate(truth):
            at, last = position[process], high[process]
            while at <= last and not (states[at].on and states[at].end_s > moment_s):
                at += 1
            if at > last:
                return False
            position[process] = at
            if states[at].start_s > moment_s:
                moment_s = states[at].start_s
                settled = False
    return True


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


class _Office:
    """The processes at work on one time line."""

    def __init__(
        self,
        streams: Streams,
        reports: Reports,
        processes: int,
        delays: Mapping[tuple[int, int], Delay],
        tells_falls: bool,
        off_mean_s: float,
        on_mean_s: float,
        tick_s: float,
        have_phases: bool,
    ) -> None:
        self._streams = streams
        self._reports = reports
        self._processes = [_Process(index, processes) for index in range(processes)]
        self._channels = {pair: (delay, streams.message(*pair)) for pair, delay in delays.items()}
        self._tells_falls = tells_falls
        self._off_mean_s = off_mean_s
        self._on_mean_s = on_mean_s
        self._tick_s = tick_s
        self._have_phases = have_phases
        self._engine = Engine()

    def run(self, lifetime_s: float) -> tuple[tuple[Interval, ...], ...]:
        """Let the processes live; returns each one's intervals."""
        for process in self._processes:
            self._engine.start(self._sense(process))
        self._engine.run(lifetime_s)
        for process in self._processes:
            process.end(lifetime_s)
        return tuple(tuple(process.history) for process in self._processes)

    def _sense(self, process: _Process) -> Iterator[float]:
        """The life of a sensor: for some ticks nothing, then a change, and so on."""
        rng = self._streams.sensing(process.index)
        phase = float(rng.random())  # drawn in any case: the durations shall be the same
        phase_s = self._tick_s * phase if self._have_phases else 0.0
        ticks = 0
        while True:
            mean_s = self._on_mean_s if process.on else self._off_mean_s
            ticks += max(1, int(mean_s * float(rng.standard_exponential()) / self._tick_s))
            yield phase_s + ticks * self._tick_s
            self._change(process)

    def _change(self, process: _Process) -> None:
        now_s = self._engine.now_s
        clock = process.enter(now_s, not process.on)
        self._reports.send(process.index, clock, process.on, now_s)
        if process.on or self._tells_falls:
            for receiver in self._processes:
                if receiver is not process:
                    delay, rng = self._channels[process.index, receiver.index]
                    self._engine.at(now_s + delay.sample_s(rng), partial(self._receive, receiver, clock))

    def _receive(self, process: _Process, heard: tuple[int, ...]) -> None:
        now_s = self._engine.now_s
        process.hear(heard)
        clock = process.enter(now_s, process.on)
        self._reports.send(process.index, clock, process.on, now_s)


def _end_s(interval: Interval) -> float:
    return interval.end_s


def _delay_table(
    argument: str, delays: Delay | Mapping[_Key, Delay] | None, keys: Sequence[_Key], default: Delay
) -> dict[_Key, Delay]:
    """The delay for each of `keys`, from whatever form the caller gave."""
    if delays is None:
        return dict.fromkeys(keys, default)
    if isinstance(delays, Delay):
        return dict.fromkeys(keys, delays)
    if not isinstance(delays, Mapping):
        raise InvalidInput(f"{argument} must be a delay or a mapping to delays; got {argument}={delays!r}")
    table = dict.fromkeys(keys, default)
    for key, delay in delays.items():
        if key not in table:
            raise InvalidInput(f"{argument} has an entry for {key!r}; there is no such channel")
        if not isinstance(delay, Delay):
            raise InvalidInput(f"{argument}[{key!r}] must be a delay such as Exponential(0.5); got {delay!r}")
        table[key] = delay
    return table


def _checked_names(names: Sequence[str] | None, processes: int) -> tuple[str, ...]:
    if names is None:
        more = tuple(f"sensor{number}" for number in range(len(_OFFICE_NAMES) + 1, processes + 1))
        return _OFFICE_NAMES[:processes] + more
    if len(names) != processes or len(set(names)) != processes or not all(names):
        raise InvalidInput(f"names must be {processes} different, non-empty names; got names={list(names)!r}")
    return tuple(names)
