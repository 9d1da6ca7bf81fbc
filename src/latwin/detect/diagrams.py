"""`possibly` and `definitely` where the lattice has more cuts than may be enumerated: by decision diagrams.

A detector on the lattice is asked first. Only if that is too large, the same question is asked of
`lattice.diagrams`, so both give the same answers, with the same witnesses. Conditions that are no program of
atoms stay too large, and so do conditions on states with numbers that cannot be added exactly.
"""

from __future__ import annotations

from latwin.detect.detector import Context, Details, Detector, why_definitely
from latwin.detect.on_lattice import DefinitelyOnLattice, PossiblyOnLattice
from latwin.errors import LatticeTooLarge
from latwin.lattice.diagrams import Avoided, Found, Program
from latwin.lattice.kernels.labels import Atoms


class PossiblyBeyond:
    """`possibly` of a program of atoms, on lattices of any size that diagrams can describe."""

    def __init__(self, context: Context, on_lattice: PossiblyOnLattice, rows: tuple[int, int]) -> None:
        self._context = context
        self._on_lattice = on_lattice
        self._rows = rows
        #: what the diagrams said, if they were asked and could tell
        self._found: Found | None = None

    def evaluate(self) -> bool | None:
        """Whether some cut satisfies the condition."""
        self._found = None
        value = self._on_lattice.evaluate()
        if value is not None or (condition := _program(self._context, self._rows)) is None:
            return value
        try:
            self._found = self._context.diagrams.find(condition)
        except LatticeTooLarge:
            return None
        return self._found.cut is not None

    def is_final(self) -> bool | None:
        """Of a true answer, always."""
        return self._on_lattice.is_final() if self._found is None else self._found.cut is not None

    def details(self, *, observations: bool) -> Details:
        """The number of cuts, and the lexicographically least satisfying one."""
        if self._found is None:
            return self._on_lattice.details(observations=observations)
        return Details(*self._found)

    def modality(self) -> tuple[int, int, int] | None:
        """Runs of states are answered on the lattice, and stop where that is too large."""
        return self._on_lattice.modality()


class DefinitelyBeyond:
    """`definitely` of a program of atoms, on lattices of any size that diagrams can describe."""

    def __init__(self, context: Context, on_lattice: DefinitelyOnLattice, rows: tuple[int, int]) -> None:
        self._context = context
        self._on_lattice = on_lattice
        self._rows = rows
        #: the processes that the condition reads
        self.reads = on_lattice.reads
        #: what the diagrams said, if they were asked and could tell
        self._avoided: Avoided | None = None

    def evaluate(self) -> bool | None:
        """Whether every observation meets the condition."""
        value = self._on_lattice.evaluate()
        self._avoided = self._ask() if value is None else None
        return value if self._avoided is None else not self._avoided.is_avoided

    def _ask(self, *, observation: bool = False) -> Avoided | None:
        condition = _program(self._context, self._rows)
        if condition is None:
            return None
        try:
            return self._context.diagrams.avoid(condition, self.reads, observation=observation)
        except LatticeTooLarge:
            return None

    def is_final(self) -> bool | None:
        """Of a true answer: whether every observation meets the condition before it comes to an open end."""
        return self._on_lattice.is_final() if self._avoided is None else self._avoided.is_final

    def details(self, *, observations: bool) -> Details:
        """The number of cuts; why it is true, or, if asked for, an observation that avoids the condition."""
        found = self._avoided
        if found is None:
            return self._on_lattice.details(observations=observations)
        if not found.is_avoided:
            because = why_definitely(at_least=found.holds_at_least, at_greatest=found.holds_at_greatest)
            return Details(found.cuts, because=because)
        again = self._ask(observation=True) if observations else None
        return Details(found.cuts, None if again is None else again.observation)

    def modality(self) -> tuple[int, int, int] | None:
        """Runs of states are answered on the lattice, and stop where that is too large."""
        return self._on_lattice.modality()


def with_diagrams(
    context: Context, detector: PossiblyOnLattice | DefinitelyOnLattice, rows: tuple[int, int] | None
) -> Detector:
    """A detector that goes on where the lattice is too large, if the condition has rows of a program."""
    if rows is None:
        return detector
    if isinstance(detector, PossiblyOnLattice):
        return PossiblyBeyond(context, detector, rows)
    return DefinitelyBeyond(context, detector, rows)


def _program(context: Context, rows: tuple[int, int]) -> Program | None:
    """The condition as diagrams take it; None while the window holds a number that cannot be added exactly."""
    atoms = context.atoms
    return None if atoms.sees_inexact() else Program(Atoms(*atoms.arrays), *rows)
