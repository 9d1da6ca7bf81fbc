"""From a formula of linear time to the smallest automaton that reads observations, one letter a cut.

The truth of all parts of a formula at a cut follows from the letter there, from what held one cut earlier (the
*memory*: one bit for the operand of each `previously`, and for each `since`), and from what holds one cut later (the
*promise*: one bit for the operand of each `next`, and for each `until`; all are false after the last cut):

    p until q   at a cut:   q, or p and the promise of p until q
    p since q   at a cut:   q, or p and the memory of p since q

So an automaton that guesses promises, and gives up when the next cut breaks one, has a state for each memory and
promise. Sets of its states are the states of one that need not guess. Other operators are written with these four, so
every mixture of future and past is compiled in the same way. The truth of all parts is computed for all letters,
memories and promises at once, in arrays.
"""

from __future__ import annotations

from functools import cache, reduce
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from latwin.errors import PropertyError
from latwin.properties.automaton import Automaton, check_atoms, smallest, tabulate
from latwin.properties.linear import BACK, FORWARD, Formula, Linear, Operator
from latwin.properties.tree import TRUE, Expr, Not

#: memory and promise have a bit for each, and one for the formula itself; the arrays have a place for each letter,
#: memory and promise
MAX_OPERATORS = 10

Truth: TypeAlias = npt.NDArray[np.bool_]
Numbers: TypeAlias = npt.NDArray[np.int64]


@cache
def automaton_of_formula(question: Linear) -> Automaton:
    """The smallest automaton that accepts the observations which satisfy the formula."""
    root, wanted = _core(question.formula), True
    while isinstance(root, Operator) and root.word == "not":
        root, wanted = root.operands[0], not wanted
    parts = _Parts(root, is_asked_at_the_end=question.is_asked_at_the_end)
    check_atoms(parts.atoms, "formula")
    if len(parts.temporal) > MAX_OPERATORS:
        count = len(parts.temporal)
        raise PropertyError(f"a formula may have at most {MAX_OPERATORS} different temporal operators; got {count}")
    guessing = _Guessing(parts)
    numbers = np.arange(guessing.states)
    memory, promise = numbers & (1 << len(parts.memory)) - 1, numbers >> len(parts.memory)
    start, final = memory == 0, promise == 0
    if question.is_asked_at_the_end:
        final &= (memory >> parts.memory.index(root) & 1 == 1) == wanted
    else:
        start &= (promise >> parts.promise.index(root) & 1 == 1) == wanted
    table, accepting = tabulate(
        start.tobytes(),
        guessing.after,
        lambda state: bool((np.frombuffer(state, np.bool_) & final).any()),
        "formula",
    )
    choices = [accepting]
    if not any(0 in row for row in table):  # no observation ends at the start, so it may accept or not
        choices.append(accepting ^ {0})
    found = [smallest(tuple(parts.atoms), table, choice, "formula") for choice in choices]
    return min(found, key=lambda automaton: len(automaton.delta))


def _core(formula: Formula) -> Formula:
    """The same with not, and, next, until, previously, since alone; conditions without a `not` around them."""
    if isinstance(formula, Not):
        return _not(_core(formula.operand))
    if not isinstance(formula, Operator):
        return formula
    first, *rest = [_core(operand) for operand in formula.operands]
    match formula.word:
        case "not":
            return _not(first)
        case "or":
            return _not(Operator("and", tuple(_not(operand) for operand in (first, *rest))))
        case "implies":
            return _not(Operator("and", (first, _not(rest[0]))))
        case "eventually":
            return Operator("until", (TRUE, first))
        case "always":
            return _not(Operator("until", (TRUE, _not(first))))
        case "weak_until":  # it fails where neither holds, with no goal before
            return _not(Operator("until", (_not(rest[0]), Operator("and", (_not(first), _not(rest[0]))))))
        case "once":
            return Operator("since", (TRUE, first))
        case "historically":
            return _not(Operator("since", (TRUE, _not(first))))
        case word:
            return Operator(word, (first, *rest))


