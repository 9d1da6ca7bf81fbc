"""Detectors of the questions beyond `possibly` and `definitely`: CTL, sequences, probability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from latwin.detect.atoms import COMPARISONS
from latwin.detect.base import Context, Details, Detector
from latwin.detect.general import Labels, make_labels
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels.arrays import Words
from latwin.lattice.kernels.labels import compare
from latwin.properties.automaton import Automaton, automaton_of, stretch_of
from latwin.properties.plan import plan_labels
from latwin.properties.questions import (
    Formula,
    FormulaAnd,
    FormulaNot,
    FormulaOr,
    Likely,
    Matching,
    Next,
    Temporal,
    Until,
    conditions_in,
)
from latwin.properties.tree import Expr, Question


def make_question(question: Question, context: Context) -> Detector:
    """The detector for a question."""
    if isinstance(question, Temporal):
        return TemporalDetector(question, context)
    if isinstance(question, Matching):
        return MatchingDetector(question, context)
    assert isinstance(question, Likely)
    return LikelyDetector(question, context)


class _OnLattice:
    """What they share: labels for conditions, an empty window is false, a lattice that is too large is None."""

    def __init__(self, context: Context, conditions: Sequence[Expr]) -> None:
        self._context = context
        self._labels: dict[Expr, Labels] = {}
        for condition in conditions:
            if condition not in self._labels:
                self._labels[condition] = make_labels(context, plan_labels(condition))
        self._details = Details()

    def evaluate(self) -> bool | None:
        """The answer on the window as it is now."""
        if self._context.window.is_empty:
            self._details = Details(cuts=0)
            return False
        lattice = self._context.current_lattice()
        if lattice is None:
            self._details = Details()
            return None
        self._details = Details(lattice.cuts)
        return self._answer(lattice)

    def details(self, *, observations: bool) -> Details:
        """The number of cuts, and what the kind of question adds."""
        del observations
        return self._details

    def modality(self) -> None:
        """None: runs of states are not answered in one call."""
        return

    def _words(self, lattice: BitLattice, condition: Expr) -> Words:
        """The cuts at which a condition holds; an array of its own."""
        labels = self._labels[condition].label(lattice)
        return labels[: lattice.leaf_count] & lattice.leaves[: lattice.leaf_count]

    def _answer(self, lattice: BitLattice) -> bool | None:
        raise NotImplementedError


class TemporalDetector(_OnLattice):
    """A formula of CTL at the least cut: sets of cuts, operator by operator."""

    def __init__(self, question: Temporal, context: Context) -> None:
        super().__init__(context, list(conditions_in(question.formula)))
        self._formula = question.formula

    def label(self, lattice: BitLattice) -> Words:
        """The cuts at which the formula holds."""
        return self._holds(lattice, self._formula)

    def _answer(self, lattice: BitLattice) -> bool:
        return bool(self.label(lattice)[0] & np.uint64(1))

    def _holds(self, lattice: BitLattice, formula: Formula) -> Words:
        """The cuts at which a formula holds."""
        match formula:
            case FormulaNot(operand):
                return lattice.others(self._holds(lattice, operand))
            case FormulaAnd(operands):
                return _fold(np.bitwise_and, [self._holds(lattice, operand) for operand in operands])
            case FormulaOr(operands):
                return _fold(np.bitwise_or, [self._holds(lattice, operand) for operand in operands])
            case Next("E", operand):
                return lattice.some_next(self._holds(lattice, operand))
            case Next(_, operand):  # every step leads there: none leads elsewhere
                return lattice.others(lattice.some_next(lattice.others(self._holds(lattice, operand))))
            case Until(paths, hold, goal):
                return lattice.until(self._holds(lattice, hold), self._holds(lattice, goal), on_all=paths == "A")
            case _:
                return self._words(lattice, formula)


class MatchingDetector(_OnLattice):
    """A pattern in some or every observation: where its automaton can be at the greatest cut."""

    def __init__(self, question: Matching, context: Context) -> None:
        self._automaton: Automaton = automaton_of(question)
        super().__init__(context, self._automaton.atoms)
        self._question = question
        self._is_possibly = question.kind == "possibly"
        self._delta = np.array(self._automaton.delta, np.int64)
        self._atoms: Words = np.empty((0, 0), np.uint64)

    def _answer(self, lattice: BitLattice) -> bool:
        self._atoms = _stack([self._words(lattice, atom) for atom in self._automaton.atoms], lattice.leaf_count)
        states = lattice.run_automaton(self._atoms, self._delta, self._automaton.start)
        accepting = self._automaton.accepting
        return bool(states & accepting) if self._is_possibly else states <= accepting

    def details(self, *, observations: bool) -> Details:
        """If observations are asked for: one that matches (possibly), or one that does not (definitely, if false)."""
        lattice = self._context.current_lattice() if not self._context.window.is_empty else None
        if not observations or lattice is None:
            return self._details
        states = lattice.run_automaton(self._atoms, self._delta, self._automaton.start)
        accepting = self._automaton.accepting
        wanted = states & accepting if self._is_possibly else states - accepting
        if not wanted:
            return self._details
        witness, letters = lattice.trace_automaton(self._atoms, self._delta, min(wanted))
        stretch = stretch_of(self._question, letters) if self._is_possibly else None
        return self._details._replace(witness=tuple(witness), stretch=stretch)


class LikelyDetector(_OnLattice):
    """The fraction of observations that meet a predicate: 1 exactly if definitely, 0 exactly if not possibly."""

    def __init__(self, question: Likely, context: Context) -> None:
        super().__init__(context, [question.predicate])
        self._question = question
        self.probability = 0.0

    def _answer(self, lattice: BitLattice) -> bool | None:
        total, avoiding = lattice.count_observations(self._words(lattice, self._question.predicate))
        if not np.isfinite(total):
            self._details = Details()
            return None
        self.probability = fraction(total, avoiding)
        return bool(compare(self.probability, COMPARISONS[self._question.op], self._question.bound))


def fraction(total: float, avoiding: float) -> float:
    """1 - avoiding / total, rounded to 0 or 1 only where it is."""
    if avoiding == 0.0:
        return 1.0
    if avoiding == total:
        return 0.0
    return float(min(max(1.0 - avoiding / total, np.nextafter(0.0, 1.0)), np.nextafter(1.0, 0.0)))


def _fold(operation: Any, words: Sequence[Words]) -> Words:
    result: Words = operation.reduce(words)
    return result


def _stack(words: Sequence[Words], leaves: int) -> Words:
    return np.array(words, np.uint64) if words else np.empty((0, leaves), np.uint64)
