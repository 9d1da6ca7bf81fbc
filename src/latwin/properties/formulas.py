"""From Lark's tree to formulas: what CTL and linear time have in common, and where they differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar, cast

from latwin.errors import PropertyError
from latwin.properties import ctl, linear
from latwin.properties.tree import Expr

if TYPE_CHECKING:
    from lark import Token, Tree

    ParseTree: TypeAlias = Tree[Token]

F = TypeVar("F")


class Conditions(Protocol):
    """What builds the conditions in formulas."""

    def expr(self, tree: ParseTree, depth: int) -> Expr:
        """A condition."""

    def error(self, tree: ParseTree, message: str, hint: str | None = None) -> PropertyError:
        """The error for a place in the text."""

    def check_depth(self, tree: ParseTree, depth: int) -> None:
        """Raise if a text is nested too deeply."""


@dataclass(frozen=True)
class Logic(Generic[F]):
    """How the formulas of a temporal logic are put together; conditions are formulas."""

    #: the forms with one operand, such as EF(...)
    forms: Mapping[str, Callable[[F], F]]
    negate: Callable[[F], F]
    all_of: Callable[[Sequence[F]], F]
    any_of: Callable[[Sequence[F]], F]
    implies: Callable[[F, F], F]
    #: the rules of grammar.lark with two operands, and what they mean, given the word that stands with them
    binary: Mapping[str, Callable[[str, F, F], F]]


def build_formula(logic: Logic[F], conditions: Conditions, tree: ParseTree, depth: int) -> F:
    """The formula of a logic that a tree stands for."""

    def inside(child: ParseTree) -> F:
        return build_formula(logic, conditions, child, depth + 1)

    conditions.check_depth(tree, depth)
    children = cast("list[ParseTree]", tree.children)
    match tree.data:
        case "group":
            return inside(children[0])
        case "disjunction":
            return logic.any_of([inside(child) for child in children])
        case "conjunction":
            return logic.all_of([inside(child) for child in children])
        case "negation":
            return logic.negate(inside(children[0]))
        case "implication":
            return logic.implies(inside(children[0]), inside(children[1]))
        case str(rule) if rule in logic.binary:
            word, left, right = _operands(tree)
            return logic.binary[rule](word, inside(left), inside(right))
        case "call" if (name := str(children[0])) in logic.forms:
            if len(children) != 2:
                raise conditions.error(tree, f"{name}(...) takes one condition; got {len(children) - 1}")
            return logic.forms[name](inside(children[1]))
    return cast(F, conditions.expr(tree, depth))


def _operands(tree: ParseTree) -> tuple[str, ParseTree, ParseTree]:
    """The word of a rule with two operands, and these: `p until q`, `E[p U q]`."""
    words = [str(child) for child in tree.children if isinstance(child, str)]
    left, right = [child for child in tree.children if not isinstance(child, str)]
    return words[0], left, right


def _paths(word: str) -> ctl.Paths:
    return "E" if word.startswith("E") else "A"


CTL: Logic[ctl.Formula] = Logic(
    forms=ctl.TEMPORAL_FORMS,
    negate=ctl.negate,
    all_of=ctl.all_of,
    any_of=ctl.any_of,
    implies=lambda before, after: ctl.any_of([ctl.negate(before), after]),
    binary={
        "until": lambda word, hold, goal: ctl.Until(_paths(word), hold, goal),
        "since": lambda word, hold, goal: ctl.Since(_paths(word), hold, goal),
    },
)
LINEAR: Logic[linear.Formula] = Logic(
    forms=linear.LINEAR_FORMS,
    negate=linear.negate,
    all_of=linear.all_of,
    any_of=linear.any_of,
    implies=linear.implies,
    binary={"infix": lambda word, hold, goal: linear.Operator(cast("Any", word), (hold, goal))},
)


def speaks_of_time(tree: ParseTree) -> bool:
    """Whether a tree has an operator of linear time in it."""
    return any(
        part.data == "infix" or (part.data == "call" and str(part.children[0]) in linear.LINEAR_FORMS)
        for part in tree.iter_subtrees()
    )
