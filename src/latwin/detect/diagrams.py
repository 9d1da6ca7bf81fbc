"""`possibly` and `definitely` where the lattice has more cuts than may be enumerated: by decision diagrams.

The lattice is asked first, and the certificates before it. Only if these cannot tell, the same question is asked of
`lattice.diagrams`. Both give the same answers. Conditions that are no program of atoms stay too large, and so do
conditions on states with numbers that cannot be added exactly.
"""

from __future__ import annotations

from latwin.detect.detector import Context, Details, why_definitely
from latwin.detect.on_lattice import DefinitelyOnLattice, Labels, PossiblyOnLattice
from latwin.errors import LatticeTooLarge
from latwin.lattice.diagrams import Avoided, Found, Program
from latwin.lattice.kernels.labels import Atoms


class PossiblyBeyond(PossiblyOnLattice):
    """`possibly` of a program of atoms, on lattices of any size that diagrams can describe."""

    #: what the diagrams said, if they were asked and could tell
    _found: Found | None = None

    def evaluate(self) -> bool | None:
        """Whether some cut satisfies the condition."""
        self._found = None
        value = super().evaluate()
        condition = _program(self._context, self._labels) if value is None else None
        if condition is None:
            return value
        try:
            self._found = self._context.diagrams.find(condition)
        except LatticeTooLarge:
            return None
        return self._found.cut is not None

    def is_final(self) -> bool | None:
        """Of a true answer, always: the cut that satisfies it stays a cut."""
        return super().is_final() if self._found is None else self._found.cut is not None

    def details(self, *, observations: bool) -> Details:
        """The number of cuts, and the lexicographically least satisfying one."""
        return super().details(observations=observations) if self._found is None else Details(*self._found)


class DefinitelyBeyond(DefinitelyOnLattice):
    """`definitely` of a program of atoms, on lattices of any size that diagrams can describe."""

    #: what the diagrams said, if they were asked and could tell
    _avoided: Avoided | None = None

    def evaluate(self) -> bool | None:
        """Whether every observation meets the condition."""
        value = super().evaluate()
        self._avoided = self._ask() if value is None else None
        return value if self._avoided is None else not self._avoided.is_avoided

    def _ask(self, *, observation: bool = False) -> Avoided | None:
        condition = _program(self._context, self._labels)
        if condition is None:
            return None
        try:
            return self._context.diagrams.avoid(condition, self.reads, observation=observation)
        except LatticeTooLarge:
            return None

    def is_final(self) -> bool | None:
        """Of a true answer: whether every observation meets the condition before it comes to an open end."""
        return super().is_final() if self._avoided is None else self._avoided.is_final

    def details(self, *, observations: bool) -> Details:
        """The number of cuts; why it is true, or, if asked for, an observation that avoids the condition."""
        found = self._avoided
        if found is None:
            return super().details(observations=observations)
        if not found.is_avoided:
            because = why_definitely(at_least=found.holds_at_least, at_greatest=found.holds_at_greatest)
            return Details(found.cuts, because=because)
        again = self._ask(observation=True) if observations else None
        return Details(found.cuts, None if again is None else again.observation)


def _program(context: Context, labels: Labels) -> Program | None:
    """The condition as diagrams take it; None if it is no program, or the window holds a number that is not exact."""
    atoms, rows = context.atoms, labels.rows()
    return None if rows is None or atoms.sees_inexact() else Program(Atoms(*atoms.arrays), *rows)
