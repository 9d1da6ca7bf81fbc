"""Detectors on the bit lattice: of `possibly` and `definitely` of any predicate, and what other questions build on.

A predicate is answered on the part of the window that it reads (`Part`): by a certificate if there is one, else by a
pass over the part's lattice. `Labels` say at which cuts it holds.
"""

from __future__ import annotations

from itertools import repeat
from typing import Any, Protocol

import numpy as np

from latwin.detect.detector import Context, Details, InRuns, Part, flags_of
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels import answers, asking, reachability
from latwin.lattice.kernels import labels as kernel
from latwin.lattice.kernels import part as part_kernel
from latwin.lattice.kernels.arrays import Int64s, Words
from latwin.lattice.kernels.avoiding import raise_to
from latwin.lattice.kernels.window import GREATEST, LEAST
from latwin.lattice.window import Window
from latwin.model import Cut
from latwin.properties import compile_condition
from latwin.properties.plan import Plan
from latwin.properties.shape import PairAtom
from latwin.properties.tree import Expr


class Labels(Protocol):
    """A way to say which cuts satisfy a predicate, and to answer on the part of a window that is not empty.

    Answers are None where the lattice is too large.
    """

    def label(self, lattice: BitLattice) -> Words:
        """One word of labels per leaf."""

    def is_avoided(self, lattice: BitLattice) -> bool:
        """Whether some observation meets no labelled cut; marks the cuts that are reached without meeting one."""

    def possibly(self, part: Part) -> bool | None:
        """Whether some cut satisfies the predicate."""

    def definitely(self, part: Part) -> bool | None:
        """Whether every observation meets a cut that does."""

    def is_final(self, part: Part) -> bool | None:
        """Of a true `definitely`: whether it is final."""

    def found_cut(self, part: Part) -> Int64s:
        """Of a true `possibly` on a lattice that is too large: the part's cut that showed it, as state numbers."""

    def avoiding_walk(self, part: Part) -> Int64s | None:
        """Of a false `definitely` on a lattice that is too large: the way that showed it, as state numbers."""

    def rows(self) -> tuple[int, int] | None:
        """The rows of the program that `kernels.slides` can run, if there is one."""


class CutByCutLabels:
    """Labels from the interpreter: the predicate is evaluated on every cut's states."""

    def __init__(self, context: Context, plan: Plan) -> None:
        self._context = context
        self._predicate = compile_condition(plan.predicate)

    def label(self, lattice: BitLattice) -> Words:
        """One word of labels per leaf."""
        context = self._context
        places = (lattice.cut_numbers() & (context.window.capacity - 1)).T.tolist()
        columns: list[Any] = [repeat(None)] * context.window.processes
        for process, at in zip(lattice.members.tolist(), places, strict=True):
            columns[process] = map(context.atoms.states[process].__getitem__, at)
        flags = np.fromiter(map(self._predicate, zip(*columns, strict=False)), np.uint8)
        return lattice.labels_from_flags(flags)

    def is_avoided(self, lattice: BitLattice) -> bool:
        """Whether some observation meets no labelled cut."""
        return lattice.avoids(self.label(lattice))

    def holds_at(self, row: int) -> bool:
        """Whether the predicate holds at the least or the greatest cut."""
        return self._context.holds_at(self._predicate, row)

    def possibly(self, part: Part) -> bool | None:
        """Whether some cut satisfies the predicate."""
        if self.holds_at(LEAST) or self.holds_at(GREATEST):
            return True
        return possibly_on_lattice(self, part)

    def definitely(self, part: Part) -> bool | None:
        """Whether every observation meets a cut that does."""
        if self.holds_at(LEAST) or self.holds_at(GREATEST):
            return True
        return definitely_on_lattice(self, part)

    def is_final(self, part: Part) -> bool | None:
        """Of a true `definitely`: whether it is final."""
        return True if self.holds_at(LEAST) else is_final_on_lattice(self, part)

    def found_cut(self, part: Part) -> Int64s:
        """Of a true `possibly` on a lattice that is too large: the part's cut that showed it, as state numbers."""
        numbers: Int64s = self._context.window.ends[LEAST if self.holds_at(LEAST) else GREATEST, part.members]
        return numbers

    def avoiding_walk(self, part: Part) -> None:
        """None: only the lattice shows that a `definitely` is false."""
        del part

    def rows(self) -> None:
        """None: only the interpreter can evaluate it."""
        return


