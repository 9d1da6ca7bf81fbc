"""What a simulated office is like, and what its network does: two frozen settings, checked once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from latwin.errors import InvalidInput
from latwin.sim.delays import Delay, Exponential, require_number

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Office:
    """How long activities last, and how sensors watch and tell them. The defaults are the paper's (section 6.2).

    An activity is off for `off_mean_s` and on for `on_mean_s` on average. A sensor looks every `tick_s`, at a
    random phase of its own, or with `phases="common"` at the same moments as all others. Turning on, and with
    `broadcast="both"` also turning off, is told to every other process.

    The paper is silent on two facts of its authors' generator, which are options here. With
    `sensors_per_activity=2`, processes 0 and 1 watch the same activity, 2 and 3 the next one, and so on. With
    `logarithm="binary"`, exponential durations, and the delays that `delay_s` gives, are drawn with a logarithm
    of base 2, which makes all of them 1.44 times as long.

    >>> Office(tick_s=30.0).faster(10).tick_s
    3.0
    """

    off_mean_s: float = 300.0
    on_mean_s: float = 1500.0
    tick_s: float = 60.0
    phases: Literal["own", "common"] = "own"
    broadcast: Literal["rising", "both"] = "rising"
    sensors_per_activity: int = 1
    logarithm: Literal["natural", "binary"] = "natural"

    def __post_init__(self) -> None:
        """Check every field."""
        for name in ("off_mean_s", "on_mean_s", "tick_s"):
            require_number(name, getattr(self, name), above=0.0)
        for name, first, second in (
            ("phases", "own", "common"),
            ("broadcast", "rising", "both"),
            ("logarithm", "natural", "binary"),
        ):
            if (value := getattr(self, name)) not in (first, second):
                raise InvalidInput(f'{name} must be "{first}" or "{second}"; got {name}={value!r}')
        sensors = self.sensors_per_activity
        if isinstance(sensors, bool) or not isinstance(sensors, int) or sensors < 1:
            raise InvalidInput(
                f"sensors_per_activity must be a whole number of at least 1; got sensors_per_activity={sensors!r}"
            )

    @property
    def stretch(self) -> float:
        """How many times longer than its mean says an exponential draw is on average."""
        return 1.0 / math.log(2.0) if self.logarithm == "binary" else 1.0

    def faster(self, speed: float) -> Office:
        """The same office with everything `speed` times as fast; delays are not its own and stay."""
        return Office(
            self.off_mean_s / speed,
            self.on_mean_s / speed,
            self.tick_s / speed,
            self.phases,
            self.broadcast,
            self.sensors_per_activity,
            self.logarithm,
        )


@dataclass(frozen=True, slots=True)
class Network:
    """What messages between processes and reports to the checker go through.

    `message_delay` and `report_delay` replace the exponential delay of mean `delay_s`: one distribution for all,
    or a mapping from `(sender, receiver)` or from the reporting process, where an absent channel keeps the
    default. A report is lost with probability `loss`; if it is not, it arrives a second time with probability
    `duplication`. Messages between processes are never lost.
    """

    message_delay: Delay | Mapping[tuple[int, int], Delay] | None = None
    report_delay: Delay | Mapping[int, Delay] | None = None
    loss: float = 0.0
    duplication: float = 0.0

    def __post_init__(self) -> None:
        """Check the probabilities; channels are checked when the number of processes is known."""
        require_number("loss", self.loss, at_most=1.0)
        require_number("duplication", self.duplication, at_most=1.0)

    def message_delays(self, processes: int, mean_s: float) -> dict[tuple[int, int], Delay]:
        """The delay of each channel between two processes."""
        pairs = [(i, j) for i in range(processes) for j in range(processes) if i != j]
        return _delay_table("message_delay", self.message_delay, pairs, Exponential(mean_s))

    def report_delays(self, processes: int, mean_s: float) -> dict[int, Delay]:
        """The delay of each process's reports."""
        return _delay_table("report_delay", self.report_delay, range(processes), Exponential(mean_s))


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
