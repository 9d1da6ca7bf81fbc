"""The reorder buffer: states arrive in any order and leave in an order that can be delivered.

Per process, states leave in index order; an early one waits. With `causal` delivery a state also waits
until everything it knows has left. Which state leaves when depends on the order of arrival alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from latwin.events import Arrival


class Gap(NamedTuple):
    """States of a process, `first` to `last`, that are declared lost."""

    process: int
    first: int
    last: int


class ReorderBuffer:
    """Holds early states back; `through[k]` is the highest index of process k that left or was given up."""

    def __init__(self, processes: int, *, causal: bool) -> None:
        self.causal = causal
        self.through = [0] * processes
        #: (process, index) -> arrival, in order of arrival
        self.waiting: dict[tuple[int, int], Arrival] = {}
        self._waiting_of: list[set[int]] = [set() for _ in range(processes)]

    def is_next(self, process: int, index: int, clock: list[int]) -> bool:
        """Whether this state can leave at once."""
        through = self.through
        if index != through[process] + 1:
            return False
        if self.causal:
            for j, known in enumerate(clock):
                if known > through[j] and j != process:
                    return False
        return True

    def add(self, arrival: Arrival) -> None:
        """Keep a state that cannot leave yet."""
        self.waiting[arrival.process, arrival.index] = arrival
        self._waiting_of[arrival.process].add(arrival.index)

    def release(self, process: int) -> Iterator[Arrival]:
        """Yield the waiting states that can leave now that `process` moved on, one at a time.

        The caller delivers each and advances `through` before asking for the next. The same process goes
        first; with causal delivery the others follow in the spec's order, until none can leave.
        """
        if not self.waiting:
            return
        again = True
        while again:  # every round but the last takes a state out, as does every turn of the loop inside
            again = False
            candidates = [process, *range(len(self.through))] if self.causal else [process]
            for k in candidates:
                arrival = self.waiting.get((k, self.through[k] + 1))
                while arrival is not None and self.is_next(k, arrival.index, arrival.clock):
                    self.remove(arrival)
                    before = self.through[k]
                    yield arrival
                    if self.through[k] == before:  # the caller refused it
                        break
                    again = self.causal
                    arrival = self.waiting.get((k, self.through[k] + 1))

    def next_gap(self) -> Gap | None:
        """What to give up so that the state which waits longest comes nearer to leaving.

        None when it waits for a circle of states that wait for each other, which no real computation
        contains; the state itself is then to blame.
        """
        arrival = next(iter(self.waiting.values()))
        seen = set()
        while arrival.process not in seen:
            seen.add(arrival.process)
            k = arrival.process
            first_waiting = min(self._waiting_of[k])
            if first_waiting > self.through[k] + 1:
                return Gap(k, self.through[k] + 1, first_waiting - 1)
            head = self.waiting[k, first_waiting]
            j = next(j for j, known in enumerate(head.clock) if j != k and known > self.through[j])
            needed = head.clock[j]
            present = [index for index in self._waiting_of[j] if index <= needed]
            if not present:
                return Gap(j, self.through[j] + 1, needed)
            arrival = self.waiting[j, min(present)]
        return None

    def waits(self, process: int) -> bool:
        """Whether a state of the process waits."""
        return bool(self._waiting_of[process])

    def first_waiting(self, process: int) -> int:
        """The lowest index of a process that waits; there must be one."""
        return min(self._waiting_of[process])

    def knows(self, process: int, *, later_than: int = 0) -> bool:
        """Whether a waiting state knows one of the process, or one that is later than this."""
        return any(arrival.clock[process] > later_than for arrival in self.waiting.values())

    def vacate(self, processes: Sequence[int]) -> None:
        """Begin again with these processes, of which no state waits; states that wait know nothing of them."""
        for process in processes:
            self.through[process] = 0
        for arrival in self.waiting.values():
            for process in processes:
                arrival.clock[process] = 0

    def drop_oldest(self) -> Arrival:
        """Take out the state that waits longest."""
        arrival = next(iter(self.waiting.values()))
        self.remove(arrival)
        return arrival

    def clear(self) -> None:
        """Drop all waiting states."""
        self.waiting.clear()
        for indices in self._waiting_of:
            indices.clear()

    def remove(self, arrival: Arrival) -> None:
        """Take a waiting state out."""
        del self.waiting[arrival.process, arrival.index]
        self._waiting_of[arrival.process].discard(arrival.index)
