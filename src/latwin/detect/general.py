"""Detectors of any other predicate: the cuts are labelled, then asked on the bit lattice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from latwin.detect.base import Details, SharedLattice
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels import labels as kernel
from latwin.lattice.window import Window
from latwin.properties import compile_condition, compile_local, compile_local_condition
from latwin.properties.plan import Plan
from latwin.properties.shape import LocalAtom, PairAtom, Step, SumAtom, as_number, compile_normal

Words = npt.NDArray[np.uint64]

_OPERATIONS = {"not": kernel.NOT, "and": kernel.AND, "or": kernel.OR, "true": kernel.TRUE}
_COMPARISONS = {
    "==": kernel.EQUAL,
    "!=": kernel.NOT_EQUAL,
    "<": kernel.LESS,
    "<=": kernel.LESS_EQUAL,
    ">": kernel.GREATER,
    ">=": kernel.GREATER_EQUAL,
}


class CutByCutLabels:
    """Labels from the interpreter: the predicate is evaluated on every cut's states."""

    def __init__(self, window: Window, plan: Plan) -> None:
        self._window = window
        self._predicate = compile_normal(plan.predicate)
        self.resize()

    def resize(self) -> None:
        """Make room for the window's new capacity."""
        self.states: list[list[Any]] = [[None] * self._window.capacity for _ in range(self._window.processes)]

    def push(self, process: int, place: int, state: Any) -> None:
        """Keep the state."""
        self.states[process][place] = state

    def label(self, lattice: BitLattice) -> Words:
        """One word of labels per leaf."""
        predicate = self._predicate
        places = (lattice.cut_numbers() & (self._window.capacity - 1)).T.tolist()
        columns = [map(states.__getitem__, at) for states, at in zip(self.states, places, strict=True)]
        flags = np.fromiter(map(predicate, zip(*columns, strict=True)), np.uint8)
        return lattice.labels_from_flags(flags)


class ProgramLabels:
    """Labels from the compiled program of atoms (see `kernels.labels`), 64 cuts at a time.

    Atoms are evaluated once, when a state enters the window: local ones on the state, pairs against the
    other process's states in the window, sums as the state's term. A term that is an integer too large
    to be added exactly sends the slides that see it to the interpreter.
    """

    def __init__(self, window: Window, plan: Plan) -> None:
        self._window = window
        self._fallback = CutByCutLabels(window, plan)
        atoms: dict[type, list[Any]] = {LocalAtom: [], PairAtom: [], SumAtom: []}
        self._program = np.array([self._step(step, atoms) for step in plan.program], np.int64)
        self._locals: list[LocalAtom] = atoms[LocalAtom]
        self._pairs: list[PairAtom] = atoms[PairAtom]
        self._sums: list[SumAtom] = atoms[SumAtom]
        self._local_process = np.array([atom.process for atom in self._locals], np.int64)
        self._pair_process = np.array([(a.first, a.second) for a in self._pairs], np.int64).reshape(-1, 2)
        self._sum_compare = np.array([_COMPARISONS[atom.op] for atom in self._sums], np.int64)
        self._sum_bound = np.array([atom.bound for atom in self._sums], np.float64)
        self._compile()
        self.resize()

    @staticmethod
    def _step(step: Step, atoms: dict[type, list[Any]]) -> tuple[int, int]:
        """A row of the kernel's program, numbering atoms as they come."""
        if isinstance(step, str):
            return _OPERATIONS[step], 0
        known = atoms[type(step)]
        if step not in known:
            known.append(step)
        operation = {LocalAtom: kernel.LOCAL, PairAtom: kernel.PAIR, SumAtom: kernel.SUM}[type(step)]
        return operation, known.index(step)

    def _compile(self) -> None:
        """Sort the atoms' functions by the process whose states they wait for."""
        processes = self._window.processes
        self._local_conditions: list[list[tuple[int, Callable[[Any], bool]]]] = [[] for _ in range(processes)]
        for number, local in enumerate(self._locals):
            condition = compile_local_condition(local.condition, local.process)
            self._local_conditions[local.process].append((number, condition))
        self._pair_conditions = [compile_condition(pair.condition) for pair in self._pairs]
        self._sum_terms_of: list[list[tuple[int, int, Callable[[Any], Any]]]] = [[] for _ in range(processes)]
        for number, total in enumerate(self._sums):
            for process, term in total.terms:
                compiled = compile_local(term, process)
                self._sum_terms_of[process].append((number, total.largest_exact, compiled))

    def resize(self) -> None:
        """Make room for the window's new capacity."""
        processes, capacity = self._window.processes, self._window.capacity
        self._local_flags = np.zeros((len(self._locals), capacity), np.uint8)
        self._pair_flags = np.zeros((len(self._pairs), capacity, capacity), np.uint8)
        self._sum_terms = np.zeros((len(self._sums), processes, capacity), np.float64)
        self._inexact: set[tuple[int, int]] = set()
        self._fallback.resize()

    def push(self, process: int, place: int, state: Any) -> None:
        """Evaluate the atoms that speak of this process."""
        self._fallback.push(process, place, state)
        for number, condition in self._local_conditions[process]:
            self._local_flags[number, place] = condition(state)
        for number, pair in enumerate(self._pairs):
            if process in (pair.first, pair.second):
                self._push_pair(number, pair, process, place)
        if self._inexact:
            self._inexact.discard((process, place))
        for number, largest, term in self._sum_terms_of[process]:
            value = as_number(term(state))
            if value is None:
                self._sum_terms[number, process, place] = np.nan
            elif isinstance(value, int) and not -largest <= value <= largest:
                self._inexact.add((process, place))
            else:
                self._sum_terms[number, process, place] = value

    def _push_pair(self, number: int, pair: PairAtom, process: int, place: int) -> None:
        condition = self._pair_conditions[number]
        states = self._fallback.states
        other = pair.second if process == pair.first else pair.first
        values: list[Any] = [None] * self._window.processes
        values[process] = states[process][place]
        for state in self._window.states_of(other):
            there = self._window.place(state)
            values[other] = states[other][there]
            at = (number, place, there) if process == pair.first else (number, there, place)
            self._pair_flags[at] = condition(values)

    def label(self, lattice: BitLattice) -> Words:
        """One word of labels per leaf."""
        if self._inexact and self._sees_inexact():
            return self._fallback.label(lattice)
        labels = np.empty(lattice.leaf_count, np.uint64)
        kernel.label_leaves(
            self._window.ends,
            lattice.shape,
            lattice.at_least,
            lattice.origin,
            lattice.span,
            lattice.levels,
            self._program,
            self._local_process,
            self._local_flags,
            self._pair_process,
            self._pair_flags,
            self._sum_terms,
            self._sum_compare,
            self._sum_bound,
            labels,
        )
        return labels

    def _sees_inexact(self) -> bool:
        """Whether a state with an inexact term is in the window; forgets those that left."""
        window = self._window
        present = {(k, window.place(s)) for k in range(window.processes) for s in window.states_of(k)}
        self._inexact &= present
        return bool(self._inexact)


