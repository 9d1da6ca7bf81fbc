"""From an automaton to what the kernel that leads it along observations reads (`kernels.sequences.Machine`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from latwin.lattice.kernels.arrays import plain
from latwin.lattice.kernels.sequences import Machine
from latwin.properties.automaton import Automaton


@dataclass(frozen=True)
class Search:
    """An automaton, and the states in which some observation shall end.

    States from which none of these can be reached are left out. With `stops`, the machine stops in states from which
    nothing else can: there the search has been successful.
    """

    machine: Machine
    #: the machine's states, as the automaton counts them
    numbers: tuple[int, ...]
    #: the machine's states that are searched for, as bits
    wanted: int
    #: the answer, if it does not depend on the observations
    constant: bool | None
    #: whether a search with success can be so for good, and whether it always is
    can_decide: bool
    always_decides: bool
    #: whether a search without success can be so for good
    can_close: bool


def make_search(automaton: Automaton, wanted: frozenset[int], *, stops: bool) -> Search:
    """Prepare the search for an observation that ends in a wanted state."""
    after = [set(row) for row in automaton.delta]
    reaches = [_reached(state, after) for state in range(len(after))]
    hopeful = {state for state, reached in enumerate(reaches) if reached & wanted}
    certain = {state for state, reached in enumerate(reaches) if reached <= wanted}
    numbers = sorted(hopeful, key=lambda state: (-len(reaches[state]), sorted(reaches[state]), state))
    place = {state: at for at, state in enumerate(numbers)}
    # States that reach each other reach the same states, so they stand together, and before all that they lead to.
    groups = [at for at, state in enumerate(numbers) if not at or reaches[state] != reaches[numbers[at - 1]]]
    edges: list[tuple[int, int, int]] = []
    begins = [0]
    for state in numbers:
        edges += [(place[to], care, value) for to, care, value in _moves(automaton, state) if to in hopeful]
        begins.append(len(edges))
    start = automaton.start
    return Search(
        machine=plain(
            Machine(
                edges=np.array(edges, np.int64).reshape(-1, 3),
                begins=np.array(begins, np.int64),
                groups=np.array([*groups, len(numbers)], np.int64),
                decides=np.array([stops and state in certain for state in numbers], np.uint8),
                start=np.array([place.get(start, 0)], np.int64),
            )
        ),
        numbers=tuple(numbers),
        wanted=sum(1 << place[state] for state in wanted),
        constant=False if start not in hopeful else True if start in certain else None,
        can_decide=bool(wanted & certain),
        always_decides=wanted <= certain,
        can_close=len(hopeful) < len(after),
    )


def _reached(state: int, after: list[set[int]]) -> frozenset[int]:
    """All states that can follow a state, itself included."""
    found, pending = {state}, [state]
    while pending:
        for following in after[pending.pop()] - found:
            found.add(following)
            pending.append(following)
    return frozenset(found)


def _moves(automaton: Automaton, state: int) -> Iterator[tuple[int, int, int]]:
    """Where a state leads: the next state, the atoms that matter, and of these those that hold.

    The letters are split by one atom after the other, until all that are left lead to the same state.
    """
    row = automaton.delta[state]

    def split(letters: Iterable[int], atom: int, care: int, value: int) -> Iterator[tuple[int, int, int]]:
        targets = {row[letter] for letter in letters}
        if len(targets) == 1:
            yield targets.pop(), care, value
            return
        with_it = [letter for letter in letters if letter >> atom & 1]
        without = [letter for letter in letters if not letter >> atom & 1]
        if [row[letter] for letter in with_it] == [row[letter] for letter in without]:
            yield from split(without, atom + 1, care, value)
        else:
            yield from split(with_it, atom + 1, care | 1 << atom, value | 1 << atom)
            yield from split(without, atom + 1, care | 1 << atom, value)

    return split(range(len(row)), 0, 0, 0)
