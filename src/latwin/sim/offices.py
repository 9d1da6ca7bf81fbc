"""Many simulated offices as groups of events: what `latwin simulate` writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from latwin.errors import InvalidInput
from latwin.sim.delays import Delay, Exponential, Fixed, Lognormal, Pareto, Uniform, require_number
from latwin.sim.office import simulate_office
from latwin.sim.settings import Network

Distribution = Literal["exponential", "fixed", "uniform", "lognormal", "pareto"]
_DELAYS: dict[str, Callable[[float], Delay]] = {
    "exponential": Exponential,
    "fixed": Fixed,
    "uniform": Uniform,
    "lognormal": Lognormal,
    "pareto": Pareto,
}
#: offices of one seed are far from those of the next
_SEEDS_APART = 1_000_003
_CYCLES_PER_HOUR = 2.0


@dataclass(frozen=True)
class Offices:
    """Some offices that differ in their seed only; each is a pure function of these fields and its number."""

    groups: int
    hours: float
    processes: int = 3
    seed: int = 1
    delay_s: float = 0.5
    distribution: Distribution = "exponential"
    loss: float = 0.0
    duplication: float = 0.0

    def __post_init__(self) -> None:
        """Check what the simulator would only find later."""
        if self.groups < 1:
            raise InvalidInput(f"groups must be at least 1; got groups={self.groups!r}")
        if self.distribution not in _DELAYS:
            raise InvalidInput(f"distribution must be one of {', '.join(_DELAYS)}; got {self.distribution!r}")
        require_number("hours", self.hours, above=0.0)
        require_number("delay_s", self.delay_s)
        require_number("loss", self.loss, at_most=1.0)
        require_number("duplication", self.duplication, at_most=1.0)

    @property
    def expected_events(self) -> int:
        """Roughly how many events there will be: in a cycle two changes, and one receipt from each other process."""
        states_per_hour = (2 + self.processes - 1) * _CYCLES_PER_HOUR
        return round(self.groups * self.processes * self.hours * states_per_hour)

    def events(self, number: int) -> list[dict[str, Any]]:
        """The events of one office in order of arrival; `time` in seconds, `arrival` in microseconds."""
        delay = _DELAYS[self.distribution](self.delay_s)
        run = simulate_office(
            self.processes,
            hours=self.hours,
            seed=self.seed * _SEEDS_APART + number,
            network=Network(delay, delay, self.loss, self.duplication),
        )
        group = f"office-{number:0{len(str(self.groups - 1))}}"
        return [{"group": group, **event, "arrival": round(event["arrival"] * 1e6)} for event in run.as_dicts()]

    @property
    def spec_text(self) -> str:
        """A spec for these events: are all definitely on?"""
        names = simulate_office(self.processes, hours=0.01).names
        conditions = " and ".join(f"{name}.on" for name in names)
        lost = '\nwaiting_policy = "skip"  # reports were lost\nmax_waiting = 100' if self.loss else ""
        return (
            f"processes = [{', '.join(map(repr, names))}]\nwindow = 4{lost}\n\n"
            f'[properties]\nall_on = "definitely({conditions})"\nmaybe_all_on = "possibly({conditions})"\n'
        )
