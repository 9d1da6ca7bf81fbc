"""Formulas of CTL, asked of the least cut: EX AX EF AF EG AG  E[p U q]  A[p U q]  and or not implies.

Only two operators have nodes, `Next` and `Until`; the others are written with them: EF p is E[true U p], AG p is
not EF not p, and so on.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from latwin.properties.tree import TRUE, And, Expr, Modal, Node, Not, Or, Property, PropertyNot, Question, show

Paths: TypeAlias = typing.Literal["E", "A"]


@dataclass(frozen=True, slots=True)
class Next(Node):
    """EX or AX: some, or every, step leads to a cut where the operand holds."""

    paths: Paths
    operand: Formula

    def _children(self) -> tuple[Node, ...]:
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class Until(Node):
    """E[hold U goal] or A[hold U goal], along some or every way to the greatest cut."""

    paths: Paths
    hold: Formula
    goal: Formula

    def _children(self) -> tuple[Node, ...]:
        return (self.hold, self.goal)


@dataclass(frozen=True, slots=True)
class FormulaNot(Node):
    """Negation of a formula."""

    operand: Formula

    def _children(self) -> tuple[Node, ...]:
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class FormulaAnd(Node):
    """All of some formulas."""

    operands: tuple[Formula, ...]

    def _children(self) -> tuple[Node, ...]:
        return self.operands


@dataclass(frozen=True, slots=True)
class FormulaOr(Node):
    """Any of some formulas."""

    operands: tuple[Formula, ...]

    def _children(self) -> tuple[Node, ...]:
        return self.operands


Formula: TypeAlias = Expr | Next | Until | FormulaNot | FormulaAnd | FormulaOr
TEMPORAL = (Next, Until, FormulaNot, FormulaAnd, FormulaOr)


@dataclass(frozen=True, slots=True)
class Temporal(Question):
    """A formula of CTL, asked of the least cut."""

    formula: Formula

    def _children(self) -> tuple[Node, ...]:
        return (self.formula,)

    def text(self, names: Sequence[str]) -> str:
        """Its canonical text."""
        return _show_formula(self.formula, names)

    @property
    def name(self) -> str:
        """What messages call it."""
        return "CTL"

    def explain(self, processes: Sequence[str]) -> tuple[str, str]:
        """The engine that answers it, and a sentence on why."""
        del processes
        why = "a formula of CTL: sets of cuts on the lattice, 64 cuts at a time, one pass for each operator"
        return "backward pass", why


def negate(formula: Formula) -> Formula:
    """The opposite, without double negations."""
    if isinstance(formula, FormulaNot):
        return formula.operand
    return FormulaNot(formula) if isinstance(formula, TEMPORAL) else Not(formula)


def all_of(formulas: Sequence[Formula]) -> Formula:
    """All of them; conditions alone stay one condition."""
    return FormulaAnd(tuple(formulas)) if _has_temporal(formulas) else And(cast("tuple[Expr, ...]", tuple(formulas)))


def any_of(formulas: Sequence[Formula]) -> Formula:
    """Any of them; conditions alone stay one condition."""
    return FormulaOr(tuple(formulas)) if _has_temporal(formulas) else Or(cast("tuple[Expr, ...]", tuple(formulas)))


def _has_temporal(formulas: Sequence[Formula]) -> bool:
    return any(isinstance(formula, TEMPORAL) for formula in formulas)


#: what each form of CTL with one operand means
TEMPORAL_FORMS: dict[str, Callable[[Formula], Formula]] = {
    "EX": lambda p: Next("E", p),
    "AX": lambda p: Next("A", p),
    "EF": lambda p: Until("E", TRUE, p),
    "AF": lambda p: Until("A", TRUE, p),
    "EG": lambda p: negate(Until("A", TRUE, negate(p))),
    "AG": lambda p: negate(Until("E", TRUE, negate(p))),
}


def as_property(formula: Formula) -> Property:
    """The question a formula asks of the least cut; `possibly` and `definitely` where it is one of them."""
    match formula:
        case FormulaNot(operand):
            return PropertyNot(as_property(operand))
        case Until(paths, hold, goal) if hold == TRUE and not isinstance(goal, TEMPORAL):
            return Modal("possibly" if paths == "E" else "definitely", goal)
    return Temporal(formula)


def conditions_in(formula: Formula) -> Iterator[Expr]:
    """The conditions on states in a formula, from left to right."""
    if not isinstance(formula, TEMPORAL):
        yield formula
        return
    for child in formula._children():
        yield from conditions_in(cast(Formula, child))


def counts_steps(formula: Formula) -> bool:
    """Whether a formula depends on single steps (EX, AX), so on the processes that it does not read."""
    if not isinstance(formula, TEMPORAL):
        return False
    return isinstance(formula, Next) or any(counts_steps(cast(Formula, child)) for child in formula._children())


def _show_formula(formula: Formula, names: Sequence[str]) -> str:
    match formula:
        case Next(paths, operand):
            return f"{paths}X({_show_formula(operand, names)})"
        case Until(paths, hold, goal):
            if hold == TRUE:
                return f"{paths}F({_show_formula(goal, names)})"
            return f"{paths}[{_show_formula(hold, names)} U {_show_formula(goal, names)}]"
        case FormulaNot(operand):
            return f"not ({_show_formula(operand, names)})"
        case FormulaAnd(operands):
            return " and ".join(f"({_show_formula(operand, names)})" for operand in operands)
        case FormulaOr(operands):
            return " or ".join(f"({_show_formula(operand, names)})" for operand in operands)
        case _:
            return show(formula, names)