class ProgramLabels:
    """Labels from the compiled program of atoms (see `kernels.labels`), 64 cuts at a time.

    A value that cannot be added exactly, such as a large integer, sends the slides that see it to the interpreter.
    """

    def __init__(self, context: Context, plan: Plan) -> None:
        self._context = context
        self._rows = context.atoms.add_program(plan.program)
        self._exact = CutByCutLabels(context, plan)

    def label(self, lattice: BitLattice) -> Words:
        """One word of labels per leaf."""
        atoms = self._context.atoms
        if atoms.sees_inexact():
            return self._exact.label(lattice)
        first, end = self._rows
        kernel.label_leaves(lattice.arrays, atoms.arrays, first, end, lattice.labels)
        return lattice.labels

    def is_avoided(self, lattice: BitLattice) -> bool:
        """Whether some observation meets no labelled cut; labelled and asked in one call of a kernel."""
        atoms = self._context.atoms
        if atoms.sees_inexact():
            return self._exact.is_avoided(lattice)
        first, end = self._rows
        return bool(reachability.avoids_program(lattice.arrays, atoms.arrays, first, end, lattice.marks))

    def possibly(self, part: Part) -> bool | None:
        """Whether some cut satisfies the predicate."""
        if self._context.atoms.sees_inexact():
            return self._exact.possibly(part)
        outcome = self._find(part, np.empty(len(part.members), np.int64))
        if outcome == asking.BEYOND:
            return possibly_on_lattice(self, part)
        return None if outcome == asking.TOO_LARGE else outcome & asking.HOLDS != 0

    def found_cut(self, part: Part) -> Int64s:
        """Of a true `possibly` on a lattice that is too large: the part's cut that showed it, as state numbers."""
        if self._context.atoms.sees_inexact():
            return self._exact.found_cut(part)
        positions = np.empty(len(part.members), np.int64)
        self._find(part, positions)
        numbers: Int64s = positions + self._context.window.ends[LEAST, part.members]
        return numbers

    def _find(self, part: Part, found: Int64s) -> int:
        window, atoms, most = self._context.window, self._context.atoms, self._context.max_cuts
        return int(
            asking.ask_program(
                window.clocks, window.ends, atoms.arrays, part.members, *self._rows, False, False, most, found
            )
        )

    def definitely(self, part: Part) -> bool | None:
        """Whether every observation meets a cut that does."""
        if self._context.atoms.sees_inexact():
            return self._exact.definitely(part)
        outcome = self._judge(part, wants_final=False)
        if outcome == asking.BEYOND:
            return definitely_on_lattice(self, part)
        return None if outcome == asking.TOO_LARGE else outcome & asking.HOLDS != 0

    def is_final(self, part: Part) -> bool | None:
        """Of a true `definitely`: whether it is final."""
        if self._context.atoms.sees_inexact():
            return self._exact.is_final(part)
        outcome = self._judge(part, wants_final=True)
        if outcome == asking.BEYOND:
            return is_final_on_lattice(self, part)
        return None if outcome == asking.TOO_LARGE else outcome & asking.FINAL != 0

    def _judge(self, part: Part, *, wants_final: bool) -> int:
        window, atoms, most = self._context.window, self._context.atoms, self._context.max_cuts
        room = np.empty(len(part.members), np.int64)
        return int(
            asking.ask_program(
                window.clocks, window.ends, atoms.arrays, part.members, *self._rows, True, wants_final, most, room
            )
        )

    def avoiding_walk(self, part: Part) -> Int64s | None:
        """Of a false `definitely` on a lattice that is too large: the way that showed it, as state numbers."""
        window, atoms = self._context.window, self._context.atoms
        if atoms.sees_inexact():
            return None
        positions: Int64s = asking.find_avoiding(
            window.clocks, window.ends, atoms.arrays, part.members, *self._rows, self._context.max_cuts
        )
        return positions + window.ends[LEAST, part.members] if len(positions) else None

    def rows(self) -> tuple[int, int]:
        """Where the program stands in the table of atoms."""
        return self._rows


