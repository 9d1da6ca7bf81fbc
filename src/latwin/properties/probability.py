"""Probabilities: the fraction of observations that meet a predicate, compared with a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from latwin.properties.tree import ComparisonOp, Expr, Node, Question, show


@dataclass(frozen=True, slots=True)
class Likely(Question):
    """The fraction of observations, all equally likely, that meet the predicate, compared with a number."""

    predicate: Expr
    op: ComparisonOp
    bound: float

    def _children(self) -> tuple[Node, ...]:
        return (self.predicate,)

    def text(self, names: Sequence[str]) -> str:
        """Its canonical text."""
        return f"probability({show(self.predicate, names)}) {self.op} {self.bound!r}"

    @property
    def name(self) -> str:
        """What messages call it."""
        return "probability"

    def explain(self, processes: Sequence[str]) -> tuple[str, str]:
        """The engine that answers it, and a sentence on why."""
        del processes
        return "path counting", "a probability: the observations are counted, cut by cut"
