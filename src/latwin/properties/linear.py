"""Formulas of linear time: what one observation looks like, cut by cut.

    always(p)  eventually(p)  next(p)  p until q  p weak_until q               looking forward
    historically(p)  once(p)  previously(p)  p since q                         looking back
    not  and  or  implies

An observation is a finite sequence of cuts, from the least to the greatest. A formula is evaluated at its first cut;
if all outermost temporal operators look back, at its last. `possibly(f)` asks for an observation that satisfies the
formula, `definitely(f)` whether all do.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from latwin.properties.automaton import Automaton
from latwin.properties.tree import (
    And,
    Compare,
    Expr,
    Literal,
    Member,
    Modal,
    ModalKind,
    Node,
    Not,
    Or,
    Property,
    PropertyNot,
    Question,
    Variable,
    show,
)

Word: TypeAlias = typing.Literal[
    "not",
    "and",
    "or",
    "implies",
    "next",
    "eventually",
    "always",
    "until",
    "weak_until",
    "previously",
    "once",
    "historically",
    "since",
]

FORWARD = frozenset({"next", "eventually", "always", "until", "weak_until"})
BACK = frozenset({"previously", "once", "historically", "since"})
INFIX = frozenset({"until", "weak_until", "since"})


@dataclass(frozen=True, slots=True)
class Operator(Node):
    """An operator, with a temporal one in it or among its operands."""

    word: Word
    operands: tuple[Formula, ...]

    def _children(self) -> tuple[Node, ...]:
        return self.operands


#: conditions on single cuts are formulas, too
Formula: TypeAlias = Expr | Operator


@dataclass(frozen=True, slots=True)
class Linear(Question):
    """Whether some, or every, observation satisfies a formula."""

    kind: ModalKind
    formula: Operator

    def _children(self) -> tuple[Node, ...]:
        return (self.formula,)

    @property
    def is_asked_at_the_end(self) -> bool:
        """Whether the formula is evaluated at the greatest cut: all outermost temporal operators look back."""
        return all(word in BACK for word in _outermost(self.formula))

    @property
    def counts_steps(self) -> bool:
        """Whether it depends on single steps, so on the processes that it does not read."""
        return _counts_steps(self.formula)

    def text(self, names: Sequence[str]) -> str:
        """Its canonical text."""
        return f"{self.kind}({_show(self.formula, names)})"

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.kind

    def automaton(self) -> Automaton:
        """The smallest automaton that accepts the observations which satisfy the formula."""
        from latwin.properties.linear_automaton import automaton_of_formula  # brings numpy

        return automaton_of_formula(self)

    def explain(self, processes: Sequence[str]) -> tuple[str, str]:
        """The engine that answers it, and a sentence on why."""
        del processes
        machine = self.automaton()
        where = "end" if self.is_asked_at_the_end else "beginning"
        why = (
            f"a formula over observations, evaluated at their {where}, of {_count(len(machine.atoms), 'condition')}: "
            f"an automaton of {_count(len(machine.delta), 'state')} is led along all observations at once, "
            "64 cuts at a time"
        )
        return "automaton", why


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _outermost(formula: Formula) -> Iterator[Word]:
    """The temporal operators that stand in no other."""
    if not isinstance(formula, Operator):
        return
    if formula.word in FORWARD or formula.word in BACK:
        yield formula.word
        return
    for operand in formula.operands:
        yield from _outermost(operand)


def _counts_steps(formula: Formula) -> bool:
    if not isinstance(formula, Operator):
        return False
    return formula.word in ("next", "previously") or any(_counts_steps(operand) for operand in formula.operands)


# -- putting formulas together: conditions alone stay one condition -----------------------------------


def negate(formula: Formula) -> Formula:
    """The opposite, without double negations of formulas."""
    if isinstance(formula, Operator):
        return formula.operands[0] if formula.word == "not" else Operator("not", (formula,))
    return Not(formula)


def all_of(formulas: Sequence[Formula]) -> Formula:
    """All of them."""
    return _join("and", And, formulas)


def any_of(formulas: Sequence[Formula]) -> Formula:
    """Any of them."""
    return _join("or", Or, formulas)


def implies(before: Formula, after: Formula) -> Formula:
    """That the first implies the second."""
    if isinstance(before, Operator) or isinstance(after, Operator):
        return Operator("implies", (before, after))
    return Or((Not(before), after))


def _join(word: Word, kind: type[And] | type[Or], formulas: Sequence[Formula]) -> Formula:
    conditions = [formula for formula in formulas if not isinstance(formula, Operator)]
    if len(conditions) < 2:
        return Operator(word, tuple(formulas))
    condition = kind(tuple(conditions))  # one condition is one letter of the automaton
    rest = [formula for formula in formulas if isinstance(formula, Operator)]
    return Operator(word, (condition, *rest)) if rest else condition


def _form(word: Word) -> Callable[[Formula], Formula]:
    return lambda operand: Operator(word, (operand,))


#: what each form with one operand means
LINEAR_FORMS: dict[str, Callable[[Formula], Formula]] = {
    word: _form(cast(Word, word)) for word in sorted((FORWARD | BACK) - INFIX)
}


def as_question(kind: ModalKind, formula: Formula) -> Property:
    """What `possibly` or `definitely` of a formula asks; of a condition on cuts where that says the same.

    Some observation satisfies `eventually(p)` exactly if some meets a cut with p, and all satisfy `always(p)` exactly
    if none meets a cut without.
    """
    match formula:
        case Operator("eventually" | "once", (condition,)) if not isinstance(condition, Operator):
            return Modal(kind, condition)
        case Operator("always" | "historically", (condition,)) if not isinstance(condition, Operator):
            return PropertyNot(Modal("definitely" if kind == "possibly" else "possibly", Not(condition)))
        case Operator():
            return Linear(kind, formula)
    return Modal(kind, formula)


def conditions_in(formula: Formula) -> Iterator[Expr]:
    """The conditions on cuts in a formula, from left to right."""
    if not isinstance(formula, Operator):
        yield formula
        return
    for operand in formula.operands:
        yield from conditions_in(operand)


# How tightly each operator binds, as in grammar.lark.
_BINDING = {"implies": 0, "or": 1, "and": 2, "until": 3, "weak_until": 3, "since": 3, "not": 4}
_TIGHT = 5


def _show(formula: Formula, names: Sequence[str]) -> str:
    if not isinstance(formula, Operator):
        return show(formula, names)
    word, operands = formula.word, formula.operands
    if word not in _BINDING:
        return f"{word}({_show(operands[0], names)})"
    parts = [_show(operand, names) for operand in operands]
    # As an operand, everything that does not bind more tightly stands in parentheses.
    shown = [
        text if _binding(operand) > _BINDING[word] else f"({text})"
        for operand, text in zip(operands, parts, strict=True)
    ]
    return f"not {shown[0]}" if word == "not" else f" {word} ".join(shown)


def _binding(formula: Formula) -> int:
    if isinstance(formula, Operator):
        return _BINDING.get(formula.word, _TIGHT)
    if isinstance(formula, Compare | Member | Literal | Variable):
        return _TIGHT
    return -1
