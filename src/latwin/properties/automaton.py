"""From a pattern to the smallest automaton that reads observations, one letter a cut.

A letter is the set of the pattern's conditions that hold at a cut, written as bits. The pattern becomes an
automaton with choices, that one by subset construction a table, and the table the smallest one. Formulas of linear
time go the same way from the table on; see `linear_automaton`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from latwin.errors import PropertyError
from latwin.properties.patterns import Chain, Choice, Pattern, Repeat, Step, steps_in
from latwin.properties.tree import Expr

if TYPE_CHECKING:
    from latwin.properties.sequences import Matching

#: the table has a column for each set of conditions
MAX_ATOMS = 8
MAX_STATES = 64

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class Automaton:
    """A complete deterministic automaton: `delta[state][letter]` is the next state."""

    atoms: tuple[Expr, ...]
    delta: tuple[tuple[int, ...], ...]
    start: int
    accepting: frozenset[int]

    def accepts(self, letters: list[int]) -> bool:
        """Whether a whole observation, given by its letters, is accepted."""
        state = self.start
        for letter in letters:
            state = self.delta[state][letter]
        return state in self.accepting


@cache
def automaton_of(question: Matching) -> Automaton:
    """The smallest automaton that accepts the observations in which the pattern occurs."""
    atoms = tuple(dict.fromkeys(steps_in(question.pattern)))
    check_atoms(atoms, "sequence")
    choices = _Choices(atoms)
    start, final = choices.new(), choices.new()
    choices.add(question.pattern, start, final)
    if not question.from_least:
        choices.steps.append((start, None, start))
    if not question.to_greatest:
        choices.steps.append((final, None, final))

    def after(subset: frozenset[int]) -> list[frozenset[int]]:
        return [choices.after(subset, letter) for letter in range(1 << len(atoms))]

    return smallest(atoms, *tabulate(choices.closure({start}), after, lambda subset: final in subset), "sequence")


def stretch_of(question: Matching, letters: Sequence[int]) -> tuple[int, int]:
    """The first stretch of an observation, given by its letters, that the pattern matches; there is one."""
    exactly = automaton_of(replace(question, from_least=True, to_greatest=True))
    last = len(letters)
    for begin in [0] if question.from_least else range(last + 1):
        state = exactly.start
        for end in range(begin, last + 1):
            if state in exactly.accepting and (end == last or not question.to_greatest):
                return begin, end
            if end < last:
                state = exactly.delta[state][letters[end]]
    raise AssertionError("the pattern does not occur")


class _Choices:
    """An automaton with choices and silent moves, built part by part between two states."""

    def __init__(self, atoms: tuple[Expr, ...]) -> None:
        self._atoms = {atom: number for number, atom in enumerate(atoms)}
        self._states = 0
        #: (from, number of an atom or None for any letter, to)
        self.steps: list[tuple[int, int | None, int]] = []
        self._silent: dict[int, list[int]] = {}

    def new(self) -> int:
        self._states += 1
        return self._states - 1

    def add(self, pattern: Pattern, begin: int, end: int) -> None:
        """Lead from `begin` to `end` by what matches the pattern."""
        match pattern:
            case Step(condition):
                self.steps.append((begin, None if condition is None else self._atoms[condition], end))
            case Chain(parts):
                for part in parts[:-1]:
                    middle = self.new()
                    self.add(part, begin, middle)
                    begin = middle
                self.add(parts[-1], begin, end)
            case Choice(parts):
                for part in parts:
                    self._apart(part, begin, end)
            case Repeat(inner, sign):
                first, last = self.new(), self.new()
                self._move(begin, first)
                self._move(last, end)
                self.add(inner, first, last)
                if sign in "*+":
                    self._move(last, first)
                if sign in "*?":
                    self._move(first, last)

    def _apart(self, pattern: Pattern, begin: int, end: int) -> None:
        """The same through states of its own, so that loops of one part do not leak into another."""
        first, last = self.new(), self.new()
        self._move(begin, first)
        self._move(last, end)
        self.add(pattern, first, last)

    def _move(self, begin: int, end: int) -> None:
        self._silent.setdefault(begin, []).append(end)

    def after(self, subset: frozenset[int], letter: int) -> frozenset[int]:
        """The states after a letter that is read in one of some states."""
        return self.closure(
            {to for begin, atom, to in self.steps if begin in subset and (atom is None or letter >> atom & 1)}
        )

    def closure(self, states: set[int]) -> frozenset[int]:
        """The states, and those reached from them silently."""
        found, pending = set(states), list(states)
        while pending:
            for state in self._silent.get(pending.pop(), ()):
                if state not in found:
                    found.add(state)
                    pending.append(state)
        return frozenset(found)


def check_atoms(atoms: Sequence[Expr], noun: str) -> None:
    """Refuse more conditions than the table has room for."""
    if len(atoms) > MAX_ATOMS:
        raise PropertyError(f"a {noun} may have at most {MAX_ATOMS} different conditions; got {len(atoms)}")


def tabulate(
    start: T, after: Callable[[T], Sequence[T]], accepts: Callable[[T], bool], noun: str = "sequence"
) -> tuple[list[list[int]], set[int]]:
    """Number the states that `after`, which gives the next one for each letter, leads to from the start.

    Returns the table, whose first state is the start, and the accepting states.
    """
    numbers = {start: 0}
    pending = [start]
    table: list[list[int]] = []
    for state in pending:  # grows as it is read
        row = []
        for following in after(state):
            if following not in numbers:
                numbers[following] = len(numbers)
                pending.append(following)
                if len(numbers) > 16 * MAX_STATES:
                    raise _too_many(noun)
            row.append(numbers[following])
        table.append(row)
    return table, {number for state, number in numbers.items() if accepts(state)}


def smallest(
    atoms: tuple[Expr, ...], table: list[list[int]], accepting: set[int], noun: str = "sequence"
) -> Automaton:
    """Merge the states that no observation tells apart (Moore): split classes until none splits further."""
    classes = [int(state in accepting) for state in range(len(table))]
    while True:
        seen: dict[tuple[int, ...], int] = {}
        finer = [
            seen.setdefault((classes[state], *(classes[to] for to in row)), len(seen))
            for state, row in enumerate(table)
        ]
        if len(seen) == len(set(classes)):
            break
        classes = finer
    if len(seen) > MAX_STATES:
        raise _too_many(noun)
    delta: list[tuple[int, ...]] = [()] * len(seen)
    for state, row in enumerate(table):
        delta[finer[state]] = tuple(finer[to] for to in row)
    return Automaton(atoms, tuple(delta), finer[0], frozenset(finer[state] for state in accepting))


def _too_many(noun: str) -> PropertyError:
    return PropertyError(f"the {noun} needs an automaton of more than {MAX_STATES} states; make it simpler")
