"""`BruteForce`: Lat-Win by definition. Try every choice of one state per window; keep the consistent ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from computations import Predicate, State, initial_state

Cut = tuple[int, ...]


def is_consistent(states: Sequence[State]) -> bool:
    """The law: for all i != j, clock(g_i)[j] <= g_j; no state knows a later state than the chosen one."""
    return all(s.clock[t.process] <= t.index for s in states for t in states if s is not t)


def consistent_choices(windows: Sequence[Sequence[State]]) -> list[tuple[State, ...]]:
    """All consistent choices of one state per window, in lexicographic order."""
    return [states for states in product(*windows) if is_consistent(states)]


def cuts_of(windows: Sequence[Sequence[State]]) -> list[Cut]:
    """The same choices as tuples of state indices."""
    return [tuple(state.index for state in states) for states in consistent_choices(windows)]


def meet(*cuts: Cut) -> Cut:
    """The smaller index on every process."""
    return tuple(min(indices) for indices in zip(*cuts, strict=True))


def join(*cuts: Cut) -> Cut:
    """The larger index on every process."""
    return tuple(max(indices) for indices in zip(*cuts, strict=True))


def step(cut: Cut, process: int, by: int = 1) -> Cut:
    """The cut moved on one process."""
    return tuple(index + by if k == process else index for k, index in enumerate(cut))


class BruteForce:
    """The API of `latwin.LatWin`; `windows` holds the states of every window, oldest first."""

    def __init__(
        self,
        processes: int,
        window: int | Sequence[int | None] | None = None,
        *,
        initial: Sequence[Any] | None = None,
        empty_start: bool = False,
    ) -> None:
        self.sizes = [window] * processes if window is None or isinstance(window, int) else list(window)
        values = [None] * processes if initial is None else list(initial)
        self.windows: list[list[State]] = [
            [] if empty_start else [initial_state(processes, k, values[k])] for k in range(processes)
        ]
        self.update()

    def push(self, process: int, clock: Sequence[int], value: Any = None) -> None:
        window = self.windows[process]
        window.append(State(process, tuple(clock), value))
        size = self.sizes[process]
        if size is not None and len(window) > size:
            del window[0]
        self.update()

    def update(self) -> None:
        """List the cuts of the windows as they are now."""
        choices = consistent_choices(self.windows)
        self.cuts = [tuple(state.index for state in states) for states in choices]
        self._values = {
            cut: tuple(state.value for state in states) for cut, states in zip(self.cuts, choices, strict=True)
        }

    def __len__(self) -> int:
        return len(self.cuts)

    def __iter__(self) -> Iterator[Cut]:
        return iter(self.cuts)

    def __contains__(self, cut: object) -> bool:
        return cut in self._values

    @property
    def least(self) -> Cut | None:
        return meet(*self.cuts) if self.cuts else None

    @property
    def greatest(self) -> Cut | None:
        return join(*self.cuts) if self.cuts else None

    def values_of(self, cut: Cut) -> tuple[Any, ...]:
        """The states' values in a cut."""
        return self._values[cut]

    def next_cuts(self, cut: Cut) -> list[Cut]:
        """The cuts one step after."""
        return [after for k in range(len(cut)) if (after := step(cut, k)) in self._values]

    def edges(self) -> list[tuple[Cut, Cut]]:
        return sorted((cut, after) for cut in self.cuts for after in self.next_cuts(cut))

    def possibly(self, p: Predicate) -> bool:
        return any(p(self._values[cut]) for cut in self.cuts)

    def definitely(self, p: Predicate) -> bool:
        """By the fixed point of AF: a cut is bound to meet p if p holds there, or is met after every step."""
        bound: dict[Cut, bool] = {}
        for cut in reversed(self.cuts):  # every cut after those one step further
            after = [bound[other] for other in self.next_cuts(cut)]
            bound[cut] = p(self._values[cut]) or (bool(after) and all(after))
        return bool(self.cuts) and bound[self.cuts[0]]
