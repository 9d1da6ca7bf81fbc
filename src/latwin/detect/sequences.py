"""Sequences: an automaton that is led along all observations at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latwin.detect.detector import Context, Details
from latwin.detect.on_lattice import OnLattice
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels.arrays import Words
from latwin.properties.automaton import Automaton, automaton_of, stretch_of
from latwin.properties.sequences import Matching


class MatchingDetector(OnLattice):
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


def _stack(words: Sequence[Words], leaves: int) -> Words:
    return np.array(words, np.uint64) if words else np.empty((0, leaves), np.uint64)