class PossiblyOnLattice:
    """`possibly` of a labelled predicate: some cut has a label."""

    def __init__(self, labels: ProgramLabels | CutByCutLabels, window: Window, shared: SharedLattice) -> None:
        self._labels = labels
        self._window = window
        self._shared = shared
        self.resize = labels.resize
        self.push = labels.push
        self._details = Details()

    def evaluate(self) -> bool | None:
        """Whether some cut satisfies the predicate."""
        self._details = Details(cuts=0)
        if self._window.is_empty:
            return False
        lattice = self._shared.current()
        if lattice is None:
            self._details = Details()
            return None
        found = lattice.first_labelled(self._labels.label(lattice))
        self._details = Details(self._shared.cuts, found)
        return found is not None

    def details(self, *, observations: bool) -> Details:
        """The number of cuts, and the lexicographically least satisfying one."""
        del observations
        return self._details


class DefinitelyOnLattice:
    """`definitely` of a labelled predicate: no observation avoids the labels."""

    def __init__(self, labels: ProgramLabels | CutByCutLabels, window: Window, shared: SharedLattice) -> None:
        self._labels = labels
        self._window = window
        self._shared = shared
        self.resize = labels.resize
        self.push = labels.push
        self._value: bool | None = False

    def evaluate(self) -> bool | None:
        """Whether every observation meets a labelled cut."""
        if self._window.is_empty:
            self._value = False
        elif (lattice := self._shared.current()) is None:
            self._value = None
        else:
            self._value = not lattice.avoids(self._labels.label(lattice))
        return self._value

    def details(self, *, observations: bool) -> Details:
        """The number of cuts; of a false answer, if asked for, an observation that avoids the predicate."""
        if self._window.is_empty:
            return Details(cuts=0)
        lattice = self._shared.current()
        if lattice is None:
            return Details()
        witness = None
        if observations and self._value is False:
            # Another detector may have marked its own cuts since.
            lattice.avoids(self._labels.label(lattice))
            witness = tuple(lattice.avoiding_observation())
        return Details(self._shared.cuts, witness)