def possibly_on_lattice(labels: Labels, part: Part) -> bool | None:
    """`possibly` by a pass over the part's lattice."""
    lattice = part.current_lattice()
    return None if lattice is None else lattice.has_labelled(labels.label(lattice))


def definitely_on_lattice(labels: Labels, part: Part) -> bool | None:
    """`definitely` by a pass over the part's lattice."""
    lattice = part.current_lattice()
    return None if lattice is None else not labels.is_avoided(lattice)


def is_final_on_lattice(labels: Labels, part: Part) -> bool | None:
    """Whether a true `definitely` is final, by a pass over the part's lattice."""
    lattice = part.current_lattice()
    if lattice is None:
        return None
    labels.is_avoided(lattice)  # marks what is reached
    return lattice.is_final()


def make_labels(context: Context, plan: Plan) -> Labels:
    """The labels that a plan asks for."""
    return ProgramLabels(context, plan) if is_in_words(context, plan) else CutByCutLabels(context, plan)


def is_in_words(context: Context, plan: Plan) -> bool:
    """Whether the plan's program is to label 64 cuts at a time."""
    keeps_pairs = context.keeps_pairs or not any(isinstance(step, PairAtom) for step in plan.program)
    return plan.engine == "bit lattice" and keeps_pairs


class _OnPart:
    """A labelled predicate, and the part of the window that it reads."""

    def __init__(self, context: Context, labels: Labels, predicate: Expr) -> None:
        self._context = context
        self._labels = labels
        self._part = context.part(predicate.processes)
        #: the processes that the predicate reads
        self.reads = flags_of(self._part.members.tolist(), context.window.processes)
        self._predicate = compile_condition(predicate)
        self._value: bool | None = False

    def _in_runs(self, *, is_definitely: bool) -> tuple[InRuns, ...] | None:
        rows = self._labels.rows()
        if rows is None:
            return None
        data = (*rows, self._context.max_cuts, int(is_definitely))
        return (InRuns(answers.ask_condition, tuple(self._part.members.tolist()), data),)


class PossiblyOnLattice(_OnPart):
    """`possibly` of a labelled predicate: some cut has a label."""

    def evaluate(self) -> bool | None:
        """Whether some cut satisfies the predicate."""
        self._value = False if self._context.window.is_empty else self._labels.possibly(self._part)
        return self._value

    def is_final(self) -> bool | None:
        """Of a true answer, always: the cut that satisfies it stays a cut."""
        return self._value

    def details(self, *, observations: bool) -> Details:
        """The number of cuts, and the lexicographically first satisfying one.

        On a lattice that is too large, the witness is the first cut whose part is the one that was found.
        """
        del observations
        window, part = self._context.window, self._part
        if window.is_empty:
            return Details(cuts=0)
        if self._value is None:
            return Details()
        cuts = self._context.count_cuts(part)
        if not self._value:
            return Details(cuts)
        lattice = part.current_lattice()
        if lattice is not None:
            labels = self._labels.label(lattice)
            is_whole = part.is_whole
            return Details(cuts, lattice.first_labelled(labels) if is_whole else _lift_first(window, lattice, labels))
        cut = window.ends[LEAST].copy()
        for process, state in zip(part.members.tolist(), self._labels.found_cut(part).tolist(), strict=True):
            raise_to(window.clocks, window.ends, process, state, cut)
        return Details(cuts, window.to_indices(cut))

    def in_runs(self) -> tuple[InRuns, ...] | None:
        """As `kernels.slides` asks it, if a program labels it."""
        return self._in_runs(is_definitely=False)


