"""A moment of a stream: events replayed up to a slide, and the lattice there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from latwin.detect.states import as_member
from latwin.detect.unseen import Unseen
from latwin.errors import InvalidInput
from latwin.lattice.bits import BitLattice
from latwin.model import Cut
from latwin.monitor import Monitor
from latwin.properties import Modal, compile_condition
from latwin.slide import Slide
from latwin.spec import Spec


class _Reached(Exception):
    """No error: the slide that was asked for has been made, and this is the way out."""


class Moment:
    """A system right after a slide: its window, its lattice and, if `name` is given, that property's value.

    Cuts and steps are given by state indices, in lexicographic order, with an entry for each of `names`: the
    processes, of an open group its members.
    """

    def __init__(self, monitor: Monitor, slide: Slide | None, name: str | None) -> None:
        """Enumerate the cuts of the monitor's window after `slide`; None is before the first.

        Raises LatticeTooLarge beyond the spec's `max_cuts`.
        """
        self.spec = monitor.spec
        self.names = monitor.members()
        #: where the members sit in the window, which may have seats that nobody has
        self.seats = [self.spec.processes.index(name) for name in self.names]
        self.slide = monitor.slide
        #: process and index of the state delivered last; None for a tick
        self.delivered = (slide.process, slide.index) if slide is not None else None
        self.rejected = monitor.counters.rejected
        self.window = monitor.window
        self.value = monitor.values()[name] if name is not None else None
        self._unseen = monitor.unseen()
        self._states = [monitor.states(seat) for seat in range(self.window.processes)]
        self._numbers = self._enumerate()
        tree = self.spec.trees[name] if name is not None else None
        self._predicate = tree.predicate if isinstance(tree, Modal) else None

    def _enumerate(self) -> np.ndarray:
        if self.window.is_empty:
            return np.zeros((0, self.window.processes), np.int64)
        lattice = BitLattice(self.window, self.spec.max_cuts)
        lattice.build()
        return lattice.cut_numbers()

    def __len__(self) -> int:
        """The number of cuts."""
        return len(self._numbers)

    def warnings(self) -> list[str]:
        """What no state has shown up to here, of the processes and of what the property expects."""
        unseen = Unseen()
        unseen.add(self._unseen)
        return unseen.warnings(self.spec.expectations)

    @property
    def least(self) -> Cut | None:
        """The least cut; None if there is none."""
        return self._of_members(self.window.least)

    @property
    def greatest(self) -> Cut | None:
        """The greatest cut; None if there is none."""
        return self._of_members(self.window.greatest)

    def _of_members(self, cut: Cut | None) -> Cut | None:
        return None if cut is None else tuple([cut[seat] for seat in self.seats])

    def _indices(self, numbers: np.ndarray) -> Cut:
        cut = self.window.to_indices(numbers)
        return tuple([cut[seat] for seat in self.seats])

    def states(self, process: int) -> list[dict[str, Any]]:
        """The states in the window of a process, oldest first: index, clock and variables."""
        window, seat = self.window, self.seats[process]
        return [
            {
                "index": window.index_of(seat, number),
                "clock": self._of_members(window.clock_of(seat, number)),
                "state": state,
            }
            for number, state in zip(window.states_of(seat), self._states[seat], strict=True)
        ]

    def cuts(self) -> list[Cut]:
        """All cuts."""
        return list(map(self._indices, self._numbers))

    def edges(self) -> list[tuple[Cut, Cut]]:
        """All single steps."""
        # States are numbered by delivery, so that a step adds one even where indices were lost.
        index_of = {tuple(cut.tolist()): self._indices(cut) for cut in self._numbers}
        return [
            (index_of[cut], index_of[further])
            for cut in index_of
            for k in range(len(cut) - 1, -1, -1)
            if (further := (*cut[:k], cut[k] + 1, *cut[k + 1 :])) in index_of
        ]

    def satisfying(self) -> list[bool]:
        """For each cut whether the property's predicate is true there."""
        if self._predicate is None:
            return [False] * len(self)
        condition = compile_condition(self._predicate)
        offsets = self._numbers - [self.window.states_of(k)[0] for k in range(self.window.processes)]
        columns = [
            map([self.as_read(seat, state) for state in states].__getitem__, offsets[:, seat].tolist())
            for seat, states in enumerate(self._states)
        ]
        return [condition(values) for values in zip(*columns, strict=True)]

    def as_read(self, seat: int, state: Any) -> Any:
        """A state of whoever sits there as conditions read it."""
        if self.spec.open is None:
            return state
        return as_member(state, self.spec.roles_of(self.spec.processes[seat]))

    def level_counts(self, marked: Sequence[bool]) -> tuple[list[int], list[int]]:
        """How many cuts are how many steps from the least one, and how many of those are marked.

        The lattice must not be empty.
        """
        level = self._numbers.sum(axis=1) - self._numbers[0].sum()  # the least cut comes first
        chosen = level[np.array(marked, bool)]
        return np.bincount(level).tolist(), np.bincount(chosen, minlength=int(level.max()) + 1).tolist()


def replay(spec: Spec, events: Iterable[Any], *, slide: int | None, name: str | None) -> Moment:
    """The moment after `slide` (None: the last), with the property `name` evaluated."""
    fields = spec.to_dict()
    kept = {name: spec.properties[name]} if name is not None else {}
    latest: Slide | None = None

    def stop_at_slide(made: Slide) -> None:
        nonlocal latest
        latest = made
        if made.number == slide:
            raise _Reached  # at once, because one event can cause several slides

    monitor = Monitor(Spec.from_dict({**fields, "properties": kept, "never": []}), on_slide=stop_at_slide)
    if slide != 0:
        try:
            for event in events:
                monitor.observe(event)
        except _Reached:
            pass
    if slide is not None and slide != monitor.slide:
        raise InvalidInput(
            f"--at {slide}: the events make {monitor.slide} slides; "
            f"give a number from 0 (before the first) to {monitor.slide}"
        )
    return Moment(monitor, latest, name)
