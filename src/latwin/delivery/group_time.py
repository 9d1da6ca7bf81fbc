"""What time it is in a group: the greatest time that its delivered events, or whoever lets time go on, have told.

No clock is read here. Devices' clocks differ, so an event's time says when its state began by its own device's clock:

- tau, the time by which windows slide, is the greatest time told so far minus `lateness`. It never falls, so what
  left a window never comes back. A silent process does not hold it back.
- Within a process time does not go back: a state whose event says so began when the latest one before it did.
- A time more than `max_jump` ahead of all that was told is not believed: one wrong clock would otherwise empty the
  windows of all processes, and keep them empty until the others reach that time. The first time of a group cannot be
  judged so, and neither is that of a caller who lets time go on.
"""

from __future__ import annotations

import math

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


class GroupTime:
    """The time of one group, in seconds; everything is -inf before the first event.

    >>> time = GroupTime(2, lateness_s=1.0, max_jump_s=60.0)
    >>> time.begin_of(0, 100.0)
    100.0
    >>> time.see(0, 100.0)
    >>> time.see(0, 98.0)
    >>> time.tau, time.begin_of(0, 99.0), time.begin_of(1, 99.0)
    (99.0, 100.0, 99.0)
    >>> time.is_too_far(160.0), time.is_too_far(161.0)
    (False, True)
    >>> time.silence_of(0), time.silence_of(1)
    (0.0, inf)
    """

    def __init__(self, processes: int, *, lateness_s: float = 0.0, max_jump_s: float | None = None) -> None:
        #: as kernels take them; see `kernels.time_windows`: now, the lateness, and the largest jump
        self.group: npt.NDArray[np.float64] = np.array(
            [NEVER, lateness_s, math.inf if max_jump_s is None else max_jump_s]
        )
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

    def is_too_far(self, time_s: float) -> bool:
        """Whether an event's time is more than the largest jump ahead of all that was told."""
        now_s = self.now_s
        return now_s != NEVER and time_s > now_s + self.group.item(2)

    def why_too_far(self, time_s: float) -> str:
        """The reason for refusing it."""
        ahead, most = show_duration(time_s - self.now_s), show_duration(self.group.item(2))
        return f"its time is {ahead} ahead of the latest time of the group, which is more than max_jump={most}"

    def begin_of(self, process: int, time_s: float) -> float:
        """When a state of a process begins whose event has this time."""
        return max(self.latest.item(process), time_s)

    def see(self, process: int, time_s: float) -> None:
        """Take the time of a delivered event."""
        self.latest[process] = self.begin_of(process, time_s)
        self.advance(time_s)

    def advance(self, time_s: float) -> bool:
        """Let time go on to this moment; False if it was there already."""
        is_later = time_s > self.now_s
        if is_later:
            self.group[0] = time_s
        return is_later

    def silence_of(self, process: int) -> float:
        """For how long a process has told nothing by now; inf if it never did."""
        return self.now_s - self.latest.item(process) if self.latest[process] != NEVER else math.inf

    def state(self) -> TimeState:
        """For a snapshot."""
        return TimeState(self.now_s, self.lateness_s, self.latest.tolist())

    def load(self, state: TimeState | None) -> None:
        """Go on from a snapshot, without one as before the first event; the lateness may be another one by now."""
        self.group[0] = NEVER if state is None else state.now_s
        self.latest[:] = NEVER if state is None else state.latest_s
