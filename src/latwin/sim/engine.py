r"""The discrete-event core: a heap of things to do, each at its moment.

        at(7.5, act)          start(activity)
             \                     |
              v                    v   (an activity yields the moment at which it goes on)
    heap:  (2.0, #4)  (2.0, #5)  (7.5, #3)
              |
              v  run: the earliest first; of equal moments, the one that was planned first

Simulated time is a plain number of seconds and moves only inside `run`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator


class Engine:
    """A simulated time line. Same plans in, same order out: ties are broken by the order of planning.

    >>> engine = Engine()
    >>> def lamp():
    ...     yield 1.0
    ...     print("on at", engine.now_s)
    ...     yield 4.0
    ...     print("off at", engine.now_s)
    >>> engine.start(lamp())
    >>> engine.at(2.5, lambda: print("a message at", engine.now_s))
    >>> engine.run(until_s=10.0)
    on at 1.0
    a message at 2.5
    off at 4.0
    """

    def __init__(self) -> None:
        """An empty time line at 0 seconds."""
        self.now_s = 0.0
        self._planned: list[tuple[float, int, Callable[[], None]]] = []
        self._plans_made = 0

    def at(self, time_s: float, action: Callable[[], None]) -> None:
        """Plan `action` for the moment `time_s`, which must not lie in the past."""
        assert time_s >= self.now_s, f"planned for {time_s} s, but it is {self.now_s} s already"
        heapq.heappush(self._planned, (time_s, self._plans_made, action))
        self._plans_made += 1

    def start(self, activity: Iterator[float]) -> None:
        """Run `activity` up to its first yield now, and on from each yield at the moment it yielded."""
        for wake_s in activity:
            self.at(wake_s, lambda: self.start(activity))
            return

    def run(self, until_s: float) -> None:
        """Do everything planned before `until_s`, in order; then it is `until_s`. The rest stays planned."""
        while self._planned and self._planned[0][0] < until_s:
            self.now_s, _, action = heapq.heappop(self._planned)
            action()
        self.now_s = until_s