def _not(formula: Formula) -> Formula:
    """The opposite; of conditions, too, by an operator."""
    if isinstance(formula, Operator) and formula.word == "not":
        return formula.operands[0]
    return Operator("not", (formula,))


class _Parts:
    """The atoms of a core formula, and the parts that memory and promise speak of, each once."""

    def __init__(self, root: Formula, *, is_asked_at_the_end: bool) -> None:
        self.atoms: list[Expr] = []
        self.temporal: set[Formula] = set()
        self.memory: list[Formula] = [root] if is_asked_at_the_end else []
        self.promise: list[Formula] = [] if is_asked_at_the_end else [root]
        self._collect(root)

    def _collect(self, formula: Formula) -> None:
        if not isinstance(formula, Operator):
            if formula != TRUE and formula not in self.atoms:
                self.atoms.append(formula)
            return
        if formula.word in FORWARD | BACK:
            self.temporal.add(formula)
        match formula.word:
            case "next":
                _add(self.promise, formula.operands[0])
            case "until":
                _add(self.promise, formula)
            case "previously":
                _add(self.memory, formula.operands[0])
            case "since":
                _add(self.memory, formula)
        for operand in formula.operands:
            self._collect(operand)


def _add(parts: list[Formula], part: Formula) -> None:
    if part not in parts:
        parts.append(part)


class _Guessing:
    """The automaton that guesses. A state is a number: the memory's bits, and above them the promise's."""

    def __init__(self, parts: _Parts) -> None:
        self._parts = parts
        letters, memories = len(parts.atoms), len(parts.memory)
        self.states = 1 << memories + len(parts.promise)
        #: from the lowest bit: letter, memory, promise of the next cut
        self._cases: Numbers = np.arange(self.states << letters)
        self._known: dict[Formula, Truth] = {}
        memory = self._cases >> letters & (1 << memories) - 1
        promise = self._cases >> letters + memories
        shape = self.states, 1 << letters
        #: of each case: the state in which the letter must be read, and the state that it leads to
        self._before = (memory | self._bits(parts.promise) << memories).reshape(shape)
        self._after = (self._bits(parts.memory) | promise << memories).reshape(shape)

    def after(self, state: bytes) -> list[bytes]:
        """For each letter the set of states that it leads to from a set; sets are flags, as bytes."""
        cases, letters = np.nonzero(np.frombuffer(state, np.bool_)[self._before])
        reached = np.zeros((self._before.shape[1], self.states), np.bool_)
        reached[letters, self._after[cases, letters]] = True
        return [flags.tobytes() for flags in reached]

    def _bits(self, formulas: list[Formula]) -> Numbers:
        """The truth of some formulas in each case, as bits of a number."""
        bits = np.zeros_like(self._cases)
        for place, formula in enumerate(formulas):
            bits |= self._truth(formula).astype(np.int64) << place
        return bits

    def _truth(self, formula: Formula) -> Truth:
        if formula not in self._known:
            self._known[formula] = self._find_truth(formula)
        return self._known[formula]

    def _find_truth(self, formula: Formula) -> Truth:
        """In which cases a formula holds at the cut with the letter."""
        parts = self._parts
        if not isinstance(formula, Operator):
            return np.ones(len(self._cases), np.bool_) if formula == TRUE else self._bit(parts.atoms.index(formula))
        match formula.word:
            case "not":
                return ~self._truth(formula.operands[0])
            case "and":
                return reduce(np.logical_and, [self._truth(operand) for operand in formula.operands])
            case "next":
                return self._promised(formula.operands[0])
            case "previously":
                return self._remembered(formula.operands[0])
            case word:
                hold, goal = [self._truth(operand) for operand in formula.operands]
                return goal | hold & (self._promised(formula) if word == "until" else self._remembered(formula))

    def _remembered(self, formula: Formula) -> Truth:
        return self._bit(len(self._parts.atoms) + self._parts.memory.index(formula))

    def _promised(self, formula: Formula) -> Truth:
        return self._bit(len(self._parts.atoms) + len(self._parts.memory) + self._parts.promise.index(formula))

    def _bit(self, place: int) -> Truth:
        truth: Truth = self._cases >> place & 1 == 1
        return truth
