"""Sequences: a pattern that occurs, possibly or definitely, in an observation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from latwin.properties.automaton import automaton_of
from latwin.properties.patterns import Pattern, show_pattern
from latwin.properties.tree import ModalKind, Node, Question


@dataclass(frozen=True, slots=True)
class Matching(Question):
    """Whether the pattern occurs in some, or in every, observation: in a stretch of consecutive cuts.

    The stretch must begin at the least cut if `from_least`, and end at the greatest if `to_greatest`.
    """

    kind: ModalKind
    pattern: Pattern
    from_least: bool = False
    to_greatest: bool = False

    def _children(self) -> tuple[Node, ...]:
        return (self.pattern,)

    def text(self, names: Sequence[str]) -> str:
        """Its canonical text."""
        begin, end = "^" * self.from_least, "$" * self.to_greatest
        return f"{self.kind}(seq({begin}{show_pattern(self.pattern, names)}{end}))"

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.kind

    def explain(self, processes: Sequence[str]) -> tuple[str, str]:
        """The engine that answers it, and a sentence on why."""
        del processes
        machine = automaton_of(self)
        why = (
            f"a sequence of {len(machine.atoms)} conditions: an automaton of {len(machine.delta)} states is led "
            "along all observations at once, 64 cuts at a time"
        )
        return "automaton", why
