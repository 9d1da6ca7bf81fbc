"""The nouns of the paper's algorithms: local states, consistent global states, local windows.

Section 2 of the paper, as plain linked objects; `latwin.reference.paper` moves them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Cut = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LocalState:
    """`s^(k)_i`: state `index` = i of `process` = k, as its process reported it."""

    process: int
    index: int
    clock: tuple[int, ...]
    value: object

    def happened_before(self, other: LocalState) -> bool:
        """`self -> other`: self had ended when other began (Section 2.1)."""
        if self.process == other.process:
            return self.index < other.index
        # Other knows the state after self, whose beginning is the end of self.
        return other.clock[self.process] > self.index


def are_concurrent(states: Sequence[LocalState]) -> bool:
    """Whether no state happened before another one, i.e. whether they form a CGS (Section 2.2)."""
    return not any(s.happened_before(t) for s in states for t in states if s is not t)


class CGS:
    """A consistent global state `C`: a node of the lattice, linked to its neighbours."""

    def __init__(self, states: tuple[LocalState, ...]) -> None:
        """A node without neighbours yet."""
        self.states = states
        self.cut: Cut = tuple(state.index for state in states)
        self.prec: dict[Cut, CGS] = {}  # the cuts one step before
        self.sub: dict[Cut, CGS] = {}  # the cuts one step after ("subsequent")

    def __getitem__(self, process: int) -> LocalState:
        """`C[k]`."""
        return self.states[process]

    @property
    def values(self) -> tuple[Any, ...]:
        """What the processes reported in this cut; what a predicate looks at."""
        return tuple(state.value for state in self.states)


def connect(before: CGS, after: CGS) -> None:
    """Make an edge from a cut to a cut one step after it."""
    before.sub[after.cut] = after
    after.prec[before.cut] = before


def disconnect(before: CGS, after: CGS) -> None:
    """Remove the edge again."""
    del before.sub[after.cut]
    del after.prec[before.cut]


class Window:
    """`W^(k)`: the last `size` delivered states of one process (all of them if None).

    Between a push, or `make_stale`, and `forget_stale` it also remembers the stale state, which is older than `min`.
    """

    def __init__(self, size: int | None) -> None:
        """A window without states."""
        self.size = size
        self._remembered: deque[LocalState] = deque()
        self._has_stale = False

    def push(self, state: LocalState) -> None:
        """Take in the next state; if the window was full, its oldest one is now stale."""
        self._remembered.append(state)
        self._has_stale = self.size is not None and len(self._remembered) > self.size

    def make_stale(self) -> None:
        """Let the oldest state be stale, for another reason than the window's size; it must not be the only one."""
        self._has_stale = True

    def forget_stale(self) -> None:
        """Drop the stale state, if there is one."""
        if self._has_stale:
            self._remembered.popleft()
            self._has_stale = False

    def states(self) -> list[LocalState]:
        """The states in the window, oldest first; the stale one is not among them."""
        return list(self._remembered)[int(self._has_stale) :]

    @property
    def min(self) -> LocalState:
        """`W^(k)_min`: the oldest state in the window."""
        return self._remembered[int(self._has_stale)]

    def at(self, index: int) -> LocalState | None:
        """The state with this index, if it is in the window or stale."""
        position = index - self._remembered[0].index  # indices have no gaps
        return self._remembered[position] if 0 <= position < len(self._remembered) else None

    def next_index(self) -> int | None:
        """The index the next state must have; None if there was no state yet."""
        return self._remembered[-1].index + 1 if self._remembered else None
