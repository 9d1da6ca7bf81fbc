"""Sequences and formulas of linear time: an automaton that is led along all observations at once."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from latwin.detect.detector import Context, Details, InRuns, flags_of
from latwin.detect.machines import Search, make_search
from latwin.detect.many_labels import ManyLabels
from latwin.detect.on_lattice import OnLattice
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels import answers, outlook
from latwin.lattice.kernels.arrays import Words
from latwin.lattice.kernels.sequences import DECIDES
from latwin.properties.automaton import Automaton, automaton_of, stretch_of
from latwin.properties.linear import Linear
from latwin.properties.sequences import Matching
from latwin.properties.tree import ModalKind


class AutomatonDetector(OnLattice):
    """Whether an automaton accepts some, or every, observation.

    What is searched for is an observation that it accepts (possibly), or one that it does not (definitely).
    """

    def __init__(self, kind: ModalKind, automaton: Automaton, context: Context) -> None:
        super().__init__(context)
        self._is_possibly = kind == "possibly"
        self._automaton = automaton
        states = frozenset(range(len(automaton.delta)))
        self._wanted = automaton.accepting if self._is_possibly else states - automaton.accepting
        self._search = make_search(automaton, self._wanted, stops=True)
        self._labels_of_atoms = ManyLabels(context, automaton.atoms)
        self._rows = [self._labels_of_atoms.row[atom] for atom in automaton.atoms]
        self._is_in_order = self._rows == list(range(len(self._rows)))
        self._delta = np.array(automaton.delta, np.int64)
        self._is_wanted = flags_of(self._wanted, len(automaton.delta))

    @cached_property
    def _full_search(self) -> Search:
        """The search that goes to the end, so that the observation can be traced."""
        return make_search(self._automaton, self._wanted, stops=False)

    def _foresee(self) -> bool | None:
        rows = self._labels_of_atoms.foreseeable()
        if rows is None:
            return None
        window, atoms, start = self._context.window, self._context.atoms, self._automaton.start
        found = outlook.foresee_automaton(
            window.ends, atoms.arrays, self._part.members, rows, self._delta, start, self._is_wanted
        )
        return None if found == outlook.UNKNOWN else (found == outlook.YES) is self._is_possibly

    def _answer(self, lattice: BitLattice) -> bool:
        found = self._search.constant
        if found is None:
            states = lattice.run_automaton(self._atoms(lattice), self._search.machine)
            found = bool(states & self._search.wanted)
        return found is self._is_possibly

    def _atoms(self, lattice: BitLattice) -> Words:
        words = self._labels_of_atoms.label(lattice)
        return words if self._is_in_order else np.ascontiguousarray(words[self._rows])

    def is_final(self) -> bool | None:
        """Whether the search that gave the last answer, with success or without, stays so whatever comes.

        With success, if the automaton is in a state that leads to no other answer. Without, if it has left all states
        that lead to success before it comes to an open end. `docs/design/lattice.md` has the proof.
        """
        search = self._search
        if self._value is None or self._context.window.is_empty:
            return None if self._value is None else False
        if search.constant is not None:
            return True
        is_found = self._value is self._is_possibly
        if is_found and search.can_decide is search.always_decides:
            return search.always_decides
        if not is_found and not search.can_close:
            return False
        lattice = self._part.current_lattice()
        if lattice is None:
            return None
        states = lattice.run_automaton(self._atoms(lattice), search.machine)
        if is_found:
            return any(states >> at & 1 for at, decides in enumerate(search.machine[DECIDES]) if decides)
        return lattice.stays_fruitless()

    def in_runs(self) -> tuple[InRuns, ...] | None:
        """As `kernels.slides` asks it, if programs label all atoms."""
        search, rows = self._search, self._labels_of_atoms.in_words()
        members = tuple(self._part.members.tolist())
        if search.constant is not None:
            return (InRuns(answers.ask_constant, members, (int(search.constant is self._is_possibly),)),)
        if rows is None:
            return None
        edges, begins, groups, decides, start = (part.ravel().tolist() for part in search.machine)
        wanted = search.wanted - (1 << 64 if search.wanted >> 63 else 0)  # as a signed integer
        success = answers.ALWAYS if search.always_decides else answers.PERHAPS if search.can_decide else answers.NEVER
        failure = answers.PERHAPS if search.can_close else answers.NEVER
        sizes = len(decides), len(edges) // 3, len(groups), len(self._delta), self._automaton.start
        machine = *edges, *begins, *groups, *decides, *start
        table = *self._is_wanted.tolist(), *self._delta.ravel().tolist()
        data = *rows, int(self._is_possibly), wanted, success, failure, *sizes, *machine, *table
        return (InRuns(answers.ask_automaton, members, data),)

    def details(self, *, observations: bool) -> Details:
        """If observations are asked for: one that is accepted (possibly), or one that is not (definitely, false)."""
        details = super().details(observations=observations)
        if not observations or self._context.window.is_empty:
            return details
        lattice = self._context.current_lattice()  # of all processes: the observation shows their steps
        return details if lattice is None else self._trace(lattice, details)

    def _trace(self, lattice: BitLattice, details: Details) -> Details:
        search, atoms = self._full_search, self._atoms(lattice)
        if not search.numbers:
            return details
        states = lattice.run_automaton(atoms, search.machine)
        ends = [number for at, number in enumerate(search.numbers) if states >> at & 1 and number in self._wanted]
        if not ends:
            return details
        witness, letters = lattice.trace_automaton(atoms, self._automaton.delta, search.numbers, min(ends))
        return details._replace(witness=tuple(witness), stretch=self._stretch(letters))

    def _stretch(self, letters: list[int]) -> tuple[int, int] | None:
        """The part of an observation that is to be shown, if not all of it."""
        del letters
        return None


class MatchingDetector(AutomatonDetector):
    """A pattern in some or every observation."""

    def __init__(self, question: Matching, context: Context) -> None:
        super().__init__(question.kind, automaton_of(question), context)
        self._question = question

    def _stretch(self, letters: list[int]) -> tuple[int, int] | None:
        """Where the pattern occurs, if it does."""
        return stretch_of(self._question, letters) if self._is_possibly else None


class LinearDetector(AutomatonDetector):
    """A formula of linear time that some or every observation satisfies."""

    def __init__(self, question: Linear, context: Context) -> None:
        super().__init__(question.kind, question.automaton(), context)
        if not question.counts_steps:
            self._part = context.part(question.processes)
