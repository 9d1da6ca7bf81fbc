"""The atoms of all properties: evaluated once when a state enters the window, kept in rings beside it.

Engines never look at a state's variables. They read flags (a local condition, a conjunction's part, a pair
of states) and numbers (a term of a sum), laid out as the kernels want them.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from latwin.events.columns import SharedStates
from latwin.lattice.kernels import labels as kernel
from latwin.lattice.kernels import sums
from latwin.lattice.kernels.arrays import Flags, Floats, Int64s, plain
from latwin.lattice.window import Window
from latwin.properties import Expr, compile_condition, compile_local, compile_local_column, compile_local_condition
from latwin.properties.closures import Column, Condition, as_number, can_be_added
from latwin.properties.one_sum import OneSum
from latwin.properties.shape import Conjunction, LocalAtom, PairAtom, Step
from latwin.properties.sums import SumAtom

_OPERATIONS = {"not": kernel.NOT, "and": kernel.AND, "or": kernel.OR, "true": kernel.TRUE}
#: the kernels' number of each comparison
COMPARISONS = {
    "==": kernel.EQUAL,
    "!=": kernel.NOT_EQUAL,
    "<": kernel.LESS,
    "<=": kernel.LESS_EQUAL,
    ">": kernel.GREATER,
    ">=": kernel.GREATER_EQUAL,
}
#: and of what is asked of a sum of integers
_ASKED = {">=": sums.AT_LEAST, "<=": sums.AT_MOST, "==": sums.EQUAL, "!=": sums.NOT_EQUAL}

_BOOLEANS = {bool}
#: Of more values that states may have, times processes, they are evaluated where they come.
_MOST_KNOWN = 256

A = TypeVar("A")


class Columns(NamedTuple):
    """What a run of states brings, one row per state; see `kernels.slides`."""

    holds: Flags
    locals: Flags
    sums: Floats
    pair_begins: Int64s
    pairs: Flags

    def ordered(self, rows: Int64s) -> Columns:
        """The same states in another order; there must be no pairs, as these depend on it."""
        assert not len(self.pairs)
        return self._replace(holds=self.holds[rows], locals=self.locals[rows], sums=self.sums[rows])


#: flags and numbers, the first three of `Columns`
Values = tuple[Flags, Flags, Floats]


class AtomTable:
    """All conjunctions, programs and atoms of a window's properties, and their rings.

    Atoms are added first (`add_conjunction`, `add_program`); `compile` then fixes the table. Equal atoms of
    different properties are kept once.
    """

    def __init__(self, window: Window, states: Sequence[Sequence[Any]]) -> None:
        self.window = window
        #: per process the ring of states that the monitor keeps; pairs need the other process's
        self.states = states
        self._conjunctions: list[Conjunction] = []
        self._steps: list[tuple[int, int]] = []
        self._locals: list[LocalAtom] = []
        self._pairs: list[PairAtom] = []
        self._sums: list[SumAtom] = []
        self._questions: list[tuple[tuple[int, ...], list[int]]] = []
        self._inexact: set[tuple[int, int]] = set()

    def add_conjunction(self, conditions: Conjunction) -> int:
        """The number of the conjunction, whose flags will be `holds[number]`."""
        return _number(self._conjunctions, conditions)

    def add_pair(self, pair: PairAtom) -> int:
        """The number of the pair, whose flags will be `pair_flags[number]`."""
        return _number(self._pairs, pair)

    def add_program(self, program: Sequence[Step]) -> tuple[int, int]:
        """The rows of `program` that will hold it: the first, and the one after the last."""
        first = len(self._steps)
        for step in program:
            if isinstance(step, str):
                self._steps.append((_OPERATIONS[step], 0))
            elif isinstance(step, LocalAtom):
                self._steps.append((kernel.LOCAL, _number(self._locals, step)))
            elif isinstance(step, PairAtom):
                self._steps.append((kernel.PAIR, self.add_pair(step)))
            else:
                self._steps.append((kernel.SUM, _number(self._sums, step)))
        return first, len(self._steps)

    def add_question(self, one: OneSum, rows: tuple[int, int]) -> int:
        """The number of a question about a sum, in `questions`; `rows` hold its program."""
        number, conditions = _number(self._sums, one.atom), self.add_conjunction(one.conditions)
        members = one.processes
        row = number, conditions, _ASKED[one.comparison], one.bound, int(one.null_holds), len(members), *rows
        self._questions.append((row, members))
        return len(self._questions) - 1

    def compile(self) -> None:
        """Fix the table: sort the atoms' functions by the process they read, and make the rings."""
        processes = self.window.processes
        self.program = np.array(self._steps, np.int64).reshape(-1, 2)
        self.local_process = np.array([atom.process for atom in self._locals], np.int64)
        self.pair_process = np.array([(a.first, a.second) for a in self._pairs], np.int64).reshape(-1, 2)
        self.sum_compare = np.array([COMPARISONS[atom.op] for atom in self._sums], np.int64)
        self.sum_bound = np.array([atom.bound for atom in self._sums], np.float64)
        self._held: list[list[tuple[int, Condition, Column]]] = [[] for _ in range(processes)]
        self._local: list[list[tuple[int, Condition, Column]]] = [[] for _ in range(processes)]
        #: terms of sums: the sums that have it, the largest integer they can add exactly, and its value
        self._terms: list[list[tuple[list[int], int, Callable[[Any], Any]]]] = [[] for _ in range(processes)]
        #: variables that are compared with a sum
        self._alone: list[list[Callable[[Any], Any]]] = [[] for _ in range(processes)]
        compiled: dict[tuple[int, Expr], tuple[Condition, Column]] = {}

        def condition_of(process: int, expr: Expr) -> tuple[Condition, Column]:
            key = process, expr
            if key not in compiled:
                compiled[key] = compile_local_condition(expr, process), compile_local_column(expr, process)
            return compiled[key]

        for number, conditions in enumerate(self._conjunctions):
            for process, expr in conditions.items():
                self._held[process].append((number, *condition_of(process, expr)))
        for number, local in enumerate(self._locals):
            self._local[local.process].append((number, *condition_of(local.process, local.condition)))
        sums_with: defaultdict[tuple[int, int, Expr], list[int]] = defaultdict(list)
        for number, total in enumerate(self._sums):
            for process, term in total.terms:
                sums_with[process, total.largest_exact, term].append(number)
            if total.alone is not None:
                process = total.alone.process
                self._alone[process].append(compile_local(total.alone, process))
        for (process, largest, term), numbers in sums_with.items():
            self._terms[process].append((numbers, largest, compile_local(term, process)))
        rows = [row for row, _ in self._questions]
        everyone = [[*members, *[-1] * (processes - len(members))] for _, members in self._questions]
        #: the questions about sums
        self.questions = sums.SumQuestions(
            rows=np.array(rows, np.int64).reshape(-1, sums.COLUMNS),
            members=np.array(everyone, np.int64).reshape(-1, processes),
            witness=np.full((len(rows), processes), -1, np.int64),
        )
        self.plain_questions = plain(self.questions)
        self._pair_conditions = [compile_condition(pair.condition) for pair in self._pairs]
        #: the pairs that each process is in, by their numbers
        self._pairs_of: list[list[int]] = [[] for _ in range(processes)]
        for number, pair in enumerate(self._pairs):
            self._pairs_of[pair.first].append(number)
            self._pairs_of[pair.second].append(number)
        self.resize()

    def resize(self) -> None:
        """Make room for the window's capacity; all states in it must be told again afterwards."""
        processes, capacity = self.window.processes, self.window.capacity
        # A process without a part in a conjunction always holds.
        self.holds = np.ones((len(self._conjunctions), processes, capacity), np.uint8)
        self.local_flags = np.zeros((len(self._locals), capacity), np.uint8)
        self.pair_flags = np.zeros((len(self._pairs), capacity, capacity), np.uint8)
        self.sum_terms = np.zeros((len(self._sums), processes, capacity), np.float64)
        self._inexact.clear()
        #: as kernels take them
        self.arrays = plain(
            kernel.Atoms(
                holds=self.holds,
                program=self.program,
                local_process=self.local_process,
                local_flags=self.local_flags,
                pair_process=self.pair_process,
                pair_flags=self.pair_flags,
                sum_terms=self.sum_terms,
                sum_compare=self.sum_compare,
                sum_bound=self.sum_bound,
            )
        )

    def forget(self) -> None:
        """Forget the states that were told; all in the window must be told again afterwards."""
        self._inexact.clear()
        self.forget_witnesses()

    def forget_witnesses(self) -> None:
        """Forget the cuts that were found, as states got other numbers."""
        self.questions.witness[:] = -1

    def push(self, process: int, place: int, state: Any) -> None:
        """Evaluate the atoms that read this process on a state that enters the window."""
        for number, condition, _ in self._held[process]:
            self.holds[number, process, place] = condition(state)
        for number, condition, _ in self._local[process]:
            self.local_flags[number, place] = condition(state)
        if self._inexact:
            self._inexact.discard((process, place))
        for numbers, largest, term in self._terms[process]:
            value = as_number(term(state))
            if isinstance(value, int) and not -largest <= value <= largest:
                self._inexact.add((process, place))
                continue
            for number in numbers:
                self.sum_terms[number, process, place] = np.nan if value is None else value
        if not all(can_be_added(value_of(state)) for value_of in self._alone[process]):
            self._inexact.add((process, place))
        for number in self._pairs_of[process]:
            self._push_pair(number, self._pairs[number], process, place)

    def push_all(self, process: int, places: list[int], states: Sequence[Any]) -> None:
        """The same for all states in the window of a process, which none of the others needs to know."""
        if self._terms[process] or self._alone[process] or self._pairs_of[process]:
            for place, state in zip(places, states, strict=True):
                self.push(process, place, state)
            return
        for number, _, column in self._held[process]:
            self.holds[number, process, places] = column(states)
        for number, _, column in self._local[process]:
            self.local_flags[number, places] = column(states)

    def _push_pair(self, number: int, pair: PairAtom, process: int, place: int) -> None:
        """Judge the new state together with every state of the pair's other process."""
        window, condition = self.window, self._pair_conditions[number]
        other = pair.second if process == pair.first else pair.first
        values: list[Any] = [None] * window.processes
        values[process] = self.states[process][place]
        for state in window.states_of(other):
            there = window.place(state)
            values[other] = self.states[other][there]
            at = (place, there) if process == pair.first else (there, place)
            self.pair_flags[(number, *at)] = condition(values)

    @property
    def has_pairs(self) -> bool:
        """Whether some are about two states at a time."""
        return bool(self._pairs)

    @property
    def takes_columns(self) -> bool:
        """Whether runs of states can be handed to the kernels: there are no inexact terms about.

        Nor pairs next to windows of time: which states will be in those is not known before.
        """
        return not self._inexact and not (self._pairs and self.window.is_timed)

    def columns(
        self,
        processes: Int64s,
        states: Sequence[Any],
        shared: SharedStates | None = None,
        codes: Int64s | None = None,
    ) -> Columns | None:
        """The atoms' values for a run of states; None if one of them cannot be added exactly.

        If the states are some of `shared`, by their codes, then each of those is evaluated once for all runs.
        """
        known = None if shared is None else self._known(shared)
        if shared is None or codes is None or known is None:
            values = self.values(processes, states)
        else:
            rows = processes * len(shared.states) + codes
            values = known[0][rows], known[1][rows], known[2][rows]
        return None if values is None else Columns(*values, *self._pair_columns(processes, states))

    def _known(self, shared: SharedStates) -> Values | None:
        """The atoms' values for each process and each of the states; None if they are too many, or inexact."""
        if shared.found is None or shared.found[0] is not self:
            count, values = len(shared.states), None
            if count * shared.processes <= _MOST_KNOWN:
                processes = np.repeat(np.arange(shared.processes), count)
                values = self.values(processes, shared.states * shared.processes)
            shared.found = self, values
        known: Values | None = shared.found[1]
        return known

    def values(self, processes: Int64s, states: Sequence[Any]) -> Values | None:
        """The first three of `Columns`; None if a number among them cannot be added exactly."""
        count = len(states)
        holds = np.ones((count, len(self._conjunctions)), np.uint8)
        local = np.zeros((count, len(self._locals)), np.uint8)
        sums = np.zeros((count, len(self._sums)), np.float64)
        rows_of: defaultdict[int, list[int]] = defaultdict(list)
        for row, process in enumerate(processes.tolist()):
            rows_of[process].append(row)
        for process, rows in rows_of.items():
            own = [states[row] for row in rows]
            for number, _, column in self._held[process]:
                holds[rows, number] = column(own)
            for number, _, column in self._local[process]:
                local[rows, number] = column(own)
            for numbers, largest, term in self._terms[process]:
                values = list(map(term, own))
                if {*map(type, values)} != _BOOLEANS:
                    values = list(map(as_number, values))
                    if any(isinstance(value, int) and not -largest <= value <= largest for value in values):
                        return None
                    values = [np.nan if value is None else value for value in values]
                for number in numbers:
                    sums[rows, number] = values
            if not all(can_be_added(value_of(state)) for value_of in self._alone[process] for state in own):
                return None
        return holds, local, sums

    def _pair_columns(self, processes: Int64s, states: Sequence[Any]) -> tuple[Int64s, Flags]:
        """Where the pairs' values for each state of a run begin, and these; see `kernels.slides.Incoming`."""
        begins = np.zeros(len(states) + 1, np.int64)
        if not self._pairs:
            return begins, np.zeros(0, np.uint8)
        window = self.window
        values: list[Any] = [None] * window.processes
        held = [
            deque([ring[window.place(number)] for number in window.states_of(k)], size)
            for k, (ring, size) in enumerate(zip(self.states, window.sizes, strict=True))
        ]
        flags = bytearray()
        for row, (process, state) in enumerate(zip(processes.tolist(), states, strict=True)):
            values[process] = state
            for number in self._pairs_of[process]:
                pair, condition = self._pairs[number], self._pair_conditions[number]
                other = pair.second if process == pair.first else pair.first
                for there in held[other]:
                    values[other] = there
                    flags.append(condition(values))
            held[process].append(state)
            begins[row + 1] = len(flags)
        return begins, np.frombuffer(flags, np.uint8)

    def sees_inexact(self) -> bool:
        """Whether a state in the window has a value that cannot be added exactly; forgets those that left."""
        if not self._inexact:
            return False
        window = self.window
        self._inexact &= {(k, window.place(s)) for k in range(window.processes) for s in window.states_of(k)}
        return bool(self._inexact)


def _number(known: list[A], atom: A) -> int:
    """Where an atom stands in the list of known ones, added at the end if it is new."""
    if atom not in known:
        known.append(atom)
    return known.index(atom)
