"""Formulas of CTL:  EX AX EF AF EG AG  E[p U q]  A[p U q]  EY AY EP AP EH AH  E[p S q]  A[p S q]  and or not implies.

The first eight look forward, along the ways to the greatest cut, and are asked of the least cut. The other eight look
back, along the ways from the least cut, and are asked of the greatest; they mirror the first. Inside of each other
they mix freely. Only four operators have nodes: `Next` and `Until`, and their mirror images `Previous` and `Since`.
The others are written with them: EF p is E[true U p], AH p is not EP not p, and so on.
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
class Previous(Node):
    """EY or AY: some, or every, step that leads here comes from a cut where the operand holds."""

    paths: Paths
    operand: Formula

    def _children(self) -> tuple[Node, ...]:
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class Since(Node):
    """E[hold S goal] or A[hold S goal], along some or every way back to the least cut."""

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


Formula: TypeAlias = Expr | Next | Until | Previous | Since | FormulaNot | FormulaAnd | FormulaOr
TEMPORAL = (Next, Until, Previous, Since, FormulaNot, FormulaAnd, FormulaOr)


@dataclass(frozen=True, slots=True)
class Temporal(Question):
    """A formula of CTL, asked of the least cut, or, if its outermost operator looks back, of the greatest."""

    formula: Formula

    def _children(self) -> tuple[Node, ...]:
        return (self.formula,)

    @property
    def looks_back(self) -> bool:
        """Whether the outermost operator looks back."""
        formula = self.formula
        while isinstance(formula, FormulaNot):
            formula = formula.operand
        return isinstance(formula, Previous | Since)

    def text(self, names: Sequence[str]) -> str:
        """Its canonical text."""
        return _show_formula(self.formula, names)

    @property
    def name(self) -> str:
        """What messages call it."""
        return "CTL"

    def explain(self, processes: Sequence[str]) -> tuple[str, str]:
        """The engine that answers it, and a sentence on why."""
        read = sorted(self.processes)
        lattice = "the lattice"
        if read and len(read) < len(processes) and not counts_steps(self.formula):
            lattice = f"the lattice of {', '.join(processes[k] for k in read)} alone"
        where = "greatest" if self.looks_back else "least"
        passes = sum(isinstance(part, Next | Until | Previous | Since) for part in _parts(self.formula))
        why = (
            f"a formula of CTL, asked of the {where} cut: sets of cuts on {lattice}, 64 cuts at a time, "
            f"one pass for each operator ({passes} here)"
        )
        return "forward pass" if self.looks_back else "backward pass", why


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
    "EY": lambda p: Previous("E", p),
    "AY": lambda p: Previous("A", p),
    "EP": lambda p: Since("E", TRUE, p),
    "AP": lambda p: Since("A", TRUE, p),
    "EH": lambda p: negate(Since("A", TRUE, negate(p))),
    "AH": lambda p: negate(Since("E", TRUE, negate(p))),
}


def as_property(formula: Formula) -> Property:
    """The question that a formula asks; `possibly` and `definitely` where it is one of them.

    All ways forward from the least cut are all ways back from the greatest, so EP is EF there, and AP is AF.
    """
    match formula:
        case FormulaNot(operand):
            return PropertyNot(as_property(operand))
        case Until(paths, hold, goal) | Since(paths, hold, goal) if hold == TRUE and not isinstance(goal, TEMPORAL):
            return Modal("possibly" if paths == "E" else "definitely", goal)
    return Temporal(formula)


def conditions_in(formula: Formula) -> Iterator[Expr]:
    """The conditions on states in a formula, from left to right."""
    if not isinstance(formula, TEMPORAL):
        yield formula
        return
    for child in formula._children():
        yield from conditions_in(cast(Formula, child))


def _parts(formula: Formula) -> Iterator[Formula]:
    """A formula and the formulas in it, but for its conditions."""
    if isinstance(formula, TEMPORAL):
        yield formula
        for child in formula._children():
            yield from _parts(cast(Formula, child))


def counts_steps(formula: Formula) -> bool:
    """Whether a formula depends on single steps (EX, AX, EY, AY), so on the processes that it does not read."""
    return any(isinstance(part, Next | Previous) for part in _parts(formula))


def _show_formula(formula: Formula, names: Sequence[str]) -> str:
    match formula:
        case Next(paths, operand) | Previous(paths, operand):
            letter = "X" if isinstance(formula, Next) else "Y"
            return f"{paths}{letter}({_show_formula(operand, names)})"
        case Until(paths, hold, goal) | Since(paths, hold, goal):
            letter, short = "UF" if isinstance(formula, Until) else "SP"
            if hold == TRUE:
                return f"{paths}{short}({_show_formula(goal, names)})"
            return f"{paths}[{_show_formula(hold, names)} {letter} {_show_formula(goal, names)}]"
        case FormulaNot(operand):
            return f"not ({_show_formula(operand, names)})"
        case FormulaAnd(operands):
            return " and ".join(f"({_show_formula(operand, names)})" for operand in operands)
        case FormulaOr(operands):
            return " or ".join(f"({_show_formula(operand, names)})" for operand in operands)
        case _:
            return show(formula, names)
