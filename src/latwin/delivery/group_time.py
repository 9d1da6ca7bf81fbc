"""What time it is in a group: the greatest time that its delivered events, or whoever lets time go on, have told.

No clock is read here. Devices' clocks differ, so an event's time says when its state began by its own device's clock:

- tau, the time by which windows slide, is the greatest time told so far minus `lateness`. It never falls, so what
  left a window never comes back. A silent process does not hold it back.
- Within a process time does not go back: a state whose event says so began when the latest one before it did.
- A time more than `max_jump` ahead of all that was told is doubted: one wrong clock would otherwise empty the
  windows of all processes, and keep them empty until the others reach that time. It is believed when the next
  event of another process tells such a time, too: the group rested for longer than that. So no single clock moves the
  group's time that far, unless no other process has ever told one. The first time of a group cannot be judged so, and
  neither is that of a caller who lets time go on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from latwin.events.times import show_duration

NEVER = -math.inf


class TimeState(msgspec.Struct, array_like=True):
    """A group's time in a snapshot; -inf where nothing was told."""

    now_s: float
    lateness_s: float
    #: per process the latest time of its delivered events
    latest_s: list[float]
    #: the latest time that is doubted, and who told it
    doubted_s: float = NEVER
    doubted_of: str | None = None


class GroupTime:
    """The time of one group, in seconds; everything is -inf before the first event.

    >>> time = GroupTime(2, lateness_s=1.0, max_jump_s=60.0)
    >>> time.begin_of(0, 100.0)
    100.0
    >>> time.see(0, 100.0)
    >>> time.see(0, 98.0)
    >>> time.tau, time.begin_of(0, 99.0), time.begin_of(1, 99.0)
    (99.0, 100.0, 99.0)
    >>> time.believes("a", 160.0, 0), time.believes("a", 161.0, 0), time.believes("b", 162.0, 1)
    (True, False, True)
    >>> time.silence_of(0), time.silence_of(1)
    (0.0, inf)
    """

    def __init__(self, processes: int, *, lateness_s: float = 0.0, max_jump_s: float | None = None) -> None:
        #: as kernels take them; see `kernels.time_windows`: now, the lateness, the largest jump, and what is doubted
        self.group: npt.NDArray[np.float64] = np.array(
            [NEVER, lateness_s, math.inf if max_jump_s is None else max_jump_s, NEVER]
        )
        self._doubted_of: str | None = None
        #: per process the latest time of its delivered events
        self.latest: npt.NDArray[np.float64] = np.full(processes, NEVER)

    @property
    def now_s(self) -> float:
        """The greatest time that was told."""
        return self.group.item(0)

    @property
    def lateness_s(self) -> float:
        """How much later than others an event may come and still find its window as it would have been."""
        return self.group.item(1)

    @property
    def tau(self) -> float:
        """The time by which windows slide."""
        return self.now_s - self.lateness_s

    def believes(self, teller: str, time_s: float, process: int | None = None) -> bool:
        """Whether a time can be that of an event; if not, it is remembered, for others may tell the same.

        `teller` is the name of whoever tells it, and `process` the number, if it is one.
        """
        now_s, most_s, doubted_s = self.now_s, self.group.item(2), self.group.item(3)
        if now_s == NEVER or time_s <= now_s + most_s:
            return True
        is_told_again = doubted_s != NEVER and abs(time_s - doubted_s) <= most_s
        if is_told_again and (teller != self._doubted_of or self._is_alone(process)):
            return True
        self.group[3], self._doubted_of = time_s, teller
        return False

    def _is_alone(self, process: int | None) -> bool:
        """Whether no other process has told a time."""
        return all(latest_s == NEVER for k, latest_s in enumerate(self.latest.tolist()) if k != process)

    def why_doubted(self, time_s: float) -> str:
        """The reason for refusing a time."""
        ahead, most = show_duration(time_s - self.now_s), show_duration(self.group.item(2))
        return (
            f"its time is {ahead} ahead of the latest time of the group, which is more than max_jump={most}; "
            "it is believed if the next event of another process tells such a time, too"
        )

    def begin_of(self, process: int, time_s: float) -> float:
        """When a state of a process begins whose event has this time."""
        return max(self.latest.item(process), time_s)

    def see(self, process: int, time_s: float) -> None:
        """Take the time of a delivered event."""
        self.latest[process] = self.begin_of(process, time_s)
        self.group[3] = NEVER
        self.advance(time_s)

    def advance(self, time_s: float) -> bool:
        """Let time go on to this moment; False if it was there already."""
        is_later = time_s > self.now_s
        if is_later:
            self.group[0], self.group[3] = time_s, NEVER
        return is_later

    def silence_of(self, process: int) -> float:
        """For how long a process has told nothing by now; inf if it never did."""
        return self.now_s - self.latest.item(process) if self.latest[process] != NEVER else math.inf

    def vacate(self, processes: Sequence[int]) -> None:
        """Forget what these processes told."""
        self.latest[list(processes)] = NEVER

    def state(self) -> TimeState:
        """For a snapshot."""
        doubted_s = self.group.item(3)
        doubted_of = None if doubted_s == NEVER else self._doubted_of
        return TimeState(self.now_s, self.lateness_s, self.latest.tolist(), doubted_s, doubted_of)

    def load(self, state: TimeState | None) -> None:
        """Go on from a snapshot, without one as before the first event; the lateness may be another one by now."""
        self.group[0] = NEVER if state is None else state.now_s
        self.latest[:] = NEVER if state is None else state.latest_s
        self.group[3] = NEVER if state is None else state.doubted_s
        self._doubted_of = None if state is None else state.doubted_of
