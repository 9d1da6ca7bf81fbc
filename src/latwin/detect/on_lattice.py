"""Detectors on the bit lattice: the cuts are labelled, then asked.

`possibly` and `definitely` of any predicate are here; the other kinds of questions build on `OnLattice`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from latwin.detect.detector import Context, Details, flags_of, why_definitely
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels import labels as kernel
from latwin.lattice.kernels import slides
from latwin.lattice.kernels.arrays import Words
from latwin.lattice.kernels.window import GREATEST, LEAST
from latwin.properties import compile_condition
from latwin.properties.plan import Plan, plan_labels
from latwin.properties.shape import PairAtom
from latwin.properties.tree import Expr


class Labels(Protocol):
    """A way to say which cuts satisfy a predicate."""

    def label(self, lattice: BitLattice) -> Words:
        """One word of labels per leaf."""

    def is_avoided(self, lattice: BitLattice) -> bool:
        """Whether some observation meets no labelled cut."""

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
        columns = [map(states.__getitem__, at) for states, at in zip(context.atoms.states, places, strict=True)]
        flags = np.fromiter(map(self._predicate, zip(*columns, strict=True)), np.uint8)
        return lattice.labels_from_flags(flags)

    def is_avoided(self, lattice: BitLattice) -> bool:
        """Whether some observation meets no labelled cut."""
        return lattice.avoids(self.label(lattice))

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
        return bool(slides.avoids_program(lattice.arrays, atoms.arrays, first, end, lattice.marks))

    def rows(self) -> tuple[int, int]:
        """Where the program stands in the table of atoms."""
        return self._rows


def make_labels(context: Context, plan: Plan) -> Labels:
    """The labels that a plan asks for."""
    return ProgramLabels(context, plan) if is_in_words(context, plan) else CutByCutLabels(context, plan)


def is_in_words(context: Context, plan: Plan) -> bool:
    """Whether the plan's program is to label 64 cuts at a time."""
    keeps_pairs = context.keeps_pairs or not any(isinstance(step, PairAtom) for step in plan.program)
    return plan.engine == "bit lattice" and keeps_pairs


class PossiblyOnLattice:
    """`possibly` of a labelled predicate: some cut has a label."""

    def __init__(self, context: Context, labels: Labels) -> None:
        self._context = context
        self._labels = labels
        self._details = Details()

    def evaluate(self) -> bool | None:
        """Whether some cut satisfies the predicate."""
        self._details = Details(cuts=0)
        if self._context.window.is_empty:
            return False
        lattice = self._context.current_lattice()
        if lattice is None:
            self._details = Details()
            return None
        found = lattice.first_labelled(self._labels.label(lattice))
        self._details = Details(lattice.cuts, found)
        return found is not None

    def is_final(self) -> bool | None:
        """Of a true answer, always: the cut that satisfies it stays a cut."""
        return None if self._details.cuts is None else self._details.witness is not None

    def details(self, *, observations: bool) -> Details:
        """The number of cuts, and the lexicographically least satisfying one."""
        del observations
        return self._details

    def modality(self) -> tuple[int, int, int] | None:
        """Its row for `kernels.slides`, if a program labels it."""
        rows = self._labels.rows()
        return None if rows is None else (slides.POSSIBLY_PROGRAM, *rows)


class DefinitelyOnLattice:
    """`definitely` of a labelled predicate: no observation avoids the labels."""

    def __init__(self, context: Context, labels: Labels, predicate: Expr) -> None:
        self._context = context
        self._labels = labels
        #: the processes that the predicate reads
        self.reads = flags_of(predicate.processes, context.window.processes)
        self._predicate = compile_condition(predicate)
        self._value: bool | None = False

    def evaluate(self) -> bool | None:
        """Whether every observation meets a labelled cut."""
        if self._context.window.is_empty:
            self._value = False
        elif (lattice := self._context.current_lattice()) is None:
            self._value = None
        else:
            self._value = not self._is_avoided(lattice)
        return self._value

    def _is_avoided(self, lattice: BitLattice) -> bool:
        """Mark the cuts that are reached while the predicate is false; whether the greatest is one of them."""
        self._context.marked_by = self
        return self._labels.is_avoided(lattice)

    def is_final(self) -> bool | None:
        """Of a true answer: whether every observation meets the predicate before it comes to an open end."""
        if not self._value:
            return self._value
        lattice = self._context.current_lattice()
        assert lattice is not None
        if self._context.marked_by is not self:  # another detector has marked its own cuts since
            self._is_avoided(lattice)
        return lattice.is_final(self.reads)

    def details(self, *, observations: bool) -> Details:
        """The number of cuts; why it is true, or, if asked for, an observation that avoids the predicate."""
        if self._context.window.is_empty:
            return Details(cuts=0)
        lattice = self._context.current_lattice()
        if lattice is None:
            return Details()
        if self._value:
            at_least, at_greatest = self._holds_at(LEAST), self._holds_at(GREATEST)
            return Details(lattice.cuts, because=why_definitely(at_least=at_least, at_greatest=at_greatest))
        witness = None
        if observations:
            self._is_avoided(lattice)  # another detector may have marked its own cuts since
            witness = tuple(lattice.avoiding_observation())
        return Details(lattice.cuts, witness)

    def _holds_at(self, row: int) -> bool:
        """Whether the predicate holds at the least or the greatest cut."""
        window, states = self._context.window, self._context.atoms.states
        cut = (window.ends[row] & (window.capacity - 1)).tolist()
        return self._predicate([ring[place] for ring, place in zip(states, cut, strict=True)])

    def modality(self) -> tuple[int, int, int] | None:
        """Its row for `kernels.slides`, if a program labels it."""
        rows = self._labels.rows()
        return None if rows is None else (slides.DEFINITELY_PROGRAM, *rows)


class OnLattice:
    """What the other kinds of questions share.

    Conditions are labelled; on an empty window the answer is false, on a lattice that is too large None.
    """

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

    def is_final(self) -> None:
        """None: nothing is known of what states to come do to it."""
        return

    def modality(self) -> None:
        """None: runs of states are not answered in one call."""
        return

    def _words(self, lattice: BitLattice, condition: Expr) -> Words:
        """The cuts at which a condition holds; an array of its own."""
        labels = self._labels[condition].label(lattice)
        return labels[: lattice.leaf_count] & lattice.leaves[: lattice.leaf_count]

    def _answer(self, lattice: BitLattice) -> bool | None:
        raise NotImplementedError