class DefinitelyOnLattice(_OnPart):
    """`definitely` of a labelled predicate: no observation avoids the labels."""

    def evaluate(self) -> bool | None:
        """Whether every observation meets a labelled cut."""
        self._value = False if self._context.window.is_empty else self._labels.definitely(self._part)
        return self._value

    def is_final(self) -> bool | None:
        """Of a true answer: whether every observation meets the predicate before it comes to an open end."""
        return self._labels.is_final(self._part) if self._value else self._value

    def details(self, *, observations: bool) -> Details:
        """The number of cuts; why it is true, or, if asked for, an observation that avoids the predicate."""
        context, part = self._context, self._part
        if context.window.is_empty:
            return Details(cuts=0)
        if self._value is None:
            return Details()
        cuts = context.count_cuts(part)
        if self._value:
            return Details(cuts, because=context.why_definitely(self._predicate))
        return Details(cuts, self._avoiding_observation() if observations else None)

    def _avoiding_observation(self) -> tuple[Cut, ...] | None:
        """An observation of all processes that avoids the predicate."""
        window, part = self._context.window, self._part
        lattice = part.current_lattice()
        if lattice is None:
            steps = self._labels.avoiding_walk(part)
        else:
            self._labels.is_avoided(lattice)
            steps = lattice.avoiding_path()
        return None if steps is None else _lift_path(window, part, steps)

    def in_runs(self) -> tuple[InRuns, ...] | None:
        """As `kernels.slides` asks it, if a program labels it."""
        return self._in_runs(is_definitely=True)


def _lift_first(window: Window, lattice: BitLattice, labels: Words) -> Cut:
    """The lexicographically first cut of all processes whose part is labelled; there must be one."""
    cut = np.empty(window.processes, np.int64)
    words = lattice.leaves[: lattice.leaf_count] & labels[: lattice.leaf_count]
    part_kernel.lift_first(window.clocks, window.ends, lattice.arrays, words, cut)
    return window.to_indices(cut)


def _lift_path(window: Window, part: Part, steps: Int64s) -> tuple[Cut, ...]:
    """The observation of all processes whose part follows `steps`, state numbers of the part's processes."""
    ends, path = window.ends, steps
    if not part.is_whole:
        path = np.empty((int((ends[GREATEST] - ends[LEAST]).sum()) + 1, window.processes), np.int64)
        count = int(part_kernel.lift_path(window.clocks, ends, part.members, steps, path))
        assert count == len(path), "every way of a part is that of an observation"
    return tuple(window.to_indices(cut) for cut in path)


class OnLattice:
    """What the other kinds of questions share.

    What can be said without a pass is said (`_foresee`), else the lattice answers. On an empty window the answer is
    false, on a lattice that is too large None.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._part = context.whole
        #: the last answer
        self._value: bool | None = False

    def evaluate(self) -> bool | None:
        """The answer on the window as it is now."""
        self._value = False
        if not self._context.window.is_empty:
            self._value = self._foresee()
            if self._value is None:
                self._value = self._pass()
        return self._value

    def _pass(self) -> bool | None:
        """The answer of the lattice."""
        lattice = self._part.current_lattice()
        return None if lattice is None else self._answer(lattice)

    def details(self, *, observations: bool) -> Details:
        """The number of cuts, and what the kind of question adds."""
        del observations
        if self._context.window.is_empty:
            return Details(cuts=0)
        return Details() if self._value is None else Details(self._context.count_cuts(self._part))

    def is_final(self) -> bool | None:
        """None: nothing is known of what states to come do to it."""
        return None

    def in_runs(self) -> tuple[InRuns, ...] | None:
        """None: only Python can answer."""
        return None

    def _foresee(self) -> bool | None:
        """The answer on a window that is not empty, if no pass is needed for it, else None."""
        raise NotImplementedError

    def _answer(self, lattice: BitLattice) -> bool | None:
        raise NotImplementedError
